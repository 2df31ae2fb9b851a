"""Moves as people say them: in words, in quotes, with blanks inside; and what a sentence may mean.

A move in words is written in signs before it is read, with a figurine for its piece, which belongs
to every language, and a `~` at its head: it is assembled here, so an illegal one may be our
misreading and costs nothing (§ 6.8.6). Pure. NOT for lines of signs (`move_lines`), nor for what is
no move even so (`guessed_moves`).
"""

import re
from functools import partial
from typing import Final

import chess

from mail.grammar.keyword_lines import NUMBERS, join_patterns, list_patterns

_FIGURES: Final = dict(zip("kqrbnp", "♔♕♖♗♘♙", strict=True))
NAMES_OF: Final = dict(zip(_FIGURES, list_patterns("pieces"), strict=True))
# «King's bishop» is no king.
_PIECE: Final = "|".join(NAMES_OF[letter] for letter in "bnpqrk")
_BY: Final = rf"(?:(?:{join_patterns('goes')}) +)*"
_TAKES_WORDS: Final = join_patterns("takes")
_TAKES: Final = rf"(?: +(?:{_TAKES_WORDS}) +{_BY}| +[x:*] *|x +|\*)"
"""Never a bare x: what is written in signs stays as it is."""
_SHORT: Final = join_patterns("castles_short")
_LONG: Final = join_patterns("castles_long")
_word = partial(re.compile, flags=re.IGNORECASE)

_FIGURE_OF = {_FIGURES[letter]: _word(names) for letter, names in NAMES_OF.items()}
NAMED_PIECE = _word(rf"(?<!\w)({_PIECE})(?:s|ne|erne|skak|schack)?(?!\w)")
_NAMED_OFFICER = _word(rf"(?<!\w)(?:{'|'.join(NAMES_OF[letter] for letter in 'bnqrk')})(?!\w)")
_CASTLES = _word(rf"(?<!\w)(?:{join_patterns('castles')})(?!\w)")
_ASIDE = rf"(?:{join_patterns('says_i')}|{_SHORT}|{_LONG})"
_CASTLING = _word(
    rf"(?<!\w)(?:{_ASIDE} +)*(?:{join_patterns('castles')})(?!\w)(?: *\(?{_ASIDE}\)?(?!\w))*"
)
IS_SHORT, IS_LONG = _word(rf"\b(?:{_SHORT})\b"), _word(rf"\b(?:{_LONG})\b")
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
    r"(?:(?<!\w)(?P<from>[a-h][27]) +)?(?<![♔-♟])(?<![♔-♟]x)(?<!(?-i:[B-T]))(?<!(?-i:[B-T])x)"
    r"(?P<to>(?:[a-h][18]|[1-8]{2}[1-8][18])) *[,=(]? *"
    rf"(?:(?:{join_patterns('promotes')}) +)*"
    rf"(?P<piece>{_PIECE})\)?(?!\w)"
)
_APART = _word(
    r"(?P<no>\d{1,3}(?:\.{1,3}|\)) ?)?(?P<piece>[KQRBNDTLS]?)[ -]?(?P<f>[a-h])[ -]?(?P<r>[1-8])"
)
_LETTER_APART = re.compile(r"(?<!\w)([KQRBNDTLS]) (?=[a-h][1-8](?!\w))")
_NUMBER_APART = re.compile(r"^(\d{1,3}) ?[-/] ?(?=[KQRBNDTLSa-hO♔-♟])")
TAKES = _word(rf"(?<!\w)(?:{_TAKES_WORDS})(?!\w)")
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
    "Anna|Adam|Bodil|Bella|Bernhard|Bertil|Ce[cs]ili[ae]|C(?:e|ae|æ)sar|Dora|David|Erik|Eva"
    "|Frederik|Felix|Filip|Gustav|Georg|Henrik|He[ck]tor|Helge|Al[fp]ha|Bravo|Charlie|Delta|E[ck]ko|Echo|Fox(?:trot)?|Golf"
)
_SPOKEN_FILE: Final = rf"(?:{_FILES}|[a-h](?!\w)|(?:bé|c[eé]|ef|g[eé]|haa|hå)(?!\w))"
"""A file by its letter, the letter's name, or a name that begins with it."""
_SQUARE: Final = (
    rf"({_SPOKEN_FILE})[ -]?"
    rf"(?:([1-8])|{'|'.join(f'({words})' for words in NUMBERS)})(?!\w)"
    rf"(?P<next> +(?={_SPOKEN_FILE}(?!\w)))?"
)
_ANY_SQUARE = _word(rf"(?<!\w){_SQUARE}")
_NAMED_SQUARE = _word(rf"(?<!\w)(?!{join_patterns('no_square')}){_SQUARE}")
_OF_MOVE = _word(rf"(?<!\w)(?:{_PIECE}|[a-h][1-8]|(?:\d{{1,3}}\.{{1,3}} *)?{_SQUARE}\W*$)(?!\w)")
"""What makes an article a file: «rook a five» is a square, «a five days' trip» none."""
_LOUD_TAKES = re.compile(rf"(?<!\w)[BD] +(?i:{_TAKES_WORDS}) +$")
"""«D slår C fem», dictated: queen or pawn. Its square stays in capitals, so that both are seen."""
_NAMED_FILE = _word(rf"(?<!\w)({_FILES})(?=(?: +(?:{_TAKES_WORDS})| *x)(?!\w))")
"""The names that files have, and the words for ranks, where a blind player speaks (FIDE E2)."""
_STOPS: Final = "punktum|komma|stop|period|comma"
_DICTATED = _word(
    rf"(?P<before>^\W*(?:(?:{join_patterns('opens_move')}|{join_patterns('states_move')})[ ,:]+)*"
    rf"|(?<!\w)(?=\w+ \w+ (?:{_STOPS})(?!\w)))(?P<file>[bdg])ee? "
    rf"(?=(?:[1-8]|{'|'.join(NUMBERS)})(?:\W*$|[ ,]+(?:{_STOPS}|så|tak|then|please)(?!\w)))"
)


