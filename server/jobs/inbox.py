"""The inbox job: every kept mail is handled; one that can't be is set aside, never lost.

Not for what a mail does (usecases.mail.handle_mail).
"""

import asyncio
import logging
from collections.abc import Sequence

from mail.office_letters.notice_facts import Alarm
from server.store.engine.types import MINUTE_US
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import InboxRow
from server.usecases.core.alarms import raise_alarm
from server.usecases.core.context import Core
from server.usecases.mail.batch_facts import Known, know
from server.usecases.mail.handle_mail import handle

_log = logging.getLogger(__name__)

BATCH = 64
MOST_ATTEMPTS = 5
"""Attempts before a mail is set aside for an operator."""


class InboxJob:
    """Handles mails as they come, many at once so that they share a disk flush."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def work(self) -> bool:
        """Handle what is waiting; returns whether there may be more."""
        rows = await inbox_rows.claim(self._core.store, self._core.now_us, BATCH)
        known = await self._known(rows)
        await asyncio.gather(*(self._one(row, known.get(row.id)) for row in rows))
        is_full = sum(len(row.raw) for row in rows) >= inbox_rows.MOST_OCTETS
        return len(rows) == BATCH or is_full

    async def _known(self, rows: Sequence[InboxRow]) -> dict[int, Known]:
        """Facts of all mails, read together; empty if that fails, and then each is read alone."""
        try:
            return await know(self._core, rows) if rows else {}
        except Exception:
            _log.exception("mails could not be read together")
            return {}

    async def _one(self, row: InboxRow, known: Known | None) -> None:
        try:
            outcome = await handle(self._core, row, known)
        except Exception as error:
            _log.exception("mail %s could not be handled", row.id)
            await self._failed(row, error)
        else:
            _log.info("mail %s: %s", row.id, outcome)

    async def _failed(self, row: InboxRow, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"[:500]
        is_shunted = row.attempts >= MOST_ATTEMPTS
        async with self._core.store.write() as conn:
            if is_shunted:
                await inbox_rows.shunt(conn, row.id, why)
            else:
                due = self._core.now_us + row.attempts * MINUTE_US
                await inbox_rows.put_off(conn, row.id, due, why)
        if is_shunted:
            await raise_alarm(self._core, Alarm.MAIL_SHUNTED, "inbox", f"mail {row.id}: {why}")
