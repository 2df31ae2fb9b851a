"""A club that has only a mailbox: its new mail is read over IMAP as mail in.

It is read by numbers above the last one taken, and left as it is: people may read it too.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, timedelta

import pytest

from server.api.site import _shut_for
from server.jobs import mail_jobs
from server.store.engine.rows import DAY_US
from server.store.mail import outages as outage_rows
from server.usecases.context import Core
from server.usecases.reflection import silence_and_outages
from server.usecases.rights import rights
from tests.fakes.machinery.imap import PASSWORD, FakeMailbox, fake_mailbox
from tests.fakes.machinery.player import Player
from tests.fakes.postal import call
from tests.fakes.world import ANNA, BO, TL, World, make_administrator, params

FOREIGN = b"From: a@example.com\r\nTo: club@example.com\r\nSubject: hej\r\n\r\nNyt fra klubben\r\n"


@pytest.fixture
async def box() -> AsyncIterator[FakeMailbox]:
    async with fake_mailbox() as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_jobs, "RESTS", (0.01,))
    monkeypatch.setattr("mail.incoming.mailboxes.POLL_SECONDS", 0.02)
    monkeypatch.setattr("mail.incoming.mailboxes.CHECK", 0.02)


def with_box(world: World, box: FakeMailbox, **chosen: object) -> Core:
    """The server with a mailbox in its settings."""
    core = world.core
    told = {"host": "127.0.0.1", "port": box.port, "tls": "none", "user": "club"}
    imap = core.settings.mail.imap.model_copy(update=told | chosen)
    imap = type(imap).model_validate(imap.model_dump() | {"password": PASSWORD} | chosen)
    mail = core.settings.mail.model_copy(update={"imap": imap})
    settings = core.settings.model_copy(update={"mail": mail})
    return Core(core.store, core.writer, core.clock, settings, core.secret)


@asynccontextmanager
async def reading(world: World, box: FakeMailbox, **chosen: object) -> AsyncIterator[None]:
    """The server reads the mailbox; entered when it has had its first look."""
    before = box.said.count("IDLE") + box.said.count("NOOP")
    async with mail_jobs.read_mailbox_while_open(
        with_box(world, box, **chosen), lambda: None, is_on=True
    ):
        await until(lambda: box.said.count("IDLE") + box.said.count("NOOP") > before)
        yield


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(2000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to be so")


async def kept(world: World, count: int) -> None:
    for _ in range(2000):
        if len(await world.inbox()) >= count:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("no mail came")


def write(player: Player, move: str) -> bytes:
    return player.write(move, To=player.newest.reply_to)


@pytest.mark.parametrize("has_idle", [True, False])
async def test_a_move_that_comes_is_played_on_the_day_the_mailbox_had_it(lite, box, has_idle):
    box.has_idle, anna = has_idle, Player(lite)
    async with reading(lite, box):
        had = lite.clock.now()
        lite.clock.wait(days=3)
        box.deliver(write(anna, "e4"), had)
        await kept(lite, 1)
    await lite.pump()
    (event,) = [row.event for row in await lite.events()]
    assert (type(event).__name__, event.sent) == ("MoveSent", had.date())
    assert not any("STORE" in one or "EXPUNGE" in one for one in box.said), "nothing is changed"


async def test_what_lay_there_before_the_first_start_is_left_alone(lite, box):
    anna = Player(lite)
    box.deliver(write(anna, "e4"), lite.clock.now())
    async with reading(lite, box):
        box.deliver(FOREIGN, lite.clock.now())
        box.deliver(write(anna, "d4"), lite.clock.now())
        await kept(lite, 1)
    (row,) = await lite.inbox()
    assert b"d4" in row.raw


async def test_nothing_is_taken_twice_however_it_is_numbered_and_nothing_is_lost(lite, box):
    anna = Player(lite)
    async with reading(lite, box):
        box.deliver(write(anna, "e4"), lite.clock.now())
        await kept(lite, 1)
    lite.clock.wait(days=1)
    box.deliver(write(anna, "hjælp"), lite.clock.now())  # while we were away
    async with reading(lite, box):
        await kept(lite, 2)
    box.validity += 1
    box.mails = {uid - 10: mail for uid, mail in box.mails.items()}
    box.mails[3] = (write(anna, "d4"), lite.clock.now() - timedelta(days=30))
    async with reading(lite, box):
        box.deliver(write(anna, "status"), lite.clock.now())
        await kept(lite, 3)
    assert len(await lite.inbox()) == 3


async def test_a_lost_connection_is_made_again(lite: World, box: FakeMailbox) -> None:
    anna = Player(lite)
    async with reading(lite, box):
        box.hang_up()
        await until(lambda: box.sessions > 1)
        box.deliver(write(anna, "e4"), lite.clock.now())
        await kept(lite, 1)


async def test_a_mail_that_is_too_large_is_told_to_the_operator_and_stops_nothing(
    lite: World, box: FakeMailbox, caplog: pytest.LogCaptureFixture
) -> None:
    anna, most = Player(lite), lite.core.settings.mail.in_.max_bytes
    await make_administrator(lite)
    async with reading(lite, box):
        box.deliver(b"From: bo@example.net\r\n\r\n" + b"x" * most, lite.clock.now())
        box.deliver(write(anna, "e4"), lite.clock.now())
        await kept(lite, 1)
    assert "mail 11 in the mailbox is larger" in caplog.text
    (alarm,) = await lite.outbox("alarm")
    assert "mail 11 in the mailbox" in str(params(alarm)["detail"])


async def test_a_wrong_password_is_said_and_tried_again(lite, box, caplog):
    caplog.set_level(logging.WARNING)
    account = mail_jobs.ImapLogin("127.0.0.1", box.port, "club", "forkert", "none")
    task = asyncio.create_task(mail_jobs._read(lite.core, account, lambda: None))
    await until(lambda: box.sessions > 2)
    task.cancel()
    assert "sign-in: NO wrong password" in caplog.text and "forkert" not in caplog.text


async def shut(world: World) -> int | None:
    """Since when the mailbox is out (µs)."""
    async with world.core.store.read() as conn:
        return await outage_rows.open_since(conn, outage_rows.MAILBOX)


async def comes_true(ask: Callable[[], Awaitable[object]]) -> None:
    for _ in range(2000):
        if await ask():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to be so")


async def is_read(world: World) -> bool:
    return await shut(world) is None


async def proposed(world: World) -> list[tuple[str, str, int]]:
    """The pauses that wait for the leader: reason, first day, number of days."""
    held = await rights(world.core, await world.person(TL))
    found = await silence_and_outages.proposals(world.core, held)
    return [(one.reason, one.first, one.days) for one in found]


@pytest.mark.parametrize("refusal", ["LOGIN", "SELECT", "HELLO", "UID SEARCH"])
async def test_a_mailbox_that_is_shut_for_days_is_an_outage_of_the_mail(
    lite: World, box: FakeMailbox, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is late in it, the administrators know, and it is proposed when it is read again."""
    monkeypatch.setattr("mail.incoming.mailboxes.TIMEOUT", 1.0)
    anna, bo = Player(lite), Player(lite, BO)
    await make_administrator(lite)
    await anna.reply("e4")
    flag = date.fromisoformat(str((await lite.row()).flag_on))
    own = with_box(lite, box)
    async with reading(lite, box):
        await lite.wait_until(flag - timedelta(days=1))
        box.refuses, first = refusal, lite.clock.today
        box.hang_up()
        await comes_true(lambda: shut(lite))
        assert await _shut_for(own) == 0 and await lite.outbox("alarm") == ()
        had = lite.clock.now()
        lite.clock.wait(days=4)
        await comes_true(lambda: lite.outbox("alarm"))
        await lite.pump()
        assert "OverstepFound" not in await lite.kinds()
        assert await _shut_for(own) == 4 * DAY_US / 1e6
        box.deliver(write(bo, "e5"), had)
        box.refuses = ""
        await comes_true(lambda: is_read(lite))
    (alarm,) = await lite.outbox("alarm")
    assert params(alarm)["alarm"] == "mailbox_shut" and PASSWORD not in str(params(alarm))
    assert await proposed(lite) == [("mailbox", str(first), 4)]
    await lite.pump()
    assert (await lite.kinds())[-1] == "MoveSent"
    state = (await lite.row()).state()
    assert state.overstep is None and state.position.ply == 2
    await lite.assert_whole()


