"""What every use case needs, supplied by the composition root.

Not for finding settings or opening things: server.app does that.
"""

import math
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

from kskak.regulation.days import local_day
from mail.outgoing.smtp_out import Smarthost
from server.clock import TimeSource
from server.settings import Settings
from server.store.engine.connection import FEDERATION
from server.store.engine.rows import to_us
from server.store.engine.store import Store
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import Writer

# How much one caller may ask: token buckets in memory. NOT shared between processes.

MOST_BUCKETS = 20_000


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` calls at once, then ``per_second``."""

    burst: float
    per_second: float


SIGNED_IN = Rate(burst=5_000, per_second=250)
"""A program that moves in a thousand games at once is welcome; one out of control is slowed."""

STRANGER = Rate(burst=120, per_second=2)
"""Failed sign-ins, per address: guessing a 128-bit token stays hopeless, and cheap to refuse."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(slots=True)
class Limiter:
    """Buckets by caller. ``now`` is a monotonic time in seconds."""

    rate: Rate
    _buckets: dict[bytes | str, _Bucket] = field(default_factory=dict)

    def wait(self, who: bytes | str, now: float) -> float:
        """Take one call and return 0, or return the seconds until one may be made."""
        bucket = self._refilled(who, now)
        if bucket.left >= 1:
            bucket.left -= 1
            return 0.0
        return (1 - bucket.left) / self.rate.per_second

    def told(self, who: bytes | str, now: float) -> dict[str, str]:
        """What is left, of how much, and the seconds until all is there again; takes nothing."""
        left, rate = self._refilled(who, now).left, self.rate
        return {
            "RateLimit-Limit": f"{rate.burst:.0f}",
            "RateLimit-Remaining": f"{int(left)}",
            "RateLimit-Reset": f"{math.ceil((rate.burst - left) / rate.per_second)}",
        }

    def is_empty(self, who: bytes | str, now: float) -> bool:
        """True if nothing is left; takes nothing."""
        return who in self._buckets and self._refilled(who, now).left < 1

    def _refilled(self, who: bytes | str, now: float) -> _Bucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._forget(now)
            bucket = self._buckets[who] = _Bucket(self.rate.burst, now)
            return bucket
        bucket.left = min(self.rate.burst, bucket.left + (now - bucket.at) * self.rate.per_second)
        bucket.at = now
        return bucket

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if all are in use, the fullest half."""
        full = self.rate.burst / self.rate.per_second
        kept = {who: b for who, b in self._buckets.items() if now - b.at < full}
        if len(kept) >= MOST_BUCKETS:
            emptiest = sorted(kept.items(), key=lambda item: item[1].left)
            kept = dict(emptiest[: MOST_BUCKETS // 2])
        self._buckets = kept


# Lists shown a page at a time: pages are counted from 1. Not for what is listed.

MOST_PAGES = 10**6
"""No real reader asks for a later page; the database is not asked for one either."""


def limit_page(page: int) -> int:
    """The page meant by a number in an address."""
    return min(max(page, 1), MOST_PAGES)


def pages_of(count: int, size: int) -> int:
    """How many pages ``count`` items fill, at least one; ``size``: items per page."""
    return max(-(-count // size), 1)


# The days on which API tokens were used, gathered here and recorded later, many at once.

MOST_NOTED = 50_000


class TokenDays:
    """The last known day (ISO) of each token's use, and which of them are yet to be recorded."""

    def __init__(self) -> None:
        self._noted: dict[bytes, str] = {}
        self._waiting: dict[bytes, str] = {}

    def note(self, token_digest: bytes, day: str) -> None:
        """A token was used; at most one record a day comes of it."""
        if self._noted.get(token_digest) == day:
            return
        if len(self._noted) >= MOST_NOTED:
            self._noted.clear()
        self._noted[token_digest] = self._waiting[token_digest] = day

    def waiting(self) -> dict[bytes, str]:
        """What is yet to be recorded."""
        return dict(self._waiting)

    def recorded(self, days: Mapping[bytes, str]) -> None:
        """These have been recorded; what was noted meanwhile still waits."""
        for token_digest, day in days.items():
            if self._waiting.get(token_digest) == day:
                del self._waiting[token_digest]


# What every use case needs, supplied by the composition root.

_IN_ADDRESSES = "/?=&#%+,;:@!$'()*~"
"""What is not escaped in an address, besides letters and digits: the parts are already joined."""


@dataclass(frozen=True, slots=True)
class Core:
    """The ports and the settings. ``secret`` signs reply keys."""

    store: Store
    writer: Writer
    clock: TimeSource
    settings: Settings
    secret: bytes
    token_days: TokenDays = field(default_factory=TokenDays, compare=False, repr=False)

    @property
    def now_us(self) -> int:
        """The instant, in microseconds."""
        return to_us(self.clock.now())

    def today(self, zone: str) -> date:
        """The day it is in a zone."""
        return local_day(self.clock.now(), zone)

    def url(self, path: str) -> str:
        """A page's public address.

        Non-ASCII letters are percent-encoded: mail programs and the mailbox page end a link at the
        first such letter, and a group of the open class has one in its name.
        """
        return f"{self.settings.web.site}{quote(path, safe=_IN_ADDRESSES)}"

    @property
    def command_address(self) -> str:
        """The address for mails about leave and status."""
        return f"{self.settings.mail.local}@{self.settings.mail.domain}"


def poster_of(core: Core) -> Poster:
    """A poster for letters about what happens now."""
    return Poster(core.secret, core.settings.mail.domain, core.now_us)


def smarthost_of(core: Core) -> Smarthost | None:
    """Where mail goes; None when nothing leaves the machine."""
    out = core.settings.mail.out
    if not out.host:
        return None
    login = out.model_dump(include={"host", "port", "tls", "user"})
    password = out.password.get_secret_value()
    return Smarthost(**login, password=password, helo=core.settings.mail.domain)


def today_of(core: Core) -> date:
    """Today on the entries' calendar, which is in the server's zone."""
    return core.today(core.settings.clock.zone)


# A use case in turn: all its reads and writes are one transaction, exclusive among processes.

P = ParamSpec("P")
T = TypeVar("T")
_UseCase = Callable[Concatenate[Core, P], Coroutine[Any, Any, T]]


def in_turn(use_case: _UseCase[P, T]) -> _UseCase[P, T]:
    """The same use case, in turn; an exception undoes all of it."""

    @wraps(use_case)
    async def alone(core: Core, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with core.writer.together(FEDERATION):
            return await use_case(core, *args, **kwargs)

    return alone
