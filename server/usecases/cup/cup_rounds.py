"""Drawing a cup's rounds: computed as far as the rules go, the rest up to the leader with a reason.

§ 6.6.1.1-6.6.1.6. One transaction: the lot, every group with its games and letters, everybody's
place and how they got it; or nothing. Readings: the first round takes the valid entries in the
order of the list; strength is the K-rating, else the provisional one of § 6.7.6.2. Not for
reading a cup (cup_facts.py).
"""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pydantic import ValidationError

from kskak.cup import (
    CupPlayer,
    CupProblem,
    CupQualification,
    CupRefusal,
    CupStage,
    Seat,
    count_empty_places,
    final_seats,
    first_groups,
    group_sizes,
    is_start_month,
    semifinal_groups,
    semifinal_seats,
)
from kskak.entries.entry import CupEntry, start_faults
from kskak.league.composition import provisional_rating
from kskak.regulation.days import ONE_DAY, years_later
from kskak.regulation.editions import CUP
from mail.office_letters.service_letters import RoundReady
from server.store import cup as cup_rows
from server.store import groups as group_rows
from server.store import player_entries as entry_rows
from server.store.cup import CupRow, DrawRow, NewCup, NewPlace
from server.store.engine.connection import AsyncConnection
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import EntryRow
from server.usecases.context import Core, poster_of, today_of
from server.usecases.cup.cup_facts import CupFacts, facts_in, next_stages, prospect
from server.usecases.entries.entry_judging import CUP_JUDGING, find_entrant_status, knowledge
from server.usecases.entries.next_group import fit_to_start, next_name, without_address
from server.usecases.groups.group_file import FEWEST, MOST, GroupFile, GroupFileError, StartedGroup
from server.usecases.letter_facts import Params, day, loads, number, official, text
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, require_kc, rights_in
from server.usecases.starts.start_group import start_in

# Opening a cup: by the controller, on the waiting list that collects its entries (§ 6.1.2, § 6.6).

FIRST_YEAR = 1900
YEARS_AHEAD = 1
"""A cup can be opened for next year at the latest: its first round starts in the last quarter of
its year (§ 6.6.3)."""


class CupFault(StrEnum):
    """What is wrong with a cup to be opened."""

    EDITION = "edition"
    EDITION_TAKEN = "edition_taken"
    LIST = "list"
    SEMI_LIST = "semi_list"


@dataclass(frozen=True, slots=True)
class CupRequest:
    """A cup as the controller wants it; ``semi_list``: for the semi-final only (§ 6.6.1.6)."""

    edition: int
    list_id: int
    semi_list: int | None = None


async def open_cup(core: Core, by: PersonRow, asked: CupRequest) -> CupRow | CupFault:
    """Open a cup. Raises NotAllowed."""
    async with core.store.deciding() as conn:
        await require_kc(conn, by, core.now_us)
        return await open_cup_in(core, conn, by, asked)


async def open_cup_in(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: CupRequest
) -> CupRow | CupFault:
    """The same in the transaction of a caller who has looked at the rights."""
    latest = core.today(core.settings.clock.zone).year + YEARS_AHEAD
    fault = await _fault(conn, asked, latest)
    if fault is not None:
        return fault
    new = NewCup(asked.edition, asked.list_id, asked.semi_list, by.id, core.now_us)
    made = await cup_rows.find(conn, await cup_rows.add(conn, new))
    assert made is not None
    return made


async def _fault(conn: AsyncConnection, asked: CupRequest, latest: int) -> CupFault | None:
    if not FIRST_YEAR <= asked.edition <= latest:
        return CupFault.EDITION
    known = await cup_rows.everything(conn)
    if any(cup.edition == asked.edition for cup in known):
        return CupFault.EDITION_TAKEN
    used = {number for cup in known for number in (cup.list_id, cup.semi_list_id)}
    if not await _is_list(conn, asked.list_id, CupEntry.PRELIMINARY, used):
        return CupFault.LIST
    semi = asked.semi_list
    if semi is not None and not await _is_list(conn, semi, CupEntry.SEMIFINAL, used):
        return CupFault.SEMI_LIST
    return None


async def _is_list(
    conn: AsyncConnection, list_id: int, wish: CupEntry, used: set[int | None]
) -> bool:
    found = await entry_rows.find_list(conn, list_id)
    return (
        found is not None
        and (found.event, found.wish) == (CUP_JUDGING, wish)
        and list_id not in used
    )


# Starting the groups of a cup's round: files, lots, games, start letters (§ 6.6.1.2, § 6.5.2.1).

_MARK = {CupStage.SEMIFINAL: "S", CupStage.FINAL: "F"}


