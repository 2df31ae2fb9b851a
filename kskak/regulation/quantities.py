"""The small closed sets and units that every other module uses.

Not for rules: nothing here knows a paragraph's number of days.
"""

from enum import StrEnum


class Side(StrEnum):
    """A player's colour."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opponent's colour."""
        return _OTHER[self]


_OTHER = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}


class Regulation(StrEnum):
    """Which rule set a game is played by: § 6.2-6.3 (post) or § 6.8 (e-mail)."""

    POSTAL = "postal"
    EMAIL = "email"


class Channel(StrEnum):
    """How a dispatch travelled."""

    POST = "post"
    EMAIL = "email"
    FAX = "fax"
    WEB = "web"


class LeaveType(StrEnum):
    """§ 6.3.6 personal leave, § 6.3.6.4 special leave granted by the leader.

    UNTOLD: days as they were granted, in a copy that doesn't say of which type they were.
    """

    PERSONAL = "personal"
    SPECIAL = "special"
    UNTOLD = "untold"


class PauseReason(StrEnum):
    """Why time stands still for both players."""

    RESERVE = "reserve"
    DISPUTE = "dispute"
    OUTAGE = "outage"
    BOUNCE = "bounce"


class Fault(StrEnum):
    """What was wrong with a move that was sent."""

    ILLEGAL = "illegal"
    ILLEGIBLE = "illegible"
    WRONG_REPETITION = "wrong_repetition"
    AMBIGUOUS = "ambiguous"
    DAMAGED_IN_POST = "damaged_in_post"


class Result(StrEnum):
    """A game's result; both may lose (§ 6.3.3.4)."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    BOTH_LOSE = "0-0"

    @staticmethod
    def won_by(side: Side) -> "Result":
        """The result when ``side`` wins."""
        return Result.WHITE_WINS if side is Side.WHITE else Result.BLACK_WINS

    @property
    def mirrored(self) -> "Result":
        """The result with the colours changed over."""
        won = {Result.WHITE_WINS: Result.BLACK_WINS, Result.BLACK_WINS: Result.WHITE_WINS}
        return won.get(self, self)


class Ending(StrEnum):
    """What ended a game other than an overstep."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead_position"
    FIVEFOLD = "fivefold"
    SEVENTY_FIVE = "seventy_five"
    RESIGNATION = "resignation"
    DRAW = "draw"
    RULING = "ruling"

    @property
    def is_overridden_by_claim(self) -> bool:
        """Whether a later claim of an earlier overstep overrides it (§ 6.3.3.3).

        An agreed draw and a ruling are decisions about the game and stay.
        """
        return self not in (Ending.DRAW, Ending.RULING)


class Finding(StrEnum):
    """What became of an overstep (§ 6.3.3.3-6.3.3.4)."""

    OPEN = "open"
    CLAIMED = "claimed"
    CONTINUED = "continued"
