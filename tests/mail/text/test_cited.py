"""§ 19 of 4.1 and § 9 of the laws are cited as a handbook has them; FIDE's articles by edition."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kskak.groups.crosstables import rules_of_class
from kskak.regulation.editions import Regulation
from mail.office_letters.start_letters import StartLetter
from mail.text.catalogue import LANGUAGES, Words

WORDS = Path(__file__).parents[3] / "mail/words"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_cites_a_number_that_no_handbook_has(lang: str) -> None:
    """By value, too: what a rule names by its section's number comes out as the handbook's."""
    for file in (WORDS / lang).rglob("*.toml"):
        text = file.read_text()
        assert not re.search(r"§ (?:1\.3\.9|4\.1\.19)", text), file
        for found in re.finditer(r"FIDE \d\.\d", text):
            assert text[found.end()] == ",", (file, text[found.start() : found.end() + 20])
    words = Words.load(lang)
    assert "§ 9" in words.cite("§ 1.3.9") and "§ 19" in words.cite("§ 4.1.19")
    assert "4.1.19" not in words.cite("§ 4.1.19, § 6.4.1") and "1.3" not in words.cite("§ 1.3.10")
    theme = words(f"placing.rules.{rules_of_class('theme').value}")
    assert "§" not in theme and rules_of_class("K") == "emt"


def test_a_paragraph_given_as_a_value_is_cited_so_too() -> None:
    """The Danish refusal of a vote, whose paragraph is a rule's own."""
    words = Words.load("da")
    cited = words("tables.nobody", title="X", paragraph="4.1.19")
    assert "§ 19 i 4.1" in cited and "4.1.19" not in cited


@pytest.mark.parametrize("lang", LANGUAGES)
def test_6_2_1_a_postal_start_letter_names_what_may_not_be_used(lang: str) -> None:
    """§ 6.2.1: no franking machine, no B-post; nothing of it where games go by e-mail."""
    words, letter = Words.load(lang), StartLetter.samples()["start"]
    postal = replace(letter, group=replace(letter.group, regulation=Regulation.POSTAL))
    assert ["B-post" in str(one.on_paper(words)) for one in (letter, postal)] == [False, True]
    assert "B-post" in words("cards.desk.lede")
