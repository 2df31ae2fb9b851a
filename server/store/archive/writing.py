"""Writing the archive: import files and their progress, players, games, final tables, links.

Statements for many rows at once, to be used within one transaction. Not for reading it
(reading.py) nor for recognising the same game (kskak.archive.past_game).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, func, insert, literal, or_, select, type_coerce, update

from kskak.archive.past_game import PastGame, PastGameIdentity
from kskak.values import Name, plain
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DayColumn, columns_of, one_of, portions, rows_of, values_of
from server.store.entries import PastResult, add_past_result
from server.store.tables.base import games, people
from server.store.tables.tournaments import (
    past_events,
    past_games,
    past_imports,
    past_players,
    past_results,
    past_standings,
)

Spelled = tuple[str, str]
"""A player as spelled in a file: name and member number, "" for none."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A file and its progress in games, lines and bytes, with counts of the outcomes."""

    id: int
    name: str
    games: int
    lines: int
    bytes: int
    added: int
    known: int
    refused: int
    finished_us: int | None


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A stored game, with what is needed to compare another with it."""

    id: int
    digest: bytes
    seen: PastGameIdentity
    result: str
    has_ledger: bool
    source: str


OWN_NUMBER = "@"
"""Prefix of what stands in for the member number of a player of this server (below)."""
_PORTION = 5000
"""Values per statement; the databases accept some 32 000."""
_IMPORT = select(*columns_of(ImportRow, past_imports))
_EMPTY = {"games": 0, "lines": 0, "bytes": 0, "added": 0, "known": 0, "refused": 0}


async def hold(conn: AsyncConnection) -> None:
    """Lock the archive until the transaction ends; SQLite has only one writer anyway."""
    if conn.dialect.name == "postgresql":
        names = "past_imports, past_events, past_players, past_games, past_standings"
        await conn.exec_driver_sql(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")


async def find_import(conn: AsyncConnection, digest: bytes) -> ImportRow | None:
    """What is known of a file with this content."""
    return one_of(ImportRow, await conn.execute(_IMPORT.where(past_imports.c.digest == digest)))


async def begin_import(
    conn: AsyncConnection, name: str, digest: bytes, now_us: int, *, again: bool = False
) -> ImportRow:
    """The file's row, created when there is none; ``again``: restart from the beginning."""
    found = await find_import(conn, digest)
    if found is None:
        values = {"name": name, "digest": digest, "started_us": now_us} | _EMPTY
        await conn.execute(insert(past_imports).values(values))
    elif again:
        anew = update(past_imports).where(past_imports.c.id == found.id)
        await conn.execute(anew.values(_EMPTY | {"finished_us": None}))
    else:
        return found
    row = await find_import(conn, digest)
    assert row is not None
    return row


async def keep_import(conn: AsyncConnection, row: ImportRow) -> None:
    """Store a file's progress."""
    query = update(past_imports).where(past_imports.c.id == row.id)
    await conn.execute(query.values(values_of(row)))


async def event_ids(conn: AsyncConnection, names: Iterable[str]) -> dict[str, int]:
    """The tournaments' ids by name, created where missing; all spellings share one."""
    keys = {name: plain(name) for name in names}
    found = await _events(conn, keys.values())
    missing = {key: name for name, key in reversed(keys.items()) if key not in found}
    if missing:
        rows = [{"name": name, "key": key} for key, name in missing.items()]
        await conn.execute(insert(past_events), rows)
        found = await _events(conn, keys.values())
    return {name: found[key] for name, key in keys.items()}


async def _events(conn: AsyncConnection, keys: Iterable[str]) -> dict[str, int]:
    query = select(past_events.c.key, past_events.c.id).where(past_events.c.key.in_(set(keys)))
    return {row[0]: row[1] for row in await conn.execute(query)}


async def player_ids(conn: AsyncConnection, players: Iterable[Spelled]) -> dict[Spelled, int]:
    """The players' ids, created where missing."""
    wanted = set(players)
    found = await _players(conn, wanted)
    missing = sorted(wanted - found.keys())
    if missing:
        rows = [{"name": n, "number": number, "key": Name.of(n).key} for n, number in missing]
        await conn.execute(insert(past_players), rows)
        found = await _players(conn, wanted)
    return found


