"""An outage of the server or its mail: recorded, proposed, granted or declined (§ 6.8.5)."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import aiohttp
import pytest
from sqlalchemy import select, update

from kskak.game.game_events import GamePaused
from kskak.regulation.editions import PauseReason, Side
from mail.text.catalogue import Words
from server.jobs.mail_jobs import OutboxJob
from server.jobs.runner import PresenceJob
from server.store.mail import outages as outage_rows
from server.store.play.people import Office
from server.store.tables import base as base_tables
from server.store.tables.base import outages, outbox
from server.usecases.reflection import silence_and_outages
from server.usecases.rights import NotAllowed, appoint, rights
from tests.fakes.cases import officer
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import ANNA, BO, KC, TL, World

GRANT, DECLINE = "granted", "declined"
STANDSTILL = "(?:stået|stod) stille"
"""What a page in Danish says of an outage, over or not."""


async def away(world: World, days: float) -> None:
    """The server stands still for so many days: no sign of life of any process, no work done."""
    async with world.core.store.write() as conn:
        await base_tables.put_value(conn, silence_and_outages.HEARTBEAT, str(world.core.now_us))
    world.clock.wait(days=days)
    await PresenceJob(world.core).work()


async def proposed(world: World, email: str = TL) -> list[outage_rows.PauseRow]:
    person = await world.person(email)
    return list(await silence_and_outages.proposals(world.core, await rights(world.core, person)))


def of_game(player: Player, group: str) -> Letter:
    """The newest letter about a group's game that can be answered by a move."""
    found = [one for one in player.letters if group in one.subject]
    return [one for one in found if (one.reply_to or "").startswith("parti+")][-1]


async def asked(world: World, who: str, path: str, body: object) -> tuple[int, object]:
    """A request to the API; its status and, when it is refused, the problem's type."""
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/{path}"
    head = {"Authorization": f"Bearer {await world.token(who)}"}
    async with aiohttp.ClientSession(headers=head) as http, http.post(url, json=body) as answer:
        return answer.status, (await answer.json()).get("type")


async def settled(world: World, decision: str, word: str = "", email: str = TL) -> int:
    (one, *_) = await proposed(world, email)
    by = await world.person(email)
    return await silence_and_outages.decide_pauses(world.core, by, one.outage_id, decision, word)


async def recorded(world: World) -> list[tuple[str, int | None]]:
    async with world.core.store.read() as conn:
        found = await conn.execute(select(outages.c.reason, outages.c.to_us))
        return [(row[0], row[1]) for row in found]


async def paused(world: World, game: int | None = None) -> list[GamePaused]:
    return [row.event for row in await world.events(game) if isinstance(row.event, GamePaused)]


@pytest.mark.both_engines
async def test_four_days_of_standstill_are_proposed_granted_told_and_cost_nobody_a_day(
    world: World, anna: Player, bo: Player
) -> None:
    await anna.reply("e4")
    world.clock.wait(days=2)
    await world.pump()
    flag = (await world.row()).flag_on
    assert flag is not None
    first = world.clock.today
    await away(world, 4)
    (line,) = await proposed(world)
    assert (line.first, line.last) == (str(first), str(first + timedelta(days=3)))
    assert (line.days, line.games, line.players, line.reason) == (4, 1, 2, "server")
    assert [one.id for one in await proposed(world, KC)] == [line.id]
    assert await paused(world) == [], "proposed, not taken"
    assert await settled(world, GRANT) == 1
    await world.pump()
    days = (first, first + timedelta(days=3))
    assert await paused(world) == [GamePaused(*days, PauseReason.OUTAGE)]
    assert (await world.row()).flag_on == str(date.fromisoformat(flag) + timedelta(days=4))
    assert await proposed(world) == []
    for who, word in ((ANNA, "dage, der ikke tæller"), (BO, "do not count"), (TL, "tæller")):
        assert word in world.letters(who)[-1].subject
    assert "4. november" in world.letters(ANNA)[-1].said and "7. november" in anna.letters[-1].said
    assert (
        await silence_and_outages.decide_pauses(
            world.core, await world.person(KC), line.outage_id, GRANT
        )
        == 0
    )
    await silence_and_outages.enter(world.core)
    await world.pump()
    assert len(await paused(world)) == 1 and len(world.letters(TL)) == 2, "pressed twice, once done"
    await bo.reply("e5", of_game(bo, "K-26-01"))
    assert await world.total(Side.BLACK) == 1, "received on the 3rd, answered on the 8th"
    await world.assert_whole()


