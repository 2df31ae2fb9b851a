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
from kskak.regulation.editions import MoveFault, PauseReason, Regulation, Side

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
class PlayerCommand:
    """What is asked by a player, or about what one did."""

    by: Side


@dataclass(frozen=True, slots=True)
class LeaveCommand(PlayerCommand):
    """What is asked about a player's leave, both ends included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class SendMoves(PlayerCommand):
    """Send a dispatch from the position at ``ply`` (plies played so far)."""

    ply: int
    plies: tuple[chess.Move, ...]
    proposes: tuple[chess.Move, ...] = ()
    offers_draw: bool = False
    received: date | None = None


@dataclass(frozen=True, slots=True)
class AddSeries(PlayerCommand):
    """A series goes with the dispatch that led to the position at ``ply`` (§ 6.2.5)."""

    ply: int
    proposes: tuple[chess.Move, ...]


class OfferDraw(PlayerCommand):
    """Offer a draw with the next move (FIDE 9.1)."""


class AcceptDraw(PlayerCommand):
    """Accept the standing offer."""


class DeclineDraw(PlayerCommand):
    """Decline the standing offer."""


@dataclass(frozen=True, slots=True)
class ClaimDraw(PlayerCommand):
    """Claim threefold repetition, 50 moves or a dead position, with or without a move."""

    ply: int
    intended: chess.Move | None = None


class Resign(PlayerCommand):
    """Resign (§ 6.2.6)."""


class ClaimOverstep(PlayerCommand):
    """Claim the opponent's overstep (§ 6.3.3.5, § 6.8.7)."""


class WaiveOverstep(PlayerCommand):
    """Answer «no claim» when asked; playing on then loses for both (§ 6.3.3.4)."""


class AdmitOverstep(PlayerCommand):
    """Admit that the opponent's claim is right; it needs no decision then (§ 6.3.3.5)."""


class BookLeave(LeaveCommand):
    """Leave, both ends included (§ 6.3.6, § 6.8.8)."""


@dataclass(frozen=True, slots=True)
class ShortenLeave(LeaveCommand):
    """End the leave from ``first`` to ``last`` on ``until`` for its player (§ 6.3.6)."""

    until: date


class GrantLeave(LeaveCommand):
    """Special leave, granted by the leader; both ends included (§ 6.3.6.4, § 6.8.8)."""


class NotifyLongThink(PlayerCommand):
    """Notice of more than 14 days on the move (§ 6.3.4)."""


@dataclass(frozen=True, slots=True)
class ReportFaulty(PlayerCommand):
    """A faulty move arrived from this player (§ 6.8.4, § 6.8.6)."""

    fault: MoveFault


@dataclass(frozen=True, slots=True)
class ReportReceived(PlayerCommand):
    """The recipient's server accepted the relayed mail on this day (§ 6.8.2)."""

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
class RecordCard(PlayerCommand):
    """A post card that was sent: its moves and its dates (§ 6.2.1, § 6.3.2).

    ``received``: when its sender got the opponent's last move, as stated on the card;
    ``arrived``: when it reached the opponent, if known. ``is_own``: entered by the sender.
    """

    ply: int
    plies: tuple[chess.Move, ...]
    card: CardDates
    received: date | None = None
    arrived: date | None = None
    proposes: tuple[chess.Move, ...] = ()
    offers_draw: bool = False
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class RecordFaultyCard(PlayerCommand):
    """A card whose move is impossible or illegible, or that the post spoiled (§ 6.3.5).

    ``by`` sent it; the opponent got it on ``arrived``.
    """

    ply: int
    fault: MoveFault
    arrived: date


@dataclass(frozen=True, slots=True)
class RecordEnd(PlayerCommand):
    """A card that resigns the game or accepts the standing draw offer (§ 6.2.6)."""

    resigns: bool
    on: date


@dataclass(frozen=True, slots=True)
class RecordReceipt(PlayerCommand):
    """The side to move has had the opponent's card since this day (§ 6.2.1, § 6.3.1)."""

    on: date


@dataclass(frozen=True, slots=True)
class AnswerEmail(PlayerCommand):
    """Agree, or not, to moves by fax or e-mail in a postal game (§ 6.2.1)."""

    agrees: bool


