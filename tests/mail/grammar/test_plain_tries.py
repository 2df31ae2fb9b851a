"""Only a plain try at the move to be made is charged (§ 6.8.6); all else is asked about."""

import pytest

from mail.grammar.keyword_lines import ParseProblem, ProblemKind, WriterPosition
from mail.grammar.read_text import read_text
from tests.fakes.machinery.each import each
from tests.mail.games import BLACK_TO_ANSWER, P4711, TODAY, game

BLACK = game("e4")


def problem_of(text: str, position: WriterPosition) -> ParseProblem:
    reading = read_text(text, position, today=TODAY)
    assert reading.moves == ()
    assert reading.problem is not None
    return reading.problem


@each(
    "text",
    *("Vestergade 4\n8361", "Min nye rating er\n1854", "Hej Bo\n1234\nGod kamp", "1234\nHej"),
    *("Du skrev:\n1. a3", "1. a3", "1. Ke7", "0-0\nTak for sidst, det var hyggeligt", "8361\nx"),
    *("1... Ke7\nhov", "1... Ke7\n1... Kd6", "1... Ke7\n(eller Kd6)", "1... Ke7\nnej"),
    *("1... Ke7?", "1... Ke7\nHar du set det?", "Du skrev:\n1... Ke7", "Ke7\nHej Anna"),
    *("1... Ke7\nVent lidt, det er forkert", "1... Ke7 (Kd6)", "0-0\nHej", "Kampen endte\n0-0"),
)
def test_a_try_that_is_not_plain_is_asked_about(text: str) -> None:
    assert not problem_of(text, BLACK).is_invalid


@each(
    "text",
    *("Ke7", "1... Ke7", "1.-, Ke7", "1. e4 Ke7", "1... Ke7\nHej Anna", "Dh4", "1... 5857"),
    *("Hej Anna,\n\n1... Ke7\n\nGod kamp!", "1... Ke7\nremis?", "1... Ke7 remis?"),
)
def test_a_plain_try_that_is_illegal_is_an_invalid_move(text: str) -> None:
    found = problem_of(text, BLACK)
    assert (found.kind, found.is_invalid) == (ProblemKind.ILLEGAL, True)


@pytest.mark.parametrize("said", ["hov, jeg mener c5", "nej c5", "Ups!", "(c5)", "det er forkert"])
def test_a_wrong_repetition_that_is_mended_below_costs_nothing(said: str) -> None:
    found = problem_of("1... e5 2. Nf3", P4711)
    assert (found.kind, found.is_invalid) == (ProblemKind.WRONG_REPETITION, True)
    mended = problem_of(f"1... e5 2. Nf3\n{said}", P4711)
    assert not mended.is_invalid


@pytest.mark.parametrize(
    ("text", "is_invalid"),
    [
        ("12. 2425 1625 13. 1117 4818", True), ("12. 2425 1625 13. 1148 4818", True),
        ("12. 2425 1625 4818", False), ("12. b5 axb5 Qxa8", False),
        ("12. 2425 1625 13. 1117 4818\nhov, 1118", False),
    ],
)  # fmt: skip
def test_a_bound_move_written_wrong_or_left_out_is_never_an_illegal_move_of_his_own(
    text: str, is_invalid: bool
) -> None:
    """§ 6.2.5, § 6.3.5.1, § 6.8.4: by e-mail a wrong repetition, and left out nothing at all."""
    found = problem_of(text, BLACK_TO_ANSWER)
    assert (found.kind, found.is_invalid) == (ProblemKind.WRONG_REPETITION, is_invalid)