async def test_who_decides_is_told_by_letter_what_is_proposed_and_where(world, anna):
    """One letter each: leader, deputy, controller; not players, nor a leader of other groups."""
    await world.begin("K-26-02")
    kc, other = await world.person(KC), await world.person(BO)
    await appoint(world.core, kc, other.id, Office.DEPUTY, (await world.row()).group_id)
    await anna.reply("e4")
    await world.pump()
    before = len(world.letters(BO))
    await away(world, 4)
    for _ in range(2):
        await world.pump()
    assert [row.kind for row in await world.outbox("outage")] == ["outage"] * 2, "Bo plays in both"
    for who in (TL, KC):
        (letter,) = [
            one for one in world.letters(who) if "skal spillerne have en pause" in one.subject
        ]
        for said in (
            "Serveren stod stille fra den 2. november 2026",
            "§ 6.8.5",
            "/desk/outages",
            "K-26-01: 1 parti med 2 spillere; 4 dage,",
            "K-26-02: 1 parti med 2 spillere",
        ):
            assert said in letter.said, said
    assert len(world.letters(BO)) == before
    await world.assert_whole()


@pytest.mark.parametrize("who", [KC, TL])
async def test_who_enters_an_outage_by_hand_needs_no_letter_of_it(lite: World, who: str) -> None:
    lite.clock.wait(days=5)
    now, by = lite.core.clock.now(), await lite.person(who)
    stretch = (now - timedelta(days=2), now - timedelta(days=1))
    assert await silence_and_outages.record_manual_outage(lite.core, by, *stretch, "mail") == 1
    await lite.pump()
    (other,) = {KC, TL} - {who}
    assert not lite.letters(who)
    assert "Mailen stod stille" in lite.letters(other)[-1].said
    again = (*stretch, "mail")
    assert await silence_and_outages.record_manual_outage(lite.core, by, *again) == 0
    await lite.pump()
    assert len(await lite.outbox("outage")) == 1, "nothing is proposed, nobody is told"


async def test_an_outage_without_a_lost_day_is_told_to_nobody(lite: World) -> None:
    await away(lite, 0.1)
    await lite.pump()
    assert len(await recorded(lite)) == 1 and await lite.outbox("outage") == ()


async def seen(
    world: World, who: str, path: str, token: str | None = None
) -> tuple[dict[str, Any], str]:
    """What the API answers to a look, and its ETag."""
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/{path}"
    head = {"Authorization": f"Bearer {token or await world.token(who)}"}
    async with aiohttp.ClientSession(headers=head) as http, http.get(url) as answer:
        return await answer.json(), answer.headers.get("ETag", "")


async def texts(world: World, *paths: str) -> list[str]:
    """Pages of the game as Anna sees them."""
    async with browser(world) as web:
        await web.sign_in(ANNA)
        return [(await web.get(f"/games/{world.game}{path}")).html for path in paths]


