"""Next season's divisions, each team with the reason for its place (§ 6.7.5.1).

Readings, which the leader sees and may overrule:
- more than 7 for the 1st division: the 5 best of the last 1st, the others from the last 2nd;
- strongest is by score, then by mean K-rating; the others for a dispensation likewise, those
  of the division itself and the next below first, then lower ones, then new teams by rating;
- qualified for the 1st division without a place there: counts as qualified for the 2nd;
- the letter that the text lacks for the 2nd: teams of the 3rd with at least 75 percent;
- 2 up from the 3rd, one from each of its groups, or 2 where it has one group only;
- where a club has two teams for one division, the one from the higher division has the place
  (§ 6.7.3.3), and each group of the 3rd counts as a division;
- a team whose dispensation the leader has refused is passed over where it would need one, and the
  next is asked; a division may then stay below 7 teams;
- groups of the 3rd have at most 7 (6 games, § 6.7.2.3) and are dealt in a snake by mean rating.
Not for lots of numbers or schedule (league.py).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kskak.dealing import Dealt, snake
from kskak.forms import LEAGUE
from kskak.teams import Team, by_rating, strongest_first


class Reason(StrEnum):
    """Why a team is in its division (§ 6.7.5.1); the letters are the text's."""

    FIRST_STAYS = "6.7.5 1a"
    FIRST_RISES = "6.7.5 1b"
    FIRST_DISPENSATION = "6.7.5 1 dispensation"
    SECOND_FALLS = "6.7.5 2a"
    SECOND_STAYS = "6.7.5 2b"
    SECOND_RISES = "6.7.5 2c"
    SECOND_FROM_FIRST = "6.7.5 2 from 1"
    SECOND_DISPENSATION = "6.7.5 2 dispensation"
    THIRD = "6.7.5 3"


@dataclass(frozen=True, slots=True)
class Placed:
    """A team and why it stands where it does."""

    team: Team
    reason: Reason


@dataclass(frozen=True, slots=True)
class Dispensation:
    """A team that the leader must let in, and the division (§ 6.7.5.1)."""

    team: Team
    division: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Composition:
    """The divisions; the third in its groups."""

    first: tuple[Placed, ...]
    second: tuple[Placed, ...]
    third: tuple[tuple[Placed, ...], ...]

    @property
    def dispensations(self) -> tuple[Dispensation, ...]:
        """What the leader must grant for it."""
        return tuple(
            Dispensation(row.team, division, row.reason)
            for division, rows in ((1, self.first), (2, self.second))
            for row in rows
            if row.reason in (Reason.FIRST_DISPENSATION, Reason.SECOND_DISPENSATION)
        )


class _Division:
    """A division being filled: at most 7 teams, no club twice (§ 6.7.1.1, § 6.7.3.3)."""

    def __init__(self) -> None:
        self.placed: list[Placed] = []

    def take(
        self, teams: Iterable[Team], reason: Callable[[Team], Reason], most: int = LEAGUE.teams
    ) -> None:
        """Take at most so many of the teams, in their order, while there is room."""
        taken = 0
        for team in teams:
            is_full = len(self.placed) >= LEAGUE.teams or taken >= most
            clubs = {row.team.club_key for row in self.placed}
            if not is_full and team.club_key not in clubs:
                self.placed.append(Placed(team, reason(team)))
                taken += 1

    def left_of(self, teams: Iterable[Team]) -> list[Team]:
        """Those that it has not taken."""
        inside = {row.team.number for row in self.placed}
        return [team for team in teams if team.number not in inside]


Refused = Collection[tuple[int, int]]
"""Dispensations that the leader does not give: numbers of teams, each with the division."""


def compose(teams: Sequence[Team], refused: Refused = ()) -> Composition:
    """The divisions that the entered teams make (§ 6.7.5.1)."""
    first = _first(teams, refused)
    second = _second(first.left_of(teams), refused)
    third = _third(second.left_of(first.left_of(teams)))
    return Composition(tuple(first.placed), tuple(second.placed), third)


def _from(teams: Iterable[Team], last: int, lowest: int, below: int = 101) -> list[Team]:
    """The teams of a last division with a score from ``lowest`` to under ``below`` percent."""
    return strongest_first(
        team
        for team in teams
        if team.last == last
        and (team.has_scored(lowest) or not lowest)
        and not team.has_scored(below)
    )


