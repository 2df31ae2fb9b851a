"""Our own trouble costs nobody a day; letters that can't go are tried, and then told of."""

import asyncio
from datetime import timedelta

import pytest

from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Side
from server.store.engine.connection import StoreOvertaken, StoreUnavailable
from server.store.mail.inbox import backlogs
from server.store.mail.outbox import BACK_OFF_US, GIVE_UP_US
from server.usecases.context import Core
from server.usecases.mail import handle_mail
from server.usecases.mail import parsed_mail as opened_mail
from server.usecases.mail.parsed_mail import MailContext
from server.usecases.mail.sort_mail import SortedMail
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, TL, World, make_administrator


async def _away(*_: object) -> None:
    raise StoreUnavailable("the database does not answer")


def _away_now(*_: object) -> None:
    raise StoreUnavailable("the database does not answer")


async def test_a_mail_that_our_side_put_off_counts_from_the_first_attempt(world, anna, monkeypatch):
    """451 while the database is away; the sender's relay comes again the next day."""
    day, key, raw = world.clock.today, anna.newest.reply_to, anna.write("e4")
    with monkeypatch.context() as patch:
        patch.setattr(opened_mail, "accept_all", _away)
        for _ in range(3):
            code, said = await world.smtp(raw, key)
            assert code == 451
            assert "database" not in said, "nothing of our inside is told"
            world.clock.wait(hours=4)
    world.clock.wait(days=1)
    assert await world.inbox() == ()
    assert await anna.send(raw, key) == "moved"
    (sent,) = await world.events()
    assert isinstance(sent.event, MoveSent)
    assert sent.event.sent == day < world.clock.today
    await world.assert_whole()


