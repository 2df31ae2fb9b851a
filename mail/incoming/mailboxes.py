"""Mailboxes that are read and never written: over IMAP, and on disk."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mail.incoming.mime import MAX_HEADER_BLOCK, split_headers

if TYPE_CHECKING:  # loaded where there is a mailbox to read
    from aioimaplib import IMAP4, Response

# A mailbox read over IMAP: what is new in it, one mail at a time; nothing in it is changed.

TIMEOUT = 30.0
"""Seconds that a command may take."""
RENEW = 9 * 60.0
"""Seconds after which waiting is begun anew: servers end it after 29 minutes, routers before."""
CHECK = 5.0
"""Seconds between two looks, while waiting, whether the connection still stands."""
POLL_SECONDS = 60.0
"""Seconds between two looks where the server cannot say that mail has come."""
_VALIDITY = re.compile(rb"UIDVALIDITY (\d+)")
_NEXT = re.compile(rb"UIDNEXT (\d+)")
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_DATE = re.compile(rb'INTERNALDATE "([^"]+)"')


class MailboxFault(Exception):
    """The mailbox can't be read now; the message says why, for the operator."""


@dataclass(frozen=True, slots=True)
class ImapLogin:
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


class ImapFolder:
    """An open folder. ``validity`` and ``next_uid`` as the server told when it was opened."""

    def __init__(self, client: "IMAP4", validity: int, next_uid: int) -> None:
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
            await asyncio.sleep(POLL_SECONDS)
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
async def open_mailbox(account: ImapLogin) -> AsyncIterator[ImapFolder]:
    """The folder, to be read. Raises MailboxFault, here and in all that is asked of it."""
    from aioimaplib import IMAP4, IMAP4_SSL

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
        yield ImapFolder(client, int(validity[1]), int(upcoming[1]))
    finally:
        if client.protocol is not None and client.protocol.transport is not None:
            client.protocol.transport.close()  # a LOGOUT would wait for an IDLE under way


@contextmanager
def _faults() -> Iterator[None]:
    """What goes wrong in the block is a MailboxFault."""
    from aioimaplib import Abort, CommandTimeout

    try:
        yield
    except (Abort, CommandTimeout, OSError) as error:  # a TimeoutError is an OSError
        raise MailboxFault(str(error) or type(error).__name__) from error


async def _ok(asked: "Awaitable[Response]", what: str) -> "Response":
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


# Mailboxes on disk, read and never written: a Maildir, an mbox file, a file with one mail.

_SEPARATOR = re.compile(
    rb"From .{0,320}? +[A-Z][a-z]{2},? +([A-Z][a-z]{2} +\d{1,2} +\d\d:\d\d)(?::\d\d)?"
    rb"(?: +[A-Z]{2,5})? +(\d{4})(?: +[+-]\d{4})?[ \t]*\r?\n?"
)
_LONGEST_SEPARATOR = 500
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_CHUNK = 64 * 1024
_MOST_SECONDS = 10**11
"""Above it, the number in a Maildir's file name is no time."""


class NoMailbox(ValueError):  # noqa: N818 - reads as what it says
    """The path is neither a Maildir nor an mbox file nor a mail."""


@dataclass(frozen=True, slots=True)
class MailLocation:
    """A mail in a mailbox: its octets' place, and when the mailbox says that it was delivered."""

    path: Path
    start: int
    size: int
    delivered: datetime | None = None
    is_mbox: bool = False

    @property
    def place(self) -> str:
        """The place for people."""
        return f"{self.path}, byte {self.start}" if self.is_mbox else str(self.path)


def messages(path: Path, zone: tzinfo) -> Iterator[MailLocation]:
    """The mails at a path, not yet read. NoMailbox, or OSError if it can't be read.

    ``zone``: the one in which an mbox may have written its times.
    """
    if path.is_dir():
        return _maildir(path)
    with path.open("rb") as file:
        start = file.read(MAX_HEADER_BLOCK)
    if not start or _match_separator(start.partition(b"\n")[0]):
        return _mbox(path, zone)
    names = {name for name, _ in split_headers(start).fields}
    if not names & {"from", "received", "message-id"}:
        raise NoMailbox(str(path))
    return iter([MailLocation(path, 0, path.stat().st_size)])


def octets(found: MailLocation) -> bytes:
    """A mail as it came over the wire. OSError if it can't be read."""
    with found.path.open("rb") as file:
        file.seek(found.start)
        raw = file.read(found.size)
    if found.is_mbox:
        raw = _QUOTED.sub(rb"\1", raw)
        if raw.endswith((b"\n\n", b"\n\r\n")):  # the blank line before the next mail
            raw = raw[: -2 if raw.endswith(b"\r\n") else -1]
    if b"\r\n" not in raw:  # a mixture stays as it is, for the limits to judge
        raw = raw.replace(b"\n", b"\r\n")
    return raw if raw.endswith(b"\n") else raw + b"\r\n"


def _maildir(path: Path) -> Iterator[MailLocation]:
    folders = [folder for folder in (path / "new", path / "cur") if folder.is_dir()]
    if not folders:
        raise NoMailbox(str(path))
    files = sorted(file for folder in folders for file in folder.iterdir())
    return (one for file in files if (one := _locate_mail(file)) is not None)


def _locate_mail(file: Path) -> MailLocation | None:
    """None for what is no mail. One that went away meanwhile is found, and can't be read."""
    try:
        size, is_mail = file.stat().st_size, file.is_file() and not file.name.startswith(".")
    except OSError:
        size, is_mail = 0, True
    return MailLocation(file, 0, size, _named_time(file.name)) if is_mail else None


def _named_time(name: str) -> datetime | None:
    seconds = name.partition(".")[0]
    if not (seconds.isascii() and seconds.isdigit() and 0 < int(seconds[:12]) < _MOST_SECONDS):
        return None
    return datetime.fromtimestamp(int(seconds[:12]), UTC)


def _mbox(path: Path, zone: tzinfo) -> Iterator[MailLocation]:
    """A new mail begins at a "From " line with a date, at the beginning or after a blank line."""
    begun: tuple[int, datetime | None] | None = None
    at, is_line, after_blank = 0, True, True
    with path.open("rb") as file:
        for line in iter(partial(file.readline, _CHUNK), b""):
            separator = _match_separator(line) if is_line and after_blank else None
            if separator is not None:
                if begun is not None:
                    yield MailLocation(path, begun[0], at - begun[0], begun[1], is_mbox=True)
                begun = at + len(line), _written_time(separator, zone)
            at += len(line)
            after_blank = is_line and line in (b"\n", b"\r\n")
            is_line = line.endswith(b"\n")
    if begun is not None:
        yield MailLocation(path, begun[0], at - begun[0], begun[1], is_mbox=True)


def _match_separator(line: bytes) -> re.Match[bytes] | None:
    return _SEPARATOR.fullmatch(line) if len(line) < _LONGEST_SEPARATOR else None


def _written_time(separator: re.Match[bytes], zone: tzinfo) -> datetime | None:
    """Some write it in UTC, some in the machine's own zone: the earlier costs nobody a day."""
    text = b" ".join([*separator[1].split(), separator[2]]).decode("ascii")
    try:
        read = datetime.strptime(f"{text} +0000", "%b %d %H:%M %Y %z")
        return min(read, read.replace(tzinfo=zone).astimezone(UTC))
    except (ValueError, OverflowError):
        return None
