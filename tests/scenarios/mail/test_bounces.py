"""Cases B07-B10: what comes back to a letter's return path; who is told, and who stops the time."""

from pathlib import Path

import pytest
from sqlalchemy import update

from kskak.game.game_events import GamePaused
from kskak.regulation.editions import PauseReason
from server.store.tables.base import people
from server.usecases.account import signin
from server.usecases.mail.bounces import SEVERAL
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.draws import turns
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.reports import report_on
from tests.fakes.told_once import begin, scene
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World, world_of

REPORTS = Path(__file__).parents[2] / "mails_bounces"
NAMES = sorted(path.stem for path in REPORTS.glob("*.eml"))
HARD = [name for name in NAMES if name.startswith("hard")]
OTHERS = [name for name in NAMES if not name.startswith("hard")]


async def _relay(world: World) -> Letter:
    """The letter by which Bo learns of Anna's move."""
    assert await Player(world).reply("e4") == "moved"
    return world.letters(BO)[-1]


async def _moved(world: World) -> None:
    await begin(world)
    await _relay(world)


moved = scene(_moved)
"""Anna has moved, and Bo has been told of it."""


async def _comes_back(world: World, raw: bytes, to: str, sender: str = "") -> str | None:
    assert (await world.smtp(raw, to, sender=sender))[0] == 250
    await world.pump()
    return (await world.newest_mail()).outcome


@pytest.mark.thinned
@pytest.mark.parametrize("name", turns(HARD, 0, 6))
async def test_every_system_s_hard_report_is_told_and_stops_nothing(moved, name):
    lite, relay = moved, moved.letters(BO)[-1]
    raw = (REPORTS / f"{name}.eml").read_bytes()
    assert await _comes_back(lite, raw, relay.sender) == "undelivered"
    (told,) = lite.letters(TL)
    assert BO in told.said
    assert "K-26-01/1" in told.said
    assert "Hans tid løber" in told.said
    assert await lite.kinds() == ["MoveSent"]
    async with browser(lite) as bo:
        await bo.sign_in()
        shown = await bo.get("/")
    note = (await lite.newest_mail()).note
    assert note
    assert note in shown.text
    assert "Mail to you does not arrive" in shown.text


@pytest.mark.thinned
@pytest.mark.parametrize("name", turns(OTHERS, 0, 5))
async def test_one_soft_report_and_what_is_none_change_nothing(moved: World, name: str) -> None:
    lite, relay = moved, moved.letters(BO)[-1]
    before, person = len(lite.host.letters), await lite.person(BO)
    raw = (REPORTS / f"{name}.eml").read_bytes()
    outcome = await _comes_back(lite, raw, relay.sender)
    assert outcome == ("delayed" if name.startswith("soft") else "bounce")
    assert len(lite.host.letters) == before
    assert await lite.kinds() == ["MoveSent"]
    assert await lite.person(BO) == person
    async with browser(lite) as bo:
        await bo.sign_in()
        assert "does not arrive" not in (await bo.get("/")).text


async def test_several_soft_reports_are_told_but_not_those_of_long_ago(world: World) -> None:
    relay = await _relay(world)
    for number in range(SEVERAL - 1):
        await _comes_back(world, report_on(relay, "delayed", f"4.4.{number}"), relay.sender)
    world.clock.wait(days=8)
    await _comes_back(world, report_on(relay, "delayed", "4.4.7"), relay.sender)
    assert world.letters(TL) == []
    for number in range(SEVERAL - 1):
        world.clock.wait(hours=5)
        await _comes_back(world, report_on(relay, "delayed", f"4.5.{number}"), relay.sender)
    (told,) = world.letters(TL)
    assert "Serveren prøver igen" in told.said
    assert await world.kinds() == ["MoveSent"]
    async with browser(world) as leader:
        await leader.sign_in(TL)
        shown = await leader.get(f"/games/{world.game}")
    assert "/unreached" not in shown.html, "it may yet arrive"


