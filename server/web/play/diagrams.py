"""Pictures of positions and a game's PGN, for use in other programs.

A picture shows a game's position, or a line tried from it (``moves``, as written by the board in
the browser). Not for diagrams in letters (the mail package).
"""

import asyncio

import chess
from aiohttp import web

from kskak.archive.game_pgn import MEDIA_TYPE, pgn
from kskak.archive.past_game import unpacked
from kskak.regulation.quantities import Side
from mail.outgoing.picture import Drawn, png
from server.usecases.core.preferences import Preferences
from server.usecases.play.transcripts import facts_of
from server.web.archive.pages import found_game, start_of
from server.web.board.move_list import opening
from server.web.board.step_viewer import asked_line, asked_ply, board_after
from server.web.frame.context import PREFERENCES, viewer
from server.web.play.game_page import seen_game


async def game_picture(request: web.Request) -> web.Response:
    """A position in a game that the viewer may see, as PNG, with his own pieces below."""
    view = await seen_game(request)
    person = viewer(request)
    mine = view.side_of(person.id) if person is not None else None
    moves = tuple(row.move for row in view.account.rows)
    return await _picture(request, opening(view.account), moves, mine or Side.WHITE)


async def archive_picture(request: web.Request) -> web.Response:
    """A position in an archive game, as PNG."""
    played = (await found_game(request)).game
    return await _picture(request, start_of(played), unpacked(played.moves), Side.WHITE)


async def _picture(
    request: web.Request, start: chess.Board, moves: tuple[chess.Move, ...], side: Side
) -> web.Response:
    ply = asked_ply(request, len(moves))
    here = board_after(start, moves[:ply])
    line = asked_line(request, here)
    last = (*moves[:ply], *line)
    below = side.other if request.query.get("flip") == "1" else side
    board = board_after(here, line)
    chosen = request.get(PREFERENCES, Preferences())
    drawn = Drawn(chosen.pieces.value, chosen.board.value)
    data = await asyncio.to_thread(png, board, last[-1] if last else None, below, drawn)
    headers = {"Content-Disposition": f'inline; filename="{_name(request)}-{len(last)}.png"'}
    return web.Response(body=data, content_type="image/png", headers=headers)


def _name(request: web.Request) -> str:
    return f"{request.path.split('/')[1]}-{request.match_info['game']}"


async def game_pgn(request: web.Request) -> web.Response:
    """A game that the viewer may see, as a PGN file for chess programs."""
    view = await seen_game(request)
    facts = facts_of(view.group.tournament, view.game, view.account, view.hands)
    kept = (char if char.isascii() and char.isalnum() else "-" for char in view.game.name)
    plain = "".join(kept)
    headers = {"Content-Disposition": f'attachment; filename="{plain}.pgn"'}
    text = pgn(view.account, facts)
    return web.Response(text=text, content_type=MEDIA_TYPE, charset="utf-8", headers=headers)
