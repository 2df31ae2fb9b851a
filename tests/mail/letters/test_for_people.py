"""Letters for somebody of 75: short, one question, one button, what to do next, the own rules."""

import re
from dataclasses import fields, replace
from datetime import date

import pytest

from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.play.evolve_game import replay
from kskak.regulation.editions import EMAIL, POSTAL, Regulation, Side, rules_of
from kskak.statement.account import account
from mail.compose import compose
from mail.game_letters import cast
from mail.game_letters.card_letters import _CardLetter
from mail.game_letters.move_letters import Confirmation, GameOver, Reaches, Relay
from mail.game_letters.no_move_letters import HEARD, MailTrouble, NotMade
from mail.outgoing.blocks import BoardView, Quote, as_text
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from mail.text.letter_facts import dispatch_of
from tests.fakes.machinery.each import each
from tests.mail.letters.test_every_letter import parts, said
from tests.mail.letters.test_every_letter import written as sample

every_language = pytest.mark.parametrize("lang", LANGUAGES)
ANSWERS = {name: one for name, one in GAME_LETTERS.items() if isinstance(one, NotMade)}
LEAFLET = {
    "da": "en trækserie (eksempel)",
    "en": "a series (example)",
    "sv": "en dragserie (exempel)",
}
DAY_AFTER = {"da": "(dagen efter, {})", "en": "(the day after, {})", "sv": "(dagen efter, {})"}


def flat(text):
    return re.sub(r"[\s>]+", " ", text)


def content(text):
    """The lines between the line to answer above and the foot, without the board."""
    inner = text.partition("---\n")[2].partition("-" * 40)[0]
    return [line for line in inner.splitlines() if line.strip()]


def written(letter, lang="da", **more):
    return compose(letter, Words.load(lang), replace(cast.ENVELOPE, **more))


def under(letter, regulation):
    """The same letter of a game under another rule set, if what happened can be so."""
    old = letter.account
    rule = rules_of(regulation).paragraphs.faulty
    charges = tuple(replace(one, paragraph=rule) for one in old.charges)
    state = replace(old.state, terms=replace(old.terms, regulation=regulation))
    made = replace(letter, account=replace(old, state=state, charges=charges))
    if isinstance(made, NotMade) and made.charge is not None:
        made = replace(made, charge=replace(made.charge, paragraph=rule))
    return made


# Short: budgets of words and lines.


@every_language
def test_a_confirmation_has_ten_lines(lang):
    """Of a plain move: what was sent, what it cost, who is to move until when, the page."""
    for uci in ("e2e4", "d2d4", "g1f3"):
        event = cast.move(Side.WHITE, uci, 30, 11)
        told = dispatch_of(replay(cast.TERMS, ()).position, event)
        for reaches in Reaches:
            letter = Confirmation(cast.GAME, cast.acc(event), told, reaches=reaches)
            lines = content(said_of(letter, lang))
            assert len(lines) <= (10 if reaches is Reaches.MAIL else 11), lines


def said_of(letter, lang="da"):
    return parts(written(letter, lang))[0]


@every_language
@each("name", ANSWERS)
def test_an_answer_to_what_was_no_move_is_short(name, lang):
    """Without board, foot and the reader's own words: 160 words; it was 400 and more."""
    made = ANSWERS[name].write(Words.load(lang), cast.ENVELOPE)
    kept = tuple(one for one in made.blocks if not isinstance(one, BoardView | Quote))
    text = as_text(replace(made, blocks=kept, foot=()), lang)
    assert len(text.split()) <= 160, text


@every_language
@each("name", ANSWERS)
def test_it_asks_at_most_one_question_and_has_one_button(name, lang):
    mail = written(ANSWERS[name], lang)
    html = mail.get_body(("html",)).get_content()
    assert html.count('class="button') == 1
    assert html.count('class="due"') <= 1, "a question has the only box"
    body = re.sub(r"(?s)<blockquote>.*?</blockquote>|<code>.*?</code>|<head>.*?</head>", "", html)
    shown = re.sub(r"<[^>]+>|»[^«]*«|[“”][^”]*”", " ", body)
    shown = shown.replace(re.search(r'(?s)class="preview">(.*?)</div>', html)[1], "", 1)
    assert len(re.findall(r"\?(?=\s)", shown)) <= 1, shown


