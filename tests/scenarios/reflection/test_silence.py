"""A silent player: warned, reminded, reported; each on its day, by nobody's click (§ 6.3.4)."""

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from kskak.game.game_events import LeaderTold, OpponentReminded
from kskak.regulation.editions import Side
from server.store.engine.rows import DAY_US
from server.store.mail import outages as outage_rows
from server.store.tables.base import duties, games
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World, world_of

REPORTS = Path(__file__).parents[2] / "mails_bounces"

# Anna moves on 2 November; Bo has her move from the 3rd. The warning comes when he has used 12
# days, the reminder 14 days after her sending, the report 7 days after the reminder.
WARNED, REMINDED, TOLD = date(2026, 11, 15), date(2026, 11, 16), date(2026, 11, 23)


async def kinds_of(world: World) -> list[str]:
    """The kinds of the letters about silence, in order."""
    silent = ("reminder", "silence", "think", "control", "offline", "long")
    return [row.kind for row in await world.outbox() if row.kind.startswith(silent)]


async def test_he_is_warned_then_reminded_with_a_copy_and_the_leader_is_told_after_seven_days(
    world: World, anna: Player, bo: Player
) -> None:
    await anna.reply("e4")
    await world.wait_until(date(2026, 11, 14))
    assert await kinds_of(world) == []
    await world.wait_until(WARNED)
    assert await kinds_of(world) == ["think_warning"]
    assert "17 November" in bo.letters[-1].said, "the last day that needs no notice"
    await world.wait_until(REMINDED)
    assert (await world.kinds())[-1] == "OpponentReminded"
    event = (await world.events())[-1].event
    assert event == OpponentReminded(Side.WHITE, REMINDED), "the server's reminder counts as hers"
    repeated = bo.letters[-1]
    assert "e4" in repeated.said
    assert "copy of this mail" in repeated.said
    assert len(world.letters(TL)) == 1
    assert "har ikke svaret Anna Ager i 14 dage" in world.letters(TL)[0].said
    assert "Serveren har rykket Bo Berg for dig" in anna.letters[-1].said
    await world.wait_until(date(2026, 11, 22))
    assert len(world.letters(TL)) == 1
    await world.wait_until(TOLD)
    assert (await world.events())[-1].event == LeaderTold(Side.WHITE, TOLD)
    assert "Bo Berg har ikke svaret" in world.letters(TL)[1].said
    assert BO in world.letters(TL)[1].said
    assert await bo.reply("1... c5", repeated) == "moved"
    assert "har svaret Anna Ager efter rykkeren" in world.letters(TL)[2].said
    assert await world.total(Side.BLACK) == 20, "an e-mail game is charged nothing for silence"
    await world.wait_until(date(2026, 12, 4))
    assert len(world.letters(TL)) == 3, "no more about a move that is answered"
    await world.assert_whole()


async def test_no_copy_of_the_leaders_has_an_address_that_moves_a_piece(world, anna, bo):
    await anna.reply("e4")
    await world.wait_until(TOLD)
    for letter in world.letters(TL):
        assert "parti+" not in str(letter.mail["Reply-To"] or "") + letter.text
        assert "/think/" not in letter.text


async def postal(world: World, bo: Player, answered: date) -> list[str]:
    """Black answers White's first card by mail on this day; the statement's list of charges."""
    await Player(world).reply("e4")
    await world.wait_until(answered)
    assert await bo.reply("1... c5") == "moved"
    async with browser(world) as page:
        await page.sign_in()
        shown = await page.get(f"/games/{world.game}/statement")
    _, _, listed = shown.text.partition("Charges ")  # the days above say them too
    return [said for said in listed.split("14 days")[1:] if "6.3.4" in said[:120]]


@rows(
    "answered days charges",
    (date(2026, 11, 17), 14, 0),
    (date(2026, 11, 18), 15 + 3, 1),
    (date(2026, 11, 22), 19 + 3, 1),
    (date(2026, 11, 23), 20 + 3 + 6, 2),
)
async def test_in_a_postal_game_the_statement_shows_three_and_six_days_with_the_paragraph(
    sqlite_url: str, tmp_path: object, answered: date, days: int, charges: int
) -> None:
    async with world_of(sqlite_url, str(tmp_path)) as world:
        await world.begin(regulation="postal", post_days=0)
        shown = await postal(world, Player(world, BO, layout=None, lang="en"), answered)
        assert await world.total(Side.BLACK) == days
        assert len(shown) == charges


