"""A club that has only a mailbox: its new mail is read over IMAP as mail in.

It is read by numbers above the last one taken, and left as it is: people may read it too.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from server.jobs import mailbox
from server.usecases.core.context import Core
from tests.fakes.machinery.imap import PASSWORD, FakeMailbox, fake_mailbox
from tests.fakes.machinery.player import Player
from tests.fakes.world import World, make_administrator, params

FOREIGN = b"From: a@example.com\r\nTo: club@example.com\r\nSubject: hej\r\n\r\nNyt fra klubben\r\n"


@pytest.fixture
async def box() -> AsyncIterator[FakeMailbox]:
    async with fake_mailbox() as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "RESTS", (0.01,))
    monkeypatch.setattr("mail.incoming.imap_in.LOOK", 0.02)
    monkeypatch.setattr("mail.incoming.imap_in.CHECK", 0.02)


@asynccontextmanager
async def reading(world: World, box: FakeMailbox, **chosen: object) -> AsyncIterator[None]:
    """The server reads the mailbox; entered when it has had its first look."""
    core, before = world.core, box.said.count("IDLE") + box.said.count("NOOP")
    told = {"host": "127.0.0.1", "port": box.port, "tls": "none", "user": "club"}
    imap = core.settings.mail.imap.model_copy(update=told | chosen)
    imap = type(imap).model_validate(imap.model_dump() | {"password": PASSWORD} | chosen)
    mail = core.settings.mail.model_copy(update={"imap": imap})
    settings = core.settings.model_copy(update={"mail": mail})
    own = Core(core.store, core.writer, core.clock, settings, core.secret)
    async with mailbox.reading(own, lambda: None, is_on=True):
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
async def test_a_move_that_comes_is_played_on_the_day_the_mailbox_had_it(
    lite: World, box: FakeMailbox, has_idle: bool
) -> None:
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


async def test_what_lay_there_before_the_first_start_is_left_alone(
    lite: World, box: FakeMailbox
) -> None:
    anna = Player(lite)
    box.deliver(write(anna, "e4"), lite.clock.now())
    async with reading(lite, box):
        box.deliver(FOREIGN, lite.clock.now())
        box.deliver(write(anna, "d4"), lite.clock.now())
        await kept(lite, 1)
    (row,) = await lite.inbox()
    assert b"d4" in row.raw


async def test_nothing_is_taken_twice_however_it_is_numbered_and_nothing_is_lost(
    lite: World, box: FakeMailbox
) -> None:
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


async def test_a_wrong_password_is_said_and_tried_again(
    lite: World, box: FakeMailbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    account = mailbox.Account("127.0.0.1", box.port, "club", "forkert", "none")
    task = asyncio.create_task(mailbox._read(lite.core, account, lambda: None))
    await until(lambda: box.sessions > 2)
    task.cancel()
    assert "sign-in: NO wrong password" in caplog.text and "forkert" not in caplog.text
