"""The archive's public pages: search by name, year, opening, position; a tournament; a game.

They work without script: the board steps by links. Not for our own games (play/game_page.py).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from urllib.parse import urlencode

import chess
from aiohttp import web

from kskak.archive.past_game import (
    INDEXED_PLIES,
    MEDIA_TYPE,
    PastGame,
    PastPlayer,
    past_pgn,
    unpack_moves,
)
from kskak.board.positions import Opening
from kskak.board.shapes import numeric
from kskak.entries.rights import IccfTournament
from kskak.regulation.editions import Side
from mail.text.catalogue import FACTS, halves
from mail.text.letter_facts import MoveText, move_texts
from server.store.archive.reading import COMMON, Branch, Branches, Mark, PastRow
from server.store.archive.writing import PastStanding
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import (
    ArchiveSearch,
    ArchiveSearchError,
    ArchiveSearchForm,
    find_stored_opening,
    read_mark,
    understood,
    write_mark,
)
from server.usecases.play.game_views import openings
from server.web.board.board_view import GameStepView, list_script_texts, picture, step_past_game
from server.web.entries.entry_desk import iccf_name
from server.web.frame.context import PageRoutes, core, get_words, or_404, read_only_page
from server.web.frame.forms import PROBLEM_STATUS
from server.web.frame.page_texts import PageWords, SubjectWords
from server.web.frame.pages import page

routes = PageRoutes()

# Texts of the archive's pages: days as far as known, points, classes, openings, faults.


class ArchiveWords(SubjectWords):
    """One language for the archive's pages."""

    subject = "history.page"

    def f(self, key: str, **places: object) -> str:
        """A text of the search; KeyError as above."""
        return self.words(f"finding.{key}", **places)

    def day(self, day: str) -> str:
        """«3. maj 2001», «5/2001», «2001», or that it is unknown."""
        year, month, number = (int(part) for part in day.split("-"))
        if not year:
            return self("unknown_day")
        if not month:
            return str(year)
        return self.words.day(date(year, month, number)) if number else f"{month}/{year}"

    def ended(self, game: PastGame) -> str:
        """The day a game ended, where it is known; else the day it is filed under."""
        return self.day(game.filed)

    def count(self, count: int) -> str:
        """A number with a thousands separator: «100.000»."""
        return self.words.number(Fraction(count), "#,##0")

    def percent(self, part: int, whole: int) -> str:
        """«54 %»; a dash if the whole is 0."""
        return f"{round(100 * part / whole)}\N{NO-BREAK SPACE}%" if whole else "–"

    def score(self, line: PastStanding) -> str:
        """«4½ af 6»."""
        return self.words("entries.classes.score", points=self.total(line), games=line.games)

    def total(self, line: PastStanding) -> str:
        """«4½»."""
        return halves(Fraction(line.halves, 2))

    def group(self, line: PastStanding) -> str:
        """«Klasse K», «Semifinale», or the file's own text."""
        if line.kind == "emt":
            return self("class", wish=line.wish)
        if line.kind == "cup":
            return self(line.wish)
        if line.kind == "iccf" and line.wish in set(IccfTournament):
            return iccf_name(IccfTournament(line.wish), self.words)
        return line.wish

    def event(self, name: str) -> str:
        """A tournament's name."""
        return name or self("unnamed")

    def player(self, player: PastPlayer) -> str:
        """«Anna Ager (1850)»."""
        return player.name if player.elo is None else f"{player.name} ({player.elo})"

    def opening(self, row: PastRow) -> Opening | None:
        """A game's opening, by its moves."""
        return find_stored_opening(row)

    def opening_name(self, opening: Opening) -> str:
        return opening.name(FACTS[self.words.lang].openings)

    def code_name(self, code: str) -> str:
        """The name of an ECO code's openings; the code itself if the table has none."""
        head = openings().heads.get(code)
        return code if head is None else head.name(FACTS[self.words.lang].openings)

    def fault(self, wrong: ArchiveSearchError) -> str:
        """Why a field can't be used, and what to write instead."""
        return self.f(f"fault.{wrong.fault.value}", value=wrong.value)

    def describe(self, found: ArchiveSearch, games: Sequence[PastRow] = ()) -> str:
        """The search in words: «spiller »vang«, åbning B12 Caro-Kann, 1980–1989»; "" for all.

        A member is searched for by number; his name comes from the ``games`` found.
        """
        member = [self.f("told.member", name=name) for name in self._member(found, games)]
        return ", ".join([*member, *self._parts(found)])

    def _member(self, found: ArchiveSearch, games: Sequence[PastRow]) -> tuple[str, ...]:
        number = found.wanted.person_id
        if number is None or not games:
            return ()
        row = games[0]
        return ((row.game.white if row.white_person == number else row.game.black).name,)

    def _parts(self, found: ArchiveSearch) -> Iterator[str]:
        wanted = found.wanted
        if wanted.player:
            yield self.f("told.player", text=wanted.player)
        if wanted.event:
            yield self.f("told.event", text=wanted.event)
        if wanted.codes is not None:
            yield self._opening_told(found)
        if wanted.year is not None or wanted.until is not None:
            yield self._years(wanted.year, wanted.until)
        if found.moves:
            texts = move_texts(chess.Board(), found.moves)
            yield self.f("told.moves", moves=PageWords(self.words).line(texts))
        elif found.board is not None:
            yield self.f("told.position")

    def _opening_told(self, found: ArchiveSearch) -> str:
        first, last = found.wanted.codes or ("", "")
        if found.wanted.openings:
            return self.f("told.named", text=" ".join(found.asked.opening.split()))
        if first == last:
            return self.f("told.opening", code=first, name=self.code_name(first))
        return self.f("told.codes", first=first, last=last)

    def _years(self, first: int | None, last: int | None) -> str:
        if first is None:
            return self.f("told.until", year=last)
        return str(first) if last in (None, first) else f"{first}–{last}"


