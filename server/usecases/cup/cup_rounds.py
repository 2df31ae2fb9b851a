"""Opening a cup and drawing its rounds (§ 6.1.2, § 6.6.1.1-6.6.1.6).

Computed as far as the rules go, the rest up to the leader with a reason. One transaction: the lot,
every group with its games and letters, everybody's place and how they got it; or nothing. One seed
reproduces it all. Readings: the first round takes the valid entries in the order of the list;
strength is the K-rating, else the provisional one (§ 6.7.6.2). Not for reading a cup
(cup_views.py).
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
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
from kskak.entries.entry import CupEntry, EntryFault
from kskak.regulation.days import years_later
from kskak.regulation.editions import CUP
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cup import CupRow, DrawRow, NewPlace
from server.store.engine.connection import AsyncConnection
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.sanctions import find_barred
from server.usecases.context import Core, today_of
from server.usecases.cup.cup_views import (
    CupFacts,
    facts_in,
    is_final,
    next_stages,
    prospect,
    strength_of,
    usual_start,
)
from server.usecases.entries.entry_actions import (
    fit_to_start,
    next_name,
    seed_at_closing,
    without_address,
)
from server.usecases.entries.entry_judging import CUP_JUDGING, knowledge
from server.usecases.groups.group_file import (
    FEWEST,
    MOST,
    GroupFile,
    GroupFileError,
    StartedGroup,
    draw_seed,
)
from server.usecases.rights import NoSuch, NotAllowed, may_handle, require_kc, rights_in
from server.usecases.starts.start_group import start_in

_log = logging.getLogger(__name__)

FIRST_YEAR = 1900
YEARS_AHEAD = 1
"""A cup can be opened for next year at the latest: its first round starts in the last quarter of
its year (§ 6.6.3)."""
_MARK = {CupStage.SEMIFINAL: "S", CupStage.FINAL: "F"}


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
    """Open a cup on the waiting list that collects its entries. Raises NotAllowed."""
    async with core.store.deciding() as conn:
        await require_kc(conn, by, core.now_us)
        return await open_cup_in(core, conn, by, asked)


async def open_cup_in(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: CupRequest
) -> CupRow | CupFault:
    """The same in the transaction of a caller who has looked at the rights."""
    if not FIRST_YEAR <= asked.edition <= today_of(core).year + YEARS_AHEAD:
        return CupFault.EDITION
    known = await cup_rows.everything(conn)
    if any(cup.edition == asked.edition for cup in known):
        return CupFault.EDITION_TAKEN
    used = {number for cup in known for number in (cup.list_id, cup.semi_list_id)}
    on = ((asked.list_id, CupEntry.PRELIMINARY, CupFault.LIST),
          (asked.semi_list, CupEntry.SEMIFINAL, CupFault.SEMI_LIST))  # fmt: skip
    for number, wish, fault in on:
        found = None if number is None else await entry_rows.find_list(conn, number)
        is_fit = found and (found.event, found.wish) == (CUP_JUDGING, wish) and number not in used
        if number is not None and not is_fit:
            return fault
    number = await cup_rows.add(
        conn, edition=asked.edition, list_id=asked.list_id, semi_list_id=asked.semi_list,
        opened_by=by.id, created_us=core.now_us,
    )  # fmt: skip
    made = await cup_rows.find(conn, number)
    assert made is not None
    return made


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


async def draw_round(
    core: Core, by: PersonRow, cup_id: int, choice: CupRoundRequest
) -> DrawnRound | CupRefusal:
    """Draw a round and start its groups. Raises NoSuch, NotAllowed (also for a cup player)."""
    async with core.store.deciding() as conn:
        cup = await cup_rows.lock(conn, cup_id)
        if cup is None:
            raise NoSuch("cup")
        held = await rights_in(conn, by, core.now_us)
        if not may_handle(held, cup.list_id):
            raise NotAllowed
        facts = await facts_in(conn, cup)
        start = choice.start or usual_start(core)
        if problem := _find_obstacle(facts, choice, start, today_of(core)):
            return CupRefusal(problem)
        seed = await _seed(core, conn, facts)
        is_first = choice.stage is CupStage.PRELIMINARY
        placed = await (_first if is_first else _next)(core, conn, facts, choice, seed)
        if isinstance(placed, CupRefusal):
            return placed
        people = {int(one.seat.player) for one in placed if one.group is not None}
        if by.id in people | facts.people and cup.leader_id not in people:
            raise NotAllowed
        days = today_of(core), start
        refused = await _find_objection(conn, facts, people, choice, days)
        if not (held.is_kc and choice.reason.strip()):
            refused = refused or await _find_second_groups(core, conn, placed)
        if refused:
            return refused
        advanced = 0 if is_first else prospect(facts, choice.stage, choice.places).places
        draw = DrawRow(
            cup.id, choice.stage.value, seed, start.isoformat(), advanced, choice.reason.strip(),
            by.id, core.now_us,
        )  # fmt: skip
        try:
            async with conn.begin_nested():  # all groups or none, if one can't be made
                return await _start_round(core, conn, cup, draw, placed, is_live=choice.live)
        except (GroupFileError, ValidationError) as error:
            _log.warning("cup %s: a round can't be made: %s", cup.edition, error)
            return CupRefusal(CupProblem.NOT_MADE)


async def _seed(core: Core, conn: AsyncConnection, facts: CupFacts) -> str:
    """The seed as of the last entry (§ 6.6.1.2), or as of the last round's last game."""
    last = facts.last
    if last is None:
        entered = await person_rows.by_ids(conn, [row.person_id for row in facts.entered])
        return await seed_at_closing(conn, facts.entered, entered.values())
    known = await person_rows.by_ids(conn, last.people)
    names = [one.name for one in known.values()]
    groups = [one.group.group_id for one in last.groups]
    return await draw_seed(conn, names, core.now_us, groups)


