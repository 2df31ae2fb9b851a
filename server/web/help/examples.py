"""Examples on the help pages: lines of mail, moves, squares, as the server reads or writes them.

Each is produced by the function used in a game. Not for the pages themselves (pages.py).
"""

from dataclasses import dataclass

import chess

from kskak.board.notation import parse_numeric
from kskak.board.printing import danish, san
from kskak.regulation.quantities import Side
from kskak.statement import worked_examples as examples
from kskak.statement.account import Account
from mail.text.facts import move_texts
from mail.text.languages import FACTS
from mail.text.words import Words
from server.usecases.play.reading import read_words
from server.web.board.picture import TILE, Square, picture
from server.web.frame.words import PageWords

KEYWORDS = {code: facts.keywords for code, facts in FACTS.items()}
"""What a line may say besides moves, in each language, and its meaning (keywords.py)."""

OPENING_LINES = ("b5", "12. b4-b5", "2425", "12. 2425 01625 13. 1118 2718 14. 4244")
ANSWER_LINES = ("axb5", "12. 2425 1625 13. 1118 4818")
_CASTLES = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
MOVES = (
    ("pawn", chess.STARTING_FEN, "5254"),
    ("knight", chess.STARTING_FEN, "7163"),
    ("capture", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "5445"),
    ("castle", _CASTLES, "5171"),
    ("promote", "8/4P1k1/8/8/8/8/6K1/8 w - - 0 60", "5758(1)"),
)


@dataclass(frozen=True, slots=True)
class HelpWords:
    """One language for these pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"help.{key}", **places)


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody writes, and how it is understood."""

    written: str
    understood: str


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """One move as it may be written (§ 6.2.2)."""

    what: str
    digits: str
    danish: str
    english: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """A square with its number in numeric notation (§ 6.2.2), and the label's position."""

    square: Square
    number: str
    x: int
    y: int


def line(account: Account, side: Side, text: str, said: PageWords) -> Line:
    """What a line of mail means in a game, found by the parser used for mails.

    Raises ValueError when no move is found: every example must contain one.
    """
    state, h = account.state, HelpWords(said.words)
    reading = read_words(state, side, text, lang=said.lang, today=account.terms.start)
    if not reading.moves:
        raise ValueError(f"no move in the example {text!r}")
    board = state.board.copy(stack=False)
    key = "mail.moves" if len(reading.moves) == 1 else "mail.follows"
    parts = [h(key, moves=said.line(move_texts(board, reading.moves)))]
    if reading.proposes:
        for move in reading.moves:
            board.push(move)
        parts.append(h("mail.proposes", moves=said.line(move_texts(board, reading.proposes))))
    return Line(text, " ".join(parts))


def opening_lines(said: PageWords) -> tuple[Line, ...]:
    """White's move written four ways, the last with a series (§ 6.2.5)."""
    game = examples.before_series()
    return tuple(line(game, Side.WHITE, text, said) for text in OPENING_LINES)


def answer_lines(said: PageWords) -> tuple[Line, ...]:
    """Black's answers to the series (§ 6.2.5)."""
    game = examples.with_series()
    return tuple(line(game, Side.BLACK, text, said) for text in ANSWER_LINES)


def written_moves() -> tuple[WrittenMove, ...]:
    """Moves in digits, Danish and English letters, each generated from the move itself."""
    found = []
    for what, fen, digits in MOVES:
        board, move = chess.Board(fen), parse_numeric(digits)
        found.append(WrittenMove(what, digits, danish(board, move), san(board, move)))
    return tuple(found)


def numbered() -> tuple[Numbered, ...]:
    """An empty board's squares with their numbers (§ 6.2.2)."""
    empty = picture(chess.Board(None), Side.WHITE)
    return tuple(
        Numbered(one, f"{column}{row}", one.x + TILE // 2, one.y + TILE // 2 + 5)
        for one in empty.squares
        for column, row in (("abcdefgh".index(one.name[0]) + 1, one.name[1]),)
    )
