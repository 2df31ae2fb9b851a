"""The case page: what it shows, what is tried on it, and how a decision gets its letter."""

import re
from dataclasses import replace
from html import unescape

from mail.office_letters.case_letters import CaseDecision
from server.store.play import people as person_rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import (
    carried_fields,
    case_of,
    claimed,
    decided,
    letter_in,
    letters_go,
    objected,
)


async def test_a_claim_leads_to_its_case_and_the_game_shows_it_to_both(browsers, path, game):
    for name in ("anna", "bent", "tove"):
        assert path in (await (await browsers.of(name)).get(f"/games/{game.id}"))[1], name
    for name in ("soren", "ole"):
        assert (
            name == "ole"
            or path not in (await (await browsers.of(name)).get(f"/games/{game.id}"))[1]
        )


async def test_the_page_shows_account_evidence_and_deadlines(path: str, tove: Browser):
    status, text = await tove.get(path)
    assert status == 200
    assert "Anna Andersen" in text and "§ 6.8.6, § 6.8.7" in text
    assert 'class="disputed"' in text
    over = re.search(r"brugt (\d+) dage, grænsen er 40", text)
    assert over and f"{over[1]} af 40 dage brugt" in text, "its bar says the same"
    assert "mails fra serveren" in text and "Partiets regnskab, da sagen blev oprettet" in text
    await tove.post(f"{path}/ask", {"until": "2026-11-10"})
    text = (await tove.get(path))[1]
    assert "til og med 10. november 2026" in text and "har ikke svaret" in text


