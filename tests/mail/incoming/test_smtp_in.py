"""The SMTP dialogue over a real socket: 250 only after the inbox, and never a word of insides."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import aiosmtplib
import pytest

from mail.incoming.smtp_in import ListenerSettings, RawMail, Refuse, SmtpServer, start_smtp
from tests.fakes.machinery.each import rows

NOW = datetime(2026, 11, 12, 18, 0, 3, tzinfo=UTC)
OURS = "parti@skak.example"
MAIL = b"From: anna@example.dk\r\nSubject: x\r\n\r\n2. Nf3\r\n"


class FakeInbox:
    """Keeps mails in a list; can be told to wait, refuse or fail."""

    def __init__(self) -> None:
        self.kept: list[RawMail] = []
        self.put_off: list[RawMail] = []
        self.failure: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()

    async def accept(self, mail: RawMail) -> None:
        self.begun.set()
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        self.kept.append(mail)

    async def deferred(self, mail: RawMail) -> None:
        self.put_off.append(mail)


@pytest.fixture
def inbox() -> FakeInbox:
    return FakeInbox()


@pytest.fixture
async def server(inbox: FakeInbox) -> AsyncIterator[SmtpServer]:
    settings = ListenerSettings("skak.example", port=0, max_size=100_000)
    running = await start_smtp(inbox, settings, lambda: NOW)
    yield running
    await running.close()


async def send(server: SmtpServer, raw: bytes, to: list[str] | None = None) -> tuple[int, str]:
    """One mail by aiosmtplib; the answer to DATA or to the refused command."""
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=server.port)
    async with client:
        try:
            await client.mail("anna@example.dk")
            for one in to or [OURS]:
                await client.rcpt(one)
            code, text = await client.data(raw)
        except aiosmtplib.SMTPResponseException as error:
            return error.code, error.message
        return code, text


class Dialogue:
    """A bare socket, for what no client library would send."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, data: bytes) -> str:
        self.writer.write(data)
        return await self.hear()

    async def hear(self) -> str:
        line = await asyncio.wait_for(self.reader.readline(), 5)
        while line[3:4] == b"-":
            line = await asyncio.wait_for(self.reader.readline(), 5)
        return line.decode()

    async def until_data(self, sender: bytes = b"<anna@example.dk>") -> None:
        assert (await self.say(b"EHLO x\r\n")).startswith("250")
        assert (await self.say(b"MAIL FROM:" + sender + b"\r\n")).startswith("250")
        assert (await self.say(b"RCPT TO:<parti@skak.example>\r\n")).startswith("250")
        assert (await self.say(b"DATA\r\n")).startswith("354")

    def hang_up(self) -> None:
        self.writer.close()


@pytest.fixture
async def dialogue(server: SmtpServer) -> AsyncIterator[Dialogue]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    talk = Dialogue(reader, writer)
    greeting = await talk.hear()
    assert greeting == "220 skak.example ESMTP\r\n"  # no program, no version
    yield talk
    talk.hang_up()


async def test_mail_is_kept_with_its_envelope(server: SmtpServer, inbox: FakeInbox) -> None:
    assert (await send(server, MAIL))[0] == 250
    assert inbox.kept == [RawMail(MAIL, "anna@example.dk", (OURS,), "127.0.0.1", NOW)]


async def test_250_comes_only_after_accept_has_returned(dialogue, inbox):
    inbox.gate.clear()
    await dialogue.until_data()
    dialogue.writer.write(MAIL + b".\r\n")
    await asyncio.wait_for(inbox.begun.wait(), 5)
    answer = asyncio.create_task(dialogue.hear())
    await asyncio.wait({answer}, timeout=0.1)
    assert not answer.done()
    assert inbox.kept == []
    inbox.gate.set()
    assert (await answer).startswith("250")
    assert len(inbox.kept) == 1


@pytest.mark.parametrize("error", [RuntimeError("secret path"), OSError(28, "disk"), KeyError("x")])
async def test_any_failure_is_a_fixed_451_and_is_noted(server, inbox, error):
    inbox.failure = error
    assert await send(server, MAIL) == (451, "4.3.0 Temporary failure, please try again later")
    await asyncio.sleep(0.05)
    assert [mail.raw for mail in inbox.put_off] == [MAIL]
    inbox.failure = None
    assert (await send(server, MAIL))[0] == 250


@pytest.mark.parametrize(("code", "noted"), [(452, 1), (550, 0)])
async def test_refusal_of_the_inbox_keeps_its_code(server, inbox, code, noted):
    inbox.failure = Refuse(code, "4.2.2 Box full\r\n250 no")
    assert await send(server, MAIL) == (code, "4.2.2 Box full  250 no")
    await asyncio.sleep(0.05)
    assert len(inbox.put_off) == noted


async def test_too_big_is_552_and_too_many_hops_554(server: SmtpServer, inbox: FakeInbox) -> None:
    assert (await send(server, MAIL + b"x" * 70 * 2000))[0] == 552
    assert (await send(server, MAIL + (b"x" * 70 + b"\r\n") * 2000))[0] == 552
    assert (await send(server, b"Received: by x; y\r\n" * 51 + MAIL))[0] == 554
    assert inbox.kept == []


async def test_line_over_998_is_taken(server: SmtpServer, inbox: FakeInbox) -> None:
    assert (await send(server, MAIL + b"y" * 5000 + b"\r\n"))[0] == 250


