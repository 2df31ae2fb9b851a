"""Authentication: a bearer token, or the web session with its CSRF header.

The server knows only a token's SHA-256. A token's owner is cached for ``REMEMBERED`` seconds,
so that a move costs no lookup; a revoked token stops working within that time.
Not for what a caller may see or do (the use cases).
"""

import hashlib
import hmac
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web

from server.api.frame.problems import Kind, Problem
from server.store.play.people import PersonRow
from server.usecases.core.limits import SIGNED_IN, STRANGER, Limiter

REMEMBERED = 3.0
"""Seconds; ASVS requires prompt revocation, performance requires no query per move."""
MOST_REMEMBERED = 50_000
LONGEST_TOKEN = 256
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated person. ``csrf`` only for sessions; ``bucket`` is the rate-limit key."""

    person: PersonRow
    bucket: bytes
    csrf: str | None = None


TokenOwner = Callable[[str], Awaitable[Caller | None]]
SessionOwner = Callable[[web.Request], Awaitable[Caller | None]]


def digest_of(token: str) -> bytes:
    """The part of a token that is stored."""
    return hashlib.sha256(token.encode()).digest()


@dataclass(slots=True)
class Doors:
    """Lets callers in. ``now`` is the event loop's monotonic time in seconds.

    ``token_owner`` looks up a token, ``session_owner`` a request's cookie; ``origin`` is the
    website's own; ``address`` gives a request's client address.
    """

    token_owner: TokenOwner
    session_owner: SessionOwner
    origin: str
    address: Callable[[web.Request], str]
    _known: dict[bytes, tuple[float, Caller]] = field(default_factory=dict)
    _callers: Limiter = field(default_factory=lambda: Limiter(SIGNED_IN))
    _strangers: Limiter = field(default_factory=lambda: Limiter(STRANGER))

    async def let_in(self, request: web.Request, now: float) -> Caller:
        """The caller. Raises Problem: not signed in, a foreign page, or too many calls."""
        shown = request.headers.get("Authorization")
        if shown is None:
            caller = await self._by_session(request, now)
        else:
            caller = await self._by_token(shown, request, now)
        wait = self._callers.wait(caller.bucket, now)
        if wait > 0:
            raise too_many(wait)
        return caller

    async def _by_token(self, shown: str, request: web.Request, now: float) -> Caller:
        scheme, _, token = shown.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token.isascii() or not 0 < len(token) <= LONGEST_TOKEN:
            raise self._stranger(request, now)
        digest = digest_of(token)
        known = self._known.get(digest)
        if known is not None and now < known[0]:
            return known[1]
        self._known.pop(digest, None)
        self._check_stranger(request, now)
        caller = await self.token_owner(token)
        if caller is None:
            raise self._stranger(request, now)
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[digest] = (now + REMEMBERED, caller)
        return caller

    async def _by_session(self, request: web.Request, now: float) -> Caller:
        caller = await self.session_owner(request)
        if caller is None:
            raise self._stranger(request, now)
        if request.method not in _SAFE:
            self._check_page(request, caller)
        return caller

    def _check_page(self, request: web.Request, caller: Caller) -> None:
        """A change made with a session must come from our own page and carry its secret."""
        headers = request.headers
        given = headers.get(CSRF_HEADER, "")
        site = headers.get("Sec-Fetch-Site", "same-origin")
        origin = headers.get("Origin")
        if (
            not caller.csrf
            or not hmac.compare_digest(_bytes(given), _bytes(caller.csrf))
            or site != "same-origin"
            or (origin is not None and _origin(origin) != _origin(self.origin))
        ):
            raise Problem(Kind.FOREIGN_PAGE)

    def _check_stranger(self, request: web.Request, now: float) -> None:
        address = self.address(request)
        if self._strangers.is_empty(address, now):
            raise too_many(self._strangers.wait(address, now))

    def _stranger(self, request: web.Request, now: float) -> Problem:
        """The problem for an unknown caller, counted against his address."""
        wait = self._strangers.wait(self.address(request), now)
        if wait > 0:
            return too_many(wait)
        return Problem(Kind.NOT_SIGNED_IN, headers={"WWW-Authenticate": "Bearer"})


def too_many(wait: float) -> Problem:
    """The problem for a caller who must wait."""
    seconds = max(1, math.ceil(wait))
    return Problem(
        Kind.TOO_MANY, values={"seconds": seconds}, headers={"Retry-After": str(seconds)}
    )


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