# The archive's search in an address: the form's fields, the order, where a page ended.

OLDEST = "old"
_FIELDS = tuple(field.name for field in fields(ArchiveSearchForm))


@dataclass(frozen=True, slots=True)
class Query:
    """A search and its order."""

    asked: ArchiveSearchForm
    is_oldest_first: bool = False

    def address(self, after: Mark | None = None) -> str:
        """The address of the games with this search."""
        asked = {name: getattr(self.asked, name) for name in _FIELDS}
        if self.is_oldest_first:
            asked["sort"] = OLDEST
        if after is not None:
            asked["after"] = write_mark(after)
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"/archive?{query}" if query else "/archive"

    @property
    def turned(self) -> str:
        """The same search in the other order."""
        return replace(self, is_oldest_first=not self.is_oldest_first).address()

    def at(self, position: str) -> str:
        """The same search for a position, as it is typed."""
        return replace(self, asked=replace(self.asked, position=position)).address()

    def after_moves(self, moves: Iterable[chess.Move]) -> str:
        """The same search for the position after a game's first moves, which stay to be told."""
        return self.at(" ".join(map(numeric, moves)))

    def after_move(self, board: chess.Board, move: chess.Move) -> str:
        """The same search for the position after a move."""
        after = board.copy(stack=False)
        after.push(move)
        return self.at(after.fen())


def query_of(request: web.Request) -> Query:
    """The search in an address, its texts as typed."""
    texts = {name: request.query.get(name, "") for name in _FIELDS}
    return Query(ArchiveSearchForm(**texts), request.query.get("sort") == OLDEST)


def after_of(request: web.Request) -> Mark | None:
    """Where the previous page ended."""
    return read_mark(request.query.get("after", ""))


# A game's opening on its page, and a link to other games with the position shown.


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """«B12 Caro-Kann», "" without one; ``same``: a search link for the position, or ""."""

    code: str
    name: str
    same: str


def build_opening_line(
    request: web.Request, opening: Opening | None, shown: GameStepView
) -> OpeningLine:
    """The line for a game at the position shown."""
    search = Query(ArchiveSearchForm(position=shown.board.fen()))
    same = search.address() if shown.ply <= INDEXED_PLIES else ""
    if opening is None:
        return OpeningLine("", "", same)
    return OpeningLine(opening.code, opening.name(FACTS[get_words(request).lang].openings), same)


# The archive's public pages: search by name, year, opening, position; a tournament; a game.

_BYTES = 2


@dataclass(frozen=True, slots=True)
class MoveTreeLine:
    """A move in the tree, or one on the way to its position; ``link``: the position after it.

    ``move`` None: games that ended here. ``branch``: how often it was played, in the tree.
    """

    move: MoveText | None
    link: str
    branch: Branch | None = None
    uci: str = ""


def list_walked_moves(query: Query, moves: tuple[chess.Move, ...]) -> tuple[MoveTreeLine, ...]:
    """The moves to the position, where it was asked for by moves."""
    return tuple(
        MoveTreeLine(text, query.after_moves(moves[:n]))
        for n, text in enumerate(move_texts(chess.Board(), moves), 1)
    )


