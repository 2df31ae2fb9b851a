"""The archive as readers see it: a page of games, a tournament, a game, a player's past; and the
index by which they find it, kept up to date.

Public, as finished games are (CONTRACTS); members' numbers are left out. Not for HTML.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import TypeVar

import chess

from kskak.archive.past_game import (
    UNKNOWN_DAY,
    PastGame,
    PastPlayer,
    compute_position_key,
    index,
    pack_moves,
    past_pgn,
    to_signed_key,
)
from kskak.archive.pgn_reading import LONGEST_NAME
from kskak.board.notation import UnreadMove, read_movetext
from kskak.board.positions import Opening
from kskak.ledger.ledger_files import ledger_json, read_ledger
from kskak.regulation.editions import Result, Side
from kskak.statement.account import account, has_leave
from kskak.values import plain
from server.store import groups as group_rows
from server.store.archive import reading as rows
from server.store.archive import writing as archive_rows
from server.store.archive.reading import (
    ArchiveCriteria,
    Branches,
    Front,
    GameIndexEntry,
    IndexableGame,
    Mark,
    PastRow,
)
from server.store.archive.writing import PastStanding
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.tables import base as base_tables
from server.usecases.context import Core
from server.usecases.play.game_views import end_day, openings, transcripts

# An archive search, read from the text fields of a form: names, years, opening, position.

T = TypeVar("T")
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


class ArchiveSearchError(ValueError):
    """A field that can't be used: the fault, with what it is about."""

    def __init__(self, fault: ArchiveSearchFault, value: str = "") -> None:
        super().__init__(fault.value)
        self.fault, self.value = fault, value


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

    def read(name: str, reader: Callable[[str], T], otherwise: T) -> T:
        try:
            return reader(getattr(asked, name))
        except ArchiveSearchError as error:
            wrong[name] = error
            return otherwise

    year, until = read("year", _year, None), read("until", _year, None)
    if year is not None and until is not None and year > until:
        wrong["until"] = ArchiveSearchError(ArchiveSearchFault.YEARS, str(year))
        until = None
    codes, keys, opening = read("opening", _opening, _NO_OPENING)
    board, moves = read("position", _position, _NO_POSITION)
    is_number = asked.person.isascii() and _NUMBER.fullmatch(asked.person) is not None
    wanted = ArchiveCriteria(
        player=read("player", _line, ""),
        event=read("event", _line, ""),
        year=year,
        until=until,
        person_id=int(asked.person) if is_number else None,
        codes=codes,
        openings=keys,
        position=None if board is None else compute_position_key(board),
    )
    named = opening if board is None or opening is not None else openings().at(board)
    return ArchiveSearch(asked, wanted, wrong, board, moves, named)


def _line(text: str) -> str:
    """The text on one line; none that is too long, as half of it would find something else."""
    line = " ".join(text.split())
    if len(line) > LONGEST:
        raise ArchiveSearchError(ArchiveSearchFault.LONG, str(LONGEST))
    return line


def _year(text: str) -> int | None:
    text = text.strip()
    if text and not (text.isascii() and _YEAR.fullmatch(text)):
        raise ArchiveSearchError(ArchiveSearchFault.YEAR, text[:LONGEST])
    return int(text) if text else None


FoundOpening = tuple[tuple[str, str] | None, frozenset[int], Opening | None]
_NO_OPENING: FoundOpening = None, frozenset(), None


def _opening(asked: str) -> FoundOpening:
    """A range of codes, or the openings whose names contain every word."""
    text = _line(asked)
    if not text:
        return _NO_OPENING
    codes = _CODES.fullmatch(text)
    if codes is not None:
        first, last = codes[1].upper(), (codes[2] or codes[1]).upper()
        ends = first.ljust(3, "0"), last.ljust(3, "9")
        if ends[0] > ends[1]:
            raise ArchiveSearchError(ArchiveSearchFault.CODES, text)
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
        raise ArchiveSearchError(ArchiveSearchFault.OPENING, text)
    among = sorted(one.code for one in fitting)
    only = fitting[0] if len(fitting) == 1 else None
    return (among[0], among[-1]), frozenset(keys_of()[one] for one in fitting), only


def _normalize_words(text: str) -> list[str]:
    """A text's words, normalised; American spelling is made British."""
    return plain(text).replace("defense", "defence").replace("center", "centre").split()


FoundPosition = tuple[chess.Board | None, tuple[chess.Move, ...]]
_NO_POSITION: FoundPosition = None, ()