@rows("to", "x@foreign.example", '"a b"@skak.example', "p%evil@skak.example", "p!x@skak.example")
async def test_foreign_and_odd_recipients_are_550(server: SmtpServer, to: str) -> None:
    code, text = await send(server, MAIL, [to])
    assert (code, text[:5]) == (550, "5.1.1")


async def test_route_and_nul_recipients_are_refused(dialogue: Dialogue) -> None:
    await dialogue.say(b"EHLO x\r\n")
    await dialogue.say(b"MAIL FROM:<a@b.dk>\r\n")
    for to in (
        b"<@x:parti@skak.example>",
        b"<p\x00arti@skak.example>",
        b"<parti\xff@skak.example>",
    ):
        assert (await dialogue.say(b"RCPT TO:" + to + b"\r\n"))[:2] == "55"


async def test_eleventh_recipient_is_452_and_the_ten_are_kept(server, inbox):
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=server.port)
    async with client:
        everybody = [f"p{number}@skak.example" for number in range(11)]
        errors, _ = await client.sendmail("anna@example.dk", everybody, MAIL)
    assert {to: answer.code for to, answer in errors.items()} == {"p10@skak.example": 452}
    assert len(inbox.kept[0].rcpt_to) == 10


async def test_null_sender_is_empty(dialogue: Dialogue, inbox: FakeInbox) -> None:
    await dialogue.until_data(b"<>")
    assert (await dialogue.say(MAIL + b".\r\n")).startswith("250")
    assert inbox.kept[0].mail_from == ""


@rows("end", b"\n.\r\n", b"\r\n.\n", b"\n.\n", b"\r.\r", b"\r\n\0.\r\n", b"\r.\r\n", b"\n.\r")
async def test_smuggled_end_of_data_makes_no_second_mail(dialogue, inbox, end):
    forged = b"MAIL FROM:<tl@example.org>\r\nRCPT TO:<parti@skak.example>\r\nDATA\r\n2. d4\r\n"
    await dialogue.until_data()
    assert (await dialogue.say(MAIL + b"hi" + end + forged + b".\r\n")).startswith("250")
    assert len(inbox.kept) == 1
    assert inbox.kept[0].mail_from == "anna@example.dk"
    assert b"MAIL FROM:<tl@example.org>" in inbox.kept[0].raw


async def test_disconnect_in_data_keeps_nothing(dialogue: Dialogue, inbox: FakeInbox) -> None:
    await dialogue.until_data()
    dialogue.writer.write(MAIL)
    dialogue.hang_up()
    await asyncio.sleep(0.05)
    assert inbox.kept == []


async def test_disconnect_while_keeping_does_not_tear_the_commit(dialogue, inbox):
    inbox.gate.clear()
    await dialogue.until_data()
    dialogue.writer.write(MAIL + b".\r\n")
    await asyncio.wait_for(inbox.begun.wait(), 5)
    dialogue.hang_up()
    await asyncio.sleep(0.05)
    inbox.gate.set()
    await asyncio.sleep(0.05)
    assert len(inbox.kept) == 1


async def test_close_finishes_and_answers_what_is_being_kept(inbox: FakeInbox) -> None:
    server = await start_smtp(inbox, ListenerSettings("skak.example", port=0), lambda: NOW)
    inbox.gate.clear()
    sending = asyncio.create_task(send(server, MAIL))
    await asyncio.wait_for(inbox.begun.wait(), 5)
    closing = asyncio.create_task(server.close())
    await asyncio.sleep(0.05)
    assert not closing.done()
    inbox.gate.set()
    assert (await asyncio.wait_for(sending, 5))[0] == 250
    await asyncio.wait_for(closing, 5)


async def test_smtputf8_sender_is_kept(server: SmtpServer, inbox: FakeInbox) -> None:
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=server.port)
    async with client:
        await client.mail("øre@example.dk", options=["SMTPUTF8"], encoding="utf-8")
        await client.rcpt(OURS)
        await client.data(MAIL)
    assert inbox.kept[0].mail_from == "øre@example.dk"


async def test_a_relay_has_no_share_of_its_own_and_is_held_to_the_limit_of_all(inbox: FakeInbox):
    settings = ListenerSettings("skak.example", port=0, per_peer=1, in_all=3, is_relay=bool)
    server = await start_smtp(inbox, settings, lambda: NOW)
    pairs = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
    calls = [Dialogue(*pair) for pair in pairs]
    assert [(await call.hear())[:3] for call in calls] == ["220", "220", "220", "421"]
    for one in calls:
        one.hang_up()
        await one.writer.wait_closed()
    await server.close()


async def test_beyond_its_share_an_address_gets_421_and_beyond_all_everybody(inbox: FakeInbox):
    settings = ListenerSettings("skak.example", port=0, per_peer=2, in_all=3)
    server = await start_smtp(inbox, settings, lambda: NOW)
    calls: list[Dialogue] = []

    async def call(address: str) -> str:
        pair = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
        calls.append(Dialogue(*pair))
        return (await calls[-1].hear())[:3]

    assert [await call("127.0.0.1") for _ in range(3)] == ["220", "220", "421"]
    assert await calls[2].reader.read() == b"", "it is hung up on"
    assert [await call("127.0.0.2"), await call("127.0.0.3")] == ["220", "421"]
    await calls[1].until_data()
    assert (await calls[1].say(MAIL + b".\r\n")).startswith("250"), "who is in goes on"
    assert (await calls[1].say(b"QUIT\r\n")).startswith("221")
    assert await calls[1].reader.read() == b""
    assert await call("127.0.0.1") == "220", "a place is free again"
    for one in calls:
        one.hang_up()
        await one.writer.wait_closed()
    await server.close()
