"""The shapes a written move can have, in numbers and letters, and writing moves."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import assert_never

import chess


class NotationLanguage(StrEnum):
    """A way to write moves: the piece letters of a language, or numbers (§ 6.2.2)."""

    DA = "da"
    SV = "sv"
    EN = "en"
    NUMERIC = "numeric"


ALL_LANGUAGES: tuple[NotationLanguage, ...] = tuple(NotationLanguage)

_NORDIC = {"K": chess.KING, "D": chess.QUEEN, "T": chess.ROOK, "L": chess.BISHOP, "S": chess.KNIGHT}
_ENGLISH = {
    "K": chess.KING,
    "Q": chess.QUEEN,
    "R": chess.ROOK,
    "B": chess.BISHOP,
    "N": chess.KNIGHT,
}
LETTERS: dict[NotationLanguage, dict[str, chess.PieceType]] = {
    NotationLanguage.DA: _NORDIC,
    NotationLanguage.SV: _NORDIC,
    NotationLanguage.EN: _ENGLISH,
    NotationLanguage.NUMERIC: {},
}
DIGIT_OF: dict[chess.PieceType, str] = {
    chess.QUEEN: "1",
    chess.ROOK: "2",
    chess.BISHOP: "3",
    chess.KNIGHT: "4",
}
PROMOTION_OF: dict[str, chess.PieceType] = {digit: piece for piece, digit in DIGIT_OF.items()}


@dataclass(frozen=True, slots=True)
class PieceShape:
    """A piece (None: whichever is there) moving from one of a set of squares to one square."""

    piece: chess.PieceType | None
    from_mask: chess.Bitboard
    to_square: chess.Square
    promotion: chess.PieceType | None = None


@dataclass(frozen=True, slots=True)
class CastlingShape:
    """0-0 or 0-0-0."""

    kingside: bool


Shape = PieceShape | CastlingShape

KING_ONTO_ROOK = frozenset({"e1h1", "e1a1", "e8h8", "e8a8"})
"""How chess programs and other sites write castling, too; in numbers it stays the king's own move
(§ 6.2.2)."""

# No move with number, signs and words is longer; nothing longer reaches a regular expression.
_LONGEST = 40
# Nearly all moves are this short; their meanings are cached.
_USUAL = 8

# What phones and word processors make of "-", " ", "..." and "x". Everything else beyond ASCII
# (Cyrillic or full-width look-alikes, invisible characters) is refused, not guessed at.
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\t\u00a0\u202f", " ")
    | {"\u2026": "...", "\u00d7": "x"}
)

# "12. ", "12... ", "12.-, ", "12. ... ", "... ", and PGN's "12 " before a letter.
_NUMBER = r"(?:\d{1,3} ?\.{1,3} ?(?:(?:-{1,3}|\.{2,3}) ?,? ?)?|\.{2,3} ?|\d{1,3} (?=[A-Za-z]))?"
# Check, mate, praise, blame and "=" say nothing about the move, so they may also be wrong. One
# character at a time: "++" beside "+" would let a run of them be split in countless ways.
_SIGNS = (
    r"(?: ?(?:[+#!?=]|\(=\))"
    r"| (?:med )?(?:mate|matt|mat|skak|schack|check))*"
)
_DRESSED = re.compile(rf"{_NUMBER}(?P<bare>.+?)(?P<ep> ?e\. ?p\.?| ?ep)?{_SIGNS}[.,;]?")

# 5254, 52-54, 52 54, (52)(54), 57581, 5758(1)
_NUMERIC = re.compile(
    r"(?P<start>[1-8]{2}|\([1-8]{2}\))(?: ?[-x:] ?| )?(?P<to>[1-8]{2}|\([1-8]{2}\))"
    r"(?: ?\((?P<end>[1-4])\)|(?P<bare>[1-4]))?"
)
# 0-0, O-O-O, o-o; 0-0/0-0-0: castling to whichever side
_CASTLING = re.compile(r"[0Oo] ?- ?[0Oo](?:(?P<queenside> ?- ?[0Oo])|(?P<either>/0-0-0))?")
# 00, OOO: castling without its dashes, or something else altogether
_DASHLESS = re.compile(r"[0Oo]{2}(?P<queenside>[0Oo])?")
# e7e8q: the only place where a lower-case letter names a piece
_UCI_PROMOTION = re.compile(r"(?P<start>[a-h][1-8])(?P<to>[a-h][18])(?P<end>[qrbn])")

LINK = r"(?: ?[-x:] ?)?"
END = r"(?: ?[=/]? ?(?:(?P<end>[QRBNDTLS])|\((?P<end2>[QRBNDTLS])\)))?"
# Sg1-f3, Sg1f3, e2-e4, e2e4, e7xd8(D)
_LONG = re.compile(rf"(?P<piece>[KQRBNDTLS])?(?P<start>[a-h][1-8]){LINK}(?P<to>[a-h][1-8]){END}")
# Sf3, Sgf3, S1xf3
_SHORT = re.compile(rf"(?P<piece>[KQRBNDTLS])(?P<hint>[a-h1-8])?{LINK}(?P<to>[a-h][1-8])")
# e4, exd5, ed5, e8D, exd8=D
_PAWN = re.compile(rf"(?:(?P<start>[a-h])[x:]?)?(?P<to>[a-h][1-8]){END}")

# Figurines are letters of every language at once; the colour they are drawn in says nothing. A
# phone may append a variation selector. A pawn drawn before its square is ignored.
_FIGURINES = dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", strict=True))
_FIGURINE = re.compile("([♔-♘♚-♞])[\ufe0e\ufe0f]?|[♙♟][\ufe0e\ufe0f]?(?=[x:]?[a-h])")
# of ♙xd5: any pawn that takes there
_PAWN_TAKES = re.compile("[x:](?P<to>(?P<file>[a-h])[1-8].*)")


def undress(text: str) -> tuple[str, bool] | None:
    """The move without number and signs, and whether "e.p." followed it; None: not a move."""
    text = text.translate(_TYPOGRAPHY).strip(" \r\n")
    if len(text) > _LONGEST or not text.isascii() or not text.isprintable():
        return None
    found = _DRESSED.fullmatch(" ".join(text.split()))
    return (found["bare"], found["ep"] is not None) if found else None


def shapes(text: str, languages: Collection[NotationLanguage]) -> tuple[Shape, ...]:
    """Every shape the text has in these languages (§ 6.2.2, § 6.8.2); none: not a move."""
    if len(text) <= _USUAL:  # most moves have been written before, in some game
        return _usual_shapes(text, frozenset(languages))
    return _shapes(text, languages)


@lru_cache(maxsize=1024)
def _usual_shapes(text: str, languages: frozenset[NotationLanguage]) -> tuple[Shape, ...]:
    return _shapes(text, languages)


def _shapes(text: str, languages: Collection[NotationLanguage]) -> tuple[Shape, ...]:
    if len(text) <= _LONGEST and _FIGURINE.search(text):
        return _with_figurines(text, languages)
    undressed = undress(text)
    if undressed is None:
        return ()
    stripped, en_passant = undressed
    found = _numeric(stripped) if NotationLanguage.NUMERIC in languages else ()
    if not found and any(LETTERS[language] for language in languages):
        found = tuple(dict.fromkeys(read_letter_shapes(stripped, languages)))
    if en_passant:
        found = tuple(shape for shape in found if may_be_pawn(shape))
    return found


def _with_figurines(text: str, languages: Collection[NotationLanguage]) -> tuple[Shape, ...]:
    """♘f3, e8♕: pieces as figurines, with no piece letter beside them (§ 6.8.2)."""
    is_mixed = any(letter.isupper() for letter in text)
    if is_mixed or not any(LETTERS[language] for language in languages):
        return ()
    english = _FIGURINE.sub(lambda found: _FIGURINES.get(found[1], ""), text)
    if (takes := _PAWN_TAKES.fullmatch(english)) is None:
        return _shapes(english, (NotationLanguage.EN,))
    files = (chr(ord(takes["file"]) + side) for side in (-1, 1))
    found = (_shapes(f"{file}x{takes['to']}", (NotationLanguage.EN,)) for file in files)
    return tuple(chain.from_iterable(found))


def dashless_castling(
    text: str, languages: Collection[NotationLanguage]
) -> tuple[CastlingShape, ...]:
    """Castling as 00 or OOO: read where it is lawful, elsewhere not a move at all (§ 6.8.6)."""
    undressed = undress(text)
    if undressed is None or not any(LETTERS[language] for language in languages):
        return ()
    found = _DASHLESS.fullmatch(undressed[0])
    return () if found is None else (CastlingShape(kingside=found["queenside"] is None),)


def numeric_square(digits: str) -> chess.Square:
    """The square of two digits, file then rank, both 1-8 (§ 6.2.2)."""
    return chess.square(int(digits[0]) - 1, int(digits[1]) - 1)


def _numeric(stripped: str) -> tuple[Shape, ...]:
    """§ 6.2.2: from, to, and for a promotion the piece's digit."""
    found = _NUMERIC.fullmatch(stripped)
    if found is None and stripped[0] == "(" and stripped[-1] == ")":  # (5254), (5758(1))
        found = _NUMERIC.fullmatch(stripped[1:-1])
    if found is None:
        return ()
    end = found["end"] or found["bare"]
    start, to_square = (numeric_square(found[name].strip("()")) for name in ("start", "to"))
    return tuple(_shape_from_square(None, start, to_square, PROMOTION_OF[end] if end else None))


