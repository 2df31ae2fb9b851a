"""Issue 38, 12: a reading is named as one where it decides, in each language, with the other.

A row: the reading, what somebody is shown where it decides, and what the other reading names. The
texts are made as letters, pages and the desk make them, or stand in the template that is named.
"""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from kskak.game import game_events as ev
from kskak.play.game_state import Terms
from kskak.regulation.editions import (
    DEFAULT_LAWS,
    EMAIL,
    POSTAL,
    MoveFault,
    OverstepFinding,
    Regulation,
    RuleSet,
    Side,
)
from kskak.statement.account import Account, account
from mail.compose import compose
from mail.game_letters import cast
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from mail.text.explanations import explain
from tests.mail.letters.test_every_letter import parts

ROOT = Path(__file__).parents[2]
NAMED = {"da": r"[Ff]ortolkning", "en": r"[Rr]eading"}
SUMMER = date(2026, 6, 1)
ALONE = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 40"
"""White has his king only."""


def late(regulation: Regulation, *more: ev.Event, fen: str | None = ALONE) -> Account:
    """Black has used 60 days on his first move."""
    terms = Terms("-", regulation, SUMMER, "Anna", "Bent", fen, DEFAULT_LAWS)
    return account(terms, (*more,), date(2026, 8, 1))


def faults(count: int, regulation: Regulation = Regulation.POSTAL) -> Account:
    """So many illegal moves of Black's."""
    sent = [ev.FaultySent(Side.BLACK, SUMMER, MoveFault.ILLEGAL) for _ in range(count)]
    return account(Terms("-", regulation, SUMMER, "Anna", "Bent", ALONE, DEFAULT_LAWS), sent)


def silent() -> Account:
    """Black answers after 20 days and a reminder of White's."""
    sent = [
        ev.MoveSent(Side.WHITE, cast.moves("g2g4"), SUMMER, SUMMER),
        ev.OpponentReminded(Side.WHITE, date(2026, 6, 18)),
        ev.MoveSent(Side.BLACK, cast.moves("d7d5"), date(2026, 6, 22), date(2026, 6, 2)),
    ]
    return account(Terms("-", Regulation.POSTAL, SUMMER, "Anna", "Bent", None, DEFAULT_LAWS), sent)


def at_yule(regulation: Regulation) -> Account:
    """Black has the move over Christmas."""
    sent, answered = date(2026, 12, 18), date(2027, 1, 4)
    moves = [
        ev.MoveSent(Side.WHITE, cast.moves("g2g4"), sent, SUMMER),
        ev.MoveSent(Side.BLACK, cast.moves("d7d5"), answered, date(2026, 12, 19)),
    ]
    return account(Terms("-", regulation, SUMMER, "Anna", "Bent", None, DEFAULT_LAWS), moves)


def body(letter: object, words: Words) -> str:
    return re.sub(r"[\s>]+", " ", parts(compose(letter, words, cast.ENVELOPE))[0])


def of_game(letter: object, made: Account, words: Words) -> str:
    return body(replace(letter, account=made), words)


def in_template(key: str, template: str):
    """A text of the catalogue, which the template shows."""

    def text(words: Words) -> str:
        shown = (ROOT / "server/web/templates" / template).read_text(encoding="utf-8")
        last = re.escape(key.split(".", 1)[1])
        assert re.search(rf"\"{last}|\"{re.escape(key)}|{re.escape(key.split('.')[-1])}", shown)
        return words.texts[key]

    return text


def key(name: str):
    return lambda words: words.texts[name]


