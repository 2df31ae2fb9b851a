"""The archive as readers see it: a page of games, a tournament, a game, a player's past.

Public, as finished games are (CONTRACTS); members' numbers are left out. Not for HTML.
"""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import chess

from kskak.archive.past_game import PastGame, compute_position_key, past_pgn
from kskak.board.notation import UnreadMove, read_movetext
from kskak.board.positions import Opening
from kskak.ledger.ledger_files import ledger_json, read_ledger
from kskak.statement.account import has_leave
from kskak.values import plain
from server.store import groups as group_rows
from server.store.archive import index as archive_index
from server.store.archive import reading as rows
from server.store.archive import writing as archive_rows
from server.store.archive.index import Branches, Front
from server.store.archive.reading import ArchiveCriteria, Mark, PastRow
from server.store.archive.writing import PastStanding
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.archive.game_import import find_stored_opening, keys_of
from server.usecases.context import Core
from server.usecases.play.game_views import openings, transcript

# An archive search, read from the text fields of a form: names, years, opening, position.

LONGEST = 80
"""Characters of a name to search for."""
LONGEST_POSITION = 1200
_YEAR = re.compile(r"[12]\d{3}")
_NUMBER = re.compile(r"\d{1,18}")
_CODES = re.compile(r"([A-E]\d{0,2})(?:\s*[-–]\s*([A-E]\d\d))?", re.IGNORECASE)
_FEN = re.compile(r"[pnbrqkPNBRQK1-8]+/")
_RANKS = 8
_IN_RANKS = frozenset("12345678pnbrqkPNBRQK")
_FEN_REST = ("w", "-", "-", "0", "1")


class ArchiveSearchFault(StrEnum):
    """Why a field can't be used."""

    YEAR = "year"
    YEARS = "years"
    OPENING = "opening"
    CODES = "codes"
    RANKS = "ranks"
    RANK = "rank"
    FEN = "fen"
    IMPOSSIBLE = "impossible"
    MOVE = "move"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class ArchiveSearchError:
    """A fault, with what it is about."""

    fault: ArchiveSearchFault
    value: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveSearchForm:
    """The texts as they were typed."""

    player: str = ""
    event: str = ""
    year: str = ""
    until: str = ""
    opening: str = ""
    position: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveSearch:
    """What to look for. ``board``: the position; ``moves``: the moves it was given as."""

    asked: ArchiveSearchForm
    wanted: ArchiveCriteria
    wrong: dict[str, ArchiveSearchError]
    board: chess.Board | None = None
    moves: tuple[chess.Move, ...] = ()
    opening: Opening | None = None
    """The one opening that the code or words name; else the opening of the position."""


def understood(asked: ArchiveSearchForm) -> ArchiveSearch:
    """What a form asks for, and which fields could not be read."""
    wrong: dict[str, ArchiveSearchError] = {}
    year, until = _years(asked, wrong)
    codes, keys, opening = _opening(_line("opening", asked.opening, wrong), wrong)
    board, moves = _position(asked.position.strip(), wrong)
    wanted = ArchiveCriteria(
        player=_line("player", asked.player, wrong),
        event=_line("event", asked.event, wrong),
        year=year,
        until=until,
        person_id=int(asked.person) if _is(asked.person, _NUMBER) else None,
        codes=codes,
        openings=keys,
        position=None if board is None else compute_position_key(board),
    )
    named = opening if board is None or opening is not None else openings().at(board)
    return ArchiveSearch(asked, wanted, wrong, board, moves, named)


def _line(name: str, text: str, wrong: dict[str, ArchiveSearchError]) -> str:
    """The text on one line; empty if too long, as half of it would find something else."""
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    wrong[name] = ArchiveSearchError(ArchiveSearchFault.LONG, str(LONGEST))
    return ""


def _is(text: str, shape: re.Pattern[str]) -> bool:
    return text.isascii() and shape.fullmatch(text) is not None


def _years(
    asked: ArchiveSearchForm, wrong: dict[str, ArchiveSearchError]
) -> tuple[int | None, int | None]:
    found: list[int | None] = []
    for name, text in (("year", asked.year.strip()), ("until", asked.until.strip())):
        is_year = _is(text, _YEAR)
        if text and not is_year:
            wrong[name] = ArchiveSearchError(ArchiveSearchFault.YEAR, text[:LONGEST])
        found.append(int(text) if is_year else None)
    first, last = found
    if first is not None and last is not None and first > last:
        wrong["until"] = ArchiveSearchError(ArchiveSearchFault.YEARS, str(first))
        return first, None
    return first, last


