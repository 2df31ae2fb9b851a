"""What is asked for all day, with ever more games and people in the database.

A move, three pages and the sweep for what is due, each as processor time of the whole process, all
its threads; the databases take turns. They are those of duties.py, whose games ended long ago. Not
for the day's duties (duties.py), nor for pages beside their templates (pages.py).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from statistics import median
from time import process_time

from aiohttp import ClientSession, DummyCookieJar

from server.core import open_core
from server.jobs.daily_duties import DeadlineJob
from server.usecases.context import Core
from server.usecases.play.game_requests import ask
from tools.bench.children import settings_for
from tools.bench.figures import Count, Goal, Report, ratio_figure
from tools.bench.fixture import Game, Ground, add_games, email_of, in_ledger
from tools.bench.lines import lines
from tools.bench.lone import asked, is_accepted
from tools.bench.pages import PageFailed, Watch, headers_of, served

MOVE_GOAL = Goal(1.35, is_floor=False)
PAGE_GOAL = Goal(2.0, is_floor=False)
CHANNEL = "sizes"
_FIRST, _GAMES, _PLIES, _BATCH = 1_000_000, 512, 10, 64
PAGES = {"my games": "/", "a group": "/groups/G-5", "the players": "/players"}


@dataclass(slots=True)
class _Size:
    """One database, open, and how to ask for its pages as one of its players."""

    core: Core
    games: list[Game]
    client: ClientSession
    origin: str
    watch: Watch
    accepted: int = 0

    async def move(self) -> float:
        """64 moves at once in as many games; the milliseconds of one."""
        now, later = self.games[:_BATCH], self.games[_BATCH:]
        asking = [asked(self.core, game, game.ply, CHANNEL) for game in now]
        begun = process_time()
        answers = await asyncio.gather(*(ask(self.core, one) for one in asking))
        spent = process_time() - begun
        self.games = later + [replace(game, ply=game.ply + 1) for game in now]
        self.accepted += sum(map(is_accepted, answers))
        return 1000 * spent / _BATCH

    async def page(self, path: str) -> float:
        """A page's milliseconds. PageFailed when it does not open."""
        async with self.client.get(self.origin + path, allow_redirects=False) as answer:
            await answer.read()
            if answer.status != 200:
                raise PageFailed(f"{path}: {answer.status}")
        return 1000 * self.watch.seconds

    async def sweep(self) -> float:
        """The milliseconds of looking for what is due; nothing is."""
        begun = process_time()
        await DeadlineJob(self.core).work()
        return 1000 * (process_time() - begun)


_Work = Callable[[_Size], Awaitable[float]]


def _works() -> dict[str, tuple[_Work, Goal]]:
    pages: dict[str, tuple[_Work, Goal]] = {
        name: (lambda size, path=path: size.page(path), PAGE_GOAL)  # type: ignore[misc]
        for name, path in PAGES.items()
    }
    return {"a move": (_Size.move, MOVE_GOAL), **pages, "the sweep": (_Size.sweep, MOVE_GOAL)}


async def measure_sizes(
    grounds: Sequence[tuple[Ground, int]], effort: tuple[int, int], report: Report
) -> None:
    """The grounds with their numbers of games, the smallest first: the others are held to it.

    ``effort``: rounds, and how often each is asked for in one; the first round is a warm-up.
    """
    works, (rounds, times) = _works(), effort
    found: dict[str, list[list[float]]] = {name: [[] for _ in grounds] for name in works}
    async with AsyncExitStack() as stack:
        sizes = [await _opened(ground, stack) for ground, _ in grounds]
        for index in range(rounds + 1):
            for name, (work, _) in works.items():
                spent: list[list[float]] = [[] for _ in sizes]
                for _ in range(times):
                    for at, size in enumerate(sizes):
                        spent[at].append(await work(size))
                for at, each in enumerate(spent if index else ()):
                    found[name][at].append(median(each))
    for name, (_, goal) in works.items():
        base, *others = found[name]
        for (_, count), ours in zip(grounds[1:], others, strict=True):
            what, few = f"{name}, {count:,} games ended", f"with {grounds[0][1]:,}"
            pairs = list(zip(ours, base, strict=True))
            report.figures.append(ratio_figure(what, "ms of CPU", few, goal, pairs))
    for (ground, count), size in zip(grounds, sizes, strict=True):
        held = in_ledger(ground.path, CHANNEL)
        report.counts.append(Count(f"sizes, {count:,}", size.accepted, held))


async def _opened(ground: Ground, stack: AsyncExitStack) -> _Size:
    """A database with games to move in, served until the stack is left."""
    games = add_games(ground, _FIRST, _GAMES, _PLIES, lines(16, 100), 2 * _GAMES)
    core = await stack.enter_async_context(open_core(settings_for(ground.url)))
    watch = Watch()
    origin = await stack.enter_async_context(served(core, watch))
    headers = await headers_of(core, email_of(1))
    client = ClientSession(headers=headers, cookie_jar=DummyCookieJar())
    await stack.enter_async_context(client)
    return _Size(core, games, client, origin, watch)
