"""What every handler finds on the app and the request, under typed keys."""

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any

from aiohttp import web

from server.store.play.people import PersonRow
from server.usecases.account.signin import Visitor
from server.usecases.core.context import Core
from server.usecases.core.preferences import Preferences
from server.web.frame.words import PageWords

CORE = web.AppKey("core", Core)
SESSION = web.RequestKey("session", Visitor)
WORDS = web.RequestKey("words", PageWords)
PREFERENCES = web.RequestKey("preferences", Preferences)
"""The reader's choices; the defaults if not signed in."""


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


def words(request: web.Request) -> PageWords:
    """The page texts in the reader's language."""
    return request[WORDS]


Page = Callable[[web.Request], Coroutine[Any, Any, web.Response]]


def one_look(handler: Page) -> Callable[[web.Request], Awaitable[web.Response]]:
    """A read-only page, which shows one moment of the database."""

    @wraps(handler)
    async def looking(request: web.Request) -> web.Response:
        return await core(request).store.reading(lambda: handler(request))

    _LOOKS.add(looking)
    return looking


_LOOKS: set[object] = set()


def is_look(request: web.Request) -> bool:
    """Whether the requested page is read-only, so its visitor is recognised at the same moment."""
    return request.method in ("GET", "HEAD") and request.match_info.handler in _LOOKS
