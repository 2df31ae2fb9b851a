"""Messages sent with moves between the players. Not for the quiet thread's messages."""

from dataclasses import dataclass

from sqlalchemy import select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.tables.base import messages


@dataclass(frozen=True, slots=True)
class MessageRow:
    """What a player wrote to the opponent with the event ``seq``."""

    game_id: int
    seq: int
    author_id: int
    text: str


_SELECT = select(*columns_of(MessageRow, messages)).order_by(messages.c.seq)


async def of_game(conn: AsyncConnection, game_id: int) -> tuple[MessageRow, ...]:
    """What the players wrote to each other, in order."""
    query = _SELECT.where(messages.c.game_id == game_id)
    return tuple(MessageRow(*row) for row in await conn.execute(query))
