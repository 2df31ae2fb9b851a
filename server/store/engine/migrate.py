"""Migrating a database to this program's tables: once, under a lock, keeping a copy.

Not for what the tables are (tables/base.py) nor for the steps themselves (migrations/).
"""

import asyncio
import hashlib
import logging
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

from server.store.engine.connection import AsyncConnection, StoreError, translate_errors
from server.store.engine.sqlite import (
    APPLICATION_ID,
    UNCHECKED,
    WRITES,
    ConnectionThread,
    engine_of,
    writing,
)
from server.store.engine.sqlite_library import sqlite3
from server.store.engine.store import Store

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

log = logging.getLogger(__name__)


# Hot copies of a database: SQLite through its backup API, PostgreSQL with its own tools.


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
    try:
        origin = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
        with closing(origin), closing(sqlite3.connect(part)) as copy:
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        check_sqlite(part)
        _flush(part)
        part.replace(target)
    except sqlite3.Error as error:
        raise StoreError(f"{source} can't be copied to {target}: {error}") from error
    finally:
        part.unlink(missing_ok=True)
    _flush(target.parent)


def make_folder(folder: Path) -> None:
    """A folder for copies, unless it is there. StoreError where it can't be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"copies can't be kept in {folder} ({error.strerror}): move away what is there, or "
            "name a folder that the server's user may make"
        ) from error


async def run_postgres_tool(name: str, url: URL, *arguments: str) -> None:
    """Run pg_dump or pg_restore against a database. StoreError with its output when it fails.

    The password is passed in the environment: other users can read command lines.
    """
    environment = dict(os.environ)
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    host = url.host or url.query.get("host")
    places = {"--host": host, "--port": url.port, "--username": url.username}
    given = [f"{key}={value}" for key, value in places.items() if value is not None]
    await _run(name, "--no-password", *given, f"--dbname={url.database}", *arguments, **environment)


async def list_dump(file: Path) -> None:
    """Read a dump's list of contents. StoreError when it is no whole dump."""
    await _run("pg_restore", "--list", str(file), **os.environ)


async def _run(name: str, *arguments: str, **environment: str) -> None:
    program = shutil.which(name)
    if program is None:
        raise StoreError(f"{name} is not installed (Debian: apt install postgresql-client)")
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    if process.returncode != 0:
        raise StoreError(said.decode(errors="replace").strip() or f"{name} failed")


async def dump_postgres(url: URL, target: Path) -> None:
    """Write the database to a file in pg_dump's custom format."""
    part = target.with_name(target.name + ".part")
    await run_postgres_tool("pg_dump", url, "--format=custom", f"--file={part}")
    _flush(part)
    part.replace(target)


_DROP_TABLES = """
SET client_min_messages = warning;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE public.%I CASCADE', name);
  END LOOP;
END $$
"""


async def load_dump(url: URL, file: Path, kept: Path, *, keeps: bool) -> None:
    """Put a dump in the place of all tables, those of a newer program too, in one transaction.

    StoreError, and nothing changed, unless it is whole and this program's or an older one's.
    ``keeps``: what it replaces is dumped to ``kept``, in whose folder it is unpacked meanwhile.
    """
    with TemporaryDirectory(prefix="kskak-restore-", dir=kept.parent) as own:
        script = Path(own) / "dump.sql"
        how = ("--clean", "--if-exists", "--no-owner", f"--file={script}")
        await _run("pg_restore", *how, str(file), **os.environ)
        check_known(await asyncio.to_thread(_find_revision, script, file))
        if keeps:
            await dump_postgres(url, kept)
        how = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
        both = f"--command={_DROP_TABLES}", f"--file={script}"
        await run_postgres_tool("psql", url, *how, *both)


def _find_revision(script: Path, file: Path) -> str:
    with script.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(f"COPY public.{_VERSION} "):
                return next(lines).strip()
    raise StoreError(f"{file} is no copy of a kskak database")


# Migrating a database to this program's tables: once, under a lock, keeping a copy.

SCRIPTS = Path(__file__).resolve().parents[3] / "migrations"
_VERSION = "alembic_version"
UNRELEASED = "b6991e9f54ce"
"""The last commit that knew the steps before the first one of today, of no released program."""
_PG_LOCK = 0x6B736B616B
"""The key of PostgreSQL's advisory lock; any constant nobody else uses."""


def alembic_config(connection: Connection | None = None) -> "Config":
    """Alembic's configuration for our scripts on a given connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


@lru_cache(maxsize=1)
def _scripts(folder: Path) -> "ScriptDirectory":
    """The migrations in a folder, cached: reading them takes longer than an idle startup."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(folder))


def head_revision() -> str:
    """The revision this program needs: the highest number that a migration's file begins with."""
    steps = (SCRIPTS / "versions").glob("[0-9]*_*.py")
    head = max((step.name.partition("_")[0] for step in steps), default=None)
    if head is None:
        raise StoreError(f"there are no migrations in {SCRIPTS}")
    return head


