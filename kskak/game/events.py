"""What has happened in a game: frozen values, the only thing stored as its history.

The kinds of kskak-ledger/1 come first; those after the line are the server's own and are left
out of an exported ledger, which shows a ruling's effects as ordinary entries while they stand
(play/standing_events.py). Not for what is asked (commands.py) nor what follows (play/evolve.py).
"""

from dataclasses import dataclass
from datetime import date

import chess

from kskak.game.card_mode import EmailAnswered as EmailAnswered
from kskak.game.claim_outcomes import ClaimDropped as ClaimDropped
from kskak.game.claim_outcomes import ClaimStands as ClaimStands
from kskak.game.takeover import TakenOver as TakenOver
from kskak.regulation.quantities import Channel, Fault, LeaveType, PauseReason, Result, Side


@dataclass(frozen=True, slots=True)
class Card:
    """The dates of a post card: § 6.3.2. ``postmark`` None is an illegible one."""

    postmark: date | None
    receipt: date | None = None
    stated: date | None = None


@dataclass(frozen=True, slots=True)
class MoveSent:
    """A dispatch: all plies it adds, first and last the sender's, and a series proposed."""

    by: Side
    plies: tuple[chess.Move, ...]
    sent: date | Card
    received: date | None = None
    channel: Channel = Channel.EMAIL
    proposes: tuple[chess.Move, ...] = ()
    offers_draw: bool = False


@dataclass(frozen=True, slots=True)
class LeaveBooked:
    """Leave of one player, both ends included (§ 6.3.6, § 6.8.8).

    ``until``: the player's own last day if shortened; the opponent keeps the announced stop.
    """

    by: Side
    first: date
    last: date
    notified: date | None
    leave_type: LeaveType = LeaveType.PERSONAL
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Paused:
    """Time stands still for both; ``last`` None while it still does."""

    first: date
    last: date | None
    reason: PauseReason


@dataclass(frozen=True, slots=True)
class MoveReceived:
    """The side to move has received the move."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class LongThinkNotified:
    """Notice of more than 14 days on a move (§ 6.3.4)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class Reminded:
    """The waiting player repeated his last move (§ 6.3.4, § 6.8.3)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class LeaderTold:
    """The waiting player told the tournament leader of the silence (§ 6.3.4, § 6.8.3)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class FaultySent:
    """A faulty move: § 6.3.5.1, § 6.8.6."""

    by: Side
    on: date
    fault: Fault


@dataclass(frozen=True, slots=True)
class OverstepClaimed:
    """The opponent's overstep is claimed; play halts until it is decided (§ 6.3.3.5, § 6.8.7)."""

    by: Side
    on: date
    awaits_decision: bool = False


@dataclass(frozen=True, slots=True)
class DaysCharged:
    """Days added, or annulled when negative, by an official."""

    by: Side
    on: date
    days: int
    paragraph: str
    reason: str


@dataclass(frozen=True, slots=True)
class ResultRuled:
    """A result adjudicated or ruled (§ 6.2.7, § 6.4.1)."""

    result: Result
    on: date
    authority: str
    ref: str


@dataclass(frozen=True, slots=True)
class DispatchCorrected:
    """A finding of fact about the dispatch that begins at ``ply`` (Kendelse 107)."""

    ply: int
    sent: date | None
    received: date | None
    authority: str
    ref: str


@dataclass(frozen=True, slots=True)
class TotalsSet:
    """Totals set by a ruling (Kendelse 59)."""

    white: int | None
    black: int | None


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The side to move counts as having received the move on this day (Kendelse 59, 120)."""

    on: date


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player resigned (§ 6.2.6)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class DrawMade:
    """A draw accepted, or correctly claimed (FIDE 9.1-9.3)."""

    by: Side
    on: date


# The server's own.


@dataclass(frozen=True, slots=True)
class DrawOfferPrepared:
    """An offer that goes with the player's next move (FIDE 9.1)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """The standing offer was declined."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class DrawClaimFailed:
    """A claim that the position did not bear out; it stands as an offer (FIDE 9.1)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class OverstepFound:
    """The server saw time run out and warned both; this decides nothing."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class OverstepWaived:
    """The opponent was asked and answered that they will not claim (§ 6.3.3.4)."""

    by: Side
    on: date


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """A pause ended with this day, open or earlier than announced; if it had not begun, it is gone.

    A ledger shows the pause with its last day (§ 6.8.2, § 6.8.5).
    """

    reason: PauseReason
    last: date


@dataclass(frozen=True, slots=True)
class LeaveShortened:
    """The player's leave from ``first`` to ``last`` ends for them with ``until`` (§ 6.3.6).

    Their own time runs again and the days are theirs again; the opponent keeps the stop.
    A ledger shows the leave with ``shortened``.
    """

    by: Side
    first: date
    last: date
    until: date


@dataclass(frozen=True, slots=True)
class GameSetBack:
    """The game is as after ``ply`` (0: its start): what was played or ended since is void.

    A card entered wrongly is put right (§ 6.2.4 binds a player to what he sent); by a ruling, the
    laws' remedy (FIDE 7.5; 7.4 in 2009). ``ply`` is the last one before a dispatch. Leave,
    pauses, words about e-mail and the takeover stand; a ledger leaves out what is void. ``since``:
    the number from 1 of the first entry that is void, where the fault is no move.
    ``swaps_colours``, at ply 0 alone: the players change colours (FIDE 7.3; 7.2 in 2009).
    """

    ply: int
    since: int | None = None
    swaps_colours: bool = False


_Finding = DispatchCorrected | DaysCharged | TotalsSet | GameResumed | ResultRuled | GameSetBack
RulingEffect = _Finding | LeaveBooked | Paused | PauseEnded | ClaimStands
"""What a ruling may do to a game's account and result (§ 6.4.1); it plays no move."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """One effect of a ruling on this game; in a ledger it is an ordinary entry (§ 6.4.1)."""

    ruling: str
    effect: RulingEffect


@dataclass(frozen=True, slots=True)
class RulingAnnulled:
    """What the ruling had done until now counts as if it had never happened (Kendelse 120)."""

    ruling: str


@dataclass(frozen=True, slots=True)
class EntryAnnulled:
    """The entry with this number, from 1, can't be read or counted: it counts as never made.

    Made by an operator alone (``kskak repair``); the entry's own text stays where it is.
    """

    seq: int
    on: date


LedgerEvent = (
    MoveSent
    | LeaveBooked
    | Paused
    | MoveReceived
    | LongThinkNotified
    | Reminded
    | LeaderTold
    | FaultySent
    | OverstepClaimed
    | DaysCharged
    | ResultRuled
    | DispatchCorrected
    | TotalsSet
    | GameResumed
    | Resigned
    | DrawMade
)
ServerEvent = (
    DrawOfferPrepared
    | DrawDeclined
    | DrawClaimFailed
    | OverstepFound
    | OverstepWaived
    | PauseEnded
    | EmailAnswered
    | TakenOver
    | LeaveShortened
    | ClaimStands
    | ClaimDropped
    | GameSetBack
    | Ruled
    | RulingAnnulled
    | EntryAnnulled
)
Event = LedgerEvent | ServerEvent
