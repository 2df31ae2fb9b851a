"""Views for before and after an entry: open classes with reasons, lists, desks.

§ 6.4.4, § 6.5.3.2. Read-only. Not for HTML or JSON.
"""

from collections.abc import Collection
from dataclasses import dataclass

from kskak.entries.emt import EmtClass
from kskak.entries.entry import EntryFault, EntryState, EntryWait
from kskak.entries.rights import ClassEligibility
from kskak.regulation.editions import EMT
from server.store import player_entries as entry_rows
from server.store import team_entries as team_rows
from server.store.engine.connection import AsyncConnection
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import OPEN_STATES, EntryRow, EntryRuling, ListRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_judging import EMT as EMT_KIND
from server.usecases.entries.entry_judging import (
    EntryJudgement,
    Knowledge,
    Participation,
    judge_stored_entry,
    knowledge,
)
from server.usecases.rights import NoSuch, Rights, may_handle, rights_in


@dataclass(frozen=True, slots=True)
class ListView:
    """A list with its numbers; ``wanted`` valid entries start a group, 0: the leader does."""

    row: ListRow
    leader: PersonRow
    valid: int
    waiting: int
    wanted: int


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with what it waits for; ``place`` its number among the valid ones, 0: none."""

    row: EntryRow
    judged: EntryJudgement | None
    rulings: tuple[EntryRuling, ...]
    place: int
    valid: int
    wanted: int

    @property
    def faults(self) -> tuple[EntryFault, ...]:
        """What it lacks."""
        return () if self.judged is None else self.judged.faults

    @property
    def waits(self) -> tuple[EntryWait, ...]:
        """What it waits for."""
        return () if self.judged is None else self.judged.waits


def wanted_on(event: str, wish: str) -> int:
    """How many valid entries start a group automatically (§ 6.5.1.1); 0: a person starts it."""
    return EMT.group if event == EMT_KIND and wish != EmtClass.DM else 0


async def classes_view(core: Core, viewer: PersonRow, person_id: int) -> Knowledge:
    """Which classes are open, and what that rests on (§ 6.5.3.2).

    For the player, or an official looking at any player. Raises NoSuch for anybody else.
    """
    async with core.store.read() as conn:
        if person_id != viewer.id:
            held = await rights_in(conn, viewer, core.now_us)
            if not (held.is_kc or held.is_leader or held.is_admin):
                raise NoSuch("person")
        known = await knowledge(conn, person_id, today_of(core))
    if known is None:
        raise NoSuch("person")
    return known


async def lists_view(
    core: Core, *, only_open: bool = True, ids: Collection[int] | None = None
) -> tuple[ListView, ...]:
    """The lists with their numbers."""
    return await core.store.query(_lists, only_open, ids)


async def _lists(
    conn: AsyncConnection, only_open: bool, ids: Collection[int] | None
) -> tuple[ListView, ...]:
    rows = await entry_rows.everything(conn, only_open=only_open, ids=ids)
    valid = await entry_rows.counts(conn, EntryState.VALID.value)
    waiting = await entry_rows.counts(conn, EntryState.WAITING.value)
    leaders = await person_rows.by_ids(conn, {row.leader_id for row in rows})
    return tuple(
        ListView(
            row,
            leaders[row.leader_id],
            valid.get(row.id, 0),
            waiting.get(row.id, 0),
            wanted_on(row.event, row.wish),
        )
        for row in rows
    )


async def entries_of(core: Core, person_id: int) -> tuple[EntryView, ...]:
    """A player's own entries, the newest first."""
    async with core.store.read() as conn:
        rows = await entry_rows.entries_of(conn, person_id)
        return await _viewed(conn, core, rows)


async def _viewed(
    conn: AsyncConnection, core: Core, rows: Collection[EntryRow]
) -> tuple[EntryView, ...]:
    rulings = await entry_rows.rulings_of(conn, [row.id for row in rows])
    lists = {row.list_id for row in rows}
    valid = await entry_rows.on_lists(conn, lists, [EntryState.VALID.value])
    today, found = today_of(core), []
    for row in rows:
        is_open = row.state == EntryState.WAITING
        judged = await judge_stored_entry(conn, row, today, rulings) if is_open else None
        order = [one.id for one in valid if one.list_id == row.list_id]
        place = order.index(row.id) + 1 if row.id in order else 0
        wanted = wanted_on(row.event, row.wish)
        told = rulings.get(row.id, ())
        found.append(EntryView(row, judged, told, place, len(order), wanted))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class EntryDesk:
    """An official's lists, and their waiting and valid entries (§ 6.4.4.1)."""

    lists: tuple[ListView, ...]
    waiting: tuple[EntryView, ...]
    valid: tuple[EntryView, ...]


def _mine(held: Rights) -> frozenset[int] | None:
    return None if held.is_kc or held.is_admin or held.leads_all else held.lists


async def waiting_count(core: Core, held: Rights) -> int:
    """How many entries wait on a person's lists, players' and teams', as shown on the desk."""
    mine = _mine(held)
    counts = await core.store.query(team_rows.waiting_counts)
    return sum(n for list_id, n in counts.items() if mine is None or list_id in mine)


async def entry_desk(core: Core, held: Rights) -> EntryDesk:
    """The leader's own lists; the controller and the administrator see all (§ 6.1.2)."""
    mine = _mine(held)
    async with core.store.read() as conn:
        lists = await _lists(conn, False, mine)
        rows = await entry_rows.on_lists(conn, mine, list(OPEN_STATES))
        views = await _viewed(conn, core, rows)
    waiting = tuple(one for one in views if one.row.state == EntryState.WAITING)
    return EntryDesk(lists, waiting, tuple(one for one in views if one not in waiting))


@dataclass(frozen=True, slots=True)
class EntryPage:
    """One entry for an official, with the player's classes; ``may_act``: the viewer decides."""

    view: EntryView
    of: ListRow
    person: PersonRow
    answer: ClassEligibility | None
    record: tuple[Participation, ...]
    may_act: bool
    names: dict[int, str]


async def entry_page(core: Core, viewer: PersonRow, entry_id: int) -> EntryPage:
    """An entry of a list that the viewer leads or oversees. Raises NoSuch for anybody else."""
    async with core.store.read() as conn:
        row = await entry_rows.find_entry(conn, entry_id)
        held = await rights_in(conn, viewer, core.now_us)
        of = None if row is None else await entry_rows.find_list(conn, row.list_id)
        if row is None or of is None or not (may_handle(held, of.id) or held.is_admin):
            raise NoSuch("entry")
        known = await knowledge(conn, row.person_id, today_of(core))
        assert known is not None
        (view,) = await _viewed(conn, core, [row])
        judged = await judge_stored_entry(conn, row, today_of(core))
        ids = [row.entered_by, row.fee_by, row.proof_by, row.decided_by]
        people = await person_rows.by_ids(conn, [one for one in ids if one is not None])
    return EntryPage(
        view=view,
        of=of,
        person=known.person,
        answer=judged.answer,
        record=known.record,
        may_act=may_handle(held, of.id) and row.person_id != viewer.id,
        names={one.id: one.name for one in people.values()},
    )
