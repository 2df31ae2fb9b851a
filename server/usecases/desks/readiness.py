"""Whether the server can do its work: the disk is writable, the clock is not behind the games.

Not for how that is reported (api/frame/health.py).
"""

import asyncio
import errno
import logging
import os
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile

from server.store.engine.errors import StoreError
from server.store.engine.types import MINUTE_US
from server.store.mail import processes
from server.store.play import changes
from server.usecases.core.context import Core

_log = logging.getLogger(__name__)

PROOF_S = 2.0
"""Seconds for which one write proves that the next one would succeed too."""
ROOM = 1 << 20
"""Octets that must be free for more to be taken in: some hundred moves, or a mail."""


@dataclass(slots=True, eq=False)
class WriteProof:
    """Proof of a durable write just now: one write serves all who ask within ``PROOF_S``.

    Anybody may ask, and must not be able to keep the disk busy that way.
    """

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _until: float = 0.0
    _is_good: bool = False

    async def is_good(self, core: Core) -> bool:
        """True if the database can be written to."""
        clock = asyncio.get_running_loop().time
        async with self._turn:
            if clock() >= self._until:
                self._is_good = await _writes(core)
                self._until = clock() + PROOF_S
            return self._is_good


async def _writes(core: Core) -> bool:
    """Write a sign of life of this process, which is a new write each time.

    It takes the place of the last one; that there is room for more is proved beside the file.
    """
    store = core.store
    try:
        if store.path is not None:
            await asyncio.to_thread(_take_room, store.path.parent)
        async with store.write() as conn:
            await processes.sign(conn, store.holder, core.now_us)
    except (StoreError, OSError):
        return False
    return True


def _take_room(folder: Path) -> None:
    """OSError when there is not so much room left; what was taken is given back."""
    with TemporaryFile(dir=folder) as file:
        try:
            os.posix_fallocate(file.fileno(), 0, ROOM)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
                raise  # those are of a file system that can't say


SLACK_US = MINUTE_US
"""How far the clocks of two machines may differ."""
NEWEST_S = 60.0
"""Seconds for which the newest event is cached, as it takes a search of all games."""


@dataclass(slots=True, eq=False)
class ClockWatch:
    """Whether the machine's clock is behind the newest event of all games.

    If so, it was set back, or was ahead when that event was entered.
    """

    _until: float = 0.0
    _newest_us: int | None = None

    async def behind_by(self, core: Core) -> timedelta | None:
        """By how much; None if it is not. StoreError when the games can't be read."""
        clock = asyncio.get_running_loop().time
        if clock() >= self._until:
            async with core.store.read() as conn:
                self._newest_us = await changes.newest_us(conn)
            self._until = clock() + NEWEST_S
        newest, now = self._newest_us, core.now_us
        if newest is None or newest - SLACK_US <= now:
            return None
        return timedelta(microseconds=newest - now)


async def warn_of_clock(core: Core) -> None:
    """Log an error if the clock is behind; called at the start and every minute."""
    behind = await ClockWatch().behind_by(core)
    if behind is not None:
        _log.error("the machine's clock lies %s before the newest event: set it right", behind)
