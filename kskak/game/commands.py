"""What a person, or the server as time passes, may ask of a game.

Every channel (mail, web, API) turns what it reads into one of these. Not for what then happened
(events.py) nor for reading text (the mail room's grammar).
"""

from dataclasses import dataclass
from datetime import date

import chess

from kskak.game.events import Card
from kskak.regulation.quantities import Fault, PauseReason, Side


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
    fault: Fault


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
    card: Card
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
    fault: Fault
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
