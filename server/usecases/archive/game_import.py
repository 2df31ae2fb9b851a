"""Imports games into the archive: a batch per transaction, leaving games already there alone.

Games are the same when their moves, players and day agree, however they are spelled
(kskak.archive.past_game). A ledger adds its account to a game imported without one. Not for
reading files (below).
"""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

import chess

from kskak.archive.past_game import (
    GAME_TAG,
    UNKNOWN_DAY,
    PastGame,
    PastGameIdentity,
    PastPlayer,
    index,
    pack_moves,
    to_signed_key,
)
from kskak.archive.pgn_reading import (
    LONGEST_NAME,
    PgnFault,
    PgnOffset,
    PgnText,
    UnusablePgn,
    read_game,
)
from kskak.board import positions
from kskak.board.positions import Opening, Position
from kskak.ledger.ledger_files import ParsedLedger, read_ledger
from kskak.regulation.editions import Result, Side
from kskak.statement.account import account
from server.machine import reach_crash_point
from server.store import groups as group_rows
from server.store.archive import index as archive_index
from server.store.archive import writing as archive_rows
from server.store.archive.index import GameIndexEntry, IndexableGame
from server.store.archive.reading import PastRow
from server.store.archive.writing import ImportRow, KnownGame, NewArchiveGame, Spelled
from server.store.engine.connection import AsyncConnection
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables import base as base_tables
from server.usecases.archive.table_import import (
    ArchiveImportNote,
    ArchiveImportOutcome,
    ArchiveImportReport,
    FileReport,
    Watch,
)
from server.usecases.context import Core
from server.usecases.play.game_views import end_day, openings
from server.usecases.register.csv_table import ImportProblem, normalize_line

# Reads games: about 900 a second are played through.

