"""What a chess program is told of a person's games: a question each for all of them together.

Also what the last refusal in a game said, which the protocol can tell only with the next list.
Not for one game (games.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.account_tables import xfcc_notes
from server.store.games import SELECT_EVENT, SELECT_GAME, EventRow, GameRow, MessageRow
from server.store.rows import columns_of
from server.store.tables import events, games, messages


@dataclass(frozen=True, slots=True)
class Told:
    """Games with their events, messages, and notes to the person by game."""

    games: tuple[GameRow, ...]
    events: Mapping[int, tuple[EventRow, ...]]
    messages: Mapping[int, tuple[MessageRow, ...]]
    notes: Mapping[int, str]


async def told_to(conn: AsyncConnection, person_id: int, ended_since_us: int) -> Told:
    """A person's running games and those that ended since an instant."""
    mine = or_(games.c.white_id == person_id, games.c.black_id == person_id)
    fresh = or_(games.c.result.is_(None), games.c.ended_us >= ended_since_us)
    found = await conn.execute(SELECT_GAME.where(mine, fresh).order_by(games.c.id))
    rows = tuple(GameRow(*row) for row in found)
    ids = [row.id for row in rows]
    happened = await conn.execute(SELECT_EVENT.where(events.c.game_id.in_(ids)))
    said = select(*columns_of(MessageRow, messages)).where(messages.c.game_id.in_(ids))
    written = await conn.execute(said.order_by(messages.c.seq))
    own = select(xfcc_notes.c.game_id, xfcc_notes.c.said)
    notes = await conn.execute(own.where(xfcc_notes.c.person_id == person_id))
    by_game: dict[int, list[EventRow]] = {game_id: [] for game_id in ids}
    for event in (EventRow(*row) for row in happened):
        by_game[event.game_id].append(event)
    wrote: dict[int, list[MessageRow]] = {game_id: [] for game_id in ids}
    for message in (MessageRow(*row) for row in written):
        wrote[message.game_id].append(message)
    return Told(
        rows,
        {game_id: tuple(found) for game_id, found in by_game.items()},
        {game_id: tuple(found) for game_id, found in wrote.items()},
        {row[0]: row[1] for row in notes},
    )


async def note(conn: AsyncConnection, person_id: int, game_id: int, said: str, now_us: int) -> None:
    """Keep what a person's program is to be told about a game; "" for nothing more."""
    kept = xfcc_notes.c
    own = delete(xfcc_notes).where(kept.person_id == person_id, kept.game_id == game_id)
    await conn.execute(own)
    if said:
        row = {"person_id": person_id, "game_id": game_id, "said": said, "noted_us": now_us}
        await conn.execute(insert(xfcc_notes).values(row))