async def test_the_post_both_ways_is_waited_for_in_a_postal_game(sqlite_url, tmp_path):
    async with world_of(sqlite_url, str(tmp_path)) as world:
        await world.begin(regulation="postal", post_days=2)
        await Player(world).reply("e4")
        await world.wait_until(date(2026, 11, 19))
        assert "OpponentReminded" not in await world.kinds()
        await world.wait_until(date(2026, 11, 20))
        assert (await world.kinds())[-1] == "OpponentReminded"


async def test_notice_by_the_link_in_the_warning_stops_it_all_and_costs_nothing(world, anna, bo):
    await anna.reply("e4")
    await world.wait_until(WARNED)
    link = bo.letters[-1].link("/think/")
    async with browser(world) as someone:
        asked = await someone.get(link)
        assert (asked.status, await world.kinds()) == (200, ["MoveSent"]), "looking is nothing"
        for _ in range(2):
            done = await someone.submit(asked, "")
            assert done.status == 200
        await world.pump()
        assert await world.kinds() == ["MoveSent", "LongThinkNotified"]
        assert "Bo Berg har givet varsel" in anna.letters[-1].said
        await world.wait_until(date(2026, 12, 5))
        assert await kinds_of(world) == ["think_warning", "long_think"]
        assert await bo.reply("1... c5") == "moved"
        assert (await someone.get(link)).status == 410, "the move is answered"
    await world.assert_whole()


async def test_notice_by_mail_and_on_the_page_of_the_game(world, anna, bo):
    assert await anna.reply("jeg tænker længe\n\nJeg er på sommerskole") == "long_think"
    assert "Anna Ager has given notice" in bo.letters[-1].said
    assert "sommerskole" in bo.letters[-1].said
    assert "Dit varsel" in anna.letters[-1].said
    assert await bo.reply("long think", bo.letters[-1]) == "not_your_turn"
    await anna.reply("e4")
    async with browser(world) as page:
        await page.sign_in()
        game = await page.get(f"/games/{world.game}")
        asked = await page.get(f"/games/{world.game}/end/think")
        assert f"/games/{world.game}/end/think" in game.html
        await page.submit(asked, "")
        assert "given notice" in (await page.get(f"/games/{world.game}")).text
    assert (await world.kinds())[-1] == "LongThinkNotified"


async def test_notice_after_the_reminder_but_before_the_answer_saves_the_days(sqlite_url, tmp_path):
    async with world_of(sqlite_url, str(tmp_path)) as world:
        await world.begin(regulation="postal", post_days=0)
        bo = Player(world, BO, layout=None, lang="en")
        await Player(world).reply("e4")
        await world.wait_until(date(2026, 11, 17))
        async with browser(world) as page:
            await page.submit(await page.get(bo.letters[-1].link("/think/")), "")
        await world.wait_until(date(2026, 11, 25))
        assert "LeaderTold" not in await world.kinds()
        assert await bo.reply("1... c5") == "moved"
        assert await world.total(Side.BLACK) == 22


async def test_white_who_never_begins_is_reminded_too(world: World, anna: Player) -> None:
    await world.wait_until(REMINDED)
    assert await world.kinds() == ["OpponentReminded"]
    assert "Bo Berg venter på dit første træk" in anna.letters[-1].said
    assert "5254" in anna.letters[-1].said, "and how to begin"
    assert await anna.reply("e4") == "moved"
    assert "efter rykkeren" in world.letters(TL)[-1].said
    await world.assert_whole()


async def test_leave_and_holidays_put_the_reminder_off_to_a_day_that_counts(world, anna, bo):
    await anna.reply("e4")
    assert await bo.reply("leave 2026-11-10 2026-11-20") == "leave"
    await world.wait_until(date(2026, 11, 26))
    assert "OpponentReminded" not in await world.kinds()
    await world.wait_until(date(2026, 11, 27))
    assert (await world.kinds())[-1] == "OpponentReminded"
    await bo.reply("1... c5")
    world.clock.go(date(2026, 12, 6))
    await anna.reply("2. Sf3")
    await world.wait_until(date(2027, 1, 1))
    assert (await world.kinds())[-1] == "OpponentReminded", "20-31 December count for nobody"
    assert (await world.events())[-1].event == OpponentReminded(Side.WHITE, date(2027, 1, 1))


