"""Importing past games from PGN, all of it, beside chess.pgn only reading the same file.

Processor time. Not for what an import accepts.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import chess.pgn

from server.core import open_core
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import ArchiveImportOutcome, Watch
from server.usecases.context import Core
from tools.bench.children import settings_for
from tools.bench.figures import Goal, Report, ratio_figure
from tools.bench.fixture import Ground
from tools.bench.lines import Line, lines

IMPORT_GOAL = Goal(2.0, is_floor=False)
_LINES, _PLIES = 60, 80


class GameLost(RuntimeError):
    """A game of the file was not imported."""


async def measure_import(ground: Ground, rounds: int, games: int, report: Report) -> None:
    """``games`` a round, of other players each time; the first round is a warm-up."""
    found: list[tuple[float, float]] = []
    some = lines(_LINES, _PLIES)
    async with open_core(settings_for(ground.url)) as core:
        for index in range(rounds + 1):
            file = ground.path.with_name(f"past-{index}.pgn")
            file.write_text(_pgn(some, index, games), encoding="utf-8")
            bare, own = _read(file, games), await _imported(core, file, games)
            if index:
                found.append((1_000_000 * own / games, 1_000_000 * bare / games))
    name, beside = f"importing {games:,} past games", "chess.pgn reading them"
    report.figures.append(ratio_figure(name, "µs of CPU a game", beside, IMPORT_GOAL, found))


def _pgn(some: Sequence[Line], index: int, games: int) -> str:
    made = []
    for number in range(games):
        game = chess.pgn.Game()
        game.headers["White"] = f"Spiller {index}-{number}, Åse"
        game.headers["Black"] = f"Spiller {index}-{number}, Jákup"
        game.headers["Date"] = f"{1960 + number % 60}.05.01"
        game.headers["Result"] = "1-0"
        game.add_line(some[number % len(some)].moves)
        made.append(f"{game}\n\n")
    return "".join(made)


def _read(file: Path, games: int) -> float:
    text = io.StringIO(file.read_text(encoding="utf-8"))
    begun = process_time()
    for _ in range(games):
        if chess.pgn.read_game(text) is None:
            raise GameLost(file.name)
    return process_time() - begun


async def _imported(core: Core, file: Path, games: int) -> float:
    watch = Watch(lambda step: None, lambda note: None)
    begun = process_time()
    report = await import_past(core, sources([file]), watch, dry_run=False)
    spent = process_time() - begun
    if report.files[0].counts[ArchiveImportOutcome.ADDED] != games:
        raise GameLost(file.name)
    return spent
