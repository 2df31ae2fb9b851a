"""Heartbeats, and taking up what a dead process left: at startup and every few seconds.

A process on this machine is dead when the kernel says so: its PID is free, a zombie's, or has been
reused by a later one. A process on another machine or in another container, or where there is no
``/proc``, is dead when it has sent no heartbeat for ``SILENT_US``. Should that be wrong (a machine
suspended for a minute), nothing is done twice except a letter, with the same Message-ID.
Not for the claims' own lease, which is the fallback for all this.
"""

import logging
import os
from pathlib import Path

from server.store.engine.store import Store
from server.store.engine.types import SECOND_US
from server.store.mail import processes
from server.store.mail.processes import Process
from server.usecases.core.context import Core
from server.usecases.reflection import outages

_log = logging.getLogger(__name__)

SILENT_US = 40 * SECOND_US
"""How long a process we cannot inspect may be silent: four heartbeats. What a killed container had
in hand waits so long, as its successor has another PID namespace."""

_PROC = Path("/proc")
_GONE = ("Z", "X")


def _begun(pid: int) -> str | None:
    """When the process with that PID began, in kernel ticks; None if it is gone."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    # The name is in parentheses and may contain anything, even parentheses.
    state, *numbers = text.rpartition(")")[2].split()
    return None if state in _GONE else numbers[18]


def _machine() -> str:
    """This boot of this machine, and our PID namespace; empty if that cannot be told."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink(_PROC / 'self/ns/pid')}"
    except OSError:
        return ""


def born() -> str:
    """Identifies this process on its machine, and no later one; empty if that cannot be told."""
    pid, machine = os.getpid(), _machine()
    return f"{machine} {pid} {_begun(pid)}" if machine else ""


def is_dead(other: Process, now_us: int) -> bool:
    """Whether a process has ended without signing off."""
    machine, _, named = other.born.rpartition(" ")[0].rpartition(" ")
    if machine and machine == _machine():
        begun = other.born.rpartition(" ")[2]
        return _begun(int(named)) != begun
    return now_us - other.seen_us > SILENT_US


async def living(store: Store, now_us: int) -> int:
    """How many servers work on a database, which may have no tables yet."""
    async with store.read() as conn:
        return sum(not is_dead(one, now_us) for one in await processes.registered(conn))


class PresenceJob:
    """Sends heartbeats for this process; gives back what dead ones held."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._born = born()

    async def work(self) -> bool:
        """One heartbeat, and one look at the other processes."""
        dead, count = await self._core.store.writing(self._looked_after)
        if dead:
            _log.warning("%s dead process(es) left %s rows, taken up now", dead, count)
        return False

    async def _looked_after(self) -> tuple[int, int]:
        """How many processes are dead, and how many rows they had left."""
        core, now = self._core, self._core.now_us
        async with core.store.write() as conn:
            await outages.beat(core, conn)
            await processes.beat(conn, Process(core.store.holder, self._born, now))
            others = await processes.others(conn, core.store.holder)
            dead = [one for one in others if is_dead(one, now)]
            return len(dead), await processes.give_back(conn, dead, now)

    async def leave(self) -> None:
        """Sign off: the process ends in good order."""
        async with self._core.store.write() as conn:
            await processes.leave(conn, self._core.store.holder)
