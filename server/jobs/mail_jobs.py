"""The mail jobs.

Letters handed to the smarthost, their outcomes recorded, kept mails handled, a mailbox read.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from mail.compose import ANYBODYS
from mail.incoming.mailboxes import ImapLogin, MailboxFault, open_mailbox
from mail.incoming.mime import split_headers
from mail.office_letters.entry_letters import JoinLetter
from mail.office_letters.service_letters import Alarm, OperatorAlert, SignIn
from mail.outgoing.envelope import in_text
from mail.outgoing.smtp_out import MailAccepted, MailRefused, Outcome, SmtpConnection, TryLater
from server.machine import handled_mail, id_of_letter, id_of_mail
from server.store.account.retention import is_gone
from server.store.engine.connection import StoreError, insist
from server.store.engine.rows import MINUTE_US
from server.store.mail import due_work as due_rows
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow
from server.store.mail.outages import MAILBOX
from server.store.mail.outbox import OutboxRow, SentLetter
from server.usecases import letters
from server.usecases.cases.case_letter_facts import file_sent
from server.usecases.context import Core, smarthost_of
from server.usecases.letter_facts import NoLetter, ReaderDied, raise_alarm
from server.usecases.letters import PASSES, FinishedLetter, write_letters
from server.usecases.mail.bounces import note_undeliverable
from server.usecases.mail.handle_mail import handle
from server.usecases.mail.mailbox import signer_of, take
from server.usecases.mail.parsed_mail import MailContext, know
from server.usecases.reflection import silence_and_outages
from server.usecases.reflection.silence_and_outages import record_delivery, report_delayed_relay

_log = logging.getLogger(__name__)

# Letters that hang at their receiver, left to finish alone so that they hold nobody's up.

QUICK_S = 15.0
"""Seconds that a letter may take while others wait behind it."""
SLOW_US = 15 * MINUTE_US
"""How long nobody waits for letters to a domain where one hung."""
MOST = 20
"""Letters that may be left behind at a time, each with a connection of its own."""
STOP_S = 10.0
"""Seconds that they get to end when the server stops."""


def domain_of(address: str) -> str:
    """The domain of an address, in small letters."""
    return address.rpartition("@")[2].lower()


class HangingLetters:
    """The letters that nobody waits for, and the domains that made them so."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._until: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether no further letter may be left behind."""
        return len(self._tasks) >= MOST

    def is_slow(self, recipient: str) -> bool:
        """Whether nobody should wait for a letter to that address."""
        now = self._now_us()
        self._until = {domain: until for domain, until in self._until.items() if until > now}
        return domain_of(recipient) in self._until

    def leave(self, recipient: str, rest: Coroutine[Any, Any, None]) -> None:
        """Let a letter finish alone; ``rest`` awaits it and records what became of it."""
        self._until[domain_of(recipient)] = self._now_us() + SLOW_US
        task = asyncio.create_task(rest, name="left-behind")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Give them a moment to end, then give them up; each cleans up after itself."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOP_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


# What became of a letter, recorded: it left, is tried again, was refused, could not be written.


async def record_outcome(
    core: Core, row: OutboxRow, raw: bytes, outcome: Outcome
) -> SentLetter | None:
    """Record what became of a letter, but that it was sent, which the caller marks."""
    match outcome:
        case TryLater(reason=reason):
            await record_failure(core, row, reason, is_final=False)
        case MailRefused(reason=reason):
            await record_failure(core, row, reason, is_final=True)
        case _:
            try:
                await record_delivery(core, row, core.now_us)
            except Exception:  # it has left, and must not leave again
                _log.exception("letter %s was sent, but not when it arrived noted", row.id)
            if opens_a_door(row):
                head = raw[: split_headers(raw).body_at]
                return SentLetter(row.id, in_text(head), is_secret=True)
            return SentLetter(row.id, in_text(raw))
    return None


def opens_a_door(row: OutboxRow) -> bool:
    """Whether a letter has a link that signs in or proves an address: it isn't kept once sent."""
    return row.kind in {SignIn.kind, JoinLetter.kind} and '"link"' in row.params


