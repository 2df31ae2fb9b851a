"""A mailbox read over IMAP: what is new in it, one mail at a time; nothing in it is changed.

For a club that has a mailbox and no mail server (``[mail.imap]``). NOT for what becomes of a mail
(`server.usecases.mail.mailbox`).
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from aioimaplib import IMAP4, IMAP4_SSL, Abort, CommandTimeout, Response

TIMEOUT = 30.0
"""Seconds that a command may take."""
RENEW = 9 * 60.0
"""Seconds after which waiting is begun anew: servers end it after 29 minutes, routers before."""
CHECK = 5.0
"""Seconds between two looks, while waiting, whether the connection still stands."""
LOOK = 60.0
"""Seconds between two looks where the server cannot say that mail has come."""
_VALIDITY = re.compile(rb"UIDVALIDITY (\d+)")
_NEXT = re.compile(rb"UIDNEXT (\d+)")
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_DATE = re.compile(rb'INTERNALDATE "([^"]+)"')


class MailboxFault(Exception):
    """The mailbox can't be read now; the message says why, for the operator."""


@dataclass(frozen=True, slots=True)
class Account:
    """Where the mailbox is, and who may read it."""

    host: str
    port: int
    user: str
    password: str
    tls: Literal["none", "tls"] = "tls"
    folder: str = "INBOX"


@dataclass(frozen=True, slots=True)
class Head:
    """A mail's size in octets, and when the mailbox got it."""

    size: int
    delivered: datetime | None


class Mailbox:
    """An open folder. ``validity`` and ``next_uid`` as the server told when it was opened."""

    def __init__(self, client: IMAP4, validity: int, next_uid: int) -> None:
        """Made by `opened`."""
        self._client = client
        self.validity, self.next_uid = validity, next_uid

    async def after(self, uid: int) -> tuple[int, ...]:
        """The numbers of the mails above one, in order."""
        found = await _ok(self._client.uid_search(f"UID {uid + 1}:*", charset=None), "search")
        words = b" ".join(line for line in found.lines[:-1] if isinstance(line, bytes)).split()
        numbers = {int(word) for word in words if word.isdigit()}
        return tuple(sorted(one for one in numbers if one > uid))  # "9:*" means the last one too

    async def head(self, uid: int) -> Head | None:
        """What is known of a mail before it is read; None when it is gone."""
        found = await _ok(
            self._client.uid("fetch", str(uid), "(RFC822.SIZE INTERNALDATE)"), "fetch"
        )
        told = b" ".join(line for line in found.lines if isinstance(line, bytes))
        size = _SIZE.search(told)
        return None if size is None else Head(int(size[1]), _date(told))

    async def raw(self, uid: int) -> bytes | None:
        """A mail's octets, not marked as read; None when it is gone."""
        found = await _ok(self._client.uid("fetch", str(uid), "(BODY.PEEK[])"), "fetch")
        return next((bytes(one) for one in found.lines if isinstance(one, bytearray)), None)

    async def wait(self) -> None:
        """Until mail may have come."""
        if not self._client.has_capability("IDLE"):
            await asyncio.sleep(LOOK)
            await _ok(self._client.noop(), "noop")
            return
        with _faults():
            idle = await self._client.idle_start(timeout=RENEW)
            pushed = asyncio.create_task(self._client.wait_server_push())
            try:
                while not (await asyncio.wait({pushed}, timeout=CHECK))[0]:
                    self._check()
            finally:
                pushed.cancel()
            self._client.idle_done()
            await asyncio.wait_for(idle, TIMEOUT)

    def _check(self) -> None:
        """The library goes on waiting where the connection is lost."""
        transport = self._client.protocol.transport
        if transport is None or transport.is_closing():
            raise MailboxFault("the connection was lost")


@asynccontextmanager
async def opened(account: Account) -> AsyncIterator[Mailbox]:
    """The folder, to be read. Raises MailboxFault, here and in all that is asked of it."""
    make = IMAP4_SSL if account.tls == "tls" else IMAP4
    client = make(host=account.host, port=account.port, timeout=TIMEOUT)
    try:
        with _faults():
            await client.wait_hello_from_server()
        await _ok(client.login(account.user, account.password), "sign-in")
        found = await _ok(client.select(f'"{account.folder}"'), f"folder {account.folder}")
        told = b" ".join(line for line in found.lines if isinstance(line, bytes))
        validity, upcoming = _VALIDITY.search(told), _NEXT.search(told)
        if validity is None or upcoming is None:
            raise MailboxFault("the server does not number its mails (UIDVALIDITY, UIDNEXT)")
        yield Mailbox(client, int(validity[1]), int(upcoming[1]))
    finally:
        if client.protocol is not None and client.protocol.transport is not None:
            client.protocol.transport.close()  # a LOGOUT would wait for an IDLE under way


@contextmanager
def _faults() -> Iterator[None]:
    """What goes wrong in the block is a MailboxFault."""
    try:
        yield
    except (Abort, CommandTimeout, OSError) as error:  # a TimeoutError is an OSError
        raise MailboxFault(str(error) or type(error).__name__) from error


async def _ok(asked: Awaitable[Response], what: str) -> Response:
    with _faults():
        found = await asked
    if found.result != "OK":
        said = b" ".join(line for line in found.lines if isinstance(line, bytes))
        raise MailboxFault(f"{what}: {found.result} {said.decode('ascii', 'replace')[:200]}")
    return found


def _date(told: bytes) -> datetime | None:
    said = _DATE.search(told)
    try:
        text = "" if said is None else said[1].decode("ascii").strip()
        return datetime.strptime(text, "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)
    except ValueError:
        return None
