"""Leave as people live it: booked by tournament, shortened, granted, seen in the year."""

from datetime import date, timedelta

import icalendar
from sqlalchemy import update

from kskak.regulation.editions import Side
from server.store.tables.base import people
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, KC, TL, World

OTHER = "Pokalturneringen 2026"


async def two_tournaments(world: World) -> tuple[int, int]:
    """The game of the fixture, and one of another tournament; the second is ``world.game``."""
    first = world.game
    return first, await world.begin("P-26-01", tournament=OTHER)


async def booked(world: World, game: int) -> int:
    """How many leaves stand in a game."""
    return len((await world.row(game)).state().bookings)


async def leave_page(page: Browser, first: str, last: str, **more: str) -> Page:
    """Book on the page, by way of what the leave would do; a page that refuses stays."""
    asked = await page.get("/leave")
    shown = await page.submit(asked, "/leave", first=first, last=last, **more)
    return await page.submit(shown, "/leave") if shown.status == 200 else shown


async def test_leave_is_booked_against_all_running_games_of_the_tournament_named(lite):
    first, second = await two_tournaments(lite)
    async with browser(lite) as anna:
        await anna.sign_in(ANNA)
        done = await leave_page(anna, "2027-01-10", "2027-01-20", tournament=OTHER)
        assert "Ferien er bestilt" in done.text
        assert (await booked(lite, first), await booked(lite, second)) == (0, 1)
        await leave_page(anna, "2027-02-10", "2027-02-12")
    assert (await booked(lite, first), await booked(lite, second)) == (1, 2)
    await lite.pump()
    await lite.assert_whole()


async def test_what_one_tournament_refuses_is_booked_in_the_other_and_told(lite: World) -> None:
    first, second = await two_tournaments(lite)
    anna = Player(lite)
    async with browser(lite) as page:
        await page.sign_in(ANNA)
        await leave_page(page, "2027-01-10", "2027-02-13", tournament=OTHER)
    assert await anna.reply("ferie 2027-03-01 2027-03-10") == "leave"
    assert (await booked(lite, first), await booked(lite, second)) == (1, 1)
    confirmed, refused = (one.said for one in anna.letters[-2:])
    assert "Din ferie er meldt" in confirmed
    assert "K-26-01" in confirmed
    assert "er ikke meldt" in refused
    assert "P-26-01" in refused
    assert "Du har 0 dage tilbage" in refused


async def test_who_shortens_his_leave_has_his_days_and_his_time_back_and_nobody_else_has(
    world: World, anna: Player, bo: Player
) -> None:
    """The opponent keeps the announced stop; the player's own time runs again (§ 6.3.6)."""
    assert await anna.reply("ferie 2026-11-10 2026-11-29") == "leave"
    world.clock.go(date(2026, 11, 12))
    assert await anna.reply("ferie slut 14/11") == "leave"
    assert "slutter nu den 14. november" in anna.letters[-1].said
    assert "30 dage tilbage" in anna.letters[-1].said
    assert "keep the stop" in bo.letters[-1].said
    assert "29 November" in bo.letters[-1].said
    world.clock.go(date(2026, 11, 20))
    assert await anna.reply("e4") == "moved"
    assert await world.total(Side.WHITE) == 8 + 5, "2-10 and 15-20 November"
    world.clock.go(date(2026, 12, 1))
    assert await bo.reply("1... c5") == "moved"
    assert await world.total(Side.BLACK) == 1, "his time stood still to the 29th"
    assert await anna.reply("ferie slut 20/11") != "leave", "there is none any more"
    await world.assert_whole()


async def _grant(page: Browser, name: str, first: str, last: str) -> Page:
    desk = await page.get("/desk/leave")
    options = [part for part in desk.html.split('<option value="')[1:] if f">{name}," in part]
    days = {"player": options[0].split('"')[0], "first": first, "last": last}
    look = await page.submit(desk, "/desk/leave", **days, reason="Sygdom")
    return await page.submit(look, "/desk/leave") if look.status == 200 else look


