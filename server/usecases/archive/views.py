"""The archive as readers see it: a page of games, a tournament, a game, a player's past.

Public, as finished games are (CONTRACTS); members' numbers are left out. Not for HTML.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import chess

from kskak.archive.past_game import PastGame
from kskak.archive.past_index import key_of
from kskak.ledger.ledger_in import read_ledger
from kskak.ledger.ledger_out import ledger_json
from kskak.statement.told_to_strangers import has_leave
from server.store.archive import final_tables as shown_rows
from server.store.archive import positions
from server.store.archive import reading as rows
from server.store.archive.final_tables import PastStanding
from server.store.archive.positions import Branches, Front
from server.store.archive.reading import Mark, PastRow, Wanted
from server.store.engine.connection import AsyncConnection
from server.usecases.core.context import Core

PAGE = 50
"""Games on a page."""
FEW = 10
MOST_EVENTS = 24
MOST_CODES = 12


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page of games. ``after``: where the next begins, None on the last.

    ``events``: matching tournaments, on the first page; ``is_cut``: there are more. ``count``: all
    games of the archive; ``unread`` of them can't be found by opening or position yet.
    ``branches``: what was played in the requested position, in all games that have it;
    ``plies``: after how many half-moves each game of the page reached it. ``front``: set when
    nothing is searched for; ``branches`` are then those of the starting position, if there are.
    """

    wanted: Wanted
    games: tuple[PastRow, ...]
    after: Mark | None
    count: int
    events: tuple[tuple[int, str], ...]
    is_cut: bool
    unread: int = 0
    branches: Branches | None = None
    plies: dict[int, int] = field(default_factory=dict)
    front: Front | None = None


async def search(
    core: Core, wanted: Wanted, after: Mark | None, *, is_oldest_first: bool = False
) -> ArchivePage:
    """Matching games, newest first or oldest first."""
    async with core.store.read() as conn:
        return await _page(conn, wanted, after, is_oldest_first)


async def _page(
    conn: AsyncConnection, wanted: Wanted, after: Mark | None, is_oldest_first: bool
) -> ArchivePage:
    branches, plies = None, {}
    if wanted.position is not None:
        branches = await positions.branches(conn, wanted.position)
        wanted = replace(wanted, is_common=branches.is_common)
    if wanted.codes is not None and wanted.codes[0] != wanted.codes[1]:
        wanted = replace(wanted, is_broad=await positions.is_broad(conn, wanted.codes))
    found = await rows.search(conn, wanted, after, PAGE + 1, is_oldest_first=is_oldest_first)
    games = tuple(_public(row) for row in found[:PAGE])
    if wanted.position is not None:
        plies = await positions.plies(conn, wanted.position, [row.id for row in games])
    named = await _events(conn, wanted) if after is None else ()
    is_front = after is None and wanted == Wanted()
    if is_front:
        opening = await positions.branches(conn, key_of(chess.Board()))
        branches = opening if opening.moves else None
    count, unread = await positions.size(conn)
    return ArchivePage(
        wanted,
        games,
        _mark(games, is_more=len(found) > PAGE),
        count,
        named[:MOST_EVENTS],
        len(named) > MOST_EVENTS,
        unread,
        branches,
        plies,
        await positions.front(conn, MOST_CODES) if is_front else None,
    )


async def _events(conn: AsyncConnection, wanted: Wanted) -> tuple[tuple[int, str], ...]:
    """Matching tournaments, unless the search concerns moves: a final table has none."""
    if wanted.codes is not None or wanted.position is not None:
        return ()
    return await rows.tournaments(conn, wanted, MOST_EVENTS + 1)


def _mark(games: tuple[PastRow, ...], *, is_more: bool) -> Mark | None:
    return (games[-1].game.day, games[-1].id) if is_more else None


@dataclass(frozen=True, slots=True)
class Book:
    """What was played in a position, and some people's own games with it, the newest first."""

    branches: Branches
    games: tuple[tuple[PastRow, ...], ...]
    plies: dict[int, int]


async def book(core: Core, key: int, people: Sequence[int]) -> Book:
    """A position in the archive, by its key; ``games`` has the first few of each person."""
    async with core.store.read() as conn:
        found = await positions.branches(conn, key)
        wanted = Wanted(position=key, is_common=found.is_common)
        own = [
            await rows.search(conn, replace(wanted, person_id=person), None, FEW)
            for person in people
        ]
        plies = await positions.plies(conn, key, [row.id for games in own for row in games])
    return Book(found, tuple(tuple(map(_public, games)) for games in own), plies)


@dataclass(frozen=True, slots=True)
class PastEvent:
    """A tournament: its final tables, and a page of its games."""

    id: int
    name: str
    tables: tuple[tuple[PastStanding, ...], ...]
    games: tuple[PastRow, ...]
    after: Mark | None


async def event(core: Core, event_id: int, after: Mark | None) -> PastEvent | None:
    """A tournament; None when there is none."""
    async with core.store.read() as conn:
        name = await rows.event(conn, event_id)
        if name is None:
            return None
        lines = await shown_rows.tables_of(conn, event_id)
        found = await rows.search(conn, Wanted(event_id=event_id), after, PAGE + 1)
    tables: dict[tuple[str, str, str], list[PastStanding]] = {}
    for line in lines:
        tables.setdefault((line.finished, line.kind, line.wish), []).append(line)
    games = tuple(_public(row) for row in found[:PAGE])
    last = _mark(games, is_more=len(found) > PAGE)
    return PastEvent(event_id, name, tuple(map(tuple, tables.values())), games, last)


async def game(core: Core, game_id: int) -> PastRow | None:
    """A game; None when there is none."""
    async with core.store.read() as conn:
        found = await rows.find(conn, game_id)
    return None if found is None else _public(found)


async def ledger(core: Core, game_id: int) -> str | None:
    """The account that a game was imported with, as JSON; None if there is none.

    Unchanged if it contains no leave; else as strangers may see it, as players of long ago can't be
    asked (§ 6.3.6.4).
    """
    async with core.store.read() as conn:
        text = await rows.ledger_of(conn, game_id)
    read = None if text is None else read_ledger(json.loads(text))
    if read is None or not has_leave(read.events):
        return text
    told = ledger_json(read.terms, read.events, is_for_strangers=True)
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class PersonPast:
    """What the archive has on a member: results, the newest games, and whether there are more."""

    standings: tuple[PastStanding, ...]
    games: tuple[PastRow, ...]
    is_cut: bool


async def of_person(core: Core, person_id: int) -> PersonPast:
    """A member's past."""
    async with core.store.read() as conn:
        standings = await shown_rows.standings_of_person(conn, person_id)
        wanted = Wanted(person_id=person_id, own=False)
        found = await rows.search(conn, wanted, None, FEW + 1)
    return PersonPast(standings, tuple(map(_public, found[:FEW])), len(found) > FEW)


def _public(row: PastRow) -> PastRow:
    game = without_numbers(row.game)
    return row if game is row.game else replace(row, game=game)


def without_numbers(game: PastGame) -> PastGame:
    """A game without the members' numbers, which are private."""
    if not (game.white.number or game.black.number):
        return game
    white, black = replace(game.white, number=""), replace(game.black, number="")
    return replace(game, white=white, black=black)