_OWN = re.compile(rb"\[" + GAME_TAG.encode() + rb' "([^"\\\r\n]{1,200})"\]')


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game in a file, or the problem that says why it was not read; and what becomes of it.

    ``own``: the game's name on this server, if it is one of its games. ``file``: of a game that
    came as a ledger, in a file of its own; ``ledger``: that as JSON. ``there``: the archive's id
    of the same game, 0 if none.
    """

    number: int
    line: int
    game: PastGame | None
    problem: ImportProblem | None = None
    own: str = ""
    file: str = ""
    ledger: str | None = None
    fate: ArchiveImportOutcome = ArchiveImportOutcome.REFUSED
    there: int = 0

    def source(self, file: FileReport) -> str:
        """Where it was read: the file, and of a file with several its number."""
        return self.file or f"{file.name}, {self.number}"


def _read(text: PgnText, latest: str) -> ReadGame:
    own = _OWN.search(text.raw)
    named = own[1].decode(errors="replace") if own else ""
    if text.is_cut:
        problem = ImportProblem(PgnFault.TOO_LARGE.value, value=str(len(text.raw) // 1024))
        return ReadGame(text.number, text.line, None, problem, named)
    try:
        game = read_game(text.raw, latest)
    except UnusablePgn as why:
        problem = ImportProblem(why.fault.value, value=why.value, hint=why.hint)
        return ReadGame(text.number, text.line, None, problem, named)
    return ReadGame(text.number, text.line, game, None, named)


def _read_some(texts: list[PgnText], latest: str) -> list[ReadGame]:
    return [_read(text, latest) for text in texts]


async def read_all(
    batches: Iterable[list[PgnText]], latest: str
) -> AsyncIterator[tuple[tuple[ReadGame, ...], PgnOffset]]:
    """The games of each batch in a thread, and where in the file the next batch begins."""
    for texts in batches:
        yield tuple(await asyncio.to_thread(_read_some, texts, latest)), texts[-1].after


# Imports games into the archive: a batch per transaction, leaving games already there alone.


class Taker:
    """Imports the games of one run. In a dry run it remembers what it would have saved."""

    def __init__(self, core: Core, report: ArchiveImportReport, watch: Watch) -> None:
        self._core, self._report, self._watch = core, report, watch
        self._remembered: dict[bytes, list[KnownGame]] = defaultdict(list)
        self.players: set[Spelled] = set()

    async def take(
        self, file: FileReport, row: ImportRow, games: Sequence[ReadGame], after: PgnOffset
    ) -> ImportRow:
        """Save a batch of a PGN file and the progress through the file, together or not at all."""
        if self._report.dry_run:
            await self.take_ledgers(file, games)
            return row
        async with self._core.store.write() as conn:
            judged = await self._kept(conn, file, games)
            fates = [one.fate for one in judged]
            known = (ArchiveImportOutcome.KNOWN, ArchiveImportOutcome.COMPLETED)
            row = replace(
                row,
                games=after.games,
                lines=after.lines,
                bytes=after.bytes,
                added=row.added + fates.count(ArchiveImportOutcome.ADDED),
                known=row.known + sum(map(fates.count, known)),
                refused=row.refused + fates.count(ArchiveImportOutcome.REFUSED),
            )
            await archive_rows.keep_import(conn, row)
            reach_crash_point("import-before-commit")
        reach_crash_point("import-after-commit")
        self._tell(file, judged)
        return row

    async def take_ledgers(self, file: FileReport, found: Sequence[ReadGame]) -> None:
        """Import some ledgers, each a file of its own, counted together."""
        if self._report.dry_run:
            judged = await self._core.store.query(self._judged, file, found)
        else:
            judged = await self._core.store.change(self._kept, file, found)
        self._tell(file, judged)

    async def _judged(
        self, conn: AsyncConnection, file: FileReport, listed: Sequence[ReadGame]
    ) -> list[ReadGame]:
        """What becomes of each."""
        games = [one.game for one in listed if one.game is not None]
        known: dict[bytes, list[KnownGame]] = defaultdict(list)
        for there in await archive_rows.list_games_with_digest(
            conn, [game.digest for game in games]
        ):
            known[there.digest].append(there)
        own = await archive_rows.own_names(conn, [one.own for one in listed if one.own])
        return [
            replace(
                one, fate=ArchiveImportOutcome.KNOWN, problem=ImportProblem("own", value=one.own)
            )
            if one.game is not None and one.own in own
            else self._judge(one, one.source(file), known)
            for one in listed
        ]

    def _judge(self, read: ReadGame, source: str, known: dict[bytes, list[KnownGame]]) -> ReadGame:
        if read.game is None:
            return read
        game, seen, digest = read.game, PastGameIdentity.of(read.game), read.game.digest
        alike = (*known[digest], *self._remembered.get(digest, ()))
        same = next((one for one in alike if one.seen.is_same(seen)), None)
        if same is not None:
            return _judge_known_game(read, game, same)
        now = KnownGame(0, digest, seen, game.result.value, read.ledger is not None, source)
        known[digest].append(now)
        if self._report.dry_run:
            self._remembered[digest].append(now)
            self.players |= {seen.white, seen.black}
        return replace(read, fate=ArchiveImportOutcome.ADDED)

    async def _kept(
        self, conn: AsyncConnection, file: FileReport, found: Sequence[ReadGame]
    ) -> list[ReadGame]:
        """The same, with what is new written."""
        await archive_rows.hold(conn)
        judged = await self._judged(conn, file, found)
        new = [
            NewArchiveGame(one.game, one.source(file), one.ledger)
            for one in judged
            if one.fate is ArchiveImportOutcome.ADDED and one.game is not None
        ]
        await archive_rows.add_games(conn, new)
        for one in judged:
            is_completed = one.fate is ArchiveImportOutcome.COMPLETED
            if is_completed and one.there and one.ledger is not None:
                await archive_rows.add_ledger(conn, one.there, one.ledger)
        return judged

    def _tell(self, file: FileReport, judged: list[ReadGame]) -> None:
        for one in judged:
            file.counts[one.fate] += 1
            if one.problem is not None:
                name = one.file or file.name
                self._watch.note(
                    ArchiveImportNote(name, one.number, one.line, one.fate, one.problem)
                )


def _judge_known_game(read: ReadGame, game: PastGame, there: KnownGame) -> ReadGame:
    """A game already there: another result is noted; with the same one, a ledger may be added."""
    if read.ledger is not None and not there.has_ledger and there.result == game.result.value:
        return replace(read, fate=ArchiveImportOutcome.COMPLETED, there=there.id)
    names = f"{game.white.name} – {game.black.name}"
    problem = ImportProblem("known", value=names, hint=there.source)
    if there.result != game.result.value:
        problem = ImportProblem(
            "other_result", value=f"{names} {game.result.value}", hint=there.result
        )
    return replace(read, fate=ArchiveImportOutcome.KNOWN, problem=problem, there=there.id)


# A finished game's ledger (kskak-ledger/1) as an archive game with its full account.


def read_file(path: Path, today: date) -> ReadGame:
    """The game in a file, or what is wrong with it."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        document = json.loads(text)
        ledger = read_ledger(document)
        game = _game(ledger, today)
    except OSError as error:
        return _reject_file(path, ImportProblem("unreadable", value=error.strerror or ""))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        return _reject_file(path, ImportProblem("not_json", value=str(error)[:120]))
    except ValueError as error:
        return _reject_file(path, ImportProblem("ledger", value=str(error)[:200]))
    if isinstance(game, ImportProblem):
        return _reject_file(path, game)
    kept = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return ReadGame(1, 1, game, None, ledger.terms.game, path.name, kept)