def read_letter_shapes(stripped: str, languages: Collection[NotationLanguage]) -> Iterator[Shape]:
    """Algebraic shapes, short and long, for each language's meaning of the letters."""
    if found := _CASTLING.fullmatch(stripped):
        wings = (True, False) if found["either"] else (found["queenside"] is None,)
        yield from map(CastlingShape, wings)
    elif found := _UCI_PROMOTION.fullmatch(stripped):
        promoted = _ENGLISH[found["end"].upper()] if NotationLanguage.EN in languages else None
        yield from _long(found["start"], found["to"], None, promoted) if promoted else ()
    elif found := _LONG.fullmatch(stripped):
        letter, end = found["piece"], found["end"] or found["end2"]
        for piece in meanings(letter, languages):
            for promotion in meanings(end, languages):
                yield from _long(found["start"], found["to"], piece, promotion)
    elif found := _SHORT.fullmatch(stripped):
        for piece in meanings(found["piece"], languages):
            yield PieceShape(
                piece, read_origin_hint(found["hint"]), chess.parse_square(found["to"])
            )
    elif found := _PAWN.fullmatch(stripped):
        for promotion in meanings(found["end"] or found["end2"], languages):
            yield from _pawn(found["start"], chess.parse_square(found["to"]), promotion)


def meanings(
    letter: str | None, languages: Collection[NotationLanguage]
) -> set[chess.PieceType | None]:
    """The pieces a letter names in these languages; without a letter only None."""
    if letter is None:
        return {None}
    return {LETTERS[language][letter] for language in languages if letter in LETTERS[language]}


