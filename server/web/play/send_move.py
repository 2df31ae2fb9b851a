"""A move in two steps: a preview of what would be sent, then sending (§ 6.2.4).

The form carries the ply it was made for and its own key, so that a stale page can't play and a
double click sends once. Not for how a move is decided (the use cases).
"""

from dataclasses import dataclass, replace
from datetime import date

import chess
from aiohttp import web

from kskak.game.commands import Command, SendMoves, WaiveOverstep
from kskak.game.events import MoveSent
from kskak.game.refusals import Reason, Refusal
from kskak.play.account_log import AccountLog, Charge, Dates
from kskak.play.decide import decide
from kskak.play.evolve import evolve
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.text.facts import Dispatch, dispatch_of
from server.usecases.play.ask import Answer
from server.usecases.play.delayed_moves import due_at, forget, waiting_in
from server.usecases.play.game_views import GameView
from server.usecases.play.reading import FieldReader, TextProblem
from server.web.board.picture import picture
from server.web.frame.context import PREFERENCES, core, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.move_problems import meant, problem_text
from server.web.frame.pages import new_key, page
from server.web.play.game_page import Saying, game_page, own_game, show
from server.web.play.move_field import Typed
from server.web.play.own_side import own_side
from server.web.play.send_command import ask_once


@dataclass(frozen=True, slots=True)
class Preview:
    """A dispatch before it is sent. ``must_answer_overstep``: the opponent has overstepped and
    the sender has not said whether he claims (§ 6.3.3.4)."""

    dispatch: Dispatch
    after: GameState
    last: chess.Move
    dates: Dates
    charges: tuple[Charge, ...]
    total: int
    limit: int
    must_answer_overstep: bool


def preview(
    state: GameState, command: SendMoves, today: date, *, seq: int = 0
) -> Preview | Refusal:
    """The dispatch as it would count today, or why it can't be sent."""
    asked, here = False, state
    events = decide(here, command, today, here.terms.rules)
    if isinstance(events, Refusal) and events.reason is Reason.OVERSTEP_ASKS:
        asked, here = True, _waived(state, command.by, today)
        events = decide(here, command, today, here.terms.rules)
    if isinstance(events, Refusal):
        return events
    log = AccountLog()
    after = here
    for offset, event in enumerate(events):
        after = evolve(after, event, seq + offset, log)
    sent = next(event for event in events if isinstance(event, MoveSent))
    bound = log.rows[-1].move if len(log.rows) > len(sent.plies) else None
    own = next(row for row in reversed(log.rows) if row.by is command.by)
    return Preview(
        dispatch=dispatch_of(here.position, sent, bound),
        after=after,
        last=log.rows[-1].move,
        dates=own.dates,
        charges=tuple(log.charges),
        total=after.clock(command.by).total,
        limit=after.limit_of(command.by),
        must_answer_overstep=asked,
    )


def _waived(state: GameState, by: Side, today: date) -> GameState:
    waive: Command = WaiveOverstep(by)
    events = decide(state, waive, today, state.terms.rules)
    if isinstance(events, Refusal):
        return state
    for event in events:
        state = evolve(state, event, 0)
    return state


STALE_STATUS = 409
CLAIM, WAIVE = "claim", "waive"
LATER = 10
"""Minutes of delay by the second button, for those who have not chosen to delay all moves."""
DAYS_PARAGRAPH = {"email": "6.8.6", "postal": "6.3.1"}


@dataclass(frozen=True, slots=True)
class Entered:
    """The move form: what was typed, and for which position."""

    typed: Typed
    ply: int
    key: str
    overstep: str

    @staticmethod
    def of(form: Form, view: GameView) -> "Entered":
        """From the fields, or the button «I meant …»."""
        meant_move = form.text("meant", 10)
        typed = Typed.of(form)
        return Entered(
            typed=replace(typed, text=meant_move) if meant_move else typed,
            ply=view.ply_of(form.typed("ply")),
            key=form.text("key", 64) or new_key(),
            overstep=form.text("overstep", 10),
        )


@dataclass(frozen=True, slots=True)
class Looked:
    """A dispatch as parsed, and what it would do."""

    command: SendMoves
    made: Preview


def look(
    request: web.Request, view: GameView, side: Side, entered: Entered
) -> Looked | Refusal | TextProblem:
    """What would be sent now, or what is wrong with it."""
    state = view.account.state
    if state.position.ply != entered.ply:
        return Refusal(Reason.STALE)
    read = _reader(request, view, entered)(state, side)
    if isinstance(read, TextProblem):
        return read
    made = preview(state, read, view.today, seq=view.game.seq)
    return made if isinstance(made, Refusal) else Looked(read, made)


