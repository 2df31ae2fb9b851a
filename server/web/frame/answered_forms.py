"""Answers every form with a redirect, so that the browser's address can be reloaded.

If a handler answers a form with a page (a refusal beside the field, a preview), the page is kept
for a while and shown under the form's address; «back» and «reload» fetch it again and never
resubmit the form. A kept page is encrypted with a key found only in that address, and is shown
only in the session it was made for: neither a copy of the database nor a shared link reveals it.
Not for where a completed action redirects to (the handlers).
"""

import hashlib
import logging
import secrets
import zlib
from typing import TYPE_CHECKING

from aiohttp import web

from server.store.account import answered_pages
from server.store.account.answered_pages import AnsweredPage
from server.store.account.ways_in import digest
from server.store.engine.errors import StoreError
from server.store.engine.types import HOUR_US
from server.web.frame.context import SESSION, core
from server.web.frame.origin import client_address
from server.web.frame.pages import AS_GZIP, answer_of, for_worker
from server.web.frame.throttle import Throttle

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEPT_US = 2 * HOUR_US
ANSWER = "answer"
"""The query parameter holding a kept page's key."""
STRANGERS = web.AppKey("strangers", Throttle)
MOST_OF_STRANGER = 60
"""Pages kept for one network address within the throttle's window."""
FAILED = 500
_NONCE = bytes(12)
"""A key encrypts only one page, so the nonce can be constant."""
log = logging.getLogger(__name__)


async def led_on(request: web.Request, answer: web.StreamResponse) -> web.StreamResponse:
    """A redirect instead of a page that answers a form; any other answer unchanged.

    If the page can't be kept now, the page itself: it matters more than its address.
    """
    if request.method != "POST" or answer.status >= FAILED:
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
        _seal(key).encrypt(_NONCE, zlib.compress(_plain(answer)), None),
        core(request).now_us + KEPT_US,
    )
    try:
        await core(request).store.transact(lambda conn: answered_pages.keep(conn, page))
    except StoreError:
        log.exception("the answer to a form can't be kept and is given at once")
        return answer
    led = web.Response(status=303, headers={"Location": f"{home(request)}?{ANSWER}={key}"})
    led.cookies.update(answer.cookies)
    return led


async def shown_again(request: web.Request) -> web.Response | None:
    """The kept page named in the address; None if it names none.

    Raises HTTPSeeOther to the address without it if it is too old or another session's.
    """
    key = request.query.get(ANSWER)
    if key is None or request.method not in ("GET", "HEAD"):
        return None
    now = core(request).now_us
    kept = await core(request).store.look(lambda conn: answered_pages.find(conn, digest(key), now))
    session = request.get(SESSION)
    own = None if session is None else session.session.digest
    if kept is None or (None if kept.session is None else bytes(kept.session)) != own:
        raise web.HTTPSeeOther(request.rel_url.without_query_params(ANSWER))
    from cryptography.exceptions import InvalidTag

    try:
        text = zlib.decompress(_seal(key).decrypt(_NONCE, bytes(kept.body), None)).decode()
    except InvalidTag:
        raise web.HTTPNotFound from None
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


def _seal(key: str) -> "AESGCM":
    # 7 MB and 7 ms, at the first form that is answered by a page and not by every start.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.sha256(b"page " + key.encode()).digest())


def _plain(answer: web.Response) -> bytes:
    body = answer.body
    octets = body if isinstance(body, bytes) else b""
    return zlib.decompress(octets, AS_GZIP) if "Content-Encoding" in answer.headers else octets
