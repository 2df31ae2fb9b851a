"""The inbox behind the SMTP listener: raw mail is kept, and only then acknowledged.

A repeat (same Message-ID, sender and content) is recognised and does nothing twice. Not for
reading the mail: the inbox job does that afterwards.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256

from mail.incoming.headers import split_headers
from mail.incoming.ports import RawMail
from server.store.engine.store import Store
from server.store.engine.types import to_us
from server.store.mail.inbox import Accepted, NewMail, accept_all
from server.usecases.core.batching import Batcher

BATCH = 64
"""The most mails that share a transaction."""


class Intake:
    """Mails in, durable ids out."""

    def __init__(self, store: Store, *, limit: int = BATCH) -> None:
        async def work(mails: Sequence[NewMail]) -> Sequence[Accepted]:
            return await accept_all(store, mails)

        self._batcher: Batcher[NewMail, Accepted] = Batcher(work, limit, gathers=True)

    async def submit(self, mail: NewMail) -> Accepted:
        """Store a mail, to be acknowledged only once this returns. Raises StoreError otherwise."""
        return await self._batcher.submit(mail)

    async def close(self) -> None:
        """Finish what was submitted and take nothing new."""
        await self._batcher.close()


REMEMBERED = 10_000
"""For how many deferred mails the first attempt is remembered."""


WITHOUT_ID = ("to", "date", "subject", "in-reply-to")
"""What tells two mails without a Message-ID apart: «e4» in two games is two mails."""


def message_key(raw: bytes) -> bytes:
    """What makes two deliveries the same mail: Message-ID, sender and content.

    Trace headers differ between two deliveries of one mail and do not count.
    """
    headers = split_headers(raw)
    named = [headers.first("message-id") or b"", headers.first("from") or b""]
    if not named[0].strip():
        named += [headers.first(name) or b"" for name in WITHOUT_ID]
    found = sha256()
    for part in (*named, raw[headers.body_at :]):
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()


class MailTaker:
    """Stores mail. Implements ``mail.incoming.ports.Inbox``; ``kept`` is called after each one."""

    def __init__(self, intake: Intake, kept: Callable[[], None]) -> None:
        self._intake = intake
        self._kept = kept
        self._first: OrderedDict[bytes, datetime] = OrderedDict()

    async def accept(self, mail: RawMail) -> None:
        """Store a mail durably. Raises StoreError when that can't be done now."""
        key = message_key(mail.raw)
        first = min(self._first.get(key, mail.received_at), mail.received_at)
        new = NewMail(
            received_us=to_us(mail.received_at),
            first_us=to_us(first),
            peer=mail.peer,
            mail_from=mail.mail_from,
            rcpt_to=json.dumps(list(mail.rcpt_to)),
            raw=mail.raw,
            message_key=key,
        )
        await self._intake.submit(new)
        self._first.pop(key, None)
        self._kept()

    async def deferred(self, mail: RawMail) -> None:
        """Remember when we first put this mail off: no day is lost by it (REGULATION)."""
        self._first.setdefault(message_key(mail.raw), mail.received_at)
        while len(self._first) > REMEMBERED:
            self._first.popitem(last=False)
