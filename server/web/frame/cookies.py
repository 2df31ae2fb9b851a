"""The session cookie, and the five-minute cookie of a passkey challenge."""

from aiohttp import web

from server.settings import Settings
from server.web.frame.context import core

MAX_AGE_S = 90 * 24 * 3600
ASKING_S = 5 * 60


def cookie_name(settings: Settings) -> str:
    """The cookie's name; with TLS, ``__Host-`` binds it to this host."""
    return "__Host-kskak" if settings.web.site.startswith("https:") else "kskak"


def _is_https(request: web.Request) -> bool:
    return core(request).settings.web.site.startswith("https:")


def session_cookie(request: web.Request) -> str:
    """The cookie's name on this server."""
    return cookie_name(core(request).settings)


def keep_session(request: web.Request, response: web.StreamResponse, token: str) -> None:
    """Set the session cookie."""
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
    """Delete the session cookie."""
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
    """Set the cookie that binds a passkey challenge to this browser, for five minutes."""
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
    """The secret that binds a challenge to this browser; "" if there is none."""
    return request.cookies.get(_asking_cookie(request), "")
