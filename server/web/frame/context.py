"""What every handler finds on the app and the request, under typed keys."""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import wraps
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

from aiohttp import web

from mail.text.catalogue import LANGUAGES
from server.settings import Settings
from server.store.play.people import PersonRow
from server.store.tables.base import FRIENDLY
from server.usecases.account.signin import Visitor
from server.usecases.context import Core
from server.usecases.desks import database_care
from server.usecases.preferences import Preferences, choose_language
from server.web.frame.page_texts import PageWords

GAME = r"/games/{game:\d{1,18}}"
CASE = r"/desk/cases/{year:\d{4}}/{n:\d{1,9}}"
"""Addresses that pages of several modules begin with."""
RoutedHandler = TypeVar(
    "RoutedHandler", bound=Callable[[web.Request], Awaitable[web.StreamResponse]]
)


class PageRoutes(list[web.RouteDef]):
    """A module's addresses, each declared where it is answered; a handler stays what it was."""

    def get(
        self, path: str, *, allow_head: bool = True
    ) -> Callable[[RoutedHandler], RoutedHandler]:
        """What is looked at."""
        return self._declare(lambda handler: web.get(path, handler, allow_head=allow_head))

    def post(self, path: str) -> Callable[[RoutedHandler], RoutedHandler]:
        """What is done."""
        return self._declare(lambda handler: web.post(path, handler))

    def _declare(
        self, route: Callable[[RoutedHandler], web.RouteDef]
    ) -> Callable[[RoutedHandler], RoutedHandler]:
        def declared(handler: RoutedHandler) -> RoutedHandler:
            self.append(route(handler))
            return handler

        return declared


CORE = web.AppKey("core", Core)
SESSION = web.RequestKey("session", Visitor)
PAGE_WORDS = web.RequestKey("words", PageWords)
PREFERENCES = web.RequestKey("preferences", Preferences)
"""The reader's choices; the defaults if not signed in."""
SHOWS_SECRET = web.RequestKey("shows_secret", bool)
"""Set when the answer shows a token or key, which is shown once and kept nowhere in clear."""


class SignInNeeded(Exception):
    """A page that requires sign-in; ``next_path`` is where the visitor wanted to go.

    Not frozen: an exception that passes through a ``with`` gets its traceback reassigned.
    """

    def __init__(self, next_path: str) -> None:
        super().__init__(next_path)
        self.next_path = next_path


def viewer(request: web.Request) -> PersonRow | None:
    """The signed-in person, if any."""
    session = request.get(SESSION)
    return session.person if session else None


def signed_in(request: web.Request) -> PersonRow:
    """The signed-in person. Raises SignInNeeded, which leads to the sign-in page and back."""
    person = viewer(request)
    if person is None:
        raise SignInNeeded(request.path_qs if request.method == "GET" else request.path)
    return person


def core(request: web.Request) -> Core:
    """The use cases' core."""
    return request.app[CORE]


def get_words(request: web.Request) -> PageWords:
    """The page texts in the reader's language."""
    return request[PAGE_WORDS]


def speak_of(request: web.Request, group_class: str) -> None:
    """Choose the page texts for a group of that class: a friendly game has no leader."""
    if group_class == FRIENDLY:
        spoken = get_words(request)
        request[PAGE_WORDS] = replace(spoken, words=spoken.words.without_leader())


T = TypeVar("T")


def or_404(found: T | None) -> T:
    """What was looked for, else 404."""
    if found is None:
        raise web.HTTPNotFound
    return found


Page = Callable[[web.Request], Coroutine[Any, Any, web.Response]]


def read_only_page(handler: Page) -> Callable[[web.Request], Awaitable[web.Response]]:
    """A read-only page, which shows one moment of the database."""

    @wraps(handler)
    async def looking(request: web.Request) -> web.Response:
        return await core(request).store.reading(lambda: handler(request))

    _LOOKS.add(looking)
    return looking


_LOOKS: set[object] = set()


def is_read_only(request: web.Request) -> bool:
    """Whether the requested page is read-only, so its visitor is recognised at the same moment."""
    return request.method in ("GET", "HEAD") and request.match_info.handler in _LOOKS


# Limits how often one network address may request something. In memory, for one window.

WINDOW = timedelta(minutes=15)
MOST = 60
"""A club evening on one Wi-Fi fits in; each person's own letters are limited beside this."""
MOST_CLIENTS = 10_000


