"""The outcome of a resignation, offer, claim or notice, shown on the game's page (§ 6.2.6).

The action redirects to the page with ``?done=``; a page open at the opponent's shows it in one
line. Not for the questions themselves (draws_and_claims.py).
"""

from enum import StrEnum
from typing import assert_never

from aiohttp import web

from kskak.game import events as ev
from kskak.game.events import Event
from kskak.play.state import GameState
from kskak.regulation.quantities import Result, Side
from server.usecases.play.game_views import GameView
from server.web.frame.context import words
from server.web.frame.words import PageWords


class Kind(StrEnum):
    """The questions that have a page of their own."""

    RESIGN = "resign"
    ACCEPT = "accept"
    DECLINE = "decline"
    DRAW = "draw"
    TIME = "time"
    THINK = "think"
    ADMIT = "admit"


class Outcome(StrEnum):
    """The notice afterwards. The ``OFFERED`` ones: the claim was invalid and counts as an offer."""

    RESIGNED = "resigned"
    DRAWN = "drawn"
    OFFERED = "offered"
    OFFERED_WITH_MOVE = "offered_with_move"
    DECLINED = "declined"
    CLAIMED = "claimed"
    ADMITTED = "admitted"
    NOTICED = "noticed"
    ENDED = "ended"


def outcome_of(kind: Kind, state: GameState, ply: int | None) -> Outcome:
    """The outcome, from the state afterwards; ``ply``: the position the question was asked in."""
    match kind:
        case Kind.RESIGN:
            return Outcome.RESIGNED
        case Kind.ACCEPT:
            return Outcome.DRAWN
        case Kind.DECLINE:
            return Outcome.DECLINED
        case Kind.TIME:
            return Outcome.CLAIMED
        case Kind.THINK:
            return Outcome.NOTICED
        case Kind.ADMIT:
            return Outcome.ADMITTED
        case Kind.DRAW:
            if state.result is not None:
                return Outcome.DRAWN if state.result is Result.DRAW else Outcome.ENDED
            is_moved = state.position.ply != ply
            return Outcome.OFFERED_WITH_MOVE if is_moved else Outcome.OFFERED
        case _:
            assert_never(kind)


def told_outcome(request: web.Request, view: GameView, side: Side | None) -> str:
    """The notice requested in the address, for the player who acted; "" for none."""
    done = request.query.get("done", "")
    if side is None or done not in tuple(Outcome):
        return ""
    name = view.player(side.other).name
    return words(request).words(f"endings.done.{done}", name=name)


def standing_offer(state: GameState, side: Side | None, name: str, said: PageWords) -> str:
    """The note that a player's offer stands or goes with his next move; "" if none (FIDE 9.1)."""
    if side is None or state.result is not None or state.rests:
        return ""
    if state.draw_offer is side:
        turn = "mine" if state.to_move is side else "theirs"
        return said.words(f"endings.standing.{turn}", name=name)
    return said.words("endings.prepared", name=name) if state.prepared_offer is side else ""


def heard(view: GameView, said: PageWords) -> str:
    """What an open page says has happened, other than a move; onlookers get no details."""
    last: Event | None = view.events[-1] if view.events and not view.is_onlooker else None
    match last:
        case ev.DrawDeclined():
            key = "live.happened.declined"
        case ev.DrawClaimFailed():
            key = "live.happened.claimed"
        case ev.OverstepClaimed():
            key = "live.happened.time"
        case ev.LongThinkNotified():
            key = "live.happened.think"
        case _:
            return said.words("live.other")
    return said.words(key, name=view.player(last.by).name)