async def check_composed_letter(
    core: Core, row: OutboxRow, made: FinishedLetter | Exception
) -> FinishedLetter | None:
    """The letter; a fault of ours goes to an operator, never counted as the recipient's."""
    if isinstance(made, PASSES):
        raise made
    if isinstance(made, ReaderDied):
        async with core.store.write() as conn:
            await outbox_rows.leave_out(conn, [row.id], core.now_us)
        return None
    if isinstance(made, Exception):
        _log.error("letter %s can't be written", row.id, exc_info=made)
        why, is_final = f"{type(made).__name__}: {made}", isinstance(made, NoLetter)
        await put_off(core, row, why, is_final=is_final)
        return None
    if made.trouble:
        await _alarm(core, Alarm.LETTER_PLAIN, row, made.trouble)
    return made


async def put_off(core: Core, row: OutboxRow, why: str, *, is_final: bool) -> None:
    """There is nothing left to tell, or there is a fault of ours: retried until fixed."""
    store, now = core.store, core.now_us
    if is_final:
        await outbox_rows.mark_letter_failed(store, row, why[:500], now, is_final=True)
    else:
        await outbox_rows.put_off(store, row, why[:500], now)
    await _alarm(core, Alarm.MAIL_DEAD if is_final else Alarm.LETTER_PLAIN, row, why)


async def record_failure(core: Core, row: OutboxRow, why: str, *, is_final: bool) -> None:
    """Record that a letter was not sent; the leader is told of one that never will be."""
    store, now = core.store, core.now_us
    # Told, then marked: after a crash between the two it is told again, not never.
    if is_final or outbox_rows.next_attempt(row.attempts, row.created_us, now) is None:
        await note_undeliverable(core, row, now, why[:200])
    else:
        await report_delayed_relay(core, row, now, why[:200])
    await outbox_rows.mark_letter_failed(store, row, why[:500], now, is_final=is_final)


async def _alarm(core: Core, alarm: Alarm, row: OutboxRow, why: str) -> None:
    """Once a day for each kind of letter; a failed alarm raises no other."""
    if row.kind != OperatorAlert.kind:
        await raise_alarm(core, alarm, row.kind, f"{row.kind} {row.message_id}: {why}")


# The outbox job: letters are composed and handed to the smarthost, then marked sent.

LETTERS_AT_ONCE = 32
"""Letters that are composed together, and then sent; the first after a start are 1, 2, 4 …, so that
a process that soon dies has sent some. Until then each is marked as it leaves."""
ALONE_US = MINUTE_US
"""How long after its start a process with nothing else to send tries what others died with."""
Mail = tuple[OutboxRow, FinishedLetter]
_T = TypeVar("_T")


def by_reader(mails: Sequence[Mail], lanes: int) -> list[list[Mail]]:
    """The letters of each lane: all to one reader in the same lane, so that they stay in order."""
    parts: list[list[Mail]] = [[] for _ in range(lanes)]
    for row, mail in mails:
        parts[(row.id if row.person_id is None else row.person_id) % lanes].append((row, mail))
    return parts