def _position(asked: str) -> FoundPosition:
    """The board from a FEN, or after the opening moves of a game."""
    text = asked.strip()
    if not text:
        return _NO_POSITION
    if len(text) > LONGEST_POSITION:
        raise ArchiveSearchError(ArchiveSearchFault.LONG, str(LONGEST_POSITION))
    if _FEN.match(text) is not None:
        return _of_fen(text), ()
    try:
        moves = read_movetext(text, None)
    except UnreadMove as unread:
        dots = "." if unread.board.turn else "…"
        place = f"{unread.board.fullmove_number}{dots} {unread.found.text[:20]}"
        raise ArchiveSearchError(ArchiveSearchFault.MOVE, place) from None
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board, moves


def _of_fen(text: str) -> chess.Board:
    """A FEN's position; fields missing at the end mean White to move, no castling."""
    fields = text.split()
    ranks = fields[0].split("/")
    if len(ranks) != _RANKS:
        raise ArchiveSearchError(ArchiveSearchFault.RANKS, str(len(ranks)))
    bad = next((rank for rank in ranks if not _is_rank(rank)), None)
    if bad is not None:
        raise ArchiveSearchError(ArchiveSearchFault.RANK, bad[:20])
    try:
        board = chess.Board(" ".join([*fields, *_FEN_REST[len(fields) - 1 :]][:6]))
    except ValueError:
        raise ArchiveSearchError(ArchiveSearchFault.FEN, " ".join(fields[1:])[:40]) from None
    if not board.is_valid():
        raise ArchiveSearchError(ArchiveSearchFault.IMPOSSIBLE)
    return board


def _is_rank(rank: str) -> bool:
    if not _IN_RANKS.issuperset(rank):
        return False
    return sum(int(char) if char.isdigit() else 1 for char in rank) == _RANKS


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
    branches, front, plies = None, None, {}
    named: tuple[tuple[int, str], ...] = ()
    async with core.store.read() as conn:
        if wanted.position is not None:
            branches = await rows.branches(conn, wanted.position)
            wanted = replace(wanted, is_common=branches.is_common)
        if wanted.codes is not None and wanted.codes[0] != wanted.codes[1]:
            wanted = replace(wanted, is_broad=await rows.is_broad(conn, wanted.codes))
        games, end = await _games(conn, wanted, after, is_oldest_first=is_oldest_first)
        if wanted.position is not None:
            plies = await rows.plies(conn, wanted.position, [row.id for row in games])
        # A search that concerns moves finds no tournaments: a final table has none.
        if after is None and wanted.codes is None and wanted.position is None:
            named = await rows.tournaments(conn, wanted, MOST_EVENTS + 1)
        if after is None and wanted == ArchiveCriteria():
            opening = await rows.branches(conn, compute_position_key(chess.Board()))
            branches = opening if opening.moves else None
            front = await rows.front(conn, MOST_CODES)
        count, unread = await rows.size(conn)
    events, is_cut = named[:MOST_EVENTS], len(named) > MOST_EVENTS
    return ArchivePage(wanted, games, end, count, events, is_cut, unread, branches, plies, front)


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
    return games, (games[-1].game.filed, games[-1].id) if len(found) > most else None


@dataclass(frozen=True, slots=True)
class OpeningBookView:
    """What was played in a position, and some people's own games with it, the newest first."""

    branches: Branches
    games: tuple[tuple[PastRow, ...], ...]
    plies: dict[int, int]


async def book(core: Core, key: int, people: Sequence[int]) -> OpeningBookView:
    """A position in the archive, by its key; ``games`` has the first few of each person."""
    async with core.store.read() as conn:
        found = await rows.branches(conn, key)
        wanted = ArchiveCriteria(position=key, is_common=found.is_common)
        own = [
            (await _games(conn, replace(wanted, person_id=person), None, FEW))[0]
            for person in people
        ]
        plies = await rows.plies(conn, key, [row.id for games in own for row in games])
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
    shown = ledger_json(read.terms, read.events, is_for_strangers=True)
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


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
        own = ArchiveCriteria(person_id=person_id, own=False)
        games, more = await _games(conn, own, None, FEW)
    return PersonPast(standings, games, more is not None)


def _public(row: PastRow) -> PastRow:
    return replace(row, game=without_numbers(row.game))


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
            (text,) = await transcripts(conn, group, [row])
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


# What an archive game can be found by, from its moves and the server's table of openings.


def entry_of(game: IndexableGame) -> GameIndexEntry:
    """The game with its positions and opening; always the same for the same table of openings."""
    keys, opening = index(openings(), game.fen, game.moves)
    if opening is None:
        return GameIndexEntry(game, keys, "", None)
    return GameIndexEntry(game, keys, opening.code, keys_of()[opening])


@cache
def keys_of() -> dict[Opening, int]:
    """Each named position's key; one of them where several share a name and code."""
    return {opening: to_signed_key(key) for key, opening in openings().by_key.items()}