Found = tuple[tuple[str, str] | None, frozenset[int], Opening | None]


def _opening(text: str, wrong: dict[str, ArchiveSearchError]) -> Found:
    """A range of codes, or the openings whose names contain every word."""
    nothing: Found = None, frozenset(), None
    if not text:
        return nothing
    codes = _CODES.fullmatch(text)
    if codes is not None:
        first, last = codes[1].upper(), (codes[2] or codes[1]).upper()
        ends = first.ljust(3, "0"), last.ljust(3, "9")
        if ends[0] > ends[1]:
            wrong["opening"] = ArchiveSearchError(ArchiveSearchFault.CODES, text)
            return nothing
        return ends, frozenset(), openings().heads.get(first) if ends[0] == ends[1] else None
    words = _normalize_words(text)
    fitting = [
        one
        for one in keys_of()
        if (names := " ".join(_normalize_words(f"{one.danish} {one.english}")))
        and words
        and all(word in names for word in words)
    ]
    if not fitting:
        wrong["opening"] = ArchiveSearchError(ArchiveSearchFault.OPENING, text)
        return nothing
    among = sorted(one.code for one in fitting)
    only = fitting[0] if len(fitting) == 1 else None
    return (among[0], among[-1]), frozenset(keys_of()[one] for one in fitting), only


def _normalize_words(text: str) -> list[str]:
    """A text's words, normalised; American spelling is made British."""
    return plain(text).replace("defense", "defence").replace("center", "centre").split()


def _position(
    text: str, wrong: dict[str, ArchiveSearchError]
) -> tuple[chess.Board | None, tuple[chess.Move, ...]]:
    """The board from a FEN, or after the opening moves of a game."""
    if not text:
        return None, ()
    if len(text) > LONGEST_POSITION:
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.LONG, str(LONGEST_POSITION))
        return None, ()
    if _FEN.match(text) is not None:
        return _of_fen(text, wrong), ()
    try:
        moves = read_movetext(text, None)
    except UnreadMove as unread:
        dots = "." if unread.board.turn else "…"
        place = f"{unread.board.fullmove_number}{dots} {unread.found.text[:20]}"
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.MOVE, place)
        return None, ()
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board, moves


def _of_fen(text: str, wrong: dict[str, ArchiveSearchError]) -> chess.Board | None:
    """A FEN's position; fields missing at the end mean White to move, no castling."""
    fields = text.split()
    ranks = fields[0].split("/")
    if len(ranks) != _RANKS:
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.RANKS, str(len(ranks)))
        return None
    bad = next((rank for rank in ranks if not _is_rank(rank)), None)
    if bad is not None:
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.RANK, bad[:20])
        return None
    try:
        board = chess.Board(" ".join([*fields, *_FEN_REST[len(fields) - 1 :]][:6]))
    except ValueError:
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.FEN, " ".join(fields[1:])[:40])
        return None
    if not board.is_valid():
        wrong["position"] = ArchiveSearchError(ArchiveSearchFault.IMPOSSIBLE)
        return None
    return board


def _is_rank(rank: str) -> bool:
    if not _IN_RANKS.issuperset(rank):
        return False
    return sum(int(char) if char.isdigit() else 1 for char in rank) == _RANKS


# The archive as readers see it: a page of games, a tournament, a game, a player's past.

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

    wanted: ArchiveCriteria
    games: tuple[PastRow, ...]
    after: Mark | None
    count: int
    events: tuple[tuple[int, str], ...]
    is_cut: bool
    unread: int = 0
    branches: Branches | None = None
    plies: dict[int, int] = field(default_factory=dict)
    front: Front | None = None


_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")


def read_mark(text: str) -> Mark | None:
    """Where a page ended, as an address has it; None for anything else."""
    found = _MARK.fullmatch(text)
    return None if found is None else (found[1], int(found[2]))


def write_mark(mark: Mark) -> str:
    """The same in writing."""
    return f"{mark[0]}.{mark[1]}"


async def search(
    core: Core, wanted: ArchiveCriteria, after: Mark | None, *, is_oldest_first: bool = False
) -> ArchivePage:
    """Matching games, newest first or oldest first."""
    return await core.store.query(_page, wanted, after, is_oldest_first=is_oldest_first)


