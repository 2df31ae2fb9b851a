"""Tells open pages, enrolled browsers and webhooks which games have changed."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver
from sqlalchemy import Connection

from server.jobs.runner import Poller
from server.settings import has_extra
from server.store.account import notifications as rows
from server.store.account.notifications import DueCall, DueNotification
from server.store.engine.store import parse_url
from server.store.groups import find_public_groups_sync
from server.store.play import games as game_rows
from server.store.play.games import ChangeCursor, ChangedGame
from server.usecases.account import notifications
from server.usecases.account.notifications import find_notification
from server.usecases.context import Core
from server.usecases.play.open_pages import Hub

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

    from server.store.engine.postgres import Listener

_log = logging.getLogger(__name__)


# Finds which games have changed, in any process, and tells the open streams of this one.

POLL_SECONDS = 1.0
REST_S = 0.1
"""Seconds between two updates under load: more would reach nobody sooner."""


class LiveJob:
    """Follows the changes of games. ``begin`` before the first stream is opened."""

    def __init__(self, core: Core, hub: Hub) -> None:
        self.hub = hub
        self._core = core
        self._after = ChangeCursor(0, 0)
        self._named: set[int] = set()
        self._wake: Callable[[], None] = lambda: None
        self._listener: Listener | None = None
        self._seen: dict[int, ChangedGame] = {}
        if core.store.dialect == "postgresql":
            from server.store.engine import postgres as postgres_listen

            url, told = core.store.url, core.settings.database.listen
            if told != "poll" and (told or not postgres_listen.is_pooled(url)):
                url = parse_url(told) if told else url
                self._listener = postgres_listen.Listener(url, self._take, hub.miss)

    async def begin(self, wake: Callable[[], None]) -> None:
        """Note where the changes stand now; ``wake`` causes a call of ``work``."""
        self._wake = wake
        if self._listener is not None:
            await self._listener.start()
        elif self._core.store.dialect == "sqlite":
            self._after = await self._core.store.look(game_rows.find_last_change)

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
        if self._listener is not None:
            found = await self._told()
        elif self._core.store.dialect == "sqlite":
            found = await self._looked()
        else:
            found = await self._asked()
        if found:
            self.hub.tell(found)
            await asyncio.sleep(REST_S)
        return False

    async def _shut(self) -> None:
        """Shut groups that not everybody may follow any more, before telling more of them."""
        followed = self.hub.followed
        if followed:
            still = await self._core.store.look(
                lambda conn: find_public_groups_sync(conn, followed)
            )
            self.hub.shut(followed - still)

    async def _told(self) -> tuple[ChangedGame, ...]:
        ids, self._named = self._named, set()
        if not ids:
            return ()
        return await self._core.store.look(lambda conn: game_rows.changed_of(conn, ids))

    async def _asked(self) -> tuple[ChangedGame, ...]:
        """The games on open pages that are not as they were a second ago, where nobody tells."""
        ids = self.hub.games
        found = await self._core.store.look(lambda conn: game_rows.changed_of(conn, ids))
        before, self._seen = self._seen, {one.id: one for one in found}
        return tuple(one for one in found if before.get(one.id) != one)

    async def _looked(self) -> tuple[ChangedGame, ...]:
        after, is_heard = self._after, self.hub.count > 0

        def look(conn: Connection) -> tuple[ChangeCursor, tuple[ChangedGame, ...]]:
            newest = game_rows.find_last_change(conn)
            is_new = is_heard and 0 < newest.all - after.all <= game_rows.MOST_CHANGES
            return newest, game_rows.changed_after(conn, after) if is_new else ()

        newest, found = await self._core.store.look(look)
        self._after = newest
        if not 0 <= newest.all - after.all <= game_rows.MOST_CHANGES:
            self.hub.miss()
        return found

    async def end(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            await self._listener.stop()


@asynccontextmanager
async def follow_changes(core: Core, *, is_on: bool) -> AsyncIterator[LiveJob]:
    """Tells the streams' hub of changes until the block ends; ``is_on`` False: of none."""
    job = LiveJob(core, Hub())
    if not is_on:
        yield job
        return
    poller = Poller("live", job.work, POLL_SECONDS)
    await job.begin(poller.wake)
    poller.start()
    try:
        yield job
    finally:
        await poller.stop()
        await job.end()


