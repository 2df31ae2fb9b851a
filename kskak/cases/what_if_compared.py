"""Two accounts of one game side by side, differences marked in closed sets.

Not for computing the second one (what_if.py) nor for showing it to people.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest

from kskak.play.account_log import Charge, Row
from kskak.regulation.quantities import Result, Side
from kskak.statement.account import Account


class Cell(StrEnum):
    """The parts of a row that may differ."""

    RECEIVED = "received"
    SENT = "sent"
    DAYS = "days"
    EXEMPT = "exempt"
    TOTAL = "total"


class Mark(StrEnum):
    """What became of a charge."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


class Outcome(StrEnum):
    """How a game stands (§ 6.3.3.3-6.3.3.4)."""

    RUNS = "runs"
    WHITE_OVERSTEPPED = "white_overstepped"
    BLACK_OVERSTEPPED = "black_overstepped"
    WHITE_WINS = "white_wins"
    BLACK_WINS = "black_wins"
    DRAW = "draw"
    BOTH_LOSE = "both_lose"


_OF_RESULT = {
    Result.WHITE_WINS: Outcome.WHITE_WINS,
    Result.BLACK_WINS: Outcome.BLACK_WINS,
    Result.DRAW: Outcome.DRAW,
    Result.BOTH_LOSE: Outcome.BOTH_LOSE,
}


@dataclass(frozen=True, slots=True)
class RowPair:
    """A ply in both accounts; one side is None when a series ends elsewhere."""

    before: Row | None
    after: Row | None
    differs: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class ChargePair:
    """A charge, and whether the suppositions keep, remove or add it."""

    charge: Charge
    mark: Mark


@dataclass(frozen=True, slots=True)
class Comparison:
    """The actual account and the supposed one."""

    before: Account
    after: Account
    rows: tuple[RowPair, ...]
    charges: tuple[ChargePair, ...]

    @property
    def outcomes(self) -> tuple[Outcome, Outcome]:
        """How the game stands before and after."""
        return outcome_of(self.before), outcome_of(self.after)

    def totals(self, side: Side) -> tuple[int, int]:
        """A player's total before and after, without the running move."""
        return self.before.state.clock(side).total, self.after.state.clock(side).total

    @property
    def is_same(self) -> bool:
        """Whether the suppositions change nothing that the account shows."""
        same_rows = not any(pair.differs for pair in self.rows)
        same_charges = all(pair.mark is Mark.SAME for pair in self.charges)
        same_totals = all(before == after for before, after in map(self.totals, Side))
        same_end = self.before.overstep == self.after.overstep
        return (
            same_rows
            and same_charges
            and same_totals
            and same_end
            and self.outcomes[0] is self.outcomes[1]
            and self.before.running == self.after.running
        )


def outcome_of(account: Account) -> Outcome:
    """How a game stands on the account's day (§ 6.3.3.1-6.3.3.4)."""
    if account.state.result is not None:
        return _OF_RESULT[account.state.result]
    if account.overstep is None:
        return Outcome.RUNS
    if account.overstep.by is Side.WHITE:
        return Outcome.WHITE_OVERSTEPPED
    return Outcome.BLACK_OVERSTEPPED


def _differs(before: Row | None, after: Row | None) -> frozenset[Cell]:
    if before is None or after is None:
        return frozenset(Cell)
    cells = {
        Cell.RECEIVED: before.dates.received != after.dates.received,
        Cell.SENT: before.dates.sent != after.dates.sent,
        Cell.DAYS: before.dates.days != after.dates.days,
        Cell.EXEMPT: before.dates.exempt != after.dates.exempt,
        Cell.TOTAL: before.total != after.total,
    }
    return frozenset(cell for cell, is_other in cells.items() if is_other)


def _charges(before: Sequence[Charge], after: Sequence[Charge]) -> tuple[ChargePair, ...]:
    """All charges of both accounts; the ruling behind them makes no difference."""
    known = [replace(charge, ruling=None) for charge in before]
    left = Counter(known)
    pairs: list[ChargePair] = []
    for charge in after:
        plain = replace(charge, ruling=None)
        is_known = left[plain] > 0
        left[plain] -= is_known
        pairs.append(ChargePair(charge, Mark.SAME if is_known else Mark.NEW))
    gone: list[ChargePair] = []
    for charge, plain in zip(before, known, strict=True):
        if left[plain] > 0:
            left[plain] -= 1
            gone.append(ChargePair(charge, Mark.GONE))
    return (*gone, *pairs)


def compare(before: Account, after: Account) -> Comparison:
    """Two accounts of one game, row by row and charge by charge (§ 6.4.1)."""
    rows = tuple(RowPair(a, b, _differs(a, b)) for a, b in zip_longest(before.rows, after.rows))
    return Comparison(before, after, rows, _charges(before.charges, after.charges))