async def test_a_report_with_a_sender_or_from_elsewhere_or_of_another_address_is_only_kept(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with world_of(sqlite_url, str(tmp_path), trusted_relays=["192.0.2.1"]) as world:
        await world.begin()
        relay = await _relay(world)
        hard = report_on(relay, "failed", "5.1.1")
        assert await _comes_back(world, hard, relay.sender) == "bounce", "not by our relay"
        assert world.letters(TL) == []


@pytest.mark.parametrize("case", ["sender", "address"])
async def test_a_report_that_anybody_could_send_is_only_kept(lite: World, case: str) -> None:
    relay = await _relay(lite)
    hard = report_on(relay, "failed", "5.1.1")
    raw = hard.replace(BO.encode(), b"x@y.dk") if case == "address" else hard
    sender = BO if case == "sender" else ""
    assert await _comes_back(lite, raw, relay.sender, sender) == "bounce"
    assert lite.letters(TL) == []


async def test_only_the_leader_stops_the_time_and_only_when_a_letter_came_back(lite):
    relay = await _relay(lite)
    async with browser(lite) as one:
        await one.sign_in(TL)
        fields = (await one.get(f"/games/{lite.game}")).forms[0].fields
        assert (await one.post(f"/games/{lite.game}/unreached", fields)).status == 403
        await _comes_back(lite, report_on(relay, "failed", "5.1.1"), relay.sender)
    for email in (BO, ANNA, CAPTAIN):
        async with browser(lite) as other:
            await other.sign_in(email)
            assert "/unreached" not in (await other.get(f"/games/{lite.game}")).html
            fields = (await other.get("/")).forms[0].fields
            assert (await other.post(f"/games/{lite.game}/unreached", fields)).status == 403
    assert await lite.kinds() == ["MoveSent"]


async def test_a_new_address_ends_the_notice_and_a_letter_about_no_game_is_told_too(lite):
    start = next(one for one in lite.letters(BO) if "Start" in one.subject)
    await _comes_back(lite, report_on(start, "failed", "5.1.1"), start.sender)
    (told,) = lite.letters(TL)
    assert "K-26-01/1" in told.said
    async with browser(lite) as leader:
        await leader.sign_in(TL)
        assert "/unreached" not in (await leader.get(f"/games/{lite.game}")).html
    async with browser(lite) as bo:
        await bo.sign_in()
        assert "does not arrive" in (await bo.get("/")).text
        async with lite.core.store.write() as conn:
            moved = update(people).where(people.c.email == BO).values(email="bo@new.example")
            await conn.execute(moved)
        assert "does not arrive" not in (await bo.get("/")).text


async def test_a_daily_letter_that_comes_back_counts_for_each_of_its_games(lite: World) -> None:
    assert await signin.keep(lite.core, await lite.person(BO), {"letters": "daily"}) == ()
    assert await Player(lite).reply("e4") == "moved"
    lite.clock.wait(days=1)
    await lite.pump()
    daily = lite.letters(BO)[-1]
    await _comes_back(lite, report_on(daily, "failed", "5.1.1"), daily.sender)
    assert len(lite.letters(TL)) == 1
    async with browser(lite) as leader:
        await leader.sign_in(TL)
        await leader.submit(await leader.get(f"/games/{lite.game}"), "/unreached")
    assert (await lite.events())[-1].event == GamePaused(lite.clock.today, None, PauseReason.BOUNCE)


async def test_a_notice_ends_after_a_month_without_anotherreport_on(lite: World) -> None:
    relay = await _relay(lite)
    await _comes_back(lite, report_on(relay, "failed", "5.1.1"), relay.sender)
    async with browser(lite) as bo:
        await bo.sign_in()
        lite.clock.wait(days=29)
        assert "does not arrive" in (await bo.get("/")).text
        lite.clock.wait(days=2)
        assert "does not arrive" not in (await bo.get("/")).text


async def test_what_our_own_relay_refuses_is_no_report_and_stops_the_time(lite: World) -> None:
    lite.host.refused.add(BO)
    assert await Player(lite).reply("e4") == "moved"
    assert await lite.kinds() == ["MoveSent", "GamePaused"]
    (told,) = lite.letters(TL)
    assert "Tiden står stille" in told.said


@pytest.mark.both_engines
async def test_of_a_bounced_relay_the_leader_is_told_once_and_he_stops_the_time(world, anna):
    """B07, § 6.8.2: while a relay bounces the recipient's time stands still, if the leader says so.

    A bounce of itself stops nothing: the player, who knows the return path, could have made it.
    """
    await anna.reply("e4")
    relay = world.letters(BO)[-1]
    assert relay.sender.startswith("parti+b-")
    await world.smtp(report_on(relay, "failed", "5.1.1"), relay.sender, sender="")
    await world.pump()
    assert await world.kinds() == ["MoveSent"]
    (told,) = world.letters(TL)
    for known in (BO, "K-26-01/1"):
        assert known in told.said
    await world.smtp(report_on(relay, "failed", "5.1.2"), relay.sender, sender="")
    await world.pump()
    assert len(world.letters(TL)) == 1
    sent = world.clock.today
    world.clock.wait(days=3)
    async with browser(world) as leader:
        await leader.sign_in(TL)
        page = await leader.get(f"/games/{world.game}")
        assert "Could not deliver" in page.text
        await leader.submit(page, "/unreached")
        again = await leader.get(f"/games/{world.game}")
        assert "/unreached" not in [form.action[-10:] for form in again.forms]
    assert await world.kinds() == ["MoveSent", "GamePaused"]
    pause = (await world.events())[-1]
    assert pause.event == GamePaused(sent, None, PauseReason.BOUNCE)
    assert pause.actor_id == (await world.person(TL)).id
    world.clock.wait(days=60)
    await world.pump()
    assert "OverstepFound" not in await world.kinds(), "his time stands still"
    await world.assert_whole()


async def test_a_delayed_delivery_is_only_noted(world: World, anna: Player) -> None:
    """B09."""
    await anna.reply("e4")
    relay = world.letters(BO)[-1]
    await world.smtp(report_on(relay, "delayed", "4.4.1"), relay.sender, sender="")
    await world.pump()
    assert await world.kinds() == ["MoveSent"]
    assert world.letters(TL) == []


async def test_a_return_path_that_we_did_not_sign_changes_nothing(world, anna):
    """B08."""
    await anna.reply("e4")
    relay = world.letters(BO)[-1]
    local, _, domain = relay.sender.partition("@")
    forged = f"{local[:-3]}{'aaa' if not local.endswith('aaa') else 'bbb'}@{domain}"
    await world.smtp(report_on(relay, "failed", "5.1.1"), forged, sender="")
    await world.pump()
    assert await world.kinds() == ["MoveSent"]
    assert world.letters(TL) == []