# Sends notifications: what is due is claimed, handed to the browser's vendor, then marked as told.

BATCH = 16
EVERY_S = 5.0
TIMEOUT_S = 15.0
GONE_STATUSES = frozenset({404, 410})
"""The status codes that say: this browser is gone."""


def is_public(address: str) -> bool:
    """Whether an address is on the public internet, not on a machine or network of ours."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(known, "ipv4_mapped", None) or getattr(known, "sixtofour", None)
    return known.is_global and not known.is_multicast and (mapped is None or mapped.is_global)


class GuardedResolver(AbstractResolver):
    """Resolves names as the system does, leaving out addresses we must not connect to.

    The connection is made to the address checked here: a name can't be changed in between.
    """

    def __init__(self, allows: Callable[[str], bool] = is_public) -> None:
        self._allows = allows
        self._inner = DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses; OSError if none is left."""
        found = await self._inner.resolve(host, port, family)
        kept = [one for one in found if self._allows(one["host"])]
        if not kept:
            raise OSError(f"{host} leads to no public address")
        return kept

    async def close(self) -> None:
        await self._inner.close()


def public_session() -> aiohttp.ClientSession:
    """Connections to public addresses only."""
    connector = aiohttp.TCPConnector(resolver=GuardedResolver(), limit=8)
    return aiohttp.ClientSession(connector=connector, trust_env=False)


class PushJob:
    """Notifies browsers of moves, and webhooks of games.

    ``session`` creates the HTTP session; tests pass their own.
    """

    def __init__(
        self, core: Core, session: Callable[[], aiohttp.ClientSession] = public_session
    ) -> None:
        self._core = core
        self._make = session
        self._session: aiohttp.ClientSession | None = None
        self._key: EllipticCurvePrivateKey | None = None

    async def work(self) -> bool:
        """Send what is due; returns whether there may be more."""
        core = self._core
        now_us = core.now_us
        due: tuple[DueNotification, ...] = ()
        calls: tuple[DueCall, ...] = ()
        is_able = has_extra("push")
        if is_able and await core.store.look(lambda conn: rows.is_due(conn, now_us)):
            due = await core.store.change(rows.claim, core.now_us, BATCH)
        if await core.store.look(lambda conn: rows.is_call_due(conn, now_us)):
            calls = await core.store.change(rows.claim_calls, core.now_us, BATCH)
        await asyncio.gather(*map(self._one, due), *map(self._call, calls))
        return BATCH in (len(due), len(calls))

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _one(self, due: DueNotification) -> None:
        core = self._core
        notification = await find_notification(core, due.game_id, due.browser.person_id)
        status = None
        if notification is not None:
            self._key = self._key or await notifications.signing_key(core)
            parcel = notifications.parcel(core, self._key, due.browser, notification)
            status = await self._send(due.browser.endpoint, *parcel)
        async with core.store.write() as conn:
            if status in GONE_STATUSES:
                await rows.remove(conn, due.browser.id)
            elif notification is None or (status is not None and status < 300):
                await rows.mark_notified(conn, due, core.now_us, has_gone=notification is not None)
            else:
                await rows.mark_failed(conn, due, core.now_us)

    async def _call(self, due: DueCall) -> None:
        """Tell a webhook of a game; what it does not take is told again later."""
        parcel = await notifications.build_call(self._core, due)
        status = 200 if parcel is None else await self._send(due.hook.url, *parcel)
        await self._core.store.change(rows.mark_called, due, status, self._core.now_us)

    async def _send(self, url: str, headers: dict[str, str], body: bytes) -> int | None:
        """The answer's status; None when there was none."""
        if self._session is None:
            self._session = self._make()
        try:
            async with self._session.post(
                url,
                data=body,
                headers=headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
            ) as answer:
                return answer.status
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.info("a notification did not go: %s", type(error).__name__)
            return None


@asynccontextmanager
async def push_notifications(core: Core, *, is_on: bool) -> AsyncIterator[None]:
    """Notifications go out until the block ends; ``is_on`` False: none."""
    job = PushJob(core)
    poller = Poller("push", job.work, EVERY_S)
    if is_on:
        poller.start()
    try:
        yield
    finally:
        await poller.stop()
        await job.close()
