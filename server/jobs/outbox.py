"""The outbox job: letters are composed and handed to the smarthost, then marked sent.

Send, then mark: a crash between the two repeats the letter with the same Message-ID. With no
smarthost nothing leaves the machine; the letters are kept for the mailbox page. Not for wording.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import TypeVar

from mail.outgoing.smtp_out import Outcome, Sender, Smarthost
from server.jobs.hanging_letters import QUICK_S, HangingLetters
from server.jobs.letter_fates import failed, noted, put_off, written
from server.store.account.retention import is_gone
from server.store.engine.types import MINUTE_US
from server.store.mail import outbox as outbox_rows
from server.store.mail import processes
from server.store.mail.outbox import OutboxRow, Sent
from server.usecases.cases.silence import file_sent
from server.usecases.core.context import Core
from server.usecases.letters import digest
from server.usecases.letters.write_letter import Finished, write_letters
from server.usecases.mail.dkim_key import signer_of
from server.usecases.reflection import outages

_log = logging.getLogger(__name__)

BATCH = 32
"""Letters that are composed together, and then sent; the first after a start are 1, 2, 4 …, so that
a process that soon dies has sent some. Until then each is marked as it leaves."""
ALONE_US = MINUTE_US
"""How long after its start a process with nothing else to send tries what others died with."""
Mail = tuple[OutboxRow, Finished]
_T = TypeVar("_T")


def smarthost_of(core: Core) -> Smarthost | None:
    """Where mail goes; None when nothing leaves the machine."""
    out = core.settings.mail.out
    if not out.host:
        return None
    return Smarthost(
        host=out.host,
        port=out.port,
        tls=out.tls,
        user=out.user,
        password=out.password.get_secret_value(),
        helo=core.settings.mail.domain,
    )


def by_reader(mails: Sequence[Mail], lanes: int) -> list[list[Mail]]:
    """The letters of each lane: all to one reader in the same lane, so that they stay in order."""
    parts: list[list[Mail]] = [[] for _ in range(lanes)]
    for row, mail in mails:
        parts[(row.id if row.person_id is None else row.person_id) % lanes].append((row, mail))
    return parts


class OutboxJob:
    """Sends what is due over a few connections that are kept open."""

    def __init__(self, core: Core, quick_s: float = QUICK_S) -> None:
        """``quick_s``: seconds a letter may take while others wait behind it. Raises KeyFault."""
        self._core = core
        self._host = smarthost_of(core)
        count = core.settings.mail.out.connections if self._host is not None else 0
        self._senders = [self._connection() for _ in range(count)]
        self._quick_s = quick_s
        self._signer = signer_of(core.settings)
        self._left = HangingLetters(lambda: core.now_us)
        self._size = 1
        self._begun_us, self._has_freed = core.now_us, False

    def _connection(self) -> Sender:
        assert self._host is not None
        return Sender(self._host)

    async def work(self) -> bool:
        """Send what is due; returns whether there may be more."""
        await digest.gather(self._core)
        may_be_more = True
        while may_be_more and self._size < BATCH:
            may_be_more = await self._batch()
            self._size *= 2
        return may_be_more and await self._batch()

    async def _batch(self) -> bool:
        """Send some of what is due; whether there may be more."""
        claimed = await outbox_rows.claim(self._core.store, self._core.now_us, self._size)
        rows = await digest.sort_out(self._core, claimed)
        sent: list[tuple[OutboxRow, Sent]] = []
        try:
            parts = by_reader(await self._mails(rows), max(len(self._senders), 1))
            await asyncio.gather(*(self._lane(i, part, sent) for i, part in enumerate(parts)))
        finally:  # what has left is marked, whatever became of the others
            await self._mark([gone for _, gone in sent])
        await self._file([row for row, _ in sent])
        if not claimed and self._core.now_us >= self._begun_us + ALONE_US:
            return await self._free()
        return bool(claimed)  # what follows them in their games may go now

    async def _mark(self, gone: Sequence[Sent]) -> None:
        """Record that letters left; those that others died with may go then."""
        await outbox_rows.mark_sent(self._core.store, gone, self._core.now_us)
        if gone:
            await self._free()

    async def _free(self) -> bool:
        """Release, once, the letters that others died with; whether there are any."""
        if self._has_freed:
            return False
        core, self._has_freed = self._core, True
        async with core.store.write() as conn:
            count = await processes.free_letters(conn, core.store.holder, core.now_us)
        if count:
            _log.warning("%s letters that processes died with are sent now", count)
        return count > 0

    async def _file(self, sent: Sequence[OutboxRow]) -> None:
        """File letters of silence in their case; if that fails, the daily job does it."""
        try:
            await file_sent(self._core, sent)
        except Exception:
            _log.exception("a letter was sent, but not filed in its case")

    async def close(self) -> None:
        """Close the connections; a letter that hangs is tried again after the start."""
        await self._left.close()
        for sender in self._senders:
            await sender.close()

    async def _mails(self, rows: Sequence[OutboxRow]) -> list[Mail]:
        """The letters composed; none while nobody takes them, for it is most of the work."""
        if self._senders and rows and (why := await self._senders[0].reach(self._quick_s)):
            await outages.mail_stops(self._core)
            for row in rows:
                await self._alone(row, failed(self._core, row, why, is_final=False))
            return []
        if rows:
            await outages.mail_runs(self._core)
        made = await write_letters(self._core, rows) if rows else []
        mails = []
        for row, one in zip(rows, made, strict=True):
            mail = await self._alone(row, written(self._core, row, one))
            if mail is not None:
                mails.append((row, mail))
        return mails

    async def _lane(
        self, lane: int, mails: Sequence[Mail], sent: list[tuple[OutboxRow, Sent]]
    ) -> None:
        """Send letters one after the other; ``sent`` gets those that left."""
        for row, mail in mails:
            if self._core.now_us > row.due_us - outbox_rows.LEASE_US + outbox_rows.BEGIN_US:
                continue  # others took so long that another process might send it too
            gone = await self._alone(row, self._one(lane, row, mail))
            if gone is not None:
                sent.append((row, gone))
                if self._size < BATCH:
                    await self._mark([gone])

    async def _alone(self, row: OutboxRow, step: Awaitable[_T | None]) -> _T | None:
        """A step with one letter, whose failure is no other's: it is tried again later."""
        try:
            return await step
        except Exception as fault:
            _log.exception("letter %s failed", row.id)
            with suppress(Exception):  # then its lease expires
                await put_off(self._core, row, f"{type(fault).__name__}: {fault}", is_final=False)
            return None

    async def _one(self, lane: int, row: OutboxRow, mail: Finished) -> Sent | None:
        """Send one letter; None if it was not sent yet: that is recorded, or will be."""
        if is_gone(mail.recipient):
            return Sent(row.id, None)  # his account was removed: nobody is to get it
        raw = mail.raw
        if self._signer is not None:
            raw = await asyncio.to_thread(self._signer.signed, raw)
        if not self._senders:
            return Sent(row.id, raw)
        is_slow = self._left.is_slow(mail.recipient)
        if is_slow and self._left.is_full:
            await failed(self._core, row, "letters to its domain hang", is_final=False)
            return None
        sender = self._connection() if is_slow else self._senders[lane]
        sending = asyncio.create_task(sender.send(raw, mail.sender, mail.recipient))
        if not is_slow:
            # With no room left, all wait for it as long as it takes.
            patience = None if self._left.is_full else self._quick_s
            if (await asyncio.wait({sending}, timeout=patience))[0]:
                return await noted(self._core, row, raw, sending.result())
            self._senders[lane] = self._connection()
        self._left.leave(mail.recipient, self._rest(sender, sending, row, raw))
        return None

    async def _rest(
        self, sender: Sender, sending: asyncio.Task[Outcome], row: OutboxRow, raw: bytes
    ) -> None:
        """Await a letter that nobody else waits for, and record what became of it."""
        try:
            sent = await noted(self._core, row, raw, await sending)
            if sent is not None:
                await outbox_rows.mark_sent(self._core.store, [sent], self._core.now_us)
                await self._file([row])
        except asyncio.CancelledError:
            await failed(self._core, row, "the server stopped", is_final=False)
            raise
        except Exception:  # its lease expires, and it is tried again
            _log.exception("letter %s, left behind, failed", row.id)
        finally:
            await sender.close()
