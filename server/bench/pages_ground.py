"""A federation to look at for the measure of pages: the demonstration's, with an archive.

Not for what is measured (pages.py).
"""

from pathlib import Path

from kskak.past import PastGame, PastPlayer, packed
from kskak.past_pgn import past_pgn
from kskak.quantities import Result
from server.bench.lines import lines
from server.usecases.core import Core
from server.usecases.demo import PLAYERS, Demo, fill
from server.usecases.history.files import sources
from server.usecases.history.importing import import_past
from server.usecases.history.report import Watch

ARCHIVED = 200
_PLIES = 60


async def furnish(core: Core, folder: Path) -> Demo:
    """Fill an empty database; ``folder`` keeps the archive's file."""
    made = await fill(core)
    path = folder / "past.pgn"
    path.write_text("\n".join(map(past_pgn, map(_past, range(ARCHIVED)))), encoding="utf-8")
    await import_past(core, sources([path]), Watch(), dry_run=False)
    return made


def _past(number: int) -> PastGame:
    """A game of two of the players, some years ago."""
    results = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
    white, black = PLAYERS[number % 8], PLAYERS[(number + 1 + number // 8 % 7) % 8]
    return PastGame(
        event=f"EMT {1990 + number // 20} K-{number % 20 // 4 + 1}",
        day=f"{1990 + number // 20}-05-{1 + number % 28:02}",
        white=PastPlayer(white[0]),
        black=PastPlayer(black[0]),
        result=results[number % 3],
        moves=packed(list(lines(16, _PLIES)[number % 16].moves)),
        round=str(number),
    )
