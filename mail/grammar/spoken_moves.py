"""Moves as people say them: in words, in quotes, with blanks inside; and what a sentence may mean.

A move in words is written in signs before it is read, with a figurine for its piece, which belongs
to every language, and a `~` at its head: it is assembled here, so an illegal one may be our
misreading and costs nothing (§ 6.8.6). What is no move even so is guessed at by the squares and
pieces that it names: asked about, never played. Pure. NOT for lines of signs (`move_lines`).
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

import chess

from kskak.board.shapes import PROMOTION_OF, numeric_square
from mail.grammar.keyword_lines import join_patterns

_FIGURES: Final = dict(zip("kqrbnp", "♔♕♖♗♘♙", strict=True))
_OF_LETTER: Final = {letter: join_patterns(f"piece_{letter}") for letter in _FIGURES}
_PIECE: Final = "|".join(_OF_LETTER.values())
_BY: Final = rf"(?:(?:{join_patterns('goes')}) +)*"
_TAKES_WORDS: Final = join_patterns("takes")
_TAKES: Final = rf"(?: +(?:{_TAKES_WORDS}) +{_BY}| +[x:*] *|x +|\*)"
"""Never a bare x: what is written in signs stays as it is."""
_SHORT: Final = join_patterns("castles_short")
_LONG: Final = join_patterns("castles_long")
_word = partial(re.compile, flags=re.IGNORECASE)

_FIGURE_OF = {_FIGURES[letter]: _word(names) for letter, names in _OF_LETTER.items()}
_NAMED_PIECE = _word(rf"(?<!\w)({_PIECE})(?:s|ne|erne)?(?!\w)")
_CASTLES = _word(rf"(?<!\w)(?:{join_patterns('castles')})(?!\w)")
_ASIDE = rf"(?:{join_patterns('says_i')}|{_SHORT}|{_LONG})"
_CASTLING = _word(
    rf"(?<!\w)(?:{_ASIDE} +)*(?:{join_patterns('castles')})(?!\w)(?: *\(?{_ASIDE}\)?(?!\w))*"
)
_IS_SHORT, _IS_LONG = _word(rf"\b(?:{_SHORT})\b"), _word(rf"\b(?:{_LONG})\b")
_SPOKEN = _word(
    rf"(?<![\w♔-♟])(?:(?P<file>[a-h])[ -]?)?(?P<piece>{_PIECE})\.? +{_BY}"
    rf"(?:(?P<from>[a-h][1-8])(?: ?[-–] ?| +))?{_BY}(?P<takes>(?:{_TAKES_WORDS}|[x:*]) *{_BY})?"
    rf"(?:(?:{_PIECE}) +{_BY})?(?P<to>[a-h][1-8])(?!\w)"
)
_WORDY = re.compile(r"[^\W\d_]{2}|[(=♔-♟]")
"""A line of numbers and single letters names no piece."""
_TAKING = _word(
    rf"(?<!\w)(?P<from>[KQRBNDTLS]?[a-h][1-8]|[a-h]|[KQRBNDTLS]){_TAKES}"
    rf"(?:(?:{_PIECE}) +{_BY})?(?P<to>[a-h][1-8])(?!\w)"
)
_GOING = _word(
    rf"(?<!\w)(?:(?:fra|from|från) +)?(?P<from>[KQRBNDTLS]?[a-h][1-8])"
    rf"(?: +(?:{join_patterns('goes')}) +| *[-=]+> *| *→ *|[/.](?=[a-h][1-8]))"
    r"(?P<to>[a-h][1-8])(?!\w)"
)
_PROMOTING = _word(
    rf"(?P<to>(?:[a-h][18]|[1-8]{{2}}[1-8][18])) *[,=(]? *(?:(?:{join_patterns('promotes')}) +)*"
    rf"(?P<piece>{_PIECE})\)?(?!\w)"
)
_APART = _word(
    r"(?P<no>\d{1,3}(?:\.{1,3}|\)) ?)?(?P<piece>[KQRBNDTLS]?)[ -]?(?P<f>[a-h])[ -]?(?P<r>[1-8])"
)
_LETTER_APART = re.compile(r"(?<!\w)([KQRBNDTLS]) (?=[a-h][1-8](?!\w))")
_NUMBER_APART = re.compile(r"^(\d{1,3}) ?[-/] ?(?=[KQRBNDTLSa-hO♔-♟])")
_TAKEN = _word(rf"(?<!\w)(?:{_TAKES_WORDS})(?!\w)")
_EN_PASSANT = _word(r"(?<=[a-h][1-8]) en ?passant\b")

_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Full-width letters, as programs of the East write them."""
_SIGNS = str.maketrans(
    _WIDE
    | dict.fromkeys("“”„‟‘’‚‛`´»«›‹\u00ad")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\t\u00a0\u202f\u3000", " ")
    | {"\u2026": "...", "\u00d7": "x"}
)
_WRAPPED = re.compile(r"(?<!\S)(?:\[(?P<a>[^\s\[\]]+)\]|<(?P<b>[^\s<>]+)>|\{(?P<c>[^\s{}]+)\}|"
                      r"['\"](?P<d>[^\s'\"]+)['\"])(?=[\s.,]|$)")  # fmt: skip


