"""The session's cookie, and for five minutes that of a passkey's challenge."""

from aiohttp import web

from server.settings import Settings
from server.web.frame.context import core

MAX_AGE_S = 90 * 24 * 3600
ASKING_S = 5 * 60


def cookie_name(settings: Settings) -> str:
    """The cookie's name; ``__Host-`` binds it to this host where there is TLS."""
    return "__Host-kskak" if settings.web.site.startswith("https:") else "kskak"


def _is_https(request: web.Request) -> bool:
    return core(request).settings.web.site.startswith("https:")


def session_cookie(request: web.Request) -> str:
    """The cookie's name on this server."""
    return cookie_name(core(request).settings)


def keep_session(request: web.Request, response: web.StreamResponse, token: str) -> None:
    """Give the browser its session."""
    response.set_cookie(
        session_cookie(request),
        token,
        max_age=MAX_AGE_S,
        path="/",
        httponly=True,
        secure=_is_https(request),
        samesite="Lax",
    )


def forget_session(request: web.Request, response: web.StreamResponse) -> None:
    """Take it away again."""
    response.del_cookie(
        session_cookie(request),
        path="/",
        httponly=True,
        secure=_is_https(request),
        samesite="Lax",
    )


def _asking_cookie(request: web.Request) -> str:
    return f"{session_cookie(request)}-passkey"


def keep_asking(request: web.Request, response: web.StreamResponse, secret: str) -> None:
    """Give the browser what binds a passkey's challenge to it, for five minutes."""
    response.set_cookie(
        _asking_cookie(request),
        secret,
        max_age=ASKING_S,
        path="/",
        httponly=True,
        secure=_is_https(request),
        samesite="Strict",
    )


def asking(request: web.Request) -> str:
    """What binds a challenge to this browser; "" when nothing was asked."""
    return request.cookies.get(_asking_cookie(request), "")
