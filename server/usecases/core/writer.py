"""The one writer of games: takes what is waiting, commits once, then answers all.

Several processes may each have one; the database's locks keep them apart. Not for what a
command does (its unit) nor for incoming mail (mail/take_mail.py).
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar, cast

from sqlalchemy import Connection

from server import crash
from server.store.engine.connection import AsyncConnection
from server.store.engine.store import Store
from server.store.engine.turns import hold
from server.usecases.core.batch import process
from server.usecases.core.batching import Batcher, Failed
from server.usecases.core.game_work import (
    AlreadyDone,
    KeyReused,
    LockedGame,
    NewEvent,
    NewMessage,
    Replayed,
    Unit,
    UsedConfirmation,
    Writes,
)

V = TypeVar("V")

BATCH = 256
"""How many units share a transaction at most."""


class Writer:
    """Units in, durable answers out."""

    def __init__(
        self,
        store: Store,
        *,
        limit: int = BATCH,
        committed: Callable[[], None] = lambda: None,
        entered: Callable[[str, int], None] = lambda channel, count: None,
    ) -> None:
        """``committed`` is called after each commit: letters may wait to be sent.

        ``entered`` is called with how many dispatches each channel added to the ledgers.
        """
        self._store = store
        self._committed = committed
        self._entered = entered
        self._batcher: Batcher[Unit[object], object] = Batcher(self._commit, limit, gathers=True)

    async def submit(self, unit: Unit[V]) -> V | Replayed | AlreadyDone:
        """Run a unit; returns its answer once what it wrote is durable.

        Raises what ``run`` raised, UnknownGame, KeyReused, or StoreError when the database
        can't do it; then nothing of the unit is written. Inside ``together`` it is durable at the
        end of the block.
        """
        if self._store.is_joined:
            (answer,) = await self._commit([cast("Unit[object]", unit)])
            if isinstance(answer, Failed):
                raise answer.error
            return cast("V | Replayed | AlreadyDone", answer)
        return cast("V | Replayed | AlreadyDone", await self._batcher.submit(unit))

    async def transact(
        self, work: Callable[[Connection], V], entered: Counter[str] | None = None
    ) -> V:
        """Run ``work`` in a transaction of its own, for what touches more than games' ledgers.

        ``entered``: the dispatches that ``work`` enters through ``process``, to be counted too.
        """
        value = await self._store.transact(work)
        self._done(entered)
        return value

    @asynccontextmanager
    async def together(self, *names: str) -> AsyncIterator[AsyncConnection]:
        """Make everything this task reads and writes in the block one transaction.

        ``names``: the turns it holds, exclusive across processes (turns.py).
        """
        async with self._store.together() as connection:
            await connection.run_sync(hold, *names)
            yield connection
        self._committed()

    def _done(self, entered: Counter[str] | None) -> None:
        """After a commit, so that nothing is counted or signalled that a crash could undo."""
        for channel, count in (entered or {}).items():
            self._entered(channel, count)
        self._committed()

    async def close(self) -> None:
        """Finish what was submitted and accept nothing new."""
        await self._batcher.close()

    async def _commit(self, units: Sequence[Unit[object]]) -> Sequence[object]:
        entered: Counter[str] = Counter()

        def work(conn: Connection) -> list[object]:
            return process(conn, units, entered)

        answers = await self._store.transact(work)
        crash.reach("writer-after-commit")
        self._done(entered)
        return answers


__all__ = [
    "AlreadyDone",
    "KeyReused",
    "LockedGame",
    "NewEvent",
    "NewMessage",
    "Replayed",
    "Unit",
    "UsedConfirmation",
    "Writer",
    "Writes",
]
