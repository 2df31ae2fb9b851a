"""Alembic's entry point: runs on a connection passed by the server, or on a URL of its own.

From the command line: ``alembic -c migrations/alembic.ini -x url=sqlite:///a.db …``.
"""

import asyncio

from alembic import context
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.engine.sqlite_library import sqlite3
from server.store.tables.all_tables import seals  # all are imported there


def run(connection: Connection) -> None:
    """Run the scripts in one transaction, on SQLite too."""
    context.configure(
        connection=connection,
        target_metadata=seals.metadata,
        render_as_batch=True,
        transactional_ddl=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def run_on_file(url: URL) -> None:
    """Open a SQLite file, run, commit."""
    engine = create_engine(url.set(drivername="sqlite"), module=sqlite3)
    event.listen(engine, "connect", lambda c, _: setattr(c, "isolation_level", None))
    event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.begin() as connection:
        run(connection)
    engine.dispose()


async def run_on_server(url: URL) -> None:
    """Open PostgreSQL, run, commit."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


passed = context.config.attributes.get("connection")
if passed is not None:
    run(passed)
else:
    arguments = context.get_x_argument(as_dictionary=True)
    given = arguments.get("url") or context.config.get_main_option("sqlalchemy.url")
    if not given:
        raise SystemExit("say which database: alembic -c migrations/alembic.ini -x url=… …")
    address = make_url(given)
    if address.get_backend_name() == "sqlite":
        run_on_file(address)
    else:
        asyncio.run(run_on_server(address))
