"""When a written move is asked about before it is played, at no cost (§ 6.8.4, § 6.8.6).

A move among other words, with a question mark or with words of regret, or in the letters of a
language that is not read here. NOT for slips in numbers and repetitions: `mail.grammar.slips`.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

import chess

from kskak.board.notation import Language, MoveRead, read_move
from mail.grammar.move_lines import Token
from mail.grammar.series import Statement
from mail.grammar.understood import Position, Problem, ProblemKind

_QUESTION = re.compile(r"[^!?]\?{1,2}$")
_REGRET = re.compile(
    r"\b(?:fortryd\w*|fortrød|annuller\w*|glem det|ångrar|undo|take (?:it )?back)\b", re.IGNORECASE
)
_PIECES = re.compile(
    r"\b(?:konge\w*|dronning\w*|dame\w*|tårn\w*|løber\w*|springer\w*|hest\w*|bonde\w*|bønder\w*"
    r"|king|queen|rook|bishop|knight|pawn)s?\b",
    re.IGNORECASE,
)


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
    statement: Statement, tokens: tuple[Token, ...], position: Position, is_regretted: bool
) -> Statement:
    """The statement, or the question whether it is meant: written with a question mark, with words
    of regret beside it, or in the letters of a language that is not read here."""
    asked = is_regretted or any(_QUESTION.search(token.text) for token in tokens)
    problem = statement.problem
    if asked and len(statement.moves) == 1 and not statement.proposes:
        unsure = Problem(ProblemKind.UNSURE, tokens[-1].text, statement.moves)
        return Statement(repetition=statement.repetition, problem=unsure)
    if problem is None or problem.kind is not ProblemKind.ILLEGAL or problem.is_known:
        return statement
    knight = _as_knight(problem.token, position)
    if asked or knight:
        return replace(statement, problem=replace(problem, is_known=True, candidates=knight))
    return statement


def _as_knight(written: str, position: Position) -> tuple[chess.Move, ...]:
    """What an R would be in Finnish or Icelandic, where a knight is ratsu or riddari."""
    if not written.startswith("R"):
        return ()
    read = read_move(position.board, "N" + written[1:], {Language.EN})
    return (read.move,) if isinstance(read, MoveRead) else ()
