"""What prose probably wants is caught, so that its writer is asked; talk is not (§ 6.2.6)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.grammar.intentions import (
    Intention,
    IntentionKind,
    OpenMatters,
    guess_wishes,
    read_days,
    read_intentions,
)
from mail.text.catalogue import FACTS
from tests.fakes.machinery.each import each, rows

TODAY = date(2026, 11, 27)
RESIGNS = (
    "Jeg opgiver, du er for god til mig", "Opgiver. Tak for partiet", "Jeg giver op",
    "Hej Bo.\n\nJa, så giver jeg op. Godt spillet!", "Jeg har opgivet", "Du har vundet, tillykke",
    "I resign, well played", "I give up", "Jag ger upp, bra spelat",
)  # fmt: skip
AGREES = (
    "Ja tak, remis er fint", "Jeg tager imod remis", "Ok, remis", "Jeg accepterer dit tilbud",
    "Det er ok", "Yes, I accept the draw", "A draw is fine", "Jag accepterar remi",
)  # fmt: skip
LEAVES = {
    "Jeg er væk fra lillejuleaften til og med den 30.": ("2026-12-23", "2026-12-30"),
    "Jeg holder ferie fra den 4. januar til den 9. januar": ("2027-01-04", "2027-01-09"),
    "ferie fra 22. december til 3. januar": ("2026-12-22", "2027-01-03"),
    "på ferie 4/1-9/1": ("2027-01-04", "2027-01-09"),
    "Vi er på ferie fra 4/1 til og med 9/1 2027": ("2027-01-04", "2027-01-09"),
    "ferie uge 52": ("2026-12-21", "2026-12-27"),
    "Jeg holder ferie i uge 52 og 1": ("2026-12-21", "2027-01-10"),
    "Jeg er bortrejst 1. til 15. juli 2027": ("2027-07-01", "2027-07-15"),
    "I'm on holiday from 4 January to 9 January": ("2027-01-04", "2027-01-09"),
    "Holiday July 4 to July 18": ("2027-07-04", "2027-07-18"),
    "Jag har semester 4-9 januari": ("2027-01-04", "2027-01-09"),
    "Jeg holder ferie 2027-02-01 til 2027-02-03": ("2027-02-01", "2027-02-03"),
    "Vi holder ferie i påsken": ("2027-03-25", "2027-03-29"),
    "ferie fra langfredag til anden påskedag": ("2027-03-26", "2027-03-29"),
    "Jeg er bortrejst i pinsen": ("2027-05-16", "2027-05-17"),
    "ferie fra juleaften til helligtrekonger": ("2026-12-24", "2027-01-06"),
    "Jeg er bortrejst mellem jul og nytår": ("2026-12-24", "2027-01-01"),
    "ingen skak fra 23. december til nytårsdag": ("2026-12-23", "2027-01-01"),
    "Vi har efterårsferie": ("2027-10-18", "2027-10-24"),
    "ferie i uge 50 fra mandag til fredag": ("2026-12-07", "2026-12-11"),
    "Vi holder jul hjemme, ferie fra 20/12 til 3/1": ("2026-12-20", "2027-01-03"),
    "Away over Christmas": ("2026-12-24", "2026-12-26"),
    "Jag är ledig i påsk": ("2027-03-25", "2027-03-29"),
}
WHOLE = {
    "Ifølge mine noter har hvid nu brugt 62 dage på 34 træk og reglerne siger 60. Jeg mener altså "
    "partiet er tabt for ham på tid og anmoder om at det bliver gjort op.": "claim_time",
    "Hvornår starter næste runde af Dronningepokalen? Jeg vil gerne melde mig til, også med to "
    "partier.": "question",
    "Nu har vi flyttet rundt i en evighed. Er det ikke 50-træksreglen der træder i kraft? Jeg gør "
    "hermed krav på remis efter den.": "draw_claim",
    "A gi'r op. Do æ for skrap te mæ. Tak for spillet.": "resign",
    "Det må være det værste buk jeg har lavet siden 1974. Jeg spiller ikke videre med et helt tårn "
    "under. Point til dig.": "resign",
}
"""Whole mails, and the weightiest wish of each."""
SLIPS = {
    "jge ogpiver pratiet": IntentionKind.RESIGN,
    "kna vi blvie enige om uagfjort ?": IntentionKind.DRAW_OFFER,
    "mni mostander hra overskrdeet tdien": IntentionKind.CLAIM_TIME,
    "jge rejser på feire uge 52": IntentionKind.LEAVE,
    "hlæjp mgi": IntentionKind.HELP,
    "jge tæknre lægne ovre den": IntentionKind.LONG_THINK,
}
BY_DAYS = {
    "Fra juleaften til helligtrekonger rører jeg ikke brættet": IntentionKind.LEAVE,
    "Galdesten, ind på tirsdag den 1. og hjem den 15.": IntentionKind.LEAVE,
    "Min nevø kommer den 3. Så kommer mit træk også": IntentionKind.LONG_THINK,
    "Vi ses til mødet den 4. december": None,
    "God jul og godt nytår til jer alle": None,
    "Modt. 3/9, sendt 5/9: 6125": None,
}
OTHERS = {
    "Min modstander har overskredet tiden": IntentionKind.CLAIM_TIME,
    "Hvid har vist brugt hele sin betænkningstid": IntentionKind.CLAIM_TIME,
    "My opponent has exceeded the time": IntentionKind.CLAIM_TIME,
    "Motståndaren har överskridit tiden": IntentionKind.CLAIM_TIME,
    "Jeg er flyttet til Nygade 3, 5000 Odense": IntentionKind.NEW_ADDRESS,
    "I have moved to London": IntentionKind.NEW_ADDRESS,
    "Kan jeg få lov at udsætte starten? Jeg skal opereres": IntentionKind.LATER_START,
    "Could we postpone the start?": IntentionKind.LATER_START,
    "Jeg tænker længe over dette træk": IntentionKind.LONG_THINK,
    "I need more than 14 days for this one": IntentionKind.LONG_THINK,
    "Jeg vil gerne have remis": IntentionKind.DRAW_OFFER,
    "Skal vi tage remis?": IntentionKind.DRAW_OFFER,
    "Hvad er klokken i Danmark?": IntentionKind.QUESTION,
    "ferie hele juli": IntentionKind.LEAVE,
    "Jeg holder ferie fra 9/1 til 4/1 2027": IntentionKind.LEAVE,
    "Jeg giver op med det samme og bøjer mit hoved": IntentionKind.RESIGN,
    "Jeg rækker hånden over brættet": IntentionKind.RESIGN,
    "Jeg sender ikke flere træk i dette parti": IntentionKind.RESIGN,
    "Nu er der gået 31 dage, og reglerne siger vel 30": IntentionKind.CLAIM_TIME,
    "Jeg synes partiet må være mit": IntentionKind.CLAIM_TIME,
    "Min mand Ejvind døde desværre i sidste uge": IntentionKind.QUESTION,
}
TALK = (
    "Tak for partiet",
    "Jeg opgiver ikke endnu",
    "Hej Bo",
    "God jul!",
    "",
    "  \n ",
    "Sikke et vejr",
    "Til turneringslederen",
    "Kære turneringsleder,",
    "Dronningen flytter selvfølgelig væk fra springeren.",
    "Springeren flytter til d4",
    "Jeg er ikke færdig med partiet, og jeg gi'r ikke op over en bonde",
)


def _read(text: str, today: date = TODAY, *, is_offered: bool = False) -> Intention | None:
    return next(iter(read_intentions(text, today, OpenMatters(is_offered))), None)


def _kind(text: str, *, is_offered: bool = False) -> IntentionKind | None:
    found = _read(text, is_offered=is_offered)
    return None if found is None else found.kind


@each("text", WHOLE)
def test_a_mail_is_weighed_whole(text):
    found = [one.kind.value for one in read_intentions(text, TODAY, OpenMatters())]
    assert found[0] == WHOLE[text] and "new_address" not in found


@pytest.mark.parametrize("text", RESIGNS)
@pytest.mark.parametrize("is_offered", [True, False])
def test_who_gives_up_in_his_own_words_is_asked_whether_he_resigns(text, is_offered):
    assert _kind(text, is_offered=is_offered) is IntentionKind.RESIGN


@each("text", AGREES)
def test_agreement_is_an_answer_only_while_an_offer_stands(text: str) -> None:
    assert _kind(text, is_offered=True) is IntentionKind.DRAW_YES
    assert _kind(text) in (None, IntentionKind.DRAW_OFFER)


@rows("text", "Nej tak, ikke remis", "Nej, jeg spiller videre", "No draw, sorry")
def test_a_refused_offer_is_known(text: str) -> None:
    assert _kind(text, is_offered=True) is IntentionKind.DRAW_NO
    assert _kind(text) is None


@each(("text", "days"), LEAVES.items())
def test_leave_is_read_with_its_days(text: str, days: tuple[str, str]) -> None:
    first, last = map(date.fromisoformat, days)
    assert _read(text) == Intention(IntentionKind.LEAVE, text, first, last)


@each(("text", "kind"), OTHERS.items())
def test_other_wishes(text: str, kind: IntentionKind) -> None:
    found = _read(text)
    assert found is not None
    assert (found.kind, found.start) == (kind, None)


@each(("text", "kind"), SLIPS.items())
def test_letters_in_another_order_are_heard(text: str, kind: IntentionKind) -> None:
    assert _kind(text) is kind


@each(("text", "kind"), BY_DAYS.items())
def test_days_alone_tell_of_leave_or_of_an_answer_that_waits(text, kind):
    found = _read(text)
    assert (None if found is None else found.kind) is kind


@rows(
    "text words",
    ("Mon det er slut for min konge?", ("resign",)),
    ("Fred være med os", ("draw",)),
    ("Han har ikke svaret i fem uger", ("claim",)),
    ("Jeg ligger på hospitalet", ("leave",)),
    ("Det blæser i dag", ()),
)
def test_where_nothing_is_clear_a_stem_is_enough_to_be_named(text, words):
    assert guess_wishes(text, OpenMatters()) == words
    offered = guess_wishes(text, OpenMatters(is_offered=True))
    assert ("draw_yes" in offered) is ("draw" in words)


def test_the_days_of_feasts_are_those_of_the_calendar() -> None:
    easters = {2025: "2025-04-20", 2026: "2026-04-05", 2038: "2038-04-25", 2285: "2285-03-22"}
    for year, day in easters.items():
        spans = read_days("påskedag", date(year, 1, 1)), read_days("i påsken", date(year, 1, 1))
        assert spans[0] == ()
        assert spans[1][1].isoformat() > day and (spans[1][1] - spans[1][0]).days == 4  # type: ignore[misc]


@pytest.mark.parametrize("text", TALK)
@pytest.mark.parametrize("is_offered", [True, False])
def test_talk_asks_for_nothing(text: str, is_offered: bool) -> None:
    assert _kind(text, is_offered=is_offered) is None


def test_the_weightiest_wish_of_a_mail_is_taken() -> None:
    text = "Jeg holder ferie 4/1-9/1. Forresten: jeg opgiver. Hvordan går det?"
    assert _kind(text) is IntentionKind.RESIGN


@pytest.mark.parametrize("lang", FACTS)
def test_every_language_has_words_for_each_wish(lang: str) -> None:
    names = {name for one in FACTS.values() for name in one.patterns if name.startswith("means_")}
    assert names <= set(FACTS[lang].patterns)


@given(st.text(max_size=300), st.booleans())
def test_whatever_is_written_nothing_is_raised(text: str, is_offered: bool) -> None:
    found = _read(text, is_offered=is_offered)
    assert found is None or found.sentence in text


@given(st.dates(date(2026, 11, 1), date(2027, 6, 1)), st.integers(0, 40))
def test_days_as_printed_are_read_again(first: date, more: int) -> None:
    last = date.fromordinal(first.toordinal() + more)
    text = f"ferie {first.day}/{first.month} {first.year} - {last.day}/{last.month} {last.year}"
    text = text.replace(f" {first.year} -", f"/{first.year} -").replace(
        f" {last.year}", f"/{last.year}"
    )
    assert read_days(text, TODAY) == (first, last)


@rows(
    "text",
    "God ferie fra den 24. november til den 29. november!",
    "Enjoy your holiday from 24 November to 29 November",
    "Trevlig semester den 24. november till den 29. november!",
)
def test_who_wishes_his_opponent_a_good_leave_asks_for_none(text):
    """He is on none himself (§ 6.3.6)."""
    found = _read(text, date(2026, 11, 2))
    assert found is None or found.kind is not IntentionKind.LEAVE


@each(
    "said",
    "Ang. min ferie: jeg er nødt til at aflyse den (den 12.-19. december), vi rejser ikke.",
    "Jeg må desværre afmelde min ferie fra 12/12 til 19/12.",
    "I have to cancel my holiday from 12 December to 19 December.",
    "Gælder juleferien automatisk, eller skal jeg melde den?",
    "Skal jeg anmelde påskeferien?",
    "Does the Christmas holiday apply automatically?",
)
def test_leave_that_is_called_off_or_asked_about_is_not_booked(said: str) -> None:
    found = read_intentions(said, TODAY, OpenMatters())
    assert {one.kind for one in found} == {IntentionKind.QUESTION}


@rows(
    "said kind",
    (
        "Jeg påstår remis ved trækgentagelse: efter 15... Ted8 er stillingen der for tredje gang.",
        IntentionKind.DRAW_CLAIM,
    ),
    ("I claim a draw by threefold repetition.", IntentionKind.DRAW_CLAIM),
    (
        "Stillingen er nu opstået 3 gange, jeg kræver remis efter reglerne.",
        IntentionKind.DRAW_CLAIM,
    ),
    (
        "Der er gået 50 træk uden bondetræk el. slag. Jeg påberåber mig 50-træks-reglen.",
        IntentionKind.DRAW_CLAIM,
    ),
    ("Jag kräver remi, ställningen har upprepats tre gånger", IntentionKind.DRAW_CLAIM),
    ("Fifty moves have passed, I invoke the fifty-move rule.", IntentionKind.DRAW_CLAIM),
    (
        "Til turneringslederen: mit parti mod Balle i samme gruppe sluttede remis.",
        IntentionKind.QUESTION,
    ),
    ("My game against Balle ended in a draw, if you need the result.", IntentionKind.QUESTION),
)
def test_a_draw_that_is_claimed_or_another_games_is_no_offer(said, kind):
    found = read_intentions(said, TODAY, OpenMatters())
    assert {one.kind for one in found} == {kind}


@rows(
    "said",
    "Jeg tilbyder remis, ellers ender det i trækgentagelse",
    "Skal vi tage remis, før det bliver trækgentagelse?",
    "Partiet mod dig er vist remis",
)
def test_an_offer_that_speaks_of_repetition_is_one(said: str) -> None:
    found = read_intentions(said, TODAY, OpenMatters())
    assert IntentionKind.DRAW_OFFER in {one.kind for one in found}
