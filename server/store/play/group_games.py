"""The games of several groups in one question, for tables and bulletins. Not for one game."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.rows import Prepared
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games

_OF_GROUPS = Prepared(
    lambda group_ids: SELECT_GAME.where(games.c.group_id.in_(group_ids)).order_by(
        games.c.round, games.c.id
    )
)


async def of_groups(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[GameRow, ...]]:
    """Each group's games by round."""
    found: dict[int, list[GameRow]] = {group_id: [] for group_id in group_ids}
    for row in await conn.execute(*_OF_GROUPS(list(group_ids))):
        game = GameRow(*row)
        found[game.group_id].append(game)
    return {group_id: tuple(rows) for group_id, rows in found.items()}
