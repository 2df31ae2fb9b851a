"""Moves that wait a few minutes before being sent, so that their player may take them back.

Sending one and taking one back both start by locking its row, so that the later of the two finds
it gone. Not for sending (usecases/play/delayed_moves.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.engine.types import MINUTE_US
from server.store.tables.player import delayed_moves

BACK_OFF_US = MINUTE_US
"""How long to wait after sending a move failed on our side."""


@dataclass(frozen=True, slots=True)
class DelayedMove:
    """A waiting move. ``fen`` and ``moves`` (UCI) are what its player was shown.

    ``dropped``: why it was never sent; ``due_us``: when it counts as sent.
    """

    game_id: int
    person_id: int
    ply: int
    fen: str
    moves: str
    text: str
    message: str
    offers_draw: bool
    lang: str
    key: str
    entered_us: int
    due_us: int
    dropped: str | None = None


@dataclass(frozen=True, slots=True)
class DueMove:
    """Identifies a due move."""

    game_id: int
    person_id: int


_SELECT = select(*columns_of(DelayedMove, delayed_moves))


async def put(conn: AsyncConnection, new: DelayedMove) -> None:
    """Store a move, replacing any other by this player in the game.

    The same form again (``key``) changes nothing: a second click does not prolong the wait.
    """
    mine = (
        delayed_moves.c.game_id == new.game_id,
        delayed_moves.c.person_id == new.person_id,
    )
    found = await conn.execute(select(delayed_moves.c.key).where(*mine).with_for_update())
    if found.scalar_one_or_none() == new.key:
        return
    await conn.execute(delete(delayed_moves).where(*mine))
    values = values_of(new) | {"wake_us": new.due_us}
    await conn.execute(insert(delayed_moves).values(values))


def find(conn: Connection, game_id: int, person_id: int) -> DelayedMove | None:
    """A player's waiting or dropped move in a game."""
    query = _SELECT.where(
        delayed_moves.c.game_id == game_id, delayed_moves.c.person_id == person_id
    )
    row = conn.execute(query).one_or_none()
    return None if row is None else DelayedMove(*row)


async def take(conn: AsyncConnection, game_id: int, person_id: int) -> DelayedMove | None:
    """A player's waiting move, locked until the transaction ends; None when there is none."""
    query = _SELECT.where(
        delayed_moves.c.game_id == game_id,
        delayed_moves.c.person_id == person_id,
        delayed_moves.c.dropped.is_(None),
    )
    row = (await conn.execute(query.with_for_update())).one_or_none()
    return None if row is None else DelayedMove(*row)


def of_person(conn: Connection, person_id: int) -> tuple[DelayedMove, ...]:
    """A person's waiting and dropped moves by due time, in one query."""
    query = _SELECT.where(delayed_moves.c.person_id == person_id).order_by(
        delayed_moves.c.due_us, delayed_moves.c.game_id
    )
    return tuple(DelayedMove(*row) for row in conn.execute(query))


async def due(conn: AsyncConnection, now_us: int, limit: int) -> tuple[DueMove, ...]:
    """The due moves, earliest first."""
    query = (
        select(*columns_of(DueMove, delayed_moves))
        .where(delayed_moves.c.wake_us <= now_us)
        .order_by(delayed_moves.c.wake_us, delayed_moves.c.game_id)
        .limit(limit)
    )
    return tuple(DueMove(*row) for row in await conn.execute(query))


async def remove(
    conn: AsyncConnection, game_id: int, person_id: int, key: str | None = None
) -> bool:
    """Remove a move, with ``key`` only if it has that key; whether there was one."""
    gone = delete(delayed_moves).where(
        delayed_moves.c.game_id == game_id, delayed_moves.c.person_id == person_id
    )
    if key is not None:
        gone = gone.where(delayed_moves.c.key == key)
    return (await conn.execute(gone)).rowcount == 1


async def drop(conn: AsyncConnection, game_id: int, person_id: int, why: str) -> None:
    """Record why a move is not sent; it is kept until its player has seen that."""
    mine = update(delayed_moves).where(
        delayed_moves.c.game_id == game_id, delayed_moves.c.person_id == person_id
    )
    await conn.execute(mine.values(dropped=why, wake_us=None))


async def push(conn: AsyncConnection, which: DueMove, error: str, now_us: int) -> None:
    """Postpone a move that could not be sent; the error is stored for an operator."""
    mine = update(delayed_moves).where(
        delayed_moves.c.game_id == which.game_id, delayed_moves.c.person_id == which.person_id
    )
    mine = mine.where(delayed_moves.c.dropped.is_(None))
    await conn.execute(mine.values(wake_us=now_us + BACK_OFF_US, last_error=error))
