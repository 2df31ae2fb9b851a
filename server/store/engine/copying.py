"""Hot copies of a database: SQLite through its backup API, PostgreSQL with its own tools.

A copy appears under its name only once complete and, for SQLite, checked. Not for when to copy
(migrate.py, desks/database_care.py).
"""

import asyncio
import os
import shutil
import sqlite3
from pathlib import Path

from sqlalchemy.engine import URL

from server.store.engine.errors import StoreError


def check_sqlite(path: Path) -> None:
    """StoreError unless the file is an intact SQLite database, foreign keys included."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
            lost = connection.execute("PRAGMA foreign_key_check").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreError(f"{path} is no sound SQLite database: {error}") from error
    if found != ["ok"]:
        raise StoreError(f"{path} is damaged: {'; '.join(found)}")
    if lost:
        raise StoreError(f"{path}: {len(lost)} rows refer to rows that are not there")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a live database to a new file: a consistent snapshot, checked and flushed to disk.

    The copy is one file with no write-ahead log. StoreError when source or copy is damaged.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    origin = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
    copy = sqlite3.connect(part)
    try:
        origin.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StoreError(f"{source} can't be copied to {target}: {error}") from error
    finally:
        copy.close()
        origin.close()
    check_sqlite(part)
    _flush(part)
    part.replace(target)
    _flush(target.parent)


def find_tool(name: str) -> str | None:
    """The path of one of PostgreSQL's programs, None when it is not installed."""
    return shutil.which(name)


async def run_postgres_tool(name: str, url: URL, *arguments: str) -> None:
    """Run pg_dump or pg_restore against a database. StoreError with its output when it fails.

    The password is passed in the environment: other users can read command lines.
    """
    program = find_tool(name)
    if program is None:
        raise StoreError(f"{name} is not installed (Debian: apt install postgresql-client)")
    environment = dict(os.environ)
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    host = url.host or url.query.get("host")
    places = {"--host": host, "--port": url.port, "--username": url.username}
    given = [f"{key}={value}" for key, value in places.items() if value is not None]
    process = await asyncio.create_subprocess_exec(
        program,
        "--no-password",
        *given,
        f"--dbname={url.database}",
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    if process.returncode != 0:
        raise StoreError(f"{name}: {said.decode(errors='replace').strip()}")


async def dump_postgres(url: URL, target: Path) -> None:
    """Write the database to a file in pg_dump's custom format."""
    part = target.with_name(target.name + ".part")
    await run_postgres_tool("pg_dump", url, "--format=custom", f"--file={part}")
    _flush(part)
    part.replace(target)