async def test_nothing_is_found_by_a_claim_while_the_mailbox_is_shut(lite, box):
    """Nor by the web while it lasts: the answer may lie in it."""
    await Player(lite).reply("e4")
    flag = date.fromisoformat(str((await lite.row()).flag_on))
    await lite.wait_until(flag - timedelta(days=1))
    assert await silence_and_outages.mail_stops(lite.core, outage_rows.MAILBOX) is False
    lite.clock.wait(days=3)
    assert await silence_and_outages.mail_stops(lite.core, outage_rows.MAILBOX) is True
    status, said = await call(lite, ANNA, "claim", {"action": "claim"})
    assert (status, said["type"]) == (409, "/problems/outage-unsettled")
    await silence_and_outages.mail_runs(lite.core)
    assert await shut(lite) is not None, "the way out is another matter"
    await silence_and_outages.mail_runs(lite.core, outage_rows.MAILBOX)
    assert [one[2] for one in await proposed(lite)] == [3]


async def test_a_short_fault_is_no_outage_and_one_no_longer_in_the_settings_ends(lite, box):
    box.refuses = "LOGIN"
    own = with_box(lite, box)
    async with mail_jobs.read_mailbox_while_open(own, lambda: None, is_on=True):
        await comes_true(lambda: shut(lite))
        lite.clock.wait(minutes=14)
        box.refuses = ""
        await comes_true(lambda: is_read(lite))
    assert await proposed(lite) == []
    box.refuses = "LOGIN"
    async with mail_jobs.read_mailbox_while_open(own, lambda: None, is_on=True):
        await comes_true(lambda: shut(lite))
    lite.clock.wait(days=2)
    async with mail_jobs.read_mailbox_while_open(lite.core, lambda: None, is_on=True):
        assert await is_read(lite)
    assert [one[2] for one in await proposed(lite)] == [2]
