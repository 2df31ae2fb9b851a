"""Draws, resignations and claims on a page of their own, with a confirmation (§ 6.2.6).

Not for a draw offered with a move (send_move.py).
"""

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.cases.case_events import CaseKind
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.play.decide_command import decide
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from mail.game_letters.no_move_letters import dispute_text
from server.store.engine.connection import UnknownGame
from server.usecases.cases import case_actions, case_decisions
from server.usecases.cases.case_actions import takeover_of
from server.usecases.desks.desk_overview import cases_of_game
from server.usecases.play.game_requests import FieldReader, GameRequestOutcome, TextProblem
from server.usecases.play.game_views import GameView
from server.web.cases.case_texts import load_case_words
from server.web.frame.context import GAME, PageRoutes, core, get_words, signed_in
from server.web.frame.forms import PROBLEM_STATUS, FormFault, form_of, stands_on
from server.web.frame.page_texts import problem_text, reckoning
from server.web.frame.pages import new_key, page
from server.web.play.game_page import find_visible_game, own_game
from server.web.play.game_parts import GameQuestion, find_question_outcome
from server.web.play.send_move import ask_once, why_not

routes = PageRoutes()


def _kind(request: web.Request) -> GameQuestion:
    try:
        return GameQuestion(request.match_info["kind"])
    except ValueError:
        raise web.HTTPNotFound from None


@routes.get(f"{GAME}/end/{{kind}}")
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
        moot="" if moot is None else get_words(request).refusal(moot),
        is_unsettled=moot is not None and moot.reason is Reason.OUTAGE_UNSETTLED,
        reckoning=reckoning(view, side) if kind is GameQuestion.TIME else (),
    )


def _moot(kind: GameQuestion, view: GameView, side: Side) -> Refusal | None:
    """Why the question is moot; None if an answer would have an effect."""
    state = view.account.state
    if kind is GameQuestion.DRAW and state.result is None and state.to_move is side:
        return None  # only a claim decides whether it is valid (FIDE 9.4)
    is_draw = kind is GameQuestion.DRAW
    command = cmd.ClaimDraw(side, state.position.ply) if is_draw else _PLAIN[kind](side)
    decided = decide(state, command, view.today)
    if isinstance(decided, Refusal):
        return decided
    is_undone = kind is GameQuestion.TIME and view.account.overstep is None
    return Refusal(Reason.OUTAGE_UNSETTLED) if is_undone else None


@routes.post(f"{GAME}/end/{{kind}}")
@stands_on(question)
async def do(request: web.Request) -> web.Response:
    """Do it once, or show why not."""
    view, person, side = await own_game(request)
    form = await form_of(request)
    kind, stamp = _kind(request), form.typed("ply")
    ply = view.ply_of(stamp)
    said, text = get_words(request), form.text("text", 80)
    if stamp and ply < 0:  # asked about a position that was set back since
        return _question_page(request, view, side, text, said.refusal(Refusal(Reason.STALE)))

    def build(state: GameState, by: Side) -> cmd.Command | TextProblem:
        if kind is GameQuestion.DRAW:
            return _draw_claim(state, by, (text, ply), (said.reads, view))
        return _PLAIN[kind](by)

    key = form.text("key", 64) or f"{kind.value}-{ply}-{view.game.seq}"
    answer = await ask_once(request, person, build, key)
    refusal, unread = why_not(answer)
    if refusal is not None:
        return _question_page(request, view, side, text, said.refusal(refusal))
    if unread is not None:
        raise FormFault("text", problem_text(said, view.account.state, unread))
    if kind is GameQuestion.TIME:
        opened = await cases_of_game(core(request), person, view.game)
        if opened:
            raise web.HTTPSeeOther(f"/desk/cases/{opened[0].number}")
    after = answer.state if isinstance(answer, GameRequestOutcome) else view.account.state
    raise web.HTTPSeeOther(
        f"/games/{view.game.id}?done={find_question_outcome(kind, after, ply).value}"
    )


_Plain = (
    cmd.Resign
    | cmd.AcceptDraw
    | cmd.DeclineDraw
    | cmd.ClaimOverstep
    | cmd.NotifyLongThink
    | cmd.AdmitOverstep
)
_PLAIN: dict[GameQuestion, type[_Plain]] = {
    GameQuestion.RESIGN: cmd.Resign,
    GameQuestion.ACCEPT: cmd.AcceptDraw,
    GameQuestion.DECLINE: cmd.DeclineDraw,
    GameQuestion.TIME: cmd.ClaimOverstep,
    GameQuestion.THINK: cmd.NotifyLongThink,
    GameQuestion.ADMIT: cmd.AdmitOverstep,
}
"""Commands that need no input. A draw claim needs its position."""


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


