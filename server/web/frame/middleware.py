"""Around every page: the visitor, language and origin; and a polite page for errors."""

import asyncio
import hashlib
import logging
import secrets
import zlib
from collections.abc import Awaitable, Callable
from functools import partial
from urllib.parse import quote
from zoneinfo import ZoneInfo

from aiohttp import StreamReader, web

from kskak.ledger.stored_events import UnreadEntry
from kskak.values import whole_number
from server.store.account import sign_in as access
from server.store.account.sign_in import AnsweredPage, digest
from server.store.cases.cases import CaseEventRow, UnknownCase
from server.store.engine.connection import AGAIN_S, StoreError, StoreUnavailable
from server.store.engine.rows import HOUR_US, from_us
from server.store.play.games import EventRow
from server.usecases.account import signin
from server.usecases.cases.case_views import unread_case
from server.usecases.games.case_opening import UnreadCase
from server.usecases.play.game_views import unread_ledger
from server.usecases.postal.scans import MOST_BYTES
from server.usecases.preferences import Preferences
from server.usecases.rights import NoSuch, NotAllowed, OwnGroup
from server.web.frame.context import (
    CORE,
    PAGE_WORDS,
    PREFERENCES,
    SESSION,
    SHOWS_SECRET,
    SignInNeeded,
    Throttle,
    client_address,
    core,
    is_forged,
    is_own_site,
    is_read_only,
    language,
    session_cookie,
    viewer,
)
from server.web.frame.forms import FILES, MOST_FILE, TooLong, is_text
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import AS_GZIP, answer_of, for_worker, page

log = logging.getLogger(__name__)

# HTTP requests that are begun and not sent whole: ended after a while, with a line in the log.

WHOLE_S = 30.0
"""Seconds from a connection's or a request's first octet until it is there whole, body and all: a
mebibyte over a slow phone takes less."""


class PatientHandler(web.RequestHandler):
    """aiohttp's connection; the time runs from its opening, and from each request's first octet."""

    __slots__ = ("_body", "_has_begun", "_peer", "_until_whole")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The time runs for the first request."""
        super().connection_made(transport)
        self._body: StreamReader | None = None
        self._has_begun = False
        self._peer = transport.get_extra_info("peername")
        self._until_whole: asyncio.TimerHandle | None = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Let the time run while what has come is a part of a request, and no longer."""
        requests, was_in_body = self._request_count, self._is_in_body()
        super().data_received(data)
        is_new = self._request_count > requests
        if not (data or is_new):
            return  # aiohttp itself, which has room again
        if is_new and self._messages:
            self._body = self._messages[-1][1]
        self._has_begun = self._is_in_body() or not (is_new or was_in_body)
        if not self._has_begun:
            self._wait_no_more()
        elif self._until_whole is None:
            self._wait()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Nothing more will come."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_in_body(self) -> bool:
        return self._body is not None and not self._body.is_eof()

    def _wait(self) -> None:
        self._until_whole = asyncio.get_running_loop().call_later(WHOLE_S, self._end)

    def _wait_no_more(self) -> None:
        if self._until_whole is not None:
            self._until_whole.cancel()
            self._until_whole = None

    def _end(self) -> None:
        if self._has_begun:
            log.warning(
                "a request from %s was not sent whole in %.0f s: closed", self._peer, WHOLE_S
            )
        self.force_close()


# Answers every form with a redirect, so that the browser's address can be reloaded.

PAGE_RETENTION_US = 2 * HOUR_US
ANSWER = "answer"
"""The query parameter holding a kept page's key."""
STRANGERS = web.AppKey("strangers", Throttle)
MOST_OF_STRANGER = 60
"""Pages kept for one network address within the throttle's window."""
FAILED = 500


async def led_on(request: web.Request, answer: web.StreamResponse) -> web.StreamResponse:
    """A redirect instead of a page that answers a form; any other answer unchanged.

    If the page can't be kept now, the page itself: it matters more than its address. One that
    shows a secret is given at once too: a secret is kept as its digest alone.
    """
    if request.method != "POST" or answer.status >= FAILED or SHOWS_SECRET in request:
        return answer
    if not isinstance(answer, web.Response) or answer.content_type != "text/html":
        return answer
    session = request.get(SESSION)
    if session is None and not request.app[STRANGERS].allows(
        client_address(request), core(request).clock.now()
    ):
        return answer
    key = secrets.token_urlsafe(24)
    page = AnsweredPage(
        digest(key),
        None if session is None else session.session.digest,
        answer.status,
        zlib.compress(_plain(answer)),
        core(request).now_us + PAGE_RETENTION_US,
    )
    try:
        await core(request).store.transact(lambda conn: access.keep(conn, page))
    except StoreError:
        log.exception("the answer to a form can't be kept and is given at once")
        return answer
    led = web.Response(status=303, headers={"Location": f"{home(request)}?{ANSWER}={key}"})
    led.cookies.update(answer.cookies)
    return led