async def test_a_mail_that_cannot_be_handled_now_is_tried_again_and_keeps_its_day(
    world: World, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken with 250, and then the database goes away in the middle of the work."""
    day, key, raw = world.clock.today, anna.newest.reply_to, anna.write("e4")
    assert (await world.smtp(raw, key))[0] == 250
    with monkeypatch.context() as patch:
        patch.setattr(handle_mail, "_sort", _away_now)
        for _ in range(3):
            await world.pump()
            world.clock.wait(minutes=11)
        assert [state for state, _ in await world.fates()] == ["new"]
    world.clock.wait(days=1)
    await world.pump()
    assert await world.fates() == [("done", "moved")]
    (sent,) = await world.events()
    assert isinstance(sent.event, MoveSent)
    assert sent.event.sent == day
    await world.assert_whole()


async def test_a_mail_that_another_transaction_was_put_before_is_handled_at_once(
    world: World, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLSTATE 40001, of an engine that runs all transactions as if in turn."""
    sorting, tries = handle_mail._sort, list[int]()

    def overtaken(core: Core, known: MailContext) -> SortedMail:
        tries.append(1)
        if len(tries) < 4:
            raise StoreOvertaken("40001")
        return sorting(core, known)

    monkeypatch.setattr(handle_mail, "_sort", overtaken)
    await world.smtp(anna.write("e4"), anna.newest.reply_to)
    await world.pump()
    assert await world.fates() == [("done", "moved")]
    await world.assert_whole()


async def test_a_mail_that_can_never_be_handled_is_laid_aside_and_hurts_no_other(
    world: World, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A poisoned mail: an operator sees it; the next mail plays."""
    key, poisoned = anna.newest.reply_to, anna.write("e4", Subject="gift")
    sorting = handle_mail._sort

    def stumble(core: Core, known: MailContext) -> SortedMail:
        if known.opened.mail.subject == "gift":
            raise RuntimeError("a bug")
        return sorting(core, known)

    monkeypatch.setattr(handle_mail, "_sort", stumble)
    await make_administrator(world)
    await world.smtp(poisoned, key)
    for _ in range(8):
        await world.pump()
        world.clock.wait(minutes=15)
    assert await world.fates() == [("shunted", "shunted")]
    assert (
        "lagt til side" in world.letters(CAPTAIN)[-1].said
        and "a bug" in world.letters(CAPTAIN)[-1].said
    )
    assert await anna.reply("e4") == "moved"
    assert (await world.row()).ply == 1


async def _told_later(world: World, until: timedelta) -> list[timedelta]:
    """How long after the start each further attempt to send the newest relay came."""
    begun, seen, when = world.clock.at, 1, []
    while world.clock.at - begun < until:
        if await world.is_due():
            await world.pump()
        relay = (await world.outbox("relay"))[-1]
        if relay.attempts > seen:
            seen = relay.attempts
            when.append(world.clock.at - begun)
        world.clock.wait(minutes=15)
    return when


async def test_a_smarthost_that_is_away_is_tried_ever_more_seldom_and_the_letter_arrives(
    world: World, anna: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await world.host.close()
    shut_us = world.core.now_us
    assert await anna.reply("e4") == "moved", "the move stands, whatever the mail does"
    assert {row.state for row in await world.outbox("relay")} == {"queued"}
    world.clock.wait(seconds=BACK_OFF_US[0] / 1_000_000 - 1)
    await world.pump()
    (relay,) = await world.outbox("relay")
    assert relay.attempts == 1
    world.clock.wait(seconds=2)
    await world.pump()
    (relay,) = await world.outbox("relay")
    assert relay.attempts == 2
    assert relay.last_error
    assert caplog.text.count("no letters leave, they are kept and tried again") == 1
    letters = (await world.core.store.query(backlogs))[1]
    assert letters.oldest_us == shut_us, "what is put off has waited since then: alerts go by it"
    await world.host.open()
    world.clock.wait(hours=1)
    await world.pump()
    assert (await world.core.store.query(backlogs))[1].oldest_us is None
    assert len(world.letters(BO)) == 2
    assert world.letters(BO)[-1].message_id == relay.message_id
    await world.assert_whole()


async def test_a_relay_that_was_late_by_our_smarthost_counts_as_received_when_it_went(world, anna):
    """§ 6.8.2, reading of the day of receipt: three days on our side cost Bo nothing."""
    await world.host.close()
    sent = world.clock.today
    await anna.reply("e4")
    for _ in range(6):
        world.clock.wait(hours=12)
        await world.pump()
    await world.host.open()
    world.clock.wait(hours=13)
    await world.pump()
    arrived = world.clock.today
    assert (arrived - sent).days >= 3
    assert await world.kinds() == ["MoveSent", "MoveReceived"]
    world.clock.wait(days=2)
    assert await Player(world, BO, lang="en").reply("1... c5") == "moved"
    assert await world.total(Side.BLACK) == 2
    told, proposal = world.letters(TL)
    assert "prøver igen" in told.said
    assert "pause" in proposal.said
    await world.assert_whole()


async def test_a_relay_that_went_the_same_or_the_next_day_is_no_event(world, anna):
    await world.host.close()
    await anna.reply("e4")
    await world.host.open()
    world.clock.wait(hours=13)
    await world.pump()
    assert len(world.letters(BO)) == 2
    assert await world.kinds() == ["MoveSent"]
    assert world.letters(TL) == []


async def test_after_five_days_a_letter_is_dead_seen_by_the_operator_and_told_to_the_leader(lite):
    anna = Player(lite)
    await anna.reply("e4")
    lite.host.put_off |= {ANNA, BO}
    assert await Player(lite, BO, lang="en").reply("1... c5") == "moved"
    when = await _told_later(lite, timedelta(days=6))
    pauses = [later - sooner for sooner, later in zip(when, when[1:], strict=False)]
    assert 10 < len(when) < 30
    assert max(pauses) >= timedelta(hours=12)
    assert when[-1] <= timedelta(microseconds=GIVE_UP_US)
    (_, relay) = await lite.outbox("relay")
    assert (relay.state, (relay.last_error or "")[:3]) == ("dead", "451")
    lite.host.put_off.clear()
    lite.clock.wait(days=1)
    await lite.pump()
    told = lite.letters(TL)
    assert len(told) == 3, "her relay late, and it and his confirmation dead, each once"
    assert any(ANNA in one.said for one in told)
    assert "GamePaused" in await lite.kinds(), "her time stands still meanwhile"
    async with browser(lite) as desk:
        assert (await desk.get("/metrics")).status == 404, "the site is public, nobody signed in"
        await desk.sign_in(KC)
        shown = await desk.get("/desk/mail")
        assert "451" in shown.text
        for form in [form for form in shown.forms if form.action.startswith("/desk/mail/")]:
            name, value, _ = form.buttons[0]
            await desk.post(form.action, form.fields | {name: value})
    await lite.pump()
    assert lite.letters(ANNA)[-1].message_id == relay.message_id
    await lite.assert_whole()


@pytest.mark.both_engines
async def test_a_refused_recipient_is_told_to_the_leader_at_once_and_time_stands_still(world, anna):
    world.host.refused.add(BO)
    await anna.reply("e4")
    (relay,) = await world.outbox("relay")
    assert (relay.state, relay.attempts) == ("dead", 1)
    (told,) = world.letters(TL)
    for known in (BO, "K-26-01/1", "550"):
        assert known in told.said
    assert await world.kinds() == ["MoveSent", "GamePaused"]
    world.clock.wait(days=50)
    await world.pump()
    (_, offline) = world.letters(TL)
    assert "6.8.1" in offline.said, "more than 30 days out of reach"
    assert "OverstepFound" not in await world.kinds()
    world.host.refused.clear()
    bo = Player(world, BO, lang="en")
    assert await bo.write_to_server("status") == "games_status"
    key = next(word for word in bo.letters[-1].said.split() if word.startswith("parti+"))
    mail = bo.write("1... c5", bo.letters[-1], To=key)
    assert await bo.send(mail, key) == "moved"
    assert (await world.kinds())[-1] in ("MoveSent", "PauseEnded")
    total = (await world.row()).state().black.total
    assert total <= 1, "the fifty days cost him nothing"


async def test_a_smarthost_that_hangs_does_not_stop_the_server(lite: World) -> None:
    """While a letter hangs in the air moves are taken and answered on the web."""
    anna = Player(lite)
    lite.host.hangs = True
    raw, key = anna.write("e4"), anna.newest.reply_to
    await lite.smtp(raw, key)
    work = asyncio.create_task(lite.pump())
    async with browser(lite) as one:
        for _ in range(50):
            if (await lite.row()).ply == 1:
                break
            await asyncio.sleep(0.05)
        assert (await lite.row()).ply == 1
        assert (await one.get("/healthz")).status == 200
        assert (await lite.smtp(raw, key))[0] == 250
    lite.host.hangs = False
    await lite.host.close()
    await lite.host.open()
    await work
    lite.clock.wait(hours=1)
    await lite.pump()
    assert len(lite.letters(BO)) == 2
