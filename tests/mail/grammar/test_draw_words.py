"""A draw offered with a move, in every way people write it, or asked about before the move goes."""

import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind, Word
from mail.grammar.read_text import read_text
from tests.mail.games import BLACK_TO_ANSWER, P4711, TODAY, game

OFFERS = (
    *("remis?", "Remis ?", "REMIS??", "draw?", "Remi?", "(=)", "(remis?)", "{draw?}"),
    *("jeg tilbyder remis", "Jeg vil gerne tilbyde remis.", "Hermed tilbydes remis"),
    *(
        "remistilbud",
        "Remistilbud!",
        "I offer a draw",
        "I would like to offer a draw",
        "draw offer",
    ),
    *("jag erbjuder remi", "Remianbud", "Jeg tilbyder dig hermed remis"),
)
UNCLEAR = (
    *("remis", "remi", "draw", "Skal vi sige remis?", "Jeg vil ikke tilbyde remis", "remis ja"),
    *("Tak for sidst! Skal vi sige remis? Ha ha.", "It is a draw, I think", "draw yes"),
    *(
        "Har du tilbudt remis?",
        "Det ligner remi",
        "oavgjort?",
        "Er det et remistilbud?",
        "nok remis",
    ),
    *("½", "½?", "½-½", "1/2-1/2", "0.5-0.5", "[=]", "rémis?", "_draw_"),
    *("Skal vi dele?", "Punktdeling?", "split the point?"),
)


def read(text: str) -> ParsedText:
    return read_text(text, P4711, today=TODAY)


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize("move", ["2. Nf3", "2. 7163", "Sf3", "1... c5 2. Sf3", "2. Nf3!"])
@pytest.mark.parametrize("between", [" ", ", ", "\n", "\n\nHej Bo\n"])
def test_a_draw_offered_with_a_move_goes_with_it(move: str, between: str, offer: str) -> None:
    """FIDE 9.1, C.12: and nothing of it is left over or goes on as talk."""
    reading = read(f"{move}{between}{offer}")
    assert [one.uci() for one in reading.moves] == ["g1f3"]
    assert reading.asks(Word.DRAW_OFFER)
    assert reading.rest == ()
    assert reading.message in ("", "Hej Bo")


@pytest.mark.parametrize("glued", ["7163(=)", "2. Nf3(=)", "Sf3 ( = )"])
def test_the_sign_of_the_laws_stands_close_to_the_move_or_apart(glued: str) -> None:
    reading = read(glued)
    assert reading.asks(Word.DRAW_OFFER)
    assert len(reading.moves) == 1


@pytest.mark.parametrize("line", UNCLEAR)
@pytest.mark.parametrize("text", ["2. Nf3\n{}", "{}\n2. Nf3", "2. Nf3 {}", "2. Nf3 ({})"])
def test_what_else_speaks_of_a_draw_is_asked_about_before_the_move_goes(text, line):
    reading = read(text.format(line))
    assert reading.moves == ()
    assert not reading.asks(Word.DRAW_OFFER)
    assert reading.problem is not None
    assert reading.problem.kind is ProblemKind.DRAW_UNCLEAR
    assert not reading.problem.is_invalid
    assert [one.uci() for one in reading.problem.candidates] == ["g1f3"]


@pytest.mark.parametrize("slip", ["reims?", "remsi?", "drwa?", "Jeg tilbyder reims", "ＲＥＭＩＳ?"])
def test_a_slip_of_the_pen_in_a_few_words_of_a_draw_is_asked_about(slip: str) -> None:
    for text in (f"2. Nf3\n{slip}", f"{slip}\n\n2. Nf3"):
        problem = read(text).problem
        assert problem is not None and problem.kind is ProblemKind.DRAW_UNCLEAR, text


@pytest.mark.parametrize("text", ["2. Nf3 1/2-1/2", "2. Nf3 (1/2-1/2)", "1... c5 2. Nf3, ½-½"])
def test_a_drawn_score_behind_a_move_is_no_sign_of_a_games_end(text: str) -> None:
    problem = read(text).problem
    assert problem is not None and problem.kind is ProblemKind.DRAW_UNCLEAR


@pytest.mark.parametrize("score", ["0-1", "1-0", "0 - 1"])
@pytest.mark.parametrize("text", ["2. Nf3 {}", "1... c5 2. Nf3 {}", "Sf3, {}", "2. Nf3 ({})"])
def test_a_score_that_the_move_does_not_bring_about_is_asked_about(text: str, score: str) -> None:
    """As in a program's game: it was thrown away, and the move sent."""
    problem = read(text.format(score)).problem
    assert problem is not None and problem.kind is ProblemKind.UNSURE and not problem.is_invalid
    assert [one.uci() for one in problem.candidates] == ["g1f3"]


def test_a_score_behind_a_mate_is_its_own() -> None:
    mated = game("f3 e5 g4")
    for score in ("0-1", "*", ""):
        assert len(read_text(f"2... Dh4# {score}", mated, today=TODAY).moves) == 1


@pytest.mark.parametrize("talk", ["God jul!", "Hej Bo", "Remouladen", "Tak for sidst", "Drama!"])
def test_a_few_other_words_are_no_slip_of_a_draw(talk: str) -> None:
    assert len(read(f"2. Nf3\n{talk}").moves) == 1


def test_an_offer_behind_the_opponents_move_is_a_record_of_his() -> None:
    """It is no offer of the writer's, so he is asked."""
    for text in ("1... c5 (=)\n2. Nf3", "1... c5 remis?\n2. Nf3", "1... c5 remis? 2. Nf3"):
        reading = read(text)
        assert not reading.asks(Word.DRAW_OFFER), text
        assert reading.problem is not None, text


def test_an_offer_goes_with_a_series_as_with_a_move() -> None:
    text = "12. 2425 1625 13. 1118 4818 (=)"
    reading = read_text(text, BLACK_TO_ANSWER, today=TODAY)
    assert len(reading.moves) == 3
    assert reading.asks(Word.DRAW_OFFER)
    unclear = read_text(text.replace("(=)", "\nremis"), BLACK_TO_ANSWER, today=TODAY)
    assert (unclear.moves, unclear.proposes) == ((), ())
