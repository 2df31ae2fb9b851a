"""Placing of teams: points, own games, board weights, own board weights, lots (§ 6.7.4.5).

Not for who plays in which division next (§ 6.7.5) nor for line-ups.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.ladder import Placed, Rung, Step, place
from kskak.groups.played import NOTHING, Played, points_of
from kskak.regulation.tournament_numbers import LEAGUE

BOARDS = LEAGUE.boards


@dataclass(frozen=True, slots=True)
class Team:
    """A club's team, its players in board order."""

    club: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardGame:
    """A finished game on a board, 1 to 4; ``played`` names the clubs, White's first."""

    board: int
    played: Played


@dataclass(frozen=True, slots=True)
class Division:
    """A division or a group of one; ``lots``: the clubs in the order drawn, if any."""

    teams: tuple[Team, ...]
    games: tuple[BoardGame, ...]
    lots: tuple[str, ...] = ()

    @property
    def clubs(self) -> tuple[str, ...]:
        """The clubs in the order of the list."""
        return tuple(team.club for team in self.teams)

    @property
    def played(self) -> tuple[Played, ...]:
        """The games without their boards."""
        return tuple(game.played for game in self.games)


def weight(board: int) -> int:
    """What a win on a board counts: 4, 3, 2, 1 (§ 6.7.4.5). ValueError for another board."""
    if not 1 <= board <= BOARDS:
        raise ValueError(f"a board has a number from 1 to {BOARDS}, not {board}")
    return BOARDS + 1 - board


def board_weights(clubs: Collection[str], games: Sequence[BoardGame]) -> dict[str, Fraction]:
    """The weighted points of these clubs (§ 6.7.4.5). Reading: a draw counts half the weight."""
    sums = dict.fromkeys(clubs, NOTHING)
    for game in games:
        for club, _, score in game.played.sides:
            if club in sums:
                sums[club] += score * weight(game.board)
    return sums


def league_placing(division: Division) -> list[Placed]:
    """The order of a division's teams (§ 6.7.4.5).

    Reading: each step is applied once to those still level after the one before, as the text goes
    on to the next where it finds them level. Those level to the end share their place until lots
    are drawn.
    """
    points = points_of(division.clubs, division.played)
    weights = board_weights(division.clubs, division.games)
    ladder = [
        Rung(Step.POINTS, lambda level: points),
        Rung(
            Step.OWN_GAME, lambda level: points_of(level, _own_played(level, division)), within=True
        ),
        Rung(Step.BOARD_WEIGHT, lambda level: weights),
        Rung(
            Step.OWN_BOARD_WEIGHT,
            lambda level: board_weights(level, _own(level, division)),
            within=True,
        ),
        Rung(Step.LOTS, lambda level: _drawn(level, division.lots)),
    ]
    return place(division.clubs, ladder, {0: Step.LOTS})


def _own(level: Collection[str], division: Division) -> tuple[BoardGame, ...]:
    return tuple(
        game for game in division.games if game.played.white in level and game.played.black in level
    )


def _own_played(level: Collection[str], division: Division) -> tuple[Played, ...]:
    return tuple(game.played for game in _own(level, division))


def _drawn(level: Sequence[str], lots: Sequence[str]) -> dict[str, Fraction]:
    """The order drawn by lot, where it was drawn among all of these; else all are equal."""
    is_drawn = all(club in lots for club in level)
    return {club: Fraction(-lots.index(club) if is_drawn else 0) for club in level}
