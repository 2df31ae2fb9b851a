"""Pollers and the processes that run them.

Work, sleep, wake, heartbeats, and taking up what a dead one left.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from server.store.account import sign_in as access
from server.store.engine.connection import StoreOvertaken
from server.store.engine.rows import SECOND_US
from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.store.mail import inbox as inbox_rows
from server.store.mail.due_work import Process
from server.usecases.context import Core
from server.usecases.reflection import silence_and_outages

# A poller: does its work, sleeps until woken or due, and survives what goes wrong.

_log = logging.getLogger(__name__)

AFTER_FAILURE_S, AFTER_ANOTHER_S = 5.0, 0.2
"""Seconds before another try when the work failed, or another transaction was put before it."""
GRACE_S = 15.0
"""Seconds that work may go on once it is told to stop: well within a service manager's 90."""


class Poller:
    """Runs ``work`` again and again. ``work`` returns whether there may be more to do at once."""

    def __init__(self, name: str, work: Callable[[], Awaitable[bool]], every_s: float) -> None:
        self.name = name
        self._work = work
        self._every_s = every_s
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_stopping = False

    def start(self) -> None:
        """Begin polling in this loop."""
        self._task = asyncio.create_task(self._run(), name=f"job-{self.name}")

    def wake(self) -> None:
        """There is something to do now."""
        self._wake.set()

    async def stop(self) -> None:
        """Finish what is under way and stop; what takes longer than ``GRACE_S`` is broken off.

        Its transaction is rolled back then, as when the process is killed.
        """
        self._is_stopping = True
        self._wake.set()
        if self._task is None:
            return
        _, late = await asyncio.wait({self._task}, timeout=GRACE_S)
        if late:
            _log.warning("job %s is broken off: it did not end in %s s", self.name, GRACE_S)
            self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while not self._is_stopping:
            self._wake.clear()
            pause = self._every_s
            try:
                if await self._work():
                    continue
            except StoreOvertaken as error:  # nothing failed: another process was first
                _log.warning("job %s begins again: %s", self.name, error)
                pause = AFTER_ANOTHER_S
            except Exception:
                _log.exception("job %s failed", self.name)
                pause = AFTER_FAILURE_S
            await self._sleep(pause)

    async def _sleep(self, seconds: float) -> None:
        """Until woken or the time has passed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)


# Wakes the jobs that have something to do, also when another process or the time brought it.

POLL_SECONDS = 2.0
"""Seconds between two looks."""
Wake = Callable[[], None]


def make_job_poller(core: Core, mail: Wake, letters: Wake, due_work: Wake) -> Poller:
    """A poller that wakes the jobs of the inbox, of the outbox and of due work."""

    async def look() -> bool:
        now_us = core.now_us
        found = await core.store.look(lambda conn: inbox_rows.find_due_jobs(conn, now_us))
        for is_waiting, wake in zip(found, (mail, letters, due_work), strict=True):
            if is_waiting:
                wake()
        return False

    return Poller("watch", look, POLL_SECONDS)


# Heartbeats, and taking up what a dead process left: at startup and every few seconds.

SILENT_US = 40 * SECOND_US
"""How long a process we cannot inspect may be silent: four heartbeats. What a killed container had
in hand waits so long, as its successor has another PID namespace."""

_PROC = Path("/proc")
_DEAD_STATES = ("Z", "X")


def _read_start_ticks(pid: int) -> str | None:
    """When the process with that PID began, in kernel ticks; None if it is gone."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    # The name is in parentheses and may contain anything, even parentheses.
    state, *numbers = text.rpartition(")")[2].split()
    return None if state in _DEAD_STATES else numbers[18]


def _machine() -> str:
    """This boot of this machine, and our PID namespace; empty if that cannot be told."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink(_PROC / 'self/ns/pid')}"
    except OSError:
        return ""


def identify_process() -> str:
    """Identifies this process on its machine, and no later one; empty if that cannot be told."""
    pid, machine = os.getpid(), _machine()
    return f"{machine} {pid} {_read_start_ticks(pid)}" if machine else ""


def is_dead(other: Process, now_us: int) -> bool:
    """Whether a process has ended without signing off."""
    machine, _, named = other.born.rpartition(" ")[0].rpartition(" ")
    if machine and machine == _machine():
        begun = other.born.rpartition(" ")[2]
        return _read_start_ticks(int(named)) != begun
    return now_us - other.seen_us > SILENT_US


async def count_live_servers(store: Store, now_us: int) -> int:
    """How many servers work on a database, which may have no tables yet."""
    async with store.read() as conn:
        return sum(not is_dead(one, now_us) for one in await due_rows.list_processes(conn))


class PresenceJob:
    """Sends heartbeats for this process, and the days it saw tokens used on; gives back what dead
    ones held."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._born = identify_process()

    async def work(self) -> bool:
        """One heartbeat, and one look at the other processes."""
        await self._note_tokens()
        dead, count = await self._core.store.writing(self._looked_after)
        if dead:
            _log.warning("%s dead process(es) left %s rows, taken up now", dead, count)
        return False

    async def _looked_after(self) -> tuple[int, int]:
        """How many processes are dead, and how many rows they had left."""
        core, now = self._core, self._core.now_us
        async with core.store.write() as conn:
            await silence_and_outages.beat(core, conn)
            await due_rows.beat(conn, Process(core.store.holder, self._born, now))
            others = await due_rows.list_other_processes(conn, core.store.holder)
            dead = [one for one in others if is_dead(one, now)]
            return len(dead), await due_rows.release_dead_processes(conn, dead, now)

    async def _note_tokens(self) -> None:
        if used := self._core.token_days.waiting():
            await self._core.store.change(access.mark_tokens_used, used)
            self._core.token_days.recorded(used)

    async def leave(self) -> None:
        """Sign off: the process ends in good order."""
        await self._note_tokens()
        await self._core.store.change(due_rows.leave, self._core.store.holder)
