"""Resetting due work for all running games, once after an upgrade that adds kinds of it.

Running games set their own rows whenever they change; this is for those that lie idle. Not
for what is due (core/due_work.py).
"""

import asyncio
from dataclasses import dataclass

from server.store.mail import daily_duties as duty_rows
from server.store.play.games_together import running_ids
from server.usecases.core.context import Core
from server.usecases.core.due_work import due_of
from server.usecases.core.game_work import LockedGame, PlainUnit, Writes

DUTY = "deadlines"
EDITION = "3"
"""Raised when core/due_work.py learns another kind of work: one digit, compared as text."""
_TOGETHER = 32
"""So few at a time that a move beside them hardly waits."""


@dataclass(frozen=True, slots=True)
class RearmUnit(PlainUnit):
    """One game's due work as the writer sets it."""

    game: int

    @property
    def game_id(self) -> int:
        """The game."""
        return self.game

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """The rows of the game as it stands."""
        return Writes(deadlines=due_of(locked.row, locked.state)), True


async def rearm(core: Core) -> int:
    """Reset all due work if this edition has not done so; return the number of games."""
    async with core.store.read() as conn:
        if (await duty_rows.last(conn, DUTY) or "") >= EDITION:
            return 0
        rows = await running_ids(conn)
    for at in range(0, len(rows), _TOGETHER):
        batch = rows[at : at + _TOGETHER]
        await asyncio.gather(*(core.writer.submit(RearmUnit(game_id)) for game_id in batch))
    async with core.store.write() as conn:
        await duty_rows.take(conn, DUTY, EDITION, core.now_us)
    return len(rows)