CLAIMED = ev.OverstepClaimed(Side.WHITE, date(2026, 7, 30))
OVER = GAME_LETTERS["over"]
WAITING = GAME_LETTERS["overstep_waiting"]
LEAVE = NOTICES["leave"]
MAIL, POST = Regulation.EMAIL, Regulation.POSTAL
SHOWN = {
    # § 6.3.3.3 beside FIDE 6.9
    "bare king, on every account": (lambda w: " ".join(explain(late(POST), w)), "FIDE 6.9"),
    "bare king, in the letter": (lambda w: of_game(WAITING, late(POST), w), "FIDE 6.9"),
    "bare king, at the end": (lambda w: of_game(OVER, late(MAIL, CLAIMED), w), "FIDE 6.9"),
    # § 6.3.5.1
    "6 days again, on every account": (lambda w: " ".join(explain(faults(2), w)), "gentagelse"),
    "6 days a third time": (lambda w: explain(faults(3), w)[2], "gentagelse"),
    # § 6.3.3.4 under § 6.8
    "both lose, on every account": (lambda w: " ".join(explain(late(MAIL), w)), "6.8.7"),
    "both lose, in the letter": (lambda w: of_game(WAITING, late(MAIL), w), "6.8.7"),
    "both lose, where it is asked": (lambda w: body(GAME_LETTERS["late_ask"], w), "6.8.7"),
    "both lose, at the desk": (key("readings.then.runs_read"), "6.8.7"),
    # Kendelse 120
    "help, where an engine is offered": (key("board.engine.unless"), "Kendelse 120"),
    # § 4.1.19
    "4.1.19, a warning": (key("rulings.sanction.was_warning"), "6.1"),
    "4.1.19, a doubled quarantine": (key("rulings.sanction.repeated"), "6.1"),
    "4.1.19, the record": (key("rulings.record.kept"), "6.1"),
    "4.1.19, a warning on record": (key("rulings.record.warning_runs"), "6.1"),
    # § 6.8.4, § 6.3.4 beside § 6.8.6
    "a stopped move costs, the account": (lambda w: " ".join(explain(faults(1, MAIL), w)), "6.8.4"),
    "a stopped move costs, in the letter": (lambda w: body(GAME_LETTERS["illegal"], w), "6.8.6"),
    "silence is free by e-mail": (lambda w: body(GAME_LETTERS["reminder"], w), "6.3.4"),
    # § 6.3.6.4, § 6.7.3.2
    "special leave ends a claim": (lambda w: body(NOTICES["case_lapsed"], w), "6.4.1"),
    "one team in two divisions": (key("teams.fault.two_division_teams"), "6.7.3.2"),
    # § 6.3.6.2 beside § 6.3.6
    "holidays in leave, the game": (
        in_template("mygames.leave.lede", "reflection/game_leave.html"), "§ 6.3.6 ",
    ),
    "holidays in leave, the preview": (
        in_template("web.leave.look_holiday", "reflection/leave_preview.html"), "§ 6.3.6 ",
    ),
    "holidays in leave, the letter": (
        lambda w: body(replace(LEAVE, first=date(2026, 12, 15), last=date(2026, 12, 24)), w),
        "§ 6.3.6 ",
    ),
    # § 6.4.3 under § 6.8.10
    "deposit, the letter": (lambda w: body(NOTICES["decided_kc"], w), "6.8.10"),
    "deposit, first instance": (lambda w: body(NOTICES["decided_kc_first"], w), "6.4.3"),
    "deposit, the page": (in_template("cases.deposit.known", "cases/forms.html"), "6.8.10"),
    # § 6.1
    "one group ever, the classes": (key("access.against.6_1"), ""),
    "one group ever, the refusal": (key("entries.remedy.second_of_non_member"), "6.1"),
    "one group ever, the desk": (
        in_template("entries.one.by_controller", "entries/entry_desk.html"), "6.1",
    ),
    "one group ever, the cup": (key("cup.problem.non_member"), ""),
    # § 6.2.5, § 6.2.7, § 6.3.4, § 6.8.1
    "part of a series, the preview": (
        in_template("web.preview.bound_why", "play/preview.html"), "6.2.5",
    ),
    "18 months, the desk": (key("desk.long.lede"), "6.2.7"),
    "the server's reminder, on every account": (lambda w: " ".join(explain(silent(), w)), "6.3.4"),
    "holidays by e-mail, every account": (lambda w: " ".join(explain(at_yule(MAIL), w)), "6.8.1"),
    # § 6.5.3.2 c, § 6.6.2.2, § 6.7.4.5, § 6.7.5.1
    "percentages unrounded": (key("access.by.6_5_3_2_c"), "66"),
    "deltagere are people": (in_template("cup.page.counted", "cup/parts.html"), "6.6.2.2"),
    "a draw weighs half": (key("placing.rules.league"), ""),
    "the letter that is missing": (key("compose.reason.second_rises"), "75 %"),
    # § 6.5.2.3, § 6.5.3.2, § 6.7.3.3
    "a DM right that lapsed": (key("access.by.6_5_2_3"), ""),
    "the hole of 5 points": (key("access.against.6_5_3_2_e_hole"), ""),
    "a group is a division": (key("compose.reason.club_twice"), "6.7.5.1"),
}  # fmt: skip


@pytest.mark.parametrize("lang", NAMED)
@pytest.mark.parametrize("where", SHOWN)
def test_a_reading_is_named_as_one_where_it_decides(where: str, lang: str):
    show, other = SHOWN[where]
    text = show(Words.load(lang))
    assert re.search(NAMED[lang], text), text
    assert other in text


