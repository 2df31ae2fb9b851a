"""What holds for every letter, in every language: complete text, same HTML, safe and threaded.

A subject begins with what happened (opponent, move, days left) and ends with the game's name in
brackets: a phone shows forty characters. References keep a game in one thread where a program
goes by them (docs/decisions/0017-letters.md).
"""

import email
import re
from dataclasses import replace
from datetime import date
from email import policy
from functools import cache
from html import unescape

import pytest

from kskak.statement.account import Live
from mail.compose import compose
from mail.game_letters.cast import ENVELOPE, GAME, KEY, LEADER, OTHER_KEY
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from mail.text.letter_facts import Person
from tests.fakes.machinery.each import each
from tests.mail.letters.said_by_the_operator import SAYS_OF_ACCOUNT

ALL = GAME_LETTERS | NOTICES
every_letter = each("name", ALL)
every_language = pytest.mark.parametrize("lang", LANGUAGES)
_OPERATORS = {"status", "help", "unclear", "sign_in", "alarm", "delivery", "delivery_postal"}
_OPERATORS |= {
    "year_ahead",
    "year_today",
    "year_late",
    "cup_round",
    "right_lapses",
    "cup_round_semi",
    "outage",
    "outage_mail",
    "week",
    "week_quiet",
}
_OPERATORS |= {"unwritten"}
_OPERATORS |= SAYS_OF_ACCOUNT.keys()


@cache
def written(name, lang):
    """A letter as its reader gets it, for tests that only read it."""
    return compose(ALL[name], Words.load(lang), ENVELOPE)


@cache
def said(name, lang):
    """The parts of such a letter."""
    return parts(written(name, lang))


def parts(mail):
    """(text, HTML reduced to its words), read back from the octets."""
    read = email.message_from_bytes(mail.as_bytes(), policy=policy.default)
    text = read.get_body(("plain",)).get_content().replace("\r\n", "\n")
    html = read.get_body(("html",)).get_content()
    body = re.sub(r"(?s)<head>.*?</head>", "", html)
    return text, unescape(re.sub(r"<[^>]+>", " ", body))


@every_language
@every_letter
def test_lines_are_short_and_only_addresses_may_be_longer(name, lang):
    text, _ = said(name, lang)
    assert [line for line in text.splitlines() if len(line) > 76 and " " in line.strip()] == []
    assert not re.search(r"[^\n\S ]", text), "blanks and line ends only"


@every_language
@every_letter
def test_the_html_says_everything_that_the_text_says(name, lang):
    text, html = said(name, lang)
    words = set(re.findall(r"\w{3,}", text))
    drawn_in_characters = set(re.findall(r"\w+", Words.load(lang)("letters.board.legend")))
    assert words - set(re.findall(r"\w{3,}", html)) - drawn_in_characters == set()


@every_language
@every_letter
def test_who_is_responsible_and_how_to_reach_him_is_in_both_parts(name, lang):
    for part in said(name, lang):
        if name in _OPERATORS:
            assert "Drift & Vagt" in part
            assert "drift@example.org" in part
        else:
            assert LEADER.name in part
            assert LEADER.email in part


@every_language
@every_letter
def test_no_place_of_a_text_is_left_unfilled(name, lang):
    for part in said(name, lang):
        assert not re.search(r"\{[a-z_]+\}", part)
        assert "None" not in part


@every_letter
def test_the_head_is_complete_and_machine_made(name, envelope):
    mail = written(name, "da")
    assert mail["From"] == "K-skak <parti@skak.example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["X-Loop"] == "skak.example.org"
    assert mail["Message-ID"] == envelope.message_id
    assert mail["Reply-To"].addresses[0].addr_spec == KEY
    assert mail["Date"].datetime == envelope.date
    assert "Return-Path" not in mail
    assert mail["List-Unsubscribe"] is None
    assert envelope.bounce_to not in mail.as_string()


def test_an_answer_says_that_it_is_one(envelope):
    mail = compose(ALL["illegal"], Words.load("da"), replace(envelope, is_answer=True))
    assert mail["Auto-Submitted"] == "auto-replied"


@every_language
def test_letters_of_a_game_share_its_name_and_thread(lang, envelope):
    answered = replace(envelope, in_reply_to="<his.own.mail@elsewhere.example>")
    mails = [compose(letter, Words.load(lang), answered) for letter in GAME_LETTERS.values()]
    for mail in mails:
        assert mail["Subject"].endswith(" [K-26-01/3]")
        assert mail["Subject"].startswith(("Åge Hansen", "Bo Jensen"))
    assert {mail["In-Reply-To"] for mail in mails} == {"<his.own.mail@elsewhere.example>"}
    assert {mail["References"] for mail in mails} == {
        "<4711@skak.example.org> <his.own.mail@elsewhere.example>"
    }


@every_language
def test_move_confirmation_and_reminder_are_told_apart_by_their_subjects(lang, envelope):
    """And the longest names leave room for what the letter is about."""
    names = ("relay", "confirmation", "repeated", "first_move", "illegal", "over")
    mails = [compose(GAME_LETTERS[name], Words.load(lang), envelope) for name in names]
    assert len({mail["Subject"] for mail in mails}) == len(names)
    long = replace(GAME, name="x" * 90, white=Person("Ø" * 200), black=Person("Z" * 200))
    relay = replace(GAME_LETTERS["relay"], game=long)
    assert len(compose(relay, Words.load(lang), envelope)["Subject"]) <= 200


