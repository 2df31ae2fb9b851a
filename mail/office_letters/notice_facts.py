"""Letters not about a single game: start letter, list of games, leave, sign-in, alarms.

Facts only, as in ``mail.game_letters.facts``. NOT for text or layout.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from kskak.game.refusals import Refusal
from kskak.regulation.quantities import LeaveType
from mail.text.facts import Entrant, Group, Official, OwnGame, Pairing, Person


@dataclass(frozen=True, slots=True)
class StartLetter:
    """To each player of a group before its start (§ 6.5.2.1)."""

    reader: Person
    group: Group
    players: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    command_address: str
    """Where to write about leave and status."""
    rounds: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()
    """The whole schedule: each round with its games, White's number first (§ 6.5.2.1)."""


class Asked(StrEnum):
    """What a list of games is an answer to."""

    STATUS = "status"
    HELP = "help"
    MAILS = "mails"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class GameList:
    """A player's running games with fresh reply addresses; unless STATUS or MAILS, also
    what to write.
    """

    reader: Person
    games: tuple[OwnGame, ...]
    asked: Asked
    command_address: str
    official: Official


@dataclass(frozen=True, slots=True)
class LeaveConfirmed:
    """To the player: his leave is booked, in which groups, and what is left (§ 6.3.6)."""

    reader: Person
    first: date
    last: date
    leave_type: LeaveType
    groups: tuple[tuple[str, Official], ...]
    """Each group with its leader."""
    days_left: int | None
    official: Official
    until: date | None = None
    """His own last day if he shortened it."""


@dataclass(frozen=True, slots=True)
class LeaveRefused:
    """To the player: his leave is not booked, and what would do (§ 6.3.6, § 6.3.6.1)."""

    reader: Person
    first: date
    last: date
    refusal: Refusal
    official: Official
    groups: tuple[tuple[str, Official], ...] = ()
    """The groups it was for, each with its leader, who grants special leave (§ 6.3.6.4)."""


@dataclass(frozen=True, slots=True)
class DeliveryTrouble:
    """To the leader: mail to a player can't be delivered (§ 6.8.2).

    ``is_report``: a report says so, and the time runs until the leader stops it.
    """

    leader: Official
    player: Person
    games: tuple[str, ...]
    since: date
    reason: str
    is_final: bool
    official: Official
    is_report: bool = False


@dataclass(frozen=True, slots=True)
class SignIn:
    """A one-time link to sign in; ``expires`` is aware and in the reader's zone."""

    reader: Person
    link: str
    expires: datetime
    official: Official


class Alarm(StrEnum):
    """What an operator is alerted to at once, and the report of a day's mail."""

    MAIL_SHUNTED = "mail_shunted"
    MAIL_DEAD = "mail_dead"
    LETTER_PLAIN = "letter_plain"
    MAIL_HELD = "mail_held"
    MAIL_REPORT = "mail_report"
    MAILBOX_SHUT = "mailbox_shut"


@dataclass(frozen=True, slots=True)
class Unwritten:
    """In place of a letter that our server failed to write; ``about`` names the game, if any."""

    reader: Person
    about: str | None
    link: str
    official: Official


@dataclass(frozen=True, slots=True)
class OperatorAlert:
    """To the operator: what happened, how often, and the details of which.

    ``counts``: in a report, how many there were of what.
    """

    official: Official
    alarm: Alarm
    count: int
    details: tuple[str, ...]
    counts: tuple[tuple[str, int], ...] = ()


NoticeLetter = (
    StartLetter
    | GameList
    | LeaveConfirmed
    | LeaveRefused
    | DeliveryTrouble
    | Unwritten
    | SignIn
    | OperatorAlert
)
