"""Mailboxes on disk, read and never written: a Maildir, an mbox file, a file with one mail.

A mail is given as the octets that came over the wire (CRLF, ">From " as "From " again), so that
it is known as the mail that came by SMTP. Python's `mailbox` takes every line that begins with
"From " for the next mail's and leaves ">From " as it is. NOT for whose mail it is, nor for what
it says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path

from mail.incoming.headers import split_headers
from mail.incoming.limits import MAX_HEADER_BLOCK

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
class Found:
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


def messages(path: Path, zone: tzinfo) -> Iterator[Found]:
    """The mails at a path, not yet read. NoMailbox, or OSError if it can't be read.

    ``zone``: the one in which an mbox may have written its times.
    """
    if path.is_dir():
        return _maildir(path)
    with path.open("rb") as file:
        start = file.read(MAX_HEADER_BLOCK)
    if not start or _separated(start.partition(b"\n")[0]):
        return _mbox(path, zone)
    names = {name for name, _ in split_headers(start).fields}
    if not names & {"from", "received", "message-id"}:
        raise NoMailbox(str(path))
    return iter([Found(path, 0, path.stat().st_size)])


def octets(found: Found) -> bytes:
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


def _maildir(path: Path) -> Iterator[Found]:
    folders = [folder for folder in (path / "new", path / "cur") if folder.is_dir()]
    if not folders:
        raise NoMailbox(str(path))
    files = sorted(file for folder in folders for file in folder.iterdir())
    return (one for file in files if (one := _found(file)) is not None)


def _found(file: Path) -> Found | None:
    """None for what is no mail. One that went away meanwhile is found, and can't be read."""
    try:
        size, is_mail = file.stat().st_size, file.is_file() and not file.name.startswith(".")
    except OSError:
        size, is_mail = 0, True
    return Found(file, 0, size, _named_time(file.name)) if is_mail else None


def _named_time(name: str) -> datetime | None:
    seconds = name.partition(".")[0]
    if not (seconds.isascii() and seconds.isdigit() and 0 < int(seconds[:12]) < _MOST_SECONDS):
        return None
    return datetime.fromtimestamp(int(seconds[:12]), UTC)


def _mbox(path: Path, zone: tzinfo) -> Iterator[Found]:
    """A new mail begins at a "From " line with a date, at the beginning or after a blank line."""
    begun: tuple[int, datetime | None] | None = None
    at, is_line, after_blank = 0, True, True
    with path.open("rb") as file:
        for line in iter(partial(file.readline, _CHUNK), b""):
            separator = _separated(line) if is_line and after_blank else None
            if separator is not None:
                if begun is not None:
                    yield Found(path, begun[0], at - begun[0], begun[1], is_mbox=True)
                begun = at + len(line), _written_time(separator, zone)
            at += len(line)
            after_blank = is_line and line in (b"\n", b"\r\n")
            is_line = line.endswith(b"\n")
    if begun is not None:
        yield Found(path, begun[0], at - begun[0], begun[1], is_mbox=True)


def _separated(line: bytes) -> re.Match[bytes] | None:
    return _SEPARATOR.fullmatch(line) if len(line) < _LONGEST_SEPARATOR else None


def _written_time(separator: re.Match[bytes], zone: tzinfo) -> datetime | None:
    """Some write it in UTC, some in the machine's own zone: the earlier costs nobody a day."""
    text = b" ".join([*separator[1].split(), separator[2]]).decode("ascii")
    try:
        read = datetime.strptime(f"{text} +0000", "%b %d %H:%M %Y %z")
        return min(read, read.replace(tzinfo=zone).astimezone(UTC))
    except (ValueError, OverflowError):
        return None
