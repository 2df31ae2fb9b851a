"""Waiting lists: which tournament class is open, and who leads it (§ 6.1.1, § 6.5.1.1).

Not for the entries on them (of_players.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.entries import entries, entry_lists


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
    how_to_pay: str = ""


@dataclass(frozen=True, slots=True)
class ListRow:
    """A stored list."""

    id: int
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


_SELECT = select(*columns_of(ListRow, entry_lists))


async def add(conn: AsyncConnection, new: NewList) -> int:
    """Open a list and return its id. StoreConflict when the name is taken."""
    query = insert(entry_lists).values(values_of(new)).returning(entry_lists.c.id)
    return int((await conn.execute(query)).scalar_one())


async def find(conn: AsyncConnection, list_id: int) -> ListRow | None:
    """One list."""
    query = _SELECT.where(entry_lists.c.id == list_id)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else ListRow(*row)


async def lock(conn: AsyncConnection, list_id: int) -> ListRow | None:
    """One list, locked until the transaction ends: its entries are changed by one at a time."""
    query = _SELECT.where(entry_lists.c.id == list_id).with_for_update()
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else ListRow(*row)


async def by_name(conn: AsyncConnection, name: str) -> ListRow | None:
    """One list by its name."""
    row = (await conn.execute(_SELECT.where(entry_lists.c.name == name))).one_or_none()
    return None if row is None else ListRow(*row)


async def everything(
    conn: AsyncConnection, *, only_open: bool = False, ids: Collection[int] | None = None
) -> tuple[ListRow, ...]:
    """All lists in the order they were opened; ``ids`` None: no restriction."""
    query = _SELECT.order_by(entry_lists.c.id)
    if ids is not None:
        query = query.where(entry_lists.c.id.in_(ids))
    if only_open:
        query = query.where(entry_lists.c.is_open)
    return tuple(ListRow(*row) for row in await conn.execute(query))


async def change(
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
