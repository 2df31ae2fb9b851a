"""Why facts can't all be true: a closed set that the catalogues word (§ 6.4.1).

Not for what a person may not do (game/refusals.py); a fault's own English text is for logs.
"""

from enum import StrEnum

from kskak.board.moves import IllegalMove
from kskak.game.series import SeriesFault
from kskak.play.state import LedgerFault
from kskak.reflection.counted_days import DatesContradict


class Misfit(StrEnum):
    """What does not fit."""

    NO_ENTRY = "no_entry"
    NO_FAULT = "no_fault"
    NO_DISPATCH = "no_dispatch"
    A_MOVE = "a_move"
    DATES = "dates"
    DAY_OUTSIDE = "day_outside"
    RECEIVED_FIRST = "received_first"
    OUT_OF_TURN = "out_of_turn"
    GAME_OVER = "game_over"
    ILLEGAL = "illegal"
    SERIES = "series"
    OTHER = "other"


class OutOfTurn(LedgerFault):
    """A dispatch by the player whose turn it is not (§ 6.3.1)."""


class NoDispatch(LedgerFault):
    """A correction of a dispatch that does not exist (§ 6.3.2)."""


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
    """What a ledger fault, or one of its causes, is about."""
    at: BaseException | None = fault
    while at is not None:
        for kind, misfit in _KNOWN.items():
            if isinstance(at, kind):
                return misfit
        at = at.__cause__
    return Misfit.OTHER


_REMEDIES: dict[Misfit, str] = {
    Misfit.NO_DISPATCH: "write the ply (from 1) of the first move of a dispatch",
    Misfit.DATES: "write received not before the opponent sent, and sent not before received",
    Misfit.RECEIVED_FIRST: "write a day that is not before the opponent sent",
    Misfit.OUT_OF_TURN: "check by, and whether a move before this one is left out",
    Misfit.GAME_OVER: "take the entry out, or check what ended the game before it",
    Misfit.ILLEGAL: "check this move and those before it",
    Misfit.SERIES: "check the moves of this entry, and what the one before proposes",
}


def remedy_of(fault: BaseException) -> str:
    """What to write or check in a ledger with this fault: English, for the ledger's author."""
    return _REMEDIES.get(misfit_of(fault), "check this entry and those before it")
