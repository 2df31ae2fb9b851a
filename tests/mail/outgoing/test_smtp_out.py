"""Sending: one connection for many mails, and what each answer of a server means."""

import asyncio
from email.message import EmailMessage

import aiosmtplib
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from mail.outgoing.smtp_out import MailAccepted, MailRefused, Smarthost, SmtpConnection, TryLater
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.push_service import PushService


class Post:
    """A mail server that keeps what it gets and answers as told."""

    def __init__(self):
        self.mails, self.sessions, self.answers = [], set(), {}
        self.thinks_s = 0.0

    async def handle_MAIL(self, server, session, envelope, address, mail_options):  # noqa: N802
        if answer := self.answers.get("MAIL"):
            return answer
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):  # noqa: N802
        if answer := self.answers.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.sessions.add(session.peer)
        await asyncio.sleep(self.thinks_s)
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return self.answers.get("DATA", "250 kept as 17")


class FreePort(Controller):
    def factory(self):
        return SMTP(self.handler, enable_SMTPUTF8=self.utf8, hostname="post.example")

    utf8 = False


@pytest.fixture
def post():
    handler = Post()
    controller = FreePort(handler, hostname="127.0.0.1", port=0)
    controller.port = free_port()
    controller.start()
    handler.port = controller.port
    handler.controller = controller
    yield handler
    if controller.server is not None:
        controller.stop()


@pytest.fixture
async def sender(post):
    sender = SmtpConnection(Smarthost("127.0.0.1", post.port, helo="skak.example.org"), timeout=5)
    yield sender
    await sender.close()


def _mail(body="Kære Bo\n.\nFrom her\n..\n"):
    mail = EmailMessage()
    mail["Subject"] = "x"
    mail.set_content(body, cte="quoted-printable")
    return mail.as_bytes()


async def test_mails_go_over_one_connection_with_the_return_path_given(post, sender):
    outcomes = [await sender.send(_mail(), "b-1@skak.dk", f"p{i}@e.dk") for i in range(3)]
    assert outcomes == [MailAccepted("kept as 17")] * 3
    assert len(post.sessions) == 1
    assert [(mail[0], mail[1]) for mail in post.mails][0] == ("b-1@skak.dk", ["p0@e.dk"])


@rows(
    "answers",
    {"MAIL": "530 5.7.0 Authentication required"},
    {"MAIL": "550 5.7.1 Sender rejected"},
    {"p@e.dk": "530 5.7.1 Must issue a STARTTLS command first"},
)
async def test_what_is_refused_because_of_us_is_no_refusal_of_the_recipient(post, sender, answers):
    post.answers = answers
    said = next(iter(answers.values()))
    assert await sender.send(_mail(), "s@e.dk", "p@e.dk") == TryLater(said)
    post.answers = {}
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), MailAccepted)


async def test_a_server_that_thinks_about_a_mail_is_waited_for_and_gets_it_once(post):
    sender = SmtpConnection(Smarthost("127.0.0.1", post.port), timeout=0.3)
    post.thinks_s = 0.9
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), MailAccepted)
    assert len(post.mails) == 1
    await sender.close()


async def test_a_server_that_greets_and_says_no_more_is_left_with_no_connection_open():
    ended = asyncio.Event()

    async def greet(reader, writer):
        writer.write(b"220 hello\r\n")
        await reader.read()  # until we close
        ended.set()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    sender = SmtpConnection(Smarthost("127.0.0.1", server.sockets[0].getsockname()[1], helo="a.dk"))
    assert await sender.reach(0.1) == "", "it may yet answer"
    await asyncio.wait_for(ended.wait(), 5)
    server.close()


