"""A division of the league: numbers by lot, colours board by board, its letters, district teams.

§ 6.7.1.2, § 6.7.2.3, § 6.7.3.1, § 6.7.4.1 and § 6.7.4.2. Readings: boards 1 and 3 follow the
schedule of § 4.9.11, boards 2 and 4 have its colours reversed, so that a match has two white
games for each team; a district's individual members form teams of four in order of strength,
and those left over wait. Not for line-ups (lineup.py), placing or composition (composition.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from kskak.groups.dealing import draw_lots
from kskak.groups.schedule import Pairing, Schedule, round_robin
from kskak.league.lineup import BoardPlayer
from kskak.regulation.tournament_numbers import LEAGUE

START_MONTH, START_DAY = 1, 10
"""The league starts about this day: § 6.7.1.2."""


@dataclass(frozen=True, slots=True)
class Division:
    """Clubs in the order of their drawn numbers, and the schedule of each board from 1."""

    clubs: tuple[str, ...]
    seed: str
    boards: tuple[Schedule, ...]


def draw_division(clubs: Sequence[str], seed: str) -> Division:
    """Numbers by lot, and who has which colour on each board (§ 6.7.4.2).

    With 7 teams each player has 6 games (§ 6.7.2.3), 3 of them White. ValueError for a club
    that appears twice (§ 6.7.3.3), or fewer than two.
    """
    if len(set(clubs)) != len(clubs):
        raise ValueError("a club stands twice in the division (§ 6.7.3.3)")
    boards = board_schedules(len(clubs))
    return Division(tuple(clubs[index] for index in draw_lots(seed, clubs)), seed, boards)


def board_schedules(teams: int) -> tuple[Schedule, ...]:
    """The schedule of each board from 1, by the teams' numbers (§ 6.7.4.2).

    ValueError for fewer than two teams.
    """
    odd = round_robin(teams)
    even = Schedule(
        odd.players,
        tuple(tuple(Pairing(game.black, game.white) for game in games) for games in odd.rounds),
        odd.byes,
    )
    return tuple(odd if board % 2 else even for board in range(1, LEAGUE.boards + 1))


def usual_start(year: int) -> date:
    """About when the league of a year starts (§ 6.7.1.2)."""
    return date(year, START_MONTH, START_DAY)


def letters_due(start: date) -> date:
    """The day by which schedule and line-ups go to the captains (§ 6.7.4.2)."""
    return start - timedelta(days=LEAGUE.letters_days)


def teams_of_individuals(
    members: Sequence[BoardPlayer],
) -> tuple[tuple[tuple[BoardPlayer, ...], ...], tuple[BoardPlayer, ...]]:
    """Teams of a main district's individual members, and who is left over (§ 6.7.4.1).

    A proposal: the leader makes the teams and names each captain. ValueError for members of
    several clubs or districts, which no team may mix (§ 6.7.3.1, § 6.7.3.2).
    """
    if len({player.club for player in members}) > 1:
        raise ValueError("one team, one club or district (§ 6.7.3.2)")
    ranked = sorted(members, key=lambda player: -player.rating)
    full = len(ranked) // LEAGUE.boards * LEAGUE.boards
    teams = [tuple(ranked[at : at + LEAGUE.boards]) for at in range(0, full, LEAGUE.boards)]
    return tuple(teams), tuple(ranked[full:])