def _find_obstacle(
    facts: CupFacts, choice: CupRoundRequest, start: date, today: date
) -> CupProblem | None:
    """What bars a round of any kind: not its turn, a missing reason, an unsuitable start."""
    open_now, last = next_stages(facts), facts.last
    drawn = {one.stage for one in facts.rounds}
    is_cancelled = choice.stage is CupStage.FINAL and CupStage.SEMIFINAL in open_now
    is_chosen = any((choice.places, choice.take, choice.added, choice.without)) or is_cancelled
    is_usual = choice.stage is not CupStage.PRELIMINARY or is_start_month(start.month)
    is_over = last is not None and last.is_over
    if choice.stage not in open_now:
        if CupStage.FINAL in drawn and is_over:
            return CupProblem.OVER
        if choice.stage in drawn:
            return CupProblem.DRAWN
        return CupProblem.STILL_PLAYED if last and not is_over else CupProblem.WRONG_ROUND
    if is_chosen and not choice.reason.strip():
        return CupProblem.NO_REASON
    if start < today:
        return CupProblem.START
    if start > years_later(today, 1):
        return CupProblem.START_FAR
    return None if is_usual or choice.reason.strip() else CupProblem.QUARTER


async def _find_objection(
    conn: AsyncConnection,
    facts: CupFacts,
    people: Collection[int],
    choice: CupRoundRequest,
    days: tuple[date, date],
) -> CupRefusal | None:
    """What stands against a round of these players: its leader in it, an address lacking, a player
    for whom nothing may begin on its first day (§ 6.4.2; who is in the cup was let in, § 6.1).

    Without a reason also results that may still be objected to (§ 6.4.5), and a player about
    whose leaving a case is open (§ 6.2.8). ``days``: today, and the round's first.
    """
    today, start = days
    cup, is_reasoned = facts.row, bool(choice.reason.strip())
    if cup.leader_id in people:
        return CupRefusal(CupProblem.LEADER_PLAYS)
    if not is_reasoned and not await is_final(conn, facts, today):
        return CupRefusal(CupProblem.EARLY)
    strangers = {*people} - facts.people
    barred = await conn.run_sync(
        lambda sync: (
            find_barred(sync, people, CUP_JUDGING, start, plays=False)
            | find_barred(sync, strangers, CUP_JUDGING, start)
        )
    )
    known = await person_rows.by_ids(conn, barred)
    asked_apart = (EntryFault.LEAVING, EntryFault.SECOND_OF_NON_MEMBER)
    out = sorted(one for one, why in barred.items() if why not in asked_apart)
    if out:
        dead = [one for one in out if barred[one] is EntryFault.DEAD]
        who = ", ".join(known[one].name for one in dead or out)
        return CupRefusal(CupProblem.DEAD if dead else CupProblem.BARRED, who=who)
    leavers = () if is_reasoned else await conn.run_sync(case_rows.list_leavers, people)
    if leavers:
        who = ", ".join(f"{one.person} ({one.number})" for one in leavers)
        return CupRefusal(CupProblem.LEAVING, who=who)
    players = (await person_rows.by_ids(conn, people)).values()
    lacking = await without_address(conn, cup.regulation, list(players))
    return CupRefusal(CupProblem.NO_ADDRESSES, who=", ".join(lacking)) if lacking else None


