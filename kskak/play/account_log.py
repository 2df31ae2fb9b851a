"""What the account records while events are applied: rows, charges, remarks.

The server's hot path applies events with ``SILENT``; the statement uses ``AccountLog``. Not for
deciding anything.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

import chess

from kskak.play.recent import RecentPly
from kskak.reflection.leave import Warned, Warning_
from kskak.regulation.days import Span
from kskak.regulation.quantities import Side


@dataclass(frozen=True, slots=True)
class Dates:
    """A dispatch's dates and the days it cost, as they stand in its row."""

    received: date | None
    sent: date | None
    days: int = 0
    exempt: tuple[Span, ...] = ()


NO_DATES = Dates(None, None)


@dataclass(frozen=True, slots=True)
class Row:
    """One ply of the account; ``total`` is its mover's, after the whole dispatch.

    ``ruling`` names the ruling that found the dispatch's dates (Kendelse 107).
    """

    ply: int
    played: RecentPly
    dates: Dates
    total: int
    ruling: str | None = None

    @property
    def number(self) -> int:
        """The full-move number."""
        return self.played.number

    @property
    def by(self) -> Side:
        """Whose ply it is."""
        return self.played.by

    @property
    def move(self) -> chess.Move:
        """The move."""
        return self.played.move

    @property
    def san(self) -> str:
        """The move in English letters."""
        return self.played.san


@dataclass(frozen=True, slots=True)
class Charge:
    """Days added, or annulled when negative, besides the reflection days.

    ``ruling`` names the ruling that charged them; None for the regulation's own.
    """

    by: Side
    on: date
    days: int
    paragraph: str
    reason: str
    ruling: str | None = None


class Log(Protocol):
    """Where applying an event records what it did."""

    def row(self, row: Row) -> None:
        """A ply."""

    def charge(self, charge: Charge) -> None:
        """Days charged or annulled."""

    def remark(self, entry: int, code: Warned) -> None:
        """A remark on an entry."""


class SilentLog:
    """Records nothing."""

    def row(self, row: Row) -> None:
        """Nothing."""

    def charge(self, charge: Charge) -> None:
        """Nothing."""

    def remark(self, entry: int, code: Warned) -> None:
        """Nothing."""


SILENT = SilentLog()


@dataclass(slots=True)
class AccountLog:
    """Keeps everything, for the statement."""

    rows: list[Row] = field(default_factory=list)
    charges: list[Charge] = field(default_factory=list)
    warnings: list[Warning_] = field(default_factory=list)

    def row(self, row: Row) -> None:
        """Keep a ply."""
        self.rows.append(row)

    def charge(self, charge: Charge) -> None:
        """Keep a charge."""
        self.charges.append(charge)

    def remark(self, entry: int, code: Warned) -> None:
        """Keep a remark."""
        self.warnings.append(Warning_(entry, code))