@pytest.mark.parametrize("decision", [GRANT, DECLINE])
async def test_while_it_waits_no_page_offers_a_claim_and_api_and_pages_say_what_was_decided(
    lite: World, decision: str
) -> None:
    await Player(lite).reply("e4")
    flag = date.fromisoformat(str((await lite.row()).flag_on))
    await lite.wait_until(flag - timedelta(days=1))
    path, clock = f"games/{lite.game}", f"games/{lite.game}/clock"
    told, tag = await seen(lite, ANNA, clock)
    assert "outages" not in told and (await seen(lite, ANNA, path))[0]["outages"] == []
    first = lite.clock.today
    await away(lite, 3)
    game, time, claim = await texts(lite, "", "/statement", "/end/time")
    for page in (game, time):
        assert "ikke afgjort endnu" in page and "Tiden er overskredet" not in page
        assert "Du kan gøre det gældende" not in page, "no claim is offered"
    assert "ikke opgjort endnu" in claim and "skriver serveren det til jer begge" in claim
    assert 'name="key"' not in claim, "no button of a claim"
    days = {"from": str(first), "to": str(first + timedelta(days=2))}
    waits = {"standing": "undecided", "by": None, "word": None} | days
    now, away_tag = await seen(lite, ANNA, clock)
    assert now["outages"] == [waits] and away_tag != tag
    assert (await seen(lite, ANNA, path))[0]["outages"] == [waits]
    assert (await seen(lite, ANNA, path))[0]["overstep"] is None
    on = await seen(lite, ANNA, f"{clock}?on={lite.clock.today}")
    assert on[0]["overstep"] is None and on[0]["outages"] == [waits]
    word = "Kun <strøm>men hos en spiller."
    assert await settled(lite, decision, word) == 1
    lite.clock.wait(minutes=15)
    await lite.pump()
    after, final_tag = await seen(lite, ANNA, clock)
    game, time, claim = await texts(lite, "", "/statement", "/end/time")
    assert ('name="key"' in claim) and ("ikke opgjort endnu" not in claim)
    if decision == GRANT:
        assert "outages" not in after and "T. Leder har set på det" not in game + time
        return
    declined = {"standing": "declined", "by": "T. Leder", "word": word} | days
    assert after["outages"] == [declined] and final_tag not in (tag, away_tag)
    for page in (game, time):
        assert "T. Leder har set på det" in page and "»Kun &lt;strøm&gt;men" in page
    lite.clock.wait(days=29, hours=23)
    assert "har set på det" in (await texts(lite, ""))[0], "30 days"
    lite.clock.wait(hours=1)
    game, time = await texts(lite, "", "/statement")
    assert "har set på det" not in game and "har set på det" in time


async def test_a_time_that_ran_out_before_the_outage_is_shown_and_claimed_in_it(lite):
    """Those days would not have saved it: what is shown is what a claim would find."""
    await Player(lite).reply("e4")
    flag = date.fromisoformat(str((await lite.row()).flag_on))
    while lite.clock.today < flag:
        lite.clock.wait(days=1)
    await away(lite, 3)
    game, claim = await texts(lite, "", "/end/time")
    assert "ikke afgjort endnu" in game and "Du kan gøre det gældende" in game
    assert 'name="key"' in claim and "ikke opgjort endnu" not in claim
    assert (await asked(lite, ANNA, f"games/{lite.game}/claim", {"action": "claim"}))[0] == 200


async def test_an_outage_that_lasts_is_said_to_last(lite: World) -> None:
    await Player(lite).reply("e4")
    first, path = lite.clock.today, f"/games/{lite.game}"
    token = await lite.token(ANNA)
    async with browser(lite) as web, browser(lite) as stranger:
        await web.sign_in(ANNA)
        await silence_and_outages.mail_stops(lite.core)
        said = (await web.get(path)).text
        assert not re.search(STANDSTILL, said), "no day is lost yet"
        lite.clock.wait(days=2)
        for page in (path, f"{path}/statement"):
            said = (await web.get(page)).text
            assert f"stået stille siden {first.day}. november 2026 og gør det stadig" in said
            assert "stod stille fra" not in said
        assert "stille" not in (await stranger.get(path)).text
    (one,) = (await seen(lite, ANNA, path[1:], token))[0]["outages"]
    assert one == {
        "standing": "lasting", "from": str(first), "to": None, "by": None, "word": None
    }  # fmt: skip


async def test_the_page_of_a_game_says_that_an_outage_is_not_settled(world, anna):
    await anna.reply("e4")
    first = world.clock.today
    await away(world, 4)
    last = first + timedelta(days=3)
    said = f"stod stille fra {first.day}. november 2026 til {last.day}. november 2026"
    for email in (ANNA, TL):
        async with browser(world) as web:
            await web.sign_in(email)
            assert said in (await web.get(f"/games/{world.game}")).text, email
    await settled(world, GRANT)
    async with browser(world) as web:
        await web.sign_in(ANNA)
        assert "stod stille" not in (await web.get(f"/games/{world.game}")).text


