"""What the front page shows any visitor: the newest finished games and the running groups.

Each query reads the same number of rows however many games there are. The finished games are the
archive's copies, which are public (archive/own_games.py). Not for searching them
(archive/reading.py).
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.groups.groups_and_seats import GroupRow
from server.store.tables.archive import past_games, past_players
from server.store.tables.base import games, groups

LOOKED_AT = 24
"""Newest copies considered; a game changed by a ruling gets a new copy, though it is old."""
GROUPS_LOOKED_AT = 100
"""Newest groups considered; the running ones among them are shown."""
_G = past_games.c
_white, _black = past_players.alias("white"), past_players.alias("black")


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished server game; ``id`` is its own, ``moves`` as in the archive.

    ``opening``: the named position's key; None for none, and before the copy is indexed.
    """

    id: int
    white: str
    black: str
    result: str
    group: str
    tournament: str
    moves: bytes
    plies: int
    fen: str | None
    opening: int | None
    ended_us: int
    zone: str


def _finished(most: Any) -> Select[*tuple[Any, ...]]:
    newest = select(_G.id).where(_G.own_id.is_not(None)).order_by(_G.id.desc()).limit(LOOKED_AT)
    return (
        select(
            *(games.c.id, _white.c.name, _black.c.name, games.c.result, groups.c.name),
            *(groups.c.tournament, _G.moves, _G.plies, _G.fen, _G.opening),
            *(games.c.ended_us, groups.c.zone),
        )
        .select_from(past_games)
        .join(games, games.c.id == _G.own_id)
        .join(groups, groups.c.id == games.c.group_id)
        .join(_white, _white.c.id == _G.white_id)
        .join(_black, _black.c.id == _G.black_id)
        .where(_G.id.in_(newest), games.c.result.is_not(None))
        .order_by(games.c.ended_us.desc(), games.c.id)
        .limit(most)
    )


def _running(most: Any) -> Select[*tuple[Any, ...]]:
    order = (groups.c.start.desc(), groups.c.name)
    newest = select(groups.c.id).order_by(*order).limit(GROUPS_LOOKED_AT)
    plays = exists().where(games.c.group_id == groups.c.id, games.c.to_move_id.is_not(None))
    columns = columns_of(GroupRow, groups)
    return select(*columns).where(groups.c.id.in_(newest), plays).order_by(*order).limit(most)


async def finished(conn: AsyncConnection, most: int) -> tuple[Finished, ...]:
    """The most recently finished games, latest first."""
    rows = await conn.execute(_finished(most))
    return tuple(Finished(*row) for row in rows)


async def running(conn: AsyncConnection, most: int) -> tuple[GroupRow, ...]:
    """Groups with a running game, newest first."""
    rows = await conn.execute(_running(most))
    return tuple(GroupRow(*row) for row in rows)
