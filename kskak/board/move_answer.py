"""What ``kskak move`` answers: one text read on one position, as a JSON document (§ 6.2.2).

NOT the command line itself, and not a move in a game: nothing is played here.
"""

from __future__ import annotations

from dataclasses import asdict

import chess

from kskak.board.notation import ALL_LANGUAGES, Language, MoveRead, describe, numeric, read_move

# Longer than any honest FEN; a counter of thousands of digits is not worth parsing.
_LONGEST_FEN = 120

# Faults that leave no meaningful lawful moves. Piece counts and castling flags that could never
# arise in play do no harm: people set up studies and fragments.
_UNPLAYABLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_INVALID_EP_SQUARE
)


def answer_move(fen: str, text: str, lang: str | None = None) -> dict[str, object]:
    """The move's forms, or ``error`` and ``candidates`` (§ 6.2.2, § 6.8.2).

    ``candidates`` are the lawful moves an ambiguous text could mean, in numbers with parentheses
    (§ 6.2.2), the form nobody can misread; empty for the other errors. ``fen`` may be ``start``;
    ``lang`` None reads all languages. Raises ValueError, with a one-line message, for a bad
    position or language.
    """
    board = parse_position(fen)
    languages = ALL_LANGUAGES if lang is None else (parse_language(lang),)
    reading = read_move(board, text, languages)
    if isinstance(reading, MoveRead):
        return asdict(describe(board, reading.move))
    return {
        "error": reading.error.value,
        "candidates": [numeric(move) for move in reading.candidates],
    }


def parse_position(fen: str) -> chess.Board:
    """The position of a FEN, or the initial one for ``start``. Raises ValueError with one line."""
    if fen.strip() == "start":
        return chess.Board()
    if len(fen) > _LONGEST_FEN:
        raise ValueError(f"FEN is longer than {_LONGEST_FEN} characters: give one position")
    try:
        board = chess.Board(fen)
    except ValueError as error:
        fault = str(error).splitlines()[0]
        raise ValueError(f"FEN is not a position: {fault} (write a FEN, or: start)") from error
    faults = board.status() & _UNPLAYABLE
    if faults:
        names = ", ".join(
            (flag.name or "").lower().replace("_", " ") for flag in chess.Status(faults)
        )
        raise ValueError(f"FEN is not a playable position: {names}")
    return board


def parse_language(lang: str) -> Language:
    """The language of ``--lang``. Raises ValueError with one line that lists the known ones."""
    try:
        return Language(lang)
    except ValueError as error:
        names = ", ".join(language.value for language in Language)
        raise ValueError(f"unknown language {lang[:20]!r}: use one of {names}") from error