@every_language
def test_who_asked_for_something_else_is_not_told_that_no_move_was_made(lang):
    words = Words.load(lang)
    for why in HEARD:
        letter = NotMade(cast.GAME, cast.so_far(), Side.BLACK, why, "ferie i uge 52")
        mail = written(letter, lang)
        assert words(f"letters.trouble_subject.{why.value}") in mail["Subject"]
        text, _ = parts(mail)
        assert "ferie i uge 52" in text
        assert flat(words("letters.not_made.free")) not in flat(text), "nobody spoke of days"
        assert (
            flat(words("letters.question.move", last="")).split()[0] not in flat(text).split()[:9]
        )


# Whose turn it is: who has moved is told that his move binds.

OUT_OF_TURN = [
    MailTrouble.NOT_UNDERSTOOD,
    MailTrouble.AMBIGUOUS,
    MailTrouble.WRONG_NUMBER,
    MailTrouble.UNSURE,
    MailTrouble.SPENT_KEY,
    MailTrouble.NOT_YOUR_TURN,
    Refusal(Reason.NOT_YOUR_TURN),
    Refusal(Reason.STALE),
]


@every_language
@each("why", OUT_OF_TURN)
def test_who_is_not_to_move_is_told_that_his_move_binds(why, lang):
    words, rule = Words.load(lang), {Regulation.EMAIL: "§ 6.8.4", Regulation.POSTAL: "§ 6.2.4"}
    for regulation, binds in rule.items():
        letter = under(NotMade(cast.GAME, cast.so_far(), Side.WHITE, why, "12. Tf3"), regulation)
        mail = written(letter, lang)
        text = flat(parts(mail)[0])
        san = "Nf3" if lang == "en" else "Sf3"
        assert words("letters.not_made.binds", move=f"2. 7163 ({san})", binds=binds) in text
        assert f"2. {san}" in mail["Subject"]
        assert "12. Tf3" in text, "what he wrote is shown"
        assert words("letters.answer.address") not in text, "nothing to answer"


def test_before_his_first_move_he_is_told_who_begins():
    letter = NotMade(cast.GAME, cast.acc(), Side.BLACK, MailTrouble.NOT_UNDERSTOOD)
    text = flat(said_of(letter))
    assert "Åge Hansen er i trækket. Du får en mail, når det er din tur." in text
    assert "binder" not in text


def test_who_is_to_move_is_asked_what_he_answers():
    letter = NotMade(cast.GAME, cast.so_far(), Side.BLACK, MailTrouble.SPENT_KEY)
    text = flat(said_of(letter))
    assert "allerede besvaret" in text
    assert "Hvad svarer du på 2. 7163 (Sf3)?" in text
    assert cast.KEY in text


def test_in_a_finished_game_every_unread_mail_is_told_the_result():
    over = cast.acc(*cast.EVENTS[:3], ev.PlayerResigned(Side.BLACK, date(2026, 12, 5)))
    letter = NotMade(cast.GAME, over, Side.BLACK, MailTrouble.NOT_UNDERSTOOD, "Sc6")
    text = flat(said_of(letter))
    assert "Partiet er slut: 1-0." in text
    assert "er i trækket" not in text


# The leaflet: in full until the reader has made two moves in the game.


@every_language
def test_the_leaflet_is_a_line_once_the_reader_has_made_two_moves(lang):
    sent = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
    moves = [
        cast.move(side, uci, 1 + at)
        for at, (side, uci) in enumerate(zip((Side.WHITE, Side.BLACK) * 3, sent, strict=True))
    ]
    words, seen = Words.load(lang), []
    for ply in range(1, len(moves) + 1):
        told = dispatch_of(replay(cast.TERMS, moves[: ply - 1]).position, moves[ply - 1])
        text = flat(said_of(Relay(cast.GAME, cast.acc(*moves[:ply]), told), lang))
        seen.append(LEAFLET[lang] in text)
        assert (words("letters.answer.short") in text) is not seen[-1]
        assert cast.KEY in text
        assert words("letters.word.help") in text, "what brings it is always named"
    assert seen == [True, True, True, False, False, False]


