"""A player's planned answer: his own reminder in the move field when its position has come.

It is never sent by itself, and nobody else sees it. Not for the tree that it stands in
(own_side_page.py).
"""

from dataclasses import dataclass

from aiohttp import web

from mail.text.facts import MoveText, move_texts
from server.usecases.play.game_views import GameView
from server.usecases.play.private_analysis import plan_for
from server.web.frame.context import viewer, words
from server.web.frame.forms import FORM
from server.web.play.move_field import Typed
from server.web.play.own_side import OwnSide


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer noted for this position; ``text`` as the field reads it."""

    move: MoveText
    text: str


def plan_of(request: web.Request, view: GameView, own: OwnSide | None) -> Plan | None:
    """His plan, while the move is his, he has entered nothing and no series is offered to him."""
    state, said = view.account.state, words(request)
    person = viewer(request)
    is_his = person is not None and view.side_of(person.id) is state.to_move
    if own is None or not is_his or request.get(FORM) is not None or state.proposal:
        return None
    move = plan_for(view.account, own.has.tree, said.lang)
    if move is None:
        return None
    return Plan(move_texts(state.board, (move,))[0], said.letters(state.board, move))


def fields(
    request: web.Request, view: GameView, own: OwnSide | None, typed: Typed, begun: str
) -> dict[str, object]:
    """What stands in the fields: what was typed, else a series' beginning, else his plan."""
    plan = None if typed.text or begun else plan_of(request, view, own)
    text = typed.text or begun or ("" if plan is None else plan.text)
    return {"typed": Typed(text, typed.offers_draw, typed.message), "plan": plan}