async def test_readings_are_tried_by_address_and_nothing_is_saved(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    game, seq = await site.game(), (await case_of(site)).seq
    tove = await browsers.of("tove")
    blank = await tove.http.get(f"{path}?try=1&white=12&black=&turn=", allow_redirects=False)
    assert blank.status == 303
    assert blank.headers["Location"] == f"{path}?white=12&try=1#if"
    status, text = await tove.get(f"{path}?try=1&move1=2&sent1=2026-09-08")
    assert status == 200
    assert "<del>3/9</del> <ins>8/9</ins>" in text, "the row's other day is marked"
    assert "Træk 1... af Bent Bæk regnes for sendt den 8. september 2026." in text
    assert ((await site.game()).seq, (await case_of(site)).seq) == (game.seq, seq)


async def test_leave_granted_takes_the_overstep_away(path: str, tove: Browser):
    """§ 6.3.6.4: the outcome is stated beside the present one."""
    leave = "leave_by=white&leave_first=2026-09-10&leave_last=2026-09-30"
    text = (await tove.get(f"{path}?try=1&{leave}"))[1]
    assert "<td>hvid har overskredet tiden</td><td><ins>er i gang</ins></td>" in text


async def test_facts_that_cannot_be_are_said_to_be_so(path: str, tove: Browser):
    status, text = await tove.get(f"{path}?try=1&move1=2&sent1=2026-08-01")
    assert status == 200
    assert "Det kan ikke alt sammen være sandt" in text
    assert "Datoerne strider mod hinanden" in text
    assert 'lang="en"' not in text, "said in the reader's own language"


async def test_what_was_tried_is_decided_without_being_typed_again(site, browsers, path, tove):
    await tove.post(f"{path}/close", {"text": "Hørt."})
    leave = {"leave_by": "white", "leave_first": "2026-09-10", "leave_last": "2026-09-30"}
    fields = leave | {"reasons": "Sygdom.", "paragraphs": "§ 6.3.6.4", "step": "draft"}
    answer = await tove.post(f"{path}/decide", fields)
    text = unescape(await answer.text())
    assert "Anna Andersen får særlov fra og med den 10. september 2026" in letter_in(text)
    carried = carried_fields(text)
    changed = carried | {"reasons": "Noget andet.", "step": "send", "confirm": "1"}
    answer = await tove.post(f"{path}/decide", changed | {"letter": letter_in(text)})
    again = unescape(await answer.text())
    assert answer.status == 422 and "er ændret, siden mailen" in again
    assert "Noget andet." in letter_in(again)
    letter = letter_in(text) + "\n\nVenlig hilsen Tove"
    unticked = await tove.post(f"{path}/decide", carried | {"step": "send", "letter": letter})
    assert unticked.status == 422 and "Venlig hilsen Tove" in await unticked.text()
    assert (await case_of(site)).state == "heard"
    sent = carried | {"step": "send", "confirm": "1", "letter": letter}
    assert (await tove.post(f"{path}/decide", sent)).status == 303
    assert (await site.game()).result is None
    assert "Venlig hilsen Tove" in (await (await browsers.of("anna")).get(path))[1]
    told = {row.person_id for row in await site.written(CaseDecision.kind)}
    assert len(told) == 3, "both players and the leader"


async def test_back_from_the_letter_everything_stands_as_it_was(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    tove = await browsers.of("tove")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    anna = (await site.person("anna@example.org")).id
    fields = {
        "white": "12",
        "reasons": "Sygdom.\nTo linjer.",
        "paragraphs": "§ 6.3.6.4",
        f"sanction-{anna}": "quarantine",
        f"months-{anna}": "3",
    }
    text = unescape(await (await tove.post(f"{path}/decide", fields)).text())
    assert "karantæne i 3 måneder, fra og med den" in text
    back = unescape(await (await tove.post(f"{path}/edit", carried_fields(text))).text())
    assert "Sygdom.\nTo linjer.</textarea>" in back
    assert f'name="months-{anna}" value="3"' in back
    assert 'value="quarantine" selected' in back
    assert 'name="white" value="12"' in back


async def test_a_decision_without_reasons_or_a_quarantine_without_a_term_is_refused(
    site: Site, path: str, tove: Browser
):
    await tove.post(f"{path}/close", {"text": "Hørt."})
    answer = await tove.post(f"{path}/decide", {"paragraphs": "§ 6.3.3.1"})
    assert answer.status == 422 and "begrundelse" in await answer.text()
    anna = (await site.person("anna@example.org")).id
    fields = {"reasons": "X.", "paragraphs": "§ 6.4.2", f"sanction-{anna}": "quarantine"}
    answer = await tove.post(f"{path}/decide", fields)
    text = await answer.text()
    assert answer.status == 422 and "antal måneder" in text
    assert ">X.</textarea>" in text, "what was typed is kept"


async def test_a_late_appeal_is_refused_with_its_day(site: Site, browsers: Browsers):
    """§ 6.4.3: three weeks from the letter's delivery, the last day included."""
    path = await claimed(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "X.", "paragraphs": "§ 6.3.3.1"})
    await letters_go(site)
    site.clock.turn(22)
    answer = await anna.post(f"{path}/appeal", {"text": "Nej."})
    text = unescape(await answer.text())
    assert answer.status == 422
    assert "Fristen for at appellere er udløbet den" in text and "Nej.</textarea>" in text


async def test_pressed_twice_a_statement_is_filed_once(path: str, anna: Browser):
    for _ in range(2):
        assert (await anna.post(f"{path}/say", {"text": "Én gang."})).status == 303
    assert (await anna.get(path))[1].count("Én gang.") == 1


async def test_suspended_games_stand_still_and_go_on(site: Site, browsers: Browsers):
    """§ 6.4.1: the leader says whether play is suspended."""
    path = await objected(site)
    tove = await browsers.of("tove")
    assert (await tove.post(f"{path}/suspend")).status == 303
    assert "I bero" in (await tove.get(path))[1] and (await case_of(site)).is_suspended
    assert (await tove.post(f"{path}/lift")).status == 303
    assert not (await case_of(site)).is_suspended


async def test_a_game_that_rests_for_a_claim_does_not_go_on_by_a_button(site, path, tove):
    """§ 6.4.1: the claim has to be decided, taken back or admitted."""
    assert "I bero" in (await tove.get(path))[1] and (await case_of(site)).is_suspended
    refused = await tove.post(f"{path}/lift")
    assert refused.status == 422 and "ikke afgjort" in await refused.text()
    assert (await case_of(site)).is_suspended


async def test_every_page_of_a_case_is_spoken_in_english_too(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    async with site.core.store.write() as conn:
        tove = await site.person("tove@example.org")
        await person_rows.change(conn, replace(tove, lang="en"))
    browser = await browsers.of("tove")
    assert "What if" in (await browser.get(path))[1]
    await browser.post(f"{path}/close", {"text": "Heard."})
    text = await (await browser.post(f"{path}/decide", {"reasons": "X."})).text()
    assert "A reason or a paragraph is missing" in text
    fields = {"reasons": "X.", "paragraphs": "6.4.1", "white": "12"}
    text = await (await browser.post(f"{path}/decide", fields)).text()
    assert "Decide the case and send the letters" in text
    assert "The tournament leader’s desk" in (await browser.get("/desk"))[1]


async def test_an_unedited_decision_is_read_in_ones_own_language(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "X.", "paragraphs": "§ 6.3.3.1"})
    shown = (await anna.get(path))[1]
    assert "Begrundelse: X." in shown and "Reasons: X." not in shown
    async with site.core.store.write() as conn:
        person = await site.person("anna@example.org")
        await person_rows.change(conn, replace(person, lang="en"))
    shown = (await anna.get(path))[1]
    assert "Reasons: X." in shown and "Begrundelse: X." not in shown


async def test_deciding_before_the_hearing_is_over_is_asked_about(path: str, tove: Browser):
    fields = {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.1", "step": "draft"}
    text = unescape(await (await tove.post(f"{path}/decide", fields)).text())
    assert "Parterne er ikke hørt til ende. Hvorfor afgøres sagen nu?" in text
    await tove.post(f"{path}/ask", {"until": "2026-11-10"})
    text = unescape(await (await tove.post(f"{path}/close", {"text": ""})).text())
    assert "Fristen er 10. november 2026 (§ 6.4.1)." in text


async def test_a_letter_is_not_sent_past_what_was_said_or_decided_since(path, tove, anna):
    """§ 6.4.1: what a party has added is read first; a letter that comes too late is not lost."""
    past = unescape(await (await tove.post(f"{path}/ask", {"until": "2026-09-01"})).text())
    assert "i dag eller senere" in past and '<details id="deeds" class="no-print" open>' in past
    early = {"unheard": "Det er klart."}
    fields = early | {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.3", "step": "draft"}
    mine = early | {"step": "send", "confirm": "1", "letter": "Kære Anna og Bent."}
    answer = await tove.post(f"{path}/decide", fields)
    sent = carried_fields(unescape(await answer.text())) | mine
    await anna.post(f"{path}/say", {"text": "Kvitteringen er fundet."})
    answer = await tove.post(f"{path}/decide", sent)
    text = unescape(await answer.text())
    assert answer.status == 422 and "Der er kommet nyt i sagen" in text
    assert "Kvitteringen er fundet." in text and "Kære Anna og Bent." in text
    sent = carried_fields(text) | mine
    assert (await tove.post(f"{path}/decide", sent)).status == 303
    assert (await tove.post(f"{path}/decide", sent)).status == 303, "pressed twice"
    answer = await tove.post(f"{path}/decide", sent | {"letter": "Kære alle."})
    text = unescape(await answer.text())
    assert answer.status == 422 and "Din mail blev ikke sendt" in text
    assert "readonly>Kære alle." in text