@pytest.mark.both_engines
async def test_an_outage_over_a_deadline_finds_nobody_late_until_it_is_settled(world, anna, bo):
    """Nor does the answer that came after it open a case, ask the opponent or bear a claim."""
    await anna.reply("e4")
    flag = date.fromisoformat(str((await world.row()).flag_on))
    await world.wait_until(flag - timedelta(days=2))
    told = await world.kinds()
    await away(world, 4)
    await world.pump()
    assert await world.kinds() == told, "no finding, reminder or report in it"
    claim = await asked(world, ANNA, f"games/{world.game}/claim", {"action": "claim"})
    assert claim[0] == 409 and str(claim[1]).endswith("outage-unsettled"), claim
    assert await bo.reply("e5") == "moved"
    assert (await world.row()).state().overstep is None
    assert await anna.reply("2. Sf3") == "moved", "she is not asked whether she claims"
    stands = GamePaused(flag - timedelta(days=2), flag + timedelta(days=1), PauseReason.OUTAGE)
    assert await paused(world) == [stands], "taken on the strength of the proposal"
    assert await settled(world, DECLINE, "Den stod ikke stille.") == 1
    await world.pump()
    assert (await world.row()).state().overstep is None, "what was relied on is kept"
    await world.assert_whole()


async def test_declined_with_a_word_the_time_that_ran_out_is_found_after_all(world, anna):
    await anna.reply("e4")
    flag = date.fromisoformat(str((await world.row()).flag_on))
    await world.wait_until(flag - timedelta(days=1))
    await away(world, 3)
    await world.pump()
    assert "OverstepFound" not in await world.kinds()
    assert await settled(world, DECLINE, "Kun et strømudfald hos en spiller.") == 1
    tl = await rights(world.core, await world.person(TL))
    (line,) = await silence_and_outages.proposals(world.core, tl, decided=True)
    assert (line.decision, line.word, line.by) == (
        DECLINE, "Kun et strømudfald hos en spiller.", "T. Leder"
    )  # fmt: skip
    world.clock.wait(minutes=15)
    await world.pump()
    assert "OverstepFound" in await world.kinds() and await paused(world) == []
    await world.assert_whole()


@pytest.mark.both_engines
async def test_two_overlapping_outages_and_one_in_a_leave_or_holiday_free_each_day_once(
    world: World, anna: Player, bo: Player
) -> None:
    """Two days are also Bo's leave, and the second outage runs on into 20-31 December."""
    world.clock.go(date(2026, 12, 8))
    await anna.reply("e4")
    await bo.reply("leave 2026-12-15 2026-12-16")
    world.clock.go(date(2026, 12, 14))
    await away(world, 3)
    by = await world.person(KC)
    before = world.core.clock.now() - timedelta(days=1)
    world.clock.go(date(2027, 1, 2))
    inside = (before - timedelta(days=1), before, "server")
    assert await silence_and_outages.record_manual_outage(world.core, by, *inside) == 0, (
        "those days are proposed"
    )
    over = (before, before + timedelta(days=6), "mail")
    assert await silence_and_outages.record_manual_outage(world.core, by, *over) == 1
    for _ in range(2):
        assert await settled(world, GRANT, email=KC) == 1
    first = [(str(one.first), str(one.last)) for one in await paused(world)]
    assert sorted(first) == [("2026-12-14", "2026-12-16"), ("2026-12-16", "2026-12-21")]
    await bo.reply("e5", of_game(bo, "K-26-01"))
    # Received on the 9th: 10-13 December, then 1 and 2 January.
    assert await world.total(Side.BLACK) == 6
    await world.assert_whole()


