"""Letters write moves as their reader wishes; numbers stay where § 6.2.2 has them."""

import pytest

from kskak.board.shapes import MoveNotation
from mail.compose import compose
from mail.grammar.read_text import read_text
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from tests.fakes.machinery.draws import turns
from tests.mail.games import TODAY, game
from tests.mail.letters.test_every_letter import parts

LAST = {
    MoveNotation.LETTERS: "2. 7163 (Sf3)",
    MoveNotation.DANISH: "2. 7163 (Sf3)",
    MoveNotation.ENGLISH: "2. 7163 (Nf3)",
    MoveNotation.FIGURINES: "2. 7163 (♘f3)",
    MoveNotation.LONG: "2. 7163 (Sg1-f3)",
}


def _text(name: str, envelope: object, writing: MoveNotation, lang: str = "da") -> str:
    words = Words.load(lang).wishing(writing)
    return " ".join(parts(compose(GAME_LETTERS[name], words, envelope))[0].split())


@pytest.mark.parametrize(("writing", "shown"), LAST.items())
def test_a_move_stands_in_numbers_with_the_readers_writing_beside(writing, shown, envelope):
    assert shown in _text("reminder", envelope, writing)


def test_who_wants_numbers_gets_each_move_once(envelope):
    text = _text("reminder", envelope, MoveNotation.NUMERIC)
    assert "2. 7163" in text
    assert "(Sf3)" not in text


def test_the_record_of_the_game_follows_and_the_iccf_table_stays_in_numbers(envelope):
    text = _text("relay", envelope, MoveNotation.FIGURINES)
    assert "1. e4 e5 2. ♘f3" in text
    assert "5254" in text
    assert "1. 5254 5755" in _text("relay", envelope, MoveNotation.NUMERIC)


@pytest.mark.thinned
@pytest.mark.parametrize("writing", MoveNotation)
def test_every_letter_can_be_written_in_every_writing(writing, envelope):
    """In each run in one language by turns."""
    for turn, name in enumerate(GAME_LETTERS, tuple(MoveNotation).index(writing)):
        for lang in turns(LANGUAGES, turn):
            assert _text(name, envelope, writing, lang), (name, lang)


CHOSEN = {
    MoveNotation.LETTERS: ("2. Sf3 (7163)", "2. Sf3 (dit træk)", "b5 0axb5 13. Txa8"),
    MoveNotation.ENGLISH: ("2. Nf3 (7163)", "2. Nf3 (dit træk)", "b5 0axb5 13. Rxa8"),
    MoveNotation.LONG: ("2. Sg1-f3 (7163)", "2. Sg1-f3 (dit træk)", "13. Ta1xa8"),
    MoveNotation.NUMERIC: ("2. 7163", "2. 7163 (dit træk)", "1625"),
}


@pytest.mark.parametrize(("writing", "shown"), CHOSEN.items())
def test_the_notation_that_the_player_chose_leads(writing, shown, envelope):
    """What is told, what he may copy into his answer, and the candidates of a question."""
    words = Words.load("da").wishing(writing, leads=True)
    text = " ".join(parts(compose(GAME_LETTERS["reminder"], words, envelope))[0].split())
    assert shown[0] in text and shown[1] in text
    meant = " ".join(parts(compose(GAME_LETTERS["meant"], words, envelope))[0].split())
    assert ("2... 2836 (Sc6)" in meant) is False
    help_said = " ".join(parts(compose(NOTICES["help"], words, envelope))[0].split())
    assert shown[2].split()[-1] in help_said


@pytest.mark.parametrize("writing", MoveNotation)
def test_what_a_letter_prints_is_read_again(writing, envelope):
    """A line copied from a letter plays, with its own move put in place of the words."""
    words = Words.load("da").wishing(writing, leads=True)
    text = parts(compose(GAME_LETTERS["reminder"], words, envelope))[0]
    line = next(one for one in text.splitlines() if "(dit træk)" in one and "2. " in one)
    line = line.split("  d")[0].strip()
    position = game("e4 e5 Nf3")
    for own in ("(Sc6)", "Sc6", "(2836)"):
        read = read_text(line.replace("(dit træk)", own), position, today=TODAY)
        assert [move.uci() for move in read.moves] == ["b8c6"], line
        assert read.rest == ()
