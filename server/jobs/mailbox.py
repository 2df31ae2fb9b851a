"""The mailbox job: an IMAP mailbox is read as mail in, as long as the server runs.

It waits for the mailbox's word (IDLE), and comes again when the connection is lost. Not for what
is taken (usecases/mail/mailbox.py).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from mail.incoming.imap_in import Account, MailboxFault, opened
from server.store.engine.errors import StoreError
from server.usecases.core.context import Core
from server.usecases.mail.mailbox import take

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
    something."""
    account = account_of(core)
    if account is None or not is_on:
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
                    failures = 0
                    await box.wait()
        except (MailboxFault, StoreError) as fault:
            rest = RESTS[min(failures, len(RESTS) - 1)]
            _log.warning("mailbox %s: %s; again in %s s", account.host, fault, int(rest))
        except Exception:
            rest = RESTS[-1]
            _log.exception("mailbox %s could not be read; again in %s s", account.host, int(rest))
        failures += 1
        await asyncio.sleep(rest)