async def known_players(conn: AsyncConnection, players: Iterable[Spelled]) -> frozenset[Spelled]:
    """Those of some players, however many, that the archive has."""
    listed, found = sorted(players), set[Spelled]()
    for some in portions(listed, _PORTION):
        found |= (await _players(conn, set(some))).keys()
    return frozenset(found) & frozenset(listed)


async def _players(conn: AsyncConnection, wanted: set[Spelled]) -> dict[Spelled, int]:
    table = past_players
    query = select(table.c.name, table.c.number, table.c.id)
    named = query.where(table.c.name.in_({name for name, _ in wanted}))
    return {(name, number): found for name, number, found in await conn.execute(named)}


async def list_games_with_digest(
    conn: AsyncConnection, digests: Iterable[bytes]
) -> tuple[KnownGame, ...]:
    """The games that share one of these digests."""
    g, white, black = past_games, past_players.alias("w"), past_players.alias("b")
    query = (
        select(
            *(g.c.id, g.c.digest, past_events.c.name, g.c.round, g.c.day),
            *(white.c.name, white.c.number, black.c.name, black.c.number),
            *(g.c.plies, g.c.result, g.c.ledger.is_not(None), g.c.source),
        )
        .join(past_events, past_events.c.id == g.c.event_id)
        .join(white, white.c.id == g.c.white_id)
        .join(black, black.c.id == g.c.black_id)
        .where(g.c.digest.in_(set(digests)))
        .order_by(g.c.id)
    )
    return tuple(
        KnownGame(row[0], row[1], PastGameIdentity(row[2], row[3], row[4], _seen(row[5], row[6]),
                  _seen(row[7], row[8]), row[9]), row[10], row[11], row[12])
        for row in await conn.execute(query)
    )  # fmt: skip


def _seen(name: str, number: str) -> Spelled:
    """A player as another file may spell them: stand-in numbers exist only here."""
    return name, "" if number.startswith(OWN_NUMBER) else number


async def own_names(conn: AsyncConnection, names: Iterable[str]) -> frozenset[str]:
    """Those of some names that are names of server games."""
    found = await conn.execute(select(games.c.name).where(games.c.name.in_(set(names))))
    return frozenset(found.scalars())


@dataclass(frozen=True, slots=True)
class NewArchiveGame:
    """A game to store; ``source``: file and place; ``own``: this server's game and its event."""

    game: PastGame
    source: str
    ledger: str | None = None
    own: tuple[int, int] | None = None


async def add_games(conn: AsyncConnection, new: Sequence[NewArchiveGame]) -> None:
    """Store games, with their tournaments and players."""
    if not new:
        return
    events = await event_ids(conn, [one.game.event for one in new])
    sides = [side for one in new for side in (one.game.white, one.game.black)]
    players = await player_ids(conn, [(side.name, side.number) for side in sides])
    await conn.execute(insert(past_games), [_values(one, events, players) for one in new])


def _values(
    new: NewArchiveGame, events: Mapping[str, int], players: Mapping[Spelled, int]
) -> dict[str, object]:
    game = new.game
    return {
        "event_id": events[game.event],
        "day": game.day,
        "filed": game.filed,
        "white_days": None if game.days is None else game.days[0],
        "black_days": None if game.days is None else game.days[1],
        "white_id": players[game.white.name, game.white.number],
        "black_id": players[game.black.name, game.black.number],
        "result": game.result.value,
        "plies": game.plies,
        "moves": game.moves,
        "digest": game.digest,
        "site": game.site,
        "round": game.round,
        "fen": game.fen,
        "eco": game.eco,
        "end": game.end,
        "white_club": game.white.club,
        "black_club": game.black.club,
        "white_elo": game.white.elo,
        "black_elo": game.black.elo,
        "ledger": new.ledger,
        "source": new.source,
        "own_id": None if new.own is None else new.own[0],
        "own_seq": None if new.own is None else new.own[1],
    }


async def add_ledger(conn: AsyncConnection, game_id: int, ledger: str) -> None:
    """Add the full ledger of a game stored without one."""
    await conn.execute(update(past_games).where(past_games.c.id == game_id).values(ledger=ledger))


