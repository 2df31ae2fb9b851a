"""§ 6.4.5.1: a bulletin from the period's end to its readers, on both databases."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import update

from server.store import desk_lists as desk_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.account.retention import REMOVED_DOMAIN
from server.store.cases import publications as publication_rows
from server.store.tables.base import people
from server.store.tables.cases import publications
from server.usecases.results import bulletins, publishing
from server.usecases.results.bulletins import BulletinEditRequest, BulletinFault
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import rights
from tests.fakes.machinery.browser import browser
from tests.fakes.seven import begin_seven, play_out
from tests.fakes.told_once import told_once
from tests.fakes.world import ANNA, BO, KC, TL, World, world_of

START = date(2026, 10, 2)
FIRST, LAST = date(2026, 10, 1), date(2026, 12, 31)


async def play_the_autumn(world: World) -> None:
    """A group of seven played out in the autumn of 2026, seen on 3 January 2027."""
    games = await begin_seven(world)
    world.clock.go(date(2026, 11, 10))
    await play_out(world, games)
    world.clock.go(date(2026, 11, 11))
    await world.pump()
    world.clock.go(date(2027, 1, 3))
    await world.pump()


@pytest.fixture
async def season(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """The world after that autumn."""
    async with told_once(database_url, tmp_path, play_the_autumn, START) as world:
        yield world


async def saved(world: World, foreword: str = "", **edited: object) -> bulletins.BulletinDraftView:
    """The draft with a foreword, saved, as it is then looked at."""
    kc = await world.person(KC)
    draft = await bulletins.draft(world.core, kc)
    days = {"first": draft.period.first, "last": draft.period.last, "chosen": {}}
    facts = {**days, "foreword": foreword, **edited}
    assert (
        await bulletins.save(world.core, kc, BulletinEditRequest(draft.row.number, **facts)) is None
    )
    return await bulletins.draft(world.core, kc)


async def test_the_controller_is_told_once_when_a_period_is_over(season: World) -> None:
    """§ 6.4.5.1: the duty is dated; no other official has it."""
    (told,) = await season.outbox("bulletin_due")
    assert told.person_id == (await season.person(KC)).id
    (letter,) = [one for one in season.letters(KC) if "dens bulletin" in one.said]
    assert "14. januar 2027" in letter.said
    season.clock.wait(days=5)
    await season.pump()
    assert len(await season.outbox("bulletin_due")) == 1
    for email, has in ((KC, True), (TL, False), (ANNA, False)):
        held = await rights(season.core, await season.person(email))
        duties = await publishing.duties_for(season.core, held)
        found = [duty.due for duty in duties if duty.kind is DutyKind.BULLETIN]
        assert found == ([date(2027, 1, 14)] if has else []), email


async def test_nothing_is_due_before_the_quarter_is_over(database_url: str, tmp_path: Path) -> None:
    """§ 6.4.5.1: on the last day nothing is asked, on the next it is."""
    async with world_of(database_url, str(tmp_path), start=date(2026, 12, 30)) as world:
        await world.begin()
        world.clock.go(LAST)
        await world.pump()
        assert await world.outbox("bulletin_due") == ()
        world.clock.go(LAST + timedelta(days=1))
        await world.pump()
        assert len(await world.outbox("bulletin_due")) == 1


@pytest.mark.both_engines
async def test_a_bulletin_tells_the_period_and_reaches_each_reader_once(season: World) -> None:
    """§ 6.4.5.1: results, table, who stands above whom, rights, new groups; page, PDF, mail."""
    for email in (ANNA, BO, TL):
        await bulletins.wants(season.core, await season.person(email), it=True)
    await bulletins.wants(season.core, await season.person(TL), it=False)
    draft = await saved(season, "Kære læsere.\n\nGodt nytår.")
    assert (draft.period.first, draft.period.last, draft.readers) == (FIRST, LAST, 2)
    kc = await season.person(KC)
    out = await bulletins.issue(season.core, kc, draft.row.number, draft.seal)
    assert not isinstance(out, BulletinFault)
    assert (
        await bulletins.issue(season.core, kc, draft.row.number, draft.seal) is BulletinFault.GONE
    )
    await season.pump()
    await season.pump()
    assert len(await season.outbox("bulletin")) == 2
    said = season.letters(ANNA)[-1].said
    for text in (
        "Godt nytår.",
        "17. januar 2027 (§ 6.4.5.1)",
        "Eva Friis står over Carla Dahl: Sonneborn-Berger 5,75 mod 5,5.",
        "Anna Ager har vundet ret til mesterklassen",
        "Dan Ege rykker ned i åben klasse (§ 6.5.3.3)",
    ):
        assert text in " ".join(said.split()), text
    async with browser(season) as stranger:
        page = await stranger.get("/bulletins/1")
        assert page.status == 200 and "Eva Friis" in page.text
        assert "@example.com" not in page.text, "a bulletin is public"
        assert "/bulletins/1" in (await stranger.get("/bulletins")).links
    port = season.server.web_port
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"http://127.0.0.1:{port}/bulletins/1.pdf") as answer,
    ):
        assert answer.content_type == "application/pdf"
        assert (await answer.read()).startswith(b"%PDF-")


async def test_what_went_out_stays_as_it_went_out(season: World) -> None:
    """A prize recorded later changes the group's page and not the bulletin."""
    draft = await saved(season)
    kc = await season.person(KC)
    out = await bulletins.issue(season.core, kc, 1, draft.seal)
    before = await bulletins.issued_one(season.core, 1)
    assert before == out, "what is kept is what went out, to the last figure"
    await set_prize(season, 50000)
    assert await bulletins.issued_one(season.core, 1) == before
    assert before is not None and before.finished[0].standing.prizes == ()
    nothing = await bulletins.issued_one(season.core, 2)
    assert nothing is None


