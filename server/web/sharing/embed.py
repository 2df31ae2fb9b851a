"""A game on another site: a small page for a frame, and the oEmbed answer that says how.

It is what a stranger may see, whoever asks, and it has no script: each step is a link. Not for the
game's own page (play/game_page.py, archive/pages.py).
"""

import re

import chess
from aiohttp import web

from kskak.archive.past_game import unpacked
from kskak.regulation.quantities import Side
from mail.looks.chosen import looks
from server.usecases.archive import views
from server.usecases.play.game_views import game_view
from server.usecases.play.who_sees import seen_view
from server.web.board.move_list import Step, texts_of
from server.web.board.step_viewer import Stepping, asked_ply
from server.web.frame.context import core, one_look
from server.web.frame.pages import environment, page

_PAGE = re.compile(r"/(games|archive)/(\d{1,18})(?:[?#].*)?")
_WIDTH, _BESIDE = 360, 150
"""The frame's width in pixels, and how much higher than the board it is."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors *",
    )
)


@one_look
async def show(request: web.Request) -> web.Response:
    """The page for a frame; 404 unless a stranger may see the game."""
    kind, number = request.match_info["kind"], int(request.match_info["game"])
    shown = await _shown(request, kind, number)
    if shown is None:
        raise web.HTTPNotFound
    whole = core(request).url(f"/{kind}/{number}")
    answer = page(request, "sharing/embed.html", shown=shown, board=shown.picture(), whole=whole)
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


async def described(request: web.Request) -> web.Response:
    """The oEmbed answer for a game's page (oembed.com, version 1.0), as JSON."""
    if request.query.get("format", "json") != "json":
        raise web.HTTPNotImplemented
    asked, site = request.query.get("url", ""), core(request).url("")
    found = _PAGE.fullmatch(asked.removeprefix(site)) if asked.startswith(site) else None
    shown = await _shown(request, found[1], int(found[2])) if found else None
    if found is None or shown is None:
        raise web.HTTPNotFound
    most = request.query.get("maxwidth", "")
    width = min(_WIDTH, int(most)) if re.fullmatch("[0-9]{1,5}", most) else _WIDTH
    title = " – ".join(shown.names)
    iframe = environment().get_template("sharing/parts.html").module.iframe  # type: ignore[attr-defined]
    return web.json_response(
        {
            "type": "rich",
            "version": "1.0",
            "provider_name": looks().name,
            "provider_url": core(request).url("/"),
            "title": title,
            "width": width,
            "height": width + _BESIDE,
            "html": str(iframe(f"{site}/embed/{found[1]}/{found[2]}", title, width)),
        },
        headers={"Access-Control-Allow-Origin": "*"},
    )


async def _shown(request: web.Request, kind: str, number: int) -> Stepping | None:
    """The game with the ply in the address; None unless a stranger may see it."""
    if kind == "archive":
        row = await views.game(core(request), number)
        if row is None:
            return None
        players = (row.game.white.name, row.game.black.name)
        fen, moves = row.game.fen, unpacked(row.game.moves)
    else:
        found = await game_view(core(request), number)
        view = None if found is None else await seen_view(core(request), None, found)
        if view is None:
            return None
        players = (view.white.name, view.black.name)
        fen = view.account.terms.fen
        moves = tuple(row.move for row in view.account.rows)
    is_flipped = request.query.get("flip") == "1"
    return Stepping(
        key=f"{kind}-{number}",
        base=f"/embed/{kind}/{number}",
        names=players,
        start=chess.Board(fen) if fen else chess.Board(),
        moves=moves,
        listed=tuple(Step(ply, text) for ply, text in enumerate(texts_of(fen, moves), 1)),
        ply=asked_ply(request, len(moves)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=(("flip", "1"),) if is_flipped else (),
    )
