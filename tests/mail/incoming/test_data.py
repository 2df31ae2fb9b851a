"""DATA: lines are read together; mail and answers are as aiosmtpd has them line by line."""

import asyncio
import random

import pytest
from aiosmtpd.smtp import SMTP
from hypothesis import given
from hypothesis import strategies as st

from mail.incoming import smtp_in
from mail.incoming.smtp_in import ListenerSettings, _Handler, _Protocol

LINE, SIZE = 64, 300
SETTINGS = ListenerSettings(domain="skak.example", max_size=SIZE)
BEGIN = b"HELO x\r\nMAIL FROM:<a@b.dk>\r\nRCPT TO:<parti@skak.example>\r\nDATA\r\n"
PIECES = [
    b"\r\n", b"\r\n.\r\n", b".\r\n", b"..\r\n", b"\r\n..", b".", b"\r", b"\n", b"\n.\r\n",
    b"\r.\r\n", b"\r\n.\n", b"e4", b"NOOP\r\n", b"RSET\r\n", BEGIN, b"x" * 20, b"y" * 62,
    b"z" * 63, b"\0",
]  # fmt: skip


class _Wire(asyncio.Transport):
    """What is written, until it is closed."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.said, self.is_open = b"", True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.said += bytes(data)

    def is_closing(self) -> bool:
        return not self.is_open

    def close(self) -> None:
        self.is_open = False

    pause_reading = resume_reading = lambda self: None


class _Keeper:
    """Takes what ours hands over, and says what ours would."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:  # noqa: N802
        self.kept.append(envelope.original_content)
        return "250 2.0.0 Kept"


class _Theirs(SMTP):
    line_length_limit = LINE


class _Ours(_Protocol):
    line_length_limit = LINE


async def _outcome(protocol: SMTP, keeper: _Keeper, pieces: list[bytes]) -> tuple[bytes, object]:
    wire = _Wire()
    protocol.connection_made(wire)
    for piece in pieces:
        protocol.data_received(piece)
        for _ in range(3):
            await asyncio.sleep(0)
    for _ in range(200):
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    await asyncio.sleep(0)
    said = wire.said.replace(
        b"500 Line too long (see RFC5321 4.5.3.1.6)", b"552 5.3.4 Line too long"
    )
    return said, keeper.kept


async def _both(pieces: list[bytes]) -> list[tuple[bytes, object]]:
    theirs, ours = _Keeper(), _Keeper()
    options = {"data_size_limit": SIZE, "hostname": SETTINGS.domain, "ident": "ESMTP"}
    loop = asyncio.get_running_loop()
    plain = _Theirs(theirs, enable_SMTPUTF8=True, loop=loop, **options)
    handler = _Handler(None, SETTINGS, lambda: None, lambda _: False)
    own = _Ours(handler, SETTINGS)
    own.event_handler, own._handle_hooks = ours, {"DATA": ours.handle_DATA}
    return [await _outcome(plain, theirs, pieces), await _outcome(own, ours, pieces)]


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(0, 2**32))
def test_any_content_in_any_pieces_is_taken_as_aiosmtpd_takes_it(content, seed):
    whole = BEGIN + b"".join(content) + b"\r\n.\r\nNOOP\r\nQUIT\r\n"
    cut = random.Random(seed)
    places = sorted(
        cut.sample(range(1, len(whole)), min(cut.choice([0, 1, 5, 40]), len(whole) - 1))
    )
    pieces = [whole[a:b] for a, b in zip([0, *places], [*places, len(whole)], strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smtp_in, "_TOGETHER", LINE - cut.choice([0, 1, 2, 30]))
        theirs, ours = asyncio.run(_both(pieces))
    assert ours == theirs
