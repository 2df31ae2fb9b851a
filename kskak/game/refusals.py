"""Why a command is refused: a closed set of reasons, each with its paragraph. No text, no HTTP.

The catalogues word each reason in the reader's language; the edges map it to a status.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.game.lawful_days import lawful_days


class Reason(StrEnum):
    """What stands in the way."""

    STALE = "stale"
    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    ILLEGAL = "illegal"
    SERIES = "series"
    SERIES_ILLEGAL = "series_illegal"
    DATES = "dates"
    DAY_OUTSIDE = "day_outside"
    OVERSTEP_ASKS = "overstep_asks"
    NO_OVERSTEP = "no_overstep"
    OUTAGE_UNSETTLED = "outage_unsettled"
    AT_REST = "at_rest"
    NO_CLAIM = "no_claim"
    NO_OFFER = "no_offer"
    NO_EMAIL = "no_email"
    NOT_POSTAL = "not_postal"
    CARD_UNDATED = "card_undated"
    CARD_UNRECEIVED = "card_unreceived"
    CARD_FUTURE = "card_future"
    CARD_DATES = "card_dates"
    RECEIPT_KNOWN = "receipt_known"
    CARD_LAWFUL = "card_lawful"
    CARD_KNOWN = "card_known"
    CARD_UNKNOWN = "card_unknown"
    CARD_BINDS = "card_binds"
    CARD_ANSWERED = "card_answered"
    CARD_SENDER = "card_sender"
    CARD_FINAL = "card_final"
    OBJECTION_LATE = "objection_late"
    DRAW_TOO_EARLY = "draw_too_early"
    LEAVE_TOO_SOON = "leave_too_soon"
    LEAVE_QUOTA = "leave_quota"
    LEAVE_ORDER = "leave_order"
    LEAVE_TOO_LONG = "leave_too_long"
    LEAVE_TOO_FAR = "leave_too_far"
    LEAVE_UNKNOWN = "leave_unknown"
    LEAVE_NOT_SHORTER = "leave_not_shorter"
    SPECIAL_QUOTA = "special_quota"


PARAGRAPH = {
    Reason.STALE: "6.2.4",
    Reason.NOT_YOUR_TURN: "6.2.1",
    Reason.GAME_OVER: "6.2.6",
    Reason.ILLEGAL: "6.8.4",
    Reason.SERIES: "6.2.5",
    Reason.SERIES_ILLEGAL: "6.2.5",
    Reason.DATES: "6.8.2",
    Reason.DAY_OUTSIDE: "6.3.1",
    Reason.OVERSTEP_ASKS: "6.3.3.4",
    Reason.NO_OVERSTEP: "6.8.7",
    Reason.OUTAGE_UNSETTLED: "6.8.5",
    Reason.AT_REST: "6.4.1",
    Reason.NO_CLAIM: "6.3.3.5",
    Reason.NO_OFFER: "6.2.6",
    Reason.NO_EMAIL: "6.2.1",
    Reason.NOT_POSTAL: "6.8.1",
    Reason.CARD_UNDATED: "6.3.2",
    Reason.CARD_UNRECEIVED: "6.2.1",
    Reason.CARD_FUTURE: "6.3.2",
    Reason.CARD_DATES: "6.3.2",
    Reason.RECEIPT_KNOWN: "6.2.1",
    Reason.CARD_LAWFUL: "6.3.5.1",
    Reason.CARD_KNOWN: "6.3.5.1",
    Reason.CARD_UNKNOWN: "6.2.1",
    Reason.CARD_BINDS: "6.2.4",
    Reason.CARD_ANSWERED: "6.4.1",
    Reason.CARD_SENDER: "6.2.1",
    Reason.CARD_FINAL: "6.4.5",
    Reason.OBJECTION_LATE: "6.4.5",
    Reason.DRAW_TOO_EARLY: "6.1",
    Reason.LEAVE_TOO_SOON: "6.3.6.1",
    Reason.LEAVE_QUOTA: "6.3.6",
    Reason.LEAVE_ORDER: "6.3.6",
    Reason.LEAVE_TOO_LONG: "6.3.6",
    Reason.LEAVE_TOO_FAR: "6.3.6",
    Reason.LEAVE_UNKNOWN: "6.3.6",
    Reason.LEAVE_NOT_SHORTER: "6.3.6",
    Reason.SPECIAL_QUOTA: "6.8.8",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that is not carried out; nothing has changed.

    ``earliest`` and ``latest`` are the first and last acceptable day, ``given`` the one that is
    not, ``days`` the days left.
    """

    reason: Reason
    earliest: date | None = None
    days: int | None = None
    latest: date | None = None
    given: date | None = None

    @property
    def paragraph(self) -> str:
        """The paragraph that the refusal rests on."""
        return PARAGRAPH[self.reason]


def day_outside(given: date, start: date, now: date) -> Refusal:
    """The refusal of a day that a game begun on ``start`` can't speak of, with those it can."""
    first, last = lawful_days(start, now)
    return Refusal(Reason.DAY_OUTSIDE, earliest=first, latest=last, given=given)
