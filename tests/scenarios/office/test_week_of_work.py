"""Visible work: what an official decided this week, what may be appealed, what comes."""

from datetime import timedelta

from server.store.play.people import Office
from server.usecases.cases.case_decisions import Order
from tests.fakes.cases import claimed_case, decided, officer
from tests.fakes.machinery.browser import browser
from tests.fakes.world import BO, TL, World

UPHELD = Order(paragraphs=("6.3.3.3",), reasons="Tiden er overskredet.")


async def to_friday(world: World) -> None:
    """To the next Friday, its duties done."""
    day = world.clock.today + timedelta(days=1)
    while day.weekday() != 4:
        day += timedelta(days=1)
    await world.wait_until(day)


async def test_the_page_has_the_weeks_decisions_what_stands_and_what_comes(world, anna):
    case = await claimed_case(world, anna)
    async with browser(world) as page:
        await page.sign_in(TL)
        before = await page.get("/desk/work")
        assert before.text.count("Ingen.") == 3
        await decided(world, TL, case, UPHELD)
        shown = await page.get("/desk/work")
        assert "2026/1/1" in shown.text and "Har Bo Berg overskredet tiden?" in shown.text
        assert 'href="/desk/work"' in (await page.get("/desk")).html
        world.clock.wait(days=8)
        later = await page.get("/desk/work")
        assert "2026/1/1" not in later.text, "another week"
        assert later.text.count("Har Bo Berg overskredet tiden?") == 1, "it may be appealed still"
    async with browser(world) as page:
        await page.sign_in(BO)
        assert (await page.get("/desk/work")).status == 403


async def test_who_wishes_has_it_on_fridays_once_and_stops_it_again(world, anna):
    case = await claimed_case(world, anna)
    await decided(world, TL, case, UPHELD)
    await to_friday(world)
    assert not await world.outbox("week"), "nobody asked for it"
    async with browser(world) as page:
        await page.sign_in(TL)
        shown = await page.get("/desk/work")
        await page.submit(shown, "/desk/work", wanted="1")
        await to_friday(world)
        await world.pump()
        (row,) = await world.outbox("week")
        assert row.person_id == (await world.person(TL)).id
        told = world.letters(TL)[-1]
        assert "Din uge" in told.subject and "Afgjort, men kan stadig appelleres" in told.said
        shown = await page.get("/desk/work")
        await page.post("/desk/work", {k: v for k, v in shown.form("/desk/work").fields.items()
                                       if k != "wanted"})  # fmt: skip
        await to_friday(world)
        assert len(await world.outbox("week")) == 1, "no longer"


async def test_a_leader_whose_office_ended_gets_no_more_letters(lite: World) -> None:
    person = await officer(lite, "vikar@example.org", Office.DEPUTY, (await lite.row()).group_id)
    async with browser(lite) as page:
        await page.sign_in("vikar@example.org")
        await page.submit(await page.get("/desk/work"), "/desk/work", wanted="1")
    await to_friday(lite)
    assert [row.person_id for row in await lite.outbox("week")] == [person.id]
