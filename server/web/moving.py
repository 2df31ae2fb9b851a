"""A move in two steps: first what would be sent is shown, then it is sent (§ 6.2.4).

The form carries the number of plies it was made for and a key of its own, so that an old page
can't play and a double click sends once. Not for how a move is decided (the use cases).
"""

from dataclasses import dataclass, replace

from aiohttp import web

from kskak.commands import WaiveOverstep
from kskak.quantities import Side
from kskak.refusals import Reason, Refusal
from server.usecases.texts import TextProblem
from server.usecases.views import GameView
from server.web.asking import ask_once
from server.web.board import picture
from server.web.context import words
from server.web.field import FieldReader, Typed
from server.web.forms import Form, form_of
from server.web.gamepage import Saying, game_page, own_game
from server.web.pages import new_key, page
from server.web.preview import Preview, preview
from server.web.problems import problem_text

STALE_STATUS, PROBLEM_STATUS = 409, 422
CLAIM, WAIVE = "claim", "waive"
DAYS_PARAGRAPH = {"email": "6.8.6", "postal": "6.3.1"}


@dataclass(frozen=True, slots=True)
class Entered:
    """The form of a move: what was typed, and for which position."""

    typed: Typed
    ply: int
    key: str
    overstep: str

    @staticmethod
    def of(form: Form) -> "Entered":
        """From the fields; a missing ply is none that a game has."""
        ply = form.number("ply")
        return Entered(
            typed=Typed.of(form),
            ply=-1 if ply is None else ply,
            key=form.text("key", 64) or new_key(),
            overstep=form.text("overstep", 10),
        )


async def show_preview(request: web.Request) -> web.Response:
    """Step 2: exactly what will be sent, or what is wrong with it beside the field."""
    view, _, side = await own_game(request)
    return _preview_page(request, view, side, Entered.of(await form_of(request)))


async def change(request: web.Request) -> web.Response:
    """Back to step 1, with everything that was entered."""
    view, _, _ = await own_game(request)
    entered = Entered.of(await form_of(request))
    return game_page(request, view, entered.typed, Saying())


def _reader(request: web.Request, view: GameView, entered: Entered) -> FieldReader:
    typed = entered.typed
    return FieldReader(typed.text, entered.ply, typed.offers_draw, view.today, words(request).reads)


def _preview_page(
    request: web.Request, view: GameView, side: Side, entered: Entered
) -> web.Response:
    state, said = view.account.state, words(request)
    if state.position.ply != entered.ply:
        return refused(request, view, entered.typed, Refusal(Reason.STALE))
    read = _reader(request, view, entered)(state, side)
    if isinstance(read, TextProblem):
        saying = Saying(problem=problem_text(said, state, read), status=PROBLEM_STATUS)
        return game_page(request, view, entered.typed, saying)
    made = preview(state, read, view.today, seq=view.game.seq)
    if isinstance(made, Refusal):
        return refused(request, view, entered.typed, made)
    return _confirmation(request, view, side, entered, made)


def _confirmation(
    request: web.Request, view: GameView, side: Side, entered: Entered, made: Preview
) -> web.Response:
    return page(
        request,
        "preview.html",
        view=view,
        made=made,
        entered=entered,
        side=side,
        opponent=view.player(side.other),
        days_paragraph=DAYS_PARAGRAPH[view.group.regulation],
        board=picture(made.after.board, side, made.last),
    )


def refused(request: web.Request, view: GameView, typed: Typed, refusal: Refusal) -> web.Response:
    """The game's page with the reason; a page that was too old gets the new position."""
    is_stale = refusal.reason in (Reason.STALE, Reason.NOT_YOUR_TURN)
    status = STALE_STATUS if is_stale else PROBLEM_STATUS
    saying = Saying(problem=words(request).refusal(refusal), status=status)
    return game_page(request, view, typed, saying)


async def send(request: web.Request) -> web.Response:
    """Send what the preview showed. Sent twice, it is done once."""
    view, person, side = await own_game(request)
    entered = Entered.of(await form_of(request))
    here = f"/games/{view.game.id}"
    if entered.overstep == CLAIM:
        raise web.HTTPSeeOther(f"{here}/end/time")
    if entered.overstep == WAIVE:
        await ask_once(request, person, lambda _, by: WaiveOverstep(by), f"{entered.key}-waive")
    build = _reader(request, view, entered)
    answer = await ask_once(request, person, build, entered.key, entered.typed.message)
    if answer is None:
        raise web.HTTPSeeOther(f"{here}?sent=1")
    refusal = answer if isinstance(answer, Refusal) else answer.refusal
    problem = None if isinstance(answer, Refusal) else answer.problem
    if refusal is None and problem is None:
        raise web.HTTPSeeOther(f"{here}?sent=1")
    fresh = replace(entered, key=new_key())
    now, _, _ = await own_game(request)
    if refusal is None or refusal.reason is Reason.OVERSTEP_ASKS:
        return _preview_page(request, now, side, fresh)
    return refused(request, now, entered.typed, refusal)
