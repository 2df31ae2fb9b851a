"""Files of the past for the tests of the archive, and a core to import them into."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import chess

from kskak.archive.past_game import PastGame, PastPlayer, pack_moves, past_pgn
from kskak.regulation.editions import Result
from server.settings import settings_from
from server.store import entries as entry_rows
from server.store.archive import reading as rows
from server.store.archive.reading import ArchiveCriteria, PastRow
from server.store.engine.store import Store
from server.store.entries import PastResultRow
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import (
    ArchiveImportNote,
    ArchiveImportOutcome,
    ArchiveImportReport,
    Watch,
)
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from tests.fakes.federation import Scene
from tests.fakes.machinery.clock import FakeClock

TODAY = date(2026, 11, 20)
RUY = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3",
       "d6", "c3", "O-O", "h3", "Nb8", "d4", "Nbd7", "Nbd2", "Bb7")  # fmt: skip
HEADER = "Turnering;Klasse;Afsluttet;Medlemsnr;Navn;Point;Partier;Plads\n"


def packed_sans(*sans: str) -> bytes:
    """Moves of a game, packed."""
    board = chess.Board()
    return pack_moves([board.push_san(san) for san in sans])


def past_game(**told: object) -> PastGame:
    """A game of Anna's and Bo's, unless told otherwise."""
    facts: dict[str, object] = {
        "event": "EMT 2001 K-7",
        "day": "2001-05-31",
        "white": PastPlayer("Anna Ager"),
        "black": PastPlayer("Bo Berg"),
        "result": Result.WHITE_WINS,
        "moves": packed_sans(*RUY),
    }
    return PastGame(**(facts | told))


def numbered(count: int) -> str:
    """A file of different short games."""
    moves = [packed_sans("e4", "e5", "Nf3"), packed_sans("d4", "d5", "c4")]
    games = (
        past_game(day=f"{1900 + n // 12:04}-{n % 12 + 1:02}-03", moves=moves[n % 2], round=str(n))
        for n in range(count)
    )
    return "\n".join(past_pgn(game) for game in games)


@dataclass
class Archive(Scene):
    """The archive under test, and a folder for files."""

    core: Core
    folder: Path

    def write(self, name: str, text: str | bytes) -> Path:
        """A file in the folder."""
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    async def take(
        self, *paths: Path, dry_run: bool = False, again: bool = False
    ) -> ArchiveImportReport:
        """Import files."""
        return await import_past(self.core, sources(paths), Watch(), dry_run=dry_run, again=again)

    async def take_text(self, name: str, text: str | bytes, **rules: bool) -> ArchiveImportReport:
        """Import one file with this text."""
        return await self.take(self.write(name, text), **rules)

    async def games(self, wanted: ArchiveCriteria = ArchiveCriteria()) -> tuple[PastRow, ...]:  # noqa: B008
        """The archive's games in the order in which they came."""
        async with self.core.store.read() as conn:
            return await rows.portion(conn, wanted, 0, 10_000)

    async def person(self, name: str, number: str | None = None) -> int:
        """Somebody of the register."""
        email = f"{name.replace(' ', '.').lower()}.{number}@example.org"
        return (await self.admit(name, email=email, member=number)).id

    async def results(self, person_id: int) -> tuple[PastResultRow, ...]:
        """Somebody's past results."""
        async with self.core.store.read() as conn:
            return await entry_rows.past_results_of(conn, person_id)


def open_archive(store: Store, folder: Path) -> Archive:
    """An empty archive."""
    core = Core(store, Writer(store), FakeClock(TODAY), settings_from({}), b"s" * 32)
    return Archive(core, folder)


def codes(
    report: ArchiveImportReport, fate: ArchiveImportOutcome = ArchiveImportOutcome.REFUSED
) -> list[tuple[int | None, int, str]]:
    """Game, line and what is said of it, for the notes of a fate."""
    return [(one.game, one.line, one.problem.code) for one in notes(report, fate)]


def notes(
    report: ArchiveImportReport, fate: ArchiveImportOutcome = ArchiveImportOutcome.REFUSED
) -> list[ArchiveImportNote]:
    """The notes of a fate."""
    return [one for one in report.notes if one.outcome is fate]


def counts(report: ArchiveImportReport) -> dict[str, int]:
    """How many came to what, where any did."""
    found = {fate: sum(file.counts[fate] for file in report.files) for fate in ArchiveImportOutcome}
    return {fate.value: count for fate, count in found.items() if count}
