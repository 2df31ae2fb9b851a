"""What has happened in a game: frozen values, the only thing stored as its history.

The kinds of kskak-ledger/1 come first; those after the line are the server's own and are left
out of an exported ledger, which shows a ruling's effects as ordinary entries while they stand
(play/events_in_force.py). Not for what is asked (game_commands.py) nor what follows
(play/evolve_game.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.regulation.days import may_object, terms_of
from kskak.regulation.editions import Channel, LeaveType, MoveFault, PauseReason, Result, Side


@dataclass(frozen=True, slots=True)
class PlayerEvent:
    """What a player did, or what befell one, on a day; most events are no more than that."""

    by: Side
    on: date


# How the moves of a postal game travel: by card, or electronically once both want it (§ 6.2.1).


@dataclass(frozen=True, slots=True)
class EmailAnswered(PlayerEvent):
    """A player of a postal game agrees to moves by fax or e-mail, or does not (§ 6.2.1)."""

    agrees: bool


@dataclass(frozen=True, slots=True)
class Means:
    """What each player has said about moves by fax or e-mail; None: nothing yet (§ 6.2.1)."""

    white: bool | None = None
    black: bool | None = None

    def of(self, side: Side) -> bool | None:
        """What a player has said."""
        return self.white if side is Side.WHITE else self.black

    def saying(self, side: Side, agrees: bool) -> "Means":
        """The answers after a player's statement, or after a move by e-mail."""
        if side is Side.WHITE:
            return replace(self, white=agrees)
        return replace(self, black=agrees)

    @property
    def is_agreed(self) -> bool:
        """Whether both have agreed; the leader need not be asked (§ 6.2.1)."""
        return self.white is True and self.black is True


NO_MEANS_STATED = Means()


# What becomes of a claim of overstep: it stands, or it falls (§ 6.3.3.5, § 6.4.1).


class ClaimStands(PlayerEvent):
    """The claim against ``by`` stands: they admitted it, or a ruling upheld it (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class ClaimDropped:
    """The claim was withdrawn, or its case closed undecided: as if never made (§ 6.4.1)."""

    on: date


# A game played elsewhere up to a certain day, and on the server from then on.


@dataclass(frozen=True, slots=True)
class TakenOver:
    """From this day the server runs the game; changes no day and no result."""

    on: date

    @property
    def objections_until(self) -> date:
        """The last day to object to what was taken over (reading of § 6.4.5)."""
        return terms_of(self.on).objections_until

    def may_be_objected_to(self, on: date) -> bool:
        """Whether an objection made on this day is heard (reading of § 6.4.5)."""
        return may_object(self.objections_until, on)


# Series of conditional moves: proposal, acceptance, deviation, the bound answer (§ 6.2.5).


class SeriesFault(ValueError):
    """An answer that does not fit the series, or a series of the wrong shape."""


Moves = tuple[chess.Move, ...]


def answer_series(
    plies: Sequence[chess.Move], proposal: Sequence[chess.Move]
) -> tuple[chess.Move | None, Moves]:
    """Check a dispatch against the standing series (§ 6.2.5, § 6.8.4).

    The proposer's answer that is bound to follow at once, when the dispatch plays exactly the
    proposed moves and stops (reading of § 6.2.5), and what remains binding of the series.

    All plies but the last must repeat the series; the last is the sender's own choice. Raises
    SeriesFault for an even number of plies or an answer that repeats something else.
    """
    if len(plies) % 2 == 0:
        raise SeriesFault("a dispatch adds an odd number of moves")
    last = len(plies) - 1
    if last and tuple(plies[:last]) != tuple(proposal[:last]):
        raise SeriesFault("the moves before the last must repeat the proposed series")
    if count_accepted(plies, proposal) > last:
        return proposal[last + 1], tuple(proposal[last + 2 :])
    return None, ()


def count_accepted(plies: Sequence[chess.Move], proposal: Sequence[chess.Move]) -> int:
    """Plies of the standing series that a dispatch accepts: not its own last choice (§ 6.2.5)."""
    last = len(plies) - 1
    return last + (last < len(proposal) and plies[last] == proposal[last])


def check_shape(proposes: Sequence[chess.Move]) -> None:
    """A series ends with the proposer's move: an even number of plies (§ 6.2.5)."""
    if len(proposes) % 2:
        raise SeriesFault("a proposed series has an even number of moves")


