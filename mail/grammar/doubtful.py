"""When a written move is asked about before it is played, at no cost (§ 6.8.4, § 6.8.6).

A move among other words, with a question mark or with words of regret, in the letters of a
language that is not read here, or beside words that may offer a draw. A fault is charged only for
a plain try. NOT for slips in numbers and repetitions: `mail.grammar.slips`.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

import chess

from kskak.board.notation import Language, MoveRead, read_move
from mail.grammar.keywords import Keyword, Word, speaks_of_draw
from mail.grammar.move_lines import Token, move_words
from mail.grammar.series import Statement
from mail.grammar.understood import Position, Problem, ProblemKind, Repetition

_QUESTION = re.compile(r"[^!?]\?{1,2}$")
_REGRET = re.compile(
    r"\b(?:fortryd\w*|fortrød|annuller\w*|glem det|ångrar|undo|take (?:it )?back)\b", re.IGNORECASE
)
_PIECES = re.compile(
    r"\b(?:konge\w*|dronning\w*|dame\w*|tårn\w*|løber\w*|springer\w*|hest\w*|bonde\w*|bønder\w*"
    r"|king|queen|rook|bishop|knight|pawn)s?\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hej|kære|goddag|god (?:morgen|aften|dag|kamp|weekend|fornøjelse)|mange tak|tak"
    r"|held og lykke|hi|hello|dear|good (?:luck|morning|evening)|thanks|hejsan|tack|lycka till)\b"
    r"(?:[ ,]+[^\W\d]+){0,3}[ .,!]*",
    re.IGNORECASE,
)
"""What stands beside a move and says nothing of it. Any other words may speak against it."""


def names_piece(line: str) -> bool:
    """Whether a line speaks of a piece in words: "hest til c3" is not the pawn's move c3."""
    return _PIECES.search(line) is not None


def regrets(line: str) -> bool:
    """Whether a line takes back what is written beside it."""
    return _REGRET.search(line) is not None


def could_mean(
    words: Iterable[str], position: Position, languages: Collection[Language]
) -> dict[str, chess.Move]:
    """The words that are legal moves of the writer's, with these; none while he is not to move."""
    if not position.my_turn:
        return {}
    read = {word: read_move(position.board, word, languages) for word in words}
    return {word: one.move for word, one in read.items() if isinstance(one, MoveRead)}


def unless_doubtful(
    statement: Statement, tokens: tuple[Token, ...], position: Position, free: Collection[str]
) -> Statement:
    """The statement, or the question whether it is meant: written with a question mark, with words
    of regret beside it, or in the letters of a language that is not read here.

    `free`: the lines beside the moves that are neither moves nor commands.
    """
    asked = any(map(regrets, free)) or any(_QUESTION.search(token.text) for token in tokens)
    problem = statement.problem
    if asked and len(statement.moves) == 1 and not statement.proposes:
        unsure = Problem(ProblemKind.UNSURE, tokens[-1].text, statement.moves)
        return Statement(repetition=statement.repetition, problem=unsure)
    if problem is None or problem.kind is not ProblemKind.ILLEGAL or problem.is_asked:
        return statement
    knight = _as_knight(problem.token, position)
    if asked or knight:
        return replace(statement, problem=replace(problem, is_asked=True, candidates=knight))
    return statement


def unless_draw(statement: Statement, beside: Collection[str]) -> Statement:
    """The statement, or the question whether a draw goes with its move: it is spoken of beside it,
    but not offered (FIDE 9.1)."""
    draw = next(filter(speaks_of_draw, beside), None)
    if draw is None or not statement.moves:
        return statement
    own = statement.moves if len(statement.moves) == 1 and not statement.proposes else ()
    unclear = Problem(ProblemKind.DRAW_UNCLEAR, draw[:80], own)
    return Statement(repetition=statement.repetition, problem=unclear)


def unless_plain(
    statement: Statement,
    tokens: tuple[Token, ...],
    position: Position,
    beside: Collection[str],
    keywords: Collection[Keyword],
) -> Statement:
    """The statement; its fault is asked about if the try does not stand for the move to be made, or
    anything in the mail speaks against it: only a plain try is charged (§ 6.8.6).

    `beside`: all lines that are no part of the try.
    """
    problem, lines = statement.problem, [line for line in beside if line]
    if problem is None or not problem.is_invalid:
        return statement
    is_plain = (
        all(map(_GREETING.fullmatch, lines))
        and not any(map(move_words, lines))
        and not any(token.aside for token in tokens)
        and all(keyword.word is Word.DRAW_OFFER for keyword in keywords)
        and (
            problem.kind is ProblemKind.WRONG_REPETITION
            or statement.repetition is Repetition.OK
            or _stands_for_move(problem.token, tokens, position, is_alone=not lines)
        )
    )
    return statement if is_plain else replace(statement, problem=replace(problem, is_asked=True))


def _stands_for_move(
    written: str, tokens: tuple[Token, ...], position: Position, *, is_alone: bool
) -> bool:
    """Whether a try has the number of the writer's move and colour, or is all that he wrote.

    A plain number of Black's is White's too, so it may be what he copied.
    """
    token = next((token for token in tokens if token.text == written), None)
    if token is None:
        return False
    if token.number is None:
        return is_alone
    is_black = not position.board.turn
    return token.number == position.board.fullmove_number and token.black == is_black


def _as_knight(written: str, position: Position) -> tuple[chess.Move, ...]:
    """What an R would be in Finnish or Icelandic, where a knight is ratsu or riddari."""
    if not written.startswith("R"):
        return ()
    read = read_move(position.board, "N" + written[1:], {Language.EN})
    return (read.move,) if isinstance(read, MoveRead) else ()
