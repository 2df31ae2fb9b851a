"""A move in two steps: first what would be sent is shown, then it is sent (§ 6.2.4).

The form carries the number of plies it was made for and a key of its own, so that an old page
can't play and a double click sends once. Not for how a move is decided (the use cases).
"""

from dataclasses import dataclass

from aiohttp import web

from kskak.commands import Command, SendMoves, WaiveOverstep
from kskak.quantities import Channel, Side
from kskak.refusals import Reason, Refusal
from kskak.state import GameState
from server.usecases.play import Answer, Asked, ask
from server.usecases.texts import TextProblem, command_from_text
from server.usecases.views import GameView
from server.web.board import picture
from server.web.context import core, words
from server.web.field import Typed
from server.web.forms import Form, form_of
from server.web.gamepage import Saying, game_page, own_game
from server.web.pages import new_key, page
from server.web.preview import Preview, preview
from server.web.problems import problem_text

STALE_STATUS, PROBLEM_STATUS = 409, 422
CLAIM, WAIVE = "claim", "waive"


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

    def command(self, state: GameState, side: Side) -> Command | Refusal | TextProblem:
        """What was asked for, in this state."""
        if state.position.ply != self.ply:
            return Refusal(Reason.STALE)
        typed = self.typed
        return command_from_text(
            state, side, typed.text, ply=self.ply, offers_draw=typed.offers_draw
        )


async def show_preview(request: web.Request) -> web.Response:
    """Step 2: exactly what will be sent, or what is wrong with it beside the field."""
    view, _, side = await own_game(request)
    entered = Entered.of(await form_of(request))
    return _preview_page(request, view, side, entered)


def _preview_page(
    request: web.Request, view: GameView, side: Side, entered: Entered
) -> web.Response:
    state, said = view.account.state, words(request)
    read = entered.command(state, side)
    match read:
        case Refusal():
            return refused(request, view, entered.typed, read)
        case TextProblem():
            saying = Saying(problem=problem_text(said, read), status=PROBLEM_STATUS)
            return game_page(request, view, entered.typed, saying)
        case SendMoves():
            made = preview(state, read, view.today, seq=view.game.seq)
        case _:
            saying = Saying(problem=said.t("game.not_a_move"), status=PROBLEM_STATUS)
            return game_page(request, view, entered.typed, saying)
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
        opponent=view.black if side is Side.WHITE else view.white,
        board=picture(made.after.board, side, made.last),
    )


def refused(
    request: web.Request, view: GameView, typed: Typed, refusal: Refusal
) -> web.Response:
    """The game's page with the reason; a page that was too old gets the new position."""
    is_stale = refusal.reason in (Reason.STALE, Reason.NOT_YOUR_TURN)
    status = STALE_STATUS if is_stale else PROBLEM_STATUS
    saying = Saying(problem=words(request).refusal(refusal), status=status)
    return game_page(request, view, typed, saying)


async def send(request: web.Request) -> web.Response:
    """Send what the preview showed. Sent twice, it is done once."""
    view, person, side = await own_game(request)
    entered = Entered.of(await form_of(request))
    if entered.overstep == CLAIM:
        raise web.HTTPSeeOther(f"/games/{view.game.id}/end/time")
    if entered.overstep == WAIVE:
        await ask(
            core(request),
            Asked(
                game_id=view.game.id,
                person_id=person.id,
                channel=Channel.WEB,
                build=lambda _, by: WaiveOverstep(by),
                idempotency=f"{entered.key}-waive",
            ),
        )

    def build(state: GameState, by: Side) -> Command | Refusal:
        read = entered.command(state, by)
        return Refusal(Reason.ILLEGAL) if isinstance(read, TextProblem) else read

    answer = await ask(
        core(request),
        Asked(
            game_id=view.game.id,
            person_id=person.id,
            channel=Channel.WEB,
            build=build,
            message=entered.typed.message,
            idempotency=entered.key,
        ),
    )
    return await _answered(request, entered, answer)


async def _answered(request: web.Request, entered: Entered, answer: Answer) -> web.Response:
    if answer.refusal is None:
        raise web.HTTPSeeOther(f"/games/{request.match_info['game']}?sent=1")
    view, _, side = await own_game(request)
    if answer.refusal.reason is Reason.OVERSTEP_ASKS:
        return _preview_page(request, view, side, entered)
    return refused(request, view, entered.typed, answer.refusal)
