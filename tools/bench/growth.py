"""Whether a move costs more with more games in the database, or late in a game.

Moves go through the writer in batches of 64, alternating between the databases. Not for HTTP.
"""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from time import perf_counter

from server.core import open_core
from server.usecases.context import Core
from server.usecases.play.game_requests import ask
from tools.bench.children import settings_for
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, create, in_ledger
from tools.bench.lines import lines
from tools.bench.lone import asked, is_accepted

MANY_GOAL = Goal(1.35, is_floor=False)
"""Reading of «does not grow» with the games: SQLite's own row writes double in cost on the way."""
LATE_GOAL = Goal(1.15, is_floor=False)
"""Reading of «does not grow» with the length: nothing in it depends on the ply, so noise only."""
SHORT, LONG = 10, 200
FEW = 1_000
_LONG_GAMES = 512
_BATCH = 64
_PEOPLE = 2_000
CHANNEL = "growth"


@dataclass(slots=True)
class _Field:
    """Games of one database to move in, in random order; ``core`` belongs to that database."""

    core: Core
    games: list[Game]
    at: int = 0
    accepted: int = 0

    async def batch(self) -> float:
        """Make 64 moves at once in as many games; returns the seconds."""
        chosen = [(self.at + n) % len(self.games) for n in range(_BATCH)]
        self.at += _BATCH
        asking = [asked(self.core, self.games[i], self.games[i].ply, CHANNEL) for i in chosen]
        begun = perf_counter()
        answers = await asyncio.gather(*(ask(self.core, one) for one in asking))
        seconds = perf_counter() - begun
        for i in chosen:
            self.games[i] = replace(self.games[i], ply=self.games[i].ply + 1)
        self.accepted += sum(map(is_accepted, answers))
        return seconds


async def measure_growth(
    few: Ground, many: Ground, sizes: tuple[int, int, int], report: Report
) -> None:
    """``sizes``: rounds, batches per round, and the number of games in the large database."""
    rounds, batches, count = sizes
    short, long = await _fill(few, FEW), await _add_long(few)
    large = await _fill(many, count)
    async with AsyncExitStack() as stack:
        small_core = await stack.enter_async_context(open_core(settings_for(few.url)))
        large_core = await stack.enter_async_context(open_core(settings_for(many.url)))
        fields = [
            _Field(small_core, short), _Field(large_core, large), _Field(small_core, long)
        ]  # fmt: skip
        found = await _turns(fields, rounds, batches)
    base, more, late = found
    report.figures += [
        _figure(f"a move with {count:,} games", f"with {FEW:,}", MANY_GOAL, more, base),
        _figure(f"a move at ply {LONG}", f"at ply {SHORT}", LATE_GOAL, late, base),
    ]
    for name, ground, some in (
        ("growth, few", few, (fields[0], fields[2])),
        ("growth, many", many, (fields[1],)),
    ):
        accepted = sum(one.accepted for one in some)
        report.counts.append(Count(name, accepted, in_ledger(ground.path, CHANNEL)))


def _figure(
    name: str, ceiling: str, goal: Goal, ours: Sequence[float], base: Sequence[float]
) -> Figure:
    pairs = list(zip(ours, base, strict=True))
    return ratio_figure(name, "µs a move", ceiling, goal, pairs)


async def _turns(fields: Sequence[_Field], rounds: int, batches: int) -> list[list[float]]:
    """The cost of a move in µs, per field and per round; the first round is a warm-up."""
    found: list[list[float]] = [[] for _ in fields]
    for index in range(rounds + 1):
        spent = [0.0 for _ in fields]
        for turn in range(batches):
            for offset in range(len(fields)):
                which = (turn + offset) % len(fields)
                spent[which] += await fields[which].batch()
        if index:
            for which, seconds in enumerate(spent):
                found[which].append(seconds * 1_000_000 / (batches * _BATCH))
    return found


async def _fill(ground: Ground, count: int) -> list[Game]:
    """A database of ``count`` short games, shuffled."""
    await create(ground, _PEOPLE)
    return _shuffled(add_games(ground, FIRST_GAME, count, SHORT, lines(16, 100), _PEOPLE))


async def _add_long(ground: Ground) -> list[Game]:
    """Long games beside the short ones, shuffled."""
    some = lines(4, LONG + 60)
    return _shuffled(add_games(ground, FIRST_GAME + FEW, _LONG_GAMES, LONG, some, _PEOPLE))


def _shuffled(games: list[Game]) -> list[Game]:
    random.Random(len(games)).shuffle(games)
    return games
