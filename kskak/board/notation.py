"""Reading moves: numbers (§ 6.2.2), and algebraic letters where agreed (§ 6.8.2).

A text is first parsed into shapes (``shapes``: what could be meant); each is tried on the board.
One lawful move: read. Several: ambiguous, to be asked about (§ 6.8.4). None, but the shape of a
move: illegal. No such shape: not understood, which costs nobody days (§ 6.8.6).

Readings chosen here:

* A promotion without its piece is ambiguous, never a queen: § 6.2.2 demands the digit.
* Letter case matters: ``bxc3`` is a pawn, ``Bxc3`` an English bishop. A text whose case fits no
  notation (``sf3``, ``H4``, ``e8d``) is played where exactly one lawful move fits everything it can
  mean in every language; where several do, it is asked about. A text that is a move as it stands,
  but not lawful (``dxe5``), is never played as something else: it is asked about.
* Capture, check, mate and "e.p." signs may be missing or wrong; extra information on the origin
  does no harm. Figurines (♘f3) belong to every language; no letter may name a piece beside them.
* ``B`` is the English bishop where English is among the languages. Pawns have no letter in Danish
  (FIDE C.4), so a ``B`` or ``b`` for *bonde* is never played, but asked about: always when English
  is not among the languages, otherwise when no English reading is lawful.
* Castling is 0-0, 0-0-0 or the king's move of two squares; never "king takes rook". Without the
  dashes (00, OOO) it is read where it is lawful; elsewhere it is not understood, not illegal.
* Numbers may stand in parentheses, whole or each pair: (5254), (52)(54).
* A four-digit promotion without its rank (6762) is asked about.
* Given one language, only that language is read: numbers are not Danish. Moves that need no
  letter (e4, e2-e4, g1f3, 0-0) belong to all three.

NOT for whole lines with several moves, nor for draw offers: "(=)" after a move is ignored here.
python-chess's own text readers are not used on what people write: they take ``--``, ``0000``,
``Z0`` and ``@@@@`` as null moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import assert_never

import chess

from kskak.board.positions import Position, is_lawful, side_to_move
from kskak.board.shapes import (
    ALL_LANGUAGES,
    END,
    KING_ONTO_ROOK,
    LETTERS,
    LINK,
    PROMOTION_OF,
    CastlingShape,
    NotationLanguage,
    PieceShape,
    Shape,
    dashless_castling,
    describe,
    is_last_rank,
    may_be_pawn,
    meanings,
    numeric,
    numeric_square,
    read_letter_shapes,
    read_origin_hint,
    shapes,
    undress,
)
from kskak.regulation.editions import Side

# Guesses at the meaning of a text that is not a move in any notation (§ 6.2.2, § 6.8.4).

# 6762 for f7-f8=R: the last rank left out. Against § 6.2.2, so it is asked about, never played.
_NUMERIC_WITHOUT_RANK = re.compile(r"(?P<start>[1-8][27])(?P<file>[1-8])(?P<end>[1-4])")
# Bc5, Bxc5, Bbxc5, Bxc8D: *bonde*, as pieces are written
_BONDE = re.compile(rf"[Bb](?P<hint>[a-h1-8])?{LINK}(?P<to>[a-h][1-8]){END}")
# e8d, e8=q, e8(s): the piece of a promotion in lower case
_PROMOTING = re.compile(r"(?<=[18=/ (])[qrbndtls]\)?$")


def any_case(text: str, languages: Collection[NotationLanguage]) -> tuple[PieceShape, ...]:
    """Shapes of a move whose letters may be in the wrong case: sf3, H4, EXD5, e8d (§ 6.2.2).

    They belong to no notation, so another meaning may be just as likely (``every_reading``).
    """
    undressed = undress(text)
    if undressed is None or not any(LETTERS[language] for language in languages):
        return ()
    found = (
        shape
        for stripped in _vary_case(undressed[0])
        for shape in read_letter_shapes(stripped, languages)
    )
    pieces = (shape for shape in found if isinstance(shape, PieceShape))
    return tuple(dict.fromkeys(one for one in pieces if not undressed[1] or may_be_pawn(one)))


def every_reading(text: str) -> tuple[Shape, ...]:
    """Everything a move in the wrong case can mean, in every language (§ 6.8.4)."""
    undressed = undress(text)
    cased = _vary_case(undressed[0]) if undressed else ()
    doubtful = (shape for stripped in cased for shape in _doubtful(stripped, ALL_LANGUAGES))
    # dd4 may be d4 with its letter typed twice, as well as the Danish queen.
    twice = (stripped[1:] for stripped in cased[:1] if stripped[0] == stripped[1:2])
    struck = (shape for stripped in twice for shape in read_letter_shapes(stripped, ALL_LANGUAGES))
    return tuple(dict.fromkeys((*any_case(text, ALL_LANGUAGES), *doubtful, *struck)))


def _vary_case(stripped: str) -> tuple[str, ...]:
    """The text with its first letter in either case, and so a last letter that may promote."""
    small = stripped.lower()
    ends = (small, _PROMOTING.sub(lambda end: end[0].upper(), small))
    return tuple(dict.fromkeys(text for end in ends for text in (end, end[0].upper() + end[1:])))


def doubtful_shapes(text: str, languages: Collection[NotationLanguage]) -> tuple[Shape, ...]:
    """Shapes outside every notation whose meaning can be guessed: to be asked about, not played.

    The numeric promotion without the last rank (6762), and a pawn with the letter B or b, as in
    *bonde*: FIDE C.4 gives pawns no letter, and in English B is the bishop. Any pawn that can go
    to the square may be meant, by a step or a capture, with or without the capture sign.
    """
    undressed = undress(text)
    return () if undressed is None else _doubtful(undressed[0], languages)


def _doubtful(stripped: str, languages: Collection[NotationLanguage]) -> tuple[Shape, ...]:
    if NotationLanguage.NUMERIC in languages and (
        found := _NUMERIC_WITHOUT_RANK.fullmatch(stripped)
    ):
        start = numeric_square(found["start"])
        last_rank = 7 if chess.square_rank(start) == 6 else 0
        to_square = chess.square(int(found["file"]) - 1, last_rank)
        end = PROMOTION_OF[found["end"]]
        return (PieceShape(chess.PAWN, chess.BB_SQUARES[start], to_square, end),)
    if stripped[0] not in "Bb" or not ({NotationLanguage.DA, NotationLanguage.SV} & set(languages)):
        return ()
    pawn = (_as_pawn(shape) for shape in read_letter_shapes(stripped[1:], languages))
    # A lower-case b is played as an English bishop where English is read (``any_case``).
    is_bishop = stripped[0] == "B" or NotationLanguage.EN not in languages
    bishop = read_letter_shapes("B" + stripped[1:], {NotationLanguage.EN}) if is_bishop else ()
    return (*filter(None, pawn), *_bonde(stripped, languages), *bishop)


def _bonde(stripped: str, languages: Collection[NotationLanguage]) -> Iterator[PieceShape]:
    """A pawn written with the B of *bonde*, from wherever it may come."""
    if found := _BONDE.fullmatch(stripped):
        to_square = chess.parse_square(found["to"])
        for promotion in meanings(found["end"] or found["end2"], languages):
            if promotion is None or is_last_rank(to_square):
                yield PieceShape(chess.PAWN, read_origin_hint(found["hint"]), to_square, promotion)


def _as_pawn(shape: Shape) -> PieceShape | None:
    """The shape with the pawn as its piece, where the text names no other."""
    if isinstance(shape, CastlingShape) or not may_be_pawn(shape):
        return None
    return PieceShape(chess.PAWN, shape.from_mask, shape.to_square, shape.promotion)


# Reading moves: numbers (§ 6.2.2), and algebraic letters where agreed (§ 6.8.2).


class MoveError(StrEnum):
    """Why a text gave no move. Only ILLEGAL is an invalid move in the sense of § 6.8.6."""

    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"


@dataclass(frozen=True, slots=True)
class MoveRead:
    """A text that means exactly one lawful move."""

    move: chess.Move


@dataclass(frozen=True, slots=True)
class MoveUnread:
    """A text that gave no move.

    ``candidates``: the lawful moves an ambiguous text could mean (just one where the text is in
    no notation but can be guessed), else empty. ``text``: as written.
    """

    error: MoveError
    candidates: tuple[chess.Move, ...]
    text: str


_LEDGER_FORM = re.compile(r"([1-8]{2})([1-8]{2})(?:\(([1-4])\)|([1-4]))?")
_PROMOTIONS = tuple(PROMOTION_OF.values())


def read_move(
    board: chess.Board, text: str, languages: Collection[NotationLanguage] = ALL_LANGUAGES
) -> MoveRead | MoveUnread:
    """The lawful move that a written move means on this board (§ 6.2.2, § 6.8.2, § 6.8.4)."""
    written = shapes(text, languages)
    lawful = _lawful(board, written or dashless_castling(text, languages))
    if len(lawful) == 1:
        return MoveRead(lawful[0])
    if not lawful:
        lawful = _list_doubtful_moves(board, text, languages)
        if len(lawful) == 1 and _is_only_miscased(board, text, languages):
            return MoveRead(lawful[0])
    if lawful:
        return MoveUnread(MoveError.AMBIGUOUS, lawful, text)
    error = MoveError.ILLEGAL if written else MoveError.NOT_UNDERSTOOD
    return MoveUnread(error, (), text)


def _list_doubtful_moves(
    board: chess.Board, text: str, languages: Collection[NotationLanguage]
) -> tuple[chess.Move, ...]:
    """All that a text in no notation, or in the wrong case, can mean; empty if none is lawful."""
    doubtful = doubtful_shapes(text, languages)
    if _lawful(board, doubtful):
        return _lawful(board, (*doubtful, *any_case(text, ALL_LANGUAGES)))
    if _lawful(board, any_case(text, languages)):
        return _lawful(board, every_reading(text))
    return ()


def _is_only_miscased(
    board: chess.Board, text: str, languages: Collection[NotationLanguage]
) -> bool:
    """Whether nothing but the case of its letters keeps a text from being a move."""
    is_doubtful = _lawful(board, doubtful_shapes(text, languages))
    return not is_doubtful and not shapes(text, ALL_LANGUAGES)


def could_be_move(token: str) -> bool:
    """Whether the token could be a move on some board: as it stands, or in another case."""
    return looks_like_move(token) or bool(any_case(token, ALL_LANGUAGES))


def looks_like_move(token: str) -> bool:
    """Whether the token has the shape of a move in any notation, lawful or not (§ 6.2.2).

    A move number and signs may be attached before and after it.
    """
    return bool(shapes(token, ALL_LANGUAGES))


def parse_numeric(text: str) -> chess.Move:
    """The move in a ledger's strict form: 5254, 5758(1) or 57581 (§ 6.2.2), legal or not.

    Raises ValueError for anything else, and for a move from a square to itself.
    """
    found = _LEDGER_FORM.fullmatch(text)
    if found is None or found[1] == found[2]:
        raise ValueError(f"not a numeric move: {text[:20]!r} (write 5254, or 5758(1) to promote)")
    end = found[3] or found[4]
    return chess.Move(
        numeric_square(found[1]), numeric_square(found[2]), PROMOTION_OF[end] if end else None
    )


def _lawful(board: chess.Board, written: Iterable[Shape]) -> tuple[chess.Move, ...]:
    found: dict[chess.Move, None] = {}
    for shape in written:
        match shape:
            case PieceShape():
                found.update(dict.fromkeys(_piece_moves(board, shape)))
            case CastlingShape():
                found.update(dict.fromkeys(_castling_moves(board, shape)))
            case _:
                assert_never(shape)
    return tuple(found)


def _piece_moves(board: chess.Board, shape: PieceShape) -> Iterator[chess.Move]:
    own = board.occupied_co[board.turn]
    if own & chess.BB_SQUARES[shape.to_square]:
        yield from _king_onto_rook(board, shape)
        return
    movers = own & shape.from_mask
    if shape.piece is not None:
        movers &= board.pieces_mask(shape.piece, board.turn)
    for start in chess.scan_forward(movers):
        promotions: tuple[chess.PieceType | None, ...] = (shape.promotion,)
        is_pawn = bool(board.pawns & chess.BB_SQUARES[start])
        if shape.promotion is None and is_pawn and is_last_rank(shape.to_square):
            promotions = _PROMOTIONS
        for promotion in promotions:
            move = chess.Move(start, shape.to_square, promotion)
            if is_lawful(board, move):
                yield move


def _king_onto_rook(board: chess.Board, shape: PieceShape) -> Iterator[chess.Move]:
    """Castling written from the king's square to his rook's, as the king's own move (§ 6.2.2)."""
    start = chess.msb(shape.from_mask)
    name = chess.square_name(start) + chess.square_name(shape.to_square)
    if shape.piece == chess.KING and shape.from_mask.bit_count() == 1 and name in KING_ONTO_ROOK:
        is_kingside = shape.to_square > start
        yield from _castling_moves(board, CastlingShape(is_kingside))


