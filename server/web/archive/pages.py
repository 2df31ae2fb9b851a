"""The archive's public pages: search by name, year, opening, position; a tournament; a game.

They work without script: the board steps by links. Not for our own games (play/game_page.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import chess
from aiohttp import web

from kskak.archive.game_pgn import MEDIA_TYPE
from kskak.archive.past_game import PastGame, unpacked
from kskak.archive.past_index import INDEXED_PLIES
from kskak.archive.past_pgn import past_pgn
from kskak.regulation.quantities import Side
from mail.text.facts import MoveText, move_texts
from server.store.archive.positions import COMMON, Branch, Branches
from server.store.archive.reading import PastRow
from server.usecases.archive import views
from server.usecases.archive.found_by import opening_of
from server.usecases.archive.search_form import understood
from server.web.archive.opening_line import line_of
from server.web.archive.search_form import Query, after_of, mark_text, query_of
from server.web.archive.words import ArchiveWords
from server.web.board.move_list import Step, texts_of
from server.web.board.picture import picture
from server.web.board.step_viewer import Stepping, asked_ply, script_words
from server.web.frame.context import core, one_look, words
from server.web.frame.form_faults import PROBLEM_STATUS
from server.web.frame.pages import page

_BYTES = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A move in the tree; ``move`` None: games that ended here. ``link``: the next position."""

    move: MoveText | None
    link: str
    branch: Branch
    uci: str = ""


@dataclass(frozen=True, slots=True)
class Walked:
    """A move on the way to the position on the board; ``link`` leads back to after it."""

    move: MoveText
    link: str


def walked(query: Query, moves: tuple[chess.Move, ...]) -> tuple[Walked, ...]:
    """The moves to the position, where it was asked for by moves."""
    texts = move_texts(chess.Board(), moves)
    ends = range(1, len(moves) + 1)
    return tuple(
        Walked(text, query.after_moves(moves[:n])) for n, text in zip(ends, texts, strict=True)
    )


def lines(
    query: Query, board: chess.Board, found: Branches, moves: tuple[chess.Move, ...] | None = None
) -> tuple[Line, ...]:
    """The moves played from the position, the most frequent first; ``moves``: those to it."""
    return tuple(_lines(query, board, found, moves))


def _lines(
    query: Query, board: chess.Board, found: Branches, moves: tuple[chess.Move, ...] | None
) -> Iterator[Line]:
    for branch in found.moves:
        if not branch.move:
            yield Line(None, "", branch)
            continue
        (move,) = unpacked(branch.move.to_bytes(_BYTES, "little"))
        if board.is_legal(move):  # two positions with the same key could have different moves
            (text,) = move_texts(board, (move,))
            link = (
                query.after_move(board, move)
                if moves is None
                else query.after_moves((*moves, move))
            )
            yield Line(text, link, branch, move.uci())


def total(found: Branches) -> Branch:
    """The totals: the position's own count and results."""
    names = ("games", "white", "draws", "black")
    return Branch(0, *(sum(getattr(one, name) for one in found.moves) for name in names))


def archive_words(request: web.Request) -> ArchiveWords:
    """The archive's texts in the reader's language."""
    return ArchiveWords(words(request).words)


@one_look
async def listed(request: web.Request) -> web.Response:
    """Search and list; 422 when a field can't be parsed, with the results for the others."""
    query, after = query_of(request), after_of(request)
    asked = understood(query.asked)
    found = await views.search(
        core(request), asked.wanted, after, is_oldest_first=query.is_oldest_first
    )
    tree = found.branches
    board = chess.Board() if found.front and tree else asked.board
    way = asked.moves if found.front or asked.moves else None
    return page(
        request,
        "archive/search.html",
        status=PROBLEM_STATUS if asked.wrong else 200,
        a=archive_words(request),
        found=found,
        query=query,
        asked=asked,
        is_first=after is None,
        older=None if found.after is None else query.address(found.after),
        board=None if board is None else picture(board, Side.WHITE, way[-1] if way else None),
        walked=walked(query, asked.moves),
        total=None if tree is None else total(tree),
        lines=() if tree is None or board is None else lines(query, board, tree, way),
        plies_kept=INDEXED_PLIES,
        common=COMMON,
    )


@one_look
async def tournament(request: web.Request) -> web.Response:
    """A tournament with its final tables and games."""
    found = await views.event(core(request), int(request.match_info["event"]), after_of(request))
    if found is None:
        raise web.HTTPNotFound
    older = None if found.after is None else f"?after={mark_text(found.after)}"
    return page(
        request,
        "archive/event.html",
        a=archive_words(request),
        found=found,
        is_first=after_of(request) is None,
        older=older,
    )


async def found_game(request: web.Request) -> PastRow:
    """The game in the address; 404 if there is none."""
    found = await views.game(core(request), int(request.match_info["game"]))
    if found is None:
        raise web.HTTPNotFound
    return found


@one_look
async def game(request: web.Request) -> web.Response:
    """A game: the moves, and the board after a half-move, by default the last."""
    row = await found_game(request)
    if row.own_id is not None:
        raise web.HTTPFound(f"/games/{row.own_id}")
    played = row.game
    start, moves = start_of(played), unpacked(played.moves)
    is_flipped = request.query.get("flip") == "1"
    shown = Stepping(
        key=f"archive-{row.id}",
        base="",
        names=(played.white.name, played.black.name),
        start=start,
        moves=moves,
        listed=tuple(Step(ply, text) for ply, text in enumerate(texts_of(played.fen, moves), 1)),
        ply=asked_ply(request, len(moves)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=(("flip", "1"),) if is_flipped else (),
    )
    return page(
        request,
        "archive/game.html",
        a=archive_words(request),
        row=row,
        opening_line=line_of(request, opening_of(row), shown),
        shown=shown,
        board=shown.picture(),
        script_words=script_words(words(request).words),
    )


def start_of(played: PastGame) -> chess.Board:
    """The starting position of a past game."""
    return chess.Board() if played.fen is None else chess.Board(played.fen)


async def as_pgn(request: web.Request) -> web.Response:
    """A game as PGN."""
    row = await found_game(request)
    headers = {"Content-Disposition": f'attachment; filename="arkiv-{row.id}.pgn"'}
    return web.Response(
        text=past_pgn(row.game, opening_of(row)),
        content_type=MEDIA_TYPE,
        charset="utf-8",
        headers=headers,
    )


async def as_ledger(request: web.Request) -> web.Response:
    """The ledger that a game was archived with; 404 if there is none."""
    text = await views.ledger(core(request), int(request.match_info["game"]))
    if text is None:
        raise web.HTTPNotFound
    return web.Response(text=text, content_type="application/json", charset="utf-8")
