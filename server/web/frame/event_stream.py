"""The stream that an open page listens to: server-sent events, one line for each changed game.

``/events``: the games of who is signed in, or whose API token is shown. ``/events?game=ID``: one
game, for who may see its page.
The right is asked for when a stream begins, and each begins anew after ``LIFE_S``; it carries no
more than that something has happened. A stream of who only follows ends when that does
(jobs/live.py). Not for what a page then does (static/live.js).
"""

import asyncio
import json

from aiohttp import web

from server.store.account import ways_in as access
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.usecases.play.open_pages import GameNews, Hub, Missed, News, Over, Stream, begin
from server.usecases.play.who_sees import enters, stands_open
from server.web.frame.context import CLIENT, core, viewer

HUB = web.AppKey("hub", Hub)
BEAT_S = 20.0
"""Seconds between two signs of life: proxies cut what is silent for half a minute."""
LIFE_S = 15 * 60.0
SLOW_S = 20.0
"""Seconds that a page may take to accept a line before it is left."""
RETRY_MS = 3000
REPLACED_MS = 20_000
"""When a page comes back whose place a newer one took: they take turns without a scramble."""
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    # nginx keeps an answer back until it is whole unless it is told not to.
    "X-Accel-Buffering": "no",
}


async def listen(request: web.Request) -> web.StreamResponse:
    """The stream; 403 or 404 for what one may not hear, 503 where too many listen."""
    stream = await _stream(request)
    stream.is_gone = lambda: request.transport is None or request.transport.is_closing()
    hub = request.app[HUB]
    if not hub.open(stream):
        return web.Response(status=503, text="too many streams\n")
    try:
        if stream.follows is not None and not await stands_open(core(request), stream.follows):
            raise web.HTTPForbidden  # it was switched off before the hub had the stream
        known = request.headers.get("Last-Event-ID") or request.query.get("after", "")
        await begin(core(request), stream, known[:40])
        return await _answer(request, stream)
    finally:
        hub.close(stream)


async def _listener(request: web.Request) -> PersonRow | None:
    """Who listens: by the web session, or a program by its API token. 401 for a dead token."""
    shown = request.headers.get("Authorization")
    if shown is None:
        return viewer(request)
    scheme, _, token = shown.partition(" ")
    person = None
    if scheme.lower() == "bearer":
        digest = access.digest(token.strip())
        person = await core(request).store.look(lambda conn: access.owner_of_token(conn, digest))
    if person is None:
        raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
    return person


async def _stream(request: web.Request) -> Stream:
    person, wanted = await _listener(request), request.query.get("game")
    visitor = request[CLIENT] if person is None else person.id
    if wanted is None:
        if person is None:
            raise web.HTTPForbidden
        return Stream(visitor, person.id, None)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) <= 18):
        raise web.HTTPNotFound
    async with core(request).store.read() as conn:
        game = await game_rows.load(conn, int(wanted))
    if game is None:
        raise web.HTTPNotFound
    if game.result is not None or await enters(core(request), person, game):
        return Stream(visitor, None, game.id)
    if not await stands_open(core(request), game.group_id):
        raise web.HTTPForbidden
    return Stream(visitor, None, game.id, follows=game.group_id)


async def _answer(request: web.Request, stream: Stream) -> web.StreamResponse:
    response = web.StreamResponse(headers=HEADERS)
    loop = asyncio.get_running_loop()
    until = loop.time() + LIFE_S
    text: str | None = _first(stream)
    try:
        await response.prepare(request)
        while text is not None:
            await asyncio.wait_for(response.write(text.encode()), SLOW_S)
            lasts = loop.time() < until and not stream.is_over
            text = await _next(stream) if lasts else None
    except (ConnectionError, TimeoutError):
        pass  # the page is gone, or takes nothing: it comes back with what it knew
    return response


def _first(stream: Stream) -> str:
    """What was missed, and only then what the page knows: a cut between the two loses nothing."""
    missed = "".join(line_of(one) for one in stream.take())
    return f"retry: {RETRY_MS}\n\n{missed}id: {stream.cursor}\nevent: known\ndata: {{}}\n\n"


async def _next(stream: Stream) -> str | None:
    """What is written next; None: the end."""
    if not await stream.wait(BEAT_S):
        return ": still here\n\n"
    text = "".join(line_of(one) for one in stream.take())
    return text or None if stream.is_over else text


def line_of(news: News) -> str:
    """One event as the protocol writes it."""
    match news:
        case GameNews(cursor=cursor, game_id=game_id, seq=seq):
            data = json.dumps({"game": game_id, "seq": seq})
            return f"id: {cursor}\nevent: game\ndata: {data}\n\n"
        case Missed(cursor=cursor):
            return f"id: {cursor}\nevent: missed\ndata: {{}}\n\n"
        case Over(is_replaced=True):
            return f"retry: {REPLACED_MS}\n\n"
        case _:
            return ""


async def end_streams(app: web.Application) -> None:
    """The server stops: no page holds it up; for ``on_shutdown``."""
    app[HUB].end()
