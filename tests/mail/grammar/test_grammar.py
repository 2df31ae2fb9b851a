"""What a text is understood to say: moves, series, keywords, problems."""

from datetime import date

import pytest

from mail.grammar.keyword_lines import (
    Keyword,
    ParsedText,
    ProblemKind,
    Repetition,
    Word,
    WriterPosition,
)
from mail.grammar.read_text import read_text
from tests.fakes.machinery.each import each, rows
from tests.mail.games import BLACK_TO_ANSWER, P4711, P4712, TODAY, WHITE_TO_PROPOSE, game

ILLEGAL, AMBIGUOUS = ProblemKind.ILLEGAL, ProblemKind.AMBIGUOUS
UNSURE = ProblemKind.UNSURE
UNCLEAR, NUMBER = ProblemKind.NOT_UNDERSTOOD, ProblemKind.WRONG_NUMBER
OK, ABSENT, WRONG = Repetition.OK, Repetition.ABSENT, Repetition.WRONG


def read(text: str, position: WriterPosition | None = P4711) -> ParsedText:
    return read_text(text, position, today=TODAY)


def moves(reading: ParsedText) -> str:
    return " ".join(move.uci() for move in reading.moves)


@each(
    ("text", "repetition"),
    [
        ("2. Nf3", ABSENT), ("2. Sf3", ABSENT), ("Sf3", ABSENT), ("7163", ABSENT),
        ("71-63", ABSENT),
        ("2. 71 - 63", ABSENT), ("2. Ng1-f3", ABSENT), ("2. Sg1 - f3", ABSENT), ("2.Nf3!?", ABSENT),
        ("2.  Nf3 +", ABSENT), ("2 Nf3", ABSENT), ("2. Nf3 *", ABSENT), ("- Sf3", ABSENT),
        ("Træk: 2. Sf3", ABSENT), ("2) Sf3", ABSENT), ("2: Sf3", ABSENT),
        ("1... c5 2. Nf3", OK), ("1.-, 3735 2. 7163", OK),
        ("1. ... c5 2. Nf3", OK), ("1… c5 2. Nf3", OK), ("c5 Sf3", OK), ("3735 7163", OK),
        ("1. e4 c5 2. Nf3", OK), ("1. e4 c5\n2. Nf3", OK), ("1... c5\nNf3", OK),
        ("2. Nf3\n\n2. Sf3", ABSENT), ("2. Nf3\n7163", ABSENT), ("*2. Nf3*", ABSENT),
    ],
)  # fmt: skip
def test_one_move_in_every_usual_dress(text: str, repetition: Repetition) -> None:
    reading = read(text)
    assert moves(reading) == "g1f3"
    assert (reading.repetition, reading.problem) == (repetition, None)


@each(
    ("text", "kind", "token"),
    [
        ("2. Ke3", ILLEGAL, "Ke3"), ("2. 0-0", ILLEGAL, "0-0"), ("1... c5 2. Ke3", ILLEGAL, "Ke3"),
        ("2. Ni9", UNCLEAR, "2. Ni9"), ("3. Nf3", NUMBER, "3. Nf3"),
        ("12. Nf3", NUMBER, "12. Nf3"), ("2... Nf3", NUMBER, "2... Nf3"),
        ("2. Nf3\n2. d4", ProblemKind.CONTRADICTION, "2. d4"),
        ("Nf3\nd4", ProblemKind.CONTRADICTION, "d4"),
        ("2. Nf3 2. d4", ProblemKind.CONTRADICTION, "2. Nf3 2. d4"),
        ("2. Nf3\n2. Ke3", ProblemKind.CONTRADICTION, "2. Ke3"),
        ("Jeg spiller ikke 2. Nf3", UNSURE, "Nf3"), ("måske 2. Nf3?", UNSURE, "Nf3"),
        ("Nf3 spiller jeg", UNSURE, "Nf3"), ("3555 7163", UNCLEAR, "3555"),
        ("Anna\n5254 5755", UNCLEAR, "5254"), ("01625", UNCLEAR, "01625"),
        ("1... e5 2. Nf3", ProblemKind.WRONG_REPETITION, "1... e5"),
        ("1. d4 c5 2. Nf3", NUMBER, "1. d4"),
    ],
)  # fmt: skip
def test_problems_name_their_kind_and_token(text: str, kind: ProblemKind, token: str) -> None:
    reading = read(text)
    assert reading.moves == ()
    assert reading.problem is not None
    assert (reading.problem.kind, reading.problem.token) == (kind, token)


