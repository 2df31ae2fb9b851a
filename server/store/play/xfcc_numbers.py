"""The small number chess programs know a game by: Xfcc's field holds 31 bits, our ids more.

Assigned when a game is first listed and never reused. Not for what a program is told of a game.
"""

from collections.abc import Collection

from sqlalchemy import select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import quiet_insert
from server.store.tables.account import xfcc_numbers

LARGEST = 2**31 - 1


async def of_games(conn: AsyncConnection, game_ids: Collection[int]) -> dict[int, int]:
    """The assigned numbers, by game."""
    kept = xfcc_numbers.c
    query = select(kept.game_id, kept.number).where(kept.game_id.in_(sorted(game_ids)))
    return {row.game_id: row.number for row in await conn.execute(query)}


async def give(conn: AsyncConnection, game_ids: Collection[int]) -> None:
    """Assign numbers to games that have none."""
    rows = [{"game_id": game_id} for game_id in sorted(game_ids)]
    await conn.execute(quiet_insert(conn.dialect.name, xfcc_numbers), rows)


async def game_of(conn: AsyncConnection, number: int) -> int | None:
    """The game a number was assigned to; one above ``LARGEST`` is a game's id, as used before."""
    if number > LARGEST:
        return number
    query = select(xfcc_numbers.c.game_id).where(xfcc_numbers.c.number == number)
    found = (await conn.execute(query)).scalar_one_or_none()
    return None if found is None else int(found)