def _castling_moves(board: chess.Board, shape: CastlingShape) -> Iterator[chess.Move]:
    start, to_square = (
        (chess.E1, chess.G1 if shape.kingside else chess.C1)
        if board.turn == chess.WHITE
        else (chess.E8, chess.G8 if shape.kingside else chess.C8)
    )
    move = chess.Move(start, to_square)
    if board.is_castling(move) and is_lawful(board, move):
        yield move


# A game's moves as people write them down: PGN movetext in numbers or letters (§ 6.2.2).

_TAG = re.compile(r"^\s*\[[^\]\n]*\]\s*$", re.MULTILINE)
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
_NUMBER = re.compile(r"(?<!\S)\d{1,3}\s?\.[.\s]*")
_NAG = re.compile(r"\$\d+")
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})


class UnreadMove(ValueError):
    """A move that could not be read; the message names it and what it could mean.

    ``board`` is the position before it, ``found`` the result of reading it.
    """

    def __init__(self, board: chess.Board, found: MoveUnread) -> None:
        self.board, self.found = board, found
        dots = "." if side_to_move(board) is Side.WHITE else "..."
        could_be = " or ".join(numeric(move) for move in found.candidates)
        why = found.error.value.replace("_", " ")
        where = f"{board.fullmove_number}{dots} {found.text[:20]!r}"
        super().__init__(f"{where}: {why}" + (f"; it could be {could_be}" if could_be else ""))


