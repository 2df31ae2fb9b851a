"""Guesses at the meaning of a text that is not a move in any notation (§ 6.2.2, § 6.8.4).

Letters in the wrong case, as phones write them; a pawn with the B of *bonde*; a promotion in
numbers without its last rank. ``notation`` decides which are played and which are asked about.

NOT for text that is a move as it stands (``shapes``) nor for legality.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import chess

from kskak.board.shapes import (
    ALL_LANGUAGES,
    END,
    LETTERS,
    LINK,
    PROMOTION_OF,
    CastlingShape,
    Language,
    PieceShape,
    Shape,
    hinted,
    is_last_rank,
    lettered,
    may_be_pawn,
    meanings,
    numeric_square,
    undress,
)

# 6762 for f7-f8=R: the last rank left out. Against § 6.2.2, so it is asked about, never played.
_NUMERIC_WITHOUT_RANK = re.compile(r"(?P<start>[1-8][27])(?P<file>[1-8])(?P<end>[1-4])")
# Bc5, Bxc5, Bbxc5, Bxc8D: *bonde*, as pieces are written
_BONDE = re.compile(rf"[Bb](?P<hint>[a-h1-8])?{LINK}(?P<to>[a-h][1-8]){END}")
# e8d, e8=q, e8(s): the piece of a promotion in lower case
_PROMOTING = re.compile(r"(?<=[18=/ (])[qrbndtls]\)?$")


def any_case(text: str, languages: Collection[Language]) -> tuple[PieceShape, ...]:
    """Shapes of a move whose letters may be in the wrong case: sf3, H4, EXD5, e8d (§ 6.2.2).

    They belong to no notation, so another meaning may be just as likely (``every_reading``).
    """
    undressed = undress(text)
    if undressed is None or not any(LETTERS[language] for language in languages):
        return ()
    found = (shape for bare in _cased(undressed[0]) for shape in lettered(bare, languages))
    pieces = (shape for shape in found if isinstance(shape, PieceShape))
    return tuple(dict.fromkeys(one for one in pieces if not undressed[1] or may_be_pawn(one)))


def every_reading(text: str) -> tuple[Shape, ...]:
    """Everything a move in the wrong case can mean, in every language (§ 6.8.4)."""
    undressed = undress(text)
    cased = _cased(undressed[0]) if undressed else ()
    doubtful = (shape for bare in cased for shape in _doubtful(bare, ALL_LANGUAGES))
    # dd4 may be d4 with its letter typed twice, as well as the Danish queen.
    twice = (bare[1:] for bare in cased[:1] if bare[0] == bare[1:2])
    struck = (shape for bare in twice for shape in lettered(bare, ALL_LANGUAGES))
    return tuple(dict.fromkeys((*any_case(text, ALL_LANGUAGES), *doubtful, *struck)))


def _cased(bare: str) -> tuple[str, ...]:
    """The text with its first letter in either case, and so a last letter that may promote."""
    small = bare.lower()
    ends = (small, _PROMOTING.sub(lambda end: end[0].upper(), small))
    return tuple(dict.fromkeys(text for end in ends for text in (end, end[0].upper() + end[1:])))


def doubtful_shapes(text: str, languages: Collection[Language]) -> tuple[Shape, ...]:
    """Shapes outside every notation whose meaning can be guessed: to be asked about, not played.

    The numeric promotion without the last rank (6762), and a pawn with the letter B or b, as in
    *bonde*: FIDE C.4 gives pawns no letter, and in English B is the bishop. Any pawn that can go
    to the square may be meant, by a step or a capture, with or without the capture sign.
    """
    undressed = undress(text)
    return () if undressed is None else _doubtful(undressed[0], languages)


def _doubtful(bare: str, languages: Collection[Language]) -> tuple[Shape, ...]:
    if Language.NUMERIC in languages and (found := _NUMERIC_WITHOUT_RANK.fullmatch(bare)):
        start = numeric_square(found["start"])
        last_rank = 7 if chess.square_rank(start) == 6 else 0
        to_square = chess.square(int(found["file"]) - 1, last_rank)
        end = PROMOTION_OF[found["end"]]
        return (PieceShape(chess.PAWN, chess.BB_SQUARES[start], to_square, end),)
    if bare[0] not in "Bb" or not ({Language.DA, Language.SV} & set(languages)):
        return ()
    pawn = (_as_pawn(shape) for shape in lettered(bare[1:], languages))
    # A lower-case b is played as an English bishop where English is read (``any_case``).
    is_bishop = bare[0] == "B" or Language.EN not in languages
    bishop = lettered("B" + bare[1:], {Language.EN}) if is_bishop else ()
    return (*filter(None, pawn), *_bonde(bare, languages), *bishop)


def _bonde(bare: str, languages: Collection[Language]) -> Iterator[PieceShape]:
    """A pawn written with the B of *bonde*, from wherever it may come."""
    if found := _BONDE.fullmatch(bare):
        to_square = chess.parse_square(found["to"])
        for promotion in meanings(found["end"] or found["end2"], languages):
            if promotion is None or is_last_rank(to_square):
                yield PieceShape(chess.PAWN, hinted(found["hint"]), to_square, promotion)


def _as_pawn(shape: Shape) -> PieceShape | None:
    """The shape with the pawn as its piece, where the text names no other."""
    if isinstance(shape, CastlingShape) or not may_be_pawn(shape):
        return None
    return PieceShape(chess.PAWN, shape.from_mask, shape.to_square, shape.promotion)
