"""What would happen if a move were sent now: shown before anything is sent.

The command is decided on a copy of the state; nothing is kept. Not for sending (send_move.py).
"""

from dataclasses import dataclass
from datetime import date

import chess

from kskak.game.commands import Command, SendMoves, WaiveOverstep
from kskak.game.events import MoveSent
from kskak.game.refusals import Reason, Refusal
from kskak.play.account_log import AccountLog, Charge, Dates
from kskak.play.decide import decide
from kskak.play.evolve import evolve
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.text.facts import Dispatch, dispatch_of


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
    """The dispatch as it would be counted today, or why it can't be sent."""
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
