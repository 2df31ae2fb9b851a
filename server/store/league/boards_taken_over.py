"""Who played each side of a division's games, and from when, in one query (§ 6.7.4.3).

Synchronous. Not for who plays a board now (divisions.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select, update

from server.store.tables.base import people
from server.store.tables.league import league_boards, league_games


@dataclass(frozen=True, slots=True)
class HandRow:
    """A player's spell on the board of a game's team."""

    game_id: int
    is_white: bool
    name: str
    from_us: int
    person_id: int


def hands(conn: Connection, game_ids: Collection[int]) -> tuple[HandRow, ...]:
    """Everybody on the boards of some games, oldest first; nothing for games outside the league."""
    meets = or_(
        league_boards.c.team_id == league_games.c.white_team,
        league_boards.c.team_id == league_games.c.black_team,
    )
    query = (
        select(
            league_games.c.game_id,
            league_boards.c.team_id == league_games.c.white_team,
            people.c.name,
            league_boards.c.from_us,
            league_boards.c.person_id,
        )
        .join(league_boards, meets & (league_boards.c.board == league_games.c.board))
        .join(people, people.c.id == league_boards.c.person_id)
        .where(league_games.c.game_id.in_(list(game_ids)))
        .order_by(league_games.c.game_id, league_boards.c.id)
    )
    return tuple(HandRow(row[0], bool(row[1]), *row[2:]) for row in conn.execute(query))


def exchange_teams(conn: Connection, game_id: int) -> None:
    """The teams of a game of the league change colours with their players (FIDE 7.3)."""
    swapped = {"white_team": league_games.c.black_team, "black_team": league_games.c.white_team}
    conn.execute(update(league_games).where(league_games.c.game_id == game_id).values(swapped))
