"""The catalogues' reader: keys, plurals, dates."""

import re
from datetime import date

import pytest

from mail.text.catalogue import LANGUAGES, Words

DAY = date(2026, 11, 3)


@pytest.mark.parametrize(
    ("lang", "day", "short", "weekday"),
    [
        ("da", "3. november 2026", "3/11", "tirsdag den 3. november 2026"),
        ("en", "3 November 2026", "3/11", "Tuesday 3 November 2026"),
    ],
)
def test_dates_are_written_as_the_language_writes_them(lang, day, short, weekday):
    words = Words.load(lang)
    assert (words.day(DAY), words.short_day(DAY), words.weekday_day(DAY)) == (day, short, weekday)


@pytest.mark.parametrize(
    ("lang", "count", "text"),
    [("da", 0, "0 dage"), ("da", 1, "1 dag"), ("da", 2, "2 dage"), ("en", 1, "1 day"),
     ("en", 0, "0 days"), ("en", 21, "21 days")],
)  # fmt: skip
def test_plurals_follow_the_language(lang, count, text):
    assert Words.load(lang)("statement.days", n=count) == text


def test_an_unknown_key_an_unfilled_place_and_a_strange_language_are_errors():
    words = Words.load("da")
    for call in (lambda: words("letters.nothing"), lambda: words("letters.greeting")):
        with pytest.raises(KeyError):
            call()
    with pytest.raises(KeyError):
        Words.load("xx")
    assert "letters.nothing" not in words
    assert "statement.days" in words


def test_braces_in_a_value_stay_braces():
    assert Words.load("da")("letters.greeting", name="{x} {0}") == "Kære {x} {0}"


def test_a_language_is_read_once():
    assert all(Words.load(lang) is Words.load(lang) for lang in LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_and_cause_has_its_words(lang):
    from kskak.game.game_commands import Reason
    from kskak.reflection import AccountRemark as Warned
    from kskak.regulation.days import Cause
    from kskak.regulation.editions import Ending
    from kskak.regulation.editions import OverstepFinding as Finding
    from mail.game_letters.no_move_letters import ConfirmableAction as Question
    from mail.game_letters.no_move_letters import MailHoldKind as Held
    from mail.game_letters.no_move_letters import MailTrouble as Trouble
    from mail.office_letters.service_letters import Alarm
    from mail.office_letters.start_letters import GameListRequest as Asked

    families = {
        "refusals": Reason, "statement.cause": Cause, "statement.warning": Warned,
        "statement.overstep": Finding, "letters.trouble": Trouble, "letters.ended": Ending,
        "letters.trouble_subject": Trouble, "letters.held": Held, "letters.ask": Question,
        "letters.over_subject": Ending, "letters.ask_subject": Question,
        "letters.ask_yes": Question, "letters.list": Asked, "letters.alarm": Alarm,
    }  # fmt: skip
    words = Words.load(lang)
    missing = [f"{f}.{m}" for f, e in families.items() for m in e if f"{f}.{m}" not in words]
    assert missing == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_full_stop_is_never_doubled(lang):
    """A value that ends with one, as «540,00 kr.», brings the sentence's own with it."""
    words = Words.load(lang)
    for key, text in words.texts.items():
        names = set(re.findall(r"\{(\w+)\}", text))
        said = Words(lang, words.locale, {key: text})(key, **dict.fromkeys(names, "kr."))
        assert said.count("..") == text.count(".."), key
    kept = Words(lang, words.locale, {"a.b": "{x}. {x}, {y}."})
    assert kept("a.b", x="1...", y="2") == "1.... 1..., 2."
    assert kept("a.b", x="kr.", y="år.") == "kr. kr., år."
