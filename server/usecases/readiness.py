"""Whether the server can do its work: asked of the disk itself, not of what was kept in memory.

Not for how that is told (api/health.py).
"""

import asyncio
from dataclasses import dataclass, field

from server.store import processes
from server.store.errors import StoreError
from server.usecases.core import Core

PROOF_S = 2.0
"""Seconds for which one write proves that the next one would go well too."""


@dataclass(slots=True, eq=False)
class WriteProof:
    """That something was written durably just now: one write serves all who ask within ``PROOF_S``.

    Anybody may ask, and must not be able to keep the disk busy by it.
    """

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _until: float = 0.0
    _is_good: bool = False

    async def is_good(self, core: Core) -> bool:
        """Whether the database can be written to."""
        clock = asyncio.get_running_loop().time
        async with self._turn:
            if clock() >= self._until:
                self._is_good = await _writes(core)
                self._until = clock() + PROOF_S
            return self._is_good


async def _writes(core: Core) -> bool:
    """A sign of life of this process, which is written anew each time."""
    store = core.store
    try:
        async with store.write() as conn:
            await processes.sign(conn, store.holder, core.now_us)
    except StoreError:
        return False
    return True
