"""Giving notice of a long think by the link in a letter: GET shows a page, its button gives it.

Whoever has the link was mailed it; it is valid only for the move it was mailed about (§ 6.3.4).
Not for the game's own page (play/draws_and_claims.py).
"""

from aiohttp import web

from kskak.game.commands import NotifyLongThink
from kskak.game.refusals import Reason, Refusal
from kskak.play.state import GameState
from kskak.regulation.quantities import Channel, Side
from server.usecases.core.reply_keys import Position, read_think_key
from server.usecases.play.ask import Answer, Asked, ask
from server.usecases.play.game_views import GameView, game_view
from server.web.frame.context import core, words
from server.web.frame.pages import page

GONE = 410


async def _asked(request: web.Request) -> tuple[GameView, Position] | None:
    """The link's game and position; None if it is invalid or the game has moved on."""
    position = read_think_key(core(request).secret, request.match_info["key"])
    view = None if position is None else await game_view(core(request), position.game_id)
    if view is None or position is None:
        return None
    state = view.account.state
    is_now = state.position.ply == position.ply and state.to_move is position.side
    return (view, position) if is_now else None


async def question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    asked = await _asked(request)
    if asked is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    view, position = asked
    opponent = view.player(position.side.other)
    return page(request, "reflection/long_think.html", view=view, opponent=opponent)


async def give(request: web.Request) -> web.Response:
    """Give notice now; repeating it is harmless."""
    asked = await _asked(request)
    if asked is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    view, position = asked

    def build(state: GameState, side: Side) -> NotifyLongThink | Refusal:
        if state.position.ply != position.ply:
            return Refusal(Reason.STALE)
        return NotifyLongThink(side)

    person_id = view.game.person_of(position.side)
    answer = await ask(core(request), Asked(view.game.id, person_id, Channel.WEB.value, build))
    assert isinstance(answer, Answer)
    problem = "" if answer.refusal is None else words(request).refusal(answer.refusal)
    return page(request, "play/confirmed.html", problem=problem, nothing=False, raise_case=None)
