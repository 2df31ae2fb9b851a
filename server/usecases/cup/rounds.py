"""Drawing a cup's rounds: computed as far as the rules go, the rest up to the leader with a reason.

§ 6.6.1.1-6.6.1.6. One transaction: the lot, every group with its games and letters, everybody's
place and how they got it; or nothing. Readings: the first round takes the valid entries in the
order of the list; strength is the K-rating, else the provisional one of § 6.7.6.2. Not for
reading a cup (facts.py).
"""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pydantic import ValidationError

from kskak.cup.course import CupStage, Seat, Way, final_seats, first_groups, semifinal_seats
from kskak.cup.course import lacking as lacking_in
from kskak.cup.refusals import CupProblem, CupRefusal
from kskak.cup.rounds import CupPlayer, group_sizes, is_start_month, semifinal_groups
from kskak.league.teams import provisional_rating
from kskak.regulation.days import years_later
from kskak.regulation.tournament_numbers import CUP
from server.store.cup import rounds as rows
from server.store.cup.rounds import CupRow, DrawRow, NewPlace
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.entries.of_players import EntryRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.cup.facts import CupFacts, facts_in, next_stages, prospect
from server.usecases.cup.start import Lot, added_people, start_groups
from server.usecases.entries.next_group import fit_to_start, without_address
from server.usecases.groups.group_file import FEWEST, MOST, GroupFileError
from server.usecases.starts.start_group import StartedGroup

_SEED_BYTES = 8
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Choice:
    """A round to be drawn, with the leader's choices.

    ``places``: how many advance from each group, if not as computed; ``take``: how many entries of
    the list play the first round; ``added`` (addresses) fill up, ``without`` (people) do not
    advance. Each of these, and skipping the semi-final, needs a ``reason``. ``start`` None: by the
    settings. ``live``: everybody may follow it, as they may anyway if they could earlier rounds.
    """

    stage: CupStage
    places: int | None = None
    take: int | None = None
    added: tuple[str, ...] = ()
    without: tuple[int, ...] = ()
    start: date | None = None
    reason: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round that was drawn: its seed and its groups."""

    stage: CupStage
    seed: str
    groups: tuple[StartedGroup, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A seat with its group's index; None: the player does not advance."""

    seat: Seat
    group: int | None
    strength: int | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class _Made:
    """A round as composed: how many advanced from each earlier group, and everybody's place."""

    places: int
    placed: tuple[_Placed, ...]

    @property
    def groups(self) -> list[list[int]]:
        """The people of each group."""
        count = 1 + max(one.group for one in self.placed if one.group is not None)
        return [
            [int(one.seat.player) for one in self.placed if one.group == number]
            for number in range(count)
        ]


async def draw_round(
    core: Core, by: PersonRow, cup_id: int, choice: Choice
) -> DrawnRound | CupRefusal:
    """Draw a round and start its groups. Raises NoSuch, NotAllowed (also for a cup player)."""
    async with core.store.deciding() as conn:
        cup = await rows.lock(conn, cup_id)
        if cup is None:
            raise NoSuch("cup")
        if not may_handle(await rights_in(conn, by, core.now_us), cup.list_id):
            raise NotAllowed
        facts = await facts_in(conn, cup)
        refusal = _refused(core, facts, choice)
        if refusal is not None:
            return refusal
        seed = secrets.token_hex(_SEED_BYTES)
        made = await _composed(core, conn, facts, choice, seed)
        if isinstance(made, CupRefusal):
            return made
        people = {person for group in made.groups for person in group}
        if cup.leader_id in people:
            return CupRefusal(CupProblem.LEADER_PLAYS)
        if by.id in people | facts.people:
            raise NotAllowed
        players = (await person_rows.by_ids(conn, people)).values()
        if lacking := await without_address(conn, cup.regulation, list(players)):
            return CupRefusal(CupProblem.NO_ADDRESSES, who=", ".join(lacking))
        try:
            async with conn.begin_nested():  # all groups or none, if one can't be made
                return await _started(core, conn, by, (cup, choice, seed), made)
        except (GroupFileError, ValidationError) as error:
            _log.warning("cup %s: a round can't be made: %s", cup.edition, error)
            return CupRefusal(CupProblem.NOT_MADE)


def start_of(core: Core, choice: Choice) -> date:
    """The day of the start: some days ahead, so that the letters arrive first (§ 6.5.2.1)."""
    return choice.start or today_of(core) + timedelta(days=core.settings.entries.start_days)


def _refused(core: Core, facts: CupFacts, choice: Choice) -> CupRefusal | None:
    """What bars a round of any kind: not its turn, a missing reason, an unsuitable start."""
    open_now, last = next_stages(facts), facts.last
    if choice.stage not in open_now:
        drawn = {one.stage for one in facts.rounds}
        if CupStage.FINAL in drawn and last is not None and last.is_over:
            return CupRefusal(CupProblem.OVER)
        if choice.stage in drawn:
            return CupRefusal(CupProblem.DRAWN)
        is_next = last is not None and not last.is_over
        return CupRefusal(CupProblem.STILL_PLAYED if is_next else CupProblem.WRONG_ROUND)
    is_cancelled = choice.stage is CupStage.FINAL and CupStage.SEMIFINAL in open_now
    chosen = (choice.places, choice.take, choice.added, choice.without)
    if (is_cancelled or any(chosen)) and not choice.reason.strip():
        return CupRefusal(CupProblem.NO_REASON)
    if start_of(core, choice) < today_of(core):
        return CupRefusal(CupProblem.START)
    is_far = start_of(core, choice) > years_later(today_of(core), 1)
    if is_far:
        return CupRefusal(CupProblem.START_FAR)
    is_first = choice.stage is CupStage.PRELIMINARY
    is_usual = is_start_month(start_of(core, choice).month)
    if is_first and not is_usual and not choice.reason.strip():
        return CupRefusal(CupProblem.QUARTER)
    return None


