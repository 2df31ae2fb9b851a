"""Reading the archive: games by player, year, tournament, opening and position; and its index.

Pages continue from the last line of the one before (day and id), so a late page costs the same as
the first; one statement per query, however many games there are. The index is written for a batch
of games in one transaction, which must have locked the archive (``writing.hold``).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Insert,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    tuple_,
    update,
)

from kskak.archive.past_game import PastGame, PastPlayer
from kskak.regulation.editions import Result
from kskak.values import plain
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, insert_of, quiet_insert, rows_of
from server.store.tables.base import games
from server.store.tables.tournaments import (
    past_events,
    past_games,
    past_moves,
    past_players,
    past_positions,
    past_standings,
    past_tallies,
)

Mark = tuple[str, int]
"""Where a page ended: the last game's day and id."""


@dataclass(frozen=True, slots=True)
class ArchiveCriteria:
    """Search criteria; empty fields match everything. ``player``, ``event``: words of names.

    ``person_id``: games of this member; ``year`` alone is that year, with ``until`` the first of
    a range; ``codes``: first and last ECO code; ``openings``: keys of named positions;
    ``position``: a position's key (kskak.archive.past_game), ``is_common`` if many games have
    it, ``is_broad`` if many have one of the codes. ``own``: include this server's games.
    """

    player: str = ""
    year: int | None = None
    event: str = ""
    event_id: int | None = None
    person_id: int | None = None
    game_id: int | None = None
    until: int | None = None
    codes: tuple[str, str] | None = None
    openings: frozenset[int] = frozenset()
    position: int | None = None
    is_common: bool = False
    is_broad: bool = False
    own: bool = True


@dataclass(frozen=True, slots=True)
class PastRow:
    """A stored game with its names; ``white_person`` None: not in the register.

    ``own_id``: the server game it is a copy of. ``code``: the ECO code of its moves, "" for none,
    None until it is indexed; ``opening``: the named position's key.
    """

    id: int
    event_id: int
    game: PastGame
    white_person: int | None
    black_person: int | None
    has_ledger: bool
    own_id: int | None
    code: str | None
    opening: int | None


_SHORT = 2
"""Words no longer than this match too many names, like the K and the 7 of «K-7»."""
_white, _black = past_players.alias("white"), past_players.alias("black")
_G, _P, _S = past_games.c, past_positions.c, past_standings.c
_SELECT: Select[*tuple[Any, ...]] = (
    select(
        *(_G.id, _G.event_id, past_events.c.name, _G.day, _G.result, _G.moves, _G.site, _G.round),
        *(_G.fen, _G.eco, _G.end, _white.c.name, _white.c.number, _G.white_club, _G.white_elo),
        *(_black.c.name, _black.c.number, _G.black_club, _G.black_elo),
        *(_white.c.person_id, _black.c.person_id, _G.ledger.is_not(None)),
        *(_G.own_id, _G.code, _G.opening),
    )
    .join(past_events, past_events.c.id == _G.event_id)
    .join(_white, _white.c.id == _G.white_id)
    .join(_black, _black.c.id == _G.black_id)
    .join(games, games.c.id == _G.own_id, isouter=True)
    .where(or_(_G.own_id.is_(None), games.c.result.is_not(None)))
)
"""A copy of a resumed game is no longer public (CONTRACTS)."""


_RESULTS = {one.value: one for one in Result}


def _row(row: Sequence[Any]) -> PastRow:
    number, event_id, event, day, result, moves, site, round_, fen, eco, end, *rest = row
    game = PastGame(
        event=event,
        day=day,
        result=_RESULTS[result],
        moves=moves,
        site=site,
        round=round_,
        fen=fen,
        eco=eco,
        end=end,
        white=PastPlayer(*rest[:4]),
        black=PastPlayer(*rest[4:8]),
    )
    return PastRow(number, event_id, game, *rest[8:])


def _match_words(column: ColumnElement[str], text: str) -> list[ColumnElement[bool]]:
    """Each word occurs in the text; one of a letter or two, only at the start of a word."""
    padded = literal(" ") + column
    return [
        column.contains(word) if len(word) > _SHORT else padded.contains(f" {word}")
        for word in plain(text).split()
    ]