async def test_the_leader_grants_special_leave_for_days_gone_too_and_all_are_told(world, anna, bo):
    await anna.reply("e4")
    world.clock.go(date(2026, 11, 13))
    await bo.reply("1... c5")
    assert await world.total(Side.BLACK) == 10
    async with browser(world) as tl:
        await tl.sign_in(TL)
        done = await _grant(tl, "Bo Berg", "2026-11-05", "2026-11-10")
        assert "Særloven er givet" in done.text
        over = await _grant(tl, "Bo Berg", "2027-01-10", "2027-02-10")
        assert over.status == 422
        assert "24 dage tilbage" in over.text
    await world.pump()
    assert await world.total(Side.BLACK) == 4, "six days were not his to use"
    assert "Bo Berg har særlov" in anna.letters[-1].said
    assert "You have been granted special leave" in bo.letters[-1].said
    await world.assert_whole()


async def test_a_controller_who_plays_in_the_group_grants_nothing_in_it(lite: World) -> None:
    async with lite.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.email == ANNA).values(role="kc"))
    async with browser(lite) as page:
        await page.sign_in(ANNA)
        assert (await page.get("/desk/leave")).status == 404
    async with browser(lite) as page:
        await page.sign_in(KC)
        assert (await page.get("/desk/leave")).status == 200


async def test_the_year_shows_whose_time_stands_still_and_why(lite: World) -> None:
    await Player(lite).reply("ferie 2027-01-10 2027-01-12")
    await Player(lite, BO, lang="en").reply("leave 2027-01-12 2027-01-14")
    async with browser(lite) as page:
        await page.sign_in(ANNA)
        shown = await page.get("/leave?year=2027")
        for said in (
            "10. januar 2027 – 12. januar 2027: ferie (§ 6.3.6) K-26-01/1",
            "12. januar 2027 – 14. januar 2027: Bo Berg: ferie (§ 6.3.6)",
            "23. marts 2027 – 30. marts 2027: obligatorisk ferie (§ 6.3.6.2) alle partier",
            "20. december 2027 – 31. december 2027",
        ):
            assert said in shown.text
        assert 'class="own" title="ferie (§ 6.3.6), Bo Berg: ferie (§ 6.3.6)"' in shown.html
        assert shown.html.count('class="opponent" title') == 2
        assert shown.html.count('class="all" title') == 12 + 8
        assert "2027" not in (await page.get("/leave?year=1")).text.split("I din egen")[0][-300:]


async def test_the_calendar_feed_is_its_owners_until_he_takes_it_back(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("ferie 2027-01-10 2027-01-12")
    async with browser(lite) as page, browser(lite) as program:
        await page.sign_in(ANNA)
        made = await page.submit(await page.get("/leave"), "/leave/feed")
        (path,) = [word for word in made.text.split() if word.endswith(".ics")]
        path = "/calendar/" + path.rpartition("/")[2]
        raw = (await program.get(path)).html
        events = icalendar.Calendar.from_ical(raw).walk("VEVENT")
        by_name = {str(event["summary"]): event for event in events}
        assert by_name["ferie"].decoded("dtstart") == date(2027, 1, 10)
        assert by_name["ferie"].decoded("dtend") == date(2027, 1, 13), "the day after, exclusive"
        answer = by_name["Sidste dag at svare Bo Berg"]
        running = (await lite.row()).state().running()
        assert running is not None
        assert running.flag_on == answer.decoded("dtstart") + timedelta(days=1)
        alarms = [one.decoded("trigger") for one in answer.walk("VALARM")]
        assert alarms == [timedelta(days=-3, hours=9), timedelta(hours=9)]
        assert not by_name["ferie"].walk("VALARM"), "of a last day alone"
        again = icalendar.Calendar.from_ical((await program.get(path)).html).walk("VEVENT")
        assert [event["uid"] for event in again] == [event["uid"] for event in events]
        assert len({str(event["uid"]) for event in events}) == len(events)
        assert all(len(line.encode()) <= 75 for line in raw.replace("\r\n", "\n").split("\n"))
        renewed = await page.submit(await page.get("/leave"), "/leave/feed")
        assert (await program.get(path)).status == 404
        (second,) = [word for word in renewed.text.split() if word.endswith(".ics")]
        second = "/calendar/" + second.rpartition("/")[2]
        assert (await program.get(second)).status == 200
        form = (await page.get("/leave")).form("/leave/feed")
        await page.post("/leave/feed", form.fields | {"act": "end"})
        assert (await program.get(second)).status == 404
        assert (await program.get("/calendar/x.ics")).status == 404
