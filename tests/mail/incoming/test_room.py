"""Large mails come in a few at a time; small ones never wait for them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from mail.incoming import smtp_in
from mail.incoming.smtp_in import ListenerSettings, SmtpServer, start_smtp
from tests.mail.incoming.test_smtp_in import NOW, OURS, FakeInbox

LINE = b"x" * 78 + b"\r\n"
LARGE = LINE * (2 * smtp_in.LIGHT // len(LINE))
SMALL = b"From: bo@example.dk\r\n\r\n2. Nf3\r\n"


@pytest.fixture
def inbox() -> FakeInbox:
    return FakeInbox()


@pytest.fixture
async def server(inbox: FakeInbox) -> AsyncIterator[SmtpServer]:
    running = await start_smtp(inbox, ListenerSettings("skak.example", port=0), lambda: NOW)
    yield running
    await running.close()


class Sender:
    """A peer that says what it is told to, and no more."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def begin(self) -> None:
        """All that goes before a mail's content."""
        for said in ("HELO x", "MAIL FROM:<bo@example.dk>", f"RCPT TO:<{OURS}>", "DATA"):
            self.writer.write(said.encode() + b"\r\n")
            await self.answer()

    async def answer(self) -> bytes:
        """The next line; empty when it was hung up on."""
        return await asyncio.wait_for(self.reader.readline(), 30)

    async def mail(self, content: bytes) -> bytes:
        """The answer to a whole mail."""
        self.writer.write(content + b".\r\n")
        return await self.answer()


NewSender = Callable[[SmtpServer], Awaitable[Sender]]


@pytest.fixture
async def new_sender() -> AsyncIterator[NewSender]:
    """Makes senders that may send their mail at once; all hang up in the end."""
    made: list[Sender] = []

    async def make(server: SmtpServer) -> Sender:
        made.append(Sender(*await asyncio.open_connection("127.0.0.1", server.port)))
        await made[-1].answer()
        await made[-1].begin()
        return made[-1]

    yield make
    for one in made:
        one.writer.close()


async def test_a_large_mail_waits_for_those_before_it_and_a_small_one_does_not(
    server: SmtpServer, inbox: FakeInbox, new_sender: NewSender
) -> None:
    held = [await new_sender(server) for _ in range(smtp_in.PLACES)]
    for one in held:
        one.writer.write(LARGE)
    waiting = await new_sender(server)
    answer = asyncio.create_task(waiting.mail(b"Subject: waits\r\n\r\n" + LARGE))
    assert (await (await new_sender(server)).mail(SMALL)).startswith(b"250")
    assert [mail.raw for mail in inbox.kept] == [SMALL]
    assert not answer.done()
    assert (await held[0].mail(LARGE)).startswith(b"250")
    assert (await answer).startswith(b"250")
    assert len(inbox.kept) == 3


async def test_who_is_gone_with_half_a_large_mail_leaves_his_place(server, new_sender):
    for _ in range(3 * smtp_in.PLACES):
        gone = await new_sender(server)
        gone.writer.write(LARGE)
        await gone.writer.drain()
        gone.writer.close()
    assert (await (await new_sender(server)).mail(LARGE)).startswith(b"250")


async def test_two_large_mails_on_one_connection_have_a_place_each(server, new_sender):
    for _ in range(3 * smtp_in.PLACES):
        one = await new_sender(server)
        assert (await one.mail(LARGE)).startswith(b"250")
        await one.begin()
        assert (await one.mail(SMALL)).startswith(b"250")


async def test_a_large_mail_that_dribbles_is_hung_up_on_when_another_waits(
    inbox: FakeInbox, new_sender: NewSender, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = smtp_in.Room(places=1, longest=0.05)
    monkeypatch.setattr("mail.incoming.smtp_in.Room", lambda: small)
    server = await start_smtp(inbox, ListenerSettings("skak.example", port=0), lambda: NOW)
    dribbling = await new_sender(server)
    dribbling.writer.write(LARGE)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(dribbling.answer(), 0.3)
    assert (await (await new_sender(server)).mail(LARGE)).startswith(b"250")
    assert await dribbling.answer() == b""
    assert len(inbox.kept) == 1
    await server.close()