def _long(
    start: str, to: str, piece: chess.PieceType | None, promotion: chess.PieceType | None
) -> Iterator[Shape]:
    squares = chess.parse_square(start), chess.parse_square(to)
    yield from _shape_from_square(piece, *squares, promotion)
    if piece is None and start + to in KING_ONTO_ROOK:
        yield from _shape_from_square(chess.KING, *squares, promotion)


def _shape_from_square(
    piece: chess.PieceType | None,
    start: chess.Square,
    to_square: chess.Square,
    promotion: chess.PieceType | None,
) -> Iterator[Shape]:
    """A move from a known square, unless no piece at all could move that way."""
    if start == to_square or (promotion and (piece or not is_last_rank(to_square))):
        return
    yield PieceShape(piece, chess.BB_SQUARES[start], to_square, promotion)


def _pawn(
    start: str | None, to_square: chess.Square, promotion: chess.PieceType | None
) -> Iterator[Shape]:
    """A pawn's step (no file before the square) or its capture from a neighbouring file."""
    file = chess.square_file(to_square)
    if start is not None:
        start_file = chess.FILE_NAMES.index(start)
        if abs(start_file - file) != 1:
            return
        file = start_file
    if promotion is None or is_last_rank(to_square):
        yield PieceShape(chess.PAWN, chess.BB_FILES[file], to_square, promotion)