def _minutes(request: web.Request, view: GameView, made: Preview) -> tuple[int, bool]:
    """Minutes the move may be delayed, 0 for none; and whether its player chose to delay moves."""
    wished = request[PREFERENCES].undo.minutes
    minutes = wished or LATER
    if made.must_answer_overstep:
        return 0, False
    can_wait = due_at(core(request).clock.now(), minutes, view.game.zone) is not None
    return (minutes, wished > 0) if can_wait else (0, False)


@stands_on(show)
async def show_preview(request: web.Request) -> web.Response:
    """Step 2: exactly what will be sent, or what is wrong, shown beside the field."""
    view, _, side = await own_game(request)
    return await preview_page(request, view, side, Entered.of(await form_of(request), view))


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Back to step 1, with everything that was entered."""
    view, _, _ = await own_game(request)
    entered = Entered.of(await form_of(request), view)
    return await game_page(request, view, entered.typed, Saying(own=await own_side(request, view)))


def _reader(request: web.Request, view: GameView, entered: Entered) -> FieldReader:
    typed = entered.typed
    return FieldReader(typed.text, entered.ply, typed.offers_draw, view.today, words(request).reads)


async def preview_page(
    request: web.Request, view: GameView, side: Side, entered: Entered, *, problem: str = ""
) -> web.Response:
    """The preview page; ``problem``: why the move can't be delayed."""
    looked = look(request, view, side, entered)
    if isinstance(looked, TextProblem):
        state = view.account.state
        saying = Saying(
            problem=problem_text(words(request), state, looked),
            status=PROBLEM_STATUS,
            own=await own_side(request, view),
            meant=meant(state, looked),
        )
        return await game_page(request, view, entered.typed, saying)
    if isinstance(looked, Refusal):
        return await refused(request, view, entered.typed, looked)
    made = looked.made
    minutes, is_wish = _minutes(request, view, made)
    held = await waiting_in(core(request), view.game, view.player(side).id)
    return page(
        request,
        "play/preview.html",
        status=PROBLEM_STATUS if problem else 200,
        view=view,
        made=made,
        entered=entered,
        side=side,
        opponent=view.player(side.other),
        days_paragraph=DAYS_PARAGRAPH[view.group.regulation],
        board=picture(made.after.board, side, made.last),
        minutes=minutes,
        waits_first=is_wish,
        problem=problem,
        held=held if held is not None and held.row.key != entered.key else None,
    )


async def refused(
    request: web.Request, view: GameView, typed: Typed, refusal: Refusal
) -> web.Response:
    """The game's page with the reason; a stale page gets the new position."""
    is_stale = refusal.reason in (Reason.STALE, Reason.NOT_YOUR_TURN)
    status = STALE_STATUS if is_stale else PROBLEM_STATUS
    own = await own_side(request, view)
    saying = Saying(problem=words(request).refusal(refusal), status=status, own=own)
    return await game_page(request, view, typed, saying)


def _wrong(answer: Answer | Refusal | None) -> tuple[Refusal | None, TextProblem | None]:
    """Why it was not sent; two Nones if it was, now or by an earlier click."""
    if answer is None or isinstance(answer, Refusal):
        return answer, None
    return answer.refusal, answer.problem


@stands_on(show)
async def send(request: web.Request) -> web.Response:
    """Send the previewed move. Submitted twice, it is sent once."""
    view, person, side = await own_game(request)
    entered = Entered.of(await form_of(request), view)
    here = f"/games/{view.game.id}"
    if entered.overstep == CLAIM:
        raise web.HTTPSeeOther(f"{here}/end/time")
    if entered.overstep == WAIVE:
        await ask_once(request, person, lambda _, by: WaiveOverstep(by), f"{entered.key}-waive")
    build = _reader(request, view, entered)
    answer = await ask_once(request, person, build, entered.key, entered.typed.message)
    refusal, problem = _wrong(answer)
    if refusal is None and problem is None:
        await forget(core(request), view.game.id, person.id)
        raise web.HTTPSeeOther(f"{here}?sent=1")
    fresh = replace(entered, key=new_key())
    now, _, _ = await own_game(request)
    if refusal is None or refusal.reason is Reason.OVERSTEP_ASKS:
        return await preview_page(request, now, side, fresh)
    return await refused(request, now, entered.typed, refusal)
