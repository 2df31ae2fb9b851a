"""How many large mails come in at the same time, so that they do not take the machine's memory.

A mail in reception takes about three times its size. A small one, as every move is, never waits;
a large one (a card's scan) is read on when one before it is kept, and its sender's TCP waits
meanwhile. NOT for how large a mail may be (limits.py) nor how many may connect (smtp_in.py).
"""

import asyncio
from collections.abc import Callable

LIGHT = 128 * 1024
"""Octets up to which a mail takes no place."""
_TOGETHER = LIGHT // 2
"""Octets of lines that are given together at most."""
PLACES = 2
"""Mails larger than that which are read, checked and kept at a time."""
LONGEST = 120.0
"""Seconds that one may hold its place while others wait for it: a sender that dribbles is hung up
on then, and may come again."""


class Room:
    """The places for large mails of one listener."""

    def __init__(self, places: int = PLACES, longest: float = LONGEST) -> None:
        self._free = asyncio.Semaphore(places)
        self.longest = longest
        self._waiting = 0

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for a place."""
        return self._waiting > 0

    async def enter(self) -> None:
        """Wait for a place."""
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Give the place back."""
        self._free.release()


class MeteredReader:
    """A connection's stream, whose reading waits for room when a mail becomes large.

    Of a mail's content it gives the lines that have come together, where aiosmtpd asks for each:
    those from which no dot is taken and which do not end it (`_together`). `hang_up` ends the
    connection of a mail that keeps others waiting for too long. Not for what the lines mean.
    """

    def __init__(
        self, reader: asyncio.StreamReader, room: Room, hang_up: Callable[[], None]
    ) -> None:
        self._reader, self._room, self._hang_up = reader, room, hang_up
        self._octets: int | None = None  # of the mail in hand; None: commands are read
        self._limit: asyncio.TimerHandle | None = None  # set while the mail has a place

    def begin(self) -> None:
        """What comes now is a mail."""
        self._octets = 0

    def end(self) -> None:
        """The mail is kept, or given up: its place is another's."""
        self._octets = None
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
            self._room.leave()

    async def readuntil(self, separator: bytes = b"\n") -> bytes:
        """The next line; of a mail's content, perhaps some lines more."""
        if self._octets is None:
            return await self._reader.readuntil(separator)
        octets = self._together()
        if octets:
            return await self._counted(await self._reader.readexactly(octets))
        return await self._counted(await self._reader.readuntil(separator))

    async def read(self, octets: int = -1) -> bytes:
        """So many octets of a line that is too long."""
        return await self._counted(await self._reader.read(octets))

    def _together(self) -> int:
        """The octets of the whole lines that have come, up to the first that begins with a dot.

        0: the next line is to be read by itself, as it begins with one, has not come, or is long.
        """
        come: bytearray = self._reader._buffer  # type: ignore[attr-defined]  # as aiosmtpd does
        if come.startswith(b"."):
            return 0
        dot = come.find(b"\r\n.", 0, _TOGETHER)
        end = dot if dot >= 0 else come.rfind(b"\r\n", 0, _TOGETHER)
        return end + 2 if end >= 0 else 0

    async def _counted(self, lines: bytes) -> bytes:
        if self._octets is not None and self._limit is None:
            self._octets += len(lines)
            if self._octets > LIGHT:
                await self._room.enter()
                self._take_time()
        return lines

    def _take_time(self) -> None:
        """Time to be read in, again and again while nobody else wants the place."""
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(self._room.longest, self._time_is_up)

    def _time_is_up(self) -> None:
        if self._room.is_wanted:
            self._hang_up()
        else:
            self._take_time()
