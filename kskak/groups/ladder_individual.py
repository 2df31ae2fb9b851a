"""Placing of individuals: EMT, DM class, cup and cup final (§ 6.5.2, § 6.5.4.1, § 6.6.1.4-6.6.1.5).

The text names the ladders for the places that matter (1; 1 and 2; 1 to 3). Reading: the same
ladder orders every place, so that a table has one order throughout. Not for titles and prizes
(honours.py) nor for teams (ladder_teams.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.ladder import Placed, Rung, Step, place
from kskak.groups.played import NOTHING, Played, among, points_of


class RuleSet(StrEnum):
    """The ladder a table is placed by."""

    EMT = "emt"
    DM = "dm"
    CUP = "cup"
    CUP_FINAL = "cup-final"
    LEAGUE = "league"


@dataclass(frozen=True, slots=True)
class Table:
    """A group of individuals; ``playoff`` and ``agreed_to_share`` in the DM class only."""

    rules: RuleSet
    players: tuple[str, ...]
    games: tuple[Played, ...]
    playoff: tuple[Played, ...] = ()
    agreed_to_share: bool = False


def sonneborn_berger(players: Sequence[str], games: Sequence[Played]) -> dict[str, Fraction]:
    """The sum of the points of those beaten and half the points of those drawn with (§ 6.5.4.1).

    Game by game, so in a double round an opponent may count twice; a game that both lost counts
    nothing for either (§ 4.9.10.1 has the same rule).
    """
    points = points_of(players, games)
    sums = dict.fromkeys(players, NOTHING)
    for game in games:
        for name, opponent, score in game.sides:
            sums[name] += score * points[opponent]
    return sums


def placing(table: Table) -> list[Placed]:
    """The order of a group of individuals by its rules.

    Points, Sonneborn-Berger, own game (§ 6.5.4.1, § 6.6.1.4, § 6.6.1.5), and in the DM class a
    play-off for first place unless all agree to share (§ 6.5.2). What stays level is shared.
    Reading: among three or more, the own games form a table of their own, and those it leaves
    level are separated again by their own games. Raises ValueError for the league's rules.
    """
    if table.rules is RuleSet.LEAGUE:
        raise ValueError("a league's teams are placed by § 6.7.4.5")
    points = points_of(table.players, table.games)
    sums = sonneborn_berger(table.players, table.games)
    ladder = [
        Rung(Step.POINTS, lambda level: points),
        Rung(Step.SONNEBORN_BERGER, lambda level: sums),
        Rung(Step.OWN_GAME, lambda level: own_points(level, table.games), again=True, within=True),
    ]
    if table.playoff:
        ladder.append(Rung(Step.PLAYOFF, lambda level: own_points(level, table.playoff)))
    return place(table.players, ladder, {0: Step.SHARED, 1: _first_shared(table)})


def own_points(level: Sequence[str], games: Sequence[Played]) -> dict[str, Fraction]:
    """The points from the games between those level."""
    return points_of(level, among(level, games))


def _first_shared(table: Table) -> Step:
    """The step named for a shared first place: in the DM class a play-off to come (§ 6.5.2).

    Unless it has been played, or all have agreed to share the title.
    """
    is_open = table.rules is RuleSet.DM and not table.agreed_to_share and not table.playoff
    return Step.PLAYOFF if is_open else Step.SHARED