def _reject_file(path: Path, problem: ImportProblem) -> ReadGame:
    return ReadGame(1, 1, None, problem, file=path.name)


def _game(ledger: ParsedLedger, today: date) -> PastGame | ImportProblem:
    """The game in a ledger, or why not. Raises ValueError when its entries don't fit together."""
    terms = ledger.terms
    told = account(terms, ledger.events)
    result = told.state.result
    if result is None:
        return ImportProblem(PgnFault.RUNNING.value)
    if terms.start > today:
        return ImportProblem(PgnFault.DAY.value, value=terms.start.isoformat())
    white, black, name = (normalize_line(text) for text in (terms.white, terms.black, terms.game))
    long = next((text for text in (white, black, name) if len(text) > LONGEST_NAME), None)
    if long is not None:
        return ImportProblem(PgnFault.LONG.value, value=f"{long[:20]}…", hint=str(LONGEST_NAME))
    empty = next((s for s, text in (("White", white), ("Black", black)) if not text), None)
    if empty is not None:
        return ImportProblem(PgnFault.PLAYER.value, value=empty)
    start = Position.start(terms.fen).board
    return PastGame(
        event=name.rpartition("/")[0] or name,
        day=terms.start.isoformat(),
        white=PastPlayer(white),
        black=PastPlayer(black),
        result=result,
        moves=pack_moves(row.move for row in told.rows),
        fen=None if start.fen() == chess.STARTING_FEN else positions.fen(start),
    )


# What an archive game can be found by, from its moves and the server's table of openings.


def entry_of(game: IndexableGame) -> GameIndexEntry:
    """The game with its positions and opening; always the same for the same table of openings."""
    keys, opening = index(openings(), game.fen, game.moves)
    if opening is None:
        return GameIndexEntry(game, keys, "", None)
    return GameIndexEntry(game, keys, opening.code, keys_of()[opening])


@cache
def keys_of() -> dict[Opening, int]:
    """Each named position's key; one of them where several share a name and code."""
    return {opening: to_signed_key(key) for key, opening in openings().by_key.items()}


@cache
def by_number() -> dict[int, Opening]:
    """The openings by the number the database keeps for them."""
    return {number: opening for opening, number in keys_of().items()}


def find_stored_opening(row: PastRow) -> Opening | None:
    """A game's opening by its moves; None when it has none or is not indexed yet."""
    return None if row.opening is None else by_number().get(row.opening)


# Adds this server's finished games to the archive's search, as copies of their public part.

BATCH = 25
"""Games in one transaction."""


