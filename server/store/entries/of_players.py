"""Stored tournament entries, and what people decided about them (§ 6.4.4).

Not for what an entry lacks (kskak.entries.entry) nor for who may change it (usecases).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import values_of
from server.store.tables.base import groups, people
from server.store.tables.entries import entries, entry_lists, entry_rulings
from server.store.tables.seals import seal

OPEN_STATES = ("waiting", "valid")
"""States of an entry that may still become a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
class EntryRow:
    """A stored entry, with the names shown in every list."""

    id: int
    list_id: int
    person_id: int
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
    proof_by: int | None
    proof_us: int | None
    state: str
    since_day: str | None
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


_OWN = [field.name for field in fields(EntryRow)][:25]
"""The first columns of ``EntryRow`` are the table's own."""


def _select() -> Select[*tuple[Any, ...]]:
    own: list[ColumnElement[Any]] = [entries.c[name] for name in _OWN]
    named = [people.c.name, entry_lists.c.name, entry_lists.c.event, entry_lists.c.wish]
    return (
        select(*own, *named, groups.c.name)
        .join(people, people.c.id == entries.c.person_id)
        .join(entry_lists, entry_lists.c.id == entries.c.list_id)
        .outerjoin(groups, groups.c.id == entries.c.group_id)
    )


_SELECT = _select()
_RULING = [entry_rulings.c[name] for name in ("paragraph", "office", "by_id", "reason", "at_us")]


async def add(conn: AsyncConnection, new: NewEntry) -> int:
    """Store an entry and return its id."""
    query = insert(entries).values(values_of(new)).returning(entries.c.id)
    entry_id = int((await conn.execute(query)).scalar_one())
    if new.fee_day is not None:
        await seal(conn, entries, [entry_id], new.created_us)
    return entry_id


async def find(conn: AsyncConnection, entry_id: int) -> EntryRow | None:
    """One entry."""
    row = (await conn.execute(_SELECT.where(entries.c.id == entry_id))).one_or_none()
    return None if row is None else EntryRow(*row)


async def by_form(conn: AsyncConnection, person_id: int, key: str) -> EntryRow | None:
    """The entry already made by the same form."""
    query = _SELECT.where(entries.c.person_id == person_id, entries.c.form_key == key)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else EntryRow(*row)


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[EntryRow, ...]:
    """All entries of a person, newest first."""
    query = _SELECT.where(entries.c.person_id == person_id).order_by(entries.c.id.desc())
    return tuple(EntryRow(*row) for row in await conn.execute(query))


async def on_lists(
    conn: AsyncConnection, lists: Collection[int] | None, states: Sequence[str]
) -> tuple[EntryRow, ...]:
    """The entries in some states on some lists (None: all), in waiting-list order."""
    query = _SELECT.where(entries.c.state.in_(states))
    if lists is not None:
        query = query.where(entries.c.list_id.in_(lists))
    query = query.order_by(entries.c.list_id, entries.c.since_day, entries.c.id)
    return tuple(EntryRow(*row) for row in await conn.execute(query))


async def change(conn: AsyncConnection, entry_id: int, values: Mapping[str, object]) -> None:
    """Update columns of an entry."""
    await conn.execute(update(entries).where(entries.c.id == entry_id).values(dict(values)))
    if isinstance(received_us := values.get("fee_us"), int):
        await seal(conn, entries, [entry_id], received_us)


async def place(conn: AsyncConnection, ids: Sequence[int], group_id: int) -> None:
    """Record that entries have become places in a group."""
    query = update(entries).where(entries.c.id.in_(list(ids)))
    await conn.execute(query.values(state="placed", group_id=group_id))


def give_back(conn: Connection, group_id: int) -> None:
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
