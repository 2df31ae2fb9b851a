"""Reading the address of MAIL and RCPT: ours says what aiosmtpd says, plain or odd."""

import asyncio
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mail.incoming.smtp_in import ListenerSettings, _Handler, _Protocol
from tests.fakes.machinery.each import each

SETTINGS = ListenerSettings(domain="skak.example")


def _read(read: Callable[[str], object], text: str) -> object:
    try:
        return read(text)
    except Exception as error:  # aiosmtpd's own trouble with odd ones; the dialogue answers 451
        return type(error)


async def _both(text: str) -> tuple[object, object]:
    protocol = _Protocol(_Handler(None, SETTINGS, lambda: None, lambda _: False), SETTINGS)
    return _read(protocol._getaddr, text), _read(super(_Protocol, protocol)._getaddr, text)


def _agree(text: str) -> bool:
    ours, theirs = asyncio.run(_both(text))
    return ours == theirs


@each(
    "text",
    "<anna@example.dk>",
    "<parti+k7q2m3abcdefghij234567@skak.example>",
    "<anna@example.dk> SIZE=1234 BODY=8BITMIME SMTPUTF8",
    "<anna.b@example.dk> ",
    "<anna@example.dk>  ",
    "<anna@example.dk>  SIZE=1 ",
    "<anna..b@example.dk>",
    "<.anna@example.dk>",
    "<anna@example.dk>SIZE=1",
    "<anna@example.dk> (note) SIZE=1",
    "<>",
    "<> BODY=7BIT",
    "anna@example.dk",
    "< anna@example.dk >",
    "<anna@[192.0.2.1]>",
    '<"a b"@example.dk>',
    "<@relay:anna@example.dk>",
    "<anna@example.dk",
    "",
)
def test_an_address_is_read_as_aiosmtpd_reads_it(text):
    assert _agree(text)


@given(st.text(alphabet='ab1.+-_=@<> ()"S', max_size=24))
def test_whatever_is_written_is_read_as_aiosmtpd_reads_it(text):
    assert _agree(text)
    assert _agree(f"<a{text}@b.dk>")
    assert _agree(f"<a@b.dk>{text}")