def read_revision(connection: Connection) -> str | None:
    """The revision that the last migration noted down; None for an empty database.

    StoreError for tables that are not ours.
    """
    found: str | None = None
    if inspect(connection).has_table(_VERSION):
        found = connection.execute(text(f"SELECT version_num FROM {_VERSION}")).scalar()
    if found is None and set(inspect(connection).get_table_names()) - {_VERSION}:
        raise StoreError("the database has tables of another program: name an empty one")
    return found


def current_revision(connection: Connection) -> str | None:
    """The revision the database has; None for an empty one.

    StoreError for tables that are not ours, and for a database newer than this program.
    """
    current = read_revision(connection)
    if current is not None:
        check_known(current)
    return current


def check_known(current: str) -> None:
    """StoreError for a revision that this program does not know how to go on from."""
    if current == head_revision():
        return
    known = {step.revision for step in _scripts(SCRIPTS).walk_revisions()}
    if current not in known:
        if current < min(known):
            raise StoreError(
                f"the database has revision {current}, from before the first release: run "
                f"`kskak serve` of commit {UNRELEASED} on it once, then this program"
            )
        raise StoreError(
            f"the database is newer (revision {current}) than this program "
            f"(revision {head_revision()}): start the newer program, or restore an older copy"
        )


def refuse_empty(connection: Connection) -> None:
    """StoreError for a database without our tables."""
    if current_revision(connection) is None:
        raise StoreError(
            "the database is empty: `kskak serve` makes its tables, `kskak restore` fills it"
        )


def _missing(current: str | None) -> list[str]:
    """The revisions to run, oldest first."""
    steps = _scripts(SCRIPTS).iterate_revisions(head_revision(), current or "base")
    return [step.revision for step in steps][::-1]


@asynccontextmanager
async def lock_for_migration(store: Store) -> AsyncIterator[AsyncConnection]:
    """The only connection that may change tables; SQLite's foreign keys are off meanwhile."""
    if store.dialect == "postgresql":
        async with store.patient() as patient, patient.write() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PG_LOCK})
            yield connection
        return
    thread = ConnectionThread(engine_of(store.url, UNCHECKED), "store-migration", WRITES)
    try:
        async with store.exclusive():
            with translate_errors():
                async with writing(thread) as connection:
                    yield connection
                    await _check_references(connection)
    finally:
        await thread.close()


async def _check_references(connection: AsyncConnection) -> None:
    lost = (await connection.execute(text("PRAGMA foreign_key_check"))).fetchall()
    if lost:
        raise StoreError(f"migration undone: {len(lost)} rows would refer to nothing")


def free_name(backups: Path, stem: str, suffix: str) -> Path:
    """The first numbered name not yet taken by a file."""
    make_folder(backups)
    number = 1
    while (target := backups / f"{stem}-{number}.{suffix}").exists():
        number += 1
    return target


_HEAD = 64
"""Octets in which two dumps of the same content differ: they say when they were made."""


def _keep_one(target: Path, stem: str) -> Path:
    """A new copy, or one of that stem with the same content, for which it is removed."""
    for earlier in set(target.parent.glob(f"{stem}-*{target.suffix}")) - {target}:
        if _digest(earlier) == _digest(target):
            target.unlink()
            return earlier
    return target


def _digest(copy: Path) -> bytes:
    with copy.open("rb") as file:
        file.seek(_HEAD)
        return hashlib.file_digest(file, "sha256").digest()


async def _keep_copy(store: Store, current: str, backups: Path) -> Path | None:
    """Copy the database before it changes; the copy's file, None where there are no tools.

    One copy a migration: what a try that was killed copied of the same content stands for it.
    """
    stem = f"before-{head_revision()}-{current}"
    target = free_name(backups, stem, "db" if store.dialect == "sqlite" else "dump")
    if store.path is not None:
        await asyncio.to_thread(copy_sqlite, store.path, target)
    elif shutil.which("pg_dump") is None:
        log.warning("pg_dump is not installed: no copy is kept before this migration")
        return None
    else:
        await dump_postgres(store.url, target)
    target = await asyncio.to_thread(_keep_one, target, stem)
    log.info("copy before the migration: %s", target)
    return target


def _upgrade(connection: Connection) -> None:
    from alembic import command

    command.upgrade(alembic_config(connection), "head")
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA application_id={APPLICATION_ID}"))


async def migrate(store: Store, backups: Path | None) -> list[str]:
    """Migrate the database to this program's tables; return the revisions run, oldest first.

    An older database is first copied into ``backups`` (None: no copy). Only one process migrates
    at a time. StoreError, with nothing changed, if it is newer or belongs to another program.
    """
    if await _is_current(store):
        return []
    async with lock_for_migration(store) as connection:
        current = await connection.run_sync(current_revision)
        steps = _missing(current)
        if steps:
            copy = None
            if current is not None and backups is not None:
                copy = await _keep_copy(store, current, backups)
            try:
                await connection.run_sync(_upgrade)
            except BaseException:
                if copy is not None:  # nothing was changed, and each try would leave one
                    await asyncio.to_thread(copy.unlink)
                raise
        return steps


async def _is_current(store: Store) -> bool:
    """Whether there is nothing to do; takes no lock."""
    async with store.read() as connection:
        return await connection.run_sync(read_revision) == head_revision()
