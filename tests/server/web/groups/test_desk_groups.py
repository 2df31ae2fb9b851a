"""What a leader does to a group by its page: a withdrawal, a start taken back, games called in."""

import re
from datetime import timedelta
from html import unescape

import pytest

from kskak.game import game_commands as cmd
from kskak.regulation.editions import Side
from mail.text.catalogue import Words
from server.store.cases import cases as case_rows
from server.store.mail import outbox as outbox_rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import carried_fields, case_of, claimed, letter_in

PAGE = "/desk/groups/K-26-01"
STRANGERS = ["anna", "soren", "ole", "nina"]


async def _leaves(site: Site) -> dict[str, str]:
    soren = await site.person("soren@example.org")
    return {"player": str(soren.id), "text": "Søren svarer ikke mere."}


async def cases(site: Site) -> int:
    async with site.core.store.read() as conn:
        return len(await case_rows.everything(conn))


@pytest.mark.parametrize("name", STRANGERS)
async def test_who_does_not_lead_the_group_does_nothing_to_it(site, browsers, name):
    await officials(site)
    browser = await browsers.of(name)
    assert (await browser.get(PAGE))[0] == 404
    assert (await browser.post(f"{PAGE}/withdraw", await _leaves(site))).status == 404
    assert (await browser.post(f"{PAGE}/annul", {"text": "Nej."})).status == 404
    assert await cases(site) == 0
    assert (await site.group("K-26-01")).name == "K-26-01"


async def test_a_withdrawal_shows_what_follows_and_is_carried_out(site: Site, tove: Browser):
    """§ 6.2.8: at most half of his games are finished, so he loses them all."""
    answer = await tove.post(f"{PAGE}/withdraw", await _leaves(site))
    assert answer.status == 303
    path = answer.headers["Location"]
    twice = await tove.post(f"{PAGE}/withdraw", await _leaves(site))
    assert twice.status == 422 and "allerede en sag" in await twice.text()
    assert await cases(site) == 1, "two officials at once"
    text = (await tove.get(path))[1]
    assert "0 af 2 partier er færdige." in text and "taber alle sine partier" in text
    assert "Søren Sø er meldt udtrådt: " not in text, "what he said goes in no letter"
    await tove.post(f"{path}/close", {"text": "Han svarer ikke."})
    fields = {"text": "Udtrådt uden grund.", "is_silent": "1"}
    answer = await tove.post(f"{path}/rule", fields)
    shown = unescape(await answer.text())
    assert answer.status == 200 and "Udtrådt uden grund." in letter_in(shown)
    sent = carried_fields(shown, "rule") | {"step": "send", "letter": letter_in(shown)}
    answer = await tove.post(f"{path}/rule", sent)
    assert answer.status == 422 and "Sæt kryds" in unescape(await answer.text())
    assert (await case_of(site)).state == "heard"
    assert (await tove.post(f"{path}/rule", sent | {"confirm": "1"})).status == 303
    rows = await site.group_games("K-26-01")
    soren = (await site.person("soren@example.org")).id
    lost = [row for row in rows if soren in (row.white_id, row.black_id)]
    assert [row.result == ("0-1" if row.white_id == soren else "1-0") for row in lost] == [True] * 2


async def test_the_letter_of_a_withdrawal_is_edited_before_it_is_sent(site, browsers, tove):
    """§ 6.2.8: as every decision's letter; what has changed since is drafted anew."""
    path = (await tove.post(f"{PAGE}/withdraw", await _leaves(site))).headers["Location"]
    await tove.post(f"{path}/close", {"text": "Han svarer ikke."})
    fields = {"text": "Udtrådt.", "months": "3"}
    shown = unescape(await (await tove.post(f"{path}/rule", fields)).text())
    assert "får karantæne i 3 måneder, fra og med den" in letter_in(shown)
    assert "mister retten til præmie" in shown
    carried = carried_fields(shown, "rule")
    sent = carried | {"step": "send", "confirm": "1", "letter": letter_in(shown)}
    answer = await tove.post(f"{path}/rule", sent | {"months": "6"})
    again = unescape(await answer.text())
    assert answer.status == 422 and "er ændret, siden mailen" in again
    assert "får karantæne i 6 måneder, fra og med den" in letter_in(again)
    back = unescape(await (await tove.post(f"{path}/edit", carried | {"of": "rule"})).text())
    assert 'name="months" value="3"' in back and "Udtrådt.</textarea>" in back
    letter = letter_in(shown) + "\n\nTak for spillet, Søren. Venlig hilsen Tove"
    assert (await tove.post(f"{path}/rule", sent | {"letter": letter})).status == 303
    assert "Tak for spillet, Søren." in (await (await browsers.of("anna")).get(path))[1]


