"""The archive's public pages: games found by player, year and tournament, a tournament, a game.

Works without script: the board steps by links. Not for the server's own games (gamepage.py).
"""

import re
from dataclasses import dataclass

import chess
from aiohttp import web

from kskak.past import PastGame, unpacked
from kskak.past_pgn import past_pgn
from kskak.quantities import Side
from mail.facts import MoveText
from server.store.archive import Mark, PastRow, Wanted
from server.usecases.history import looking
from server.web.archivewords import ArchiveWords, address, mark_text
from server.web.board import picture
from server.web.context import core, one_look, words
from server.web.pages import page
from server.web.score import texts_of

LONGEST = 80
_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")
_YEAR = re.compile(r"[12]\d{3}")
_NUMBER = re.compile(r"\d{1,18}")


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


def _after(request: web.Request) -> Mark | None:
    found = _MARK.fullmatch(request.query.get("after", ""))
    return None if found is None else (found[1], int(found[2]))


def _wanted(request: web.Request) -> Wanted:
    asked = request.query
    year, person = asked.get("year", "").strip(), asked.get("person", "")
    return Wanted(
        player=" ".join(asked.get("player", "")[:LONGEST].split()),
        year=int(year) if year.isascii() and _YEAR.fullmatch(year) else None,
        event=" ".join(asked.get("event", "")[:LONGEST].split()),
        person_id=int(person) if person.isascii() and _NUMBER.fullmatch(person) else None,
    )


@one_look
async def listed(request: web.Request) -> web.Response:
    """Search and list."""
    found = await looking.search(core(request), _wanted(request), _after(request))
    return page(
        request,
        "archive.html",
        a=archive_words(request),
        found=found,
        is_first=_after(request) is None,
        address=address,
        older=None if found.after is None else address(found.wanted, found.after),
    )


@one_look
async def tournament(request: web.Request) -> web.Response:
    """A tournament with its final tables and games."""
    found = await looking.event(core(request), int(request.match_info["event"]), _after(request))
    if found is None:
        raise web.HTTPNotFound
    older = None if found.after is None else f"?after={mark_text(found.after)}"
    return page(
        request,
        "archive_event.html",
        a=archive_words(request),
        found=found,
        address=address,
        is_first=_after(request) is None,
        older=older,
    )


async def _found(request: web.Request) -> PastRow:
    found = await looking.game(core(request), int(request.match_info["game"]))
    if found is None:
        raise web.HTTPNotFound
    return found


@one_look
async def game(request: web.Request) -> web.Response:
    """A game: the board after a half-move, the last one where none is named, and the moves."""
    row = await _found(request)
    moves = unpacked(row.game.moves)
    asked = request.query.get("ply", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    ply = min(int(asked), len(moves)) if is_number else len(moves)
    board = _start(row.game)
    texts = texts_of(row.game.fen, moves)
    for move in moves[:ply]:
        board.push(move)
    return page(
        request,
        "archive_game.html",
        a=archive_words(request),
        row=row,
        ply=ply,
        last=len(moves),
        address=address,
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
        text=past_pgn(row.game),
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
