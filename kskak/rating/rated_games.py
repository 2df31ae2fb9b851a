"""Which games of a finished group are rated (§ 4.5.4.2).

All that were played are. Readings, as the text is about rounds that one turns up for: a game is
played once both have moved, or where the players themselves, or the leader on the position, ended
it; one lost on time or by a ruling before that is an unexcused absence, which is rated except in
the league and except for players absent from the whole tournament; one lost by a withdrawal
before that is not rated. A game that was played is rated with the result that stands in the
group, even where § 6.2.8 reversed it afterwards: that paragraph makes the player lose it, and
§ 4.5.4.2 says which games are rated, not that they get results of their own. A game that a reserve
took over is not rated, as in the text's team matches. Not for the calculation (calculation.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.group_table import How
from kskak.groups.played import Played


class Unrated(StrEnum):
    """Why a game of the group is not rated."""

    RESERVE = "reserve"
    """A reserve took it over."""
    WITHDRAWN = "withdrawn"
    """Lost by a withdrawal, not played."""
    TEAM = "team"
    """Not played, in the league."""
    ABSENT = "absent"
    """Not played, and the loser played nothing."""
    DRAWN = "drawn"
    """Not played, with no points or half a point for both: neither alone was absent."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game: how it ended, and whether both have moved.

    ``how`` None: by the players, or as reported of a game that was not played here.
    """

    game: Played
    how: How | None
    both_moved: bool
    carried_on: bool = False

    @property
    def is_played(self) -> bool:
        return self.both_moved or self.how in (None, How.ADJUDICATED)


def why_unrated(ended: Sequence[Ended], *, is_team: bool) -> tuple[Unrated | None, ...]:
    """For each game why it is not rated; None where it is (§ 4.5.4.2)."""
    present = {name for one in ended if one.is_played for name, _, _ in one.game.sides}
    return tuple(_why(one, present, is_team=is_team) for one in ended)


def _why(one: Ended, present: Iterable[str], *, is_team: bool) -> Unrated | None:
    if one.carried_on:
        return Unrated.RESERVE
    if one.is_played:
        return None
    if one.how is How.WITHDRAWN:
        return Unrated.WITHDRAWN
    if is_team:
        return Unrated.TEAM
    losers = [name for name, _, points in one.game.sides if points < Fraction(1, 2)]
    if len(losers) != 1:
        return Unrated.DRAWN
    return None if losers[0] in present else Unrated.ABSENT