@each(
    "text",
    ["--", "0000", "Z0", "@@@@", "P@e4", "null", "pass", "-", "...", "0", "2.", "2. --", "2. 0000",
     "2. Z0", "1... c5 2. --", "N\u200bf3", "\u04354", "ｅ４", "\u202e3fN", "1-0", "*", "2. Nf3=Q"],
)  # fmt: skip
def test_nothing_like_a_null_move_ever_moves(text: str) -> None:
    assert read(text).moves == ()


def test_ambiguous_move_lists_its_candidates() -> None:
    position = game("", fen="4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1")
    two = game("", fen="4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    assert read("Nd2", position).problem is not None
    problem = read("1. Nd2", two).problem
    assert problem is not None
    assert (problem.kind, len(problem.candidates)) == (AMBIGUOUS, 2)


@each(
    ("text", "rest"),
    [
        ("2. Nf3 (hvis 2... d6 så 3. d4)", "(hvis 2... d6 så 3. d4)"),
        ("2. Nf3 d6 3. d4", "d6 3. d4"), ("2. Nf3 0d6", "0d6"),
        ("2. Nf3 0d6 3. Ke5", "0d6 3. Ke5"), ("2. Nf3\nEller 2. d4?", "Eller 2. d4?"),
        ("2. Nf3\n\nAnna\n5254 5755", "5254 5755"),
    ],
)  # fmt: skip
def test_lawful_move_is_made_and_the_rest_quoted_back(text: str, rest: str) -> None:
    reading = read(text)
    assert moves(reading) == "g1f3"
    assert reading.rest == (rest,)
    assert reading.proposes == ()


@each(
    "text",
    "11.-, 1716 12. 2425, 01625 13. 1118, 2718 14. 4244.",
    "12. 2425 01625 13. 1118 2718 14. 4244",
    "12. 2425, 0 1625 13. 1118 2718 14. 4244",
    "12. 2425, 01625 13. 1118,\n2718 14. 4244",
    "12. 2425\n01625 13. 1118 2718 14. 4244",
    "11... a6 12. b5 0a6xb5 13. Txa8 Lxa8 14. d4",
    "12. b5 0axb5 13. Rxa8 Bxa8 14. d4",
    "12. b5 0 12... axb5 13. Rxa8 Bxa8 14. d4",
)
def test_series_of_the_regulations_example_is_proposed(text: str) -> None:
    reading = read(text, WHITE_TO_PROPOSE)
    assert moves(reading) == "b4b5"
    assert [move.uci() for move in reading.proposes] == ["a6b5", "a1a8", "b7a8", "d2d4"]
    assert (reading.rest, reading.problem) == ((), None)


@each(
    ("text", "played"),
    [
        ("12. 2425, 1625 13. 1118, 4818.", "a6b5 a1a8 d8a8"),
        ("12. 2425 1625 13. 1118 4818", "a6b5 a1a8 d8a8"),
        ("12. 2425\n1625\n13. 1118 4818", "a6b5 a1a8 d8a8"), ("1625 1118 4818", "a6b5 a1a8 d8a8"),
        ("12. b5 axb5 13. Rxa8 Qxa8", "a6b5 a1a8 d8a8"), ("12. 2425 1625", "a6b5"),
        ("12. 2425 1625 13. 1118", "a6b5"), ("1625", "a6b5"), ("12. 1625", "a6b5"),
        ("12... axb5", "a6b5"), ("12. 2425 1625 13. 1118 2718", "a6b5 a1a8 b7a8"),
        ("12. 2425 1625 13. 1118 2718 14. 4244", "a6b5 a1a8 b7a8"),
        ("12. 2425 1625 13. 1118 2718 14. 4244 4888", ""), ("12. 2425 2736", "b7c6"),
        ("12. 2425 1625 13. 1118 2718 14. 4244 4844", "a6b5 a1a8 b7a8 d2d4 d8d4"),
    ],
)  # fmt: skip
def test_series_is_accepted_as_far_as_the_answer_goes(text: str, played: str) -> None:
    assert moves(read(text, BLACK_TO_ANSWER)) == played


def test_accepted_series_may_be_followed_by_an_own_proposal() -> None:
    reading = read("12. 2425 1625 13. 1118 4818 014. 4244 4878", BLACK_TO_ANSWER)
    assert moves(reading) == "a6b5 a1a8 d8a8"
    assert reading.proposes == ()  # 4878 is not lawful: a series stands as a whole or not at all
    assert reading.rest == ("014. 4244 4878",)
    reading = read("12. 2425 1625 13. 1118 4818 014. 4244 5857", BLACK_TO_ANSWER)
    assert [move.uci() for move in reading.proposes] == ["d2d4", "e8e7"]


def test_no_new_series_while_a_bound_answer_is_outstanding() -> None:
    reading = read("12. 2425 1625 13. 1118 0 2718", BLACK_TO_ANSWER)
    assert (moves(reading), reading.proposes, reading.rest) == ("a6b5", (), ("02718",))


@each(
    ("text", "kind"),
    [
        ("12. 2425 1625 13. 1117 4818", ProblemKind.WRONG_REPETITION),
        ("12. 2423 1625", ProblemKind.WRONG_REPETITION), ("13... 4818", NUMBER),
        ("12. 2425 1625 14. 1118 4818", NUMBER), ("12. 2425 1625 13. 1118 4811", ILLEGAL),
        ("12. 2425 1514", ILLEGAL), ("2423 1625", UNCLEAR), ("1625 1117 4818", UNCLEAR),
    ],
)  # fmt: skip
def test_faulty_answers_to_a_series(text: str, kind: ProblemKind) -> None:
    """Only what is numbered can be charged as a wrong repetition (§ 6.8.6)."""
    reading = read(text, BLACK_TO_ANSWER)
    assert reading.moves == ()
    assert reading.problem is not None
    assert reading.problem.kind is kind
    assert (reading.repetition is WRONG) is (kind is ProblemKind.WRONG_REPETITION)


def test_repetition_alone_is_no_move() -> None:
    reading = read("12. 2425", BLACK_TO_ANSWER)
    assert (reading.moves, reading.repetition, reading.problem) == ((), OK, None)


def test_black_may_write_his_move_under_whites_number() -> None:
    assert moves(read("1. Sf6", game("e4"))) == "g8f6"
    assert moves(read("1. e4 Sf6", game("e4"))) == "g8f6"
    assert read("1. d4 Sf6", game("e4")).repetition is WRONG


def test_move_that_may_be_repetition_or_capture_is_asked_about() -> None:
    position = game("Nf3", fen="4k3/8/8/6n1/8/8/8/4K1N1 w - - 0 1")
    assert read("1... Nf3", position).problem is None
    problem = read("1. Nf3", position).problem
    assert problem is not None
    assert problem.kind is AMBIGUOUS


def test_not_his_turn_and_no_game() -> None:
    problem = read("2. Nf3", game("e4 c5", mine=False)).problem
    assert problem is not None
    assert problem.kind is ProblemKind.NOT_YOUR_TURN
    assert read("2. Nf3", None).rest == ("2. Nf3",)


@each(
    ("line", "word"),
    [
        ("opgiver", Word.RESIGN), ("Jeg opgiver.", Word.RESIGN), ("RESIGN", Word.RESIGN),
        ("remis?", Word.DRAW_OFFER), ("Remis ?", Word.DRAW_OFFER), ("draw?", Word.DRAW_OFFER),
        ("remis ja", Word.DRAW_YES), ("Remis: ja!", Word.DRAW_YES), ("draw no", Word.DRAW_NO),
        ("tid", Word.CLAIM_TIME), ("claim time", Word.CLAIM_TIME), ("ja", Word.YES),
        ("Nej.", Word.NO), ("*status*", Word.STATUS), ("hjælp", Word.HELP), ("Help", Word.HELP),
    ],
)  # fmt: skip
def test_keyword_alone_on_its_line(line: str, word: Word) -> None:
    assert read(line).keywords == (Keyword(word),)
    with_move = read(f"Hej Bo\n2. Nf3\n{line}\nGod jul")
    assert with_move.asks(word)
    assert with_move.message == "Hej Bo\nGod jul"
    if word is Word.DRAW_YES:  # where none is offered, he is asked before the move goes
        assert with_move.problem is not None
        assert with_move.problem.kind is ProblemKind.DRAW_UNCLEAR
    else:
        assert moves(with_move) == "g1f3"
    assert read(f"Hej, {line} siger jeg").keywords == ()


@each(
    "line start end",
    ("ferie 8/12 22/12", (2026, 12, 8), (2026, 12, 22)),
    ("Ferie fra 24/12 til 2/1", (2026, 12, 24), (2027, 1, 2)),
    ("ferie 24/12-2/1", (2026, 12, 24), (2027, 1, 2)),
    ("ferie 8.7.2027 - 22.7.2027", (2027, 7, 8), (2027, 7, 22)),
    ("leave 2026-12-24 2027-01-02", (2026, 12, 24), (2027, 1, 2)),
    ("leave from 8/7 to 8/7", (2027, 7, 8), (2027, 7, 8)),
    ("ferie 1.11. 20.11.", (2026, 11, 1), (2026, 11, 20)),
    ("ferie 8/7/27 22/7/27", (2027, 7, 8), (2027, 7, 22)),
    ("ferie 1/11-25 5/11-25", (2025, 11, 1), (2025, 11, 5)),
    ("ferie 1/11-5/11-25", (2025, 11, 1), (2025, 11, 5)),
    ("ferie 28/12-3/1-26", (2025, 12, 28), (2026, 1, 3)),
    ("ferie fra 20/12-2026 til 3/1-2027", (2026, 12, 20), (2027, 1, 3)),
)
def test_leave_dates(line: str, start: tuple[int, int, int], end: tuple[int, int, int]) -> None:
    assert read(line, None).keywords == (Keyword(Word.LEAVE, date(*start), date(*end)),)


@each(
    "line", ["ferie 30/2 3/3", "ferie 8/7", "ferie", "ferie 22.7.2027 8.7.2027", "ferie uge 29",
             "leave 2026-13-01 2027-01-02", "ferie 1.1.2027 1.1.2029"]
)  # fmt: skip
def test_leave_that_is_no_leave_is_quoted_back(line: str) -> None:
    reading = read(line, None)
    assert (reading.keywords, reading.rest) == ((), (line,))


def test_free_words_are_the_message() -> None:
    reading = read("Kære Bo\n\n5. 0-0\n\nDet sner her.\nHils familien!", P4712)
    assert moves(reading) == "e1g1"
    assert reading.message == "Kære Bo\n\n\nDet sner her.\nHils familien!"
    assert (reading.rest, reading == ParsedText()) == ((), False)
    thanks = read("Tak for brevet og god bedring til familien")
    assert not (thanks.moves or thanks.keywords or thanks.problem)


BLACK_AT_4 = game("e4 e5 Nf3 Nc6 Bc4 Bc5 d3")


@each(
    "text",
    ["(d6)", "4. 4243 (d6)", "4. d3 (d6)", "4. 4243 (4746)", "4. 4243 (d3) 4746 (d6)",
     "4... 4746 (d6)", "d6 (4746)", "4... d6 (4746)", "4. d3 (4243) d6 (4746)", "(4746)"],
)  # fmt: skip
def test_a_move_in_parentheses_is_read_as_letters_print_it(text: str) -> None:
    reading = read(text, BLACK_AT_4)
    assert moves(reading) == "d7d6"
    assert (reading.rest, reading.problem) == ((), None)


@pytest.mark.parametrize("text", ["d6 (d5)", "4... d6 (Sf6)", "4... 4746 (4745)"])
def test_two_forms_that_are_two_moves_are_asked_about(text: str) -> None:
    reading = read(text, BLACK_AT_4)
    assert reading.moves == ()
    assert reading.problem is not None
    assert reading.problem.kind is ProblemKind.CONTRADICTION


@rows("text rest", ("d6 (Lg5)", "Lg5"), ("4... d6 (hej)", "(hej)"))
def test_what_else_stands_in_parentheses_is_a_note(text: str, rest: str) -> None:
    reading = read(text, BLACK_AT_4)
    assert (moves(reading), reading.rest) == ("d7d6", (rest,))
    assert moves(read("5. 0-0 (5171)", P4712)) == moves(read("5171 (0-0)", P4712)) == "e1g1"
