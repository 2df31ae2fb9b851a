"""Why a text became no move, said beside the field. Not for the reasons of the rules (words.py)."""

from kskak.state import GameState
from mail.facts import move_texts
from mail.writing.common import in_letters
from server.usecases.texts import TextProblem
from server.web.words import PageWords


def problem_text(said: PageWords, state: GameState, found: TextProblem) -> str:
    """What was not understood, and what to write instead."""
    problem = found.problem
    if not problem.token.strip():
        return said.t("problem.empty")
    if found.reading.moves and problem.token.startswith("0"):
        return said.t("problem.series", token=problem.token)
    meant = (move_texts(state.board, (move,))[0] for move in problem.candidates)
    candidates = ", ".join(f"{in_letters(move, said.words)} ({move.numeric})" for move in meant)
    return said.t(f"problem.{problem.kind.value}", token=problem.token, candidates=candidates)
