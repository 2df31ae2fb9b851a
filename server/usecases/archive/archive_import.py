"""An import of past tournaments from start to end: games, tables, ledgers; linking; the index.

A batch of games is one transaction that also records the progress through the file: if killed, the
next run resumes there, and a finished file is not read again. Games are the same when their moves,
players and day agree, however they are spelled (kskak.archive.past_game). A ledger adds its account
to a game imported without one. Not for rights: the command is the operator's.
"""

import asyncio
import codecs
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import TextIOWrapper
from pathlib import Path

import chess

from kskak.archive.past_game import GAME_TAG, PastGame, PastGameIdentity, PastPlayer, pack_moves
from kskak.archive.pgn_reading import (
    LONGEST_NAME,
    MOST_BYTES,
    PgnFault,
    PgnOffset,
    PgnText,
    UnusablePgn,
    read_game,
    split,
)
from kskak.board.positions import Position
from kskak.ledger.ledger_files import JsonObject, ParsedLedger, read_ledger
from kskak.statement.account import account
from mail.text.catalogue import Words
from server.machine import reach_crash_point
from server.store.archive import writing as archive_rows
from server.store.archive.writing import ImportRow, KnownGame, NewArchiveGame, Spelled
from server.store.engine.connection import AsyncConnection
from server.usecases.archive import archive_views
from server.usecases.archive.table_import import (
    MOST_STORED_PROBLEMS,
    ArchiveImportNote,
    ArchiveImportOutcome,
    ArchiveImportProgress,
    ArchiveImportReport,
    BadPath,
    FileReport,
    ImportFileKind,
    TableTaker,
    Unclear,
    Watch,
    link_all,
    read_table,
)
from server.usecases.context import Core
from server.usecases.register import register_desk
from server.usecases.register.csv_table import MOST_BYTES as MOST_OF_A_TABLE
from server.usecases.register.csv_table import CsvLine, ImportProblem, normalize_line

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
    outcome: ArchiveImportOutcome = ArchiveImportOutcome.REFUSED
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
            outcomes = [one.outcome for one in judged]
            known = (ArchiveImportOutcome.KNOWN, ArchiveImportOutcome.COMPLETED)
            row = replace(
                row,
                games=after.games,
                lines=after.lines,
                bytes=after.bytes,
                added=row.added + outcomes.count(ArchiveImportOutcome.ADDED),
                known=row.known + sum(map(outcomes.count, known)),
                refused=row.refused + outcomes.count(ArchiveImportOutcome.REFUSED),
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
                one, outcome=ArchiveImportOutcome.KNOWN, problem=ImportProblem("own", value=one.own)
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
        return replace(read, outcome=ArchiveImportOutcome.ADDED)

    async def _kept(
        self, conn: AsyncConnection, file: FileReport, found: Sequence[ReadGame]
    ) -> list[ReadGame]:
        """The same, with what is new written."""
        await archive_rows.hold(conn)
        judged = await self._judged(conn, file, found)
        new = [
            NewArchiveGame(one.game, one.source(file), one.ledger)
            for one in judged
            if one.outcome is ArchiveImportOutcome.ADDED and one.game is not None
        ]
        await archive_rows.add_games(conn, new)
        for one in judged:
            is_completed = one.outcome is ArchiveImportOutcome.COMPLETED
            if is_completed and one.there and one.ledger is not None:
                await archive_rows.add_ledger(conn, one.there, one.ledger)
        return judged

    def _tell(self, file: FileReport, judged: list[ReadGame]) -> None:
        for one in judged:
            file.counts[one.outcome] += 1
            if one.problem is not None:
                name = one.file or file.name
                self._watch.note(
                    ArchiveImportNote(name, one.number, one.line, one.outcome, one.problem)
                )


def _judge_known_game(read: ReadGame, game: PastGame, there: KnownGame) -> ReadGame:
    """A game already there: another result is noted; with the same one, a ledger may be added."""
    if read.ledger is not None and not there.has_ledger and there.result == game.result.value:
        return replace(read, outcome=ArchiveImportOutcome.COMPLETED, there=there.id)
    names = f"{game.white.name} – {game.black.name}"
    problem = ImportProblem("known", value=names, hint=there.source)
    if there.result != game.result.value:
        problem = ImportProblem(
            "other_result", value=f"{names} {game.result.value}", hint=there.result
        )
    return replace(read, outcome=ArchiveImportOutcome.KNOWN, problem=problem, there=there.id)


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
    played = account(terms, ledger.events)
    result = played.state.result
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
        moves=pack_moves(row.move for row in played.rows),
        fen=None if start.fen() == chess.STARTING_FEN else start.fen(),
    )