def lines(
    query: Query, board: chess.Board, found: Branches, moves: tuple[chess.Move, ...] | None = None
) -> list[MoveTreeLine]:
    """The moves played from the position, the most frequent first; ``moves``: those to it."""
    listed = []
    for branch in found.moves:
        if not branch.move:
            listed.append(MoveTreeLine(None, "", branch))
            continue
        (move,) = unpack_moves(branch.move.to_bytes(_BYTES, "little"))
        if board.is_legal(move):  # two positions with the same key could have different moves
            (text,) = move_texts(board, (move,))
            link = (
                query.after_move(board, move)
                if moves is None
                else query.after_moves((*moves, move))
            )
            listed.append(MoveTreeLine(text, link, branch, move.uci()))
    return listed


def total(found: Branches) -> Branch:
    """The totals: the position's own count and results."""
    names = ("games", "white", "draws", "black")
    return Branch(0, *(sum(getattr(one, name) for one in found.moves) for name in names))


def load_archive_words(request: web.Request) -> ArchiveWords:
    """The archive's texts in the reader's language."""
    return ArchiveWords(get_words(request).words)


@routes.get("/archive")
@read_only_page
async def show_archive(request: web.Request) -> web.Response:
    """Search and list; 422 when a field can't be parsed, with the results for the others."""
    query, after = query_of(request), after_of(request)
    asked = understood(query.asked)
    found = await archive_views.search(
        core(request), asked.wanted, after, is_oldest_first=query.is_oldest_first
    )
    tree = found.branches
    board = chess.Board() if found.front and tree else asked.board
    way = asked.moves if found.front or asked.moves else None
    return page(
        request,
        "archive/search.html",
        status=PROBLEM_STATUS if asked.wrong else 200,
        a=load_archive_words(request),
        found=found,
        query=query,
        asked=asked,
        is_first=after is None,
        older=None if found.after is None else query.address(found.after),
        board=None if board is None else picture(board, Side.WHITE, way[-1] if way else None),
        walked=list_walked_moves(query, asked.moves),
        total=None if tree is None else total(tree),
        lines=[] if tree is None or board is None else lines(query, board, tree, way),
        plies_kept=INDEXED_PLIES,
        common=COMMON,
    )


@routes.get(r"/archive/tournaments/{event:\d{1,18}}")
@read_only_page
async def tournament(request: web.Request) -> web.Response:
    """A tournament with its final tables and games."""
    found = or_404(
        await archive_views.event(
            core(request), int(request.match_info["event"]), after_of(request)
        )
    )
    older = None if found.after is None else f"?after={write_mark(found.after)}"
    return page(
        request,
        "archive/event.html",
        a=load_archive_words(request),
        found=found,
        is_first=after_of(request) is None,
        older=older,
    )


async def find_game(request: web.Request) -> PastRow:
    """The game in the address; 404 if there is none."""
    return or_404(await archive_views.game(core(request), int(request.match_info["game"])))


@routes.get(r"/archive/{game:\d{1,18}}")
@read_only_page
async def game(request: web.Request) -> web.Response:
    """A game: the moves, and the board after a half-move, by default the last."""
    row = await find_game(request)
    if row.own_id is not None:
        raise web.HTTPFound(f"/games/{row.own_id}")
    played = row.game
    names, moves = (played.white.name, played.black.name), unpack_moves(played.moves)
    shown = step_past_game(request, f"archive-{row.id}", "", names, played.fen, moves)
    return page(
        request,
        "archive/game.html",
        a=load_archive_words(request),
        row=row,
        opening_line=build_opening_line(request, find_stored_opening(row), shown),
        shown=shown,
        board=shown.picture(),
        script_words=list_script_texts(get_words(request).words),
    )


def start_of(played: PastGame) -> chess.Board:
    """The starting position of a past game."""
    return chess.Board() if played.fen is None else chess.Board(played.fen)


@routes.get(r"/archive/{game:\d{1,18}}.pgn")
async def as_pgn(request: web.Request) -> web.Response:
    """A game as PGN."""
    row = await find_game(request)
    headers = {"Content-Disposition": f'attachment; filename="arkiv-{row.id}.pgn"'}
    return web.Response(
        text=past_pgn(row.game, find_stored_opening(row)),
        content_type=MEDIA_TYPE,
        charset="utf-8",
        headers=headers,
    )


@routes.get(r"/archive/{game:\d{1,18}}/ledger.json")
async def as_ledger(request: web.Request) -> web.Response:
    """The ledger that a game was archived with; 404 if there is none."""
    text = or_404(await archive_views.ledger(core(request), int(request.match_info["game"])))
    return web.Response(text=text, content_type="application/json", charset="utf-8")