@every_language
@pytest.mark.parametrize("late", (False, True))
def test_the_subject_of_a_relayed_move_says_who_moved_and_the_days_left(lang, late, envelope):
    """The days are those of the letter itself; none are promised to who has none left."""
    relay = GAME_LETTERS["relay"]
    if late:
        relay = replace(
            relay, account=replace(relay.account, live=Live(date(2027, 1, 26), 40, 40, 40, ()))
        )
    mail = compose(relay, Words.load(lang), envelope)
    turn = {
        "da": "2. Sf3 – du er i trækket",
        "en": "2. Nf3 – your move",
        "sv": "2. Sf3 – du är vid draget",
    }[lang]
    days = {"da": ", 39 dage", "en": ", 39 days", "sv": ", 39 dagar"}[lang]
    assert mail["Subject"] == f"Åge Hansen: {turn}{'' if late else days} [K-26-01/3]"
    if not late:
        assert days.strip(", ") in mail.get_body(("plain",)).get_content()


@every_language
def test_a_letter_that_waits_for_an_answer_says_so_in_its_subject(lang, envelope):
    words = Words.load(lang)
    for name in ("ask_back", "ask_leave", "held", "late_ask", "nothing", "ambiguous", "which"):
        subject = compose(GAME_LETTERS[name], words, envelope)["Subject"]
        assert "? [" in subject, name
    subject = compose(GAME_LETTERS["meant"], words, envelope)["Subject"]
    asked = {"da": "mener du 2... Sc6?", "en": "did you mean 2... Nc6?", "sv": "menar du 2... Sc6?"}
    assert asked[lang] in subject


SAYS_OWN = {
    "da": ("Du er i trækket.", "er i trækket"),
    "en": ("It is your move.", "to move"),
    "sv": ("Du är vid draget.", "är vid draget"),
}


@every_language
def test_the_reader_who_is_to_move_is_told_so_and_not_his_colour(lang, envelope):
    own, others = SAYS_OWN[lang]
    coloured = {"da": "Sort er i trækket", "en": "Black is to move", "sv": "Svart är vid draget"}
    for name in ("relay", "repeated", "illegal", "reminder"):
        for part in parts(compose(GAME_LETTERS[name], Words.load(lang), envelope)):
            assert own in part, name
            assert coloured[lang] not in part
    told = compose(GAME_LETTERS["confirmation"], Words.load(lang), envelope)
    assert all(others in part for part in parts(told)), "the opponent is called by his colour"


@every_language
def test_all_moves_stand_in_both_parts_and_nothing_is_kept_from_wrapping(lang, envelope):
    mail = compose(GAME_LETTERS["relay_later"], Words.load(lang), envelope)
    html = mail.get_body(("html",)).get_content()
    assert "<pre" not in html
    line = re.search(r'<p class="moves">([^<]*)</p>', html)
    assert line is not None
    plain = mail.get_body(("plain",)).get_content()
    assert " ".join(line[1].split()) in " ".join(plain.split())
    assert '<table class="record">' in html


def test_the_mail_that_opens_a_thread_refers_to_nothing(envelope):
    root = replace(envelope, thread_root=envelope.message_id)
    mail = compose(ALL["first_move"], Words.load("da"), root)
    assert mail["In-Reply-To"] is None
    assert mail["References"] is None


@every_language
@every_letter
def test_another_ones_key_is_nowhere(name, lang):
    """The relay's message holds White's key; nobody must get it (M2, I04)."""
    assert all(OTHER_KEY not in part and "zzzz7777" not in part for part in said(name, lang))


@every_letter
def test_without_a_reply_address_no_letter_asks_for_an_answer_above_a_line(name, envelope):
    mail = compose(ALL[name], Words.load("da"), replace(envelope, reply_to=None))
    assert all("over denne linje" not in part for part in parts(mail))


@each("name", sorted(GAME_LETTERS))
def test_the_picture_is_inside_the_mail_and_small(name):
    mail = written(name, "da")
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    html = mail.get_body(("html",)).get_content()
    for picture in pictures:
        assert len(picture.get_content()) <= 40_000
        assert picture["Content-ID"].strip("<>") in html
        assert re.search(r'<img src="cid:[^"]+"[^>]+alt="Hvid: [^"]+\. Sort: [^"]+"', html)
    assert len(pictures) == html.count("<img ")
    assert not re.search(r'(src|background)="https?:', html), "nothing is fetched from elsewhere"


@each("name", sorted(GAME_LETTERS))
def test_html_from_people_is_text(name, envelope):
    letter = GAME_LETTERS[name]
    evil = replace(letter.game.white, name="<b>Åge</b><script>")
    letter = replace(letter, game=replace(letter.game, white=evil))
    html = compose(letter, Words.load("da"), envelope).get_body(("html",)).get_content()
    assert "&lt;b&gt;" in html
    assert "<script" not in html
    assert "<b>" not in html


@every_letter
def test_where_its_first_paragraph_is_read_stands_once_below_it(name):
    """§ 6.3.3.1: the address of the regulation's document, in a letter that cites one."""
    text = said(name, "da")[0]
    above, below = text.rsplit("-" * 40, 1)
    cited = re.findall(r"§\s(\d+(?:\.\d+)+)", above)
    found = re.findall(r"§\s([\d.]+)\s+her:\s+(\S+)", below)
    assert bool(cited) is bool(found)
    for number, address in found:
        assert number in cited and address == f"{ENVELOPE.law}/{number}"
    assert len(found) <= 1
    bare = replace(ENVELOPE, law="")
    assert "/regulation/" not in parts(compose(ALL[name], Words.load("da"), bare))[0]