async def test_an_open_outage_defers_it_and_a_past_one_costs_the_player_no_day(lite):
    anna = Player(lite)
    await anna.reply("e4")
    await lite.wait_until(date(2026, 11, 15))
    now = lite.core.now_us
    async with lite.core.store.write() as conn:
        await outage_rows.add(conn, now, None, "fire")
    await lite.wait_until(date(2026, 11, 20))
    assert await lite.kinds() == ["MoveSent"]
    async with lite.core.store.write() as conn:
        (fire,) = await outage_rows.take_open(conn, "fire")
        await outage_rows.add(conn, fire.from_us, now + 5 * DAY_US, fire.reason)
    lite.clock.wait(minutes=15)
    await lite.pump()
    assert (await lite.events())[-1].event == OpponentReminded(Side.WHITE, date(2026, 11, 20))
    await lite.wait_until(date(2026, 11, 26))
    assert "LeaderTold" not in await lite.kinds()
    await lite.wait_until(date(2026, 11, 27))
    assert (await lite.kinds())[-1] == "LeaderTold", "7 days from the day it was sent"


async def test_few_days_before_the_control_he_is_warned_once(world: World, anna: Player) -> None:
    await anna.reply("e4")
    await world.wait_until(date(2026, 12, 9))
    assert (await world.outbox("control_warning")) == ()
    await world.wait_until(date(2026, 12, 10))
    assert "3 days left to move 10" in world.letters(BO)[-1].said
    await world.pump()
    assert len(await world.outbox("control_warning")) == 1
    assert (await world.row()).result is None
    await world.assert_whole()


async def test_who_can_not_be_reached_for_more_than_thirty_days_is_reported(world, anna):
    await anna.reply("e4")
    relay = world.letters(BO)[-1]
    bounce = (REPORTS / "hard_postfix.eml").read_bytes()
    await world.smtp(bounce, relay.sender, sender="")
    await world.pump()
    async with browser(world) as leader:
        await leader.sign_in(TL)
        await leader.submit(await leader.get(f"/games/{world.game}"), "/unreached")
    assert (await world.kinds())[-1] == "GamePaused"
    await world.wait_until(date(2026, 12, 2))
    assert (await world.outbox("offline")) == (), "30 days are not more than 30"
    await world.wait_until(date(2026, 12, 3))
    assert "6.8.1" in world.letters(TL)[-1].said
    assert "OpponentReminded" not in await world.kinds(), "time stands still: nobody is silent"
    await world.wait_until(date(2026, 12, 8))
    assert len(await world.outbox("offline")) == 1


@pytest.mark.parametrize("day", [WARNED, REMINDED, TOLD])
async def test_what_was_done_is_not_done_again_however_often_one_looks(lite, day):
    await Player(lite).reply("e4")
    await lite.wait_until(day)
    letters = len(await lite.outbox())
    for _ in range(3):
        lite.clock.wait(minutes=30)
        await lite.pump()
    assert len(await lite.outbox()) == letters
    await lite.assert_whole()


async def test_a_finished_game_reminds_nobody(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("e4")
    await anna.reply("opgiver", lite.letters(ANNA)[-1])
    await anna.reply("ja")
    await lite.wait_until(date(2027, 2, 1))
    assert await kinds_of(lite) == []


async def test_games_of_an_earlier_version_get_their_due_work_once(lite: World) -> None:
    await Player(lite).reply("e4")
    async with lite.core.store.write() as conn:
        await conn.execute(update(games).values(due_kind=None, wake_us=None))
        await conn.execute(delete(duties))
    await lite.pump()
    await lite.wait_until(REMINDED)
    assert (await lite.kinds())[-1] == "OpponentReminded"
    async with lite.core.store.write() as conn:
        await conn.execute(update(games).values(due_kind=None, wake_us=None))
    await lite.pump()
    async with lite.core.store.read() as conn:
        left = select(games).where(games.c.due_kind.is_not(None))
        assert (await conn.execute(left)).all() == [], "once, not at every look"
