"""A delayed move: held from the preview, taken back, changed, or sent at once.

Not for when or how it is sent (usecases/play/delayed_moves.py).
"""

from dataclasses import replace

from aiohttp import web

from kskak.game.refusals import Refusal
from server.store.play.delayed_moves import DueMove
from server.usecases.play import delayed_moves
from server.usecases.play.game_views import GameView
from server.usecases.play.reading import TextProblem
from server.web.frame.context import core, words
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import form_of
from server.web.play.game_page import Saying, game_page, own_game, show
from server.web.play.move_field import Typed
from server.web.play.own_side import own_side
from server.web.play.send_move import Entered, look, preview_page


@stands_on(show)
async def hold(request: web.Request) -> web.Response:
    """Delay the previewed move; anything wrong with it is shown as in the preview."""
    view, person, side = await own_game(request)
    form = await form_of(request)
    entered, minutes = Entered.of(form, view), form.number("minutes")
    looked = look(request, view, side, entered)
    is_wrong = isinstance(looked, Refusal | TextProblem) or looked.made.must_answer_overstep
    if is_wrong or minutes not in delayed_moves.MINUTES:
        return await preview_page(request, view, side, entered)
    assert not isinstance(looked, Refusal | TextProblem)
    waits = delayed_moves.Entered(
        ply=entered.ply,
        text=entered.typed.text,
        message=entered.typed.message,
        offers_draw=entered.typed.offers_draw,
        reads=words(request).reads,
        key=entered.key,
        moves=looked.command.plies,
    )
    due = await delayed_moves.delay(core(request), view.game, person.id, waits, minutes)
    if due is None:
        late = words(request).words("delay.too_late")
        return await preview_page(request, view, side, entered, problem=late)
    raise web.HTTPSeeOther(f"/games/{view.game.id}#delayed")


async def do(request: web.Request) -> web.Response:
    """Take the waiting move back, change it, send it now, or dismiss the notice of its dropping.

    When taken back or changed, everything that was entered is in the form again.
    """
    view, person, _ = await own_game(request)
    form = await form_of(request)
    here, deed, key = f"/games/{view.game.id}", form.text("deed", 10), form.text("key", 64)
    if deed == "send":
        which = DueMove(view.game.id, person.id)
        outcome = await delayed_moves.send(core(request), which, key=key)
        raise web.HTTPSeeOther(here + await _after(request, view, person.id, key, outcome))
    row = await delayed_moves.take_back(core(request), view.game.id, person.id, key)
    if row is None:
        gone = delayed_moves.Outcome.GONE
        raise web.HTTPSeeOther(here + await _after(request, view, person.id, key, gone))
    is_undone = deed == "undo" and row.dropped is None
    is_kept = is_undone or deed == "change"
    typed = Typed(row.text, row.offers_draw, row.message) if is_kept else Typed()
    own = await own_side(request, view)
    if is_undone and own is not None:
        own = replace(own, notice="undone")
    return await game_page(request, view, typed, Saying(own=own))


async def _after(
    request: web.Request, view: GameView, person_id: int, key: str, outcome: delayed_moves.Outcome
) -> str:
    """The address suffix for the notice: sent, or taken back; a dropped move shows its own."""
    if outcome is delayed_moves.Outcome.DROPPED:
        return "#delayed"
    if outcome is delayed_moves.Outcome.SENT:
        return "?sent=1"
    sent = await delayed_moves.was_sent(core(request), view.game.id, person_id, key)
    return "?sent=1" if sent else "?done=undone"
