"""The due-date job: rows claimed by a conditional update; a poisoned one is pushed forward.

Not for what is done when something is due (usecases.duties).
"""

import logging

from server.store import deadlines as deadline_rows
from server.usecases.core import Core
from server.usecases.duties import do_due

_log = logging.getLogger(__name__)

BATCH = 256


class DeadlineJob:
    """Does what has fallen due."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Do what is due; whether there may be more."""
        rows = await deadline_rows.claim(self._core.store, self._core.now_us, BATCH)
        for row in rows:
            try:
                await do_due(self._core, row)
            except Exception as error:
                _log.exception("deadline %s of game %s failed", row.kind, row.game_id)
                why = f"{type(error).__name__}: {error}"[:500]
                async with self._core.store.write() as conn:
                    await deadline_rows.push(conn, row, why, self._core.now_us)
        return bool(rows)