class Throttle:
    """Counts each client's requests within the window."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._asked: dict[str, deque[datetime]] = {}

    def allows(self, client: str, now: datetime) -> bool:
        """Whether one more request is allowed; counts it if so."""
        if len(self._asked) > MOST_CLIENTS:
            self._forget(now)
        times = self._asked.setdefault(client, deque())
        while times and now - times[0] > WINDOW:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def _forget(self, now: datetime) -> None:
        self._asked = {
            client: times
            for client, times in self._asked.items()
            if times and now - times[-1] <= WINDOW
        }


# Masks a session's token so that it looks different on every page.


def mask_token(token: str) -> str:
    """The mask, as long as the token, followed by the masked token; "" for no token."""
    plain = token.encode()
    mask = secrets.token_bytes(len(plain))
    return urlsafe_b64encode(mask + _xor_bytes(mask, plain)).decode()


def unmask_token(text: str) -> bytes:
    """The token sent with a form; b"" if it is not a masked token."""
    try:
        whole = urlsafe_b64decode(text)
    except (ValueError, Error):
        return b""
    half, rest = divmod(len(whole), 2)
    return b"" if rest else _xor_bytes(whole[:half], whole[half:])


def _xor_bytes(mask: bytes, text: bytes) -> bytes:
    return (int.from_bytes(mask) ^ int.from_bytes(text)).to_bytes(len(text))


# Where a request comes from: the client behind a proxy, and whether a form is ours.

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE = frozenset({"same-origin", "none"})
FIELD = "csrf"


def client_address(request: web.Request) -> str:
    """The client's address: the last hop that is not one of our trusted proxies.

    Of IPv6 the network (/64), which is what one client has: only who asks is to be told apart.
    """
    web_settings = core(request).settings.web
    trusted, here = web_settings.trusted_proxies, request.remote or ""
    said = request.headers.get("X-Forwarded-For", "").split(",")
    hops = [hop.strip() for hop in said if hop.strip()]
    if web_settings.socket and hops:
        here = hops.pop()  # who reaches the socket is the proxy
    while hops and _is_in(here, trusted):
        here = hops.pop()
    return _network(here)


def _network(address: str) -> str:
    try:
        known = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Network((known, 64), strict=False))


def _is_in(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    try:
        known = ip_address(address)
    except ValueError:
        return False
    return any(known in network for network in networks)


def is_here(request: web.Request) -> bool:
    """Whether the request comes from this machine itself."""
    site = core(request).settings.web.site
    return database_care.is_here(site, request.remote, request.host, request.headers)


def is_own_site(request: web.Request) -> bool:
    """Whether the browser says that the request comes from one of our pages.

    Old browsers say nothing; then only the token in the form counts.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OWN_SITE
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    public = urlsplit(core(request).settings.web.site).netloc
    return urlsplit(origin).netloc in {request.host, public}


async def is_forged(request: web.Request) -> bool:
    """Whether a request that changes something was not sent from one of our forms."""
    if request.method in SAFE_METHODS:
        return False
    if not is_own_site(request):
        return True
    session = request.get(SESSION)
    if session is None:
        return False
    form = await request.post()
    given = form.get(FIELD, "")
    own = session.session.csrf.encode()
    return not (isinstance(given, str) and hmac.compare_digest(unmask_token(given), own))


# The session cookie, and the five-minute cookie of a passkey challenge.

MAX_AGE_S = 90 * 24 * 3600
ASKING_S = 5 * 60


def cookie_name(settings: Settings) -> str:
    """The cookie's name; with TLS, ``__Host-`` binds it to this host."""
    return "__Host-kskak" if settings.web.site.startswith("https:") else "kskak"


def session_cookie(request: web.Request) -> str:
    """The cookie's name on this server."""
    return cookie_name(core(request).settings)


def _cookie(request: web.Request, samesite: str = "Lax") -> dict[str, Any]:
    is_https = core(request).settings.web.site.startswith("https:")
    return {"path": "/", "httponly": True, "secure": is_https, "samesite": samesite}


def keep_session(request: web.Request, response: web.StreamResponse, token: str) -> None:
    """Set the session cookie."""
    name = session_cookie(request)
    response.set_cookie(name, token, max_age=MAX_AGE_S, **_cookie(request))


def forget_session(request: web.Request, response: web.StreamResponse) -> None:
    """Delete the session cookie."""
    response.del_cookie(session_cookie(request), **_cookie(request))


def _asking_cookie(request: web.Request) -> str:
    return f"{session_cookie(request)}-passkey"


def keep_asking(request: web.Request, response: web.StreamResponse, secret: str) -> None:
    """Set the cookie that binds a passkey challenge to this browser, for five minutes."""
    flags = _cookie(request, "Strict")
    response.set_cookie(_asking_cookie(request), secret, max_age=ASKING_S, **flags)


def read_browser_secret(request: web.Request) -> str:
    """The secret that binds a challenge to this browser; "" if there is none."""
    return request.cookies.get(_asking_cookie(request), "")


# A page's language: the person's, else the one chosen here, else the browser's.

COOKIE = "lang"


def language(request: web.Request) -> str:
    """The language of the answer."""
    person = viewer(request)
    if person is not None and person.lang in LANGUAGES:
        return person.lang
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return choose_language(request.headers.get("Accept-Language", ""))
