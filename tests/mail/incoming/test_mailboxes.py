"""Mailboxes as mail systems write them, read octet for octet."""

import mailbox
import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mail.incoming.mailboxes import NoMailbox, messages, octets
from tests.fakes.machinery.each import rows

ZONE = ZoneInfo("Europe/Copenhagen")
WIRE = b"From: a@example.dk\r\nSubject: =?x\r\n\r\nFrom here\r\n\r\n>From there\r\n\xe6\xff\t \r\n"
WHEN = b"Mon Nov  2 23:30:00 2026"


def _mbox(end: bytes, *mails: bytes, quote: bytes = b">") -> bytes:
    """As RFC 4155's mboxrd: every quoted or bare "From " line gets one more mark."""
    whole = b""
    for mail in mails:
        lines = mail.replace(b"\r\n", b"\n").split(b"\n")
        marked = (quote + one if one.lstrip(b">").startswith(b"From ") else one for one in lines)
        whole += b"From a@example.dk " + WHEN + b"\n" + b"\n".join(marked) + b"\n"
    return whole.replace(b"\n", end)


def _read(path: Path) -> list[bytes]:
    return [octets(found) for found in messages(path, ZONE)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_mbox_gives_back_what_came_over_the_wire(tmp_path: Path, end: bytes) -> None:
    box = tmp_path / "mbox"
    box.write_bytes(_mbox(end, WIRE, WIRE + b"\r\n\r\n", b"From: b@c.dk\r\n\r\n"))
    assert _read(box) == [WIRE, WIRE + b"\r\n\r\n", b"From: b@c.dk\r\n\r\n"]


def test_a_line_that_only_begins_like_a_separator_is_the_mails_own(tmp_path: Path) -> None:
    own = (
        b"From: a@b.dk\r\n\r\nx\r\n\r\nFrom now on, 2. Nf3 in 2026\r\nend\r\nFrom x "
        + WHEN
        + b"\r\n"
    )
    box = tmp_path / "mbox"
    box.write_bytes(_mbox(b"\n", own, own, quote=b""))
    assert _read(box) == [own, own]


def test_an_mboxs_time_is_the_earlier_of_utc_and_our_zone(tmp_path: Path) -> None:
    box = tmp_path / "mbox"
    box.write_bytes(_mbox(b"\n", WIRE))
    (east,), (west,) = messages(box, ZONE), messages(box, ZoneInfo("America/New_York"))
    assert east.delivered == datetime(2026, 11, 2, 22, 30, tzinfo=UTC)
    assert west.delivered == datetime(2026, 11, 2, 23, 30, tzinfo=UTC)


def test_an_mbox_whose_time_is_none_keeps_its_mails(tmp_path: Path) -> None:
    box = tmp_path / "mbox"
    box.write_bytes(_mbox(b"\n", WIRE).replace(b"Nov  2", b"Feb 31"))
    (found,) = messages(box, ZONE)
    assert (found.delivered, octets(found)) == (None, WIRE)


def test_a_maildir_is_read_new_and_cur_and_nothing_is_touched(tmp_path: Path) -> None:
    made = mailbox.Maildir(tmp_path / "Maildir")
    made.add(WIRE)
    seen = mailbox.MaildirMessage(WIRE.replace(b"there", b"then"))
    seen.set_subdir("cur")
    seen.set_flags("S")
    made.add(seen)
    root = tmp_path / "Maildir"
    (root / "new" / ".hidden").write_bytes(b"x")
    (root / "new" / "folder").mkdir()
    (root / "tmp" / "1700000000.half").write_bytes(b"From: half")
    before = _state(root)
    read = [octets(found) for found in messages(root, ZONE)]
    assert WIRE in read and len(read) == 2
    assert _state(root) == before


def _state(root: Path) -> dict[str, tuple[bytes, int, int]]:
    files = [path for path in root.rglob("*") if path.is_file()]
    return {str(f): (f.read_bytes(), f.stat().st_mtime_ns, f.stat().st_mode) for f in files}


@rows(
    "name moment",
    ("1793660400.M1P2.host:2,S", datetime(2026, 11, 2, 23, 0, tzinfo=UTC)),
    ("99999999999999.x", None),
    ("0.x", None),
    ("brev.eml", None),
    ("١٢٣.x", None),
)
def test_a_maildirs_file_name_says_when(tmp_path: Path, name: str, moment: object) -> None:
    (tmp_path / "cur").mkdir()
    (tmp_path / "cur" / name).write_bytes(WIRE)
    (found,) = messages(tmp_path, ZONE)
    assert found.delivered == moment


def test_a_file_that_goes_away_is_found_and_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    os.symlink(tmp_path / "gone", tmp_path / "new" / "1793660400.x")
    (found,) = messages(tmp_path, ZONE)
    with pytest.raises(FileNotFoundError):
        octets(found)


@pytest.mark.parametrize("raw", [WIRE, WIRE.replace(b"\r\n", b"\n"), WIRE.rstrip(b"\r\n")])
def test_a_single_mail_needs_no_line_ends_of_its_own(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.eml").write_bytes(raw)
    (found,) = messages(tmp_path / "a.eml", ZONE)
    assert (octets(found), found.delivered) == (WIRE, None)


def test_a_mixture_of_line_ends_is_left_for_the_limits_to_judge(tmp_path: Path) -> None:
    mixed = b"From: a@b.dk\n\r\nx\r\n"
    (tmp_path / "a.eml").write_bytes(mixed)
    assert _read(tmp_path / "a.eml") == [mixed]


@pytest.mark.parametrize("raw", [b"\x7fELF\0", b"PK\x03\x04 zip", b"Dear all,\nhello\n", b"\n" * 9])
def test_what_is_no_mailbox_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "x").write_bytes(raw)
    with pytest.raises(NoMailbox):
        messages(tmp_path / "x", ZONE)
    with pytest.raises(NoMailbox):
        messages(tmp_path, ZONE)


def test_an_empty_mbox_has_no_mails_and_long_lines_fill_no_memory(tmp_path: Path) -> None:
    box = tmp_path / "mbox"
    box.write_bytes(b"")
    assert _read(box) == []
    long = b"From: a@b.dk\r\n\r\n" + b"x" * 300_000 + b"\r\n"
    box.write_bytes(_mbox(b"\n", long, b"From" + b" " * 200_000 + b": x\r\n\r\n", long))
    assert [len(one) for one in _read(box)][::2] == [len(long)] * 2
