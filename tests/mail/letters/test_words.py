"""The catalogues' reader: keys, plurals, dates."""

import re
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

import server.web
from mail.text.catalogue import LANGUAGES, Words
from tests.fakes.machinery.each import each, rows

DAY = date(2026, 11, 3)


@rows(
    "lang day short weekday",
    ("da", "3. november 2026", "3/11", "tirsdag den 3. november 2026"),
    ("en", "3 November 2026", "3/11", "Tuesday 3 November 2026"),
)
def test_dates_are_written_as_the_language_writes_them(lang, day, short, weekday):
    words = Words.load(lang)
    assert (words.day(DAY), words.short_day(DAY), words.weekday_day(DAY)) == (day, short, weekday)


@each(
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


QUOTED = {"da": "»[^»«]*«", "en": "“[^“”]*”", "sv": "”[^”]*”"}
"""How quotation marks stand in pairs: »Log ind«, “Sign in”, ”Logga in”."""
ON_PAPER = {"readings.why.receipt"}
OF_LETTERS = re.compile(
    r"(letters|digest|silences|postal|cards|takeovers|cases|case_refusals|duties|league|teams"
    r"|entries|cup|join|thread|bulk|readings)\."
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_one_kind_of_quotation_marks(lang):
    """Of what is written in it: Swedish borrows what it lacks."""
    file = files("mail") / "words" / lang
    for path in sorted(Path(str(file)).glob("*/*.toml")):
        rest = re.sub(QUOTED[lang], "", path.read_text("utf-8"))
        assert not re.search("[«»“”„]", rest), path
    for path in Path(server.web.__file__).parent.rglob("*.html"):
        assert not re.search("[«»]", re.sub(QUOTED["da"], "", path.read_text("utf-8"))), path


def test_what_comes_by_mail_is_a_mail_in_danish_and_a_letter_is_on_paper():
    """«Startbrev» is the regulation's word (§ 6.5.2.1), «e-mail» its name of a rule set."""
    texts = {key: text for key, text in Words.load("da").texts.items() if OF_LETTERS.match(key)}
    found = {key for key, text in texts.items() if re.search(r"(?i)\bbrev(e|et|ene)?\b", text)}
    assert found == ON_PAPER
    named = {key for key, text in texts.items() if re.search(r"(?i)\be-mail", text)}
    assert named == {"letters.rules.email"}
