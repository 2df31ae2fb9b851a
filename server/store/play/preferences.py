"""People's preferences, as names and values. Removed with their contact data.

Not for what a name or a value means, nor for the defaults (usecases/core/preferences.py).
"""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, delete, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.tables.player import preferences

Pairs = tuple[tuple[str, str], ...]
"""Names with their values, as stored."""

_OF = select(preferences.c.person_id, preferences.c.name, preferences.c.value)


def of_people(conn: Connection, ids: Collection[int]) -> dict[int, Pairs]:
    """Each of these people's preferences, in one query; nobody is missing."""
    found: dict[int, list[tuple[str, str]]] = {person_id: [] for person_id in ids}
    for row in conn.execute(_OF.where(preferences.c.person_id.in_(list(ids)))):
        found[row[0]].append((row[1], row[2]))
    return {person_id: tuple(pairs) for person_id, pairs in found.items()}


def of(conn: Connection, person_id: int) -> Pairs:
    """One person's preferences."""
    query = _OF.where(preferences.c.person_id == person_id)
    return tuple((row[1], row[2]) for row in conn.execute(query))


async def keep(conn: AsyncConnection, person_id: int, chosen: Mapping[str, str]) -> None:
    """Store preferences, replacing those of the same names; others stay as they are."""
    mine = preferences.c.person_id == person_id
    await conn.execute(delete(preferences).where(mine, preferences.c.name.in_(list(chosen))))
    rows = [{"person_id": person_id, "name": n, "value": v} for n, v in chosen.items()]
    if rows:
        await conn.execute(insert(preferences), rows)


async def forget(conn: AsyncConnection, ids: Iterable[int]) -> None:
    """Reset these people to the defaults."""
    await conn.execute(delete(preferences).where(preferences.c.person_id.in_(list(ids))))
