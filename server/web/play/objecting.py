"""Opening a case by a player's objection or an official's question about a game (§ 6.4.1).

Not for time claims (draws_and_claims.py) or objections to a published table (groups/published.py).
"""

from aiohttp import web

from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from mail.game_letters.claims import dispute_text
from server.store.engine.errors import UnknownGame
from server.usecases.cases import deeds as cases
from server.usecases.cases.deeds import Objection
from server.usecases.cases.takeover_objections import takeover_of
from server.usecases.play.game_views import GameView
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.play.game_page import seen_game

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


async def question(request: web.Request) -> web.Response:
    """The form: what the objection is about, and why."""
    person, view = signed_in(request), await _asked_about(request)
    kind, side = request.query.get("kind", ""), view.side_of(person.id)
    text = ""
    if kind == OVERSTEP and side is not None:
        late = side.other
        state, said = view.account.state, words(request).words
        text = dispute_text(state, late, view.player(late).name, said) + "\n"
    return _asked(request, view, kind=kind, text=text)


async def _asked_about(request: web.Request) -> GameView:
    """The game in the address; 403 for onlookers who merely follow it."""
    view = await seen_game(request)
    if view.is_onlooker:
        raise web.HTTPForbidden
    return view


def _asked(
    request: web.Request, view: GameView, problem: str = "", kind: str = "", text: str = ""
) -> web.Response:
    return page(
        request,
        "play/object.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
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


@stands_on(question)
async def do(request: web.Request) -> web.Response:
    """Open the case and notify everybody in it; 403 for those neither party nor official."""
    person, view = signed_in(request), await _asked_about(request)
    form, d = await form_of(request), case_words(request)
    kind, text = form.text("kind", 20), form.text("text", LONGEST)
    if kind not in _kinds(request, view):
        raise web.HTTPBadRequest
    if not text:
        raise Fault("text", d("missing.text"))
    objection = Objection(view.game.id, CaseKind(kind), text)
    try:
        case = await cases.object_to(core(request), person, objection)
    except UnknownGame:
        raise web.HTTPForbidden from None
    if isinstance(case, CaseRefusal):
        return _asked(request, view, d.refusal(case), kind, text)
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")
