"""Running games of players, as each finds them in his list.

Not for those that wait for him (whose_move.py), finished games (own_games.py) or one game
(games.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, or_

from server.store.engine.connection import AsyncConnection
from server.store.play.changes import SAID
from server.store.play.games import SELECT_GAME, GameRow
from server.store.play.seen import last_seen
from server.store.tables.base import games


@dataclass(frozen=True, slots=True)
class Now:
    """A running game as its player finds it: the number of the last message in its quiet thread,
    0 for none, and of the last event when he opened the game.
    """

    game: GameRow
    said: int
    seen: int


def _now(person: Any) -> Select[*tuple[Any, ...]]:
    mine = or_(games.c.white_id == person, games.c.black_id == person)
    found = SELECT_GAME.where(mine, games.c.result.is_(None))
    return found.add_columns(SAID, last_seen(person))


async def running_now(conn: AsyncConnection, person_id: int) -> tuple[Now, ...]:
    """A person's running games, in no order."""
    rows = await conn.execute(_now(person_id))
    return tuple(Now(GameRow(*game), said, seen or 0) for *game, said, seen in rows)


async def running_of(conn: AsyncConnection, people_ids: Iterable[int]) -> tuple[GameRow, ...]:
    """The running games of some people, by id, in one query."""
    ids = sorted(people_ids)
    mine = or_(games.c.white_id.in_(ids), games.c.black_id.in_(ids))
    rows = await conn.execute(
        SELECT_GAME.where(games.c.result.is_(None), mine).order_by(games.c.id)
    )
    return tuple(GameRow(*row) for row in rows)