async def follow(core: Core) -> bool:
    """Copy some finished games, remove those no longer finished; True if there may be more."""
    async with core.store.read() as conn:
        wanted = await archive_rows.to_copy(conn, BATCH)
        gone = await archive_rows.to_remove(conn, BATCH)
        copies = [
            one for own in wanted if (one := await _copy_finished_game(conn, own)) is not None
        ]
    if not (copies or gone):
        return False
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        kept = await archive_index.own_copies(conn, [*gone, *(row.id for row, _ in copies)])
        if kept:
            await archive_index.take_out(conn, [entry_of(game) for game in kept])
        for row, game in copies:
            people = {
                archive_rows.own_number(person): person for person in (row.white_id, row.black_id)
            }
            await archive_rows.add_copy(conn, row.id, row.seq, game, people)
    return len(wanted) == BATCH or len(gone) == BATCH


async def rename(core: Core) -> None:
    """Apply changed names to the copies; once a day is enough."""
    names = await core.store.query(archive_rows.list_renamed_players)
    for at in range(0, len(names), BATCH):
        await core.store.change(archive_rows.rename, names[at : at + BATCH])


async def _copy_finished_game(
    conn: AsyncConnection, own_id: int
) -> tuple[GameRow, PastGame] | None:
    """The game as it is now, and its copy; None when it is not finished."""
    row = await game_rows.load(conn, own_id)
    if row is None or row.result is None:
        return None
    group = await group_rows.find(conn, row.group_id)
    history = await game_rows.history(conn, own_id)
    told = account(row.terms, game_rows.read_events(history))
    ended = end_day(row)
    game = PastGame(
        event="" if group is None else group.tournament[:LONGEST_NAME],
        day=row.start,
        white=_player(row, Side.WHITE),
        black=_player(row, Side.BLACK),
        result=Result(row.result),
        moves=pack_moves(one.move for one in told.rows),
        round=str(row.round),
        fen=row.fen,
        end=UNKNOWN_DAY if ended is None else ended.isoformat(),
    )
    return row, game


def _player(row: GameRow, side: Side) -> PastPlayer:
    name = row.white if side is Side.WHITE else row.black
    return PastPlayer(name[:LONGEST_NAME], archive_rows.own_number(row.person_of(side)))


# Brings the archive's index up to date: imported games, and finished games of this server.

OPENINGS = "archive-openings"
"""The setting that says which openings table the index was made with."""
AT_ONCE = 250
"""Games per transaction in the command, which runs alone."""
INDEX_BATCH = 25
"""The same beside a working server: about 20 ms."""
CLEARED_AT_ONCE = 5000
"""Games marked per transaction: about 50 ms."""
PAUSE_S = 0.05


async def index_some_games(core: Core, most: int = INDEX_BATCH) -> int:
    """Index some games; returns how many."""
    async with core.store.read() as conn:
        if not await archive_index.unread(conn, 1):
            return 0
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        found = await archive_index.unread(conn, most)
        await archive_index.add_to_index(conn, [entry_of(game) for game in found])
    return len(found)


async def clear_outdated(core: Core) -> bool:
    """Clear some of an index made with another table of openings; True if there may be more.

    A portion at a time: one statement for all would take minutes, and a database that falls silent
    could not be told from one that works.
    """
    async with core.store.read() as conn:
        if await base_tables.get(conn, OPENINGS) == openings().version:
            return False
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        if await archive_index.forget_codes(conn, CLEARED_AT_ONCE):
            return True
        await archive_index.clear(conn)
        await base_tables.put_value(conn, OPENINGS, openings().version)
    return False


async def everything(core: Core, step: Callable[[int, int], None]) -> int:
    """Index everything, own games too; ``step`` is called with the number done and the total."""
    while await clear_outdated(core):
        pass
    while await follow(core):
        pass
    done = 0
    while count := await index_some_games(core, AT_ONCE):
        left = await core.store.query(archive_index.unread_count)
        done += count
        step(done, done + left)
    return done


async def keep_up(core: Core) -> bool:
    """Do a little of all, for the server's poller; True if there may be more."""
    if await clear_outdated(core):
        return True
    more = await follow(core)
    more = bool(await index_some_games(core)) or more
    await asyncio.sleep(PAUSE_S if more else 0)
    return more
