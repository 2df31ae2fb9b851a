"""No letter of ours, sent back bare in whatever fold, leaves a word that could be the player's."""

import textwrap

import pytest

from mail.compose import compose
from mail.incoming.inbound import letter_texts
from mail.incoming.quoting import own_words, without_letter
from mail.samples.cast import ENVELOPE
from mail.samples.every import GAME_LETTERS, NOTICES
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from tests.fakes.machinery.each import each

ALL = GAME_LETTERS | NOTICES


def _folded(text: str, width: int) -> str:
    return "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.split("\n"))


@pytest.mark.parametrize("lang", LANGUAGES)
@each("name", ALL)
def test_nothing_of_it_is_left_and_what_he_wrote_above_and_below_is(name: str, lang: str) -> None:
    shown = letter_texts(compose(ALL[name], Words.load(lang), ENVELOPE).as_bytes())
    assert len(shown) == 2
    for text in shown:
        folds = (_folded(text, width) for width in (60, 72))
        for fold in (text, " ".join(text.split()), *folds):
            assert own_words(without_letter(fold, shown)) == "", name
            both = without_letter(f"12. Sf3 remis?\n\n{fold}\n\nHilsen fra mig", shown)
            assert own_words(both).split("\n\n")[0] == "12. Sf3 remis?", name
            assert "Hilsen fra mig" in both, name


def test_a_players_own_lines_that_stand_in_the_letter_too_are_his() -> None:
    shown = (
        "Skriv dit træk:\n\n12. 2425 1625 13. 1118 2718 14. 4244\n\nremis?\n\nHilsen serveren",
    )
    for own in (
        "12. 2425 1625 13. 1118 2718 14. 4244",
        "remis?",
        "Skriv dit træk:",
        "12. 2425 1625",
    ):
        for text in (own, f"Hej Bo\n\n{own}\n\nGod jul", f"{own}\n\nGod jul og godt nytår til jer"):
            assert without_letter(text, shown) == text
