"""The archive's search index: positions, the moves played in them, openings, counts.

Written for a batch of games in one transaction, which must have locked the archive
(``archive_in.hold``). Not for reading moves (kskak.archive.past_game) nor for queries
(below).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Insert, Select, Table, bindparam, delete, func, or_, select, text, update

from kskak.regulation.editions import Result
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, insert_of, quiet_insert, rows_of
from server.store.tables.base import games
from server.store.tables.tournaments import past_games, past_moves, past_positions, past_tallies

TREE_PLIES = 24
"""Moves are counted in advance in this many positions from the start of each game."""
DECADE, CODE = "decade", "code"
_G, _P = past_games.c, past_positions.c
_BYTES = 2
"""Bytes per move (kskak.archive.past_game)."""


@dataclass(frozen=True, slots=True)
class IndexableGame:
    """A game as the index needs it; ``code`` None: not indexed yet."""

    id: int
    day: str
    result: str
    fen: str | None
    moves: bytes
    code: str | None


@dataclass(frozen=True, slots=True)
class GameIndexEntry:
    """A game with its index data. ``opening``: the key of the named position."""

    game: IndexableGame
    keys: tuple[int, ...]
    code: str
    opening: int | None


_INDEXED_GAMES = select(*columns_of(IndexableGame, past_games))


async def unread(conn: AsyncConnection, most: int) -> tuple[IndexableGame, ...]:
    """Games not indexed yet, in order of arrival."""
    query = _INDEXED_GAMES.where(_G.code.is_(None)).order_by(_G.id).limit(most)
    return rows_of(IndexableGame, await conn.execute(query))


async def unread_count(conn: AsyncConnection) -> int:
    """How many games are not indexed yet; answered from an index of these alone."""
    query = select(func.count()).select_from(past_games).where(_G.code.is_(None))
    return int((await conn.execute(query)).scalar_one())


async def own_copies(conn: AsyncConnection, own: Iterable[int]) -> tuple[IndexableGame, ...]:
    """The archive's copies of these server games."""
    query = _INDEXED_GAMES.where(_G.own_id.in_(list(own)))
    return rows_of(IndexableGame, await conn.execute(query))


async def add_to_index(conn: AsyncConnection, entries: Sequence[GameIndexEntry]) -> None:
    """Index games that are not indexed yet."""
    if not entries:
        return
    first: dict[tuple[int, int], int] = {}
    for entry in entries:
        for ply, key in enumerate(entry.keys):
            first.setdefault((key, entry.game.id), ply)
    found = [{"key": at[0], "game_id": at[1], "ply": first[at]} for at in sorted(first)]
    await conn.execute(quiet_insert(conn.dialect.name, past_positions), found)
    await _count(conn, entries, 1)
    named = update(past_games).where(_G.id == bindparam("at"))
    await conn.execute(
        named.values(code=bindparam("new_code"), opening=bindparam("new_opening")),
        [
            {"at": entry.game.id, "new_code": entry.code, "new_opening": entry.opening}
            for entry in entries
        ],
    )


async def take_out(conn: AsyncConnection, entries: Sequence[GameIndexEntry]) -> None:
    """Undo ``add_to_index`` for these games, with the same keys, and remove the games too."""
    indexed = [entry for entry in entries if entry.game.code is not None]
    if indexed:
        gone = delete(past_positions).where(
            _P.key == bindparam("of_key"), _P.game_id == bindparam("of_game")
        )
        places = [
            {"of_key": key, "of_game": entry.game.id}
            for entry in indexed
            for key in set(entry.keys)
        ]
        await conn.execute(gone, places)
        await _count(conn, indexed, -1)
    ids = [entry.game.id for entry in entries]
    await conn.execute(delete(past_games).where(_G.id.in_(ids)))


async def forget_codes(conn: AsyncConnection, most: int) -> int:
    """Mark so many games as not indexed yet; returns how many there were."""
    some = select(_G.id).where(_G.code.is_not(None)).limit(most)
    gone = await conn.execute(update(past_games).where(_G.id.in_(some)).values(code=None))
    return gone.rowcount


async def clear(conn: AsyncConnection) -> None:
    """Clear the index of games none of which is marked as indexed (``forget_codes``)."""
    for table in (past_positions, past_moves, past_tallies):
        is_quick = conn.dialect.name == "postgresql"  # SQLite's delete of a whole table is, too
        await conn.execute(text(f"TRUNCATE {table.name}") if is_quick else delete(table))


_COUNTS = ("games", "white", "draws", "black")


