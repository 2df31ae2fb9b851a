"""Small values the database itself must remember, such as the server's secret.

Not for the operator's settings (server/settings).
"""

from functools import cache

from sqlalchemy import Insert, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import insert_of, quiet_insert
from server.store.tables.base import settings

SECRET = "secret"  # noqa: S105  (the name of a value)


async def get(conn: AsyncConnection, name: str) -> str | None:
    """A value, None when there is none."""
    query = select(settings.c.value).where(settings.c.name == name)
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else str(value)


async def put(conn: AsyncConnection, name: str, value: str) -> None:
    """Store a value, replacing any earlier one."""
    await conn.execute(_put(conn.dialect.name), {"name": name, "value": value})


@cache
def _put(dialect: str) -> Insert:
    new = insert_of(dialect, settings)
    return new.on_conflict_do_update(index_elements=["name"], set_={"value": new.excluded.value})


async def ensure(conn: AsyncConnection, name: str, value: str) -> str:
    """Store a value unless there is one; return what is stored. Of two at once the first wins."""
    await conn.execute(quiet_insert(conn.dialect.name, settings).values(name=name, value=value))
    kept = await get(conn, name)
    assert kept is not None
    return kept


async def server_secret(conn: AsyncConnection, fresh: str) -> str:
    """The server's secret; ``fresh`` (random, from the caller) becomes it when there was none."""
    return await ensure(conn, SECRET, fresh)