_FILES: Final = (
    "Anna|Bodil|Bella|Cecilie|Cesar|Cæsar|Dora|David|Erik|Eva|Frederik|Felix|Gustav|Henrik|Hector"
)
_RANKS: Final = (
    "et|eins|one", "to|zwei|two", "tre|drei|three", "fire|vier|four", "fem|fünf|five",
    "seks|sechs|six", "syv|sieben|seven", "otte|acht|eight",
)  # fmt: skip
_NAMED_SQUARE = _word(
    rf"(?<!\w)({_FILES})[ -]?(?:([1-8])|{'|'.join(f'({words})' for words in _RANKS)})(?!\w)"
    rf"(?P<next> +(?=(?:{_FILES})(?!\w)))?"
)
_NAMED_FILE = _word(rf"(?<!\w)({_FILES})(?=(?: +(?:{_TAKES_WORDS})| *x)(?!\w))")
"""The names that files have, and the words for ranks, where a blind player speaks (FIDE E2)."""


def _write_square(found: re.Match[str]) -> str:
    rank = next(number for number, word in enumerate(found.groups()[1:]) if word)
    letter: str = found[1][0].lower()
    return f"{letter}{rank or found[2]}{' til ' if found['next'] else ''}"


def fold_signs(line: str) -> str:
    """The line with plain dashes and blanks, in narrow letters, without quotes around words.

    A square or file by name is written as one: Gustav 1, Frederik tre.
    """
    text: str = _WRAPPED.sub(lambda found: found[found.lastgroup or 0], line.translate(_SIGNS))
    text = _NAMED_SQUARE.sub(_write_square, text)
    written: str = _NAMED_FILE.sub(lambda found: str(found[1][0]).lower(), text)
    return written


def castles(line: str) -> bool:
    """Whether a line speaks of castling."""
    return _CASTLES.search(line) is not None


def names_piece(line: str) -> bool:
    """Whether a line speaks of a piece in words: "hest til c3" is not the pawn's move c3."""
    return _NAMED_PIECE.search(line) is not None


def write_in_signs(line: str) -> str:
    """The line with what it says in words as a move; unchanged where it says none.

    `line`: its signs folded, its blanks single.
    """
    if (apart := _APART.fullmatch(line)) is not None:
        piece = apart["piece"]
        written = f"{piece}{apart['f']}{apart['r']}"
        return line if line.endswith(written) else f"{apart['no'] or ''}~{written}"
    line = _NUMBER_APART.sub(r"\1. ", line)
    if castles(line):
        line = _CASTLING.sub(_write_castling, line)
    if _WORDY.search(line):
        line = _PROMOTING.sub(_write_promotion, _SPOKEN.sub(_write_spoken, line))
    line = _TAKING.sub(r"~\g<from>x\g<to>", _GOING.sub(r"\g<from>~\g<to>", line))
    return _LETTER_APART.sub(r"~\1", _EN_PASSANT.sub(" e.p.", line))


def _write_castling(found: re.Match[str]) -> str:
    is_short, is_long = _IS_SHORT.search(found[0]), _IS_LONG.search(found[0])
    if is_short and is_long:
        return found[0]
    return "~0-0" if is_short else "~0-0-0" if is_long else "~0-0/0-0-0"


def _figure(name: str) -> str:
    return next(figure for figure, names in _FIGURE_OF.items() if names.fullmatch(name))


def _write_spoken(found: re.Match[str]) -> str:
    figure, start = _figure(found["piece"]), (found["from"] or "").lower()
    to = found["to"].lower()
    sign = "x" if found["takes"] else ""
    if figure != _FIGURES["p"]:
        return f"~{figure}{start}{sign}{to}" if not found["file"] else found[0]
    if start or not (sign or found["file"]):
        return f"~{start}{sign}{to}"
    if found["file"] is None:
        return found[0]  # any pawn that takes there
    return f"~{to}" if found["file"].lower() == to[0].lower() else f"~{found['file']}{sign}{to}"


def _write_promotion(found: re.Match[str]) -> str:
    figure, to = _figure(found["piece"]), found["to"]
    digit = dict(zip("♕♖♗♘", "1234", strict=True)).get(figure)
    if digit is None:
        return found[0]
    return f"{to}({digit})" if to.isdigit() else f"{to}{figure}"


# What a sentence may mean: the lawful moves that fit the squares and pieces it names.