def _first(teams: Sequence[Team], refused: Refused) -> _Division:
    """§ 6.7.5.1, 1st division."""
    asked = _may_be_asked(1, refused)
    stays = _from(teams, 1, LEAGUE.stay)
    rises = _from(teams, 2, LEAGUE.rise)
    division = _Division()
    is_crowded = len(stays) + len(rises) > LEAGUE.teams
    most = LEAGUE.first_from_first if is_crowded else LEAGUE.teams
    division.take(stays, lambda _: Reason.FIRST_STAYS, most)
    division.take(rises, lambda _: Reason.FIRST_RISES)
    left = division.left_of(teams)
    if is_crowded:  # "min. 2": its own surplus comes after the teams of the 2nd
        _dispense(division, [asked(_from(left, 2, 0))], Reason.FIRST_DISPENSATION)
        left = division.left_of(teams)
    neighbours = strongest_first(team for team in left if team.last in (1, 2))
    queues = [neighbours, _from(left, 3, 0), _new(left)]
    _dispense(division, map(asked, queues), Reason.FIRST_DISPENSATION)
    return division


def _second(teams: Sequence[Team], refused: Refused) -> _Division:
    """§ 6.7.5.1, 2nd division, from those without a place in the 1st."""
    down = _from(teams, 1, 0)
    own = _from(teams, 2, LEAGUE.stay)
    up = _from(teams, 3, LEAGUE.rise)
    qualified = [*down, *own, *up]
    division = _Division()
    if len(qualified) > LEAGUE.teams:
        division.take(down, _second_reason, LEAGUE.second_from_first)
        division.take(_one_from_each_group(up, teams), _second_reason, LEAGUE.second_from_third)
        qualified = strongest_first(division.left_of(qualified))
    division.take(qualified, _second_reason)
    left = division.left_of(teams)
    neighbours = strongest_first(team for team in left if team.last in (2, 3))
    queues = map(_may_be_asked(2, refused), [neighbours, _new(left)])
    _dispense(division, queues, Reason.SECOND_DISPENSATION)
    return division


def _second_reason(team: Team) -> Reason:
    match team.last:
        case 1:
            is_crowded_out = team.has_scored(LEAGUE.stay)
            return Reason.SECOND_FROM_FIRST if is_crowded_out else Reason.SECOND_FALLS
        case 2:
            is_crowded_out = team.has_scored(LEAGUE.rise)
            return Reason.SECOND_FROM_FIRST if is_crowded_out else Reason.SECOND_STAYS
        case _:
            return Reason.SECOND_RISES


def _one_from_each_group(up: Sequence[Team], teams: Sequence[Team]) -> list[Team]:
    """The best of each group of the last 3rd division, of those that qualified; all of one."""
    groups = {team.group for team in teams if team.last == 3}
    if len(groups) == 1:
        return list(up)
    best: dict[str | None, Team] = {}
    for team in up:
        best.setdefault(team.group, team)
    return list(best.values())


def _may_be_asked(division: int, refused: Refused) -> Callable[[list[Team]], list[Team]]:
    """Leaves those out whose dispensation for the division the leader has refused."""
    return lambda teams: [team for team in teams if (team.number, division) not in refused]


def _new(teams: Iterable[Team]) -> list[Team]:
    return by_rating(team for team in teams if team.last is None)


def _dispense(division: _Division, queues: Iterable[list[Team]], reason: Reason) -> None:
    for queue in queues:
        division.take(queue, lambda _: reason)


def _third(teams: Sequence[Team]) -> tuple[tuple[Placed, ...], ...]:
    """§ 6.7.5.1, 3rd division: no qualification, and groups as equal as can be."""
    if not teams:
        return ()
    keys = [team.club_key for team in teams]
    groups = max(-(-len(teams) // LEAGUE.teams), *(keys.count(key) for key in keys))
    size, more = divmod(len(teams), groups)
    sizes = [size + 1 if number < more else size for number in range(groups)]
    dealt = [Dealt(team.club_key, float(team.mean), i) for i, team in enumerate(teams)]
    return tuple(
        tuple(Placed(teams[index], Reason.THIRD) for index in group)
        for group in snake(dealt, sizes)
    )
