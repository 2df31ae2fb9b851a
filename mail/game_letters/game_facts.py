"""The letters about one game: one frozen class each, with the facts it needs."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.game.game_commands import Refusal
from kskak.play.game_state import AccountCharge
from kskak.regulation.editions import LeaveType, Side
from kskak.statement.account import Account
from mail.text.letter_facts import Dispatch, LetterGame, MoveText

# The letters about one game: one frozen class each, with the facts it needs.


@dataclass(frozen=True, slots=True)
class FirstMove:
    """To White when a game begins: what to write where."""

    game: LetterGame
    account: Account
    to: Side


@dataclass(frozen=True, slots=True)
class PositionLetter:
    """To the player to move: the position is another one, by a ruling or a correction (FIDE 7.5).

    ``dispatch`` is the last that stands; None: the game begins anew.
    """

    game: LetterGame
    account: Account
    to: Side
    dispatch: Dispatch | None


class Reaches(StrEnum):
    """How a move reaches the opponent: by a mail of its own, by a daily one, on the web alone."""

    MAIL = "lead"
    DAILY = "daily"
    WEB = "web"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """To the sender of a move: what was played, and the account (§ 6.2.1, § 6.8.2).

    ``unread`` are lines of his mail that were not understood, quoted back; ``reaches``: how his
    opponent gets to know of the move.
    """

    game: LetterGame
    account: Account
    dispatch: Dispatch
    unread: tuple[str, ...] = ()
    reaches: Reaches = Reaches.MAIL


@dataclass(frozen=True, slots=True)
class Relay:
    """To the opponent: the move with all that § 6.2.1 and § 6.8.2 require.

    ``message`` is the sender's. ``is_repeated``: after 14 days without an answer (§ 6.8.3).
    """

    game: LetterGame
    account: Account
    dispatch: Dispatch
    message: str | None = None
    is_repeated: bool = False


class MailTrouble(StrEnum):
    """Why a mail made no move, apart from refusals under the rules."""

    ILLEGAL = "illegal"
    WRONG_REPETITION = "wrong_repetition"
    NOT_UNDERSTOOD = "not_understood"
    AMBIGUOUS = "ambiguous"
    WRONG_NUMBER = "wrong_number"
    UNSURE = "unsure"
    DRAW_UNCLEAR = "draw_unclear"
    CONTRADICTION = "contradiction"
    SPENT_KEY = "spent_key"
    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    UNREADABLE = "unreadable"
    WHICH = "which"
    NOT_ASKED = "not_asked"
    ANSWERED_NO = "answered_no"
    LEAVE_DAYS = "leave_days"
    LATER_START = "later_start"
    NEW_ADDRESS = "new_address"
    QUESTION = "question"


HEARD = (
    MailTrouble.LEAVE_DAYS,
    MailTrouble.LATER_START,
    MailTrouble.NEW_ADDRESS,
    MailTrouble.QUESTION,
)
"""Mails that tried no move: they are told what to do, not that no move was made."""


@dataclass(frozen=True, slots=True)
class MoveSuggestion:
    """«Did you mean this?»: the link that says yes, and the day the move then counts as sent."""

    link: str
    arrived: date


@dataclass(frozen=True, slots=True)
class NotMade:
    """The answer to a mail that made no move.

    ``written``: what was taken for the move; ``candidates``: what it could mean; ``charge``:
    the days charged for it (§ 6.8.6, § 6.3.5.1); ``unread``: the rest, quoted; ``asks``: the one
    candidate is played by a ``ja`` reply or the link. ``raise_case``: where a refused claim can
    become a case (§ 6.4.1). ``open``: what a «ja» might be meant for, each with
    the move that was asked about.
    """

    game: LetterGame
    account: Account
    to: Side
    why: MailTrouble | Refusal
    written: str | None = None
    candidates: tuple[MoveText, ...] = ()
    charge: AccountCharge | None = None
    unread: tuple[str, ...] = ()
    asks: MoveSuggestion | None = None
    raise_case: str | None = None
    open: tuple[tuple[str, str], ...] = ()


class ConfirmableAction(StrEnum):
    """What must be confirmed once before it is done."""

    RESIGN = "resign"
    ACCEPT_DRAW = "accept_draw"
    DRAW_NO = "draw_no"
    DRAW_OFFER = "draw_offer"
    CLAIM_TIME = "claim_time"
    LONG_THINK = "long_think"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class AskBack:
    """«Do you resign?», «Do you accept the draw?»: done by a ``ja`` reply or the link.

    ``words``: the line that does the same by itself, where a ``ja`` alone is not clear; ``first``
    and ``last``: the days of LEAVE, both included.
    """

    game: LetterGame
    account: Account
    to: Side
    question: ConfirmableAction
    link: str
    words: str = ""
    first: date | None = None
    last: date | None = None


class MailHoldKind(StrEnum):
    """Why a mail is held until its sender confirms it."""

    OTHER_ADDRESS = "other_address"
    KEY_MISSING = "key_missing"
    DOUBTFUL = "doubtful"
    MACHINE = "machine"
    UNCLEAR = "unclear"
    FAR_AHEAD = "far_ahead"


@dataclass(frozen=True, slots=True)
class HeldConfirm:
    """To the registered address: was this you? Counted from its arrival once confirmed.

    ``words``: what the mail says; shown when it plays no move.
    """

    game: LetterGame
    account: Account
    to: Side
    why: MailHoldKind
    plies: tuple[MoveText, ...]
    arrived: date
    link: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class LateAsk:
    """To the player who answered an overstep: claim or not? The move waits (§ 6.3.3.4, § 6.8.7)."""

    game: LetterGame
    account: Account
    to: Side
    plies: tuple[MoveText, ...]
    arrived: date
    claim_link: str
    waive_link: str


@dataclass(frozen=True, slots=True)
class GameOver:
    """To both players and the leader: the result and how it came about (§ 6.2.6, § 6.8.9)."""

    game: LetterGame
    account: Account
    to: Side | None
    dispatch: Dispatch | None = None


class DrawWord(StrEnum):
    """What is said about a draw without a move (FIDE 9.1)."""

    DECLINED = "declined"
    NOTED = "noted"
    CLAIMED = "claimed"


@dataclass(frozen=True, slots=True)
class DrawNotice:
    """To the player concerned: a draw declined, an offer noted for the next move, or a wrong
    claim that stands as an offer."""

    game: LetterGame
    account: Account
    to: Side
    word: DrawWord


@dataclass(frozen=True, slots=True)
class LeaveNotice:
    """To an opponent, with a copy to the leader: leave as notified (§ 6.3.6.1, § 6.8.8)."""

    game: LetterGame
    account: Account
    to: Side | None
    by: Side
    first: date
    last: date
    leave_type: LeaveType


@dataclass(frozen=True, slots=True)
class OverstepWarning:
    """To both and the leader: time has run out; nothing is decided by it (§ 6.3.3)."""

    game: LetterGame
    account: Account
    to: Side | None


@dataclass(frozen=True, slots=True)
class ClaimFiled:
    """To the opponent, and to the leader with the account (§ 6.3.3.5, § 6.8.7).

    ``case`` is the number of the case that the claim opened.
    """

    game: LetterGame
    account: Account
    to: Side | None
    by: Side
    on: date
    case: str | None = None


@dataclass(frozen=True, slots=True)
class AnnulmentNotice:
    """To both and the leader: entries ``seqs`` can't be read and were annulled by a repair."""

    game: LetterGame
    account: Account
    to: Side | None
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SilenceReport:
    """To the leader: no answer 7 days after the reminder (§ 6.3.4, § 6.8.3)."""

    game: LetterGame
    account: Account
    reminded: date