def _player(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether either player meets a condition."""
    found = select(past_players.c.id).where(condition)
    return or_(_G.white_id.in_(found), _G.black_id.in_(found))


def _conditions(wanted: ArchiveCriteria) -> list[ColumnElement[bool]]:
    made: list[ColumnElement[bool]] = []
    if words := _match_words(past_players.c.key, wanted.player):
        made.append(_player(and_(*words)))
    if wanted.person_id is not None:
        made.append(_player(past_players.c.person_id == wanted.person_id))
    made += _of_years(_G.filed, wanted)
    if words := _match_words(past_events.c.key, wanted.event):
        made.append(_G.event_id.in_(select(past_events.c.id).where(*words)))
    if wanted.game_id is not None:
        made.append(_G.id == wanted.game_id)
    if wanted.event_id is not None:
        made.append(_G.event_id == wanted.event_id)
    if not wanted.own:
        # Most games are no copies: the expression keeps the index of copies out of it.
        made.append(func.coalesce(_G.own_id, 0) == 0)
    return [*made, *_on_the_board(wanted)]


def _of_years(day: ColumnElement[str], wanted: ArchiveCriteria) -> list[ColumnElement[bool]]:
    first, last = wanted.year, wanted.until
    if first is None and last is None:
        return []
    last = first if last is None else last
    return [day >= f"{first or 1:04}", day < f"{(last or 0) + 1:04}"]


def _on_the_board(wanted: ArchiveCriteria) -> Iterator[ColumnElement[bool]]:
    """Conditions on the moves: opening and position."""
    if wanted.codes is not None:
        first, last = wanted.codes
        # With many matches, walk the newest; the expression keeps the codes' index out of it.
        code = _G.code.concat("") if wanted.is_broad else _G.code
        yield code == first if first == last else code.between(first, last)
    if wanted.openings:
        yield _G.opening.in_(sorted(wanted.openings))
    if wanted.position is not None:
        has_it = _P.key == wanted.position
        if wanted.is_common:  # walk the newest games, looking each one up
            yield exists().where(has_it, _P.game_id == _G.id)
        else:
            yield _G.id.in_(select(_P.game_id).where(has_it))


def _tournaments(wanted: ArchiveCriteria, most: int) -> Select[*tuple[Any, ...]]:
    tables = select(_S.event_id, func.max(_S.finished).label("last"))
    tables = tables.join(past_players, past_players.c.id == _S.player_id)
    words = _match_words(past_events.c.key, wanted.event)
    asked = _match_words(past_players.c.key, wanted.player)
    if wanted.person_id is not None:
        asked.append(past_players.c.person_id == wanted.person_id)
    asked += _of_years(_S.finished, wanted)
    last = tables.where(*asked).group_by(_S.event_id).subquery()
    found = select(past_events.c.id, past_events.c.name).join(
        last, last.c.event_id == past_events.c.id, isouter=bool(words) and not asked
    )
    order = (last.c.last.is_(None), last.c.last.desc(), past_events.c.name, past_events.c.id)
    return found.where(*words).order_by(*order).limit(most)


async def search(
    conn: AsyncConnection,
    wanted: ArchiveCriteria,
    after: Mark | None,
    most: int,
    *,
    is_oldest_first: bool = False,
) -> tuple[PastRow, ...]:
    """Games after a mark, newest or oldest first."""
    query = _SELECT.where(*_conditions(wanted)).limit(most)
    if after is not None:
        here, mark = tuple_(_G.filed, _G.id), tuple_(*after)
        query = query.where(here > mark if is_oldest_first else here < mark)
    order = (_G.filed, _G.id) if is_oldest_first else (_G.filed.desc(), _G.id.desc())
    return tuple(map(_row, await conn.execute(query.order_by(*order))))


async def portion(
    conn: AsyncConnection, wanted: ArchiveCriteria, after: int, most: int
) -> tuple[PastRow, ...]:
    """Games in order of arrival, after an id: for reading all of them."""
    query = _SELECT.where(_G.id > after, *_conditions(wanted)).order_by(_G.id).limit(most)
    return tuple(map(_row, await conn.execute(query)))


async def find(conn: AsyncConnection, game_id: int) -> PastRow | None:
    """One game."""
    return next(map(_row, await conn.execute(_SELECT.where(_G.id == game_id))), None)


async def ledger_of(conn: AsyncConnection, game_id: int) -> str | None:
    """The ledger a game came with, as JSON."""
    found = await conn.execute(select(_G.ledger).where(_G.id == game_id))
    return found.scalar_one_or_none()


async def tournaments(
    conn: AsyncConnection, wanted: ArchiveCriteria, most: int
) -> tuple[tuple[int, str], ...]:
    """Tournaments (id, name) by their final tables for a player or a year, newest first.

    A name alone also finds those without tables.
    """
    rows = await conn.execute(_tournaments(wanted, most))
    return tuple((row[0], row[1]) for row in rows)


async def event(conn: AsyncConnection, event_id: int) -> str | None:
    """A tournament's name."""
    found = await conn.execute(select(past_events.c.name).where(past_events.c.id == event_id))
    return found.scalar_one_or_none()


async def event_with_key(conn: AsyncConnection, name: str) -> int | None:
    """The tournament of this name, in any spelling."""
    found = await conn.execute(select(past_events.c.id).where(past_events.c.key == plain(name)))
    return found.scalar_one_or_none()


# The archive's search index: positions, the moves played in them, openings, counts.

TREE_PLIES = 24
"""Moves are counted in advance in this many positions from the start of each game."""
DECADE, CODE = "decade", "code"
_BYTES = 2
"""Bytes per move (kskak.archive.past_game)."""


@dataclass(frozen=True, slots=True)
class IndexableGame:
    """A game as the index needs it; ``code`` None: not indexed yet."""

    id: int
    filed: str
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
    if conn.dialect.name == "postgresql":
        # In pg_dump's order, by name: in another one a backup deadlocked with it, and lost.
        await conn.execute(text("TRUNCATE past_moves, past_positions, past_tallies"))
        return
    for table in (past_moves, past_positions, past_tallies):  # SQLite: quick for a whole table
        await conn.execute(delete(table))


_COUNTS = ("games", "white", "draws", "black")


async def _count(conn: AsyncConnection, entries: Sequence[GameIndexEntry], sign: int) -> None:
    """Add these games to the counts, or subtract them."""
    moves: dict[tuple[int, int], list[int]] = {}
    tallies: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        tallies[CODE, entry.code] += sign
        tallies[DECADE, entry.game.filed[:3]] += sign
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
    """Which of the counts a result belongs to; none where a point is left over (§ 6.3.3.4)."""
    match Result(result):
        case Result.WHITE_WINS:
            return 1
        case Result.BLACK_WINS:
            return 3
        case Result.DRAW:
            return 2
        case Result.BOTH_LOSE | Result.WHITE_HALF | Result.BLACK_HALF:
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
