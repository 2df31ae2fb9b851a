"""The stream that open pages listen to: server-sent events, one for each changed game.

``/events``: the games of the signed-in person or the API token's owner. ``/events?game=ID``: one
game, for those who may see its page.
Access is checked when a stream begins. Each ends after ``LIFE_S`` to be reopened, or a minute after
the session or token that opened it at most; it says only that something has happened. A follower's
stream ends when following is switched off (jobs/notify.py). Not for what a page then does
(static/live.js).
"""

import asyncio
import json

from aiohttp import web

from server.store.account import sign_in as access
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.usecases.play.game_views import enters, stands_open
from server.usecases.play.open_pages import (
    GameNews,
    Hub,
    MissedNews,
    News,
    Stream,
    StreamEnd,
    begin,
)
from server.web.frame.context import (
    PageRoutes,
    client_address,
    core,
    or_404,
    session_cookie,
    viewer,
)

routes = PageRoutes()

HUB = web.AppKey("hub", Hub)
BEAT_S = 20.0
"""Seconds between heartbeats: proxies cut connections silent for half a minute."""
LIFE_S = 15 * 60.0
PROOF_S = 40.0
"""Seconds after which it is asked whether what opened a stream, session or token, still stands."""
SLOW_S = 20.0
"""Seconds that a page may take to accept a line before it is dropped."""
RETRY_MS = 3000
REPLACED_MS = 20_000
"""The retry delay of a page displaced by a newer one, so that they take turns calmly."""
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    # By default nginx buffers an answer until it is complete.
    "X-Accel-Buffering": "no",
}


@routes.get("/events", allow_head=False)
async def listen(request: web.Request) -> web.StreamResponse:
    """The stream; 403 or 404 for games one may not see, 503 if too many listen."""
    stream = await _stream(request)
    stream.is_gone = lambda: request.transport is None or request.transport.is_closing()
    hub = request.app[HUB]
    if not hub.open(stream):
        return web.Response(status=503, text="too many streams\n")
    try:
        if stream.follows is not None and not await stands_open(core(request), stream.follows):
            raise web.HTTPForbidden  # switched off before the hub had the stream
        known = request.headers.get("Last-Event-ID") or request.query.get("after", "")
        await begin(core(request), stream, known[:40])
        return await _answer(request, stream)
    finally:
        hub.close(stream)


async def _listener(request: web.Request) -> PersonRow | None:
    """The listener, by web session or API token. Raises HTTPUnauthorized for an invalid token."""
    shown = request.headers.get("Authorization")
    if shown is None:
        return viewer(request)
    scheme, _, token = shown.partition(" ")
    person = None
    if scheme.lower() == "bearer":
        digest = access.digest(token.strip())
        at = core(request)
        owner = await at.store.look(lambda conn: access.owner_of_token(conn, digest, at.now_us))
        person = None if owner is None else owner.person
    if person is None:
        raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
    return person


async def _stream(request: web.Request) -> Stream:
    person, wanted = await _listener(request), request.query.get("game")
    visitor = client_address(request) if person is None else person.id
    if wanted is None:
        if person is None:
            raise web.HTTPForbidden
        return Stream(visitor, person.id, None)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) <= 18):
        raise web.HTTPNotFound
    game = or_404(await core(request).store.query(game_rows.load, int(wanted)))
    if game.result is not None or await enters(core(request), person, game):
        return Stream(visitor, None, game.id)
    if not await stands_open(core(request), game.group_id):
        raise web.HTTPForbidden
    return Stream(visitor, None, game.id, follows=game.group_id)


async def _answer(request: web.Request, stream: Stream) -> web.StreamResponse:
    response = web.StreamResponse(headers=HEADERS)
    loop = asyncio.get_running_loop()
    asked = loop.time()
    until = asked + LIFE_S
    text: str | None = _first(stream)
    try:
        await response.prepare(request)
        while text is not None:
            await asyncio.wait_for(response.write(text.encode()), SLOW_S)
            if loop.time() >= asked + PROOF_S:
                asked = loop.time()
                if not await _still_stands(request):
                    break
            lasts = loop.time() < until and not stream.is_over
            text = await _next(stream) if lasts else None
    except (ConnectionError, TimeoutError):
        pass  # the page is gone or stuck: it reconnects with its last id
    return response


async def _still_stands(request: web.Request) -> bool:
    """Whether the session or token that opened a stream does; a stranger's needs neither."""
    if request.headers.get("Authorization") is not None:
        try:
            return await _listener(request) is not None
        except web.HTTPUnauthorized:
            return False
    if viewer(request) is None:
        return True
    at, secret = core(request), request.cookies.get(session_cookie(request), "")
    found = await at.store.look(lambda conn: access.find_session(conn, secret, at.now_us))
    return found is not None


def _first(stream: Stream) -> str:
    """Missed events first, then the cursor, so that a cut between the two loses nothing."""
    missed = "".join(write_event(one) for one in stream.take())
    return f"retry: {RETRY_MS}\n\n{missed}id: {stream.cursor}\nevent: known\ndata: {{}}\n\n"


async def _next(stream: Stream) -> str | None:
    """The next text to write; None at the end."""
    if not await stream.wait(BEAT_S):
        return ": still here\n\n"
    text = "".join(write_event(one) for one in stream.take())
    return text or None if stream.is_over else text


def write_event(news: News) -> str:
    """One event in the protocol's format."""
    match news:
        case GameNews(cursor=cursor, game_id=game_id, seq=seq):
            data = json.dumps({"game": game_id, "seq": seq})
            return f"id: {cursor}\nevent: game\ndata: {data}\n\n"
        case MissedNews(cursor=cursor):
            return f"id: {cursor}\nevent: missed\ndata: {{}}\n\n"
        case StreamEnd(is_replaced=True):
            return f"retry: {REPLACED_MS}\n\n"
        case _:
            return ""


async def end_streams(app: web.Application) -> None:
    """End all streams so that they do not delay shutdown; for ``on_shutdown``."""
    app[HUB].end()
