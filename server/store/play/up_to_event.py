"""What a letter about a game's event is written from. Not for the game as it stands (games.py)."""

from sqlalchemy import select

from server.store.engine.connection import AsyncConnection
from server.store.tables.base import events, messages


async def bodies(conn: AsyncConnection, game_id: int, last: int) -> tuple[str, ...]:
    """What happened up to the event with this number, in order, as it is kept."""
    query = (
        select(events.c.body)
        .where(events.c.game_id == game_id, events.c.seq <= last)
        .order_by(events.c.seq)
    )
    return tuple(body for (body,) in await conn.execute(query))


async def message(conn: AsyncConnection, game_id: int, seq: int) -> str | None:
    """What a player wrote to the opponent with the event; None if nothing."""
    query = select(messages.c.text).where(messages.c.game_id == game_id, messages.c.seq == seq)
    return (await conn.execute(query)).scalar_one_or_none()
