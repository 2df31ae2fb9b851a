"""Copies a whole database into an empty one of the other kind, SQLite or PostgreSQL, and proves it.

A copy that was stopped goes on where it was: the target carries a mark until it is whole, and no
server starts on it before. Not for backups, which stay of their kind (database_care.py).
"""

from collections.abc import Callable
from functools import partial

from sqlalchemy import Integer, Table, delete, func, insert, select, text, tuple_

from server.store.engine.connection import AsyncConnection, StoreError
from server.store.engine.migrate import current_revision, head_revision, migrate
from server.store.engine.store import Store
from server.store.tables import base as base_tables
from server.store.tables.all_tables import seals  # noqa: F401 - all tables are known with it
from server.store.tables.base import COPIED_FROM, metadata, processes, settings
from server.usecases.desks.database_care import DatabaseReport, verify

AT_ONCE = 1000
"""Rows in one transaction: what a stop in between costs."""
Progress = Callable[[str, int, int], None]
"""Told a table, how many of its rows are there, and how many there will be."""


async def copy_database(source: Store, target: Store, progress: Progress) -> DatabaseReport:
    """Copy every row, then verify the target. No server may work on either.

    StoreError when the source is of another revision, the target holds something else, or what
    was copied is not what was read; run again, it goes on with what is missing.
    """
    async with source.read() as conn:
        revision = await conn.run_sync(current_revision)
    if revision != head_revision():
        raise StoreError("the database to copy is older than this program: start its server once")
    await migrate(target, None)
    await _mark(target, source.url.render_as_string(hide_password=True))
    counts: dict[str, int] = {}
    for table in [one for one in metadata.sorted_tables if one not in (processes, settings)]:
        counts[table.name] = await _copy_table(source, target, table, progress)
    await _prove_counts(target, counts)
    await _replace_settings(source, target)
    report = await verify(target, partial(progress, "proved games"))
    if not report.is_sound:
        await target.change(base_tables.put_value, COPIED_FROM, "not sound")
    return report


async def _mark(target: Store, name: str) -> None:
    """Mark an empty target. StoreError for one that is neither empty nor a copy of the same."""
    async with target.write() as conn:
        mark = await base_tables.get(conn, COPIED_FROM)
        if mark is None:
            for table in metadata.sorted_tables:
                if table not in (processes, settings) and await _count(conn, table):
                    raise StoreError(f"the target has {table.name} already: name an empty one")
            await base_tables.put_value(conn, COPIED_FROM, name)
        elif mark != name:
            raise StoreError(f"the target has part of a copy of {mark}: name an empty one")


async def _count(conn: AsyncConnection, table: Table) -> int:
    return int((await conn.execute(select(func.count()).select_from(table))).scalar_one())


async def _copy_table(source: Store, target: Store, table: Table, progress: Progress) -> int:
    """Copy what the target lacks, in the order of the key; how many rows the source has."""
    total, done = await source.query(_count, table), await target.query(_count, table)
    keys = list(table.primary_key)
    if done and not all(isinstance(key.type, Integer) for key in keys):
        await target.change(_clear, table)  # texts are ordered otherwise there: small tables
        done = 0
    last = await target.query(_last_key, table) if done else None
    while True:
        query = select(table).order_by(*keys).limit(AT_ONCE)
        if last is not None:
            query = query.where(tuple_(*keys) > last)
        async with source.read() as conn:
            rows = [dict(row) for row in (await conn.execute(query)).mappings()]
        if not rows:
            break
        async with target.write() as conn:
            await conn.execute(insert(table), rows)
        last = tuple(rows[-1][key.name] for key in keys)
        done += len(rows)
        progress(table.name, done, total)
    await _continue_numbers(source, target, table)
    return total


async def _clear(conn: AsyncConnection, table: Table) -> None:
    await conn.execute(delete(table))


async def _last_key(conn: AsyncConnection, table: Table) -> tuple[int, ...]:
    keys = list(table.primary_key)
    query = select(*keys).order_by(*(key.desc() for key in keys)).limit(1)
    return tuple((await conn.execute(query)).one())


async def _newest_number(conn: AsyncConnection, table: Table, column: str) -> int:
    """The highest id that a table ever gave, also to a row that is gone; 0 before the first."""
    if conn.dialect.name == "postgresql":
        sequence = await _sequence(conn, table, column)
        used = text(f"SELECT last_value FROM {sequence}")
    elif "sqlite_autoincrement" in table.dialect_kwargs:
        used = text("SELECT seq FROM sqlite_sequence WHERE name = :name").bindparams(
            name=table.name
        )
    else:
        return 0  # SQLite gives the number after the highest that is there
    return int((await conn.execute(used)).scalar() or 0)


async def _sequence(conn: AsyncConnection, table: Table, column: str) -> str:
    named = {"table": table.name, "column": column}
    found = text("SELECT pg_get_serial_sequence(:table, :column)")
    return str((await conn.execute(found, named)).scalar_one())


async def _continue_numbers(source: Store, target: Store, table: Table) -> None:
    """The target goes on counting ids where the source would."""
    counted = table.autoincrement_column
    if counted is None:
        return
    newest = await source.query(_newest_number, table, counted.name)
    async with target.write() as conn:
        there = (await conn.execute(select(func.max(counted)))).scalar()
        if there is None:
            return
        facts = {"n": max(newest, int(there)), "name": table.name}
        if conn.dialect.name == "postgresql":
            facts["name"] = await _sequence(conn, table, counted.name)
            await conn.execute(text("SELECT setval(:name, :n)"), facts)
        elif "sqlite_autoincrement" in table.dialect_kwargs:
            await conn.execute(
                text("UPDATE sqlite_sequence SET seq = :n WHERE name = :name"), facts
            )


async def _prove_counts(target: Store, counts: dict[str, int]) -> None:
    for table in metadata.sorted_tables:
        wanted = counts.get(table.name)
        found = await target.query(_count, table)
        if wanted is not None and found != wanted:
            raise StoreError(f"{table.name}: {found} rows came of {wanted}: something wrote to it")


async def _replace_settings(source: Store, target: Store) -> None:
    """The source's own values in the mark's place: the copy is whole."""
    async with source.read() as conn:
        rows = [dict(row) for row in (await conn.execute(select(settings))).mappings()]
    async with target.write() as conn:
        await conn.execute(delete(settings))
        if rows:
            await conn.execute(insert(settings), rows)
