"""The languages are the folders of mail/words; a language other than da and en may lack texts."""

import re
from datetime import date
from pathlib import Path

import pytest

from mail.grammar.keyword_lines import (
    Word,
    case_number,
    is_appeal,
    is_draw_offer,
    is_objection,
    may_be_appeal,
    nearly_keyword,
    read_keyword,
)
from mail.office_letters.bulletins import kroner
from mail.text.catalogue import (
    FACTS,
    LANGUAGES,
    Words,
    complete_texts,
    find_language_code,
    read_texts,
    spoken,
)

FOLDERS = {path.name for path in Path("mail/words").iterdir() if path.is_dir()}
PLACES = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_no_key_place_or_empty_text_that_english_has_not(lang):
    english, found = read_texts("en"), read_texts(lang)
    assert [key for key in found if key not in english or not found[key].strip()] == []
    filled = [{k: set(PLACES.findall(c[k])) for k in found} for c in (english, found)]
    assert [key for key in found if filled[0][key] != filled[1][key]] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_a_text_for_everything_by_falling_back(lang):
    assert {"da", "en"} & {lang, *FACTS[lang].falls_back}, "on one that is whole"
    loaded = Words.load(lang)
    assert [key for key in read_texts("en") if key.removesuffix(".one") not in loaded] == []
    own = read_texts(lang)
    assert {key: loaded.texts[key] for key in own} == own, "«league.cannot_start.few» was English"


def test_a_folder_is_a_language_and_no_folder_is_needed_twice():
    assert set(LANGUAGES) == FOLDERS
    assert len({facts.order for facts in FACTS.values()}) == len(FACTS)


def test_what_a_language_lacks_falls_back_as_whole_sentences():
    danish = {"a.hello": "Hej", "a.day.one": "{n} dag", "a.day.other": "{n} dage", "a.x": "Ja"}
    swedish = {"a.hello": "Hejsan", "a.day.other": "{n} dygn"}
    assert complete_texts(swedish, danish) == {**swedish, "a.x": "Ja"}
    assert complete_texts({"a.day.one": "ett dygn"}, danish) == danish, "half a plural is none"


def test_who_wants_a_language_that_we_lack_gets_the_default():
    assert (spoken("en"), spoken("xx")) == ("en", "da")
    assert Words.reaching("xx").lang == "da"
    assert (find_language_code("Engelsk"), find_language_code("klingon")) == ("en", None)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_keywords_that_a_language_shows_are_understood(lang):
    for line, word in FACTS[lang].keywords:
        read = read_keyword(line, date(2026, 7, 1))
        assert read is not None and read.word == word, line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_language_tells_its_readers_to_write_is_understood(lang):
    words, day = Words.load(lang), date(2026, 7, 1)
    told = {
        "draw": Word.DRAW_OFFER,
        "draw_yes": Word.DRAW_YES,
        "draw_no": Word.DRAW_NO,
        "resign": Word.RESIGN,
        "claim": Word.CLAIM_TIME,
        "admit": Word.ADMIT,
        "long_think": Word.LONG_THINK,
        "leave": Word.LEAVE,
        "leave_end": Word.LEAVE_END,
        "status": Word.STATUS,
        "help": Word.HELP,
        "yes": Word.YES,
    }
    for name, word in told.items():
        read = read_keyword(words(f"letters.word.{name}"), day)
        assert read is not None and read.word is word, name
    assert read_keyword(words("claims.word"), day).word is Word.RAISE_CASE
    assert is_draw_offer(words("letters.word.draw"))
    assert nearly_keyword(words("letters.word.resign") + " xx")
    appeal = words("cases.by_mail.word")
    assert is_appeal(f"Kære Jens,\n{appeal}\nBo") and may_be_appeal(f"xx {appeal}?")
    assert not is_appeal(appeal + "?"), "who asks does not appeal"
    assert is_objection(words("takeovers.word"))
    subject = words(
        "cases.subject", number="2026/12", news="Udtal dig.", about="K-26-01", question="?"
    )
    assert case_number(f"SV: {subject}") == "2026/12"


@pytest.mark.parametrize(
    ("lang", "said"), [("da", "1.500,00 kr."), ("en", "DKK1,500.00"), ("sv", "1 500,00 Dkr")]
)
def test_what_letters_write_of_money_is_left_in_a_locale(lang: str, said: str) -> None:
    """Babel's names that no text of ours needs go; those of an amount stay."""
    assert kroner(150_000, Words.load(lang)).replace("\xa0", " ") == said
