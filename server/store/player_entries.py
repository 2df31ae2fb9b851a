"""Stored tournament entries, and what people decided about them (§ 6.4.4).

Not for what an entry lacks (kskak.entries.entry) nor for who may change it (usecases).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, one_of, rows_of, values_of
from server.store.tables.all_tables import seal
from server.store.tables.base import groups, people
from server.store.tables.tournaments import entries, entry_lists, entry_rulings, past_results

# Waiting lists: which tournament class is open, and who leads it (§ 6.1.1, § 6.5.1.1).


@dataclass(frozen=True, slots=True)
class NewList:
    """A list to open. ``fee`` in øre, None: not stated."""

    name: str
    event: str
    wish: str
    tournament: str
    regulation: str
    prefix: str
    leader_id: int
    fee: int | None
    is_open: bool
    opened_by: int
    created_us: int
    how_to_pay: str


@dataclass(frozen=True, slots=True)
class ListRow(NewList):
    """A stored list."""

    id: int


_SELECT = select(*columns_of(ListRow, entry_lists))


async def add_list(conn: AsyncConnection, new: NewList) -> int:
    """Open a list and return its id. StoreConflict when the name is taken."""
    query = insert(entry_lists).values(values_of(new)).returning(entry_lists.c.id)
    return int((await conn.execute(query)).scalar_one())


async def find_list(conn: AsyncConnection, list_id: int) -> ListRow | None:
    """One list."""
    return one_of(ListRow, await conn.execute(_SELECT.where(entry_lists.c.id == list_id)))


async def lock(conn: AsyncConnection, list_id: int) -> ListRow | None:
    """One list, locked until the transaction ends: its entries are changed by one at a time."""
    query = _SELECT.where(entry_lists.c.id == list_id).with_for_update()
    return one_of(ListRow, await conn.execute(query))


async def everything(
    conn: AsyncConnection, *, only_open: bool = False, ids: Collection[int] | None = None
) -> tuple[ListRow, ...]:
    """All lists in the order they were opened; ``ids`` None: no restriction."""
    query = _SELECT.order_by(entry_lists.c.id)
    if ids is not None:
        query = query.where(entry_lists.c.id.in_(ids))
    if only_open:
        query = query.where(entry_lists.c.is_open)
    return rows_of(ListRow, await conn.execute(query))


async def change_list(
    conn: AsyncConnection,
    list_id: int,
    *,
    is_open: bool | None = None,
    leader: int | None = None,
    how_to_pay: str | None = None,
) -> None:
    """Open or close a list, give it another leader, or state how its fee is paid."""
    values: dict[str, object] = {} if how_to_pay is None else {"how_to_pay": how_to_pay}
    if is_open is not None:
        values["is_open"] = is_open
    if leader is not None:
        values["leader_id"] = leader
    if values:
        query = update(entry_lists).where(entry_lists.c.id == list_id)
        await conn.execute(query.values(values))


async def correct(
    conn: AsyncConnection, list_id: int, name: str, tournament: str, fee: int | None
) -> None:
    """Give a list another name, tournament and fee. StoreConflict when the name is taken."""
    query = update(entry_lists).where(entry_lists.c.id == list_id)
    await conn.execute(query.values(name=name, tournament=tournament, fee=fee))


async def counts(conn: AsyncConnection, state: str) -> dict[int, int]:
    """How many entries in a given state are on each list."""
    query = (
        select(entries.c.list_id, func.count())
        .where(entries.c.state == state)
        .group_by(entries.c.list_id)
    )
    return {row[0]: int(row[1]) for row in await conn.execute(query)}


# Stored tournament entries, and what people decided about them (§ 6.4.4).

OPEN_STATES = ("waiting", "valid")
"""States of an entry that may still become a place."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to store; days are ISO text."""

    list_id: int
    person_id: int
    form_key: str | None
    entered_day: str
    entered_by: int
    created_us: int
    member: str | None
    club: str | None
    born: str | None
    otb_rating: int | None
    k_rating: int | None
    proof: str
    asks: bool
    fee_day: str | None
    fee_by: int | None
    fee_us: int | None
    state: str
    since_day: str | None


@dataclass(frozen=True, slots=True)
class EntryRow(NewEntry):
    """A stored entry, with the names shown in every list."""

    id: int
    proof_by: int | None
    proof_us: int | None
    paragraph: str | None
    reason: str | None
    decided_by: int | None
    decided_us: int | None
    group_id: int | None
    player: str
    list_name: str
    event: str
    wish: str
    group: str | None


@dataclass(frozen=True, slots=True)
class NewEntryRuling:
    """A discretionary ruling by a person (§ 6.5.3.2 e or § 6.5.2.2 f), with its reason."""

    entry_id: int
    paragraph: str
    office: str
    by_id: int
    reason: str
    at_us: int


@dataclass(frozen=True, slots=True)
class EntryRuling:
    """A stored ruling, with the name of the person who decided."""

    paragraph: str
    office: str
    by_id: int
    reason: str
    at_us: int
    name: str


_SELECT_OF_PLAYERS: Select[*tuple[Any, ...]] = (
    select(
        *columns_of(
            EntryRow,
            entries,
            player=people.c.name,
            list_name=entry_lists.c.name,
            event=entry_lists.c.event,
            wish=entry_lists.c.wish,
            group=groups.c.name,
        )
    )
    .join(people, people.c.id == entries.c.person_id)
    .join(entry_lists, entry_lists.c.id == entries.c.list_id)
    .outerjoin(groups, groups.c.id == entries.c.group_id)
)
_RULING = [entry_rulings.c[name] for name in ("paragraph", "office", "by_id", "reason", "at_us")]