def test_the_line_keeps_what_only_this_position_has():
    """A standing series and an offer are answered by lines that the reader can't guess."""
    bishop, knight = cast.move(Side.WHITE, "f1b5", 9), cast.move(Side.BLACK, "b8c6", 8)
    offer = replace(bishop, proposes=cast.moves("a7a6", "b5a4"), offers_draw=True)
    events = (*cast.EVENTS[:2], cast.move(Side.WHITE, "g1f3", 4), knight, offer)
    told = dispatch_of(replay(cast.TERMS, events[:4]).position, offer)
    text = flat(said_of(Relay(cast.GAME, cast.acc(*events), told)))
    assert LEAFLET["da"] not in text
    for line in ("3... 1716", "3... 1716 4. 2514 (dit træk)", "remis ja", "remis nej"):
        assert line in text


# A draw that would be refused is not offered (FIDE 5.2).


@every_language
def test_no_draw_is_offered_that_the_laws_refuse(lang):
    words = Words.load(lang)
    yes, offer = (words(f"letters.means.{one}") for one in ("draw_yes", "draw"))
    first = flat(said("first_move", lang)[0])
    assert offer not in first, "White's offer with his first move can't be accepted"
    early = flat(said("relay_first", lang)[0])
    assert yes not in early
    assert flat(words("letters.draw.offered.early")) in early
    laws = replace(cast.TERMS, laws_year=2009)
    old = Relay(cast.GAME, account(laws, (cast.OFFER,)), cast.dispatch_of_offer())
    assert yes in flat(said_of(old, lang)), "older laws let it be"
    assert offer in flat(said_of(Relay(cast.GAME, cast.acc(cast.E4), cast.dispatch(0)), lang))


# The day after (§ 6.8.6, § 6.3.2.1).


@every_language
def test_a_day_counted_later_than_the_sending_says_so(lang):
    for name in ("relay", "confirmation", "nothing"):
        assert DAY_AFTER[lang].format("§ 6.8.6") in flat(said(name, lang)[0])
    assert "6.8.6)" not in flat(said("first_move", lang)[0]).split("30")[-1]


def test_a_day_that_was_stated_or_ruled_is_no_day_after():
    reported = cast.acc(*cast.EVENTS[:3], ev.MoveReceived(Side.BLACK, date(2026, 12, 6)))
    letter = Relay(cast.GAME, reported, cast.dispatch(2))
    text = flat(said_of(letter))
    assert "Tiden regnes fra den 6. december 2026." in text
    assert "dagen efter, §" not in text


# Results.


@every_language
def test_a_letter_about_a_finished_game_says_of_nobody_that_it_is_his_turn(lang):
    """Also where it ended before the first move, or on a card."""
    words = Words.load(lang)
    resigned = ev.PlayerResigned(Side.WHITE, date(2026, 12, 1))
    letters = {name: one for name, one in GAME_LETTERS.items() if one.account.state.result}
    letters["unplayed"] = GameOver(cast.GAME, cast.acc(resigned), Side.WHITE)
    assert letters.keys() >= {"over", "over_leader", "over_agreed", "taken_over", "card_end"}
    turns = [words("letters.turn_own")]
    turns += [words("letters.turn_of", by=words(f"statement.{side}")) for side in Side]
    for name, letter in letters.items():
        for part in parts(written(letter, lang)):
            assert not any(turn in flat(part) for turn in turns), name


@every_language
def test_an_agreed_draw_is_named_as_agreed_and_a_claimed_one_as_claimed(lang):
    words = Words.load(lang)
    agreed = GAME_LETTERS["over_agreed"]
    assert words("letters.ended.agreed") in flat(said_of(agreed, lang))
    claimed = replace(agreed, is_agreed=False)
    assert words("letters.ended.draw") in flat(said_of(claimed, lang))
    subjects = {written(one, lang)["Subject"] for one in (agreed, claimed)}
    assert len(subjects) == 2


# Late letters say «du» to who is late.


@every_language
def test_who_is_late_is_spoken_to(lang):
    own = {
        "da": ("Du har overskredet", "Du overskred"),
        "sv": ("Du har överskridit", "Du överskred"),
    }
    you = own.get(lang, ("You have overstepped", "You overstepped"))
    text = flat(said("overstep_late", lang)[0])
    assert all(one in text for one in you)
    for name in ("overstep_late", "claim"):
        lead = content(said(name, lang)[0])[1:4]
        assert "Bo Jensen" not in " ".join(lead), "not as of somebody else"
    assert re.search(r"\b(du|you) ", flat(said("claim", lang)[0]))


# Subjects.


