"""Problems for texts that did not become a command. Through the API they cost no days.

Not for parsing texts (usecases/play/reading.py, kskak.board.notation).
"""

from typing import assert_never

import chess

from kskak.board.notation import MoveError, MoveUnread, numeric
from kskak.game.refusals import Reason, Refusal
from kskak.ledger.ledger_out import JsonObject
from mail.grammar.understood import ProblemKind
from server.api.frame.problems import Kind, Problem, refused
from server.usecases.play.reading import TextProblem

LONGEST_QUOTE = 60


def unread(problem: TextProblem) -> Problem:
    """The problem for a dispatch's text (§ 6.2.2, § 6.8.4)."""
    fault = problem.problem
    match fault.kind:
        case ProblemKind.ILLEGAL:
            return _refused_text(Reason.ILLEGAL, fault.token)
        case ProblemKind.NOT_YOUR_TURN:
            return refused(Refusal(Reason.NOT_YOUR_TURN))
        case ProblemKind.AMBIGUOUS:
            return _asked(Kind.AMBIGUOUS, fault.token, fault.candidates)
        case ProblemKind.NOT_UNDERSTOOD:
            return _asked(Kind.NOT_UNDERSTOOD, fault.token)
        case ProblemKind.UNSURE | ProblemKind.DRAW_UNCLEAR:
            return _asked(Kind.NOT_UNDERSTOOD, fault.token, fault.candidates)
        case ProblemKind.CONTRADICTION:
            return _asked(Kind.CONTRADICTION, fault.token)
        case ProblemKind.WRONG_REPETITION:
            return _asked(Kind.WRONG_REPETITION, fault.token, fault.candidates)
        case ProblemKind.WRONG_NUMBER:
            return _asked(Kind.WRONG_NUMBER, fault.token, fault.candidates)
        case _:
            assert_never(fault.kind)


def unread_move(unread: MoveUnread) -> Problem:
    """The problem for a single move's text."""
    match unread.error:
        case MoveError.ILLEGAL:
            return _refused_text(Reason.ILLEGAL, unread.text)
        case MoveError.AMBIGUOUS:
            return _asked(Kind.AMBIGUOUS, unread.text, unread.candidates)
        case MoveError.NOT_UNDERSTOOD:
            return _asked(Kind.NOT_UNDERSTOOD, unread.text)
        case _:
            assert_never(unread.error)


def _refused_text(reason: Reason, text: str) -> Problem:
    problem = refused(Refusal(reason))
    problem.more["text"] = text[:LONGEST_QUOTE]
    return problem


def _asked(kind: Kind, text: str, candidates: tuple[chess.Move, ...] = ()) -> Problem:
    quoted = text[:LONGEST_QUOTE]
    forms = [numeric(move) for move in candidates]
    more: JsonObject = {"text": quoted, "candidates": list(forms)}
    return Problem(kind, more, {"text": quoted, "candidates": ", ".join(forms)})
