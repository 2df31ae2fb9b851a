"""Reads games in several processes at once: one process plays through about 900 games a second.

The helpers end when the importing process does, even if it is killed. Not for what is done
with the games (games_in.py).
"""

import asyncio
import os
import re
import signal
from collections import deque
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread

from kskak.archive.game_pgn import GAME_TAG
from kskak.archive.past_game import PastGame
from kskak.archive.pgn_in import PgnFault, UnusablePgn, read_game
from kskak.archive.pgn_split import PgnText, Place
from server.usecases.register.report import Slip

FEW_BYTES = 512 * 1024
"""A smaller file is read in less time than the helpers take to start."""
_OWN = re.compile(rb"\[" + GAME_TAG.encode() + rb' "([^"\\\r\n]{1,200})"\]')


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game in a file, or the slip that says why it was not read.

    ``own``: the game's name on this server, if it is one of its games.
    """

    number: int
    line: int
    game: PastGame | None
    slip: Slip | None
    own: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Some games, and where in the file the next one begins."""

    games: tuple[ReadGame, ...]
    after: Place


def read_batch(texts: list[PgnText], latest: str) -> Batch:
    """Play through some games."""
    return Batch(tuple(_read(text, latest) for text in texts), texts[-1].after)


def _read(text: PgnText, latest: str) -> ReadGame:
    own = _OWN.search(text.raw)
    named = own[1].decode(errors="replace") if own else ""
    if text.is_cut:
        slip = Slip(PgnFault.TOO_LARGE.value, value=str(len(text.raw) // 1024))
        return ReadGame(text.number, text.line, None, slip, named)
    try:
        game = read_game(text.raw, latest)
    except UnusablePgn as why:
        slip = Slip(why.fault.value, value=why.value, hint=why.hint)
        return ReadGame(text.number, text.line, None, slip, named)
    return ReadGame(text.number, text.line, game, None, named)


def _begin_helper() -> None:
    """Leave Ctrl-C to the importing process, and end when it ends, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def readers(size: int) -> AbstractContextManager[Executor]:
    """What reads a file of this many bytes: a thread, or a process per core, at most four."""
    count = os.cpu_count() or 1
    if size <= FEW_BYTES or count == 1:
        return ThreadPoolExecutor(1)
    return ProcessPoolExecutor(
        min(count, 4), mp_context=get_context("spawn"), initializer=_begin_helper
    )


async def read_all(
    batches: Iterable[list[PgnText]], executor: Executor, latest: str, ahead: int = 6
) -> AsyncIterator[Batch]:
    """The batches in order, read up to ``ahead`` batches in advance."""
    loop = asyncio.get_running_loop()
    begun: deque[asyncio.Future[Batch]] = deque()
    try:
        for texts in batches:
            begun.append(loop.run_in_executor(executor, read_batch, texts, latest))
            if len(begun) > ahead:
                yield await begun.popleft()
        while begun:
            yield await begun.popleft()
    finally:
        for one in begun:
            one.cancel()