async def test_after_a_fault_of_ours_in_a_dialogue_nothing_of_it_is_left(post, sender, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(aiosmtplib.SMTP, "data", None)
        with pytest.raises(TypeError):
            await sender.send(_mail(), "s@e.dk", "p@e.dk")
    assert isinstance(await sender.send(_mail(), "s@e.dk", "q@e.dk"), MailAccepted)
    assert [mail[1] for mail in post.mails] == [["q@e.dk"]]


async def test_lines_of_dots_and_from_arrive_as_they_were(post, sender):
    raw = b"Subject: x\r\n\r\n.\r\n..\r\nFrom her\r\nslut\r\n"
    assert isinstance(await sender.send(raw, "", "p@e.dk"), MailAccepted)
    assert post.mails[0][2] == raw
    assert post.mails[0][0] == "<>"


@rows("answer kind", ("550 5.1.1 no such user", MailRefused), ("450 4.2.1 mailbox busy", TryLater))
async def test_a_refused_recipient_is_for_good_or_for_now(post, sender, answer, kind):
    post.answers["p@e.dk"] = answer
    outcome = await sender.send(_mail(), "s@e.dk", "p@e.dk")
    assert outcome == kind(answer)
    assert post.mails == []
    assert isinstance(await sender.send(_mail(), "s@e.dk", "q@e.dk"), MailAccepted), (
        "goes on after it"
    )


@pytest.mark.parametrize(("answer", "kind"), [("554 no", MailRefused), ("451 later", TryLater)])
async def test_a_refused_content_is_for_good_or_for_now(post, sender, answer, kind):
    post.answers["DATA"] = answer
    assert await sender.send(_mail(), "s@e.dk", "p@e.dk") == kind(answer)


@rows("address", "x@y.dk SIZE=1", "x@y.dk>\r\nRCPT TO:<e@z>", "x@y.dk,z@y.dk", "<x@y.dk>", "")
async def test_what_is_no_plain_address_never_reaches_the_library(post, sender, address):
    assert isinstance(await sender.send(_mail(), "s@e.dk", address), MailRefused)
    if address:
        assert isinstance(await sender.send(_mail(), address, "x@y.dk"), MailRefused)
    assert post.mails == []


async def test_a_wide_address_needs_a_server_that_takes_it(post, sender):
    outcome = await sender.send(_mail(), "s@e.dk", "søren@e.dk")
    assert isinstance(outcome, MailRefused)
    assert "ASCII" in outcome.reason
    post.controller.stop()
    FreePort.utf8, again = True, FreePort(post, hostname="127.0.0.1", port=post.port)
    again.start()
    try:
        new = SmtpConnection(Smarthost("127.0.0.1", post.port), timeout=5)
        assert isinstance(await new.send(_mail(), "s@e.dk", "søren@e.dk"), MailAccepted), (
            "its first mail"
        )
        await new.close()
    finally:
        FreePort.utf8 = False
        again.stop()
    assert post.mails[0][1] == ["søren@e.dk"]


async def test_a_server_that_is_gone_is_tried_again_and_the_connection_made_anew(post, sender):
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), MailAccepted)
    post.controller.stop()
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), TryLater)
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), TryLater)
    again = FreePort(post, hostname="127.0.0.1", port=post.port)
    again.start()
    try:
        assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), MailAccepted)
    finally:
        again.stop()
    assert len(post.mails) == 2


async def test_a_wrong_password_is_ours_to_mend_and_loses_no_mail(post):
    host = Smarthost("127.0.0.1", post.port, user="kskak", password="x")
    sender = SmtpConnection(host, timeout=5)
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), TryLater)
    await sender.close()


async def test_a_certificate_that_is_not_good_is_told_of_in_its_own_words(tmp_path):
    context = PushService(tmp_path).certify()
    async with await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context) as other:
        host = Smarthost("127.0.0.1", other.sockets[0].getsockname()[1], "tls")
        said = await SmtpConnection(host, timeout=5).reach(5)
    assert said == "the server's certificate: self-signed certificate"


async def test_a_server_without_tls_is_not_trusted_when_tls_is_asked_for(post):
    sender = SmtpConnection(Smarthost("127.0.0.1", post.port, tls="starttls"), timeout=5)
    assert isinstance(await sender.send(_mail(), "s@e.dk", "p@e.dk"), TryLater)
    assert post.mails == []
    await sender.close()
