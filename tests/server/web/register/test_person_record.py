"""A person's page for officials: what stands on it, who is shown it, what it costs."""

import re

from kskak.game.game_events import LeaderTold, OpponentReminded
from kskak.regulation.editions import Side
from mail.text.catalogue import Words
from server.store.play.people import Office
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letters_go

TITLE = "Sager og sanktioner"
RULING = {"reasons": "Tiden er overskredet.", "paragraphs": "§ 6.3.3.1", "facts": "45 dage."}


async def warned(site: Site, browsers: Browsers) -> tuple[str, str]:
    """Anna has overstepped and is warned for it: her page, and the case's."""
    await officials(site)
    path = await claimed(site, browsers)
    tove = await browsers.of("tove")
    anna = (await site.person("anna@example.org")).id
    await tove.post(f"{path}/close", {"text": "Alle er hørt."})
    fields = RULING | {f"sanction-{anna}": "warning"}
    await decided(tove, path, fields)
    return f"/desk/members/{anna}", path


async def status(browser: Browser, path: str) -> int:
    return (await browser.get(path))[0]


async def test_the_newest_stands_first_with_day_case_and_paragraph(site: Site, browsers: Browsers):
    page, case = await warned(site, browsers)
    text = (await (await browsers.of("tove")).get(page))[1]
    record = text[text.index('id="record"') :]
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", record, re.DOTALL)
    said = [re.sub(r"<[^>]+>", " ", row) for row in rows]
    assert ["Advarsel" in said[0], "Afgørelse" in said[1], "Sag:" in said[2]] == [True] * 3
    assert "§ 6.4.2" in said[0] and "§ 6.3.3.1" in said[1] and len(said) == 3
    days = {re.findall(r"\d+\. \w+ 2026", row)[0] for row in said}
    assert days == {Words.load("da").day(site.core.today("Europe/Copenhagen"))}
    assert f'href="{case}"' in record


async def test_who_is_shown_it(site: Site, browsers: Browsers):
    """Leaders, controller, administrator; not herself, a player or captain, the Board without a
    case of hers."""
    page, case = await warned(site, browsers)
    await site.admit("cap", Office.CAPTAIN, (await site.game()).group_id)
    await site.admit("adam", Office.ADMIN)
    for name in ("tove", "kaj", "ole", "adam"):
        got, text = await (await browsers.of(name)).get(page)
        assert got == 200 and TITLE in text and "Advarsel" in text, name
        assert (f'href="{case}"' in text) is (name != "ole"), "the case itself is not Ole's"
    for name in ("anna", "bent", "soren", "nina", "cap"):
        assert await status(await browsers.of(name), page) == 404, name


async def test_an_official_gets_no_record_of_himself(site: Site, browsers: Browsers):
    await officials(site)
    kaj = (await site.person("kaj@example.org")).id
    got, text = await (await browsers.of("kaj")).get(f"/desk/members/{kaj}")
    assert got == 200 and TITLE not in text
    text = (await (await browsers.of("tove")).get(f"/desk/members/{kaj}"))[1]
    assert TITLE not in text, "he plays in no group of hers"


async def test_a_reported_silence_is_on_the_page_of_who_was_silent(site: Site, browsers: Browsers):
    """§ 6.8.3: told of by the player who waits."""
    await site.play(await site.game(), "e4")
    site.clock.turn(21)
    game, today = await site.game(), site.clock.now().date()
    origin = Origin(site.core.clock.now(), None, "case")
    told = (OpponentReminded(Side.WHITE, today), LeaderTold(Side.WHITE, today))
    await site.core.writer.submit(EventsUnit(game.id, told, origin, poster_of(site.core)))
    tove = await browsers.of("tove")
    pages = [(await tove.get(f"/desk/members/{p}"))[1] for p in (game.white_id, game.black_id)]
    said = ["Tavshed meldt" in text[text.index('id="record"') :] for text in pages]
    assert said == [False, True] and "§ 6.8.3" in pages[1]
    assert f'href="/games/{game.id}"' in pages[1]


async def test_names_lead_to_the_page_from_case_desk_and_group(site: Site, browsers: Browsers):
    page, case = await warned(site, browsers)
    site.clock.turn(50)
    tove = await browsers.of("tove")
    for where in (case, "/desk", "/desk/groups/K-26-01"):
        assert f'href="{page}"' in (await tove.get(where))[1], where
    assert f'href="{page}"' not in (await (await browsers.of("anna")).get(case))[1]


async def test_the_board_sees_the_parties_of_its_cases_without_their_address(site, browsers):
    page, case = await warned(site, browsers)
    await letters_go(site)
    await appealed_twice(site, browsers, case)
    got, text = await (await browsers.of("nina")).get(page)
    assert got == 200 and TITLE in text and f'href="{case}"' in text
    assert "anna@example.org" not in text and 'href="/desk/members"' not in text
    assert await status(await browsers.of("nina"), "/desk/members") == 404
    soren = (await site.person("soren@example.org")).id
    assert await status(await browsers.of("nina"), f"/desk/members/{soren}") == 404


async def appealed_twice(site: Site, browsers: Browsers, case: str) -> None:
    """The controller upholds the leader, and Anna goes to the Board."""
    anna, kaj = await browsers.of("anna"), await browsers.of("kaj")
    assert (await anna.post(f"{case}/appeal", {"text": "Nej."})).status == 303
    await kaj.post(f"{case}/close", {"text": "Alle er hørt."})
    await decided(kaj, case, RULING)
    await letters_go(site)
    fields = {"text": "Nej.", "deposit": "500", "deposit_day": "2026-10-16", "deposit_note": "Bank"}
    answer = await anna.post(f"{case}/appeal", fields)
    assert answer.status == 303, await answer.text()
    assert (await case_of(site)).instance == "board"


async def test_it_is_kept_nowhere_and_costs_no_more_with_more_cases(site: Site, browsers: Browsers):
    page, _ = await warned(site, browsers)
    tove = await browsers.of("tove")
    answer = await tove.http.get(page)
    assert answer.headers["Cache-Control"] == "no-store"
    before = await tove.asked(page)
    await claimed_other(site, browsers)
    assert await tove.asked(page) == before


async def claimed_other(site: Site, browsers: Browsers) -> None:
    """Another case of hers: she objects to the days of another game."""
    game = await site.game("K-26-01/2")
    anna = await browsers.of("anna")
    answer = await anna.post(f"/games/{game.id}/object", {"kind": "days", "text": "Nej."})
    assert answer.status == 303