async def list_unlinked_players(
    conn: AsyncConnection, after: int, most: int
) -> tuple[tuple[int, str, str], ...]:
    """Players not linked to the register, after an id: id, name, number."""
    table = past_players
    query = select(table.c.id, table.c.name, table.c.number).where(
        table.c.person_id.is_(None), table.c.id > after
    )
    rows = await conn.execute(query.order_by(table.c.id).limit(most))
    return tuple((row[0], row[1], row[2]) for row in rows)


async def link(conn: AsyncConnection, links: Mapping[int, int]) -> None:
    """Link players to people in the register: person by player."""
    for player, person in links.items():
        query = update(past_players).where(past_players.c.id == player)
        await conn.execute(query.values(person_id=person))


async def find_players_in_tables(conn: AsyncConnection, players: Iterable[int]) -> frozenset[int]:
    """Those of some players who appear in a final table."""
    column = past_standings.c.player_id
    found = await conn.execute(select(column).where(column.in_(list(players))).distinct())
    return frozenset(found.scalars())


async def game_count(conn: AsyncConnection) -> int:
    """How many games the archive has."""
    return int((await conn.execute(select(func.count()).select_from(past_games))).scalar_one())


# Final tables in the archive, line by line, and the past results that linked lines become.

RIGHTS = ("emt", "cup", "iccf")
"""The kinds that confer rights (§ 6.5.3.2)."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line as far as it tells which it is: ``halves`` are half points, ``finished`` an ISO day.

    ``name`` and ``number``: the player as spelled.
    """

    event: str
    kind: str
    wish: str
    finished: str
    name: str
    number: str
    halves: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTableLine(TableLine):
    """A line to store."""

    place: int | None
    entries: int
    semi_held: bool
    source: str


@dataclass(frozen=True, slots=True)
class LinkedTableLine:
    """A linked line that is not a past result yet, and the result that it tells."""

    id: int
    person_id: int
    result: PastResult


_SPELLED = {"event": past_events.c.name} | {n: past_players.c[n] for n in ("name", "number")}


async def list_event_table_lines(
    conn: AsyncConnection, keys: Iterable[str]
) -> tuple[TableLine, ...]:
    """The lines of tournaments, which are named by key."""
    query = (
        select(*columns_of(TableLine, past_standings, **_SPELLED))
        .join(past_events, past_events.c.id == past_standings.c.event_id)
        .join(past_players, past_players.c.id == past_standings.c.player_id)
        .where(past_events.c.key.in_(set(keys)))
    )
    return rows_of(TableLine, await conn.execute(query))


async def add_table_lines(conn: AsyncConnection, new: Sequence[NewTableLine]) -> None:
    """Store lines, with their tournaments and players."""
    if not new:
        return
    events = await event_ids(conn, [one.event for one in new])
    players = await player_ids(conn, [(one.name, one.number) for one in new])
    rows = []
    for one in new:
        values = {name: value for name, value in values_of(one).items() if name not in _SPELLED}
        player = players[one.name, one.number]
        rows.append(values | {"event_id": events[one.event], "player_id": player})
    await conn.execute(insert(past_standings), rows)


async def list_pending_result_lines(conn: AsyncConnection) -> tuple[LinkedTableLine, ...]:
    """Lines of known people that confer rights and are not past results yet."""
    table = past_standings
    columns = columns_of(
        PastResult, table, event=table.c.kind, name=past_events.c.name, unfinished=literal(0),
        finished=type_coerce(table.c.finished, DayColumn),
    )  # fmt: skip
    query = (
        select(table.c.id, past_players.c.person_id, *columns)
        .join(past_players, past_players.c.id == table.c.player_id)
        .join(past_events, past_events.c.id == table.c.event_id)
        .where(table.c.result_id.is_(None), table.c.kind.in_(RIGHTS))
        .where(past_players.c.person_id.is_not(None))
        .order_by(table.c.id)
    )
    rows = await conn.execute(query)
    return tuple(LinkedTableLine(row[0], row[1], PastResult(*row[2:])) for row in rows)


async def to_result(conn: AsyncConnection, line: LinkedTableLine, now_us: int) -> bool:
    """Turn a line into a past result; False when one like it exists, even a removed one."""
    result = line.result
    known = select(past_results.c.id).where(
        past_results.c.person_id == line.person_id,
        *(
            past_results.c[name] == getattr(result, name)
            for name in ("event", "wish", "finished", "halves", "games")
        ),
    )
    found = (await conn.execute(known.order_by(past_results.c.id).limit(1))).scalar_one_or_none()
    is_new = found is None
    if found is None:
        found = await add_past_result(conn, line.person_id, result, now_us, None)
    done = update(past_standings).where(past_standings.c.id == line.id)
    await conn.execute(done.values(result_id=found))
    return is_new


