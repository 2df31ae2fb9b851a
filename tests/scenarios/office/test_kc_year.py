"""A year of the controller's letters in virtual time: each step twice ahead, none twice, none lost.

§ 6.1.2, § 6.5.2, § 6.6.3, § 6.7.1.2. Both databases; and his calendar.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date

from kskak.office.year import (
    SeasonStep,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
    plan_of_year,
)
from server.jobs.daily_duties import DailyJob
from server.store.engine.rows import from_us
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases import office
from server.usecases.account import own_data
from tests.fakes.told_once import scene
from tests.fakes.world import CAPTAIN, KC, World, params

FIRST = date(2026, 12, 31)


async def _quiet(world: World) -> None:
    await world.pump()


quiet = scene(_quiet, FIRST)
"""A server without a game, on the last day of 2026; letters of that day are out."""


async def told(world: World) -> list[tuple[str, str, str]]:
    """What the controller was told: tournament, step, stage."""
    found = [params(row) for row in await world.outbox("year_step")]
    return [(str(one["form"]), str(one["step"]), str(one["stage"])) for one in found]


async def days_go(world: World, days: int) -> None:
    for _ in range(days):
        world.clock.wait(days=1)
        for _ in range(2):
            await office.daily(world.core)  # the poller comes by more than once a day


async def change(world: World, deed: YearAction) -> SeasonStep | YearFault:
    return await office.change(world.core, await world.person(KC), deed)


async def test_a_year_tells_of_each_step_14_and_2_days_ahead_once(quiet: World) -> None:
    await world_until(quiet, date(2028, 1, 1))
    first, found = date(2027, 1, 20), Counter[tuple[object, ...]]()
    for row in await quiet.outbox("year_step"):
        one, sent = params(row), from_us(row.created_us).date()
        on = date.fromisoformat(str(one["day"]))
        found[(one["form"], one["step"], on, one["stage"], (on - sent).days)] += 1
    expected = [
        (item.form.value, item.step.value, item.day, stage, ahead)
        for item in plan_of_year(2027)
        if item.day is not None and item.day > first
        for stage, ahead in (("ahead", 14), ("near", 2))
    ]
    of_2027 = {key: n for key, n in found.items() if first < key[2] < date(2028, 1, 1)}
    assert of_2027 == dict.fromkeys(expected, 1)
    assert max(found.values()) == 1
    await quiet.pump()
    (letter,) = [one for one in quiet.letters(KC) if "DM-klassen 2027: start" in str(one.subject)][
        -1:
    ]
    assert "Om 2 dage" in letter.said and "§ 6.5.2" in letter.said


async def world_until(world: World, day: date) -> None:
    await days_go(world, (day - world.clock.today).days)


async def test_the_letters_say_what_comes_when_and_by_which_paragraph(quiet: World) -> None:
    await world_until(quiet, date(2027, 7, 21))
    before = len(quiet.letters(KC))
    await quiet.pump()
    letters = quiet.letters(KC)[before:]
    last = next(one for one in letters if "tilmeldingsfrist" in one.said)
    assert "Om 14 dage, onsdag den 4. august 2027: DM-klassen 2027, tilmeldingsfrist." in " ".join(
        last.said.split()
    )
    assert "/desk/kc/year?year=2027" in last.said
    assert "6.4.4" in last.said


async def test_after_an_outage_nothing_is_said_twice_and_nothing_is_lost(quiet: World) -> None:
    """Away from 14 days before to a week after: one word, late; again away: none any more."""
    quiet.clock.go(date(2027, 8, 4))
    await DailyJob(quiet.core).work()
    before = await told(quiet)
    quiet.clock.go(date(2027, 9, 8))
    for _ in range(2):
        await DailyJob(quiet.core).work()
    new = (await told(quiet))[len(before) :]
    assert ("dm", "start", "late") in new
    assert ("cup", "deadline", "late") in new
    assert Counter(new).most_common(1)[0][1] == 1
    assert ("dm", "letters", "late") not in new, "18 August is three weeks ago: no news"
    await days_go(quiet, 3)
    assert len(await told(quiet)) == len(before) + len(new)


async def test_two_servers_on_one_database_tell_once(quiet: World) -> None:
    quiet.clock.go(date(2027, 8, 18))
    both = (DailyJob(quiet.core), DailyJob(quiet.core))
    await asyncio.gather(*(job.work() for job in both))
    found = await told(quiet)
    assert ("dm", "start", "ahead") in found
    assert len(found) == len(set(found))


async def test_what_is_moved_is_told_anew_and_what_is_done_is_not_told(quiet: World) -> None:
    await world_until(quiet, date(2027, 8, 20))
    assert ("dm", "start", "ahead") in await told(quiet)
    later = YearAction(
        TournamentKind.DM,
        2027,
        TournamentStep.START,
        YearActionKind.MOVED,
        date(2027, 9, 30),
        "Få tilmeldte.",
    )
    assert await change(quiet, later) is not None
    await world_until(quiet, date(2027, 9, 15))
    starts = [one for one in await told(quiet) if one[:2] == ("dm", "start")]
    assert starts == [("dm", "start", "ahead")], "nothing two days before the old day"
    await world_until(quiet, date(2027, 9, 16))
    assert (await told(quiet)).count(("dm", "start", "ahead")) == 2
    await change(
        quiet, YearAction(TournamentKind.DM, 2027, TournamentStep.START, YearActionKind.DONE)
    )
    await change(
        quiet,
        YearAction(
            TournamentKind.CUP,
            2027,
            TournamentStep.START,
            YearActionKind.CALLED_OFF,
            None,
            "Ingen.",
        ),
    )
    await world_until(quiet, date(2027, 10, 3))
    found = await told(quiet)
    assert ("dm", "start", "near") not in found
    assert ("cup", "start", "near") not in found


async def test_without_a_controller_nothing_counts_as_told(quiet: World) -> None:
    core = quiet.core
    kaj = await quiet.person(KC)
    async with core.store.write() as conn:
        await person_rows.change(conn, replace(kaj, role="player"))
    before = len(await told(quiet))
    await world_until(quiet, date(2027, 8, 18))
    assert len(await told(quiet)) == before
    captain = await quiet.person(CAPTAIN)
    async with core.store.write() as conn:
        new = NewOffice(captain.id, Office.KC.value, None, core.now_us, captain.id)
        await person_rows.add_office(conn, new)
    await days_go(quiet, 1)
    rows = (await quiet.outbox("year_step"))[before:]
    assert {row.person_id for row in rows} == {captain.id}
    assert set((await told(quiet))[before:]) >= {
        ("dm", "start", "ahead"),
        ("dm", "letters", "late"),
    }


async def test_the_controllers_calendar_has_the_year_and_a_players_has_not(quiet: World) -> None:
    moved = YearAction(
        TournamentKind.DM,
        2026,
        TournamentStep.START,
        YearActionKind.MOVED,
        date(2026, 9, 15),
        "Fordi.",
    )
    assert not isinstance(await change(quiet, moved), YearFault)
    texts = {}
    for who in (KC, CAPTAIN):
        key = await own_data.create_feed(quiet.core, (await quiet.person(who)).id)
        found = await own_data.calendar_of_key(quiet.core, key)
        assert found is not None
        texts[who] = found.decode().replace("\r\n ", "")
    assert "UID:year-dm-2026-start@" in texts[KC]
    events = texts[KC].split("BEGIN:VEVENT")
    (event,) = (one for one in events if "UID:year-dm-2026-start@" in one)
    assert "DTSTART;VALUE=DATE:20260915" in event and "DM-klassen 2026: start" in event
    assert "UID:year-dm-2027-start@" in texts[KC]
    assert "year-" not in texts[CAPTAIN]
