"""Draws, resignations and claims on a page of their own, with a confirmation (§ 6.2.6).

Not for a draw offered with a move (send_move.py).
"""

from typing import assert_never

from aiohttp import web

from kskak.game import commands as cmd
from kskak.game.refusals import Reason, Refusal
from kskak.play.decide import decide
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.usecases.desks.overview import cases_of_game
from server.usecases.play.game_views import GameView
from server.usecases.play.reading import FieldReader, TextProblem
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.move_problems import problem_text
from server.web.frame.pages import new_key, page
from server.web.frame.time_left import reckoning
from server.web.play.game_page import own_game
from server.web.play.outcomes import Kind, outcome_of
from server.web.play.send_command import ask_once


def _kind(request: web.Request) -> Kind:
    try:
        return Kind(request.match_info["kind"])
    except ValueError:
        raise web.HTTPNotFound from None


async def question(request: web.Request) -> web.Response:
    """The question, with a button; nothing happens yet."""
    view, _, side = await own_game(request)
    return _question_page(request, view, side)


def _question_page(
    request: web.Request, view: GameView, side: Side, text: str = "", problem: str = ""
) -> web.Response:
    kind = _kind(request)
    moot = _moot(kind, view, side)
    return page(
        request,
        "play/end.html",
        status=PROBLEM_STATUS if problem else 200,
        view=view,
        kind=kind.value,
        opponent=view.player(side.other),
        key=new_key(),
        text=text,
        problem=problem,
        moot="" if moot is None else words(request).refusal(moot),
        is_unsettled=moot is not None and moot.reason is Reason.OUTAGE_UNSETTLED,
        reckoning=reckoning(view, side) if kind is Kind.TIME else (),
    )


def _moot(kind: Kind, view: GameView, side: Side) -> Refusal | None:
    """Why the question is moot; None if an answer would have an effect."""
    state = view.account.state
    if kind is Kind.DRAW and state.result is None and state.to_move is side:
        return None  # only a claim decides whether it is valid (FIDE 9.4)
    command = cmd.ClaimDraw(side, state.position.ply) if kind is Kind.DRAW else _plain(kind, side)
    decided = decide(state, command, view.today, state.terms.rules)
    if isinstance(decided, Refusal):
        return decided
    is_undone = kind is Kind.TIME and view.account.overstep is None
    return Refusal(Reason.OUTAGE_UNSETTLED) if is_undone else None


@stands_on(question)
async def do(request: web.Request) -> web.Response:
    """Do it once, or show why not."""
    view, person, side = await own_game(request)
    form = await form_of(request)
    kind, stamp = _kind(request), form.typed("ply")
    ply = view.ply_of(stamp)
    said, text = words(request), form.text("text", 80)
    if stamp and ply < 0:  # asked about a position that was set back since
        return _question_page(request, view, side, text, said.refusal(Refusal(Reason.STALE)))

    def build(state: GameState, by: Side) -> cmd.Command | TextProblem:
        return _command(kind, state, by, (text, ply), (said.reads, view))

    key = form.text("key", 64) or f"{kind.value}-{ply}-{view.game.seq}"
    answer = await ask_once(request, person, build, key)
    if isinstance(answer, Refusal):
        return _question_page(request, view, side, text, said.refusal(answer))
    if answer is not None and answer.refusal is not None:
        return _question_page(request, view, side, text, said.refusal(answer.refusal))
    if answer is not None and answer.problem is not None:
        raise Fault("text", problem_text(said, view.account.state, answer.problem))
    if kind is Kind.TIME:
        opened = await cases_of_game(core(request), person, view.game)
        if opened:
            raise web.HTTPSeeOther(f"/desk/cases/{opened[0].number}")
    after = view.account.state if answer is None else answer.state
    raise web.HTTPSeeOther(f"/games/{view.game.id}?done={outcome_of(kind, after, ply).value}")


def _command(
    kind: Kind, state: GameState, by: Side, asked: tuple[str, int], reader: tuple[str, GameView]
) -> cmd.Command | TextProblem:
    return _draw_claim(state, by, asked, reader) if kind is Kind.DRAW else _plain(kind, by)


def _plain(kind: Kind, by: Side) -> cmd.Command:
    """Commands that need no input. A draw claim needs its position."""
    match kind:
        case Kind.RESIGN:
            return cmd.Resign(by)
        case Kind.ACCEPT:
            return cmd.AcceptDraw(by)
        case Kind.DECLINE:
            return cmd.DeclineDraw(by)
        case Kind.TIME:
            return cmd.ClaimOverstep(by)
        case Kind.THINK:
            return cmd.NotifyLongThink(by)
        case Kind.ADMIT:
            return cmd.AdmitOverstep(by)
        case Kind.DRAW:
            raise ValueError("a claim of a draw is for a position")
        case _:
            assert_never(kind)


def _draw_claim(
    state: GameState, by: Side, asked: tuple[str, int], reader: tuple[str, GameView]
) -> cmd.Command | TextProblem:
    """A claim for the position on the board, or after the intended move (FIDE 9.2)."""
    text, ply = asked
    if not text:
        return cmd.ClaimDraw(by, ply)
    reads, view = reader
    read = FieldReader(text, ply, False, view.today, reads)(state, by)
    if isinstance(read, TextProblem):
        return read
    return cmd.ClaimDraw(by, ply, read.plies[-1])