_S = past_standings.c


@dataclass(frozen=True, slots=True)
class PastStanding(TableLine):
    """A line of a final table, as it is shown."""

    event_id: int
    person_id: int | None
    place: int | None


_NAMED = _SPELLED | {"person_id": past_players.c.person_id}
_TABLE_LINES: Select[*tuple[Any, ...]] = (
    select(*columns_of(PastStanding, past_standings, **_NAMED))
    .join(past_events, past_events.c.id == _S.event_id)
    .join(past_players, past_players.c.id == _S.player_id)
)


async def tables_of(conn: AsyncConnection, event_id: int) -> tuple[PastStanding, ...]:
    """A tournament's final tables, line by line, by class and place."""
    ordered = _TABLE_LINES.where(_S.event_id == event_id).order_by(
        _S.finished.desc(), _S.wish, _S.place.is_(None), _S.place, _S.halves.desc(), _S.id
    )
    return rows_of(PastStanding, await conn.execute(ordered))


async def list_person_table_lines(
    conn: AsyncConnection, person_id: int
) -> tuple[PastStanding, ...]:
    """A member's lines in final tables, newest first."""
    query = _TABLE_LINES.where(past_players.c.person_id == person_id).order_by(
        _S.finished.desc(), _S.id
    )
    return rows_of(PastStanding, await conn.execute(query))


# Which finished games of this server have copies in the archive, and which still need one.

_G = past_games.c
_ENDED = games.c.result.is_not(None)


def own_number(person_id: int) -> str:
    """What distinguishes a player of the server from namesakes, in place of a member number."""
    return f"{OWN_NUMBER}{person_id}"


async def to_copy(conn: AsyncConnection, most: int) -> tuple[int, ...]:
    """Finished games with no copy, or with one made at an earlier event."""
    query = (
        select(games.c.id)
        .join(past_games, _G.own_id == games.c.id, isouter=True)
        .where(_ENDED, or_(_G.id.is_(None), _G.own_seq != games.c.seq))
        .order_by(games.c.id)
    )
    return tuple((await conn.execute(query.limit(most))).scalars())


async def to_remove(conn: AsyncConnection, most: int) -> tuple[int, ...]:
    """Games with a copy that are no longer finished or no longer exist."""
    query = (
        select(_G.own_id)
        .join(games, and_(games.c.id == _G.own_id, _ENDED), isouter=True)
        .where(_G.own_id.is_not(None), games.c.id.is_(None))
    )
    return tuple((await conn.execute(query.limit(most))).scalars())


async def add_copy(
    conn: AsyncConnection, own_id: int, seq: int, game: PastGame, people_of: Mapping[str, int]
) -> None:
    """Store a finished game's copy. ``people_of``: person ids by their numbers in ``game``."""
    source = f"game {own_id}"
    await add_games(conn, [NewArchiveGame(game, source, own=(own_id, seq))])
    column = past_players.c.number
    found = await conn.execute(
        select(past_players.c.id, column).where(
            column.in_(list(people_of)), past_players.c.person_id.is_(None)
        )
    )
    await link(conn, {row[0]: people_of[row[1]] for row in found})


_RENAMED = (
    select(past_players.c.id, people.c.name)
    .join(people, people.c.id == past_players.c.person_id)
    .where(past_players.c.number.startswith(OWN_NUMBER), past_players.c.name != people.c.name)
)


async def list_renamed_players(conn: AsyncConnection) -> tuple[tuple[int, str], ...]:
    """The archive's players whose name has changed in the register, with the new one."""
    return tuple((player_id, name) for player_id, name in await conn.execute(_RENAMED))


async def rename(conn: AsyncConnection, names: Sequence[tuple[int, str]]) -> None:
    """Give players of the archive other names."""
    for player_id, name in names:
        named = update(past_players).where(past_players.c.id == player_id)
        await conn.execute(named.values(name=name, key=Name.of(name).key))
