"""The disputed moves on a case's page with what proves them: card, scan, mail, delivery.

§ 6.3.2, § 6.4.1, § 6.8.2; a player reads his own mails, and of the others the record.
"""

import base64

import pytest

from tests.fakes.cases import late
from tests.fakes.disputes import case_of
from tests.fakes.machinery.browser import Page, browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import PNG, call
from tests.fakes.reports import report_on
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World
from tests.regulation.record import line


async def test_a_card_stands_with_its_dates_its_picture_and_what_each_says(tenth: World) -> None:
    """Kendelse 38: postmark, own date, note and scan beside 31 of 30 days."""
    world = tenth
    card = {"by": "white", "text": line(18).uci(), "received": "2026-12-07", "ply": 18}
    card |= {"postmark": "2026-12-08", "stated": "2026-12-07", "note": "Kuvert vedlagt"}
    status, value = await call(world, TL, "cards", card | {"scan": base64.b64encode(PNG).decode()})
    assert status == 200, value
    _, path = await case_of(world)
    scan = f"/games/{world.game}/cards/{value['card']}/scan"
    async with browser(world) as anna:
        await anna.sign_in(ANNA)
        page = await anna.get(path)
        said = await anna.submit(page, "/say", text="Jeg afleverede det den 7.")
        assert said.status == 200
    for who in (TL, ANNA, BO):
        async with browser(world) as reader:
            await reader.sign_in(who)
            page = await reader.get(path)
            shown = _section(page)
            for told in ("8", "7", "31", "Kuvert vedlagt", scan, "Jeg afleverede det den 7."):
                assert told in shown, (who, told)
            assert shown.count('<th scope="row">') == 1, "the one card of ten that is in dispute"
            async with reader.session.get(reader._url(scan)) as answer:
                assert (answer.status, await answer.read()) == (200, PNG)
    assert 'class="figure">31 ' in page.html


@pytest.mark.both_engines
async def test_a_mail_stands_with_its_record_and_the_letters_that_told_of_it(world: World) -> None:
    """Bo's answer never reached Anna: her leader sees why; Bo sees that it came back, not why."""
    anna, bo = Player(world), Player(world, BO, lang="en")
    assert await anna.reply("e4") == "moved"
    world.clock.wait(days=2)
    assert await bo.reply("e5\n\nHow is the weather?") == "moved"
    relay = world.letters(ANNA)[-1]
    assert (await world.smtp(report_on(relay, "failed", "5.1.1"), relay.sender, sender=""))[
        0
    ] == 250
    await world.pump()
    mails = {row.person_id: row for row in await world.inbox()}
    assert (await world.newest_mail()).outcome == "undelivered"
    brought = mails[(await world.person(BO)).id]
    await late(world)
    assert await bo.reply("tid") == "claimed"
    _, path = await case_of(world)
    own = f"{path}/mails/{brought.id}"
    for who, may_fetch, hears_why in ((TL, True, True), (BO, True, False), (ANNA, False, True)):
        async with browser(world) as reader:
            await reader.sign_in(who)
            shown = _section(await reader.get(path))
            assert "How is the weather?" in shown
            assert (own in shown) is may_fetch, who
            assert "Re: " in shown or "Anna" in shown, who
            assert ("Could not deliver" in shown) is hears_why, who
            assert ("(aftryk " in shown) is (who == ANNA), who
            fetched = await reader.session.get(reader._url(own))
            assert fetched.status == (200 if may_fetch else 404), who
    async with browser(world) as stranger:
        await stranger.sign_in(CAPTAIN)
        assert (await stranger.get(path)).status == 404


def _section(page: Page) -> str:
    """The disputed moves and what is said of them."""
    assert page.status == 200
    return page.html.partition('<div class="dispute">')[2].partition('<nav class="series')[0]
