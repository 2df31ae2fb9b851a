"""From an outbox row to a letter about a takeover, with its facts from the ledger.

Not for wording (mail.office_letters.takeover).
"""

from collections.abc import Callable, Mapping
from datetime import date

from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.game.events import LeaveBooked, TakenOver
from kskak.play.state import GameState
from kskak.reflection.leave import leave_used
from kskak.regulation.quantities import Side
from mail.office_letters.takeover import ObjectionLate, Statement, TakeoverLetter
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import GameFacts, NoLetter
from server.usecases.core.letter_params import text
from server.usecases.core.outbox_letters import Kind

Params = Mapping[str, object]


def _leave(state: GameState, side: Side, on: date) -> int:
    """Days of personal leave used in the tournament year of a day (§ 6.3.6)."""
    asked = LeaveBooked(side, on, on, None)
    return leave_used(state.bookings, state.terms.start, state.terms.rules, asked)


def _statement(core: Core, found: GameFacts, _: Params) -> TakeoverLetter:
    taken = found.event
    if not isinstance(taken, TakenOver):
        raise NoLetter("the event is no takeover")
    white, black = (_leave(found.state, side, taken.on) for side in Side)
    side, used = found.side, (white, black)
    return Statement(found.game, found.account, side, taken, used, core.command_address)


def _late(_: Core, found: GameFacts, params: Params) -> TakeoverLetter:
    until = params.get("until")
    last = date.fromisoformat(until) if isinstance(until, str) else None
    refusal = CaseRefusal(CaseReason(text(params, "reason")), until=last)
    return ObjectionLate(found.game, found.account, found.side, refusal)


TAKEOVERS: dict[Kind, Callable[[Core, GameFacts, Params], TakeoverLetter]] = {
    Kind.TAKEOVER: _statement,
    Kind.OBJECTION_LATE: _late,
}
