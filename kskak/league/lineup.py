"""Line-ups of the league: boards in rating order, who may be on which team (§ 6.7.2-6.7.3).

Readings: a division team is one in division 1 or 2, so a player is on at most one of these; the
leader's change of a board order is recorded as ``order_by_leader`` and not questioned again. Not
for reserves (reserves.py) nor for making divisions (composition.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from kskak.regulation.tournament_numbers import LEAGUE

DIVISION_TEAMS = (1, 2)


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """A player on a board: his K-rating, final or provisional, and his club at the entry.

    ``may_play_for_two`` is the leader's dispensation to play for more than one club.
    """

    player: str
    club: str
    rating: int
    may_play_for_two: bool = False


@dataclass(frozen=True, slots=True)
class Lineup:
    """A team: ``boards`` from 1; a main district's individual members count as a club."""

    club: str
    division: int
    boards: tuple[BoardPlayer, ...]
    group: str | None = None
    order_by_leader: bool = False


class LineupFault(StrEnum):
    """What is wrong with a line-up."""

    PLAYERS = "players"
    BOARD_ORDER = "board_order"
    OTHER_CLUB = "other_club"
    TWO_CLUBS = "two_clubs"
    TWO_DIVISION_TEAMS = "two_division_teams"
    TWICE_IN_DIVISION = "twice_in_division"
    TWO_TEAMS_OF_CLUB = "two_teams_of_club"


PARAGRAPH = {
    LineupFault.PLAYERS: "6.7.2.1",
    LineupFault.BOARD_ORDER: "6.7.2.1",
    LineupFault.OTHER_CLUB: "6.7.3.2",
    LineupFault.TWO_CLUBS: "6.7.3.2",
    LineupFault.TWO_DIVISION_TEAMS: "6.7.3.2",
    LineupFault.TWICE_IN_DIVISION: "6.7.2.3",
    LineupFault.TWO_TEAMS_OF_CLUB: "6.7.3.3",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of the team at an index, and the players it concerns."""

    team: int
    fault: LineupFault
    players: tuple[str, ...] = ()


def lineup_findings(teams: Sequence[Lineup]) -> tuple[Finding, ...]:
    """All breaches of § 6.7.2 and § 6.7.3 in the line-ups of a whole league."""
    found: list[Finding] = []
    for index, team in enumerate(teams):
        found += _of_one(index, team)
        for other in teams[:index]:
            found += _of_two(index, team, other)
    return tuple(found)


def boards_out_of_order(team: Lineup) -> tuple[int, ...]:
    """The boards whose player has a higher rating than the one above (§ 6.7.2.1)."""
    pairs = enumerate(pairwise(team.boards), 2)
    return tuple(board for board, (upper, lower) in pairs if lower.rating > upper.rating)


def _of_one(index: int, team: Lineup) -> Iterator[Finding]:
    """§ 6.7.2.1 (four boards in order of strength), § 6.7.3.2 (all of the club)."""
    names = tuple(player.player for player in team.boards)
    if len(names) != LEAGUE.boards or len(set(names)) != len(names):
        yield Finding(index, LineupFault.PLAYERS, names)
    crooked = () if team.order_by_leader else boards_out_of_order(team)
    if crooked:
        yield Finding(index, LineupFault.BOARD_ORDER, tuple(names[b - 1] for b in crooked))
    strangers = tuple(player.player for player in team.boards if player.club != team.club)
    if strangers:
        yield Finding(index, LineupFault.OTHER_CLUB, strangers)


def _of_two(index: int, team: Lineup, other: Lineup) -> Iterator[Finding]:
    """§ 6.7.3.2 and § 6.7.3.3: what a team may not share with an earlier one."""
    same_group = (team.division, team.group) == (other.division, other.group)
    if team.club == other.club and same_group:
        yield Finding(index, LineupFault.TWO_TEAMS_OF_CLUB)
    there = {player.player for player in other.boards}
    shared = tuple(player for player in team.boards if player.player in there)
    names = tuple(player.player for player in shared)
    if not shared:
        return
    if same_group:
        yield Finding(index, LineupFault.TWICE_IN_DIVISION, names)
    elif team.division in DIVISION_TEAMS and other.division in DIVISION_TEAMS:
        yield Finding(index, LineupFault.TWO_DIVISION_TEAMS, names)
    refused = tuple(player.player for player in shared if not player.may_play_for_two)
    if team.club != other.club and refused:
        yield Finding(index, LineupFault.TWO_CLUBS, refused)
