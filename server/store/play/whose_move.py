"""The games in which a person is to move. Not for what else is told of them (games.py, seen.py)."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games


def awaits(person: Any) -> ColumnElement[bool]:
    """Whether a game runs and a person is to move in it: found among the games that he plays.

    An index of those to move would be written twice by each move.
    """
    mine = or_(games.c.white_id == person, games.c.black_id == person)
    return and_(mine, games.c.result.is_(None), games.c.to_move_id == person)


async def waiting_for(conn: AsyncConnection, person_id: int) -> tuple[GameRow, ...]:
    """The running games in which a person is to move, by id."""
    query = SELECT_GAME.where(awaits(person_id)).order_by(games.c.id)
    return tuple(GameRow(*row) for row in await conn.execute(query))


def to_move_in(conn: Connection, game_id: int) -> int | None:
    """Who is to move in a game; None when nobody is or there is no such game."""
    query = select(games.c.to_move_id).where(games.c.id == game_id)
    return conn.execute(query).scalar_one_or_none()


def waiting(conn: Connection, person_id: int, besides: Collection[int]) -> int:
    """How many games await a player's move, not counting ``besides``."""
    query = select(func.count()).where(awaits(person_id), games.c.id.not_in(sorted(besides)))
    return int(conn.execute(query).scalar_one())