async def _composed(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: Choice, seed: str
) -> _Made | CupRefusal:
    if choice.stage is CupStage.PRELIMINARY:
        return await _first(core, conn, facts, choice, seed)
    added = await added_people(core, conn, facts, choice.added)
    if isinstance(added, CupRefusal):
        return added
    return _next(facts, choice, added, seed)


async def _first(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: Choice, seed: str
) -> _Made | CupRefusal:
    """The first round from the list: by strength, ties by lot (§ 6.6.1.1, § 6.6.1.2)."""
    fit = (await fit_to_start(core, conn, facts.entered))[: choice.take]
    people = await person_rows.by_ids(conn, [row.person_id for row in fit])
    strengths = [strength_of(row, people[row.person_id]) for row in fit]
    entrants = [
        CupPlayer(str(row.person_id), strength)
        for row, strength in zip(fit, strengths, strict=True)
    ]
    sizes = group_sizes(len(entrants))
    if sizes is None:
        return CupRefusal(CupProblem.UNCUT, len(entrants))
    crowd = _in_too_many(entrants, len(sizes))
    if crowd is not None:
        return CupRefusal(CupProblem.TOO_MANY_PLACES, who=people[crowd].name)
    groups = first_groups(entrants, seed)
    return _Made(
        0,
        tuple(
            _Placed(Seat(entrants[index].player, Way.ENTERED), number, strengths[index],
                    fit[index].id)
            for number, group in enumerate(groups)
            for index in group
        ),
    )  # fmt: skip


def strength_of(row: EntryRow, person: PersonRow) -> int:
    """The strength for dealing: the register's rating, before that of the entry (§ 6.6.1.2)."""
    own = row.k_rating if person.k_rating is None else person.k_rating
    return provisional_rating(own, row.otb_rating if person.rating is None else person.rating)


def _in_too_many(entrants: Sequence[CupPlayer], groups: int) -> int | None:
    """Somebody with more than 2 places, or more than there are groups (§ 6.6.1.2)."""
    names, most = [one.player for one in entrants], min(CUP.most_at_once, groups)
    return next((int(name) for name in names if names.count(name) > most), None)


def _next(facts: CupFacts, choice: Choice, added: Sequence[int], seed: str) -> _Made | CupRefusal:
    """A later round: who advances, who enters there, who fills up (§ 6.6.1.3-6.6.1.6)."""
    planned = prospect(facts, choice.stage, choice.places)
    without = [str(person) for person in choice.without]
    if not set(without) <= {seat.player for seat in planned.seats}:
        return CupRefusal(CupProblem.NO_PERSON)
    compose = semifinal_seats if choice.stage is CupStage.SEMIFINAL else final_seats
    seats = compose(planned.seats, (), [str(person) for person in added], without)
    entries = {str(row.person_id): row.id for row in facts.newcomers}
    groups: Sequence[Sequence[int]] = (range(len(seats)),)
    if choice.stage is CupStage.SEMIFINAL:
        empty = lacking_in(len(seats))
        if empty:
            return CupRefusal(CupProblem.EMPTY, empty)
        try:
            groups = semifinal_groups([seat.player for seat in seats], seed)
        except ValueError:
            return CupRefusal(CupProblem.TOO_MANY_PLACES)
    elif not FEWEST <= len(seats) <= MOST:
        return CupRefusal(CupProblem.FINAL_SIZE, len(seats))
    placed = [
        _Placed(seats[index], number, entry=_entry_of(seats[index], entries))
        for number, group in enumerate(groups)
        for index in group
    ]
    placed += [_Placed(seat, None) for seat in planned.seats if seat.player in without]
    return _Made(planned.places, tuple(placed))


def _entry_of(seat: Seat, entries: dict[str, int]) -> int | None:
    return entries.get(seat.player) if seat.way is Way.DIRECT else None


async def _started(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    drawn: tuple[CupRow, Choice, str],
    made: _Made,
) -> DrawnRound:
    """Start the groups and save the round with how everybody got into it."""
    cup, choice, seed = drawn
    lot = Lot(seed, start_of(core, choice), choice.live)
    started = await start_groups(core, conn, cup, choice.stage, lot, made.groups)
    known = {one.name: one.group_id for one in await rows.groups_of(conn, cup.id)}
    places = [
        NewPlace(
            cup_id=cup.id,
            stage=choice.stage.value,
            number=number,
            person_id=int(one.seat.player),
            way=one.seat.way.value,
            group_id=None if one.group is None else started[one.group].id,
            from_group_id=known[one.seat.group] if one.seat.group else None,
            from_place=one.seat.place,
            strength=one.strength,
            entry_id=one.entry,
        )
        for number, one in enumerate(made.placed, 1)
    ]
    draw = DrawRow(
        cup.id, choice.stage.value, seed, lot.start.isoformat(), made.places, choice.reason.strip(),
        by.id, core.now_us,
    )  # fmt: skip
    await rows.keep_round(conn, draw, [one.id for one in started], places)
    for place in places:
        if place.entry_id is not None and place.group_id is not None:
            await entry_rows.place(conn, [place.entry_id], place.group_id)
    entered_on = cup.list_id if choice.stage is CupStage.PRELIMINARY else cup.semi_list_id
    if entered_on is not None:  # a new entry would wait for a round that has begun
        await list_rows.change(conn, entered_on, is_open=False)
    return DrawnRound(choice.stage, seed, started)