# Opening a case by a player's objection or an official's question about a game (§ 6.4.1).

LONGEST = 20_000
TAKEOVER = CaseKind.TAKEOVER.value
OVERSTEP = CaseKind.OVERSTEP.value
KINDS = (
    CaseKind.DAYS,
    CaseKind.FAULTY,
    CaseKind.LEAVE,
    CaseKind.SILENCE,
    CaseKind.RESULT,
    CaseKind.CONDUCT,
    CaseKind.OVERSTEP,
    CaseKind.OTHER,
)
"""The kinds offered here; an overstep shown by the account has a page of its own."""


@routes.get(f"{GAME}/object")
async def ask_to_object(request: web.Request) -> web.Response:
    """The form: what the objection is about, and why."""
    person, view = signed_in(request), await _find_objection_game(request)
    kind, side = request.query.get("kind", ""), view.side_of(person.id)
    text = ""
    if kind == OVERSTEP and side is not None:
        late = side.other
        state, said = view.account.state, get_words(request).words
        text = dispute_text(state, late, view.player(late).name, said) + "\n"
    return _show_objection_form(request, view, kind=kind, text=text)


async def _find_objection_game(request: web.Request) -> GameView:
    """The game in the address; 403 for onlookers who merely follow it."""
    view = await find_visible_game(request)
    if view.is_onlooker:
        raise web.HTTPForbidden
    return view


def _show_objection_form(
    request: web.Request, view: GameView, problem: str = "", kind: str = "", text: str = ""
) -> web.Response:
    return page(
        request,
        "play/object.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        view=view,
        kinds=_kinds(request, view),
        kind=kind,
        text=text,
        problem=problem,
    )


def _kinds(request: web.Request, view: GameView) -> list[str]:
    """The kinds available for this game; only its players may object to a takeover."""
    plain = [one.value for one in KINDS]
    is_player = view.side_of(signed_in(request).id) is not None
    return [TAKEOVER, *plain] if is_player and takeover_of(view.rows) is not None else plain


@routes.post(f"{GAME}/object")
@stands_on(ask_to_object)
async def object_to(request: web.Request) -> web.Response:
    """Open the case and notify everybody in it; 403 for those neither party nor official."""
    person, view = signed_in(request), await _find_objection_game(request)
    form, d = await form_of(request), load_case_words(request)
    kind, text = form.text("kind", 20), form.text("text", LONGEST)
    if kind not in _kinds(request, view):
        raise web.HTTPBadRequest
    if not text:
        raise FormFault("text", d("missing.text"))
    try:
        case = await case_actions.object_to(
            core(request), person, view.game.id, CaseKind(kind), text
        )
    except UnknownGame:
        raise web.HTTPForbidden from None
    if isinstance(case, CaseRefusal):
        return _show_objection_form(request, view, d.refusal(case), kind, text)
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")


# A player leaves his group: what would follow, and his words to the leader (§ 6.2.8).

_PATH = r"/games/{game:\d{1,18}}/leave-group"


@routes.get(_PATH)
async def ask_to_leave(request: web.Request) -> web.Response:
    """What § 6.2.8 would make of all his games in the group, and the form."""
    return await _show_leaving_form(request, await _leaver(request))


async def _leaver(request: web.Request) -> GameView:
    """The player's own game; to the case that he has opened, once there is one.

    404 when the game is over, or a team's, whose captain has reserves.
    """
    view, person, _ = await own_game(request)
    if view.account.state.result is not None or view.group.class_ == "league":
        raise web.HTTPNotFound
    known = await case_decisions.find_undecided_case(core(request), view.group.id, person.id)
    if known is not None:
        raise web.HTTPSeeOther(f"/desk/cases/{known.number}")
    return view


async def _show_leaving_form(
    request: web.Request, view: GameView, problem: str = ""
) -> web.Response:
    player = signed_in(request).id
    return page(
        request,
        "play/leave_group.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        view=view,
        leaving=await case_decisions.judge_player_withdrawal(core(request), view.group.id, player),
        problem=problem,
    )


@routes.post(_PATH)
@stands_on(ask_to_leave)
async def leave_group(request: web.Request) -> web.Response:
    """Open the case; a second press finds it open."""
    view, form, d = await _leaver(request), await form_of(request), load_case_words(request)
    text = form.text("text", LONGEST)
    if not text:
        raise FormFault("text", d("missing.text"))
    person = signed_in(request)
    case = await case_decisions.announce(core(request), person, view.group.id, person.id, text)
    if isinstance(case, CaseRefusal):
        return await _show_leaving_form(request, view, d.refusal(case))
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")
