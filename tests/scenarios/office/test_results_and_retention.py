"""A finished group: published, objected to, its prizes; and a year later what is removed.

§ 6.4.5, § 6.2.9, and the readings on personal data. A year of daily duties in virtual time.
"""

import base64
import re
from datetime import date, timedelta
from html import unescape

import pytest
from sqlalchemy import select

from kskak.cases.case import CaseReason, CaseRefusal
from kskak.cases.case_events import CaseKind
from kskak.game.game_commands import Resign
from server.jobs.daily_duties import DailyJob
from server.store import groups as group_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.tables.base import inbox, outbox, people
from server.usecases.cases import case_actions
from server.usecases.desks.readiness import overview
from server.usecases.play.game_requests import GameRequest, NotYours, ask
from server.usecases.results import publishing
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import rights
from tests.fakes.cases import only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import PNG, begin_postal, call, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World

ZONE = "Europe/Copenhagen"


async def resigned(world: World, who: Player) -> None:
    assert await who.reply("opgiver") == "asked_back"
    assert await who.reply("ja") == "resigned"


async def next_day(world: World, days: int = 1) -> None:
    world.clock.wait(days=days)
    await world.pump()


async def duties(world: World, who: str) -> list[tuple[DutyKind, date]]:
    found = await publishing.duties_for(
        world.core, await rights(world.core, await world.person(who))
    )
    return [(duty.kind, duty.due) for duty in found]


async def test_a_finished_group_is_published_with_dated_duties(world: World, anna: Player) -> None:
    """§ 6.4.5: objections within 14 days, prizes within 3 weeks; everybody is told once."""
    await anna.reply("e4")
    assert await duties(world, TL) == []
    await resigned(world, Player(world, ANNA))
    await next_day(world)
    day = world.clock.today
    assert await duties(world, TL) == [
        (DutyKind.OBJECTIONS, day + timedelta(days=14)),
        (DutyKind.PRIZES, day + timedelta(days=21)),
    ]
    assert await duties(world, ANNA) == [], "a player has no desk"
    for _ in range(3):
        await next_day(world)
    assert len(await world.outbox("published")) == 3
    assert "finished, and its result is published" in world.letters(BO)[-1].said
    await next_day(world, 14)
    assert await world.outbox("prizes_due") == (), "four days before the last"
    for days in (1, 2):
        await next_day(world, days)
        assert len(await world.outbox("prizes_due")) == 1, "three days before it, once"
    (left,) = await duties(world, TL)
    assert left[0] is DutyKind.PRIZES


async def resigns_unsent(world: World) -> None:
    """Anna gives up; no letter has gone yet."""
    asked = GameRequest(world.game, (await world.person(ANNA)).id, "web", lambda _, by: Resign(by))
    await ask(world.core, asked)


@pytest.mark.parametrize(("days", "letters"), [(14, 3), (15, 0)])
async def test_who_waited_a_fortnight_for_a_result_is_told_and_later_nobody(lite, days, letters):
    """§ 6.4.5: after an outage, or a group that was brought in ended. Published all the same."""
    await Player(lite).reply("e4")
    await resigns_unsent(lite)
    lite.clock.wait(days=days)
    await lite.pump()
    assert len(await lite.outbox("published")) == letters
    assert bool(await duties(lite, TL)) is True


async def test_a_result_is_unreported_only_when_its_letter_was_tried_and_did_not_go(world, anna):
    """§ 6.2.6: on its way is no duty; put off or refused is; gone is none again."""
    await anna.reply("e4")
    world.host.put_off.add(TL)
    await resigns_unsent(world)
    assert await duties(world, TL) == [], "the letter waits for its turn"
    await world.pump()
    due = (DutyKind.UNREPORTED, world.clock.today + timedelta(days=8))
    assert await duties(world, TL) == [due]
    world.host.refused.add(TL)
    world.clock.wait(hours=12)
    await world.pump()
    assert [row.state for row in await world.outbox("game_over")].count("dead") == 1
    assert await duties(world, TL) == [due], "a letter that will never go is a duty for ever"
    world.host.put_off.clear()
    world.host.refused.clear()
    (dead,) = [row for row in await world.outbox("game_over") if row.state == "dead"]
    async with world.core.store.write() as conn:
        assert await outbox_rows.requeue(conn, dead.id, world.core.now_us)
    await world.pump()
    assert await duties(world, TL) == []


async def no_way_round_the_term(world: World) -> None:
    """§ 6.4.5: as a case of the game, as by API, it is as late; what is no result is heard."""
    async with world.core.store.read() as conn:
        group = await group_rows.by_name(conn, "K-26-01")
        assert group is not None
        (game,) = await game_rows.list_group_games(conn, group.id)
    asked = (game.id, CaseKind.RESULT, "Jeg stod til gevinst.")
    late = await case_actions.object_to(world.core, await world.person(BO), *asked)
    until = world.clock.today - timedelta(days=1)
    assert late == CaseRefusal(CaseReason.OBJECTION_LATE, until)
    days = (game.id, CaseKind.DAYS, "Talt forkert.")
    assert isinstance(
        await case_actions.object_to(world.core, await world.person(BO), *days), CaseRow
    )


