"""A player leaves his group: what would follow, and his words to the leader (§ 6.2.8).

It opens a case; nothing is decided here. Not for giving up one game (send_command.py), nor for a
withdrawal that the leader enters (groups/desk.py).
"""

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from server.usecases.cases import withdrawals
from server.usecases.play.game_views import GameView
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.play.game_page import own_game

LONGEST = 20_000
_PATH = r"/games/{game:\d{1,18}}/leave-group"


async def question(request: web.Request) -> web.Response:
    """What § 6.2.8 would make of all his games in the group, and the form."""
    return await _asked(request, await _leaver(request))


async def _leaver(request: web.Request) -> GameView:
    """The player's own game; to the case that he has opened, once there is one.

    404 when the game is over, or a team's, whose captain has reserves.
    """
    view, person, _ = await own_game(request)
    if view.account.state.result is not None or view.group.class_ == "league":
        raise web.HTTPNotFound
    known = await withdrawals.undecided(core(request), view.group.id, person.id)
    if known is not None:
        raise web.HTTPSeeOther(f"/desk/cases/{known.number}")
    return view


async def _asked(request: web.Request, view: GameView, problem: str = "") -> web.Response:
    player = signed_in(request).id
    return page(
        request,
        "play/leave_group.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        view=view,
        leaving=await withdrawals.outcome_of(core(request), view.group.id, player),
        problem=problem,
    )


@stands_on(question)
async def do(request: web.Request) -> web.Response:
    """Open the case; a second press finds it open."""
    view, form, d = await _leaver(request), await form_of(request), case_words(request)
    text = form.text("text", LONGEST)
    if not text:
        raise Fault("text", d("missing.text"))
    person = signed_in(request)
    case = await withdrawals.announce(core(request), person, view.group.id, person.id, text)
    if isinstance(case, CaseRefusal):
        return await _asked(request, view, d.refusal(case))
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")


ROUTES = (web.get(_PATH, question), web.post(_PATH, do))