@cache
def by_number() -> dict[int, Opening]:
    """The openings by the number the database keeps for them."""
    return {number: opening for opening, number in keys_of().items()}


def find_stored_opening(row: PastRow) -> Opening | None:
    """A game's opening by its moves; None when it has none or is not indexed yet."""
    return None if row.opening is None else by_number().get(row.opening)


# Adds this server's finished games to the archive's search, as copies of their public part.

BATCH = 25
"""Games in one transaction."""


async def follow(core: Core) -> bool:
    """Copy some finished games, remove those no longer finished; True if there may be more."""
    async with core.store.read() as conn:
        wanted = await archive_rows.to_copy(conn, BATCH)
        gone = await archive_rows.to_remove(conn, BATCH)
        copies = [
            one for own in wanted if (one := await _copy_finished_game(conn, own)) is not None
        ]
    if not (copies or gone):
        return False
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        kept = await rows.own_copies(conn, [*gone, *(row.id for row, _ in copies)])
        if kept:
            await rows.take_out(conn, [entry_of(game) for game in kept])
        for row, game in copies:
            people = {
                archive_rows.own_number(person): person for person in (row.white_id, row.black_id)
            }
            await archive_rows.add_copy(conn, row.id, row.seq, game, people)
    return len(wanted) == BATCH or len(gone) == BATCH


async def rename(core: Core) -> None:
    """Apply changed names to the copies; once a day is enough."""
    names = await core.store.query(archive_rows.list_renamed_players)
    for at in range(0, len(names), BATCH):
        await core.store.change(archive_rows.rename, names[at : at + BATCH])


async def _copy_finished_game(
    conn: AsyncConnection, own_id: int
) -> tuple[GameRow, PastGame] | None:
    """The game as it is now, and its copy; None when it is not finished."""
    row = await game_rows.load(conn, own_id)
    if row is None or row.result is None:
        return None
    group = await group_rows.find(conn, row.group_id)
    history = await game_rows.history(conn, own_id)
    played = account(row.terms, game_rows.read_events(history))
    ended = end_day(row)
    white, black = (
        PastPlayer(name[:LONGEST_NAME], archive_rows.own_number(row.person_of(side)))
        for name, side in ((row.white, Side.WHITE), (row.black, Side.BLACK))
    )
    game = PastGame(
        event="" if group is None else group.tournament[:LONGEST_NAME],
        day=row.start,
        white=white,
        black=black,
        result=Result(row.result),
        moves=pack_moves(one.move for one in played.rows),
        round=str(row.round),
        fen=row.fen,
        end=UNKNOWN_DAY if ended is None else ended.isoformat(),
        days=(played.state.white.total, played.state.black.total),
    )
    return row, game


# Brings the archive's index up to date: imported games, and finished games of this server.

OPENINGS = "archive-openings"
"""The setting that says which openings table the index was made with."""
AT_ONCE = 250
"""Games per transaction in the command, which runs alone."""
INDEX_BATCH = 25
"""The same beside a working server: about 20 ms."""
CLEARED_AT_ONCE = 5000
"""Games marked per transaction: about 50 ms."""
PAUSE_S = 0.05


async def index_some_games(core: Core, most: int = INDEX_BATCH) -> int:
    """Index some games; returns how many."""
    async with core.store.read() as conn:
        if not await rows.unread(conn, 1):
            return 0
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        found = await rows.unread(conn, most)
        await rows.add_to_index(conn, [entry_of(game) for game in found])
    return len(found)


async def clear_outdated(core: Core) -> bool:
    """Clear some of an index made with another table of openings; True if there may be more.

    A portion at a time: one statement for all would take minutes, and a database that falls silent
    could not be told from one that works.
    """
    async with core.store.read() as conn:
        if await base_tables.get(conn, OPENINGS) == openings().version:
            return False
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        if await rows.forget_codes(conn, CLEARED_AT_ONCE):
            return True
        await rows.clear(conn)
        await base_tables.put_value(conn, OPENINGS, openings().version)
    return False


async def everything(core: Core, step: Callable[[int, int], None]) -> int:
    """Index everything, own games too; ``step`` is called with the number done and the total."""
    while await clear_outdated(core):
        pass
    while await follow(core):
        pass
    done = 0
    while count := await index_some_games(core, AT_ONCE):
        left = await core.store.query(rows.unread_count)
        done += count
        step(done, done + left)
    return done


async def keep_up(core: Core) -> bool:
    """Do a little of all, for the server's poller; True if there may be more."""
    if await clear_outdated(core):
        return True
    more = await follow(core)
    more = bool(await index_some_games(core)) or more
    await asyncio.sleep(PAUSE_S if more else 0)
    return more
