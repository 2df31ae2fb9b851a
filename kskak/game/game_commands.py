"""What a person, or the server as time passes, may ask of a game.

Every channel (mail, web, API) turns what it reads into one of these. Not for what then happened
(game_events.py) nor for reading text (the mail room's grammar).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, timedelta
from enum import StrEnum

import chess

from kskak.game.game_events import CardDates
from kskak.regulation.editions import MoveFault, PauseReason, Side

# Which days a game can speak of: its own time, with a year on either side.

A_YEAR = timedelta(days=366)


def lawful_days(start: date, now: date) -> tuple[date, date]:
    """The first and the last day that a game which began on ``start`` can speak of on ``now``.

    A year back: a card is sent, and leave notified, before a game begins; one taken over began
    years ago. A year ahead: longer leave is not booked, and a time limit ends sooner.
    """
    first, last = min(start, now), max(start, now)
    return first - min(A_YEAR, first - date.min), last + min(A_YEAR, date.max - last)


def unlawful_day(value: object, start: date, now: date) -> date | None:
    """The first day in a command, an event or a supposition that is outside; None if all are in."""
    first, last = lawful_days(start, now)
    return next((day for day in _days_in(value) if not first <= day <= last), None)


def is_near(day: date, today: date) -> bool:
    """Whether a day is within a year of today: what a request for a view may name."""
    return abs(day - today) <= A_YEAR


def _days_in(value: object) -> Iterator[date]:
    """Every day in a value, whatever it is made of."""
    if isinstance(value, date):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _days_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _days_in(getattr(value, field.name))


# What a person, or the server as time passes, may ask of a game.


@dataclass(frozen=True, slots=True)
class SendMoves:
    """Send a dispatch from the position at ``ply`` (plies played so far)."""

    by: Side
    ply: int
    plies: tuple[chess.Move, ...]
    proposes: tuple[chess.Move, ...] = ()
    offers_draw: bool = False
    received: date | None = None


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw with the next move (FIDE 9.1)."""

    by: Side


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    """Accept the standing offer."""

    by: Side


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    """Decline the standing offer."""

    by: Side


@dataclass(frozen=True, slots=True)
class ClaimDraw:
    """Claim threefold repetition, 50 moves or a dead position, with or without a move."""

    by: Side
    ply: int
    intended: chess.Move | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign (§ 6.2.6)."""

    by: Side


@dataclass(frozen=True, slots=True)
class ClaimOverstep:
    """Claim the opponent's overstep (§ 6.3.3.5, § 6.8.7)."""

    by: Side


@dataclass(frozen=True, slots=True)
class WaiveOverstep:
    """Answer «no claim» when asked; playing on then loses for both (§ 6.3.3.4)."""

    by: Side


@dataclass(frozen=True, slots=True)
class AdmitOverstep:
    """Admit that the opponent's claim is right; it needs no decision then (§ 6.3.3.5)."""

    by: Side


@dataclass(frozen=True, slots=True)
class BookLeave:
    """Leave, both ends included (§ 6.3.6, § 6.8.8)."""

    by: Side
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class ShortenLeave:
    """End the leave from ``first`` to ``last`` on ``until`` for its player (§ 6.3.6)."""

    by: Side
    first: date
    last: date
    until: date


@dataclass(frozen=True, slots=True)
class GrantLeave:
    """Special leave, granted by the leader; both ends included (§ 6.3.6.4, § 6.8.8)."""

    by: Side
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class NotifyLongThink:
    """Notice of more than 14 days on the move (§ 6.3.4)."""

    by: Side


@dataclass(frozen=True, slots=True)
class ReportFaulty:
    """A faulty move arrived from this player (§ 6.8.4, § 6.8.6)."""

    by: Side
    fault: MoveFault


@dataclass(frozen=True, slots=True)
class ReportReceived:
    """The recipient's server accepted the relayed mail on this day (§ 6.8.2)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class StopTime:
    """Time stands still for both: an outage or a bouncing relay (§ 6.8.2, § 6.8.5)."""

    first: date
    last: date | None
    reason: PauseReason


@dataclass(frozen=True, slots=True)
class Remind:
    """Repeat the last move to a silent player on the opponent's behalf (§ 6.3.4, § 6.8.3).

    ``post_days``: the tournament's days for post one way.
    """

    post_days: int = 0


@dataclass(frozen=True, slots=True)
class TellLeader:
    """Tell the leader of a player who stays silent after a reminder (§ 6.3.4, § 6.8.3)."""


@dataclass(frozen=True, slots=True)
class LookAtTime:
    """Has the side to move run out of time? Asked by the server, never acted on (§ 6.3.3)."""


@dataclass(frozen=True, slots=True)
class RecordCard:
    """A post card that was sent: its moves and its dates (§ 6.2.1, § 6.3.2).

    ``received``: when its sender got the opponent's last move, as stated on the card;
    ``arrived``: when it reached the opponent, if known. ``is_own``: entered by the sender.
    """

    by: Side
    ply: int
    plies: tuple[chess.Move, ...]
    card: CardDates
    received: date | None = None
    arrived: date | None = None
    proposes: tuple[chess.Move, ...] = ()
    offers_draw: bool = False
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class RecordFaultyCard:
    """A card whose move is impossible or illegible, or that the post spoiled (§ 6.3.5).

    ``by`` sent it; the opponent got it on ``arrived``.
    """

    by: Side
    ply: int
    fault: MoveFault
    arrived: date


@dataclass(frozen=True, slots=True)
class RecordEnd:
    """A card that resigns the game or accepts the standing draw offer (§ 6.2.6)."""

    by: Side
    resigns: bool
    on: date


@dataclass(frozen=True, slots=True)
class RecordReceipt:
    """The side to move has had the opponent's card since this day (§ 6.2.1, § 6.3.1)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class AnswerEmail:
    """Agree, or not, to moves by fax or e-mail in a postal game (§ 6.2.1)."""

    by: Side
    agrees: bool


PostalCommand = RecordCard | RecordFaultyCard | RecordEnd | RecordReceipt | AnswerEmail
"""What is asked of postal games only."""
Command = (
    SendMoves
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | ClaimDraw
    | Resign
    | ClaimOverstep
    | WaiveOverstep
    | AdmitOverstep
    | BookLeave
    | ShortenLeave
    | GrantLeave
    | NotifyLongThink
    | ReportFaulty
    | ReportReceived
    | StopTime
    | Remind
    | TellLeader
    | LookAtTime
    | PostalCommand
)


# Why a command is refused: a closed set of reasons, each with its paragraph. No text, no HTTP.


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
