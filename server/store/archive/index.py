"""The archive's search index: positions, the moves played in them, openings, counts.

Written for a batch of games in one transaction, which must have locked the archive
(``archive_in.hold``). Not for reading moves (kskak.archive.past_index) nor for queries
(positions.py).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Insert, Table, bindparam, delete, func, select, text, update

from kskak.regulation.quantities import Result
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import insert_of, quiet_insert
from server.store.tables.archive import past_games, past_moves, past_positions, past_tallies

TREE_PLIES = 24
"""Moves are counted in advance in this many positions from the start of each game."""
DECADE, CODE = "decade", "code"
_G, _P = past_games.c, past_positions.c
_BYTES = 2
"""Bytes per move (kskak.archive.past_game)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the index needs it; ``code`` None: not indexed yet."""

    id: int
    day: str
    result: str
    fen: str | None
    moves: bytes
    code: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A game with its index data. ``opening``: the key of the named position."""

    game: Kept
    keys: tuple[int, ...]
    code: str
    opening: int | None


_KEPT = select(_G.id, _G.day, _G.result, _G.fen, _G.moves, _G.code)


async def unread(conn: AsyncConnection, most: int) -> tuple[Kept, ...]:
    """Games not indexed yet, in order of arrival."""
    query = _KEPT.where(_G.code.is_(None)).order_by(_G.id).limit(most)
    return tuple(Kept(*row) for row in await conn.execute(query))


_UNREAD = select(func.count()).select_from(past_games).where(_G.code.is_(None))


async def unread_count(conn: AsyncConnection) -> int:
    """How many games are not indexed yet; answered from an index of these alone."""
    return int((await conn.execute(_UNREAD)).scalar_one())


async def own_copies(conn: AsyncConnection, own: Iterable[int]) -> tuple[Kept, ...]:
    """The archive's copies of these server games."""
    rows = await conn.execute(_KEPT.where(_G.own_id.in_(list(own))))
    return tuple(Kept(*row) for row in rows)


async def put(conn: AsyncConnection, entries: Sequence[Entry]) -> None:
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


async def take_out(conn: AsyncConnection, entries: Sequence[Entry]) -> None:
    """Undo ``put`` for these games, with the same keys, and remove the games themselves."""
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


async def _count(conn: AsyncConnection, entries: Sequence[Entry], sign: int) -> None:
    """Add these games to the counts, or subtract them."""
    moves: dict[tuple[int, int], list[int]] = {}
    tallies: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        tallies[CODE, entry.code] += sign
        tallies[DECADE, entry.game.day[:3]] += sign
        ended = _column(entry.game.result)
        for at in _played(entry):
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


def _played(entry: Entry) -> set[tuple[int, int]]:
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


@cache
def _adding(dialect: str, table: Table) -> Insert:
    """An INSERT that adds its counts to those of an existing row."""
    made = insert_of(dialect, table)
    counted = [column.name for column in table.c if not column.primary_key]
    sums = {name: table.c[name] + made.excluded[name] for name in counted}
    keys = [column.name for column in table.primary_key]
    return made.on_conflict_do_update(index_elements=keys, set_=sums)
