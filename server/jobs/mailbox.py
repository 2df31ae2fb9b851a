"""The mailbox job: an IMAP mailbox is read as mail in, as long as the server runs.

It waits for the mailbox's word (IDLE), and comes again when the connection is lost. Not for what
is taken (usecases/mail/mailbox.py).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from mail.incoming.imap_in import Account, MailboxFault, opened
from mail.office_letters.notice_facts import Alarm
from server.store.engine.errors import StoreError
from server.store.mail.outages import MAILBOX
from server.usecases.core.alarms import raise_alarm
from server.usecases.core.context import Core
from server.usecases.mail.mailbox import take
from server.usecases.reflection import outages

_log = logging.getLogger(__name__)

RESTS = (5.0, 15.0, 60.0, 300.0)
"""Seconds until the next attempt, after the first failure, the second and so on."""


def account_of(core: Core) -> Account | None:
    """The mailbox in the settings; None if there is none."""
    box = core.settings.mail.imap
    if not box.host:
        return None
    return Account(
        host=box.host,
        port=box.port,
        user=box.user,
        password=box.password.get_secret_value(),
        tls=box.tls,
        folder=box.folder,
    )


@asynccontextmanager
async def reading(core: Core, kept: Callable[[], None], *, is_on: bool) -> AsyncIterator[None]:
    """Read the mailbox, if there is one, until the block ends; ``kept`` after each look that found
    something. One that is no longer in the settings is out no more."""
    account = account_of(core)
    if account is None or not is_on:
        if is_on:
            await outages.mail_runs(core, MAILBOX)
        yield
        return
    task = asyncio.create_task(_read(core, account, kept))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _read(core: Core, account: Account, kept: Callable[[], None]) -> None:
    failures = 0
    while True:
        try:
            async with opened(account) as box:
                while True:
                    if await take(core, box):
                        kept()
                    await outages.mail_runs(core, MAILBOX)
                    failures = 0
                    await box.wait()
        except StoreError as fault:  # no fault of the mailbox
            rest = RESTS[min(failures, len(RESTS) - 1)]
            _log.warning("mailbox %s: %s; again in %s s", account.host, fault, int(rest))
        except MailboxFault as fault:
            rest = RESTS[min(failures, len(RESTS) - 1)]
            _log.warning("mailbox %s: %s; again in %s s", account.host, fault, int(rest))
            await _is_out(core, account, str(fault))
        except Exception as fault:
            rest = RESTS[-1]
            _log.exception("mailbox %s could not be read; again in %s s", account.host, int(rest))
            await _is_out(core, account, repr(fault))
        failures += 1
        await asyncio.sleep(rest)


async def _is_out(core: Core, account: Account, why: str) -> None:
    """Mail can't arrive: an outage of it (§ 6.8.5), told to administrators once it is long."""
    try:
        if await outages.mail_stops(core, MAILBOX):
            detail = f"{account.user} {account.host}: {why}"
            await raise_alarm(core, Alarm.MAILBOX_SHUT, account.host, detail)
    except StoreError as fault:
        _log.warning("an outage of the mailbox could not be recorded: %s", fault)