async def test_a_move_received_before_and_answered_after_is_counted_anew_and_an_ended_game_left(
    world: World, anna: Player, bo: Player
) -> None:
    await anna.reply("e4")
    first = world.game
    second = await world.begin("K-26-02")
    world.game = first
    await away(world, 4)
    assert await bo.reply("e5") == "moved"
    assert await world.total(Side.BLACK) == 3, "received on the 3rd, answered on the 6th"
    assert [one.games for one in await proposed(world)] == [1, 1]
    assert await asked(world, ANNA, f"games/{second}/resign", {}) == (200, None)
    seq = (await world.row(second)).seq
    lines = await proposed(world)
    assert sorted((one.group, one.games, one.players) for one in lines) == [
        ("K-26-01", 1, 2), ("K-26-02", 0, 0)
    ]  # fmt: skip
    assert await settled(world, GRANT) == 2
    assert await world.total(Side.BLACK) == 0, "received as it came back, answered the same day"
    assert (await world.row(second)).seq == seq, "what is over is left alone"
    await world.pump()
    await world.assert_whole()


@pytest.mark.parametrize(("hour", "hours", "days"), [(23.5, 1, 1), (10, 13, 0), (0, 24, 1)])
async def test_a_day_is_lost_when_it_ends_in_the_outage(lite, hour, hours, days):
    """§ 6.8.5 (reading): an hour over midnight costs the day before, a long day none."""
    lite.clock.at = datetime(2026, 11, 9, tzinfo=UTC) - timedelta(hours=1) + timedelta(hours=hour)
    await away(lite, hours / 24)
    assert len(await recorded(lite)) == 1
    assert sum(one.days for one in await proposed(lite)) == days


@pytest.mark.both_engines
async def test_one_process_that_stops_while_another_lives_is_no_outage(world: World) -> None:
    one, other = PresenceJob(world.core), PresenceJob(world.core)
    await one.work()
    for _ in range(600):
        world.clock.wait(minutes=10)
        await other.work()
    await one.work()
    assert await recorded(world) == []
    world.clock.wait(minutes=16)
    await one.work()
    await other.work()
    assert len(await recorded(world)) == 1, "both were away, and it is noted once"


async def test_only_who_speaks_for_a_group_settles_and_an_administrator_only_enters(lite):
    await away(lite, 2)
    (line,) = await proposed(lite)
    anna = await lite.person(ANNA)
    assert await proposed(lite, ANNA) == []
    with pytest.raises(NotAllowed):
        await silence_and_outages.decide_pauses(lite.core, anna, line.outage_id, GRANT)
    now = lite.core.clock.now()
    with pytest.raises(NotAllowed):
        asked = (now - timedelta(days=2), now, "server")
        await silence_and_outages.record_manual_outage(lite.core, anna, *asked)


@pytest.mark.parametrize("office", [Office.DEPUTY, Office.KC])
async def test_an_official_who_plays_stops_no_time_of_his_own_game(lite: World, office: Office):
    """An unsettled outage finds nobody late: he would enter one when his time is up."""
    bo = await officer(
        lite, BO, office, (await lite.row()).group_id if office != Office.KC else None
    )
    now = lite.core.clock.now()
    asked = (now - timedelta(days=2), now, "server", ["K-26-01"])
    with pytest.raises(NotAllowed):
        await silence_and_outages.record_manual_outage(lite.core, bo, *asked)
    assert silence_and_outages.has_part(await rights(lite.core, bo)) is (office == Office.KC)


async def test_a_granted_pause_is_entered_after_a_crash(lite, monkeypatch):
    async def nothing(_: object) -> None: ...

    await away(lite, 2)
    with monkeypatch.context() as crash:
        crash.setattr(silence_and_outages, "enter", nothing)
        await settled(lite, GRANT)
    assert await paused(lite) == [] and await silence_and_outages.is_due(lite.core)
    await lite.pump()
    assert len(await paused(lite)) == 1 and not await silence_and_outages.is_due(lite.core)