def read_movetext(text: str, fen: str | None) -> tuple[chess.Move, ...]:
    """The moves of a text, played from the start. Raises UnreadMove; ValueError for a bad FEN."""
    position = Position.start(fen)
    moves: list[chess.Move] = []
    for token in _tokens(text):
        board = position.board
        found = read_move(board, token)
        if isinstance(found, MoveUnread):
            raise UnreadMove(board, found)
        moves.append(found.move)
        position = position.after(found.move)
    return tuple(moves)


def _tokens(text: str) -> list[str]:
    for passed_over in (_TAG, _COMMENT, _NAG, _NUMBER):
        text = passed_over.sub(" ", text)
    return [token for token in text.split() if token not in _RESULTS and token.strip("!?")]


# What ``kskak move`` answers: one text read on one position, as a JSON document (§ 6.2.2).

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


MoveReader = Callable[[chess.Board, str, Collection[NotationLanguage]], MoveRead | MoveUnread]
"""Reads one written move on a board, in these languages."""


def answer_move(
    fen: str, text: str, lang: str | None = None, *, read: MoveReader = read_move
) -> dict[str, object]:
    """The move's forms, or ``error`` and ``candidates`` (§ 6.2.2, § 6.8.2).

    ``candidates`` are the lawful moves an ambiguous text could mean, in numbers with parentheses
    (§ 6.2.2), the form nobody can misread; empty for the other errors. ``fen`` may be ``start``;
    ``lang`` None reads all languages. Raises ValueError, with a one-line message, for a bad
    position or language.
    """
    board = parse_position(fen)
    languages = ALL_LANGUAGES if lang is None else (parse_language(lang),)
    reading = read(board, text, languages)
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


