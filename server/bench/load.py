"""Load from one process: connections that send what was prepared, one item after the other.

Not for what is sent (load_http.py, load_mail.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

PATIENCE_S = 60.0
"""Seconds without any progress after which a run is given up and its counts disagree."""


@dataclass(frozen=True, slots=True)
class Drive:
    """What a drive did: items acknowledged and refused, in how many seconds."""

    acknowledged: int
    refused: int
    seconds: float

    @property
    def rate(self) -> float:
        """Acknowledged items a second."""
        return self.acknowledged / self.seconds


class Talker(asyncio.Protocol):
    """One connection. ``step`` is fed what arrives, and says what to send next."""

    def __init__(self, until: float | None) -> None:
        self.acknowledged = 0
        self.refused = 0
        self.first_refusal = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._until = until
        self._transport: asyncio.Transport | None = None
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Feed what arrived to ``answered``, when it is whole."""
        self._buffer += data
        while not self.done.done() and (size := self.whole(self._buffer)):
            answer, self._buffer = self._buffer[:size], self._buffer[size:]
            self.answered(answer)

    def connection_lost(self, error: Exception | None) -> None:
        """The other side hung up."""
        self.finish()

    def whole(self, buffer: bytes) -> int:
        """How many bytes the first answer in the buffer has; 0 when it is not all there."""
        raise NotImplementedError

    def answered(self, answer: bytes) -> None:
        """One whole answer."""
        raise NotImplementedError

    def start(self) -> None:
        """Send the first item."""
        raise NotImplementedError

    def refuse(self, answer: bytes) -> None:
        """An answer that is no yes."""
        self.refused += 1
        self.first_refusal = self.first_refusal or answer

    def send(self, data: bytes) -> None:
        """Write."""
        assert self._transport is not None
        self._transport.write(data)

    def is_late(self) -> bool:
        """Whether the time is up."""
        return self._until is not None and perf_counter() >= self._until

    def finish(self) -> None:
        """Say that this connection has no more to do."""
        if not self.done.done():
            self.done.set_result(None)

    def hang_up(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


async def connect_all(port: int, makers: Sequence[Callable[[], Talker]]) -> list[Talker]:
    """All connections, open and silent."""
    loop = asyncio.get_running_loop()
    found = [await loop.create_connection(maker, "127.0.0.1", port) for maker in makers]
    return [talker for _, talker in found]


async def drive(talkers: Sequence[Talker]) -> Drive:
    """Let them all talk to the end."""
    begun = perf_counter()
    for talker in talkers:
        talker.start()
    await asyncio.wait([talker.done for talker in talkers], timeout=PATIENCE_S)
    seconds = perf_counter() - begun
    for talker in talkers:
        talker.hang_up()
    return Drive(
        sum(talker.acknowledged for talker in talkers),
        sum(talker.refused for talker in talkers),
        seconds,
    )


def first_refusal(talkers: Sequence[Talker]) -> str:
    """The first answer that was no yes, for the operator; empty when there was none."""
    found = next((t.first_refusal for t in talkers if t.first_refusal), b"")
    return found.decode(errors="replace")[-300:]