_SQUARE = _word(r"(?<!\w)(?P<letters>[^\W\d_]{1,15}?)?[-.]?(?P<square>[a-h][1-8])(?!\w)")
_PAWN_TAKES = re.compile(r"(?<!\w)([a-h])x?([a-h])(?!\w)")
_NUMBERS = _word(r"(?<!\d)([1-8][1-8])[- ]?([1-8][1-8]) ?\(?(?P<piece>[DTLSQRBN1-4])?\)?(?!\w)")
_DASHLESS = re.compile(r"(?:\d+\.+ ?)?0{2,3}[.!]?")
_OF_EN_PASSANT = _word(r"\be\. ?p\b|\ben ?passant\b")
_SAYS_LITTLE = 40
"""Characters of a line whose one square is enough for a guess."""
_FOREIGN: Final = {
    "c": "n", "p": "pn", "f": "b", "a": "b", "v": "rb", "j": "n", "h": "qn", "w": "r", "g": "b",
    "kn": "n", "kt": "n", "r": "rn", "e": "n", "m": "n", "o": "b", "k": "k", "q": "q", "b": "bp",
    "n": "n", "d": "q", "t": "r", "l": "b", "s": "n",
}  # fmt: skip
"""What piece letters stand for in any language: the Frenchman's Cf6, the Dutchman's Pf6."""


def guess_moves(line: str, board: chess.Board) -> tuple[chess.Move, ...]:
    """The lawful moves that a line may mean by the squares, pieces or files it names.

    Wide, as they are only asked about; none where the line says too little.
    """
    text = write_in_signs(" ".join(fold_signs(line).split())).replace("~", "")
    if castles(line) or _DASHLESS.fullmatch(text):
        return tuple(_castling(line, board))
    if takes := guess_en_passant(text, board):
        return takes
    found = list(_SQUARE.finditer(text))
    if len(text) > _SAYS_LITTLE // 3:  # «A4» and «H4» in a sentence are paper and houses
        found = [one for one in found if one["square"].islower()]
    squares = {chess.parse_square(one["square"].lower()) for one in found}
    numbers = _NUMBERS.findall(text)
    if len(numbers) == 1:
        return tuple(_by_numbers(numbers[0], board))
    if not squares:
        short = _PAWN_TAKES.findall(text) if len(text) <= 12 else ()
        return tuple(move for files in short for move in _pawn_takes(files, board))
    pieces = {kind for one in found if one["letters"] for kind in _pieces_of(one["letters"])}
    pieces |= {kind for word in _NAMED_PIECE.findall(line) for kind in _pieces_of(word)}
    moves = [move for move in board.legal_moves if move.to_square in squares]
    both = [move for move in moves if move.from_square in squares]
    if not (pieces or both) and (len(squares) > 1 or len(text) > _SAYS_LITTLE):
        return ()
    fits = [move for move in both or moves if not pieces or _kind(move, board) in pieces]
    taken = [move for move in moves if board.is_capture(move)] if _TAKEN.search(line) else []
    return tuple(fits or both or taken)


def guess_en_passant(text: str, board: chess.Board) -> tuple[chess.Move, ...]:
    """The captures en passant that there are, if a text speaks of one."""
    if _OF_EN_PASSANT.search(text) is None:
        return ()
    return tuple(filter(board.is_en_passant, board.legal_moves))


def _pieces_of(name: str) -> str:
    """The pieces that a word or a letter before a square may stand for, as p, n, b, r, q, k."""
    named = [kind for kind, names in _OF_LETTER.items() if _word(names).fullmatch(name)]
    small = name.casefold()
    return "".join(named) or _FOREIGN.get(small[:2], _FOREIGN.get(small[:1], "kqrbnp"))


def _kind(move: chess.Move, board: chess.Board) -> str:
    piece = board.piece_type_at(move.from_square)
    return "" if piece is None else chess.piece_symbol(piece)


def _castling(line: str, board: chess.Board) -> Iterator[chess.Move]:
    is_short, is_long = _IS_SHORT.search(line), _IS_LONG.search(line) or "000" in line
    for move in board.legal_moves:
        if board.is_castling(move):
            is_kingside = board.is_kingside_castling(move)
            if (is_kingside and not is_long) or (not is_kingside and not is_short):
                yield move


def _by_numbers(written: tuple[str, str, str], board: chess.Board) -> Iterator[chess.Move]:
    """Moves in numbers, of which one may be a promotion with its piece as a letter: 1718D."""
    start, to, piece = written
    squares = numeric_square(start), numeric_square(to)
    wanted = chess.piece_symbol(PROMOTION_OF[piece]) if piece in PROMOTION_OF else _pieces_of(piece)
    for move in board.legal_moves:
        if (move.from_square, move.to_square) == squares:
            promoted = "" if move.promotion is None else chess.piece_symbol(move.promotion)
            if not (promoted and piece) or promoted in wanted:
                yield move


def _pawn_takes(written: tuple[str, str], board: chess.Board) -> Iterator[chess.Move]:
    """Captures by pawns from file to file: "exf", "ef"."""
    files = tuple(map(chess.FILE_NAMES.index, written))
    for move in board.legal_moves:
        on = chess.square_file(move.from_square), chess.square_file(move.to_square)
        if on == files and files[0] != files[1] and _kind(move, board) == "p":
            yield move
