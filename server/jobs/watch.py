"""Wakes the jobs that have something to do, also when another process or the time brought it.

One look at the database every two seconds, where each job looked for itself: a server in which
nothing happens hardly works. What this process has done wakes them at once. Not for the work.
"""

from collections.abc import Callable

from server.jobs.runner import Poller
from server.store.mail import waiting
from server.usecases.core.context import Core

LOOK_S = 2.0
"""Seconds between two looks."""
Wake = Callable[[], None]


def watching(core: Core, mail: Wake, letters: Wake, due_work: Wake) -> Poller:
    """A poller that wakes the jobs of the inbox, of the outbox and of due work."""

    async def look() -> bool:
        now_us = core.now_us
        found = await core.store.look(lambda conn: waiting.look(conn, now_us))
        for is_waiting, wake in (
            (found.mail, mail),
            (found.letters, letters),
            (found.due_work, due_work),
        ):
            if is_waiting:
                wake()
        return False

    return Poller("watch", look, LOOK_S)