@dataclass(frozen=True, slots=True)
class Lot:
    """A round's start: the seed of its lots, its day, and whether everybody may follow it.

    If everybody could follow an earlier round, they may follow this one too.
    """

    seed: str
    start: date
    live: bool


async def start_groups(
    core: Core,
    conn: AsyncConnection,
    cup: CupRow,
    stage: CupStage,
    lot: Lot,
    groups: Sequence[Sequence[int]],
) -> tuple[StartedGroup, ...]:
    """Start a round's groups with these people.

    Raises GroupFileError or ValidationError if a group can't be made; then roll back everything.
    """
    taken = {row.name for row in await group_rows.everything(conn)}
    ids = {person for group in groups for person in group} | {cup.leader_id}
    people = await person_rows.by_ids(conn, sorted(ids))
    drawn = [one.group_id for one in await cup_rows.groups_of(conn, cup.id)]
    before = bool(await group_rows.find_public_groups(conn, drawn))
    started = []
    for group in groups:
        name = _name(cup, stage, taken, is_only=len(groups) == 1)
        taken.add(name)
        players = [people[person] for person in group]
        file = _file(core, cup, name, people[cup.leader_id], players, lot)
        file = file.model_copy(update={"live": lot.live or before})
        started.append(await start_in(core, conn, file))
    return tuple(started)


def _name(cup: CupRow, stage: CupStage, taken: set[str], *, is_only: bool) -> str:
    """P-26-01 and so on in the first round, P-26-S1 in the semi-final, P-26-F for the final."""
    if stage is CupStage.PRELIMINARY:
        return next_name(cup.prefix, taken)
    mark = _MARK[stage]
    if stage is CupStage.FINAL and is_only and f"{cup.prefix}-{mark}" not in taken:
        return f"{cup.prefix}-{mark}"
    number = 1
    while (name := f"{cup.prefix}-{mark}{number}") in taken:
        number += 1
    return name


def _file(
    core: Core, cup: CupRow, name: str, leader: PersonRow, players: Sequence[PersonRow], lot: Lot
) -> GroupFile:
    """The group as its file would describe it."""
    return GroupFile.model_validate(
        {
            "tournament": cup.name,
            "class": "cup",
            "group": name,
            "regulation": cup.regulation,
            "start": lot.start,
            "tl": leader.email,
            "tl_name": leader.name,
            "players": [
                {"name": one.name, "email": one.email, "lang": one.lang} for one in players
            ],
            "seed": f"{lot.seed} {name}",
            "zone": core.settings.clock.zone,
        }
    )


async def added_people(
    core: Core, conn: AsyncConnection, facts: CupFacts, addresses: Sequence[str]
) -> tuple[int, ...] | CupRefusal:
    """The people behind the addresses, or which of them can't be added.

    Those who have played in the cup are in it already; others are checked for a quarantine and a
    non-member's second group (§ 6.4.2, § 6.1).
    """
    found = []
    for address in addresses:
        person = await person_rows.by_email(conn, address)
        if person is None:
            return CupRefusal(CupProblem.NO_PERSON, who=address)
        known = await knowledge(conn, person.id, today_of(core))
        assert known is not None
        alone = find_entrant_status(known, CupEntry.SEMIFINAL, known.told, None)
        is_member = known.is_member(known.told)
        if person.id not in facts.people and start_faults(is_member, CupEntry.SEMIFINAL, alone):
            return CupRefusal(CupProblem.BARRED, who=person.name)
        found.append(person.id)
    return tuple(found)


# Drawing a cup's rounds: computed as far as the rules go, the rest up to the leader with a reason.

_SEED_BYTES = 8
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CupRoundRequest:
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
    core: Core, by: PersonRow, cup_id: int, choice: CupRoundRequest
) -> DrawnRound | CupRefusal:
    """Draw a round and start its groups. Raises NoSuch, NotAllowed (also for a cup player)."""
    async with core.store.deciding() as conn:
        cup = await cup_rows.lock(conn, cup_id)
        if cup is None:
            raise NoSuch("cup")
        if not may_handle(await rights_in(conn, by, core.now_us), cup.list_id):
            raise NotAllowed
        facts = await facts_in(conn, cup)
        refusal = _find_obstacle(core, facts, choice)
        if refusal is not None:
            return refusal
        seed = secrets.token_hex(_SEED_BYTES)
        made = await _compose_round(core, conn, facts, choice, seed)
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
                return await _start_round(core, conn, by, (cup, choice, seed), made)
        except (GroupFileError, ValidationError) as error:
            _log.warning("cup %s: a round can't be made: %s", cup.edition, error)
            return CupRefusal(CupProblem.NOT_MADE)


