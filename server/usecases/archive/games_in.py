"""Imports games into the archive: a batch per transaction, leaving games already there alone.

Games are the same when their moves, players and day agree, however they are spelled
(kskak.archive.past_game). A ledger adds its account to a game imported without one. Not for
reading files (reading.py).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kskak.archive.past_game import PastGame, Seen
from server.crash import reach
from server.store.archive import writing as rows
from server.store.archive.writing import ImportRow, KnownGame, NewGame, Spelled
from server.store.engine.connection import AsyncConnection
from server.usecases.archive.reading import Batch, ReadGame
from server.usecases.archive.report import Fate, FileReport, Note, Report, Watch
from server.usecases.core.context import Core
from server.usecases.register.report import Slip


@dataclass(frozen=True, slots=True)
class Found:
    """A game with its source, and its ledger if it came as one."""

    read: ReadGame
    source: str
    ledger: str | None = None
    is_ledger: bool = False


class Taker:
    """Imports the games of one run. In a dry run it remembers what it would have saved."""

    def __init__(self, core: Core, report: Report, watch: Watch) -> None:
        self._core, self._report, self._watch = core, report, watch
        self._remembered: dict[bytes, list[KnownGame]] = defaultdict(list)
        self.players: set[Spelled] = set()

    async def take(self, file: FileReport, row: ImportRow, batch: Batch) -> ImportRow:
        """Save a batch of a PGN file and the progress through the file, together or not at all."""
        found = [Found(one, f"{file.name}, {one.number}") for one in batch.games]
        if self._report.dry_run:
            async with self._core.store.read() as conn:
                judged = await self._judged(conn, found)
            self._tell(file, judged)
            return row
        async with self._core.store.write() as conn:
            await rows.hold(conn)
            judged = await self._judged(conn, found)
            await self._keep(conn, judged)
            fates = [one.fate for one in judged]
            row = replace(
                row,
                games=batch.after.games,
                lines=batch.after.lines,
                bytes=batch.after.bytes,
                added=row.added + fates.count(Fate.ADDED),
                known=row.known + fates.count(Fate.KNOWN) + fates.count(Fate.COMPLETED),
                refused=row.refused + fates.count(Fate.REFUSED),
            )
            await rows.keep_import(conn, row)
            reach("import-before-commit")
        reach("import-after-commit")
        self._tell(file, judged)
        return row

    async def take_ledgers(self, file: FileReport, found: list[Found]) -> None:
        """Import some ledgers, each a file of its own, counted together."""
        if self._report.dry_run:
            async with self._core.store.read() as conn:
                judged = await self._judged(conn, found)
        else:
            async with self._core.store.write() as conn:
                await rows.hold(conn)
                judged = await self._judged(conn, found)
                await self._keep(conn, judged)
        self._tell(file, judged)

    async def _judged(self, conn: AsyncConnection, found: Iterable[Found]) -> "list[_Judged]":
        """What becomes of each."""
        listed = list(found)
        games = [one.read.game for one in listed if one.read.game is not None]
        known: dict[bytes, list[KnownGame]] = defaultdict(list)
        for there in await rows.alike(conn, [game.digest for game in games]):
            known[there.digest].append(there)
        own = await rows.own_names(conn, [one.read.own for one in listed if one.read.own])
        return [self._judge(one, known, own) for one in listed]

    def _judge(
        self, found: Found, known: dict[bytes, list[KnownGame]], own: frozenset[str]
    ) -> "_Judged":
        read = found.read
        if read.game is None:
            return _Judged(found, Fate.REFUSED, read.slip)
        if read.own in own:
            return _Judged(found, Fate.KNOWN, Slip("own", value=read.own))
        game, seen, digest = read.game, Seen.of(read.game), read.game.digest
        alike = (*known[digest], *self._remembered.get(digest, ()))
        same = next((one for one in alike if one.seen.is_same(seen)), None)
        if same is not None:
            return _again(found, game, same)
        now = KnownGame(0, digest, seen, game.result.value, found.ledger is not None, found.source)
        known[digest].append(now)
        if self._report.dry_run:
            self._remembered[digest].append(now)
            self.players |= {seen.white, seen.black}
        return _Judged(found, Fate.ADDED, None)

    async def _keep(self, conn: AsyncConnection, judged: "list[_Judged]") -> None:
        new = [
            NewGame(one.found.read.game, one.found.source, one.found.ledger)
            for one in judged
            if one.fate is Fate.ADDED and one.found.read.game is not None
        ]
        await rows.add_games(conn, new)
        for one in judged:
            if one.fate is Fate.COMPLETED and one.there and one.found.ledger is not None:
                await rows.add_ledger(conn, one.there, one.found.ledger)

    def _tell(self, file: FileReport, judged: "list[_Judged]") -> None:
        for one in judged:
            file.counts[one.fate] += 1
            if one.slip is not None:
                read = one.found.read
                name = one.found.source if one.found.is_ledger else file.name
                self._watch.note(Note(name, read.number, read.line, one.fate, one.slip))


@dataclass(frozen=True, slots=True)
class _Judged:
    """A game and what becomes of it; ``there``: the archive's id of the same game, 0 if none."""

    found: Found
    fate: Fate
    slip: Slip | None
    there: int = 0


def _again(found: Found, game: PastGame, there: KnownGame) -> _Judged:
    """A game already there: another result is noted; with the same one, a ledger may be added."""
    names = f"{game.white.name} – {game.black.name}"
    if there.result != game.result.value:
        slip = Slip("other_result", value=f"{names} {game.result.value}", hint=there.result)
        return _Judged(found, Fate.KNOWN, slip, there.id)
    if found.ledger is not None and not there.has_ledger:
        return _Judged(found, Fate.COMPLETED, None, there.id)
    return _Judged(found, Fate.KNOWN, Slip("known", value=names, hint=there.source), there.id)
