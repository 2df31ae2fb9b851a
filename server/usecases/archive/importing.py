"""An import of past tournaments from start to end: tables, games, ledgers; linking; the index.

A batch of games is one transaction that also records the progress through the file: if killed, the
next run resumes there, and a finished file is not read again. Not for rights: the command is the
operator's.
"""

from collections.abc import Sequence
from dataclasses import replace

from kskak.archive.pgn_split import Place
from server.store.archive import writing as rows
from server.store.archive.writing import ImportRow
from server.usecases.archive import indexing, ledgers_in
from server.usecases.archive.files import Source, digest_of, games_of
from server.usecases.archive.games_in import Taker
from server.usecases.archive.linking import link_all
from server.usecases.archive.reading import read_all, readers
from server.usecases.archive.report import (
    MOST_KEPT,
    Fate,
    FileReport,
    Kind,
    Note,
    Report,
    Step,
    Watch,
)
from server.usecases.archive.tables_in import TableTaker, read_table
from server.usecases.core.context import Core
from server.usecases.register.csv_table import Row

BATCH = 250
"""Games in one transaction."""
INDEX = "index"
"""The name of the last step, in place of a file's name."""
_UNKEPT = ImportRow(0, "", 0, 0, 0, 0, 0, 0, None)


async def import_past(
    core: Core, found: Sequence[Source], watch: Watch, *, dry_run: bool, again: bool = False
) -> Report:
    """Import files into the archive, or report what that would do.

    ``again``: finished files are read once more. Raises BadPath for a table that can't be read at
    all, before anything is changed.
    """
    tables = {one.path: read_table(one.path) for one in found if one.kind is Kind.TABLE}
    job = _Job(core, Report(dry_run), watch, again=again)
    for source in found:
        match source.kind:
            case Kind.TABLE:
                await job.table(source, tables[source.path])
            case Kind.PGN:
                await job.games(source)
            case Kind.LEDGER:
                continue
    await job.ledgers([one for one in found if one.kind is Kind.LEDGER])
    await link_all(core, job.report, job.taker.players, job.table_taker.players)
    if not dry_run:
        await indexing.everything(core, job.indexed)
    return job.report


class _Job:
    """An import in progress."""

    def __init__(self, core: Core, report: Report, watch: Watch, *, again: bool) -> None:
        self._core, self._again, self._tell = core, again, watch
        self.report = report
        inner = replace(watch, note=self._note)
        self.taker = Taker(core, report, inner)
        self.table_taker = TableTaker(core, report, inner)
        self._today = core.today(core.settings.clock.zone)
        self._items = 0

    def _note(self, note: Note) -> None:
        if len(self.report.notes) < MOST_KEPT:
            self.report.notes.append(note)
        self._tell.note(note)

    def _step(self, source: Source, done: int) -> None:
        self._tell.step(Step(source.name, done, source.size, self._items))

    def indexed(self, done: int, total: int) -> None:
        """Report progress on the openings and positions, after the files."""
        self._tell.step(Step(INDEX, done, total, done))

    async def _begun(self, source: Source) -> tuple[FileReport, ImportRow]:
        """The file's report, and how far earlier runs got with it."""
        file = FileReport(source.name)
        self.report.files.append(file)
        digest = digest_of(source.path)
        if self.report.dry_run:
            async with self._core.store.read() as conn:
                found = await rows.find_import(conn, digest)
            row = _UNKEPT if found is None or self._again else found
        else:
            async with self._core.store.write() as conn:
                await rows.hold(conn)
                row = await rows.begin_import(
                    conn, source.name, digest, self._core.now_us, again=self._again
                )
        file.counts |= {Fate.ADDED: row.added, Fate.KNOWN: row.known, Fate.REFUSED: row.refused}
        file.resumed, file.is_known = row.games, row.finished_us is not None
        return file, row

    async def table(self, source: Source, lines: Sequence[Row]) -> None:
        """Import a file of final tables."""
        file, row = await self._begun(source)
        if not file.is_known:
            await self.table_taker.take(file, row, lines)
            self._items += len(lines)
        self._step(source, source.size)

    async def games(self, source: Source) -> None:
        """Import a PGN file from where an earlier run left off."""
        file, row = await self._begun(source)
        if file.is_known:
            self._step(source, source.size)
            return
        start = Place(row.games, row.lines, row.bytes)
        latest = self._today.isoformat()
        with readers(source.size - start.bytes) as executor:
            async for batch in read_all(games_of(source.path, start, BATCH), executor, latest):
                row = await self.taker.take(file, row, batch)
                self._items += len(batch.games)
                self._step(source, batch.after.bytes)
        if not self.report.dry_run:
            async with self._core.store.write() as conn:
                await rows.keep_import(conn, replace(row, finished_us=self._core.now_us))

    async def ledgers(self, found: Sequence[Source]) -> None:
        """Import ledgers, each a file; on a later run they are recognised by their contents."""
        if not found:
            return
        file = FileReport(found[0].name if len(found) == 1 else f"{len(found)} *.json")
        self.report.files.append(file)
        for first in range(0, len(found), BATCH):
            some = found[first : first + BATCH]
            read = [ledgers_in.read_file(one.path, self._today) for one in some]
            await self.taker.take_ledgers(file, read)
            self._items += len(some)
            self._step(some[-1], some[-1].size)
