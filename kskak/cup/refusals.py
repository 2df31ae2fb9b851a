"""Why a round of a cup is not drawn, or a title not settled, each with its paragraph (§ 6.6.1).

What is left to the leader is never refused on its merits, only for a missing reason. Not for
entries (entries/admission.py).
"""

from dataclasses import dataclass
from enum import StrEnum


class CupProblem(StrEnum):
    """What stands in the way."""

    OVER = "over"
    DRAWN = "drawn"
    STILL_PLAYED = "still_played"
    WRONG_ROUND = "wrong_round"
    UNCUT = "uncut"
    EMPTY = "empty"
    FINAL_SIZE = "final_size"
    TOO_MANY_PLACES = "too_many_places"
    LEADER_PLAYS = "leader_plays"
    NO_PERSON = "no_person"
    BARRED = "barred"
    NO_REASON = "no_reason"
    START = "start"
    QUARTER = "quarter"
    START_FAR = "start_far"
    NOT_MADE = "not_made"
    NO_ADDRESSES = "no_addresses"


PARAGRAPHS = {
    CupProblem.OVER: "6.6.1.5",
    CupProblem.DRAWN: "6.6.1.1",
    CupProblem.STILL_PLAYED: "6.6.1.3",
    CupProblem.WRONG_ROUND: "6.6.1.1",
    CupProblem.UNCUT: "6.6.1.1",
    CupProblem.EMPTY: "6.6.1.6",
    CupProblem.FINAL_SIZE: "6.6.1.1",
    CupProblem.TOO_MANY_PLACES: "6.6.1.2",
    CupProblem.LEADER_PLAYS: "6.1.1",
    CupProblem.NO_PERSON: "6.6.1.6",
    CupProblem.BARRED: "6.4.2",
    CupProblem.NO_REASON: "6.6.1.1",
    CupProblem.START: "6.6.3",
    CupProblem.QUARTER: "6.6.3",
    CupProblem.START_FAR: "6.6.3",
    CupProblem.NOT_MADE: "6.6.1.1",
    CupProblem.NO_ADDRESSES: "6.5.2.1",
}


@dataclass(frozen=True, slots=True)
class CupRefusal:
    """A refusal; ``count`` places or entries, ``who`` a name or address where there is one."""

    problem: CupProblem
    count: int = 0
    who: str = ""

    @property
    def paragraph(self) -> str:
        """The rule behind it."""
        return PARAGRAPHS[self.problem]


class TieProblem(StrEnum):
    """Why a shared first place in the DM is not settled as asked (§ 6.5.2)."""

    NOT_LEVEL = "not_level"
    SETTLED = "settled"
    NO_REASON = "no_reason"
    START = "start"


@dataclass(frozen=True, slots=True)
class TieRefusal:
    """Such a problem as an answer."""

    problem: TieProblem
    paragraph: str = "6.5.2"
