"""Letters write moves as their reader wishes; numbers stay where § 6.2.2 has them."""

import pytest

from kskak.printing import Writing
from mail.compose import compose
from mail.words import LANGUAGES, Words

from .conftest import GAME_LETTERS
from .test_every_letter import parts

LAST = {
    Writing.LETTERS: "2. 7163 (Sf3)",
    Writing.DANISH: "2. 7163 (Sf3)",
    Writing.ENGLISH: "2. 7163 (Nf3)",
    Writing.FIGURINES: "2. 7163 (♘f3)",
    Writing.LONG: "2. 7163 (Sg1-f3)",
}


def _text(name: str, envelope: object, writing: Writing, lang: str = "da") -> str:
    words = Words.load(lang).wishing(writing)
    return " ".join(parts(compose(GAME_LETTERS[name], words, envelope))[0].split())


@pytest.mark.parametrize(("writing", "shown"), LAST.items())
def test_a_move_stands_in_numbers_with_the_readers_writing_beside(writing, shown, envelope):
    assert shown in _text("reminder", envelope, writing)


def test_who_wants_numbers_gets_each_move_once(envelope):
    text = _text("reminder", envelope, Writing.NUMERIC)
    assert "2. 7163" in text
    assert "(Sf3)" not in text


def test_the_record_of_the_game_follows_and_the_iccf_table_stays_in_numbers(envelope):
    text = _text("relay", envelope, Writing.FIGURINES)
    assert "1. e4 e5 2. ♘f3" in text
    assert "5254" in text
    assert "1. 5254 5755" in _text("relay", envelope, Writing.NUMERIC)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAME_LETTERS)
def test_every_letter_can_be_written_in_every_writing(name, lang, envelope):
    for writing in Writing:
        assert _text(name, envelope, writing, lang)