async def _first(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: CupRoundRequest, seed: str
) -> tuple[_Placed, ...] | CupRefusal:
    """The first round from the list: by strength, ties by lot (§ 6.6.1.1, § 6.6.1.2)."""
    word = bool(choice.reason.strip())
    fit = (await fit_to_start(core, conn, facts.entered, word=word))[: choice.take]
    people = await person_rows.by_ids(conn, [row.person_id for row in fit])
    entrants = [
        CupPlayer(str(row.person_id), strength_of(row, people[row.person_id])) for row in fit
    ]
    sizes = group_sizes(len(entrants))
    if sizes is None:
        return CupRefusal(CupProblem.UNCUT, len(entrants))
    # nobody has more than 2 places, or more than there are groups (§ 6.6.1.2)
    names, most = [one.player for one in entrants], min(CUP.most_at_once, len(sizes))
    for name in names:
        if names.count(name) > most:
            return CupRefusal(CupProblem.TOO_MANY_PLACES, who=people[int(name)].name)
    return tuple(
        _Placed(
            Seat(names[one], CupQualification.ENTERED), number, entrants[one].strength, fit[one].id
        )
        for number, group in enumerate(first_groups(entrants, seed))
        for one in group
    )


async def _next(
    core: Core, conn: AsyncConnection, facts: CupFacts, choice: CupRoundRequest, seed: str
) -> tuple[_Placed, ...] | CupRefusal:
    """A later round: who advances, who enters there, who fills up (§ 6.6.1.3-6.6.1.6)."""
    added = await _added_people(conn, choice.added)
    if isinstance(added, CupRefusal):
        return added
    planned = prospect(facts, choice.stage, choice.places)
    without = [str(person) for person in choice.without]
    if not set(without) <= {seat.player for seat in planned.seats}:
        return CupRefusal(CupProblem.NO_PERSON)
    if choice.stage is CupStage.SEMIFINAL:
        seats = semifinal_seats(planned.seats, (), added, without)
        if empty := count_empty_places(len(seats)):
            return CupRefusal(CupProblem.EMPTY, empty)
        try:
            groups = semifinal_groups([seat.player for seat in seats], seed)
        except ValueError:
            return CupRefusal(CupProblem.TOO_MANY_PLACES)
    else:
        seats = final_seats(planned.seats, (), added, without)
        groups = (tuple(range(len(seats))),)
        if not FEWEST <= len(seats) <= MOST:
            return CupRefusal(CupProblem.FINAL_SIZE, len(seats))
    entries = {str(row.person_id): row.id for row in facts.newcomers}
    placed = [
        _Placed(
            seat,
            number,
            entry=entries.get(seat.player) if seat.way is CupQualification.DIRECT else None,
        )
        for number, group in enumerate(groups)
        for seat in (seats[index] for index in group)
    ]
    return (*placed, *(_Placed(seat, None) for seat in planned.seats if seat.player in without))


async def _added_people(conn: AsyncConnection, addresses: Sequence[str]) -> list[str] | CupRefusal:
    """The people behind the addresses, or the first that nobody has."""
    found = []
    for address in addresses:
        person = await person_rows.by_email(conn, address)
        if person is None:
            return CupRefusal(CupProblem.NO_PERSON, who=address)
        found.append(str(person.id))
    return found