def parse_language(lang: str) -> NotationLanguage:
    """The language of ``--lang``. Raises ValueError with one line that lists the known ones."""
    try:
        return NotationLanguage(lang)
    except ValueError as error:
        names = ", ".join(language.value for language in NotationLanguage)
        raise ValueError(f"unknown language {lang[:20]!r}: use one of {names}") from error


# Whether two written moves can be one, and a written one a move that was played.

_PIECES = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


def same_move(one: str, other: str, languages: Collection[NotationLanguage]) -> bool:
    """True if two texts can be the same move in two forms: 4837 and Dc7, 5171 and 0-0."""
    return any(
        _agree(first, second)
        for first in (*shapes(one, languages), *any_case(one, languages))
        for second in (*shapes(other, languages), *any_case(other, languages))
    )


def _agree(one: Shape, other: Shape) -> bool:
    if isinstance(one, CastlingShape) or isinstance(other, CastlingShape):
        return _wing(one) is not None and _wing(one) == _wing(other)
    return (
        one.to_square == other.to_square
        and bool(one.from_mask & other.from_mask)
        and (None in (one.piece, other.piece) or one.piece == other.piece)
        and (None in (one.promotion, other.promotion) or one.promotion == other.promotion)
    )


def _wing(shape: Shape) -> bool | None:
    """The castling side, written as such or as the king's move: True kingside; None if neither."""
    if isinstance(shape, CastlingShape):
        return shape.kingside
    from_king = shape.from_mask in (chess.BB_E1, chess.BB_E8)
    wings = {chess.G1: True, chess.G8: True, chess.C1: False, chess.C8: False}
    return wings.get(shape.to_square) if from_king else None


def could_be(
    text: str, move: chess.Move, san: str, languages: Collection[NotationLanguage]
) -> bool:
    """True if the written move can mean the played one.

    Signs and the origin square are optional; a promotion may omit its piece.
    """
    for shape in (*shapes(text, languages), *any_case(text, languages)):
        match shape:
            case CastlingShape():
                if san.rstrip("+#") == ("O-O" if shape.kingside else "O-O-O"):
                    return True
            case PieceShape():
                letter = san[0]
                piece = chess.KING if letter == "O" else _PIECES.get(letter, chess.PAWN)
                if (
                    shape.to_square == move.to_square
                    and shape.from_mask & chess.BB_SQUARES[move.from_square]
                    and shape.piece in (None, piece)
                    and shape.promotion in (None, move.promotion)
                ):
                    return True
    return False
