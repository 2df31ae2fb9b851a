"""Why a text is not a move, shown beside the field. Not for refusals by the rules (words.py)."""

from dataclasses import dataclass

from kskak.play.state import GameState
from mail.game_letters.common import in_letters
from mail.grammar.keywords import speaks_of_draw
from mail.grammar.understood import ProblemKind
from mail.text.facts import MoveText, move_texts
from server.usecases.play.reading import TextProblem
from server.web.frame.words import PageWords

_ASKED = {
    ProblemKind.AMBIGUOUS: "problem.meant",
    ProblemKind.WRONG_NUMBER: "problem.number_meant",
}
"""Kinds with a text for when only one move can have been meant."""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """What the form around a move's field has, as keys of the catalogues."""

    tick: str
    """The tick that offers a draw."""
    empty: str
    """What is said of an empty field."""


GAME = MoveForm("web.draw.offer", "web.problem.empty")
CARD = MoveForm("cards.field.draw", "cards.no_move")


def problem_text(
    said: PageWords, state: GameState, found: TextProblem, form: MoveForm = GAME
) -> str:
    """What was not understood, and what to write instead."""
    problem = found.problem
    if not problem.token.strip():
        return said.words(form.empty)
    if found.reading.moves and problem.token.startswith("0"):
        return said.t("problem.series", token=problem.token)
    if found.head:
        return _rest_text(said, state, found, form)
    candidates = ", ".join(
        f"{in_letters(move, said.words)} ({move.numeric})" for move in meant(state, found)
    )
    asked = None if problem.meant is None else _ASKED.get(problem.kind)
    return said.t(
        asked or f"problem.{problem.kind.value}",
        token=problem.token,
        candidates=candidates,
        number=state.board.fullmove_number,
        tick=said.words(form.tick),
    )


def meant(state: GameState, found: TextProblem) -> tuple[MoveText, ...]:
    """The moves that may have been meant, each offered as a button."""
    return tuple(move_texts(state.board, (move,))[0] for move in found.problem.candidates)


def _rest_text(said: PageWords, state: GameState, found: TextProblem, form: MoveForm) -> str:
    """For a text that begins with a move: what the rest may mean."""
    if found.rest.startswith("0"):
        return said.t("problem.series", token=found.rest)
    if speaks_of_draw(found.rest):
        why = said.t("problem.rest_draw", tick=said.words(form.tick))
    elif found.series:
        why = said.t("problem.rest_series", series=found.series)
    elif state.proposal:
        why = said.t("problem.rest_follow")
    else:
        why = said.t("problem.rest_other", more=said.t("game.more"))
    return f"{said.t('problem.rest', head=found.head, rest=found.rest)} {why}"
