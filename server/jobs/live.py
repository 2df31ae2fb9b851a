"""Finds which games have changed, in any process, and tells the open streams of this one.

SQLite: one cheap query a second, and at once when this process has committed. PostgreSQL: the
database notifies us. When nobody listens, nothing more is queried. Not for the streams.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from server.jobs.runner import Poller
from server.store.groups.followed import which_in
from server.store.play import changes
from server.store.play.changes import Changed, Place
from server.usecases.core.context import Core
from server.usecases.play.open_pages import Hub

if TYPE_CHECKING:
    from server.store.engine.postgres_listen import Listener

LOOK_S = 1.0
REST_S = 0.1
"""Seconds between two updates under load: more would reach nobody sooner."""


class LiveJob:
    """Follows the changes of games. ``begin`` before the first stream is opened."""

    def __init__(self, core: Core, hub: Hub) -> None:
        self.hub = hub
        self._core = core
        self._after = Place(0, 0)
        self._named: set[int] = set()
        self._wake: Callable[[], None] = lambda: None
        self._listener: Listener | None = None
        if core.store.dialect == "postgresql":
            from server.store.engine import postgres_listen

            self._listener = postgres_listen.Listener(core.store.url, self._take, hub.miss)

    async def begin(self, wake: Callable[[], None]) -> None:
        """Note where the changes stand now; ``wake`` causes a call of ``work``."""
        self._wake = wake
        if self._listener is not None:
            await self._listener.start()
        else:
            self._after = await self._core.store.look(changes.newest)

    def ring(self) -> None:
        """This process has committed something: look at once if anybody listens."""
        if self.hub.count and (self._listener is None or self.hub.followed):
            self._wake()

    def _take(self, game_id: int) -> None:
        """PostgreSQL names a changed game."""
        if self.hub.count:
            self._named.add(game_id)
            self._wake()

    async def work(self) -> bool:
        """One look. Always False: there is nothing more to do at once."""
        await self._shut()
        found = await (self._looked() if self._listener is None else self._told())
        if found:
            self.hub.tell(found)
            await asyncio.sleep(REST_S)
        return False

    async def _shut(self) -> None:
        """Shut groups that not everybody may follow any more, before telling more of them."""
        followed = self.hub.followed
        if followed:
            still = await self._core.store.look(lambda conn: which_in(conn, followed))
            self.hub.shut(followed - still)

    async def _told(self) -> tuple[Changed, ...]:
        ids, self._named = self._named, set()
        if not ids:
            return ()
        return await self._core.store.look(lambda conn: changes.changed_of(conn, ids))

    async def _looked(self) -> tuple[Changed, ...]:
        after, is_heard = self._after, self.hub.count > 0

        def look(conn: Connection) -> tuple[Place, tuple[Changed, ...]]:
            newest = changes.newest(conn)
            is_new = is_heard and 0 < newest.all - after.all <= changes.MOST
            return newest, changes.changed_after(conn, after) if is_new else ()

        newest, found = await self._core.store.look(look)
        self._after = newest
        if not 0 <= newest.all - after.all <= changes.MOST:
            self.hub.miss()
        return found

    async def end(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            await self._listener.stop()


@asynccontextmanager
async def following(core: Core, *, is_on: bool) -> AsyncIterator[LiveJob]:
    """Tells the streams' hub of changes until the block ends; ``is_on`` False: of none."""
    job = LiveJob(core, Hub())
    if not is_on:
        yield job
        return
    poller = Poller("live", job.work, LOOK_S)
    await job.begin(poller.wake)
    poller.start()
    try:
        yield job
    finally:
        await poller.stop()
        await job.end()
