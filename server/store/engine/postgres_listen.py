"""Listening to PostgreSQL for changed games, on a connection of its own.

A trigger on ``games`` notifies in the move's own transaction, so a change is heard if and only if
it commits, whichever program wrote it. Listening does not work through a pooler
that reassigns connections after each transaction. Not for SQLite (play/changes.py).
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from server.store.engine.connection import AsyncConnection
from server.store.engine.postgres import ALONE, PROOF_S, arguments

_log = logging.getLogger(__name__)

CHANNEL = "kskak_games"
ALIVE_S = 5.0
"""Seconds between checks that the connection is still alive."""
AGAIN_S = (0.5, 2.0, 5.0)
"""Seconds before the first retry, the second, the third and every later one."""


class Listener:
    """Listens until it is stopped, reconnecting whenever the connection is lost."""

    def __init__(self, url: URL, heard: Callable[[int], None], missed: Callable[[], None]) -> None:
        """``heard`` takes a game's id; ``missed``: notifications may have been missed."""
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            connect_args=arguments(ALONE, "kskak live"),
        )
        self._heard = heard
        self._missed = missed
        self._was_tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start, and wait until it listens or has found that it can't yet."""
        self._task = asyncio.create_task(self._run(), name="job-listening")
        await self._was_tried.wait()

    async def stop(self) -> None:
        """Stop and close the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._engine.dispose()

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                async with self._engine.connect() as connection:
                    await self._listen(connection)
                    failures = 0
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                self._was_tried.set()
                _log.warning("the database can't be listened to: %s", type(error).__name__)
            await asyncio.sleep(AGAIN_S[min(failures, len(AGAIN_S) - 1)])
            failures += 1

    async def _listen(self, connection: AsyncConnection) -> None:
        """Listen until the connection is lost."""
        driver: Any = (await connection.get_raw_connection()).driver_connection
        lost = asyncio.Event()
        driver.add_termination_listener(lambda _: lost.set())
        await driver.add_listener(CHANNEL, self._take)
        self._missed()
        self._was_tried.set()
        while not lost.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), ALIVE_S)
                break
            if not await _lives(driver):
                break
        await connection.invalidate()

    def _take(self, _driver: object, _pid: int, _channel: str, payload: str) -> None:
        if payload.isascii() and payload.isdigit():
            self._heard(int(payload))


async def _lives(driver: Any) -> bool:
    """Whether the server still answers: a dead connection may look open for hours."""
    try:
        await driver.execute("SELECT 1", timeout=PROOF_S)
    except Exception:
        return False
    return True
