"""Why a case refuses a command: a closed set of reasons, each with its paragraph.

The catalogues word each reason in the reader's language. Not for games (game/refusals.py).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class CaseReason(StrEnum):
    """What stands in the way."""

    NOT_OPEN = "not_open"
    NOT_A_PARTY = "not_a_party"
    NOT_YOUR_OFFICE = "not_your_office"
    OWN_GROUP = "own_group"
    OWN_DECISION = "own_decision"
    WRONG_INSTANCE = "wrong_instance"
    NOT_HEARD = "not_heard"
    NOT_DECIDED = "not_decided"
    ALREADY_DECIDED = "already_decided"
    NOT_APPEALED = "not_appealed"
    APPEAL_ALONE = "appeal_alone"
    NO_REASONS = "no_reasons"
    DATES = "dates"
    OTHER_GAME = "other_game"
    OTHER_PERSON = "other_person"
    BAD_TERM = "bad_term"
    UNKNOWN_DECISION = "unknown_decision"
    LATE = "late"
    NO_DEPOSIT = "no_deposit"
    DEPOSIT_SHORT = "deposit_short"
    NOT_OWED = "not_owed"
    NO_QUORUM = "no_quorum"
    AGAINST_VOTES = "against_votes"
    BOARD_FULL = "board_full"
    LAST_WORD = "last_word"
    IMPOSSIBLE = "impossible"
    RESULT_AND_RESUME = "result_and_resume"
    SET_BACK_UNDATED = "set_back_undated"
    COLOURS_ALONE = "colours_alone"
    TWO_ANSWERS = "two_answers"
    STILL_OVER = "still_over"
    GAME_DATES = "game_dates"
    CHANGED = "changed"
    CLAIM_UNDECIDED = "claim_undecided"
    FULL = "full"
    TAKEOVER_LATE = "takeover_late"
    NOT_TAKEN_OVER = "not_taken_over"
    OBJECTION_LATE = "objection_late"


CASE_PARAGRAPH = {
    CaseReason.NOT_OPEN: "6.4.1",
    CaseReason.NOT_A_PARTY: "6.4.3",
    CaseReason.NOT_YOUR_OFFICE: "6.4.1",
    CaseReason.OWN_GROUP: "6.1.1",
    CaseReason.OWN_DECISION: "6.4.3",
    CaseReason.WRONG_INSTANCE: "6.4.3",
    CaseReason.NOT_HEARD: "6.4.1",
    CaseReason.NOT_DECIDED: "6.4.3",
    CaseReason.ALREADY_DECIDED: "6.4.1",
    CaseReason.NOT_APPEALED: "6.4.3",
    CaseReason.APPEAL_ALONE: "6.4.3",
    CaseReason.NO_REASONS: "1.3.9",
    CaseReason.DATES: "6.4.3",
    CaseReason.OTHER_GAME: "6.4.1",
    CaseReason.OTHER_PERSON: "6.4.2",
    CaseReason.BAD_TERM: "6.4.2",
    CaseReason.UNKNOWN_DECISION: "6.4.3",
    CaseReason.LATE: "6.4.3",
    CaseReason.NO_DEPOSIT: "6.4.3",
    CaseReason.DEPOSIT_SHORT: "6.4.3",
    CaseReason.NOT_OWED: "6.4.3",
    CaseReason.NO_QUORUM: "1.3.9",
    CaseReason.AGAINST_VOTES: "1.3.9",
    CaseReason.BOARD_FULL: "1.3.9",
    CaseReason.LAST_WORD: "1.3.9",
    CaseReason.IMPOSSIBLE: "6.4.1",
    CaseReason.RESULT_AND_RESUME: "6.4.1",
    CaseReason.SET_BACK_UNDATED: "6.4.1",
    CaseReason.COLOURS_ALONE: "6.4.1",
    CaseReason.TWO_ANSWERS: "6.4.1",
    CaseReason.STILL_OVER: "6.4.1",
    CaseReason.GAME_DATES: "6.4.1",
    CaseReason.CHANGED: "6.4.1",
    CaseReason.CLAIM_UNDECIDED: "6.4.1",
    CaseReason.FULL: "6.4.1",
    CaseReason.TAKEOVER_LATE: "6.4.5",
    CaseReason.NOT_TAKEN_OVER: "6.4.1",
    CaseReason.OBJECTION_LATE: "6.4.5",
}


@dataclass(frozen=True, slots=True)
class CaseRefusal:
    """A command that is not carried out; nothing has changed.

    ``since`` and ``until`` are the first and last acceptable day, ``day`` the one given;
    ``fee`` the deposit required, in øre; ``game`` the name of the game concerned.
    """

    reason: CaseReason
    until: date | None = None
    fee: int | None = None
    since: date | None = None
    day: date | None = None
    game: str | None = None

    @property
    def paragraph(self) -> str:
        """The paragraph that the refusal rests on."""
        return CASE_PARAGRAPH[self.reason]
