"""The due-date job: rows claimed by a conditional update; one that fails is postponed.

Delayed moves go first: they belong to the day, ahead of what falls due at its end.
Not for what is done when something is due (usecases.reflection.due, usecases.play.delayed_moves).
"""

import logging

from server.store.mail import due_work as deadline_rows
from server.store.play import delayed_moves as delayed_rows
from server.usecases.core.context import Core
from server.usecases.play import delayed_moves
from server.usecases.reflection.due import do_due

_log = logging.getLogger(__name__)

BATCH = 256


class DeadlineJob:
    """Does what has fallen due."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do what is due; returns whether there may be more."""
        has_sent = await self._send_delayed()
        rows = await deadline_rows.claim(self._core.store, self._core.now_us, BATCH)
        for row in rows:
            try:
                await do_due(self._core, row)
            except Exception as error:
                _log.exception("deadline %s of game %s failed", row.kind, row.game_id)
                why = f"{type(error).__name__}: {error}"[:500]
                async with self._core.store.write() as conn:
                    await deadline_rows.push(conn, row, why, self._core.now_us)
        return bool(rows) or has_sent

    async def _send_delayed(self) -> bool:
        """Send the delayed moves that are due; returns whether there were any."""
        async with self._core.store.read() as conn:
            found = await delayed_rows.due(conn, self._core.now_us, BATCH)
        for which in found:
            try:
                await delayed_moves.send(self._core, which)
            except Exception as error:
                _log.exception("the delayed move of game %s failed", which.game_id)
                why = f"{type(error).__name__}: {error}"[:500]
                async with self._core.store.write() as conn:
                    await delayed_rows.push(conn, which, why, self._core.now_us)
        return bool(found)