# The files to import, from paths and folders: each a PGN, ledger or table by its extension.

_HEAD = 64 * 1024
_PGN = re.compile(rb'\[\s*\w+\s+"')
_CHUNK = 1024 * 1024
_MOST = {ImportFileKind.LEDGER: 4 * 1024 * 1024, ImportFileKind.TABLE: MOST_OF_A_TABLE}
"""Most bytes in a file that is read whole."""


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file to read."""

    path: Path
    kind: ImportFileKind
    size: int

    @property
    def name(self) -> str:
        """What it is called in reports."""
        return self.path.name


def sources(paths: Iterable[Path]) -> tuple[ImportFile, ...]:
    """The files at these paths, a folder's sorted by name; tables first. Raises BadPath."""
    found: dict[Path, ImportFile] = {}
    for path in paths:
        if path.is_dir():
            inside = [one for one in sorted(path.rglob("*")) if _kind(one) and one.is_file()]
            if not inside:
                raise BadPath(path, ImportProblem("no_files"))
            found |= {one.resolve(): _source(one) for one in inside}
        else:
            found[path.resolve()] = _source(path)
    order = (ImportFileKind.TABLE, ImportFileKind.LEDGER, ImportFileKind.PGN)
    return tuple(sorted(found.values(), key=lambda one: order.index(one.kind)))


_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _kind(path: Path) -> ImportFileKind | None:
    ending = path.suffix.lower().lstrip(".")
    return ImportFileKind(ending) if ending in set(ImportFileKind) else None


