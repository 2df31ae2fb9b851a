"""An operator's care of the database: back it up, restore it, verify it.

Not for migrating its tables (store/engine/migrate.py).
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from sqlalchemy import func, inspect, select, text

from kskak.ledger.stored_events import UnreadEntry
from kskak.play.evolve import replay
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseEventRow, CaseRow
from server.store.engine import copying
from server.store.engine.chain import BrokenChain, Link, case_genesis
from server.store.engine.chain import verify as verify_chain
from server.store.engine.chain import verify_case as verify_case_chain
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreError
from server.store.engine.migrate import current_revision, head_revision, migrate
from server.store.engine.sqlite import path_of
from server.store.engine.sqlite_direct import bare
from server.store.engine.store import Store, parse_url
from server.store.play import games
from server.store.play.games import EventRow, GameRow, events_of, standing
from server.store.tables.base import games as games_table
from server.usecases.core.case_record import head_of, state_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not sound. ``game`` None: the database itself; a case as «case number»."""

    game: str | None
    seq: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Report:
    """What was verified: how many games and events, and what is not sound."""

    games: int
    events: int
    findings: tuple[Finding, ...]
    cases: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether everything is sound."""
        return not self.findings


async def backup(store: Store, path: Path) -> None:
    """A hot copy to a new file, checked. StoreError when it can't be made or the file exists.

    SQLite gives one database file, PostgreSQL a dump in pg_dump's custom format.
    """
    if await asyncio.to_thread(path.exists):
        raise StoreError(f"{path} is there already: name a new file")
    if not await asyncio.to_thread(path.parent.is_dir):
        raise StoreError(f"there is no folder {path.parent}")
    if store.path is not None:
        await asyncio.to_thread(copying.copy_sqlite, store.path, path)
    else:
        await copying.dump_postgres(store.url, path)


async def restore(file: Path, url: str, *, force: bool = False) -> None:
    """Restore a copy as the database of ``url``; a SQLite copy is fully verified first.

    StoreError, and nothing changed, for a bad copy, or for a database that has games unless
    ``force``. No server may be running on it. An overwritten SQLite file is kept beside it.
    """
    target = parse_url(url)
    if not await asyncio.to_thread(file.is_file):
        raise StoreError(f"there is no file {file}")
    if target.get_backend_name() == "sqlite":
        await _restore_file(file, url, path_of(target), force)
        return
    await _refuse_games(url, None, force)
    await copying.run_postgres_tool(
        "pg_restore",
        target,
        "--clean",
        "--if-exists",
        "--single-transaction",
        "--no-owner",
        str(file),
    )


async def _restore_file(file: Path, url: str, path: Path, force: bool) -> None:
    await asyncio.to_thread(copying.check_sqlite, file)
    await _refuse_games(url, path, force)
    fresh = path.with_name(path.name + ".restored")
    try:
        await asyncio.to_thread(copying.copy_sqlite, file, fresh)
        await _prove(fresh, file)
        await asyncio.to_thread(_switch, fresh, path)
    finally:
        await asyncio.to_thread(_remove, fresh)


async def _prove(fresh: Path, file: Path) -> None:
    """StoreError unless the copy ``fresh`` of ``file`` is sound in every respect.

    One that an earlier program made is brought to this program's tables first.
    """
    store = await Store.open(f"sqlite+aiosqlite:///{fresh}")
    try:
        async with store.read() as connection:
            if await connection.run_sync(current_revision) is None:
                raise StoreError(f"{file} is empty: it is no copy of a kskak database")
        await migrate(store, None)
        report = await verify(store)
    finally:
        await store.close()
    if report.findings:
        first = report.findings[0]
        raise StoreError(f"{file} does not hold: {first.game or 'database'}: {first.what}")


async def _refuse_games(url: str, path: Path | None, force: bool) -> None:
    """StoreError when the database to be overwritten has games, unless ``force``."""
    if force or (path is not None and not await asyncio.to_thread(path.exists)):
        return
    store = await Store.open(url)
    try:
        async with store.read() as connection:
            count = await _games_in(connection)
    finally:
        await store.close()
    if count:
        where = store.url.render_as_string(hide_password=True)
        raise StoreError(f"{where} has {count} games: nothing is overwritten without --force")


async def _games_in(connection: AsyncConnection) -> int:
    if not await connection.run_sync(lambda c: inspect(bare(c)).has_table(games_table.name)):
        return 0
    return int(
        (await connection.execute(select(func.count()).select_from(games_table))).scalar_one()
    )


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _switch(fresh: Path, path: Path) -> None:
    """Put the copy in place; what was there is kept as ``….before-restore``."""
    if path.exists():
        copying.copy_sqlite(path, path.with_name(path.name + ".before-restore"))
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    fresh.replace(path)


async def verify(store: Store) -> Report:
    """Verify every hash chain of games and cases, every snapshot, and the SQLite file itself.

    StoreError for a database with another program's tables, or with an earlier one's.
    """
    findings: list[Finding] = []
    count = events = 0
    async with store.read() as connection:
        current, wanted = await connection.run_sync(current_revision), head_revision()
        if current != wanted:
            stands = "is empty" if current is None else f"has revision {current}, not {wanted}"
            raise StoreError(f"the database {stands}: `kskak serve` brings it up when it starts")
        if store.dialect == "sqlite":
            findings += await _verify_file(connection)
        async for row in games.all_rows(connection):
            history = await games.history(connection, row.id)
            count += 1
            events += len(history)
            findings += verify_game(row, history)
        of_cases = await case_rows.everything(connection)
        for case in of_cases:
            kept = await case_rows.events_of(connection, case.id)
            events += len(kept)
            findings += verify_case(case, kept)
    return Report(count, events, tuple(findings), len(of_cases))


async def _verify_file(connection: AsyncConnection) -> list[Finding]:
    whole = (await connection.execute(text("PRAGMA integrity_check(20)"))).scalars().all()
    found = [Finding(None, None, str(line)) for line in whole if line != "ok"]
    for table, row_id, parent, _ in await connection.execute(text("PRAGMA foreign_key_check")):
        found.append(Finding(None, None, f"{table} {row_id} refers to no row of {parent}"))
    return found


def verify_game(row: GameRow, history: Sequence[EventRow]) -> list[Finding]:
    """What is not sound in one game: chain, replay, the columns that repeat the state."""
    links = [Link(e.seq, e.at_us, e.body, bytes(e.hash)) for e in history]
    try:
        verify_chain(row.id, row.terms, links, row.seq, bytes(row.head))
        state = replay(row.terms, events_of(history))
    except BrokenChain as broken:
        return [Finding(row.name, broken.seq, str(broken))]
    except UnreadEntry as unread:
        return [Finding(row.name, unread.seq, f"can't be read: {history[unread.seq - 1].body}")]
    except ValueError as error:
        return [Finding(row.name, None, f"its events can't be replayed: {error}")]
    return [
        Finding(row.name, row.seq, f"its {name} is not what the events give")
        for name, value in standing(state, row.white_id, row.black_id).items()
        if getattr(row, name) != value and not (name == "snapshot" and _reads_as(row, value))
    ]


def _reads_as(row: GameRow, snapshot: object) -> bool:
    """Whether a snapshot that an earlier program wrote otherwise says the same."""
    try:
        return standing(row.state(), row.white_id, row.black_id)["snapshot"] == snapshot
    except (ValueError, TypeError, LookupError, AttributeError):
        return False


def verify_case(row: CaseRow, events: Sequence[CaseEventRow]) -> list[Finding]:
    """What is not sound in one case: chain, replay, the columns that repeat the state."""
    links = [Link(e.seq, e.at_us, e.body, bytes(e.hash)) for e in events]
    first, name = case_genesis(row.id, row.number, row.kind), f"case {row.number}"
    try:
        verify_case_chain(row.id, first, links, row.seq, bytes(row.head))
        state = state_of(events)
    except BrokenChain as broken:
        return [Finding(name, broken.seq, str(broken))]
    except ValueError as error:
        return [Finding(name, None, f"its events can't be replayed: {error}")]
    closed_us = row.closed_us or 0
    expected = head_of(state, row.zone, closed_us, closed_us)
    return [
        Finding(name, row.seq, f"its {field.name} is not what the events give")
        for field in fields(expected)
        if getattr(row, field.name) != getattr(expected, field.name)
    ]
