"""A finished game's ledger (kskak-ledger/1) as an archive game with its full account.

Not for running games: those are taken over (usecases/starts/takeover.py).
"""

import json
from datetime import date
from pathlib import Path

import chess

from kskak.archive.past_game import PastGame, PastPlayer, packed
from kskak.archive.pgn_in import LONGEST_NAME, PgnFault
from kskak.board import fen_and_san
from kskak.board.moves import Position
from kskak.ledger.ledger_in import Ledger, read_ledger
from kskak.statement.account import account
from server.usecases.archive.games_in import Found
from server.usecases.archive.reading import ReadGame
from server.usecases.register.cells import line_text
from server.usecases.register.report import Slip


def read_file(path: Path, today: date) -> Found:
    """The game in a file, or what is wrong with it."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        document = json.loads(text)
        ledger = read_ledger(document)
        game = _game(ledger, today)
    except OSError as error:
        return _refused(path, Slip("unreadable", value=error.strerror or ""))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        return _refused(path, Slip("not_json", value=str(error)[:120]))
    except ValueError as error:
        return _refused(path, Slip("ledger", value=str(error)[:200]))
    if isinstance(game, Slip):
        return _refused(path, game)
    kept = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    read = ReadGame(1, 1, game, None, ledger.terms.game)
    return Found(read, path.name, kept, is_ledger=True)


def _start(fen: str | None) -> str | None:
    """A starting position as PGN games give it: None for the usual one."""
    board = Position.start(fen).board
    return None if board.fen() == chess.STARTING_FEN else fen_and_san.fen(board)


def _refused(path: Path, slip: Slip) -> Found:
    return Found(ReadGame(1, 1, None, slip, ""), path.name, is_ledger=True)


def _game(ledger: Ledger, today: date) -> PastGame | Slip:
    """The game in a ledger, or why not. Raises ValueError when its entries don't fit together."""
    terms = ledger.terms
    told = account(terms, ledger.events)
    result = told.state.result
    if result is None:
        return Slip(PgnFault.RUNNING.value)
    if terms.start > today:
        return Slip(PgnFault.DAY.value, value=terms.start.isoformat())
    white, black, name = (line_text(text) for text in (terms.white, terms.black, terms.game))
    long = next((text for text in (white, black, name) if len(text) > LONGEST_NAME), None)
    if long is not None:
        return Slip(PgnFault.LONG.value, value=f"{long[:20]}…", hint=str(LONGEST_NAME))
    empty = next((s for s, text in (("White", white), ("Black", black)) if not text), None)
    if empty is not None:
        return Slip(PgnFault.PLAYER.value, value=empty)
    return PastGame(
        event=name.rpartition("/")[0] or name,
        day=terms.start.isoformat(),
        white=PastPlayer(white),
        black=PastPlayer(black),
        result=result,
        moves=packed(row.move for row in told.rows),
        fen=_start(terms.fen),
    )
