"""A division's table as shown: team placing, matches, boards, prizes (§ 6.7.4.5, § 6.4.5.1).

A value that can be frozen with a bulletin. Teams go by their clubs, one in each division
(§ 6.7.3.3). Not for the order (ladder_teams.py) nor for layout.
"""

from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.crosstable import Crosstable
from kskak.groups.honours import shared_prizes
from kskak.groups.ladder import Placed


@dataclass(frozen=True, slots=True)
class DivisionMatch:
    """Two teams' games of a round: the points so far, and how many games are still running."""

    round: int
    home: str
    away: str
    points: tuple[Fraction, Fraction]
    running: int


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """A division as it stands. ``prizes`` in øre by club, once it is finished.

    ``needs_lots``: places still level await lots; ``seed``: that of the lots drawn.
    """

    division: int
    clubs: Crosstable
    boards: tuple[Crosstable, ...]
    matches: tuple[DivisionMatch, ...]
    is_finished: bool
    needs_lots: bool = False
    champion: str | None = None
    seed: str | None = None
    prizes: tuple[tuple[str, Fraction], ...] = ()


def prizes_of_clubs(
    clubs: Crosstable, amounts: tuple[int, ...]
) -> tuple[tuple[str, Fraction], ...]:
    """What each club gets; clubs that share a place share its prizes (§ 6.7.4.5, § 6.5.4).

    Reading: the league's text mentions no sharing; level places share until lots are drawn.
    """
    placed = [Placed(row.place, row.name, row.decided_by) for row in clubs.rows]
    return tuple(shared_prizes(placed, amounts).items())
