"""A position in the archive: how many games reach it, what was played there and the results.

Also the counts on the archive's front page. Not for the games themselves (reading.py).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, or_, select

from kskak.regulation.quantities import Result
from server.store.archive.index import CODE, DECADE, unread_count
from server.store.engine.connection import AsyncConnection
from server.store.tables.archive import past_games, past_moves, past_positions, past_tallies
from server.store.tables.base import games

COMMON = 1000
"""For a position that more games have, moves are read from counts made in advance."""
_G, _M, _P, _T = past_games.c, past_moves.c, past_positions.c, past_tallies.c


@dataclass(frozen=True, slots=True)
class Branch:
    """A packed move (0: the game ended there), how many games played it, and their results."""

    move: int
    games: int
    white: int
    draws: int
    black: int


@dataclass(frozen=True, slots=True)
class Branches:
    """The moves out of a position, most played first. ``is_cut``: from COMMON games only."""

    moves: tuple[Branch, ...]
    is_common: bool
    is_cut: bool


def _up_to(key: Any, most: Any) -> Select[Any]:
    some = select(_P.game_id).where(_P.key == key).limit(most).subquery()
    return select(func.count()).select_from(some)


def _played(key: Any, most: Any) -> Select[Any]:
    some = select(_P.game_id, _P.ply).where(_P.key == key).limit(most).subquery()
    move = func.substr(_G.moves, 2 * some.c.ply + 1, 2).label("move")
    return (
        select(move, _G.result, func.count())
        .select_from(some)
        .join(past_games, _G.id == some.c.game_id)
        .join(games, games.c.id == _G.own_id, isouter=True)
        .where(or_(_G.own_id.is_(None), games.c.result.is_not(None)))
        .group_by(move, _G.result)
    )


async def is_common(conn: AsyncConnection, key: int) -> bool:
    """Whether more than COMMON games have a position; reads no more rows than it needs."""
    return int((await conn.execute(_up_to(key, COMMON + 1))).scalar_one()) > COMMON


async def branches(conn: AsyncConnection, key: int) -> Branches:
    """What was played in a position; as fast for the starting position as for a rare one."""
    common = await is_common(conn, key)
    if common:
        query = select(_M.move, _M.games, _M.white, _M.draws, _M.black).where(
            _M.key == key, _M.games > 0
        )
        counted = tuple(Branch(*row) for row in await conn.execute(query))
        if counted:
            return Branches(_ordered(counted), is_common=True, is_cut=False)
    return Branches(_ordered(await _read(conn, key)), is_common=common, is_cut=common)


def _ordered(found: Iterable[Branch]) -> tuple[Branch, ...]:
    return tuple(sorted(found, key=lambda one: (one.move == 0, -one.games, one.move)))


async def _read(conn: AsyncConnection, key: int) -> list[Branch]:
    """The moves of a position, counted from the games themselves."""
    found: dict[int, dict[Result, int]] = defaultdict(lambda: dict.fromkeys(Result, 0))
    for packed, result, count in await conn.execute(_played(key, COMMON)):
        # SQLite has no part of a game without moves, PostgreSQL an empty one.
        found[int.from_bytes(packed or b"", "little")][Result(result)] += count
    return [
        Branch(
            move,
            sum(ended.values()),
            ended[Result.WHITE_WINS],
            ended[Result.DRAW],
            ended[Result.BLACK_WINS],
        )
        for move, ended in found.items()
    ]


async def plies(conn: AsyncConnection, key: int, ids: Iterable[int]) -> dict[int, int]:
    """After how many half-moves each of these games reached a position."""
    query = select(_P.game_id, _P.ply).where(_P.key == key, _P.game_id.in_(list(ids)))
    return {row[0]: row[1] for row in await conn.execute(query)}


async def is_broad(conn: AsyncConnection, codes: tuple[str, str]) -> bool:
    """Whether more than COMMON games have an opening of these codes."""
    query = select(func.sum(_T.games)).where(_T.kind == CODE, _T.name.between(*codes))
    return int((await conn.execute(query)).scalar_one() or 0) > COMMON


_SIZE = select(func.sum(_T.games)).where(_T.kind == DECADE)
_COUNTS = select(_T.name, _T.games).where(_T.games > 0)
_DECADES = _COUNTS.where(_T.kind == DECADE).order_by(_T.name.desc())


async def size(conn: AsyncConnection) -> tuple[int, int]:
    """How many games there are, and how many of them are not indexed yet."""
    found = await conn.execute(_SIZE)
    unread = await unread_count(conn)
    return int(found.scalar_one() or 0) + unread, unread


@dataclass(frozen=True, slots=True)
class Front:
    """Games by decade («198») and by ECO code, leaving out those without one."""

    decades: tuple[tuple[str, int], ...]
    codes: tuple[tuple[str, int], ...]


async def front(conn: AsyncConnection, most: int) -> Front:
    """The counts, maintained with the index; most played openings first."""
    decades = await conn.execute(_DECADES)
    query = (
        _COUNTS.where(_T.kind == CODE, _T.name != "").order_by(_T.games.desc(), _T.name).limit(most)
    )
    return Front(
        tuple((row[0], row[1]) for row in decades),
        tuple((row[0], row[1]) for row in await conn.execute(query)),
    )