class OutboxJob:
    """Sends what is due over a few connections that are kept open."""

    def __init__(
        self,
        core: Core,
        quick_s: float = QUICK_S,
        counted: Callable[[str], None] = lambda outcome: None,
    ) -> None:
        """``quick_s``: seconds a letter may take while others wait behind it. Raises KeyFault.

        ``counted`` is called with what became of each: sent, later, refused.
        """
        self._core = core
        self._counted = counted
        self._host = smarthost_of(core)
        count = core.settings.mail.out.connections if self._host is not None else 0
        self._senders = [self._connection() for _ in range(count)]
        self._quick_s = quick_s
        self._signer = signer_of(core.settings)
        self._left = HangingLetters(lambda: core.now_us)
        self._size, self._shut = 1, ""
        self._begun_us, self._has_freed = core.now_us, False

    def _connection(self) -> SmtpConnection:
        assert self._host is not None
        return SmtpConnection(self._host)

    async def work(self) -> bool:
        """Send what is due; returns whether there may be more."""
        await letters.gather(self._core)
        may_be_more = True
        while may_be_more and self._size < LETTERS_AT_ONCE:
            if may_be_more := await self._batch():
                self._size *= 2  # only what was sent shows that this process lives
        return may_be_more and await self._batch()

    async def _batch(self) -> bool:
        """Send some of what is due; whether there may be more."""
        core = self._core
        claimed = await outbox_rows.claim(core.store, core.now_us, self._size, ANYBODYS)
        rows = await letters.sort_out(core, claimed)
        sent: list[tuple[OutboxRow, SentLetter]] = []
        try:
            parts = by_reader(await self._mails(rows), max(len(self._senders), 1))
            await asyncio.gather(*(self._lane(i, part, sent) for i, part in enumerate(parts)))
        finally:  # what has left is marked, whatever became of the others
            await self._mark([gone for _, gone in sent])
        await self._file([row for row, _ in sent])
        if not claimed and self._core.now_us >= self._begun_us + ALONE_US:
            return await self._free()
        return bool(claimed)  # what follows them in their games may go now

    async def _mark(self, gone: Sequence[SentLetter]) -> None:
        """Record that letters left; those that others died with may go then."""
        await outbox_rows.mark_sent(self._core.store, gone, self._core.now_us)
        if gone:
            await self._free()

    async def _free(self) -> bool:
        """Release, once, the letters that others died with; whether there are any."""
        if self._has_freed:
            return False
        core, self._has_freed = self._core, True
        count = await core.store.change(due_rows.free_letters, core.store.holder, core.now_us)
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
        why = await self._senders[0].reach(self._quick_s) if self._senders and rows else ""
        if why:
            if why != self._shut:
                _log.warning("no letters leave, they are kept and tried again: %s", why)
            self._shut = why
            await silence_and_outages.mail_stops(self._core)
            for row in rows:
                self._counted("later")
                await self._alone(row, record_failure(self._core, row, why, is_final=False))
            return []
        if rows:
            self._shut = ""
            await silence_and_outages.mail_runs(self._core)
        made = await write_letters(self._core, rows) if rows else []
        mails = []
        for row, one in zip(rows, made, strict=True):
            mail = await self._alone(row, check_composed_letter(self._core, row, one))
            if mail is not None:
                mails.append((row, mail))
        return mails

    async def _lane(
        self, lane: int, mails: Sequence[Mail], sent: list[tuple[OutboxRow, SentLetter]]
    ) -> None:
        """Send letters one after the other; ``sent`` gets those that left."""
        for row, mail in mails:
            if self._core.now_us > row.due_us - outbox_rows.LEASE_US + outbox_rows.BEGIN_US:
                continue  # others took so long that another process might send it too
            gone = await self._alone(row, self._one(lane, row, mail))
            if gone is not None:
                sent.append((row, gone))
                if self._size < LETTERS_AT_ONCE:
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

    async def _one(self, lane: int, row: OutboxRow, mail: FinishedLetter) -> SentLetter | None:
        """Send one letter; None if it was not sent yet: that is recorded, or will be."""
        if is_gone(mail.recipient):
            return SentLetter(row.id, None)  # his account was removed: nobody is to get it
        raw = mail.raw
        if self._signer is not None:
            raw = await asyncio.to_thread(self._signer.signed, raw)
        if not self._senders:
            return SentLetter(row.id, raw)
        is_slow = self._left.is_slow(mail.recipient)
        if is_slow and self._left.is_full:
            await record_failure(self._core, row, "letters to its domain hang", is_final=False)
            return None
        sender = self._connection() if is_slow else self._senders[lane]
        sending = asyncio.create_task(sender.send(raw, mail.sender, mail.recipient))
        if not is_slow:
            # With no room left, all wait for it as long as it takes.
            patience = None if self._left.is_full else self._quick_s
            if (await asyncio.wait({sending}, timeout=patience))[0]:
                return await self._record(row, raw, sending.result())
            self._senders[lane] = self._connection()
        self._left.leave(mail.recipient, self._rest(sender, sending, row, raw))
        return None

    async def _record(self, row: OutboxRow, raw: bytes, outcome: Outcome) -> SentLetter | None:
        """Count, log and record what became of a letter."""
        told = outcome.answer if isinstance(outcome, MailAccepted) else outcome.reason
        name = {MailAccepted: "sent", TryLater: "later", MailRefused: "refused"}[type(outcome)]
        self._counted(name)
        _log.info("letter %s %s: %s", row.id, name, told, extra=id_of_letter(row.message_id))
        return await record_outcome(self._core, row, raw, outcome)

    async def _rest(
        self, sender: SmtpConnection, sending: asyncio.Task[Outcome], row: OutboxRow, raw: bytes
    ) -> None:
        """Await a letter that nobody else waits for, and record what became of it."""
        try:
            sent = await self._record(row, raw, await sending)
            if sent is not None:
                await outbox_rows.mark_sent(self._core.store, [sent], self._core.now_us)
                await self._file([row])
        except asyncio.CancelledError:
            await record_failure(self._core, row, "the server stopped", is_final=False)
            raise
        except Exception:  # its lease expires, and it is tried again
            _log.exception("letter %s, left behind, failed", row.id)
        finally:
            await sender.close()