@pytest.mark.parametrize("lang", NAMED)
def test_no_reading_is_named_where_it_does_not_decide(lang: str):
    """§ 6.3.3.4 by post, a first fault, an opponent who can mate, leave without holidays."""
    words = Words.load(lang)
    quiet = (
        " ".join(explain(late(POST, fen=None), words)),
        " ".join(explain(at_yule(POST), words)),
        " ".join(explain(faults(1), words)),
        body(replace(LEAVE, first=date(2026, 9, 1), last=date(2026, 9, 9)), words),
    )
    for text in quiet:
        assert not re.search(NAMED[lang], text), text


def test_who_plays_on_loses_whatever_he_has_left():
    """§ 6.3.3.4: no reading of FIDE 6.9 is left where both have lost."""
    on = date(2026, 8, 1)
    sent = [
        ev.MoveSent(Side.BLACK, cast.moves("e3d3"), on, SUMMER),
        ev.MoveSent(Side.WHITE, cast.moves("e1f2"), on, on),
    ]
    open_still, played_on = late(POST, *sent[:1]), late(POST, *sent)
    assert open_still.overstep.finding is OverstepFinding.OPEN
    assert "FIDE 6.9" in " ".join(explain(open_still, Words.load("da")))
    assert played_on.overstep.finding is OverstepFinding.CONTINUED
    assert "FIDE 6.9" not in " ".join(explain(played_on, Words.load("da")))


RESTATED = {
    Regulation.EMAIL: r"§ 6\.(?:2\.[46]|3\.(?:1|2|2\.1|3\.1|3\.3|3\.5|5|5\.1))(?![.\d]*\d)",
    Regulation.POSTAL: r"§ 6\.8",
}
"""What a game's letters never cite: the paragraphs that the other rule set has in their place."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("regulation", RESTATED)
def test_all_letters_of_a_game_cite_its_own_rule_set(regulation: Regulation, lang: str):
    """Issue 38, 11: by value, each kind of letter and the account of an overstep."""
    words, found = Words.load(lang), {}
    for name, letter in GAME_LETTERS.items():
        made = getattr(letter, "account", None)
        if made is not None and made.terms.regulation is regulation:
            found[name] = of_game(letter, made, words)
    found["account"] = " ".join(explain(late(regulation), words))
    found["claimed"] = " ".join(explain(late(regulation, CLAIMED), words))
    wrong = {name: cited for name, text in found.items() if (cited := _cites(regulation, text))}
    assert not wrong
    assert len(found) > (40 if regulation is Regulation.EMAIL else 2)


def _cites(regulation: Regulation, text: str) -> list[str]:
    return re.findall(RESTATED[regulation], text)


BY_POST = re.compile(
    r"postal\.|cards\.|desk\.cards\.|silences\.(?:\w+_card|reminder\.card)$"
    r"|(?:web\.statement_lede|letters\.days\.rule)\.postal$|web\.grant\.look_free$"
    r"|desk\.decide\.facts_hint$"
)
"""What is shown of postal games alone."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_of_both_rule_sets_cites_what_the_other_restates_alone(lang: str):
    """Issue 38, 11: pages too: by value, or § 6.8 beside it, all but what is of cards."""
    restated = re.compile(RESTATED[Regulation.EMAIL].replace("5\\.1)", "5\\.1|6\\.4)"))
    texts = Words.load(lang).texts.items()
    found = {name for name, text in texts if restated.search(text) and "§ 6.8" not in text}
    assert {name for name in found if not BY_POST.match(name)} == set()


@pytest.mark.parametrize("rules", [POSTAL, EMAIL], ids=lambda one: one.regulation.value)
def test_letters_of_cases_cite_the_rule_set_of_their_games(rules: RuleSet):
    """Issue 38, 11: admitted, lapsed, decided, appealed."""
    named, words = rules.paragraphs, Words.load("da")
    for name, numbers in {
        "case_admitted": [named.claim],
        "case_lapsed": [named.special_leave],
        "case_excused": [named.special_leave],
        "case_claim_asked": [named.claim],
        "case_appeal_taken": [named.appeal],
        "decided_tl": [named.appeal],
    }.items():
        letter = NOTICES[name]
        facts = replace(letter.case, rules=rules, paragraphs=())
        text = body(replace(letter, case=facts, text="-"), words)
        assert [one for one in numbers if f"(§ {one})" not in text] == [], name
        assert not re.search(RESTATED[rules.regulation], text), name


def test_one_word_for_a_reading():
    """»fortolkning«, never »læsning«, of the text: two documents and two texts speak of reading."""
    texts = {name for name, text in Words.load("da").texts.items() if "æsning" in text}
    assert texts == {"api.page.etag", "help.index_text.first"}
    pages = {one.stem: one.read_text("utf-8") for one in (ROOT / "docs/regulation").glob("*.md")}
    assert {name for name, text in pages.items() if "æsning" in text} == {"6.2.2", "6.8.2"}