async def test_a_ruling_without_reasons_is_refused_with_what_was_typed(site: Site, tove: Browser):
    path = (await tove.post(f"{PAGE}/withdraw", await _leaves(site))).headers["Location"]
    await tove.post(f"{path}/close", {"text": "Han svarer ikke."})
    answer = await tove.post(f"{path}/rule", {"months": "3"})
    text = unescape(await answer.text())
    assert answer.status == 422 and "mangler en begrundelse" in text
    assert 'name="months" value="3"' in text


@pytest.mark.parametrize(("name", "status"), [("anna", 403), ("soren", 403), ("ole", 404)])
async def test_only_the_leader_rules_on_a_withdrawal(site, browsers, name, status):
    await officials(site)
    tove = await browsers.of("tove")
    answer = await tove.post(f"{PAGE}/withdraw", await _leaves(site))
    path, seq = answer.headers["Location"], (await case_of(site)).seq
    fields = {"text": "Fordi.", "confirm": "1"}
    answer = await (await browsers.of(name)).post(f"{path}/rule", fields)
    assert answer.status == status
    assert (await case_of(site)).seq == seq
    assert "udtrædelsen (§ 6.2.8)" not in (await (await browsers.of(name)).get(path))[1]


async def test_another_kind_of_case_is_not_ruled_as_a_withdrawal(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    tove = await browsers.of("tove")
    answer = await tove.post(f"{path}/rule", {"text": "Fordi.", "confirm": "1"})
    assert answer.status == 403


async def test_a_start_is_taken_back_before_the_first_move_only(site: Site, browsers: Browsers):
    """§ 6.1.1: afterwards it stands, and the page says so."""
    await officials(site)
    await site.play(await site.game(), "e4")
    tove, ole = await browsers.of("tove"), await browsers.of("ole")
    assert "Tag starten tilbage" not in (await tove.get(PAGE))[1]
    assert "Tag starten tilbage" in (await ole.get("/desk/groups/K-26-99"))[1]
    answer = await tove.post(f"{PAGE}/annul", {"text": "Forkert lodtrækning."})
    assert answer.status == 422 and "Starten står ved magt" in unescape(await answer.text())
    other = "/desk/groups/K-26-99"
    assert (await ole.post(f"{other}/annul", {"text": ""})).status == 422
    assert (await ole.post(f"{other}/annul", {"text": "Forkert lodtrækning."})).status == 303
    assert (await ole.get(other))[0] == 404


async def test_long_games_are_called_in_by_their_leader(site: Site, browsers: Browsers):
    """§ 6.2.7: both are asked; the other lists of ticks are in test_bulk.py."""
    await officials(site)
    site.clock.turn(560)
    tove, ole, anna = [await browsers.of(name) for name in ("tove", "ole", "anna")]
    game, words = await site.game(), Words.load("da")
    status, text = await tove.get("/desk/long")
    assert status == 200 and "K-26-01/2" in text and "K-26-99" not in text
    assert (await anna.get("/desk/long"))[0] == 404
    tick = {f"row-{game.id}": re.search(rf'name="row-{game.id}" value="([^"]+)"', text)[1]}
    await ole.post("/desk/long/call", tick | {"step": "do"})
    assert await cases(site) == 0, "another's game"
    await tove.post("/desk/long/call", tick | {"step": "do"})
    case = await case_of(site)
    assert (case.kind, case.is_suspended) == ("adjudication", True)
    due = words.day(site.core.today("Europe/Copenhagen") + timedelta(days=21))
    page = (await tove.get(f"/desk/cases/{case.number}"))[1]
    assert f"til og med {due}" in page, "both have three weeks to speak"
    assert case.number in (await tove.get("/desk/long"))[1]


async def test_dated_duties_stand_on_the_desk(site: Site, browsers: Browsers):
    """§ 6.2.6: a result whose letter to the leader was tried in vain is a duty with a day."""
    await site.ask(await site.game(), Side.WHITE, lambda _, side: cmd.Resign(side))
    tove, said = await browsers.of("tove"), "meldingen om resultatet er ikke nået frem"
    assert said not in (await tove.get("/desk"))[1], "it waits for its turn"
    store, now = site.core.store, site.core.now_us
    for row in await outbox_rows.claim(store, now, 100):
        await outbox_rows.mark_letter_failed(store, row, "451 later", now)
    text = (await tove.get("/desk"))[1]
    assert said in text