def _source(path: Path) -> ImportFile:
    kind = _kind(path)
    if kind is None:
        raise BadPath(path, ImportProblem("ending"))
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise BadPath(path, ImportProblem("unreadable", value=error.strerror or "")) from error
    if size > _MOST.get(kind, size):
        raise BadPath(path, ImportProblem("large", value=str(_MOST[kind] // 1024**2)))
    if head.startswith(_UTF_16):
        head = head.decode("utf-16", errors="replace").encode()
    if kind is ImportFileKind.PGN and not _PGN.search(head):
        raise BadPath(path, ImportProblem("no_pgn"))
    return ImportFile(path, kind, size)


def digest_of(path: Path) -> bytes:
    """SHA-256 of a file, read in pieces."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            made.update(piece)
    return made.digest()


def read_game_batches(path: Path, start: PgnOffset, most: int) -> Iterator[list[PgnText]]:
    """A PGN file's games from ``start`` on, ``most`` at a time; only one batch is in memory."""
    batch: list[PgnText] = []
    for text in split(_read_lines(path, start.bytes), start):
        batch.append(text)
        if len(batch) == most:
            yield batch
            batch = []
    if batch:
        yield batch


def _read_lines(path: Path, after: int) -> Iterator[bytes]:
    """A file's lines from an octet on; one in UTF-16 («Unicode» in Windows) is told in UTF-8."""
    with path.open("rb", buffering=_CHUNK) as file:
        if file.read(2) not in _UTF_16:
            file.seek(after)
            yield from iter(lambda: file.readline(MOST_BYTES), b"")
            return
        file.seek(0)
        with TextIOWrapper(file, "utf-16", errors="replace", newline="") as text:
            for line in iter(lambda: text.readline(MOST_BYTES).encode(), b""):
                after -= len(line)
                if after < 0:
                    yield line


# An import's report in words: for the command line, as text and as data.


def write_problem(problem: ImportProblem, words: Words) -> str:
    """What is wrong, where, and what to write instead."""
    key = f"history.slip.{problem.code}"
    if problem.hint and f"{key}_near" in words:
        key = f"{key}_near"
    if key in words:
        said = words(key, value=problem.value, hint=problem.hint)
    else:
        said = register_desk.write_problem(
            ImportProblem(problem.code, "", problem.value, problem.hint), words
        )
    return f"{words(f'history.column.{problem.field}')}: {said}" if problem.field else said


def note_text(note: ArchiveImportNote, words: Words) -> str:
    """«old.pgn, parti 12 (linje 180): Trækket 2. Ke3 …»."""
    places = {"file": note.file, "line": note.line, "game": note.game}
    where = words("history.line" if note.game is None else "history.game", **places)
    return f"{where}: {write_problem(note.problem, words)}"


def unclear_text(one: Unclear, words: Words) -> str:
    """«A. Jensen (4711): …»."""
    number = f" ({one.number})" if one.number else ""
    return words(
        "history.unclear", name=one.name, number=number, said=write_problem(one.problem, words)
    )


def file_text(file: FileReport, words: Words) -> str:
    """A file's counts."""
    counts = {outcome.value: count for outcome, count in file.counts.items()}
    return words(
        "history.file.known" if file.is_known else "history.file.done", file=file.name, **counts
    )


def step_text(step: ArchiveImportProgress, words: Words) -> str:
    """The progress so far."""
    percent = 100 * step.done // step.total if step.total else 100
    return words("history.progress", file=step.file, percent=percent, items=step.items)


def closing_lines(report: ArchiveImportReport, games: int, words: Words) -> list[str]:
    """The closing summary."""
    lines = []
    if report.dry_run:
        lines.append(words("history.players.would", n=report.linked))
    else:
        lines.append(words("history.players.linked", n=report.linked, results=report.results))
    lines.append(words("history.players.strangers", n=report.strangers))
    if report.unclear:
        lines.append(words("history.players.unclear"))
        lines += [f"    {unclear_text(one, words)}" for one in report.unclear]
    dry = words("history.outcome.dry")
    return [*lines, dry if report.dry_run else words("history.outcome.done", n=games)]


def document(report: ArchiveImportReport, games: int, words: Words) -> JsonObject:
    """The report as data; ``games``: how many the archive has."""
    return {
        "format": "kskak-history/1",
        "dry_run": report.dry_run,
        "games": games,
        "files": [
            {
                "file": file.name,
                **{outcome.value: count for outcome, count in file.counts.items()},
                "resumed": file.resumed,
                "read_before": file.is_known,
            }
            for file in report.files
        ],
        "refused": [_note(one, words) for one in report.notes if one.is_refused],
        "known": [_note(one, words) for one in report.notes if not one.is_refused],
        "linked": report.linked,
        "strangers": report.strangers,
        "results": report.results,
        "unclear": [
            {"name": one.name, "number": one.number, "detail": write_problem(one.problem, words)}
            for one in report.unclear
        ],
    }


def _note(note: ArchiveImportNote, words: Words) -> JsonObject:
    return {
        "file": note.file,
        "game": note.game,
        "line": note.line,
        "detail": write_problem(note.problem, words),
    }


# An import of past tournaments from start to end: tables, games, ledgers; linking; the index.

BATCH = 250
"""Games in one transaction."""
INDEX = "index"
"""The name of the last step, in place of a file's name."""
_UNKEPT = ImportRow(0, "", 0, 0, 0, 0, 0, 0, None)


async def import_past(
    core: Core, found: Sequence[ImportFile], watch: Watch, *, dry_run: bool, again: bool = False
) -> ArchiveImportReport:
    """Import files into the archive, or report what that would do.

    ``again``: finished files are read once more. Raises BadPath for a table that can't be read at
    all, before anything is changed.
    """
    tables = {one.path: read_table(one.path) for one in found if one.kind is ImportFileKind.TABLE}
    job = _Job(core, ArchiveImportReport(dry_run), watch, again=again)
    for source in found:
        match source.kind:
            case ImportFileKind.TABLE:
                await job.table(source, tables[source.path])
            case ImportFileKind.PGN:
                await job.games(source)
            case ImportFileKind.LEDGER:
                continue
    await job.ledgers([one for one in found if one.kind is ImportFileKind.LEDGER])
    await link_all(core, job.report, job.taker.players, job.table_taker.players)
    if not dry_run:
        await archive_views.everything(core, job.indexed)
    return job.report


class _Job:
    """An import in progress."""

    def __init__(
        self, core: Core, report: ArchiveImportReport, watch: Watch, *, again: bool
    ) -> None:
        self._core, self._again, self._tell = core, again, watch
        self.report = report
        inner = replace(watch, note=self._note)
        self.taker = Taker(core, report, inner)
        self.table_taker = TableTaker(core, report, inner)
        self._today = core.today(core.settings.clock.zone)
        self._items = 0

    def _note(self, note: ArchiveImportNote) -> None:
        if len(self.report.notes) < MOST_STORED_PROBLEMS:
            self.report.notes.append(note)
        self._tell.note(note)

    def _step(self, source: ImportFile, done: int) -> None:
        self._tell.step(ArchiveImportProgress(source.name, done, source.size, self._items))

    def indexed(self, done: int, total: int) -> None:
        """Report progress on the openings and positions, after the files."""
        self._tell.step(ArchiveImportProgress(INDEX, done, total, done))

    async def _begun(self, source: ImportFile) -> tuple[FileReport, ImportRow]:
        """The file's report, and how far earlier runs got with it."""
        file = FileReport(source.name)
        self.report.files.append(file)
        digest = digest_of(source.path)
        if self.report.dry_run:
            found = await self._core.store.query(archive_rows.find_import, digest)
            row = _UNKEPT if found is None or self._again else found
        else:
            async with self._core.store.write() as conn:
                await archive_rows.hold(conn)
                row = await archive_rows.begin_import(
                    conn, source.name, digest, self._core.now_us, again=self._again
                )
        file.counts |= {
            ArchiveImportOutcome.ADDED: row.added,
            ArchiveImportOutcome.KNOWN: row.known,
            ArchiveImportOutcome.REFUSED: row.refused,
        }
        file.resumed, file.is_known = row.games, row.finished_us is not None
        return file, row

    async def table(self, source: ImportFile, lines: Sequence[CsvLine]) -> None:
        """Import a file of final tables."""
        file, row = await self._begun(source)
        if not file.is_known:
            await self.table_taker.take(file, row, lines)
            self._items += len(lines)
        self._step(source, source.size)

    async def games(self, source: ImportFile) -> None:
        """Import a PGN file from where an earlier run left off."""
        file, row = await self._begun(source)
        if file.is_known:
            self._step(source, source.size)
            return
        start = PgnOffset(row.games, row.lines, row.bytes)
        latest = self._today.isoformat()
        for texts in read_game_batches(source.path, start, BATCH):
            games = await asyncio.to_thread(tuple, (_read(text, latest) for text in texts))
            row = await self.taker.take(file, row, games, texts[-1].after)
            self._items += len(games)
            self._step(source, texts[-1].after.bytes)
        if not self.report.dry_run:
            await self._core.store.change(
                archive_rows.keep_import, replace(row, finished_us=self._core.now_us)
            )

    async def ledgers(self, found: Sequence[ImportFile]) -> None:
        """Import ledgers, each a file; on a later run they are recognised by their contents."""
        if not found:
            return
        file = FileReport(found[0].name if len(found) == 1 else f"{len(found)} *.json")
        self.report.files.append(file)
        for first in range(0, len(found), BATCH):
            some = found[first : first + BATCH]
            read = [read_file(one.path, self._today) for one in some]
            await self.taker.take_ledgers(file, read)
            self._items += len(some)
            self._step(some[-1], some[-1].size)
