"""A club as everybody may see it: its players with ratings, its teams with their scores.

Readings: only what other public pages show is here (names, K-ratings and ratings, results);
a member who does not play is not named. A match is won by more board points (§ 6.7.4.5).
Read-only. Not for the register (usecases/register) nor for a division's table (league/views.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from kskak.regulation.quantities import Result, Side
from server.store.register import clubs as rows
from server.store.register.clubs import Club, ClubPlayer, ClubTeam, TeamGame
from server.usecases.core.context import Core

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team's points in finished games, and its finished matches won, drawn and lost."""

    team: ClubTeam
    points: Fraction
    finished: int
    games: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class ClubView:
    """A club. ``mean``: of its players' K-ratings; None: nobody has one."""

    club: Club
    players: tuple[ClubPlayer, ...]
    teams: tuple[TeamScore, ...]
    mean: Fraction | None


async def club_view(core: Core, club_id: int) -> ClubView | None:
    """A club; None if there is no such club."""
    async with core.store.read() as conn:
        club = await rows.find(conn, club_id)
        if club is None:
            return None
        players = await rows.players(conn, club.name)
        teams = await rows.teams(conn, club.name)
        games = await rows.games_of(conn, {team.id for team in teams})
    rated = [one.k_rating for one in players if one.k_rating is not None]
    mean = Fraction(sum(rated), len(rated)) if rated else None
    return ClubView(club, players, tuple(_score(team, games) for team in teams), mean)


async def all_clubs(core: Core) -> tuple[tuple[Club, int], ...]:
    """Every club that somebody plays for, and how many do."""
    async with core.store.read() as conn:
        return await rows.with_players(conn)


def points_of(game: TeamGame) -> Fraction:
    """A team's points in a finished game."""
    side = Side.WHITE if game.is_white else Side.BLACK
    match game.result:
        case Result.DRAW:
            return HALF
        case result if result == Result.won_by(side):
            return Fraction(1)
    return Fraction(0)


def _score(team: ClubTeam, games: Iterable[TeamGame]) -> TeamScore:
    own = [game for game in games if game.team == team.id]
    done = [game for game in own if game.result is not None]
    matches: dict[tuple[int, int], list[TeamGame]] = {}
    for game in own:
        matches.setdefault((game.round, game.other), []).append(game)
    margins = [
        sum((points_of(game) for game in match), Fraction(0)) - _others(match)
        for match in matches.values()
        if all(game.result is not None for game in match)
    ]
    return TeamScore(
        team=team,
        points=sum((points_of(game) for game in done), Fraction(0)),
        finished=len(done),
        games=len(own),
        won=sum(margin > 0 for margin in margins),
        drawn=sum(margin == 0 for margin in margins),
        lost=sum(margin < 0 for margin in margins),
    )


def _others(match: Iterable[TeamGame]) -> Fraction:
    """The other team's points in a match."""
    turned = (
        TeamGame(game.other, game.team, not game.is_white, game.round, game.result)
        for game in match
    )
    return sum((points_of(game) for game in turned), Fraction(0))