async def add_entry(conn: AsyncConnection, new: NewEntry) -> int:
    """Store an entry and return its id."""
    query = insert(entries).values(values_of(new)).returning(entries.c.id)
    entry_id = int((await conn.execute(query)).scalar_one())
    if new.fee_day is not None:
        await seal(conn, entries, [entry_id], new.created_us)
    return entry_id


async def find_entry(conn: AsyncConnection, entry_id: int) -> EntryRow | None:
    """One entry."""
    return one_of(EntryRow, await conn.execute(_SELECT_OF_PLAYERS.where(entries.c.id == entry_id)))


async def by_form(conn: AsyncConnection, person_id: int, key: str) -> EntryRow | None:
    """The entry already made by the same form."""
    query = _SELECT_OF_PLAYERS.where(entries.c.person_id == person_id, entries.c.form_key == key)
    return one_of(EntryRow, await conn.execute(query))


async def entries_of(conn: AsyncConnection, person_id: int) -> tuple[EntryRow, ...]:
    """All entries of a person, newest first."""
    query = _SELECT_OF_PLAYERS.where(entries.c.person_id == person_id).order_by(entries.c.id.desc())
    return rows_of(EntryRow, await conn.execute(query))


async def on_lists(
    conn: AsyncConnection, lists: Collection[int] | None, states: Sequence[str]
) -> tuple[EntryRow, ...]:
    """The entries in some states on some lists (None: all), in waiting-list order."""
    query = _SELECT_OF_PLAYERS.where(entries.c.state.in_(states))
    if lists is not None:
        query = query.where(entries.c.list_id.in_(lists))
    query = query.order_by(entries.c.list_id, entries.c.since_day, entries.c.id)
    return rows_of(EntryRow, await conn.execute(query))


async def change_entry(conn: AsyncConnection, entry_id: int, values: Mapping[str, object]) -> None:
    """Update columns of an entry."""
    await conn.execute(update(entries).where(entries.c.id == entry_id).values(dict(values)))
    if isinstance(received_us := values.get("fee_us"), int):
        await seal(conn, entries, [entry_id], received_us)


async def place(conn: AsyncConnection, ids: Sequence[int], group_id: int) -> None:
    """Record that entries have become places in a group."""
    query = update(entries).where(entries.c.id.in_(list(ids)))
    await conn.execute(query.values(state="placed", group_id=group_id))


def return_entries_to_list(conn: Connection, group_id: int) -> None:
    """Put the entries of a group whose start is undone back on their list as before."""
    query = update(entries).where(entries.c.group_id == group_id)
    conn.execute(query.values(state="valid", group_id=None))


async def rule(conn: AsyncConnection, new: NewEntryRuling) -> None:
    """Store what a person decided about an entry."""
    await conn.execute(insert(entry_rulings).values(values_of(new)))


async def rulings_of(
    conn: AsyncConnection, ids: Sequence[int]
) -> dict[int, tuple[EntryRuling, ...]]:
    """What people decided about entries, by entry, oldest first."""
    found: dict[int, tuple[EntryRuling, ...]] = {}
    query = (
        select(entry_rulings.c.entry_id, *_RULING, people.c.name)
        .join(people, people.c.id == entry_rulings.c.by_id)
        .where(entry_rulings.c.entry_id.in_(list(ids)))
        .order_by(entry_rulings.c.id)
    )
    for entry_id, *rest in await conn.execute(query):
        found[entry_id] = (*found.get(entry_id, ()), EntryRuling(*rest))
    return found


# Results from before the server or from elsewhere, entered by officials with their source.


@dataclass(frozen=True, slots=True)
class NewPastResult:
    """A result to store; ``finished`` is an ISO day, None while still being played elsewhere."""

    person_id: int
    event: str
    wish: str
    name: str
    finished: str | None
    halves: int
    games: int
    unfinished: int
    place: int | None
    entries: int
    semi_held: bool
    source: str
    entered_by: int | None
    at_us: int


@dataclass(frozen=True, slots=True)
class PastResultRow(NewPastResult):
    """A stored result. ``halves`` are half points; ``entries``: entries to a cup's first round."""

    id: int


_SELECT_PAST_RESULTS = select(*columns_of(PastResultRow, past_results))


async def add_past_result(conn: AsyncConnection, new: NewPastResult) -> int:
    """Store a result and return its id."""
    query = insert(past_results).values(values_of(new)).returning(past_results.c.id)
    return int((await conn.execute(query)).scalar_one())


async def past_results_of(conn: AsyncConnection, person_id: int) -> tuple[PastResultRow, ...]:
    """A player's valid results, in the order they were entered."""
    query = _SELECT_PAST_RESULTS.where(
        past_results.c.person_id == person_id, past_results.c.removed_us.is_(None)
    ).order_by("id")
    return rows_of(PastResultRow, await conn.execute(query))


async def remove(conn: AsyncConnection, result_id: int, by: int, now_us: int) -> bool:
    """Remove a result; False when there is none or it is already removed."""
    query = update(past_results).where(
        past_results.c.id == result_id, past_results.c.removed_us.is_(None)
    )
    done = await conn.execute(query.values(removed_by=by, removed_us=now_us))
    return done.rowcount == 1
