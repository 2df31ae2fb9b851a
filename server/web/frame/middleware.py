"""Around every page: who asks, in which language, from where; and a polite page for errors."""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import quote

from aiohttp import web

from server.store.engine.errors import AGAIN_S, StoreUnavailable
from server.usecases.account import signin
from server.usecases.core.preferences import Preferences
from server.usecases.postal.scans import MOST_BYTES
from server.web.frame.answered_forms import led_on, shown_again
from server.web.frame.context import (
    CLIENT,
    CORE,
    HAS_DESK,
    PREFERENCES,
    SESSION,
    WORDS,
    SignInNeeded,
    core,
    is_look,
)
from server.web.frame.cookies import session_cookie
from server.web.frame.forms import FILES, MOST_FILE, TooLong
from server.web.frame.language import language
from server.web.frame.origin import client_address, is_forged
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
"""The start of an address, and the word of whose it is; the first that fits."""
_SEEN = frozenset({"start_letter"})
"""What is looked at: nothing was to be done."""


def about(method: str, path: str) -> str:
    """The word of the page's texts: ``error_text``, ``error_title``."""
    word = next((name for start, name in _ABOUT if path.startswith(start)), "other")
    if word == "game" and method == "POST":
        return "403_move"
    return "403" if word == "game" else f"403_{word}"


def is_deed(kind: str) -> bool:
    """Whether something was to be done that is not his to do."""
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
"""Addresses that answer machines, in their own forms."""

WITH_FILES = ("/card/record", "/enclose")
"""Ends of the addresses that take a file."""
ROOM_FOR_FIELDS = 64 * 1024
"""Octets of a form beside its file."""
FORBIDDEN = 403
UNAVAILABLE = 503
KNOWN_STATUSES = frozenset({403, 404, 405, 413, UNAVAILABLE})
log = logging.getLogger(__name__)


@web.middleware
async def frame(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Recognise, check, answer; an error becomes a page and never an open door."""
    if request.path.lower().startswith(MACHINES) and not _is_help(request):
        return await _for_machines(request, handler)
    if request.method == "POST" and (room := _room(request.path)):
        request = request.clone(client_max_size=room + ROOM_FOR_FIELDS)
    request[WORDS] = PageWords.of(language(request))
    request[PREFERENCES] = Preferences()
    try:
        if is_look(request):
            return await core(request).store.reading(lambda: _recognised(request, handler))
        return await _recognised(request, handler)
    except SignInNeeded as needed:
        raise web.HTTPSeeOther(f"/signin?next={quote(needed.next_path, safe='/')}") from None
    except TooLong as error:
        # A field that no form of ours lets grow so long.
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
    except Exception:
        log.exception("a page failed: %s %s", request.method, _route(request))
        return error_page(request, 500)


async def _for_machines(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Their own answer, or none but a status: a calendar asks again by itself."""
    try:
        return await handler(request)
    except StoreUnavailable as error:
        log.warning("an answer must wait: %s: %s", _route(request), error)
        raise web.HTTPServiceUnavailable(headers={"Retry-After": str(AGAIN_S)}) from None


async def _recognised(request: web.Request, handler: Handler) -> web.StreamResponse:
    await _recognise(request)
    if await is_forged(request):
        log.warning("a form from elsewhere was refused, from %s", request[CLIENT])
        return page(request, "frame/forged.html", status=403)
    again = await shown_again(request)
    return again or await led_on(request, await handler(request))


def _is_help(request: web.Request) -> bool:
    """Whether a person opens the address of Xfcc, which otherwise answers programs."""
    asks_page = request.method in ("GET", "HEAD") and "wsdl" not in request.query_string.lower()
    return asks_page and request.path.lower().startswith(("/xfcc/", "/xfccbasic"))


def _room(path: str) -> int:
    """Octets of the file that a form brings; 0 for all others."""
    if path == FILES:
        return MOST_FILE
    return MOST_BYTES if path.endswith(WITH_FILES) else 0


def _route(request: web.Request) -> str:
    """The address without what is secret in it: links carry keys."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "unknown"


async def _recognise(request: web.Request) -> None:
    request[CLIENT] = client_address(request)
    token = request.cookies.get(session_cookie(request))
    if not token or request.path.startswith("/static/"):
        return
    session = await signin.visitor(core(request), token)
    if session is not None:
        request[SESSION] = session
        request[PREFERENCES] = session.preferences
        request[WORDS] = PageWords.of(language(request), session.preferences)
        request[HAS_DESK] = session.has_desk


def error_page(request: web.Request, status: int) -> web.Response:
    """What went wrong, in the reader's language, and where to go from here."""
    known = status if status in KNOWN_STATUSES else (500 if status >= 500 else 400)
    kind = about(request.method, request.path) if known == FORBIDDEN else str(known)
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
    # Not «no-referrer»: with it a browser names its own site «null» when a form is sent.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
STRICT_TRANSPORT = "max-age=31536000"


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add what a handler has not set itself; for ``on_response_prepare``."""
    for name, value in FIXED.items():
        response.headers.setdefault(name, value)
    if request.app[CORE].settings.web.site.startswith("https:"):
        response.headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT)
