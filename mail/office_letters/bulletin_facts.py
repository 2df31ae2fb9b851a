"""A bulletin's facts: what happened in a period, ready to be told in any language (§ 6.4.5.1).

Frozen when the bulletin goes out, so that it stays as its readers got it. No addresses, no birth
dates: a bulletin is public. NOT for text (``mail.office_letters.bulletins``).
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from kskak.entries.consequences import Consequence, CupRight
from kskak.groups.division_table import DivisionTable
from kskak.groups.group_table import GroupTable, How
from kskak.groups.honours import Award
from mail.text.facts import Official


@dataclass(frozen=True, slots=True)
class GroupName:
    """A group as a bulletin names it, and where it is on the web."""

    name: str
    tournament: str
    group_class: str
    url: str


@dataclass(frozen=True, slots=True)
class StartedGroup:
    """A group that began in the period."""

    group: GroupName
    start: date
    leader: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeriodResult:
    """A result of the period; ``result`` in the usual chess form."""

    white: str
    black: str
    result: str
    how: How | None
    on: date


@dataclass(frozen=True, slots=True)
class RunningGroup:
    """A group still being played, with results in the period: its table as it stands."""

    group: GroupName
    table: GroupTable
    results: tuple[PeriodResult, ...]
    division: DivisionTable | None = None
    """A division of the league: its teams are placed, not its players (§ 6.7.4.5)."""


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """The outcome of a finished group. Money in øre, by the players' numbers."""

    table: GroupTable
    awards: tuple[Award, ...] = ()
    """Titles; their holders are the players' numbers as text."""
    consequences: tuple[Consequence, ...] = ()
    prizes: tuple[tuple[int, Fraction], ...] = ()
    lost_prize: tuple[int, ...] = ()
    cup_rights: tuple[CupRight, ...] = ()


@dataclass(frozen=True, slots=True)
class FinishedGroup:
    """A group that was published as finished in the period."""

    group: GroupName
    standing: FinalStanding
    results: tuple[PeriodResult, ...]
    division: DivisionTable | None = None


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """A decision of general interest, in the official's words (§ 6.4.5.1)."""

    number: str
    paragraphs: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Bulletin:
    """A whole bulletin. ``issued`` is None for a draft: the last day to object is not known."""

    number: int
    first: date
    last: date
    issued: date | None
    objections_until: date | None
    official: Official
    url: str
    foreword: str
    started: tuple[StartedGroup, ...]
    finished: tuple[FinishedGroup, ...]
    running: tuple[RunningGroup, ...]
    decisions: tuple[DecisionNote, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        told = (self.foreword, self.started, self.finished, self.running, self.decisions)
        return not any(told)


@dataclass(frozen=True, slots=True)
class BulletinMail:
    """To subscribers: the bulletin, with how to stop it."""

    bulletin: Bulletin
    pdf_url: str
    stop_url: str


@dataclass(frozen=True, slots=True)
class BulletinDue:
    """To the controller: a period is over and its bulletin is not out (§ 6.4.5.1)."""

    reader: str
    official: Official
    first: date
    last: date
    due: date
    url: str


BulletinLetter = BulletinMail | BulletinDue
