"""The archive's public pages: games by names, years, opening and position; a tournament; a game.

Works without script: the board steps by links. Not for the server's own games (gamepage.py).
"""

from dataclasses import dataclass

import chess
from aiohttp import web

from kskak.past import PastGame, unpacked
from kskak.past_index import INDEXED_PLIES
from kskak.past_pgn import past_pgn
from kskak.quantities import Side
from mail.facts import MoveText, move_texts
from server.store.archive import PastRow
from server.store.archive_positions import COMMON
from server.usecases.history import looking
from server.usecases.history.asking import understood
from server.usecases.history.entries import opening_of
from server.web.archiveasking import after_of, mark_text, query_of
from server.web.archivetree import lines, total
from server.web.archivewords import ArchiveWords
from server.web.board import picture
from server.web.context import core, words
from server.web.openingline import line_of
from server.web.pages import page


@dataclass(frozen=True, slots=True)
class Step:
    """A half-move on the score sheet; ``ply`` counts from 1."""

    ply: int
    move: MoveText


@dataclass(frozen=True, slots=True)
class Pair:
    """A full move; either half may be missing at an end of the game."""

    number: int
    white: Step | None
    black: Step | None


def archive_words(request: web.Request) -> ArchiveWords:
    """The reader's language, as the archive speaks it."""
    return ArchiveWords(words(request).words)


async def listed(request: web.Request) -> web.Response:
    """Search and list."""
    query, after = query_of(request), after_of(request)
    asked = understood(query.asked)
    found = await looking.search(
        core(request), asked.wanted, after, is_oldest_first=query.is_oldest_first
    )
    tree = found.branches
    return page(
        request,
        "archive.html",
        a=archive_words(request),
        found=found,
        query=query,
        asked=asked,
        is_first=after is None,
        older=None if found.after is None else query.address(found.after),
        board=None if asked.board is None else picture(asked.board, Side.WHITE),
        total=None if tree is None else total(tree),
        lines=() if tree is None or asked.board is None else lines(query, asked.board, tree),
        plies_kept=INDEXED_PLIES,
        common=COMMON,
    )


async def tournament(request: web.Request) -> web.Response:
    """A tournament with its final tables and games."""
    found = await looking.event(core(request), int(request.match_info["event"]), after_of(request))
    if found is None:
        raise web.HTTPNotFound
    older = None if found.after is None else f"?after={mark_text(found.after)}"
    return page(
        request,
        "archive_event.html",
        a=archive_words(request),
        found=found,
        is_first=after_of(request) is None,
        older=older,
    )


async def _found(request: web.Request) -> PastRow:
    found = await looking.game(core(request), int(request.match_info["game"]))
    if found is None:
        raise web.HTTPNotFound
    return found


async def game(request: web.Request) -> web.Response:
    """A game: the board after a half-move, the last one where none is named, and the moves."""
    row = await _found(request)
    if row.own_id is not None:
        raise web.HTTPFound(f"/games/{row.own_id}")
    moves = unpacked(row.game.moves)
    asked = request.query.get("ply", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    ply = min(int(asked), len(moves)) if is_number else len(moves)
    board = _start(row.game)
    texts = move_texts(board, moves)
    for move in moves[:ply]:
        board.push(move)
    return page(
        request,
        "archive_game.html",
        a=archive_words(request),
        row=row,
        ply=ply,
        last=len(moves),
        opening_line=line_of(request, opening_of(row), board, ply),
        pairs=_pairs(texts),
        board=picture(board, Side.WHITE, moves[ply - 1] if ply else None),
    )


def _start(played: PastGame) -> chess.Board:
    return chess.Board() if played.fen is None else chess.Board(played.fen)


def _pairs(texts: tuple[MoveText, ...]) -> tuple[Pair, ...]:
    """The score sheet, a line a full move."""
    lines: list[Pair] = []
    for ply, text in enumerate(texts, 1):
        step = Step(ply, text)
        if text.by is Side.WHITE or not lines:
            is_white = text.by is Side.WHITE
            lines.append(Pair(text.number, step if is_white else None, None if is_white else step))
        else:
            lines[-1] = Pair(lines[-1].number, lines[-1].white, step)
    return tuple(lines)


async def as_pgn(request: web.Request) -> web.Response:
    """A game as PGN."""
    row = await _found(request)
    headers = {"Content-Disposition": f'attachment; filename="arkiv-{row.id}.pgn"'}
    return web.Response(
        text=past_pgn(row.game, opening_of(row)),
        content_type="application/x-chess-pgn",
        charset="utf-8",
        headers=headers,
    )


async def as_ledger(request: web.Request) -> web.Response:
    """The account that a game came with; 404 where there is none."""
    text = await looking.ledger(core(request), int(request.match_info["game"]))
    if text is None:
        raise web.HTTPNotFound
    return web.Response(text=text, content_type="application/json", charset="utf-8")
