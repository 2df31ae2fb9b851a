"""The text of a program's last refusal in a game; the protocol shows it in the next list.

Not for deciding refusals (usecases).
"""

from sqlalchemy import delete, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.tables.account import xfcc_notes


async def of_person(conn: AsyncConnection, person_id: int) -> dict[int, str]:
    """The notes by game."""
    own = select(xfcc_notes.c.game_id, xfcc_notes.c.said)
    rows = await conn.execute(own.where(xfcc_notes.c.person_id == person_id))
    return {row[0]: row[1] for row in rows}


async def told_us(conn: AsyncConnection, person_id: int) -> dict[int, int]:
    """When a person's program was last told something about each game, as far as that is kept."""
    own = select(xfcc_notes.c.game_id, xfcc_notes.c.noted_us)
    rows = await conn.execute(own.where(xfcc_notes.c.person_id == person_id))
    return {row[0]: row[1] for row in rows}


async def note(
    conn: AsyncConnection,
    person_id: int,
    game_id: int,
    said: str,
    now_us: int,
    *,
    keeps: bool = False,
) -> None:
    """Store what to tell a person's program about a game; "" clears it.

    ``keeps``: also when there is nothing to say, as what the program was told of now.
    """
    kept = xfcc_notes.c
    own = delete(xfcc_notes).where(kept.person_id == person_id, kept.game_id == game_id)
    await conn.execute(own)
    if said or keeps:
        row = {"person_id": person_id, "game_id": game_id, "said": said, "noted_us": now_us}
        await conn.execute(insert(xfcc_notes).values(row))