async def _count(conn: AsyncConnection, entries: Sequence[GameIndexEntry], sign: int) -> None:
    """Add these games to the counts, or subtract them."""
    moves: dict[tuple[int, int], list[int]] = {}
    tallies: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        tallies[CODE, entry.code] += sign
        tallies[DECADE, entry.game.day[:3]] += sign
        ended = _column(entry.game.result)
        for at in _list_counted_moves(entry):
            counted = moves.setdefault(at, [0] * len(_COUNTS))
            counted[0] += sign
            if ended is not None:
                counted[ended] += sign
    if moves:
        rows = [
            {"key": at[0], "move": at[1], **dict(zip(_COUNTS, moves[at], strict=True))}
            for at in sorted(moves)
        ]
        await conn.execute(_adding(conn.dialect.name, past_moves), rows)
    listed = [
        {"kind": kind, "name": name, "games": count} for (kind, name), count in tallies.items()
    ]
    await conn.execute(_adding(conn.dialect.name, past_tallies), listed)


def _list_counted_moves(entry: GameIndexEntry) -> set[tuple[int, int]]:
    """The positions and moves a game counts for; a repeated position with its first move."""
    packed = entry.game.moves
    first: dict[int, int] = {}
    for ply, key in enumerate(entry.keys[:TREE_PLIES]):
        move = packed[_BYTES * ply : _BYTES * (ply + 1)]
        if move:
            first.setdefault(key, int.from_bytes(move, "little"))
    return set(first.items())


def _column(result: str) -> int | None:
    """Which of the counts a result belongs to; none for both losing (§ 6.3.3.4)."""
    match Result(result):
        case Result.WHITE_WINS:
            return 1
        case Result.BLACK_WINS:
            return 3
        case Result.DRAW:
            return 2
        case Result.BOTH_LOSE:
            return None


def _adding(dialect: str, table: Table) -> Insert:
    """An INSERT that adds its counts to those of an existing row."""
    made = insert_of(dialect, table)
    counted = [column.name for column in table.c if not column.primary_key]
    sums = {name: table.c[name] + made.excluded[name] for name in counted}
    keys = [column.name for column in table.primary_key]
    return made.on_conflict_do_update(index_elements=keys, set_=sums)


# A position in the archive: how many games reach it, what was played there and the results.

COMMON = 1000
"""For a position that more games have, moves are read from counts made in advance."""
_M, _T = past_moves.c, past_tallies.c


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


def _played_positions(key: Any, most: Any) -> Select[Any]:
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
    some = select(_P.game_id).where(_P.key == key).limit(COMMON + 1).subquery()
    query = select(func.count()).select_from(some)
    return int((await conn.execute(query)).scalar_one()) > COMMON


async def branches(conn: AsyncConnection, key: int) -> Branches:
    """What was played in a position; as fast for the starting position as for a rare one."""
    common = await is_common(conn, key)
    if common:
        query = select(*columns_of(Branch, past_moves)).where(_M.key == key, _M.games > 0)
        counted = rows_of(Branch, await conn.execute(query))
        if counted:
            return Branches(_order_branches(counted), is_common=True, is_cut=False)
    return Branches(_order_branches(await _read(conn, key)), is_common=common, is_cut=common)


def _order_branches(found: Iterable[Branch]) -> tuple[Branch, ...]:
    return tuple(sorted(found, key=lambda one: (one.move == 0, -one.games, one.move)))


async def _read(conn: AsyncConnection, key: int) -> list[Branch]:
    """The moves of a position, counted from the games themselves."""
    found: dict[int, dict[Result, int]] = defaultdict(lambda: dict.fromkeys(Result, 0))
    for packed, result, count in await conn.execute(_played_positions(key, COMMON)):
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


async def size(conn: AsyncConnection) -> tuple[int, int]:
    """How many games there are, and how many of them are not indexed yet."""
    found = await conn.execute(select(func.sum(_T.games)).where(_T.kind == DECADE))
    unread = await unread_count(conn)
    return int(found.scalar_one() or 0) + unread, unread


@dataclass(frozen=True, slots=True)
class Front:
    """Games by decade («198») and by ECO code, leaving out those without one."""

    decades: tuple[tuple[str, int], ...]
    codes: tuple[tuple[str, int], ...]


async def front(conn: AsyncConnection, most: int) -> Front:
    """The counts, maintained with the index; most played openings first."""
    counts = select(_T.name, _T.games).where(_T.games > 0)
    decades = counts.where(_T.kind == DECADE).order_by(_T.name.desc())
    codes = counts.where(_T.kind == CODE, _T.name != "").order_by(_T.games.desc(), _T.name)
    return Front(
        tuple((row[0], row[1]) for row in await conn.execute(decades)),
        tuple((row[0], row[1]) for row in await conn.execute(codes.limit(most))),
    )