async def test_an_outage_of_the_mail_alone_is_proposed_and_a_web_move_in_it_loses_nothing(lite):
    await Player(lite).reply("e4")
    await silence_and_outages.mail_stops(lite.core)
    lite.clock.wait(days=2)
    await silence_and_outages.mail_stops(lite.core)
    assert await recorded(lite) == [("mail", None)], "one, however many try"
    async with lite.core.store.read() as conn:
        assert await outage_rows.is_open(conn), "nothing is found to be late in it"
    lite.clock.wait(days=1)
    await silence_and_outages.mail_runs(lite.core)
    (line,) = await proposed(lite)
    assert (line.reason, line.days) == ("mail", 3)
    await silence_and_outages.mail_runs(lite.core)
    assert len(await recorded(lite)) == 1
    async with browser(lite) as web:
        await web.sign_in(BO)
        await web.move("e5")
    used = await lite.total(Side.BLACK)
    assert await settled(lite, GRANT) == 1
    assert len(await paused(lite)) == 1 and await lite.total(Side.BLACK) < used


async def test_the_mail_was_not_out_if_another_process_could_send(lite: World) -> None:
    await silence_and_outages.mail_stops(lite.core)
    lite.clock.wait(days=1)
    async with lite.core.store.write() as conn:
        await conn.execute(update(outbox).values(sent_us=lite.core.now_us))
    await silence_and_outages.mail_runs(lite.core)
    assert await recorded(lite) == []
    await silence_and_outages.mail_stops(lite.core)
    lite.clock.wait(minutes=10)
    await silence_and_outages.mail_runs(lite.core)
    assert await recorded(lite) == [], "ten minutes are no outage"


@pytest.mark.both_engines
async def test_by_api_the_same_key_settles_once_and_each_is_told_what_is_wrong(world, anna):
    await anna.reply("e4")
    await away(world, 3)
    (line,) = await proposed(world)
    path = f"outages/{line.outage_id}/settle"
    assert (await asked(world, ANNA, path, {"decision": GRANT}))[0] == 403
    assert (await asked(world, TL, path, {"decision": DECLINE}))[0] == 422
    assert (await asked(world, TL, path, {"decision": GRANT, "groups": ["K-27"]}))[0] == 422
    assert (await asked(world, TL, "outages/999/settle", {"decision": GRANT}))[0] == 422
    assert await asked(world, TL, path, {"decision": GRANT, "groups": ["K-26-01"]}) == (200, None)
    assert await asked(world, KC, path, {"decision": GRANT}) == (200, None)
    assert len(await paused(world)) == 1
    world.clock.wait(days=1)
    now = world.core.clock.now()
    hour, stretches = timedelta(hours=1), []
    stretches += [(now, now - hour), (now, now + hour)]
    stretches += [(now - timedelta(days=120), now), (now - timedelta(days=200),) * 2]
    for began, ended in stretches:
        body = {"began": began.isoformat(), "ended": (ended + timedelta(seconds=1)).isoformat()}
        assert (await asked(world, TL, "outages", body))[0] in (409, 422), body
    body = {"began": "2026-11-01T10:00:00+01:00", "ended": now.isoformat(), "reason": "mail"}
    assert await asked(world, TL, "outages", body) == (200, None)
    assert [(one.reason, one.days) for one in await proposed(world)] == [("mail", 4)]


async def test_on_both_desks_one_press_grants_and_declining_asks_for_a_word(world, anna):
    await anna.reply("e4")
    await away(world, 2)
    async with browser(world) as web:
        await web.sign_in(KC)
        desk = await web.get("/desk/kc")
        assert "Serveren stod stille fra" in desk.text and "1 parti i 1 gruppe." in desk.text
        await web.get("/signout")
    async with browser(world) as web:
        await web.sign_in(TL)
        desk = await web.get("/desk")
        (line,) = await proposed(world)
        at = f"/desk/outages/{line.outage_id}"
        refused = await web.submit(desk, at, decision="declined")
        assert refused.status == 422 and "Skriv, hvorfor pausen afslås." in refused.text
        done = await web.submit(await web.get("/desk"), at)
        assert done.status == 200 and "givet af T. Leder" in done.text
        assert len(await paused(world)) == 1
        now = world.clock.at.astimezone(world.clock.zone)
        fields = {"last": now.strftime("%Y-%m-%dT%H:%M"), "group": "K-99"}
        page = await web.get("/desk/outages")
        wrong = await web.submit(page, "/desk/outages", first="i går", **fields)
        assert wrong.status == 422 and "Skriv dag og klokkeslæt" in wrong.text
        fields["first"] = "2026-11-01T09:00"
        wrong = await web.submit(page, "/desk/outages", **fields)
        assert wrong.status == 422 and "K-99" in wrong.text
        fields["group"] = "K-26-01"
        wrong = await web.submit(page, "/desk/outages", **fields)
        assert wrong.status == 422 and "dagene er foreslået i forvejen" in wrong.text
        world.clock.wait(days=1)
        fields["last"] = fields["last"].replace("-11-04", "-11-05")
        assert "Forslag til pause" in (await web.submit(page, "/desk/outages", **fields)).text