async def show_stored_page(request: web.Request) -> web.Response | None:
    """The kept page named in the address; None if it names none.

    Raises HTTPSeeOther to the address without it if it is too old or another session's.
    """
    key = request.query.get(ANSWER)
    if key is None or request.method not in ("GET", "HEAD"):
        return None
    now = core(request).now_us
    kept = await core(request).store.look(lambda conn: access.find(conn, digest(key), now))
    session = request.get(SESSION)
    own = None if session is None else session.session.digest
    if kept is None or (None if kept.session is None else bytes(kept.session)) != own:
        raise web.HTTPSeeOther(request.rel_url.without_query_params(ANSWER))
    text = zlib.decompress(kept.body).decode()
    return answer_of(request, text, kept.status, for_worker(request))


def home(request: web.Request) -> str:
    """The address that a form belongs to: its own, or the nearest parent that can be opened."""
    resource = request.match_info.route.resource
    shape = "/" if resource is None else resource.canonical
    routes = request.app.router.routes()
    opened = {one.resource.canonical for one in routes if one.method == "GET" and one.resource}
    path = request.rel_url.raw_path
    while shape not in opened:
        shape = shape.rpartition("/")[0] or "/"
        path = path.rpartition("/")[0] or "/"
    return path


def _plain(answer: web.Response) -> bytes:
    body = answer.body
    octets = body if isinstance(body, bytes) else b""
    return zlib.decompress(octets, AS_GZIP) if "Content-Encoding" in answer.headers else octets


# Around every page: the visitor, language and origin; and a polite page for errors.

_ABOUT = (
    ("/games/", "game"),
    ("/groups/", "start_letter"),
    ("/results/", "results"),
    ("/captain/", "captain"),
    ("/team-entry", "team_entry"),
    ("/titles", "controller"),
    ("/desk/cases/", "case"),
    ("/desk/kc", "controller"),
    ("/desk/bulletin", "controller"),
    ("/desk/cups", "official"),
    ("/desk/members", "members"),
    ("/desk/", "official"),
)
"""Address prefixes, each with a word for whose pages they are; the first match counts."""
_SEEN = frozenset({"start_letter"})
"""Pages that are only viewed: no action was attempted."""


def about(method: str, path: str) -> str:
    """The catalogue word for the page's ``error_text`` and ``error_title``."""
    word = next((name for start, name in _ABOUT if path.startswith(start)), "other")
    if word == "game" and method == "POST":
        return "403_move"
    return "403" if word == "game" else f"403_{word}"


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
MACHINES = (
    "/api/",
    "/game/export/",
    "/xfcc/",
    "/xfccbasic",
    "/healthz",
    "/readyz",
    "/metrics",
    "/calendar/",
    "/pgn/",
)
"""Addresses that answer machines, in their own formats."""

WITH_FILES = ("/card/record", "/enclose")
"""Suffixes of the addresses that accept a file."""
CARDS, MOST_PICTURES = "/desk/cards", 3
"""Where several pictures are put in at once, and how many of the largest there is room for."""
ROOM_FOR_FIELDS = 64 * 1024
"""The most octets in a form besides its file."""
FORBIDDEN = 403
UNAVAILABLE = 503
KNOWN_STATUSES = frozenset({403, 404, 405, 413, UNAVAILABLE})


# What a stranger has already is not sent again: an ETag, and 304 in place of page or file.

_OF_BODY = ("Content-Type", "Content-Encoding", "Content-Length")
_WITHOUT_ETAG = (
    "/api/", "/c/", "/game/", "/healthz", "/join/", "/login/", "/mailbox", "/metrics", "/readyz",
    "/static/", "/think/", "/unsubscribe/",
)  # fmt: skip
"""Addresses with their own ETag or an unchanging file; a link with a key; what monitors ask."""


