"""Around every page: the visitor, language and origin; and a polite page for errors."""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import quote
from zoneinfo import ZoneInfo

from aiohttp import web

from kskak.ledger.stored_events import UnreadEntry
from server.store.engine.errors import AGAIN_S, StoreUnavailable
from server.store.engine.types import from_us
from server.store.play.games import EventRow
from server.usecases.account import signin
from server.usecases.core.preferences import Preferences
from server.usecases.play.unread_ledger import unread_ledger
from server.usecases.postal.scans import MOST_BYTES
from server.web.frame.answered_forms import led_on, shown_again
from server.web.frame.context import (
    CORE,
    PREFERENCES,
    SESSION,
    WORDS,
    SignInNeeded,
    core,
    is_look,
    viewer,
)
from server.web.frame.cookies import session_cookie
from server.web.frame.forms import FILES, MOST_FILE, TooLong, is_text
from server.web.frame.language import language
from server.web.frame.origin import client_address, is_forged, is_own_site
from server.web.frame.pages import page
from server.web.frame.words import PageWords

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


def is_deed(kind: str) -> bool:
    """Whether the visitor attempted an action that is not his to do."""
    return kind.startswith("403_") and kind.removeprefix("403_") not in _SEEN


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
MACHINES = (
    "/api/",
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
log = logging.getLogger(__name__)


@web.middleware
async def frame(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Recognise, check, answer; an error becomes a page and never grants access."""
    if request.path.lower().startswith(MACHINES) and not _is_help(request):
        return await _for_machines(request, handler)
    if request.method == "POST" and (room := _room(request.path)):
        request = request.clone(client_max_size=room + ROOM_FOR_FIELDS)
    try:
        if is_look(request):
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
        return error_page(request, error.status)
    except StoreUnavailable as error:
        log.warning("a page must wait: %s %s: %s", request.method, _route(request), error)
        answer = error_page(request, UNAVAILABLE)
        answer.headers["Retry-After"] = str(AGAIN_S)
        return answer
    except Exception as error:
        return _failed(request, error)


def _failed(request: web.Request, error: Exception) -> web.Response:
    """The page of an error of ours; none, where the visitor went away while his form was read."""
    if isinstance(error, ConnectionResetError):
        return error_page(request, 400)
    log.exception("a page failed: %s %s", request.method, _route(request))
    return error_page(request, 500)


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
    if "%00" in request.raw_path:
        return error_page(request, 404)
    await _recognise(request)
    if request.method == "POST" and is_own_site(request) and not await is_text(request):
        log.warning("a form that is no text was refused, from %s", client_address(request))
        return error_page(request, 400)
    if await is_forged(request):
        log.warning("a form from elsewhere was refused, from %s", client_address(request))
        return page(request, "frame/forged.html", status=403)
    again = await shown_again(request)
    if again is not None:
        return again
    try:
        return await led_on(request, await handler(request))
    except UnreadEntry as unread:
        log.error("a ledger can't be read: %s: %s", _route(request), unread)
        return await _unread(request)


async def _unread(request: web.Request) -> web.Response:
    """A game that can't be read: its entries for an official, a polite page for anybody else."""
    game = request.match_info.get("game", "")
    person = viewer(request)
    found = await unread_ledger(core(request), person, int(game)) if game.isdigit() else None
    if found is None:
        return error_page(request, UNAVAILABLE, "unread")

    def at(row: EventRow) -> str:
        return f"{from_us(row.at_us).astimezone(ZoneInfo(found.game.zone)):%Y-%m-%d %H:%M}"

    return page(request, "play/unread.html", found=found, at=at)


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


_NOTHING_CHOSEN = Preferences()


def _speak(request: web.Request, chosen: Preferences = _NOTHING_CHOSEN) -> None:
    request[PREFERENCES] = chosen
    request[WORDS] = PageWords.of(language(request), chosen)


def error_page(request: web.Request, status: int, what: str = "") -> web.Response:
    """What went wrong, in the reader's language, and where to go next."""
    if WORDS not in request:  # it failed before the visitor was known
        _speak(request)
    known = status if status in KNOWN_STATUSES else (500 if status >= 500 else 400)
    kind = about(request.method, request.path) if known == FORBIDDEN else str(known)
    kind = what or kind
    return page(request, "frame/error.html", status=status, kind=kind, is_deed=is_deed(kind))


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
