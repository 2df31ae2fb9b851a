"""A game's case file, for its parties and officials; a group's games as PGN (§ 6.2.3).

Not for what is in the file (usecases/cases/file.py).
"""

import asyncio

from aiohttp import web

from kskak.archive.game_pgn import MEDIA_TYPE
from server.usecases.account import signin
from server.usecases.cases.file import as_zip, file_of_game, may_have
from server.usecases.cases.file_mails import Reader
from server.usecases.play.game_views import game_view
from server.usecases.play.transcripts import group_pgn
from server.web.frame.context import SignInNeeded, core, viewer, words
from server.web.frame.cookies import session_cookie


async def show(request: web.Request) -> web.Response:
    """The zip: everything for officials, a party's own side for a party."""
    view = await game_view(core(request), int(request.match_info["game"]))
    if view is None:
        raise web.HTTPNotFound
    person = viewer(request)
    if person is None:
        raise SignInNeeded(request.path)
    plays = view.side_of(person.id) is not None
    if not plays and not await may_have(core(request), person, view.game):
        raise web.HTTPForbidden
    reader = Reader(person.id, is_official=not plays, lang=words(request).lang)
    parts = await file_of_game(core(request), view.game.id, reader)
    data = await asyncio.to_thread(as_zip, parts)
    name = f"{view.game.name.replace('/', '-')}.zip".encode("ascii", "replace").decode()
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=data, content_type="application/zip", headers=headers)


async def group(request: web.Request) -> web.Response:
    """The games of a group that the reader may see, as PGN; 404 if there is no such group."""
    token = request.cookies.get(session_cookie(request), "")
    visitor = await signin.visitor(core(request), token) if token else None
    person = None if visitor is None else visitor.person
    text = await group_pgn(core(request), request.match_info["name"], person)
    if text is None:
        raise web.HTTPNotFound
    return web.Response(text=text, content_type=MEDIA_TYPE, charset="utf-8")
