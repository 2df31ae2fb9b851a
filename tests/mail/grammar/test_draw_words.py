"""A draw offered with a move, in every way people write it, or asked about before the move goes."""

import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind, Word
from mail.grammar.read_text import read_text
from tests.mail.games import BLACK_TO_ANSWER, P4711, TODAY

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
def test_what_else_speaks_of_a_draw_is_asked_about_before_the_move_goes(
    text: str, line: str
) -> None:
    reading = read(text.format(line))
    assert reading.moves == ()
    assert not reading.asks(Word.DRAW_OFFER)
    assert reading.problem is not None
    assert reading.problem.kind is ProblemKind.DRAW_UNCLEAR
    assert not reading.problem.is_invalid
    assert [one.uci() for one in reading.problem.candidates] == ["g1f3"]


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
