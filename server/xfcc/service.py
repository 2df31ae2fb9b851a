"""The Xfcc endpoint: who may call, how often, which operation; the WSDL; the help page.

Every answer is 200 or a fault, never a redirect, which programs do not follow. Wrong keys are
rate-limited by address, calls by person. Not for what operations do.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from aiohttp import web

from server.store.engine.connection import AGAIN_S, StoreUnavailable
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.context import Core, Limiter, Rate
from server.xfcc import operations as xfcc_moving
from server.xfcc.operations import SoapCall, SoapError, XfccMoveResult

PATH = "/xfcc/XfccBasic.asmx"
_PATTERN = r"/{xfcc:(?i:xfcc/xfccbasic\.asmx|xfccbasic\.asmx)}"
CALLS = Rate(burst=60, per_second=0.5)
"""A program fetches the whole list each time: 30 a minute, or a burst of a move in each game."""
WRONG_KEYS = Rate(burst=20, per_second=1 / 60)
"""Guessing 99 bits is hopeless; this keeps it cheap to refuse."""
_XML = "text/xml"
FAULT, UNAVAILABLE = 500, 503
_log = logging.getLogger(__name__)
Page = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Service:
    """The operations for one server. ``address`` tells where a call comes from."""

    core: Core
    address: Callable[[web.Request], str]
    help_page: Page
    _calls: Limiter = field(default_factory=lambda: Limiter(CALLS))
    _wrong: Limiter = field(default_factory=lambda: Limiter(WRONG_KEYS))

    async def get(self, request: web.Request) -> web.StreamResponse:
        """The WSDL if the query asks for it, else the help page."""
        if any(name.lower() == "wsdl" for name in request.query):
            return _xml(_wsdl().replace("@@URL@@", escape(self.core.url(PATH))).encode())
        return await self.help_page(request)

    async def post(self, request: web.Request) -> web.Response:
        """A call. A failure of ours is answered with the protocol's own word for it, and logged."""
        if self._is_bare(request):
            return _fault("FeatureUnavailable: use https")
        try:
            called = await asyncio.to_thread(xfcc_moving.read, await _body(request))
        except SoapError as error:
            return _fault(f"FeatureUnavailable: {error}")
        try:
            return await self._answered(request, called)
        except StoreUnavailable as error:
            _log.warning("an Xfcc call must wait: %s", error)
            return _unavailable()
        except Exception:
            _log.exception("an Xfcc call failed: %s", called.operation[:40])
            return _fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True)

    def _is_bare(self, request: web.Request) -> bool:
        """Whether a proxy says the key was sent in the clear (answered, never redirected)."""
        is_secure = self.core.settings.web.site.startswith("https:")
        return is_secure and request.headers.get("X-Forwarded-Proto", "").lower() == "http"

    async def _answered(self, request: web.Request, called: SoapCall) -> web.Response:
        if called.operation not in ("GetMyGames", "MakeAMove"):
            return _fault("FeatureUnavailable: no such operation")
        person = await self._person(request, called)
        now = asyncio.get_running_loop().time()
        if called.operation == "MakeAMove":
            if person is None:
                made = XfccMoveResult.AUTHENTICATION
            elif self._calls.wait(str(person.id), now) > 0:
                made = XfccMoveResult.SERVER_ERROR
            else:
                made = await xfcc_moving.make_a_move(self.core, person, called)
            return _xml(xfcc_moving.answer(called.operation, made.value))
        if person is None:
            return _fault(XfccMoveResult.AUTHENTICATION.value)
        if self._calls.wait(str(person.id), now) > 0:
            return _fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True)
        told = await xfcc_moving.facts(self.core, person)
        games = await asyncio.to_thread(xfcc_moving.write_list, self.core, person, told)
        await xfcc_moving.mark_listed(self.core, person, told)
        return _xml(xfcc_moving.answer(called.operation, games))

    async def _person(self, request: web.Request, called: SoapCall) -> PersonRow | None:
        """Who calls; None for wrong keys, and for an address that has guessed too often."""
        where, now = self.address(request), asyncio.get_running_loop().time()
        if self._wrong.is_empty(where, now):
            return None
        user, key = called.text("username"), called.text("password")
        person = await signin.xfcc_owner(self.core, user, key)
        if person is None:
            self._wrong.wait(where, now)
        return person


async def _body(request: web.Request) -> bytes:
    """The octets of a call, read no further than its maximum length. Raises Unreadable."""
    raw = bytearray()
    async for chunk in request.content.iter_any():
        raw += chunk
        if len(raw) > xfcc_moving.MOST_BYTES:
            raise SoapError("too long")
    return bytes(raw)


def _xml(body: bytes, status: int = 200) -> web.Response:
    return web.Response(body=body, status=status, content_type=_XML, charset="utf-8")


def _fault(said: str, *, is_ours: bool = False) -> web.Response:
    return _xml(xfcc_moving.fault(said, is_ours=is_ours), FAULT)


def _unavailable() -> web.Response:
    """The protocol's word for a fault of ours, and when to try again."""
    response = _xml(xfcc_moving.fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True), UNAVAILABLE)
    response.headers["Retry-After"] = str(AGAIN_S)
    return response


@cache
def _wsdl() -> str:
    return Path(__file__).with_name("templates").joinpath("service.wsdl").read_text("utf-8")


def add_xfcc(
    app: web.Application, core: Core, *, address: Callable[[web.Request], str], help_page: Page
) -> None:
    """Add the service to an application; ``help_page`` answers people who open its address."""
    service = Service(core, address, help_page)
    app.router.add_get(_PATTERN, service.get)
    app.router.add_post(_PATTERN, service.post)
