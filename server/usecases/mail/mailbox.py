"""What is new in a mailbox (IMAP) goes into the inbox, each mail once, by its arrival there.

The number (UID) of the last mail read is kept: what a person reads in a mail program is not lost
to us, and the mailbox stays as it is. At the first start only what comes from then on is taken;
older mail is imported (import_mail.py). Not for the connection (mail/incoming/imap_in.py).
"""

import logging
from dataclasses import dataclass
from typing import Protocol

from mail.incoming.imap_in import Head
from mail.office_letters.notice_facts import Alarm
from server.store.engine.types import DAY_US, to_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import mail_lists
from server.store.tables import settings
from server.usecases.core.alarms import raise_alarm
from server.usecases.core.context import Core
from server.usecases.mail.import_mail import arrival, new_mail

_log = logging.getLogger(__name__)

POSITION = "imap_position"
"""UIDVALIDITY, the last UID read, and when (µs)."""
AGAIN_US = 2 * DAY_US
"""How far back a mailbox that was numbered anew is read again; what we have is known."""


class Box(Protocol):
    """What is asked of a mailbox."""

    validity: int
    next_uid: int

    async def after(self, uid: int) -> tuple[int, ...]:
        """The numbers of the mails above one, in order."""
        ...

    async def head(self, uid: int) -> Head | None:
        """What is known of a mail before it is read; None when it is gone."""
        ...

    async def raw(self, uid: int) -> bytes | None:
        """A mail's octets; None when it is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Position:
    """Up to where it was read. ``since_us``: older mails are left alone."""

    uid: int
    since_us: int = 0


async def take(core: Core, box: Box) -> int:
    """Keep what is new, one mail at a time; how many were kept. Raises MailboxFault, StoreError."""
    at, kept = await _position(core, box), 0
    for uid in await box.after(at.uid):
        kept += await _one(core, box, uid, at.since_us)
        await _read(core, box, uid)
    return kept


async def _position(core: Core, box: Box) -> Position:
    async with core.store.read() as conn:
        told = await settings.get(conn, POSITION)
    if told is None:
        await _read(core, box, box.next_uid - 1)
        return Position(box.next_uid - 1)
    validity, uid, at_us = map(int, told.split())
    if validity == box.validity:
        return Position(uid)
    _log.warning("the mailbox was numbered anew: its last days are read again")
    return Position(0, at_us - AGAIN_US)


async def _read(core: Core, box: Box, uid: int) -> None:
    async with core.store.write() as conn:
        await settings.put(conn, POSITION, f"{box.validity} {uid} {core.now_us}")


async def _one(core: Core, box: Box, uid: int, since_us: int) -> bool:
    """Keep one mail, unless it is known, not for us, or too large."""
    head, most = await box.head(uid), core.settings.mail.in_.max_bytes
    if head is None or (head.delivered is not None and to_us(head.delivered) < since_us):
        return False
    if head.size > most:
        why = f"mail {uid} in the mailbox is larger than mail.in.max_bytes ({most})"
        _log.warning("%s", why)
        await raise_alarm(core, Alarm.MAIL_SHUNTED, "mailbox", why)
        return False
    raw = await box.raw(uid)
    new = None if raw is None else new_mail(core, raw, arrival(core, head.delivered, raw)[0])
    if new is None:
        return False
    async with core.store.read() as conn:
        if await mail_lists.kept_keys(conn, [new.message_key]):
            return False
    await inbox_rows.accept_all(core.store, [new])
    return True