PostalCommand = RecordCard | RecordFaultyCard | RecordEnd | RecordReceipt | AnswerEmail
"""What is asked of postal games only."""
Command = (
    SendMoves
    | AddSeries
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
    """What stands in the way, each with the paragraph that it rests on.

    Where the two rule sets have one each, with both: first the one that the API names.
    """

    _value_: str
    paragraph: str
    twin: str

    def __new__(cls, value: str, paragraph: str = "", twin: str = "") -> "Reason":
        made = str.__new__(cls, value)
        made._value_, made.paragraph, made.twin = value, paragraph, twin or paragraph
        return made

    def cited(self, regulation: Regulation) -> str:
        """The paragraph in a game's own rule set."""
        is_email = regulation is Regulation.EMAIL
        both = (self.paragraph, self.twin)
        return next((one for one in both if one.startswith("6.8.") is is_email), self.paragraph)

    STALE = "stale", "6.2.4", "6.8.4"
    NOT_YOUR_TURN = "not_your_turn", "6.2.1"
    GAME_OVER = "game_over", "6.2.6", "6.8.9"
    ILLEGAL = "illegal", "6.8.4", "6.3.5.1"
    SERIES = "series", "6.2.5"
    SERIES_ILLEGAL = "series_illegal", "6.2.5"
    SERIES_LATE = "series_late", "6.2.5", "6.8.4"
    DATES = "dates", "6.8.2", "6.3.2"
    DAY_OUTSIDE = "day_outside", "6.3.1", "6.8.6"
    OVERSTEP_ASKS = "overstep_asks", "6.3.3.4"
    NO_OVERSTEP = "no_overstep", "6.8.7", "6.3.3.5"
    OUTAGE_UNSETTLED = "outage_unsettled", "6.8.5", "6.4.1"
    AT_REST = "at_rest", "6.4.1"
    NO_CLAIM = "no_claim", "6.3.3.5", "6.8.7"
    NO_OFFER = "no_offer", "6.2.6", "6.8.9"
    NO_EMAIL = "no_email", "6.2.1"
    NOT_POSTAL = "not_postal", "6.8.1"
    CARD_UNDATED = "card_undated", "6.3.2"
    CARD_UNRECEIVED = "card_unreceived", "6.2.1"
    CARD_FUTURE = "card_future", "6.3.2"
    CARD_DATES = "card_dates", "6.3.2"
    RECEIPT_KNOWN = "receipt_known", "6.2.1"
    CARD_LAWFUL = "card_lawful", "6.3.5.1"
    CARD_KNOWN = "card_known", "6.3.5.1"
    CARD_UNKNOWN = "card_unknown", "6.2.1"
    CARD_BINDS = "card_binds", "6.2.4"
    CARD_ANSWERED = "card_answered", "6.4.1"
    CARD_SENDER = "card_sender", "6.2.1"
    CARD_FINAL = "card_final", "6.4.5"
    OBJECTION_LATE = "objection_late", "6.4.5"
    DRAW_TOO_EARLY = "draw_too_early", "6.1"
    LEAVE_TOO_SOON = "leave_too_soon", "6.3.6.1"
    LEAVE_QUOTA = "leave_quota", "6.3.6"
    LEAVE_ORDER = "leave_order", "6.3.6"
    LEAVE_TOO_LONG = "leave_too_long", "6.3.6"
    LEAVE_TOO_FAR = "leave_too_far", "6.3.6"
    LEAVE_YEAR = "leave_year", "6.3.6"
    LEAVE_UNKNOWN = "leave_unknown", "6.3.6"
    LEAVE_NOT_SHORTER = "leave_not_shorter", "6.3.6"
    SPECIAL_QUOTA = "special_quota", "6.8.8"


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
        return self.reason.paragraph


def day_outside(given: date, start: date, now: date) -> Refusal:
    """The refusal of a day that a game begun on ``start`` can't speak of, with those it can."""
    first, last = lawful_days(start, now)
    return Refusal(Reason.DAY_OUTSIDE, earliest=first, latest=last, given=given)