def _write_square(found: re.Match[str]) -> str:
    rank = next(number for number, word in enumerate(found.groups()[1:]) if word)
    letter: str = found[1][0].lower() if found[1].lower() != "ef" else "f"
    if found[1].isupper() and _LOUD_TAKES.search(found.string, 0, found.start()):
        letter = found[1]
    return f"{letter}{rank or found[2]}{' til ' if found['next'] else ''}"


def fold_signs(line: str) -> str:
    """The line with plain dashes and blanks, in narrow letters, without quotes around words.

    A square or file by name is written as one: Gustav 1, Frederik tre.
    """
    text: str = _WRAPPED.sub(lambda found: found[found.lastgroup or 0], line.translate(_SIGNS))
    text = _NAMED_SQUARE.sub(_write_square, text)
    if _OF_MOVE.search(text):
        text = _ANY_SQUARE.sub(_write_square, text)
    written: str = _NAMED_FILE.sub(lambda found: str(found[1][0]).lower(), text)
    return written


def fold_dictated(line: str) -> str:
    """The same with letters as a telephone hears them: «de fire». As that is «the four» as well, it
    must stand alone, and is asked about."""
    return fold_signs(_DICTATED.sub(r"\g<before>\g<file> ", line))


def castles(line: str) -> bool:
    """Whether a line speaks of castling."""
    return _CASTLES.search(line) is not None


def names_piece(line: str) -> bool:
    """Whether a line speaks of a piece in words: "hest til c3" is not the pawn's move c3."""
    return _NAMED_OFFICER.search(line) is not None


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
    is_short, is_long = IS_SHORT.search(found[0]), IS_LONG.search(found[0])
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
        return f"~{figure}x{to}"
    return f"~{to}" if found["file"].lower() == to[0].lower() else f"~{found['file']}{sign}{to}"


def _write_promotion(found: re.Match[str]) -> str:
    figure, to = _figure(found["piece"]), found["to"]
    digit = dict(zip("♕♖♗♘", "1234", strict=True)).get(figure)
    if digit is None:
        return found[0]
    start = f"~{found['from']}-" if found["from"] else ""
    return f"{to}({digit})" if to.isdigit() else f"{start}{to}{figure}"


# A move in numbers with blanks or dots inside, or after a bare number: 5 2 5 4, 52.54, 12 5254.
_SPREAD = re.compile(
    r"(?:(?P<no>\d{1,3})(?P<dots>\.{1,3} ?|\) ?| \.{1,3} ?| ))?(?P<from>[1-8][ .-]?[1-8])"
    r"(?P<gap>[ .]| ?- ?|)(?P<to>[1-8][ .-]?[1-8])"
)
COUNTED = re.compile(r"0[1-9]?")  # the moves of a series, as people count them


def join_spread_move(text: str) -> str:
    """A line that is one move in numbers, spread out; marked, as it may be our misreading."""
    found = _SPREAD.fullmatch(text)
    if found is None:
        return text
    squares = [re.sub("[ .-]", "", found[end]) for end in ("from", "to")]
    dots = (found["dots"] or "").strip()
    if not dots and COUNTED.fullmatch(found["no"] or ""):
        return text  # 02 5756: the second move of a series
    is_plain = found["gap"] != "." and squares == [found["from"], found["to"]]
    if is_plain and (not found["no"] or found["dots"][0] != " "):
        return text
    number = f"{found['no']}{dots or '.'} " if found["no"] else ""
    return number + "~".join(squares)


_CAPTURE_SIGN = re.compile(r"[x:\u00d7] ?\(?(?=[a-h1-8])", re.IGNORECASE)


def takes_nothing(board: chess.Board, move: chess.Move, written: str) -> bool:
    """Whether a move is written as a capture and captures nothing: he sees another board."""
    return _CAPTURE_SIGN.search(written) is not None and not board.is_capture(move)
