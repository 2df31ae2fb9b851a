"""Why facts can't all be true: a closed set that the catalogues say (§ 6.4.1).

Not for what a person may not do (refusals.py); a fault's own English text is for logs.
"""

from enum import StrEnum

from kskak.moves import IllegalMove
from kskak.reflection import DatesContradict
from kskak.series import SeriesFault
from kskak.state import LedgerFault


class Misfit(StrEnum):
    """What does not fit."""

    NO_ENTRY = "no_entry"
    NO_FAULT = "no_fault"
    NO_DISPATCH = "no_dispatch"
    A_MOVE = "a_move"
    DATES = "dates"
    RECEIVED_FIRST = "received_first"
    OUT_OF_TURN = "out_of_turn"
    GAME_OVER = "game_over"
    ILLEGAL = "illegal"
    SERIES = "series"
    OTHER = "other"


class OutOfTurn(LedgerFault):
    """A dispatch of the player whose turn it is not (§ 6.3.1)."""


class NoDispatch(LedgerFault):
    """A correction of a dispatch that there is not (§ 6.3.2)."""


class IsOver(LedgerFault):
    """Something after the game's end (FIDE 5.1)."""


class ReceivedFirst(LedgerFault):
    """A move received before it was sent (§ 6.3.1)."""


_KNOWN: dict[type[Exception], Misfit] = {
    NoDispatch: Misfit.NO_DISPATCH,
    OutOfTurn: Misfit.OUT_OF_TURN,
    IsOver: Misfit.GAME_OVER,
    ReceivedFirst: Misfit.RECEIVED_FIRST,
    DatesContradict: Misfit.DATES,
    SeriesFault: Misfit.SERIES,
    IllegalMove: Misfit.ILLEGAL,
}


def misfit_of(fault: BaseException) -> Misfit:
    """What a fault of the ledger is about, or what it was made from."""
    at: BaseException | None = fault
    while at is not None:
        for kind, misfit in _KNOWN.items():
            if isinstance(at, kind):
                return misfit
        at = at.__cause__
    return Misfit.OTHER
