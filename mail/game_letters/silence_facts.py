"""The letters that the passing of time triggers: reminders, warnings, notices, shortened leave.

§ 6.3.4, § 6.3.6, § 6.8.1, § 6.8.3. Facts only, as in ``mail.game_letters.facts``. ``to`` is the
reader's colour; None is the leader. NOT for text or layout (``mail.game_letters.silences``).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.text.facts import Dispatch, Game


@dataclass(frozen=True, slots=True)
class Reminder:
    """To the silent player: the last move repeated (§ 6.3.4, § 6.8.3).

    ``dispatch`` is None when the game's first move is awaited. ``link`` gives notice.
    """

    game: Game
    account: Account
    to: Side
    dispatch: Dispatch | None
    link: str


class Copied(StrEnum):
    """Why the leader gets a copy (§ 6.8.3)."""

    REMINDED = "reminded"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class SilenceCopy:
    """To the leader: a copy of a reminder, or of the answer to one (§ 6.8.3)."""

    game: Game
    account: Account
    why: Copied
    by: Side
    """Who was silent."""
    dispatch: Dispatch | None


class Step(StrEnum):
    """What was done for the waiting player."""

    REMINDED = "reminded"
    LEADER_TOLD = "leader_told"


@dataclass(frozen=True, slots=True)
class SilenceTold:
    """To the waiting player: what the server did on his behalf (§ 6.3.4)."""

    game: Game
    account: Account
    to: Side
    step: Step


@dataclass(frozen=True, slots=True)
class ThinkWarning:
    """To the player, before anything is charged: notice will be needed (§ 6.3.4).

    ``free_until``: the last day that needs none; ``link`` gives notice with one click.
    """

    game: Game
    account: Account
    to: Side
    free_until: date | None
    link: str


@dataclass(frozen=True, slots=True)
class LongThink:
    """Notice of more than 14 days on a move: to the opponent or to the player (§ 6.3.4)."""

    game: Game
    account: Account
    to: Side
    by: Side
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ControlWarning:
    """To the player: few days are left before the control (§ 6.3.3.1, § 6.8.6).

    ``supposed``: the earliest day a card whose receipt is not reported can have arrived.
    """

    game: Game
    account: Account
    to: Side
    days_left: int
    supposed: date | None = None


@dataclass(frozen=True, slots=True)
class OfflineReport:
    """To the leader: a player has been out of reach for more than 30 days (§ 6.8.1)."""

    game: Game
    account: Account
    by: Side
    since: date


@dataclass(frozen=True, slots=True)
class LeaveShorter:
    """To the opponent and the leader: leave shortened for the player on leave (§ 6.3.6)."""

    game: Game
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
