"""The archive's public pages: games found by player, year and tournament, a tournament, a game.

Works without script: the board steps by links. Not for the server's own games (gamepage.py).
"""

import re

import chess
from aiohttp import web

from kskak.past import PastGame, unpacked
from kskak.past_pgn import past_pgn
from kskak.quantities import Side
from mail.facts import move_texts
from server.store.archive import Mark, PastRow, Wanted
from server.usecases.history import looking
from server.web.archivewords import ArchiveWords, address, mark_text
from server.web.context import core, words
from server.web.pages import page
from server.web.score import Step
from server.web.stepping import Stepping, asked_ply, script_words

LONGEST = 80
_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")
_YEAR = re.compile(r"[12]\d{3}")
_NUMBER = re.compile(r"\d{1,18}")


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


async def found_game(request: web.Request) -> PastRow:
    """The game of the address; 404 where there is none."""
    found = await looking.game(core(request), int(request.match_info["game"]))
    if found is None:
        raise web.HTTPNotFound
    return found


async def game(request: web.Request) -> web.Response:
    """A game: the board after a half-move, the last one where none is named, and the moves."""
    row = await found_game(request)
    played = row.game
    start, moves = start_of(played), unpacked(played.moves)
    is_flipped = request.query.get("flip") == "1"
    shown = Stepping(
        key=f"archive-{row.id}",
        base="",
        names=(played.white.name, played.black.name),
        start=start,
        moves=moves,
        listed=tuple(Step(ply, text) for ply, text in enumerate(move_texts(start, moves), 1)),
        ply=asked_ply(request, len(moves)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=(("flip", "1"),) if is_flipped else (),
    )
    return page(
        request,
        "archive_game.html",
        a=archive_words(request),
        row=row,
        address=address,
        shown=shown,
        board=shown.picture(),
        script_words=script_words(words(request).words),
    )


def start_of(played: PastGame) -> chess.Board:
    """The position that a past game began with."""
    return chess.Board() if played.fen is None else chess.Board(played.fen)


async def as_pgn(request: web.Request) -> web.Response:
    """A game as PGN."""
    row = await found_game(request)
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