@web.middleware
async def frame(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Recognise, check, answer; an error becomes a page and never grants access."""
    answer = await _framed(request, handler)
    can = request.method in ("GET", "HEAD") and answer.status == web.HTTPOk.status_code
    is_own = viewer(request) or ANSWER in request.query or answer.cookies
    if not can or is_own or request.path.startswith(_WITHOUT_ETAG):
        return answer
    body = answer.body if isinstance(answer, web.Response) else None
    return _tagged(request, answer, body) if isinstance(body, bytes) else answer


def _tagged(request: web.Request, answer: web.StreamResponse, body: bytes) -> web.StreamResponse:
    """Browsers keep it and ask each time; Cookie, as language and who is signed in come by one."""
    tag = hashlib.sha256(body).hexdigest()[:24]
    if tag in {one.value for one in request.if_none_match or ()}:
        kept = {k: v for k, v in answer.headers.items() if k not in _OF_BODY}
        answer = web.Response(status=web.HTTPNotModified.status_code, headers=kept)
    answer.headers["ETag"] = f'W/"{tag}"'
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


async def _framed(request: web.Request, handler: Handler) -> web.StreamResponse:
    if request.path.lower().startswith(MACHINES) and not _is_help(request):
        return await _for_machines(request, handler)
    if request.method == "POST" and (room := _room(request.path)):
        request = request.clone(client_max_size=room + ROOM_FOR_FIELDS)
    try:
        if is_read_only(request):
            return await core(request).store.reading(lambda: _recognised(request, handler))
        return await _recognised(request, handler)
    except SignInNeeded as needed:
        raise web.HTTPSeeOther(f"/signin?next={quote(needed.next_path, safe='/')}") from None
    except TooLong as error:
        # No form of ours allows a field this long.
        log.warning("a field too long was refused: %s", error.name)
        return error_page(request, 400)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _refusal(request, error)
    except StoreUnavailable as error:
        log.warning("a page must wait: %s %s: %s", request.method, _route(request), error)
        answer = error_page(request, UNAVAILABLE)
        answer.headers["Retry-After"] = str(AGAIN_S)
        return answer
    except Exception as error:
        return _failed(request, error)


def _refusal(request: web.Request, error: web.HTTPException) -> web.Response:
    """Its page, with the methods that there are in place of one that is not."""
    answer = error_page(request, error.status)
    if isinstance(error, web.HTTPMethodNotAllowed):
        answer.headers["Allow"] = error.headers["Allow"]
    return answer


def _failed(request: web.Request, error: Exception) -> web.Response:
    """The page of an error of ours; none, where the visitor went away while his form was read."""
    if isinstance(error, ConnectionResetError):
        return error_page(request, 400)
    log.exception("a page failed: %s %s", request.method, _route(request))
    return error_page(request, 500)


async def _answered(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The answer: 403 for what the person may not do, 404 for what is not there."""
    try:
        return await handler(request)
    except OwnGroup:
        return error_page(request, FORBIDDEN, "403_own")
    except NotAllowed:
        raise web.HTTPForbidden from None
    except (NoSuch, UnknownCase):
        raise web.HTTPNotFound from None


async def _for_machines(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The machine's own answer, or a bare status: a calendar retries by itself."""
    if "%00" in request.raw_path and not request.path.startswith("/api/"):
        raise web.HTTPNotFound  # no name of ours has the NUL character
    try:
        return await handler(request)
    except StoreUnavailable as error:
        log.warning("an answer must wait: %s: %s", _route(request), error)
        raise web.HTTPServiceUnavailable(headers={"Retry-After": str(AGAIN_S)}) from None


async def _recognised(request: web.Request, handler: Handler) -> web.StreamResponse:
    if "%00" in request.raw_path:  # no name of ours has it, and no word that is asked for
        return error_page(request, 404 if "%00" in request.rel_url.raw_path else 422)
    await _recognise(request)
    if request.method == "POST" and is_own_site(request) and not await is_text(request):
        log.warning("a form that is no text was refused, from %s", client_address(request))
        return error_page(request, 400)
    if await is_forged(request):
        log.warning("a form from elsewhere was refused, from %s", client_address(request))
        return page(request, "frame/forged.html", status=403)
    session = request.get(SESSION)
    if session is not None and session.must_prove and not _is_way_to_passkey(request):
        raise web.HTTPSeeOther(f"{signin.ACCESS_PATH}#passkeys")
    again = await show_stored_page(request)
    if again is not None:
        return again
    try:
        return await led_on(request, await _answered(request, handler))
    except UnreadEntry as unread:
        log.error("a ledger can't be read: %s: %s", _route(request), unread)
        return await _unread(request)
    except UnreadCase as unread:
        log.error("a case can't be read: %s: %s", _route(request), unread)
        return await _unread_case(request, unread.case_id)


async def _unread(request: web.Request) -> web.Response:
    """A game that can't be read: its entries for an official, a polite page for anybody else."""
    game = whole_number(request.match_info.get("game", ""))
    person = viewer(request)
    found = None if game is None else await unread_ledger(core(request), person, game)
    if found is None:
        return error_page(request, UNAVAILABLE, "unread")
    return page(request, "play/unread.html", found=found, at=partial(_at, found.game.zone))


def _at(zone: str, row: EventRow | CaseEventRow) -> str:
    return f"{from_us(row.at_us).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


async def _unread_case(request: web.Request, case_id: int) -> web.Response:
    """A case that can't be read: its events for an official, a polite page for its parties."""
    is_known, found = await unread_case(core(request), viewer(request), case_id)
    is_its_page = request.path.startswith("/desk/cases/")
    if not is_known and is_its_page:
        return error_page(request, 404)
    if found is None or not is_its_page:
        return error_page(request, UNAVAILABLE, "unread_case")
    return page(request, "cases/unread.html", found=found, at=partial(_at, found.case.zone))


def _is_help(request: web.Request) -> bool:
    """Whether a person opened the Xfcc address, which otherwise answers programs."""
    asks_page = request.method in ("GET", "HEAD") and "wsdl" not in request.query_string.lower()
    return asks_page and request.path.lower().startswith(("/xfcc/", "/xfccbasic"))


def _room(path: str) -> int:
    """The most octets in a form's file; 0 for forms without one."""
    if path == FILES:
        return MOST_FILE
    if path == CARDS:
        return MOST_PICTURES * MOST_BYTES
    return MOST_BYTES if path.endswith(WITH_FILES) else 0


def _route(request: web.Request) -> str:
    """The route without its secrets, since links contain keys."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "unknown"


async def _recognise(request: web.Request) -> None:
    token = request.cookies.get(session_cookie(request), "")
    session = None
    if token and not request.path.startswith("/static/"):
        session = await signin.visitor(core(request), token)
    if session is not None:
        request[SESSION] = session
    _speak(request, _NOTHING_CHOSEN if session is None else session.preferences)


_WAYS = ("/signout", "/signin/passkey", "/language", f"{signin.ACCESS_PATH}/fresh")
_PASSKEYS = f"{signin.ACCESS_PATH}/passkeys"


def _is_way_to_passkey(request: web.Request) -> bool:
    """What an official may ask for before his passkey: to make his first one, and to use it."""
    if request.method in ("GET", "HEAD"):
        ways = (signin.ACCESS_PATH, "/login/", "/static/", "/regulation", "/help", "/about")
        return request.path.startswith(ways)
    made = (_PASSKEYS, f"{_PASSKEYS}/options", "/signin/passkey/options", *_WAYS)
    return request.path in made or request.path.startswith("/login/")


_NOTHING_CHOSEN = Preferences()


def _speak(request: web.Request, chosen: Preferences = _NOTHING_CHOSEN) -> None:
    request[PREFERENCES] = chosen
    request[PAGE_WORDS] = PageWords.of(language(request), chosen)


def error_page(request: web.Request, status: int, what: str = "") -> web.Response:
    """What went wrong, in the reader's language, and where to go next."""
    if PAGE_WORDS not in request:  # it failed before the visitor was known
        _speak(request)
    known = status if status in KNOWN_STATUSES else (500 if status >= 500 else 400)
    kind = about(request.method, request.path) if known == FORBIDDEN else str(known)
    kind = what or kind
    is_deed = kind.startswith("403_") and kind.removeprefix("403_") not in _SEEN
    return page(request, "frame/error.html", status=status, kind=kind, is_deed=is_deed)


POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
FIXED = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not «no-referrer»: with it browsers send «null» as the origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
FOR_PROGRAMS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""For the API, whose answers link to nothing, open nothing and run nothing."""
STRICT_TRANSPORT = "max-age=31536000"


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add headers that a handler has not set itself; for ``on_response_prepare``."""
    fixed = FOR_PROGRAMS if request.path.startswith("/api/") else FIXED
    for name, value in fixed.items():
        response.headers.setdefault(name, value)
    if request.app[CORE].settings.web.site.startswith("https:"):
        response.headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT)