@pytest.mark.both_engines
async def test_an_objection_reaches_the_leader_within_14_days_and_is_refused_later(world, anna):
    """§ 6.4.5, boundary on both sides; strangers have none."""
    await anna.reply("e4")
    await resigned(world, anna)
    await next_day(world)
    group = "/results/K-26-01"
    async with browser(world) as bo, browser(world) as stranger:
        await bo.sign_in(BO)
        await stranger.sign_in(CAPTAIN)
        assert not (await stranger.get(group)).forms[1:]
        await next_day(world, 14)
        shown = await bo.get(group)
        sent = await bo.submit(shown, "", said="I had a won position")
        assert sent.status == 200
        await world.pump()
        assert "won position" in world.letters(TL)[-1].said
        form = shown.form("")
        refused = await stranger.post(group, form.fields | {"said": "me too", "act": "object"})
        assert refused.status == 403
        await next_day(world)
        late = await bo.post(group, form.fields | {"said": "again", "act": "object"})
        assert late.status == 422
        assert "6.4.5" in late.text
    case = await only_case(world)
    await no_way_round_the_term(world)
    seen = await seen_by(world, TL, case)
    assert (seen.state.opened.kind, seen.state.opened.paragraphs) == (CaseKind.RESULT, ("6.4.5",))
    assert [paper.text for paper in seen.statements] == ["I had a won position"]


async def test_the_prizes_are_said_to_be_sent_by_the_leader_alone(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("e4")
    await resigned(lite, anna)
    await next_day(lite)
    held = await rights(lite.core, await lite.person(TL))
    (_, prizes) = await publishing.duties_for(lite.core, held)
    assert prizes.publication is not None
    for who in (ANNA, CAPTAIN):
        with pytest.raises(NotYours):
            await publishing.prizes_sent(lite.core, await lite.person(who), prizes.publication)
    async with browser(lite) as leader:
        await leader.sign_in(TL)
        desk = await leader.get("/desk")
        assert "/results/K-26-01" in desk.links
        ticked = await leader.post("/desk/prizes", desk.form("/prizes").fields | {"step": "all"})
        row = re.search(r'name="(row-[^"]+)" value="([^"]+)"', ticked.html)
        assert row is not None and "0 mails." in ticked.text
        done = ticked.form("/prizes").fields | {row[1]: unescape(row[2]), "step": "do"}
        assert "1 er gjort" in (await leader.post("/desk/prizes", done)).text
    assert DutyKind.PRIZES not in [kind for kind, _ in await duties(lite, TL)]
    await next_day(lite, 20)
    assert await lite.outbox("prizes_due") == ()


async def kept_raw(world: World) -> tuple[int, int]:
    """How many mails and letters of games are still there with their text."""
    async with world.core.store.read() as conn:
        came = (await conn.execute(select(inbox.c.raw))).scalars().all()
        # The controller's reminder of a bulletin is of no tournament, and of today.
        of_tournaments = select(outbox.c.raw).where(outbox.c.kind != "bulletin_due")
        went = (await conn.execute(of_tournaments)).scalars().all()
    return sum(bool(raw) for raw in came), sum(bool(raw) for raw in went)


async def emails(world: World) -> dict[str, str]:
    async with world.core.store.read() as conn:
        rows = await conn.execute(select(people.c.name, people.c.email))
        return {name: str(email) for name, email in rows}


async def test_contact_data_and_mails_go_after_12_months_and_the_games_stay(world, anna):
    """Readings on personal data: not a day before; chains hold after; officials stay."""
    await anna.reply("e4")
    await resigned(world, anna)
    await next_day(world)
    before, events = await kept_raw(world), await world.events()
    (term,) = await overview(world.core.store, ZONE, world.clock.today)
    assert term.until is not None and not term.is_over
    assert term.ended == world.clock.today + timedelta(days=14), "when objections have ended"
    assert term.until == term.ended.replace(year=term.ended.year + 1), "12 months"
    world.clock.go(term.until)
    await DailyJob(world.core).work()
    assert (await emails(world))["Anna Ager"] == ANNA
    assert (await kept_raw(world))[0] == before[0]
    await next_day(world)
    assert await kept_raw(world) == (0, 0)
    left = await emails(world)
    assert "@removed.invalid" in left["Anna Ager"] and "@removed.invalid" in left["Bo Berg"]
    assert left["T. Leder"] == TL
    assert await world.events() == events
    await world.assert_whole()
    async with (
        browser(world) as anybody,
        anybody.session.get(anybody._url("/pgn/K-26-01.pgn")) as got,
    ):
        assert "1. e4" in await got.text()


async def test_what_runs_keeps_its_data_and_a_players_other_tournament_keeps_his_address(lite):
    """A second, running group of another tournament."""
    await begin_postal(lite, "P-26-01")
    postal = lite.game
    lite.clock.go(date(2026, 11, 9))
    scan = base64.b64encode(PNG).decode()
    await enter(lite, "white", "e4", postmark=date(2026, 11, 3), scan=scan)
    for _ in range(30):
        await next_day(lite, 30)
    assert (await emails(lite))["Anna Ager"] == ANNA
    async with lite.core.store.read() as conn:
        (card,) = await paper_rows.list_game_cards(conn, postal)
    assert card.scan == PNG
    assert (await call(lite, TL, "cards", {"by": "black", "kind": "resigns"}))[0] == 200
