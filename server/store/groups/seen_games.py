"""The games a person may see, a page at a time: one query however many there are.

The rule of ``may_see`` in SQL, so that every page is full. Pages follow the games' ids, which never
change, so that no game is listed twice. Not for a single game (usecases/play/who_sees.py).
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, false, or_, true

from server.store.engine.connection import AsyncConnection
from server.store.groups.followed import STANDING
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person may see of running games. Games and groups are ids.

    ``all_others``, ``groups`` and ``judged``: only in groups that they aren't ``barred`` from.
    """

    person_id: int
    all_others: bool
    groups: frozenset[int]
    judged: frozenset[int]
    team_games: frozenset[int]
    barred: frozenset[int]


async def page(conn: AsyncConnection, sight: Sight, after: int, most: int) -> tuple[GameRow, ...]:
    """The next ``most`` games by id, after game ``after`` (0: from the first)."""
    query = SELECT_GAME.where(games.c.id > after, _seen(sight)).order_by(games.c.id).limit(most)
    return tuple(GameRow(*row) for row in await conn.execute(query))


def _seen(sight: Sight) -> ColumnElement[bool]:
    me = sight.person_id
    watched = and_(
        games.c.group_id.not_in(sorted(sight.barred)),
        or_(
            true() if sight.all_others else false(),
            games.c.group_id.in_(sorted(sight.groups)),
            games.c.id.in_(sorted(sight.judged)),
        ),
    )
    return or_(
        games.c.result.is_not(None),
        games.c.group_id.in_(STANDING),
        games.c.white_id == me,
        games.c.black_id == me,
        games.c.id.in_(sorted(sight.team_games)),
        watched,
    )
