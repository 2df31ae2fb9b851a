"""Another player in one's place in a group that is drawn and not begun (§ 6.1.1, § 6.6.1.3).

«3. i stedet for 4., finalen er ikke begyndt: byt»: one place changes hands, with its number, games
and colours; all others keep theirs, and all are told with the reason. Not for the league, whose
teams have reserves (§ 6.7.4.3), nor for taking a whole start back (cases/case_decisions.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from kskak.cup import CupQualification
from kskak.entries.entry import EntryFault, EntryState, select_refusing_faults
from kskak.regulation.editions import Regulation, Side
from mail.incoming.parse_mail import normal_address
from mail.office_letters.entry_letters import EntryNews
from mail.office_letters.service_letters import StartAnnulled
from server.store import cup as cup_rows
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.cup import NewPlace
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow, SeatRow
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.cases.sanctions import OF_DEEDS, find_barred, read_form
from server.usecases.context import Core, poster_of
from server.usecases.cup.cup_views import CupFacts, facts_in, list_places
from server.usecases.entries.entry_actions import judge_entry_again
from server.usecases.entries.entry_judging import EntryView, view_entries
from server.usecases.games.case_opening import UNDECIDED
from server.usecases.groups.group_file import GroupClass, start_letters
from server.usecases.postal.scans import without
from server.usecases.register.csv_table import fold_name
from server.usecases.rights import NoSuch, NotAllowed, rights_in

NOT_SWAPPED = frozenset({"out", "player", "barred", "address", "reason", "case"})
"""The words of NoSuch that each channel has a text for."""


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """Whose place (the number in the group) goes to whom, and why.

    ``who``: by an address, or a name that only one person has.
    """

    number: int
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """Who may come in, and why: by an open entry, or by a place in a group of the round before."""

    person: PersonRow
    entry: EntryView | None = None
    group: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class SwapChoices:
    """Who may be swapped: who is barred, why, who is proposed, and the cases that stand open."""

    is_past: bool
    barred: dict[int, EntryFault]
    coming: tuple[Substitute, ...]
    cases: tuple[CaseRow, ...]


MOST_PROPOSED = 10


async def list_swaps(
    core: Core, conn: AsyncConnection, group: GroupRow, seats: Sequence[SeatRow]
) -> SwapChoices | None:
    """The choices in a group that nobody has moved in; None in any other."""
    asked = partial(result_rows.is_untouched, despite_cases=True)
    if not await conn.run_sync(asked, group.id):
        return None
    on, ids = date.fromisoformat(group.start), [seat.person_id for seat in seats]
    barred = await conn.run_sync(find_barred, ids, read_form(group.class_), on)
    return SwapChoices(
        on < core.today(group.zone),
        {one: why for one, why in barred.items() if why in OF_DEEDS},
        await list_substitutes(core, conn, group, seats),
        await open_cases(conn, group),
    )


async def list_substitutes(
    core: Core, conn: AsyncConnection, group: GroupRow, seats: Sequence[SeatRow]
) -> tuple[Substitute, ...]:
    """Who is proposed for a place: in a cup the next by the results, then those who wait in order.

    Nobody for whom nothing may begin, nor by an entry that can't become valid (§ 6.4.2).
    """
    is_cup = group.class_ == GroupClass.CUP
    rows = await entry_rows.on_lists(conn, None, list(entry_rows.OPEN_STATES))
    fitting = [row for row in rows if row.wish == group.class_ or (is_cup and row.event == "cup")]
    views = {
        view.row.person_id: view
        for view in await view_entries(conn, core, fitting)
        if not select_refusing_faults(view.faults)
    }
    earned = await _list_next_in_cup(conn, group)
    waiting = sorted(views, key=lambda one: (not views[one].place, views[one].place, one))
    ids = [*dict.fromkeys((*earned, *waiting))]
    form, on = read_form(group.class_), date.fromisoformat(group.start)
    out = {group.tl_id, *(seat.person_id for seat in seats)}
    out |= (await conn.run_sync(find_barred, ids, form, on)).keys()
    people = await person_rows.by_ids(conn, ids)
    return tuple(
        Substitute(people[one], views.get(one), *earned.get(one, ()))
        for one in ids
        if one not in out
    )[:MOST_PROPOSED]


async def _list_next_in_cup(conn: AsyncConnection, group: GroupRow) -> dict[int, tuple[str, int]]:
    """The group and place in the round before of everybody who played it, the best first."""
    facts, at = await _find_round(conn, group) or (None, 0)
    groups = facts.rounds[at - 1].groups if facts is not None and at else ()
    found = [
        (one.place, own.group.name, int(one.player))
        for own in groups
        for one in own.ranked
        if not one.has_left
    ]
    return {person: (name, place) for place, name, person in sorted(found)}


async def _find_round(conn: AsyncConnection, group: GroupRow) -> tuple[CupFacts, int] | None:
    """The cup that a group was drawn in, and the place of its round; None outside a cup."""
    drawn = (await cup_rows.rounds_of(conn, [group.id])).get(group.id)
    row = None if drawn is None else await cup_rows.find(conn, drawn.cup_id)
    if drawn is None or row is None:
        return None
    facts = await facts_in(conn, row)
    return facts, next(n for n, one in enumerate(facts.rounds) if one.stage == drawn.stage)


async def open_cases(conn: AsyncConnection, group: GroupRow) -> tuple[CaseRow, ...]:
    """The undecided cases of a group."""
    return await case_rows.everything(conn, group_id=group.id, state=UNDECIDED)


async def swap_player(core: Core, by: PersonRow, group_id: int, asked: SwapRequest) -> str:
    """Give one place to another; returns who has it now.

    Raises NotAllowed, HasBegun once somebody has moved or the first day is past, and NoSuch with a
    word of NOT_SWAPPED: «case» while one is open that concerns who goes out. The reason is also the
    leader's word for the group's other cases, and for who leaves another group (§ 6.2.8).
    """
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).speaks_for(group_id):
            raise NotAllowed
        group = await group_rows.find(conn, group_id)
        if group is None or group.class_ == GroupClass.LEAGUE:
            raise NoSuch("group")
        if not asked.reason.strip():
            raise NoSuch("reason")
        seats = await group_rows.seats_of(conn, group_id)
        out = next((one for one in seats if one.number == asked.number), None)
        if out is None:
            raise NoSuch("out")
        new = await _find_new(core, conn, group, seats, asked.who)
        is_still = date.fromisoformat(group.start) >= core.today(group.zone)
        if not is_still or not await conn.run_sync(
            partial(result_rows.is_untouched, locks=True, despite_cases=True), group_id
        ):
            raise HasBegun
        if out.person_id in {
            one for case in await open_cases(conn, group) for one in case.standing
        }:
            raise NoSuch("case")
        await _change_place(conn, group, out.person_id, new.id)
        await _tell(core, conn, group, seats, (out, new, asked.reason.strip()))
        await _change_entries(core, conn, group, out.person_id, new.id)
    return new.name


async def _find_new(
    core: Core, conn: AsyncConnection, group: GroupRow, seats: tuple[SeatRow, ...], who: str
) -> PersonRow:
    """Who comes in. Raises NoSuch for whom nothing may begin, and without an address for cards."""
    new = await _find_person(conn, who)
    if new is None or new.id in {group.tl_id, *(seat.person_id for seat in seats)}:
        raise NoSuch("player")
    form, on = read_form(group.class_), date.fromisoformat(group.start)
    barred = await conn.run_sync(find_barred, [new.id], form, on)
    played = await conn.run_sync(group_rows.find_seated, [new.id], [GroupClass.CUP])
    is_known = group.class_ == GroupClass.CUP and bool(played)
    excused = {EntryFault.LEAVING} | ({EntryFault.SECOND_OF_NON_MEMBER} if is_known else set())
    if {*barred.values()} - excused:
        raise NoSuch("barred")
    if group.regulation == Regulation.POSTAL and await without(conn, [new]):
        raise NoSuch("address")
    return new


async def _find_person(conn: AsyncConnection, who: str) -> PersonRow | None:
    """Whoever is meant; None for nobody, and for a name that several have."""
    if (address := normal_address(who)) is not None:
        return await person_rows.by_email(conn, address)
    everybody = await person_rows.everybody(conn)
    named = [one for one in everybody if fold_name(one.name) == fold_name(who)]
    return named[0] if len(named) == 1 else None


async def _change_place(conn: AsyncConnection, group: GroupRow, out: int, new: int) -> None:
    """Seat, games and, in a cup, how the place was got, by the results as they are."""
    rows = await game_rows.list_group_games(conn, group.id)
    ids = [row.id for row in rows]
    await conn.run_sync(division_rows.change_player, ids, out, new)
    await conn.run_sync(division_rows.swap_seats, group.id, {out: new})
    found = await _find_round(conn, group)
    if found is None:
        return
    facts, at = found
    earned = list_places(facts, facts.rounds[at - 1].stage) if at else set()
    groups = {one.group.name: one.group.group_id for part in facts.rounds for one in part.groups}
    places = facts.rounds[at].places + facts.rounds[at].declined
    old = next(one for one in places if (one.person_id, one.group_id) == (out, group.id))
    own = next((one for one in earned if one.person == new), None)
    way = CupQualification.ADDED if own is None else CupQualification.PLACED
    source = None if own is None else groups[own.club]
    place = None if own is None else own.place
    come = NewPlace(
        facts.row.id, old.stage, old.number, new, way.value, group.id, source, place, None, None
    )  # fmt: skip
    kept = any(one.person == out and groups[one.club] == old.from_group_id for one in earned)
    last = max(one.number for one in places)
    await conn.run_sync(cup_rows.swap_place, come, last + 1 if kept else None)


async def _change_entries(
    core: Core, conn: AsyncConnection, group: GroupRow, out: int, new: int
) -> None:
    """The entry of who comes in is placed; that of who goes out is judged anew on its list."""
    for row in await entry_rows.entries_of(conn, new):
        if row.is_open and row.wish == group.class_:
            await entry_rows.place_entries(conn, [row.id], group.id)
            break
    for row in await entry_rows.entries_of(conn, out):
        if row.group == group.name:
            state = EntryState.WAITING.value
            await entry_rows.change_entry(conn, row.id, state=state, group_id=None)
            of = await entry_rows.the_list(conn, row.list_id, lock=True)
            await judge_entry_again(core, conn, of, row.id, EntryNews.WAITS)


async def _tell(
    core: Core,
    conn: AsyncConnection,
    group: GroupRow,
    seats: tuple[SeatRow, ...],
    news: tuple[SeatRow, PersonRow, str],
) -> None:
    """Tell both and the others; the players get the start letter anew, with the new one in it."""
    out, new, reason = news
    poster, unique = poster_of(core), f"{group.name}.{core.now_us}.{new.id}"
    params: dict[str, object] = {"group": group.name, "tl": group.tl_id, "reason": reason}
    params |= {"out": out.name, "new": new.name}
    stay = [new.id, *(seat.person_id for seat in seats if seat is not out)]
    told = dict.fromkeys((out.person_id, *stay, group.tl_id))
    letters = [poster.to_person(StartAnnulled, one, unique, params) for one in told]
    rows = await game_rows.list_group_games(conn, group.id)
    own = [row for row in rows if row.person_of(row.state().to_move or Side.WHITE) == new.id]
    letters += start_letters(core, group.name, stay, own)
    await outbox_rows.enqueue(conn, letters)
