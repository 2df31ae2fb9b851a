"""Load from one process: connections that send prepared items, one after the other.

Not for what is sent (load_http.py, load_mail.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from time import perf_counter

PATIENCE_S = 60.0
"""Seconds after which a run that has not finished is given up, and its counts disagree."""


@dataclass(frozen=True, slots=True)
class Drive:
    """What a drive did: items acknowledged and refused, and the seconds it took.

    ``cpu_s``: processor time of the servers it drove, where that was asked for.
    """

    acknowledged: int
    refused: int
    seconds: float
    cpu_s: float = 0.0

    @property
    def rate(self) -> float:
        """Acknowledged items a second."""
        return self.acknowledged / self.seconds

    @property
    def cpu_rate(self) -> float:
        """Acknowledged items for a second of the servers' processor time, told in hundredths."""
        return self.acknowledged / max(self.cpu_s, 0.01)

    def __add__(self, other: "Drive") -> "Drive":
        return Drive(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


class Talker(asyncio.Protocol):
    """One connection. ``answered`` is given each whole answer, and sends what comes next."""

    def __init__(self) -> None:
        self.acknowledged = 0
        self.refused = 0
        self.first_refusal = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport to write to."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Pass each answer that is complete to ``answered``."""
        self._buffer += data
        while not self.done.done() and (size := self.whole(self._buffer)):
            answer, self._buffer = self._buffer[:size], self._buffer[size:]
            self.answered(answer)

    def connection_lost(self, error: Exception | None) -> None:
        """The other side hung up."""
        self.finish()

    def whole(self, buffer: bytes) -> int:
        """The length in bytes of the first answer in the buffer; 0 while it is incomplete."""
        raise NotImplementedError

    def answered(self, answer: bytes) -> None:
        """Handle one complete answer."""
        raise NotImplementedError

    def start(self) -> None:
        """Send the first item."""
        raise NotImplementedError

    def refuse(self, answer: bytes) -> None:
        """Count an answer that is not a yes."""
        self.refused += 1
        self.first_refusal = self.first_refusal or answer

    def send(self, data: bytes) -> None:
        """Write."""
        assert self._transport is not None
        self._transport.write(data)

    def finish(self) -> None:
        """Mark this connection as having nothing more to do."""
        if not self.done.done():
            self.done.set_result(None)

    def hang_up(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


async def connect_all(port: int, makers: Sequence[Callable[[], Talker]]) -> list[Talker]:
    """All connections, open and idle."""
    loop = asyncio.get_running_loop()
    found = [await loop.create_connection(maker, "127.0.0.1", port) for maker in makers]
    return [talker for _, talker in found]


async def drive(talkers: Sequence[Talker]) -> Drive:
    """Let them all run to the end."""
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
    """The first answer that was not a yes, for the operator; empty if there was none."""
    found = next((t.first_refusal for t in talkers if t.first_refusal), b"")
    return found.decode(errors="replace")[-300:]