# The mailbox job: an IMAP mailbox is read as mail in, as long as the server runs.

RESTS = (5.0, 15.0, 60.0, 300.0)
"""Seconds until the next attempt, after the first failure, the second and so on."""


def account_of(core: Core) -> ImapLogin | None:
    """The mailbox in the settings; None if there is none."""
    box = core.settings.mail.imap
    if not box.host:
        return None
    return ImapLogin(**box.model_dump() | {"password": box.password.get_secret_value()})


@asynccontextmanager
async def read_mailbox_while_open(
    core: Core, kept: Callable[[], None], *, is_on: bool
) -> AsyncIterator[None]:
    """Read the mailbox, if there is one, until the block ends; ``kept`` after each look that found
    something. One that is no longer in the settings is out no more."""
    account = account_of(core)
    if account is None or not is_on:
        if is_on:
            await silence_and_outages.mail_runs(core, MAILBOX)
        yield
        return
    task = asyncio.create_task(_read(core, account, kept))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _read(core: Core, account: ImapLogin, kept: Callable[[], None]) -> None:
    failures = 0
    while True:
        try:
            async with open_mailbox(account) as box:
                while True:
                    if await take(core, box):
                        kept()
                    await silence_and_outages.mail_runs(core, MAILBOX)
                    failures = 0
                    await box.wait()
        except (StoreError, MailboxFault) as fault:
            rest = RESTS[min(failures, len(RESTS) - 1)]
            _log.warning("mailbox %s: %s; again in %s s", account.host, fault, int(rest))
            if isinstance(fault, MailboxFault):  # the other is no fault of the mailbox
                await _is_out(core, account, str(fault))
        except Exception as fault:
            rest = RESTS[-1]
            _log.exception("mailbox %s could not be read; again in %s s", account.host, int(rest))
            await _is_out(core, account, repr(fault))
        failures += 1
        await asyncio.sleep(rest)


async def _is_out(core: Core, account: ImapLogin, why: str) -> None:
    """Mail can't arrive: an outage of it (§ 6.8.5), told to administrators once it is long."""
    try:
        if await silence_and_outages.mail_stops(core, MAILBOX):
            detail = f"{account.user} {account.host}: {why}"
            await raise_alarm(core, Alarm.MAILBOX_SHUT, account.host, detail)
    except StoreError as fault:
        _log.warning("an outage of the mailbox could not be recorded: %s", fault)


# The inbox job: every kept mail is handled; one that can't be is set aside, never lost.

MAILS_AT_ONCE = 64
MOST_ATTEMPTS = 5
"""Attempts before a mail is set aside for an operator."""


class InboxJob:
    """Handles mails as they come, many at once so that they share a disk flush."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Handle what is waiting; returns whether there may be more."""
        rows = await inbox_rows.claim(self._core.store, self._core.now_us, MAILS_AT_ONCE)
        known = await self._known(rows)
        await asyncio.gather(*(self._one(row, known.get(row.id)) for row in rows))
        is_full = sum(len(row.raw) for row in rows) >= inbox_rows.MOST_OCTETS
        return len(rows) == MAILS_AT_ONCE or is_full

    async def _known(self, rows: Sequence[InboxRow]) -> dict[int, MailContext]:
        """Facts of all mails, read together; empty if that fails, and then each is read alone."""
        try:
            return await know(self._core, rows) if rows else {}
        except Exception:
            _log.exception("mails could not be read together")
            return {}

    async def _one(self, row: InboxRow, known: MailContext | None) -> None:
        handled_mail.set(row.id)
        try:
            outcome = await insist(lambda: handle(self._core, row, known))
        except Exception as error:
            _log.exception("mail %s could not be handled", row.id, extra=id_of_mail(row.id))
            await self._failed(row, error)
        else:
            _log.info("mail %s: %s", row.id, outcome, extra=id_of_mail(row.id))

    async def _failed(self, row: InboxRow, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"[:500]
        change = self._core.store.change  # insisting: else the mail lies until its lease ends
        if row.attempts >= MOST_ATTEMPTS:
            await insist(lambda: change(inbox_rows.shunt, row.id, why))
            await raise_alarm(self._core, Alarm.MAIL_SHUNTED, "inbox", f"mail {row.id}: {why}")
        else:
            due = self._core.now_us + row.attempts * MINUTE_US
            await insist(lambda: change(inbox_rows.put_off, row.id, due, why))