async def _page(
    conn: AsyncConnection, wanted: ArchiveCriteria, after: Mark | None, *, is_oldest_first: bool
) -> ArchivePage:
    branches, plies = None, {}
    if wanted.position is not None:
        branches = await archive_index.branches(conn, wanted.position)
        wanted = replace(wanted, is_common=branches.is_common)
    if wanted.codes is not None and wanted.codes[0] != wanted.codes[1]:
        wanted = replace(wanted, is_broad=await archive_index.is_broad(conn, wanted.codes))
    games, end = await _games(conn, wanted, after, is_oldest_first=is_oldest_first)
    if wanted.position is not None:
        plies = await archive_index.plies(conn, wanted.position, [row.id for row in games])
    named: tuple[tuple[int, str], ...] = ()
    # A search that concerns moves finds no tournaments: a final table has none.
    if after is None and wanted.codes is None and wanted.position is None:
        named = await rows.tournaments(conn, wanted, MOST_EVENTS + 1)
    is_front = after is None and wanted == ArchiveCriteria()
    if is_front:
        opening = await archive_index.branches(conn, compute_position_key(chess.Board()))
        branches = opening if opening.moves else None
    count, unread = await archive_index.size(conn)
    return ArchivePage(
        wanted,
        games,
        end,
        count,
        named[:MOST_EVENTS],
        len(named) > MOST_EVENTS,
        unread,
        branches,
        plies,
        await archive_index.front(conn, MOST_CODES) if is_front else None,
    )


async def _games(
    conn: AsyncConnection,
    wanted: ArchiveCriteria,
    after: Mark | None,
    most: int | None = None,
    *,
    is_oldest_first: bool = False,
) -> tuple[tuple[PastRow, ...], Mark | None]:
    """Some games after a mark as everybody sees them, and where to go on, None at the end."""
    most = most or PAGE
    found = await rows.search(conn, wanted, after, most + 1, is_oldest_first=is_oldest_first)
    games = tuple(map(_public, found[:most]))
    return games, (games[-1].game.day, games[-1].id) if len(found) > most else None


@dataclass(frozen=True, slots=True)
class OpeningBookView:
    """What was played in a position, and some people's own games with it, the newest first."""

    branches: Branches
    games: tuple[tuple[PastRow, ...], ...]
    plies: dict[int, int]


async def book(core: Core, key: int, people: Sequence[int]) -> OpeningBookView:
    """A position in the archive, by its key; ``games`` has the first few of each person."""
    async with core.store.read() as conn:
        found = await archive_index.branches(conn, key)
        wanted = ArchiveCriteria(position=key, is_common=found.is_common)
        own = [
            (await _games(conn, replace(wanted, person_id=person), None, FEW))[0]
            for person in people
        ]
        plies = await archive_index.plies(conn, key, [row.id for games in own for row in games])
    return OpeningBookView(found, tuple(own), plies)


@dataclass(frozen=True, slots=True)
class PastEventView:
    """A tournament: its final tables, and a page of its games."""

    id: int
    name: str
    tables: tuple[tuple[PastStanding, ...], ...]
    games: tuple[PastRow, ...]
    after: Mark | None


async def event(core: Core, event_id: int, after: Mark | None) -> PastEventView | None:
    """A tournament; None when there is none."""
    async with core.store.read() as conn:
        name = await rows.event(conn, event_id)
        if name is None:
            return None
        lines = await archive_rows.tables_of(conn, event_id)
        games, last = await _games(conn, ArchiveCriteria(event_id=event_id), after)
    tables: dict[tuple[str, str, str], list[PastStanding]] = {}
    for line in lines:
        tables.setdefault((line.finished, line.kind, line.wish), []).append(line)
    return PastEventView(event_id, name, tuple(map(tuple, tables.values())), games, last)


async def game(core: Core, game_id: int) -> PastRow | None:
    """A game; None when there is none."""
    found = await core.store.query(rows.find, game_id)
    return None if found is None else _public(found)


async def ledger(core: Core, game_id: int) -> str | None:
    """The account that a game was imported with, as JSON; None if there is none.

    Unchanged if it contains no leave; else as strangers may see it, as players of long ago can't be
    asked (§ 6.3.6.4).
    """
    text = await core.store.query(rows.ledger_of, game_id)
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


