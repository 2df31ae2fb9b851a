"""Postal games apart from cards: reporting a receipt, agreeing to e-mail (§ 6.2.1).

Not for cards (cards.py).
"""

from aiohttp import web

from kskak.game import commands as cmd
from kskak.game.refusals import Refusal
from kskak.regulation.quantities import Side
from server.web.frame.context import words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of
from server.web.play.send_command import ask_once
from server.web.postal.cards import DATES, Clerk, Typed, card_page, clerk_of, show

_EMPTY = ("kind", "by", "ply", "text", "note", "draw", "key", *DATES)


def _blank(clerk: Clerk) -> Typed:
    state = clerk.view.account.state
    fields = {"kind": "move", "by": state.mover.value, "ply": clerk.view.stamp}
    return Typed(dict.fromkeys(_EMPTY, "") | fields)


async def _done(
    request: web.Request, clerk: Clerk, command: cmd.RecordReceipt | cmd.AnswerEmail
) -> web.Response:
    """Send the command to the game; show the page with the reason if it is refused."""
    key = f"{type(command).__name__}-{clerk.view.game.seq}"
    answer = await ask_once(request, clerk.person, lambda _, __: command, key)
    refusal = answer if isinstance(answer, Refusal) else answer.refusal if answer else None
    if refusal is not None:
        return await card_page(request, clerk, _blank(clerk), words(request).refusal(refusal))
    raise web.HTTPSeeOther(f"/games/{clerk.view.game.id}/card?done=1")


def _side(clerk: Clerk) -> Side:
    if clerk.side is None:
        raise web.HTTPForbidden
    return clerk.side


@stands_on(show)
async def receipt(request: web.Request) -> web.Response:
    """The player to move reports when he received the opponent's card (§ 6.3.1)."""
    clerk = await clerk_of(request)
    day = (await form_of(request)).day("on")
    if day is None:
        said = words(request).words
        raise Fault("on", said("cards.field_wrong", field=said("cards.receipt_on")))
    return await _done(request, clerk, cmd.RecordReceipt(_side(clerk), day))


async def email(request: web.Request) -> web.Response:
    """A player agrees or disagrees to moves by e-mail (§ 6.2.1)."""
    clerk = await clerk_of(request)
    agrees = (await form_of(request)).text("agrees", 3) == "yes"
    return await _done(request, clerk, cmd.AnswerEmail(_side(clerk), agrees))