@every_language
def test_every_subject_about_a_game_says_what_it_is_about(lang):
    """After whom it is about, before the game's name; a case with its question, game and names."""
    for name, letter in GAME_LETTERS.items():
        subject = sample(name, lang)["Subject"]
        who = "Åge Hansen – Bo Jensen" if letter.to is None else letter.name(letter.to.other)
        assert re.fullmatch(rf"{re.escape(who)}: \S.* \[K-26-01/3\]", subject), name
    for name in ("thread", "not_sent"):
        assert re.fullmatch(
            r"Bo Jensen: \S.* \[K-26-01/3\]", written(NOTICES[name], lang)["Subject"]
        )
    for name in ("case_opened", "decided_tl"):
        subject = written(NOTICES[name], lang)["Subject"]
        question = Words.load(lang)("cases.question.overstep_black")
        assert "2026/12]" in subject
        assert subject.endswith(f"Åge Hansen – Bo Jensen, K-26-01/3: {question}")
    for name in ("leave", "leave_told", "leave_refused"):
        assert re.search(r"8/1.*15/1", written(NOTICES[name], lang)["Subject"]), name


def test_a_case_with_long_names_still_has_a_subject():
    letter = NOTICES["case_opened"]
    names, games = ("X" * 90, "Y" * 90, "Z"), ("P" * 90, "Q")
    case = replace(letter.case, parties=names, games=games, question="W" * 300)
    subject = written(replace(letter, case=case))["Subject"]
    assert len(subject) <= 200
    assert "K-26-01" in subject, "of several games the group is named"


# Paragraphs are values of the game's rule set (issue 38, 11).

_WITHOUT_TWIN = {"6.2.1", "6.4.1"}
"""Said of cases, receipts and addresses under both rule sets."""
POSTAL_ONLY = {
    getattr(POSTAL.paragraphs, field.name)
    for field in fields(POSTAL.paragraphs)
    if getattr(POSTAL.paragraphs, field.name) != getattr(EMAIL.paragraphs, field.name)
} - _WITHOUT_TWIN
_OF_BOTH = {"6.3.4", "6.3.2", "6.3.6", "6.4.3"}
"""Notice of a long think is § 6.3.4 under both, and that leave stops the time § 6.3.6; what a
postmark proves is asked of any date, and § 6.4.3 has what § 6.8.10 leaves out."""


@each("name", sorted(GAME_LETTERS))
def test_a_postal_letter_cites_postal_paragraphs_and_a_mailed_one_its_own(name):
    letter = GAME_LETTERS[name]
    for lang in LANGUAGES:
        text = flat(said_of(under(letter, Regulation.POSTAL), lang))
        assert re.findall(r"§ 6\.8[.\d]*", text) == []
        if isinstance(letter, _CardLetter) or name.startswith("taken_"):
            continue
        text = flat(said_of(under(letter, Regulation.EMAIL), lang))
        cited = set(re.findall(r"§ (\d+(?:\.\d+)+)", text))
        assert cited & (POSTAL_ONLY - _OF_BOTH) == set()


@each("reason", Reason)
def test_a_refusal_cites_the_games_own_rule_set(reason):
    of_mail, of_post = (reason.cited(one) for one in (Regulation.EMAIL, Regulation.POSTAL))
    assert not of_post.startswith("6.8.") or reason in (Reason.NOT_POSTAL, Reason.SPECIAL_QUOTA)
    assert of_mail not in (POSTAL_ONLY - _OF_BOTH) or reason.value.startswith("card_")


@every_language
def test_no_text_of_a_letter_names_a_paragraph_of_one_rule_set(lang):
    """Such as § 6.8.4, which a postal game does not know: the texts have a place for it."""
    texts = Words.load(lang).texts
    rooms = ("letters.", "silences.", "postal.", "takeovers.", "digest.", "claims.")
    known = {
        "letters.rules.email",
        "letters.start.invalid.email",
        "letters.leave.ask",  # in games of both
        *(f"letters.delivery.{x}" for x in ("trying", "final", "reported")),
    }
    found = {key for key, text in texts.items() if key.startswith(rooms) and "§ 6.8" in text}
    assert found <= known


def test_both_rule_sets_have_every_paragraph():
    for regulation in Regulation:
        own = rules_of(regulation).paragraphs
        assert all(re.fullmatch(r"6\.[2348](\.\d+)+", getattr(own, f.name)) for f in fields(own))