def start_of(core: Core, choice: CupRoundRequest) -> date:
    """The day of the start: some days ahead, so that the letters arrive first (§ 6.5.2.1)."""
    return choice.start or today_of(core) + timedelta(days=core.settings.entries.start_days)


def _find_obstacle(core: Core, facts: CupFacts, choice: CupRoundRequest) -> CupRefusal | None:
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


async def _compose_round(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: CupRoundRequest, seed: str
) -> _Made | CupRefusal:
    if choice.stage is CupStage.PRELIMINARY:
        return await _first(core, conn, facts, choice, seed)
    added = await added_people(core, conn, facts, choice.added)
    if isinstance(added, CupRefusal):
        return added
    return _next(facts, choice, added, seed)


async def _first(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: CupRoundRequest, seed: str
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
            _Placed(Seat(entrants[index].player, CupQualification.ENTERED), number,
            strengths[index],
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


def _next(
    facts: CupFacts, choice: CupRoundRequest, added: Sequence[int], seed: str
) -> _Made | CupRefusal:
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
        empty = count_empty_places(len(seats))
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
    return entries.get(seat.player) if seat.way is CupQualification.DIRECT else None


async def _start_round(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    drawn: tuple[CupRow, CupRoundRequest, str],
    made: _Made,
) -> DrawnRound:
    """Start the groups and save the round with how everybody got into it."""
    cup, choice, seed = drawn
    lot = Lot(seed, start_of(core, choice), choice.live)
    started = await start_groups(core, conn, cup, choice.stage, lot, made.groups)
    known = {one.name: one.group_id for one in await cup_rows.groups_of(conn, cup.id)}
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
    await cup_rows.keep_round(conn, draw, [one.id for one in started], places)
    for place in places:
        if place.entry_id is not None and place.group_id is not None:
            await entry_rows.place(conn, [place.entry_id], place.group_id)
    entered_on = cup.list_id if choice.stage is CupStage.PRELIMINARY else cup.semi_list_id
    if entered_on is not None:  # a new entry would wait for a round that has begun
        await entry_rows.change_list(conn, entered_on, is_open=False)
    return DrawnRound(choice.stage, seed, started)


# The cup's dated duty: the next round can be drawn (§ 6.6.3), on the desk and in one letter.

_ONCE = "told"
"""In place of the letter's day: it is written once per round, whenever that is."""


@dataclass(frozen=True, slots=True)
class RoundDue:
    """A cup whose next round can be drawn ``since`` a day; ``stage`` is the round that is over."""

    cup_id: int
    edition: int
    stage: CupStage
    list_id: int
    leader_id: int
    since: date

    @property
    def duty(self) -> str:
        """The name of its letter among the duties."""
        return f"cup.{self.cup_id}.{self.stage.value}"


async def rounds_due(conn: AsyncConnection, today: date) -> tuple[RoundDue, ...]:
    """The cups whose list of players is final, by the cup's number."""
    found = (
        RoundDue(
            row.cup_id,
            row.edition,
            CupStage(row.stage),
            row.list_id,
            row.leader_id,
            date.fromisoformat(row.objections_until) + ONE_DAY,
        )
        for row in await cup_rows.rounds_over(conn)
    )
    return tuple(one for one in found if one.since <= today)


async def due_for(conn: AsyncConnection, held: Rights, today: date) -> tuple[RoundDue, ...]:
    """Those for an official: the cup's leader, the controller, or an administrator (read-only)."""
    found = await rounds_due(conn, today)
    return tuple(one for one in found if held.is_admin or may_handle(held, one.list_id))


async def is_due(core: Core) -> bool:
    """True if a leader must be written to."""
    async with core.store.read() as conn:
        told = await due_rows.days_done(conn)
        return any(one.duty not in told for one in await rounds_due(conn, today_of(core)))


async def daily(core: Core) -> None:
    """Write to the leader of each such cup, once per round, in the transaction that records it."""
    async with core.store.write() as conn:
        for one in await rounds_due(conn, today_of(core)):
            if not await due_rows.take(conn, one.duty, _ONCE, core.now_us):
                continue
            params: dict[str, object] = {
                "cup": one.cup_id,
                "edition": one.edition,
                "stage": one.stage.value,
                "since": one.since.isoformat(),
            }
            letter = poster_of(core).to_person(RoundReady, one.leader_id, one.duty, params)
            await outbox_rows.enqueue(conn, [letter])


@loads(RoundReady)
async def _round_letter(core: Core, reader: PersonRow, params: Params) -> RoundReady:
    """The cup's next round can be drawn (§ 6.6.3)."""
    stage, url = CupStage(text(params, "stage")), core.url(f"/desk/cups/{number(params, 'cup')}")
    edition, since = number(params, "edition"), day(params, "since")
    return RoundReady(reader.name, official(core), edition, stage, since, url)
