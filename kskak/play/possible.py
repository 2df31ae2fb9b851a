"""What stands in the way of a dispatch: an overstep to answer, the board, the series, the dates.

``evolve`` itself is asked, so that there is one source of truth about what can happen. Not for
routing commands (decide.py).
"""

from kskak.board.moves import IllegalMove
from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.game.series import SeriesFault
from kskak.play.evolve import evolve
from kskak.play.state import GameState, LedgerFault
from kskak.reflection.counted_days import DatesContradict
from kskak.regulation.quantities import Finding, Side


def must_ask(state: GameState, by: Side) -> bool:
    """Whether the opponent's overstep stands and this player has not been asked (§ 6.3.3.4)."""
    overstep = state.overstep
    if overstep is None or overstep.by is by or overstep.finding is not Finding.OPEN:
        return False
    return not state.is_overstep_waived


def if_possible(state: GameState, event: ev.MoveSent) -> GameState | Refusal:
    """The state after the event, or why it can't happen."""
    try:
        return evolve(state, event, 0)
    except LedgerFault as fault:
        match fault.__cause__:
            case IllegalMove(move=move) if move in event.proposes and move not in event.plies:
                return Refusal(Reason.SERIES_ILLEGAL)
            case IllegalMove():
                return Refusal(Reason.ILLEGAL)
            case SeriesFault():
                return Refusal(Reason.SERIES)
            case DatesContradict():
                return Refusal(Reason.DATES)
        return Refusal(Reason.GAME_OVER)