GameLetter = (
    FirstMove
    | PositionLetter
    | Confirmation
    | Relay
    | NotMade
    | AskBack
    | HeldConfirm
    | LateAsk
    | GameOver
    | DrawNotice
    | LeaveNotice
    | OverstepWarning
    | ClaimFiled
    | AnnulmentNotice
    | SilenceReport
)


# The letters that the passing of time triggers: reminders, warnings, notices, shortened leave.


@dataclass(frozen=True, slots=True)
class Reminder:
    """To the silent player: the last move repeated (§ 6.3.4, § 6.8.3).

    ``dispatch`` is None when the game's first move is awaited. ``link`` gives notice.
    """

    game: LetterGame
    account: Account
    to: Side
    dispatch: Dispatch | None
    link: str


class LeaderCopyKind(StrEnum):
    """Why the leader gets a copy (§ 6.8.3)."""

    REMINDED = "reminded"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class SilenceCopy:
    """To the leader: a copy of a reminder, or of the answer to one (§ 6.8.3)."""

    game: LetterGame
    account: Account
    why: LeaderCopyKind
    by: Side
    """Who was silent."""
    dispatch: Dispatch | None


class SilenceStep(StrEnum):
    """What was done for the waiting player."""

    REMINDED = "reminded"
    LEADER_TOLD = "leader_told"


@dataclass(frozen=True, slots=True)
class SilenceTold:
    """To the waiting player: what the server did on his behalf (§ 6.3.4)."""

    game: LetterGame
    account: Account
    to: Side
    step: SilenceStep


@dataclass(frozen=True, slots=True)
class ThinkWarning:
    """To the player, before anything is charged: notice will be needed (§ 6.3.4).

    ``free_until``: the last day that needs none; ``link`` gives notice with one click.
    """

    game: LetterGame
    account: Account
    to: Side
    free_until: date | None
    link: str


@dataclass(frozen=True, slots=True)
class LongThink:
    """Notice of more than 14 days on a move: to the opponent or to the player (§ 6.3.4)."""

    game: LetterGame
    account: Account
    to: Side
    by: Side
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ControlWarning:
    """To the player: few days are left before the control (§ 6.3.3.1, § 6.8.6).

    ``supposed``: the earliest day a card whose receipt is not reported can have arrived.
    """

    game: LetterGame
    account: Account
    to: Side
    days_left: int
    supposed: date | None = None


@dataclass(frozen=True, slots=True)
class OfflineReport:
    """To the leader: a player has been out of reach for more than 30 days (§ 6.8.1)."""

    game: LetterGame
    account: Account
    by: Side
    since: date


@dataclass(frozen=True, slots=True)
class LeaveShorter:
    """To the opponent and the leader: leave shortened for the player on leave (§ 6.3.6)."""

    game: LetterGame
    account: Account
    to: Side | None
    by: Side
    first: date
    last: date
    until: date


SilenceLetter = (
    Reminder
    | SilenceCopy
    | SilenceTold
    | ThinkWarning
    | LongThink
    | ControlWarning
    | OfflineReport
    | LeaveShorter
)