async def read_person_past(core: Core, person_id: int) -> PersonPast:
    """A member's past."""
    async with core.store.read() as conn:
        standings = await archive_rows.list_person_table_lines(conn, person_id)
        wanted = ArchiveCriteria(person_id=person_id, own=False)
        games, more = await _games(conn, wanted, None, FEW)
    return PersonPast(standings, games, more is not None)


def _public(row: PastRow) -> PastRow:
    game = without_numbers(row.game)
    return row if game is row.game else replace(row, game=game)


def without_numbers(game: PastGame) -> PastGame:
    """A game without the members' numbers, which are private."""
    if not (game.white.number or game.black.number):
        return game
    white, black = replace(game.white, number=""), replace(game.black, number="")
    return replace(game, white=white, black=black)


# Finished games as PGN: the server's, made from their ledgers, and the archive's.

PAST = "archive/"
"""An archive game is named like its page: «archive/12»."""
PORTION = 200
"""Archive games read at a time."""


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """Which games; one of the fields is set. ``game``: its name or number, or PAST and a number.

    ``group``: a group of the server or a tournament of the archive; ``player``: an address or
    words of a name; ``is_all``: everything.
    """

    group: str = ""
    game: str = ""
    player: str = ""
    is_all: bool = False
    with_numbers: bool = False


@dataclass(slots=True)
class ExportCounts:
    """How many games were written, and which groups have been read."""

    games: int = 0
    groups: dict[int, GroupRow] = field(default_factory=dict)


async def export(core: Core, choice: ExportSelection, counted: ExportCounts) -> AsyncIterator[str]:
    """The texts of the games, each with its line end."""
    async for row in _own(core, choice):
        async with core.store.read() as conn:
            group = counted.groups.get(row.group_id) or await group_rows.find(conn, row.group_id)
            assert group is not None
            counted.groups[row.group_id] = group
            text = await transcript(conn, group, row)
        counted.games += 1
        yield text
    async for past in _past(core, choice):
        game = past.game if choice.with_numbers else without_numbers(past.game)
        counted.games += 1
        yield past_pgn(game, find_stored_opening(past), with_numbers=choice.with_numbers)


async def _own(core: Core, choice: ExportSelection) -> AsyncIterator[GameRow]:
    """The requested games of the server, if finished."""
    async with core.store.read() as conn:
        found: list[GameRow] = []
        if choice.group:
            group = await group_rows.by_name(conn, choice.group)
            found = [] if group is None else list(await game_rows.list_group_games(conn, group.id))
        elif "@" in choice.player:
            person = await person_rows.by_email(conn, choice.player)
            found = (
                [] if person is None else list(await game_rows.list_person_games(conn, person.id))
            )
        else:
            found = [row async for row in game_rows.all_rows(conn) if _fits(row, choice)]
    for row in found:
        if row.result is not None:
            yield row


def _fits(row: GameRow, choice: ExportSelection) -> bool:
    if choice.game:
        return choice.game in (row.name, str(row.id))
    words = choice.player.casefold().split()
    return any(all(word in name.casefold() for word in words) for name in (row.white, row.black))


async def _past(core: Core, choice: ExportSelection) -> AsyncIterator[PastRow]:
    """The requested games of the archive, in the order in which they were added."""
    wanted = await core.store.query(_build_criteria, choice)
    after = 0
    while wanted is not None:
        some = await core.store.query(rows.portion, wanted, after, PORTION)
        if not some:
            return
        after = some[-1].id
        for row in some:
            yield row


async def _build_criteria(conn: AsyncConnection, choice: ExportSelection) -> ArchiveCriteria | None:
    """What to look for in the archive; None when nothing there can match."""
    if choice.game:
        number = choice.game.removeprefix(PAST)
        is_past = choice.game != number and number.isascii() and number.isdigit()
        return (
            ArchiveCriteria(game_id=int(number), own=False)
            if is_past and len(number) < 19
            else None
        )
    if choice.group:
        event = await rows.event_with_key(conn, choice.group)
        return None if event is None else ArchiveCriteria(event_id=event, own=False)
    if "@" in choice.player:
        person = await person_rows.by_email(conn, choice.player)
        return None if person is None else ArchiveCriteria(person_id=person.id, own=False)
    return ArchiveCriteria(player=choice.player, own=False)