async def set_prize(world: World, amount: int) -> None:
    async with world.core.store.write() as conn:
        group = await group_rows.by_name(conn, "K-26-07")
        assert group is not None
        await result_rows.set_prizes(conn, group.id, (amount,))


async def test_only_what_was_looked_at_goes_out(season: World) -> None:
    """Something changed between the preview and the button: nothing goes out, nobody is written."""
    await bulletins.wants(season.core, await season.person(ANNA), it=True)
    draft = await saved(season)
    await set_prize(season, 50000)
    kc = await season.person(KC)
    assert await bulletins.issue(season.core, kc, 1, draft.seal) is BulletinFault.CHANGED
    assert await bulletins.issued_one(season.core, 1) is None
    assert await season.outbox("bulletin") == ()
    again = await bulletins.draft(season.core, kc)
    assert not isinstance(await bulletins.issue(season.core, kc, 1, again.seal), BulletinFault)


async def test_results_in_a_bulletin_may_be_objected_to_for_14_days_from_it(season: World) -> None:
    """§ 6.4.5.1: a term that runs is longer, until 17 January; one that is over stays over."""

    async def until() -> set[str]:
        async with season.core.store.read() as conn:
            group = await group_rows.by_name(conn, "K-26-07")
            assert group is not None
            found = await publication_rows.list_group_publications(conn, group.id)
        return {row.objections_until for row in found}

    closed = await until()
    assert max(closed) < "2027-01-03"
    async with season.core.store.write() as conn:
        query = update(publications).where(publications.c.kind == "standing")
        await conn.execute(query.values(objections_until="2027-01-03"))
    runs = await until()
    draft = await saved(season)
    await bulletins.issue(season.core, await season.person(KC), 1, draft.seal)
    assert await until() == (runs - {"2027-01-03"}) | {"2027-01-17"}


async def test_periods_follow_each_other_and_are_over_when_told(season: World) -> None:
    """§ 6.4.5.1: no gap, no day told before it is past; the controller may end a period sooner."""
    kc = await season.person(KC)
    today = season.clock.today
    await saved(season, last=today)
    draft = await bulletins.draft(season.core, kc)
    assert await bulletins.issue(season.core, kc, 1, draft.seal) is BulletinFault.TOO_EARLY
    draft = await saved(season, last=today - timedelta(days=1))
    assert not isinstance(await bulletins.issue(season.core, kc, 1, draft.seal), BulletinFault)
    following = await bulletins.draft(season.core, kc)
    assert (following.row.number, following.period.first) == (2, today)
    edit = BulletinEditRequest(2, today + timedelta(days=1), date(2027, 3, 31), "", {})
    assert await bulletins.save(season.core, kc, edit) is BulletinFault.BAD_PERIOD
    backwards = BulletinEditRequest(2, today, today - timedelta(days=1), "", {})
    assert await bulletins.save(season.core, kc, backwards) is BulletinFault.BAD_PERIOD
    assert (
        await bulletins.save(season.core, kc, BulletinEditRequest(1, FIRST, LAST, "", {}))
        is BulletinFault.GONE
    )
    assert not following.bulletin.finished and not following.bulletin.running


async def test_nobody_who_is_gone_is_written_to(season: World) -> None:
    """Contact data that was removed stays removed; the same wish twice is one wish."""
    core, bo = season.core, await season.person(BO)
    await bulletins.wants(core, bo, it=True)
    await bulletins.wants(core, bo, it=True)
    async with core.store.write() as conn:
        assert await desk_rows.readers(conn) == (bo.id,)
        gone = {"email": f"{bo.id}@{REMOVED_DOMAIN}"}
        await conn.execute(update(people).where(people.c.id == bo.id).values(gone))
        assert await desk_rows.readers(conn) == ()