@pytest.mark.both_engines
async def test_the_outbox_notices_by_itself_that_its_way_out_is_closed_and_open_again(world):
    out = world.core.settings.mail.out.model_copy(update={"port": 1})
    mail = world.core.settings.mail.model_copy(update={"out": out})
    settings = world.core.settings.model_copy(update={"mail": mail})
    shut = OutboxJob(replace(world.core, settings=settings))
    moved = await asked(world, ANNA, f"games/{world.game}/moves", {"text": "e4"})
    assert moved == (200, None)
    for _ in range(3):
        await shut.work()
        world.clock.wait(days=1)
    await shut.close()
    assert await recorded(world) == [("mail", None)]
    await world.pump()
    (line,) = await proposed(world)
    assert (line.reason, line.days) == ("mail", 3)
    assert (await world.outbox("relay"))[-1].state == "sent"


@pytest.mark.both_engines
async def test_of_two_who_settle_at_once_one_does_and_no_game_is_paused_twice(world):
    await away(world, 2)
    (line,) = await proposed(world)
    tl, kc = await world.person(TL), await world.person(KC)
    counts = await asyncio.gather(
        *(
            silence_and_outages.decide_pauses(world.core, who, line.outage_id, GRANT)
            for who in (tl, kc, tl)
        ),
        silence_and_outages.enter(world.core),
    )
    assert sum(count or 0 for count in counts) == 1
    assert len(await paused(world)) == 1
    await world.pump()
    assert len(await world.outbox("to_all")) == 3, "two players and the leader, each once"


@pytest.mark.parametrize("decision", [GRANT, DECLINE])
@pytest.mark.parametrize("words", ["tid", "Tid!\n\nHan har overskredet tiden.", "claim time"])
async def test_a_mailed_claim_finds_nothing_until_the_outage_is_settled(lite, words, decision):
    """Nothing is kept or charged; what stands after a decline is found, and can be claimed."""
    anna, bo = Player(lite), Player(lite, BO)
    await anna.reply("e4")
    flag = date.fromisoformat(str((await lite.row()).flag_on))
    await lite.wait_until(flag - timedelta(days=1))
    await away(lite, 3)
    await lite.pump()
    kept, told = await lite.kinds(), len(lite.letters(BO))
    assert await anna.reply(words, of_game(anna, "K-26-01")) == "outage_unsettled"
    letter = lite.letters(ANNA)[-1].said
    for said in ("ikke opgjort endnu", "§ 6.8.5", "skriver serveren det til jer begge"):
        assert said in letter
    assert "koster ingen dage" in letter and Words.load("da")("claims.word") not in letter
    assert "Tiden er overskredet" not in letter
    assert (await lite.kinds(), len(lite.letters(BO))) == (kept, told), "nothing found or charged"
    assert await settled(lite, decision, "Det var ikke et udfald.") == 1
    lite.clock.wait(minutes=15)
    await lite.pump()
    assert ("OverstepFound" in await lite.kinds()) is (decision == DECLINE)
    again = await anna.reply("tid", of_game(anna, "K-26-01"))
    assert again == ("claimed" if decision == DECLINE else "no_overstep")
    if decision == GRANT:
        assert await bo.reply("e5", of_game(bo, "K-26-01")) == "moved"
    await lite.assert_whole()