# What has happened in a game: frozen values, the only thing stored as its history.


@dataclass(frozen=True, slots=True)
class CardDates:
    """The dates of a post card: § 6.3.2. ``postmark`` None is an illegible one."""

    postmark: date | None
    receipt: date | None = None
    stated: date | None = None


@dataclass(frozen=True, slots=True)
class MoveSent:
    """A dispatch: all plies it adds, first and last the sender's, and a series proposed."""

    by: Side
    plies: tuple[chess.Move, ...]
    sent: date | CardDates
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
class GamePaused:
    """Time stands still for both; ``last`` None while it still does."""

    first: date
    last: date | None
    reason: PauseReason


class MoveReceived(PlayerEvent):
    """The side to move has received the move."""


class LongThinkNotified(PlayerEvent):
    """Notice of more than 14 days on a move (§ 6.3.4)."""


class OpponentReminded(PlayerEvent):
    """The waiting player repeated his last move (§ 6.3.4, § 6.8.3)."""


class LeaderTold(PlayerEvent):
    """The waiting player told the tournament leader of the silence (§ 6.3.4, § 6.8.3)."""


@dataclass(frozen=True, slots=True)
class FaultySent(PlayerEvent):
    """A faulty move: § 6.3.5.1, § 6.8.6."""

    fault: MoveFault


@dataclass(frozen=True, slots=True)
class OverstepClaimed(PlayerEvent):
    """The opponent's overstep is claimed; play halts until it is decided (§ 6.3.3.5, § 6.8.7)."""

    awaits_decision: bool = False


@dataclass(frozen=True, slots=True)
class DaysCharged(PlayerEvent):
    """Days added, or annulled when negative, by an official."""

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


class PlayerResigned(PlayerEvent):
    """A player resigned (§ 6.2.6)."""


class DrawMade(PlayerEvent):
    """A draw accepted, or correctly claimed (FIDE 9.1-9.3)."""


# The server's own.


@dataclass(frozen=True, slots=True)
class SeriesAdded(PlayerEvent):
    """The sender of the last dispatch says that a series goes with it, before it is answered.

    In a ledger the dispatch proposes it (§ 6.2.5).
    """

    proposes: Moves


class DrawOfferPrepared(PlayerEvent):
    """An offer that goes with the player's next move (FIDE 9.1)."""


class DrawDeclined(PlayerEvent):
    """The standing offer was declined."""


class DrawClaimFailed(PlayerEvent):
    """A claim that the position did not bear out; it stands as an offer (FIDE 9.1)."""


class OverstepFound(PlayerEvent):
    """The server saw time run out and warned both; this decides nothing."""


class OverstepWaived(PlayerEvent):
    """The opponent was asked and answered that they will not claim (§ 6.3.3.4)."""


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
RulingEffect = _Finding | LeaveBooked | GamePaused | PauseEnded | ClaimStands
"""What a ruling may do to a game's account and result (§ 6.4.1); it plays no move."""


@dataclass(frozen=True, slots=True)
class RulingApplied:
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
    | GamePaused
    | MoveReceived
    | LongThinkNotified
    | OpponentReminded
    | LeaderTold
    | FaultySent
    | OverstepClaimed
    | DaysCharged
    | ResultRuled
    | DispatchCorrected
    | TotalsSet
    | GameResumed
    | PlayerResigned
    | DrawMade
)
ServerEvent = (
    SeriesAdded
    | DrawOfferPrepared
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
    | RulingApplied
    | RulingAnnulled
    | EntryAnnulled
)
Event = LedgerEvent | ServerEvent