async def _find_second_groups(
    core: Core, conn: AsyncConnection, placed: Sequence[_Placed]
) -> CupRefusal | None:
    """The non-members for whom a later round is a second group (§ 6.1); entries were judged.

    Reading: the controller lets them in by drawing the round himself, with a reason.
    """
    found = {}
    for one in placed:
        is_entry = one.seat.way in (CupQualification.ENTERED, CupQualification.DIRECT)
        if one.group is not None and not is_entry:
            known = await knowledge(conn, int(one.seat.player), today_of(core))
            assert known is not None
            if known.history.groups and not known.is_member(known.told):
                found[known.person.id] = known.person.name
    return CupRefusal(CupProblem.NON_MEMBER, who=", ".join(found.values())) if found else None


async def _start_round(
    core: Core,
    conn: AsyncConnection,
    cup: CupRow,
    draw: DrawRow,
    placed: Sequence[_Placed],
    *,
    is_live: bool,
) -> DrawnRound:
    """Start the groups and save the round with how everybody got into it."""
    stage = CupStage(draw.stage)
    started = await _start_groups(core, conn, cup, draw, placed, is_live=is_live)
    known = {one.name: one.group_id for one in await cup_rows.groups_of(conn, cup.id)}
    places = [
        NewPlace(
            cup.id, draw.stage, number, int(one.seat.player), one.seat.way.value,
            None if one.group is None else started[one.group].id,
            known[one.seat.group] if one.seat.group else None, one.seat.place, one.strength,
            one.entry,
        )
        for number, one in enumerate(placed, 1)
    ]  # fmt: skip
    await cup_rows.keep_round(conn, draw, [one.id for one in started], places)
    for place in places:
        if place.entry_id is not None and place.group_id is not None:
            await entry_rows.place_entries(conn, [place.entry_id], place.group_id)
    entered_on = cup.list_id if stage is CupStage.PRELIMINARY else cup.semi_list_id
    if entered_on is not None:  # a new entry would wait for a round that has begun
        await entry_rows.change_list(conn, entered_on, is_open=False)
    return DrawnRound(stage, draw.seed, started)


async def _start_groups(
    core: Core,
    conn: AsyncConnection,
    cup: CupRow,
    draw: DrawRow,
    placed: Sequence[_Placed],
    *,
    is_live: bool,
) -> tuple[StartedGroup, ...]:
    """Start a round's groups with the code of ``kskak group start``.

    Raises GroupFileError or ValidationError if a group can't be made; then roll back everything.
    """
    taken = {row.name for row in await group_rows.everything(conn)}
    people = await person_rows.by_ids(
        conn, sorted({int(one.seat.player) for one in placed} | {cup.leader_id})
    )
    leader = people[cup.leader_id]
    before = [one.group_id for one in await cup_rows.groups_of(conn, cup.id)]
    is_live = is_live or bool(await group_rows.find_public_groups(conn, before))
    count = 1 + max(one.group for one in placed if one.group is not None)
    started = []
    for number in range(count):
        name = _name(cup, CupStage(draw.stage), taken, is_only=count == 1)
        taken.add(name)
        players = [people[int(one.seat.player)] for one in placed if one.group == number]
        file = {
            "tournament": cup.name, "class": "cup", "group": name, "regulation": cup.regulation,
            "start": date.fromisoformat(draw.start), "tl": leader.email, "tl_name": leader.name,
            "players": [{"name": p.name, "email": p.email, "lang": p.lang} for p in players],
            "seed": f"{draw.seed} {name}", "zone": core.settings.clock.zone, "live": is_live,
            "word": draw.reason,
        }  # fmt: skip
        started.append(await start_in(core, conn, GroupFile.model_validate(file)))
    return tuple(started)


def _name(cup: CupRow, stage: CupStage, taken: set[str], *, is_only: bool) -> str:
    """P-26-01 and so on in the first round, P-26-S1 in the semi-final, P-26-F for the final."""
    if stage is CupStage.PRELIMINARY:
        return next_name(cup.prefix, taken)
    mark = f"{cup.prefix}-{_MARK[stage]}"
    if stage is CupStage.FINAL and is_only and mark not in taken:
        return mark
    return next(name for n in range(1, len(taken) + 2) if (name := f"{mark}{n}") not in taken)
