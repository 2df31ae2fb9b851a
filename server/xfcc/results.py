"""The protocol's fixed vocabulary: the outcome of a move, how a game stands.

Programs disagree about who lost a «WhiteDefaulted» game, so that word is never sent: a loss on
time is a win for the other side, a ruling an adjudication. Not for why (kskak.game.refusals).
"""

from enum import StrEnum

from kskak.game.refusals import Reason
from kskak.play.state import GameState
from kskak.regulation.quantities import Ending, Result
from mail.grammar.understood import ProblemKind


class Made(StrEnum):
    """The outcome of a MakeAMove; the protocol's own spelling."""

    SUCCESS = "Success"
    SERVER_ERROR = "ServerError"
    UNAVAILABLE = "FeatureUnavailable"
    AUTHENTICATION = "AuthenticationFailed"
    INVALID_GAME = "InvalidGameID"
    NOT_YOUR_GAME = "NotYourGame"
    NOT_YOUR_TURN = "NotYourTurn"
    INVALID_MOVE = "InvalidMove"
    INVALID_NUMBER = "InvalidMoveNumber"
    NO_OFFER = "NoDrawWasOffered"
    LOST_ON_TIME = "LostOnTime"
    AMBIGUOUS = "MoveIsAmbigous"


_REFUSED = {
    Reason.NOT_YOUR_TURN: Made.NOT_YOUR_TURN,
    Reason.STALE: Made.NOT_YOUR_TURN,
    Reason.AT_REST: Made.NOT_YOUR_TURN,
    Reason.ILLEGAL: Made.INVALID_MOVE,
    Reason.SERIES: Made.INVALID_MOVE,
    Reason.SERIES_ILLEGAL: Made.INVALID_MOVE,
    Reason.NO_OFFER: Made.NO_OFFER,
}
_UNREAD = {
    ProblemKind.AMBIGUOUS: Made.AMBIGUOUS,
    ProblemKind.UNSURE: Made.AMBIGUOUS,
    ProblemKind.DRAW_UNCLEAR: Made.AMBIGUOUS,
    ProblemKind.WRONG_NUMBER: Made.INVALID_NUMBER,
    ProblemKind.NOT_YOUR_TURN: Made.NOT_YOUR_TURN,
}
_PLAYED = {
    Result.WHITE_WINS: "WhiteWins",
    Result.BLACK_WINS: "BlackWins",
    Result.DRAW: "Draw",
}
_RULED = {
    Result.WHITE_WINS: "WhiteWinAdjudicated",
    Result.BLACK_WINS: "BlackWinAdjudicated",
    Result.DRAW: "DrawAdjudicated",
}


def refused(reason: Reason, state: GameState) -> Made:
    """A refusal under the rules, in the protocol's words."""
    if reason is Reason.GAME_OVER:
        on_time = state.overstep is not None and state.ended is not Ending.RULING
        return Made.LOST_ON_TIME if on_time else Made.NOT_YOUR_TURN
    return _REFUSED.get(reason, Made.UNAVAILABLE)


def unread(kind: ProblemKind) -> Made:
    """A text that could not be read as a move, in the protocol's words."""
    return _UNREAD.get(kind, Made.INVALID_MOVE)


def standing(state: GameState) -> str | None:
    """The game's result; None if both lost, which no program understands (§ 6.3.3.4)."""
    if state.result is None:
        return "Ongoing"
    words = _RULED if state.ended is Ending.RULING else _PLAYED
    return words.get(state.result)
