"""What a letter about a game's event is written from. Not for the game as it stands (games.py)."""

from sqlalchemy import select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import Prepared
from server.store.tables.base import events, messages

_BODIES = Prepared(
    lambda game, last: (
        select(events.c.body)
        .where(events.c.game_id == game, events.c.seq <= last)
        .order_by(events.c.seq)
    )
)
_MESSAGE = Prepared(
    lambda game, seq: select(messages.c.text).where(
        messages.c.game_id == game, messages.c.seq == seq
    )
)


async def bodies(conn: AsyncConnection, game_id: int, last: int) -> tuple[str, ...]:
    """What happened up to the event with this number, in order, as it is kept."""
    return tuple(body for (body,) in await conn.execute(*_BODIES(game_id, last)))


async def message(conn: AsyncConnection, game_id: int, seq: int) -> str | None:
    """What a player wrote to the opponent with the event; None if nothing."""
    return (await conn.execute(*_MESSAGE(game_id, seq))).scalar_one_or_none()
