"""A person's games with their events and messages, one query per kind for all games together.

For a chess program's list and for copies of one's own data. Not for a single game (games.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import or_, select

from kskak.regulation.quantities import Side
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.play.games import SELECT_EVENT, SELECT_GAME, EventRow, GameRow
from server.store.play.messages import MessageRow
from server.store.play.quiet_thread import QuietMessage
from server.store.tables.base import events, games, messages
from server.store.tables.player import quiet_messages


@dataclass(frozen=True, slots=True)
class WholeGames:
    """Games by id, and what belongs to each."""

    games: tuple[GameRow, ...]
    events: Mapping[int, tuple[EventRow, ...]]
    messages: Mapping[int, tuple[MessageRow, ...]]
    threads: Mapping[int, tuple[QuietMessage, ...]]


async def of_person(conn: AsyncConnection, person_id: int, ended_since_us: int = 0) -> WholeGames:
    """A person's running games and those that ended since an instant."""
    mine = or_(games.c.white_id == person_id, games.c.black_id == person_id)
    fresh = or_(games.c.result.is_(None), games.c.ended_us >= ended_since_us)
    found = await conn.execute(SELECT_GAME.where(mine, fresh).order_by(games.c.id))
    rows = tuple(GameRow(*row) for row in found)
    own = select(games.c.id).where(mine, fresh)
    happened = await conn.execute(SELECT_EVENT.where(events.c.game_id.in_(own)))
    said = select(*columns_of(MessageRow, messages)).where(messages.c.game_id.in_(own))
    written = await conn.execute(said.order_by(messages.c.seq))
    quiet = select(*columns_of(QuietMessage, quiet_messages))
    quiet = quiet.where(quiet_messages.c.game_id.in_(own)).order_by(quiet_messages.c.id)
    threads: dict[int, list[QuietMessage]] = {row.id: [] for row in rows}
    for one in (QuietMessage(*row) for row in await conn.execute(quiet)):
        threads[one.game_id].append(one)
    by_game: dict[int, list[EventRow]] = {row.id: [] for row in rows}
    for event in (EventRow(*row) for row in happened):
        by_game[event.game_id].append(event)
    wrote: dict[int, list[MessageRow]] = {row.id: [] for row in rows}
    for message in (MessageRow(*row) for row in written):
        wrote[message.game_id].append(message)
    return WholeGames(
        rows,
        {game_id: tuple(found) for game_id, found in by_game.items()},
        {game_id: tuple(found) for game_id, found in wrote.items()},
        {game_id: tuple(found) for game_id, found in threads.items()},
    )


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a group's table needs of a game: a tenth of what the game's own row takes to read."""

    id: int
    group_id: int
    round: int
    white_id: int
    black_id: int
    head: bytes
    result: str | None
    ended_us: int | None

    def side_of(self, person_id: int) -> Side | None:
        """The side a person plays; None for everybody else."""
        if person_id == self.white_id:
            return Side.WHITE
        return Side.BLACK if person_id == self.black_id else None


async def in_tables(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[TableRow, ...]]:
    """Each group's games by round, for its table."""
    found: dict[int, list[TableRow]] = {group_id: [] for group_id in group_ids}
    query = select(*columns_of(TableRow, games)).where(games.c.group_id.in_(list(group_ids)))
    for row in await conn.execute(query):
        game = TableRow(*row)
        found[game.group_id].append(game)
    by_round = {group_id: sorted(rows, key=_by_round) for group_id, rows in found.items()}
    return {group_id: tuple(rows) for group_id, rows in by_round.items()}


def _by_round(row: TableRow) -> tuple[int, int]:
    return row.round, row.id


async def of_groups(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[GameRow, ...]]:
    """Each group's games by round."""
    found: dict[int, list[GameRow]] = {group_id: [] for group_id in group_ids}
    query = SELECT_GAME.where(games.c.group_id.in_(list(group_ids))).order_by(
        games.c.round, games.c.id
    )
    for row in await conn.execute(query):
        game = GameRow(*row)
        found[game.group_id].append(game)
    return {group_id: tuple(rows) for group_id, rows in found.items()}


async def running_ids(conn: AsyncConnection) -> tuple[int, ...]:
    """The ids of the games that have not ended."""
    query = select(games.c.id).where(games.c.ended_us.is_(None), games.c.result.is_(None))
    return tuple((await conn.execute(query.order_by(games.c.id))).scalars())


async def running_in(conn: AsyncConnection, group_id: int) -> tuple[int, ...]:
    """The ids of a group's games that have not ended."""
    query = select(games.c.id).where(games.c.group_id == group_id, games.c.result.is_(None))
    return tuple((await conn.execute(query.order_by(games.c.id))).scalars())