def read_origin_hint(hint: str | None) -> chess.Bitboard:
    """The origin squares that a file or rank before the target square leaves open."""
    if hint is None:
        return chess.BB_ALL
    if hint in chess.FILE_NAMES:
        return chess.BB_FILES[chess.FILE_NAMES.index(hint)]
    return chess.BB_RANKS[int(hint) - 1]


def is_last_rank(square: chess.Square) -> bool:
    """Whether pawns promote on the square."""
    return chess.square_rank(square) in (0, 7)


def may_be_pawn(shape: Shape) -> bool:
    """Whether the text names no piece other than a pawn."""
    return isinstance(shape, PieceShape) and shape.piece in (None, chess.PAWN)


# Writing moves: numbers (§ 6.2.2) and algebraic, in English, Danish and Swedish letters.

# Danish and Swedish piece letters are the same; castling is written with zeros, and the promoted
# piece follows the square without a sign: e8D (FIDE C.2, C.11, C.13).
_NORDIC_LETTERS = str.maketrans("QRBNO", "DTLS0", "=")
_DIGITS = tuple(f"{chess.square_file(at) + 1}{chess.square_rank(at) + 1}" for at in chess.SQUARES)
_FIGURINE_LETTERS = str.maketrans("KQRBN", "♔♕♖♗♘")


class MoveNotation(StrEnum):
    """A way to write a move for a reader (§ 6.2.2, § 6.8.2).

    ``LETTERS`` are those of the reader's language; ``LONG`` has both squares, in the same letters.
    """

    LETTERS = "letters"
    DANISH = "danish"
    ENGLISH = "english"
    FIGURINES = "figurines"
    LONG = "long"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class MoveForms:
    """One move in every form that ``kskak move`` prints; ``fen`` is the position after it."""

    uci: str
    numeric: str
    san: str
    danish: str
    long: str
    fen: str


def numeric(move: chess.Move) -> str:
    """Four digits, from and to; a promotion adds its piece in parentheses (§ 6.2.2)."""
    digits = _DIGITS[move.from_square] + _DIGITS[move.to_square]
    return f"{digits}({DIGIT_OF[move.promotion]})" if move.promotion else digits


def danish(board: chess.Board, move: chess.Move) -> str:
    """Short algebraic in Danish letters: Sf3, 0-0, exd8D+ (§ 6.8.2)."""
    return in_danish(board.san(move))


def in_danish(text: str) -> str:
    """A move given in English short algebraic, in Danish letters (§ 6.8.2)."""
    return text.translate(_NORDIC_LETTERS)


def write_for_reader(english: str, digits: str, writing: MoveNotation, lang: str) -> str:
    """A move as a reader of ``lang`` wants it, from its English and numeric forms."""
    match writing:
        case MoveNotation.LETTERS:
            return in_letters_of(lang, english)
        case MoveNotation.DANISH:
            return in_danish(english)
        case MoveNotation.ENGLISH:
            return english
        case MoveNotation.FIGURINES:
            return in_letters_of(lang, english.translate(_FIGURINE_LETTERS))
        case MoveNotation.LONG:
            return in_letters_of(lang, _lengthen_move(english, digits))
        case MoveNotation.NUMERIC:
            return digits
        case _:
            assert_never(writing)


def in_letters_of(lang: str, english: str) -> str:
    """A move of English letters in those of a language: K D T L S for all but English."""
    return english if lang == NotationLanguage.EN else in_danish(english)


def _lengthen_move(english: str, digits: str) -> str:
    """Nbxd7+ with 2647 is Nb6xd7+; castling stays as it is."""
    if english[0] == "O":
        return english
    squares = [f"{'abcdefgh'[int(digits[at]) - 1]}{digits[at + 1]}" for at in (0, 2)]
    piece = english[0] if english[0].isupper() else ""
    tail = english[english.rindex(squares[1]) + 2 :]
    return f"{piece}{squares[0]}{'x' if 'x' in english else '-'}{squares[1]}{tail}"


def describe(board: chess.Board, move: chess.Move) -> MoveForms:
    """Every form of a lawful move; the board is left as it was."""
    after = board.copy(stack=False)
    after.push(move)
    return MoveForms(
        uci=move.uci(),
        numeric=numeric(move),
        san=board.san(move),
        danish=danish(board, move),
        long=board.lan(move),
        fen=after.fen(),
    )
