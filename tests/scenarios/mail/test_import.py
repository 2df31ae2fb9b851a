"""Mail from a mailbox after an outage: played with its time of arrival, each mail once.

Not for how a mailbox is read (tests/mail/incoming/test_mailboxes.py).
"""

import json
import mailbox
from collections import Counter
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from kskak.game.game_events import MoveSent
from mail.incoming.mailboxes import messages
from server.usecases.mail.mailbox import (
    ArrivalTimeSource,
    MailImportItem,
    MailImportOutcome,
    keep,
    survey,
)
from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, COMMANDS, DOMAIN, World, world_of

FRESH = {"In_Reply_To": None, "References": None}


@pytest.fixture
async def relayed(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A world that trusts a relay."""
    async with world_of(sqlite_url, str(tmp_path), trusted_relays=["192.0.2.1"]) as made:
        await made.begin()
        yield made


async def _imported(
    world: World, path: Path, since: datetime | None = None
) -> list[MailImportItem]:
    items = await survey(world.core, messages(path, ZONE), since, lambda _: None)
    items = await keep(world.core, items, lambda _: None)
    await world.pump()
    return items


def _fates(items: list[MailImportItem]) -> dict[str, int]:
    return dict(Counter(item.fate.value for item in items))


def _delivered(raw: bytes, to: str, *received: str, path: str = ANNA) -> bytes:
    """As a local delivery agent leaves it: its fields on top, LF."""
    head = [f"Return-Path: <{path}>", f"X-Original-To: {to}", f"Delivered-To: {to}", *received]
    return ("\n".join(head) + "\n").encode() + raw.replace(b"\r\n", b"\n")


def _stamp(at: datetime, by: str = DOMAIN) -> str:
    when = at.astimezone(ZONE).strftime("%a, %d %b %Y %H:%M:%S %z")
    return f"Received: from x (x [192.0.2.1]) by {by} (Postfix) with ESMTPS id 1;\n\t{when}"


def _maildir(tmp_path: Path, raw: bytes, at: datetime, name: str = "M1P1.host") -> Path:
    root = tmp_path / "Maildir"
    mailbox.Maildir(root)
    (root / "new" / f"{int(at.timestamp())}.{name}").write_bytes(raw)
    return root


async def _sent_days(world: World) -> list[str]:
    events = [row.event for row in await world.events()]
    return [event.sent.isoformat() for event in events if isinstance(event, MoveSent)]


async def test_a_move_is_played_from_its_relays_time_once_however_it_comes(relayed, tmp_path):
    anna, clock = Player(relayed), relayed.clock
    clock.go(clock.today + timedelta(days=1), 23, 58)
    arrived, day = clock.at, clock.today
    key, raw = anna.newest.reply_to, anna.write("e4")
    assert key is not None
    clock.wait(days=4)
    later = arrived + timedelta(days=2)
    root = _maildir(tmp_path, _delivered(raw, key, _stamp(arrived)), later)
    (item,) = await _imported(relayed, root)
    assert (item.fate, item.dated, item.at) == (
        MailImportOutcome.NEW,
        ArrivalTimeSource.RELAY,
        arrived,
    )
    assert [row.outcome for row in await relayed.inbox()] == ["moved"]
    assert await _sent_days(relayed) == [day.isoformat()]
    assert _fates(await _imported(relayed, root)) == {"known": 1}
    assert await anna.send(raw, key) == "duplicate"
    assert (await relayed.row()).ply == 1
    await relayed.assert_whole()


async def test_without_a_trusted_relay_the_mailboxs_time_counts_and_not_the_senders(lite, tmp_path):
    anna, clock = Player(lite), lite.clock
    clock.wait(days=2)
    at, day, key = clock.at, clock.today, anna.newest.reply_to
    assert key is not None
    forged = _stamp(at - timedelta(days=1))
    root = _maildir(tmp_path, _delivered(anna.write("e4"), key, forged), at)
    clock.wait(days=5)
    (item,) = await _imported(lite, root)
    assert (item.dated, item.at) == (ArrivalTimeSource.MAILBOX, at)
    assert await _sent_days(lite) == [day.isoformat()], "five days of outage cost nothing"


@pytest.mark.parametrize("by", ["evil.example", f"evil.{DOMAIN}"])
async def test_a_single_mail_without_our_relays_field_counts_from_now(relayed, tmp_path, by):
    anna, clock = Player(relayed), relayed.clock
    key, file = anna.newest.reply_to, tmp_path / "a.eml"
    assert key is not None
    file.write_bytes(_delivered(anna.write("e4"), key, _stamp(clock.at, by)))
    clock.wait(days=3)
    (item,) = await _imported(relayed, file)
    assert (item.dated, item.at) == (ArrivalTimeSource.NOW, clock.at)
    assert await _sent_days(relayed) == [clock.today.isoformat()]


async def test_a_time_that_is_still_to_come_is_now(relayed: World, tmp_path: Path) -> None:
    anna, now = Player(relayed), relayed.clock.at
    ahead = now + timedelta(days=2)
    root = _maildir(tmp_path, anna.write("e4"), ahead)
    (item,) = await _imported(relayed, root)
    assert (item.dated, item.at) == (ArrivalTimeSource.NOW, now)
    raw = _delivered(anna.write("d4"), COMMANDS, _stamp(ahead))
    (root / "new" / "x").write_bytes(raw)
    (_, relays) = await _imported(relayed, root)
    assert (relays.fate, relays.dated, relays.at) == (
        MailImportOutcome.NEW,
        ArrivalTimeSource.RELAY,
        now,
    )


async def test_what_came_by_smtp_is_known_in_the_mailbox(lite: World, tmp_path: Path) -> None:
    anna = Player(lite)
    key = anna.newest.reply_to
    assert key is not None
    raw = anna.write("e4").rstrip() + b"\r\n\r\nFrom me\r\n\r\n"
    assert await anna.send(raw, key) == "moved"
    root = _maildir(tmp_path, _delivered(raw, key, _stamp(lite.clock.at)), lite.clock.at)
    box, marked = tmp_path / "mbox", _delivered(raw, key).replace(b"\nFrom me", b"\n>From me")
    box.write_bytes(b"From a@b.dk Mon Nov  2 08:00:00 2026\n" + marked + b"\n")
    assert _fates(await _imported(lite, root)) == {"known": 1}
    assert _fates(await _imported(lite, box)) == {"known": 1}
    assert len(await lite.inbox()) == 1, "no row for a repeat"


async def test_mails_are_taken_in_the_order_of_their_arrival(lite: World, tmp_path: Path) -> None:
    anna, at = Player(lite), lite.clock.at
    for hours in (3, 1, 2):
        raw = anna.write(f"{hours}", To=COMMANDS, Subject=f"nr. {hours}", **FRESH)
        root = _maildir(tmp_path, raw, at + timedelta(hours=hours), "M1")
    for file in (root / "new").glob(f"{int(at.timestamp()) + 3 * 3600}.*"):
        file.rename(root / "cur" / f"{file.name}:2,S")  # the newest is the first to be read
    lite.clock.wait(days=1)
    await _imported(lite, root)
    rows = await lite.inbox()
    assert [row.first_us for row in rows] == sorted(row.first_us for row in rows)
    assert [b"nr. 1" in rows[0].raw, b"nr. 2" in rows[1].raw, b"nr. 3" in rows[2].raw] == [True] * 3


@rows(
    "head to expected",
    (f"Delivered-To: {COMMANDS}", "x@other.example", [COMMANDS]),
    (f"X-Original-To: {COMMANDS}\nDelivered-To: archive@localhost", BO, [COMMANDS]),
    (f"Envelope-To: {COMMANDS}, tl@{DOMAIN}", COMMANDS, [COMMANDS, f"tl@{DOMAIN}"]),
    ("Delivered-To: archive@localhost.example", f"{BO}, {COMMANDS}", [COMMANDS]),
    ("Delivered-To: archive@localhost.example", BO, None),
    (f"Delivered-To: parti+{'a' * 30}@{DOMAIN}", COMMANDS, None),
)
async def test_recipients_are_those_that_smtp_would_have_taken(lite, tmp_path, head, to, expected):
    raw = head.encode() + b"\n" + Player(lite).write("hej", To=to, **FRESH).replace(b"\r", b"")
    (tmp_path / "a.eml").write_bytes(raw)
    items = await _imported(lite, tmp_path / "a.eml")
    assert _fates(items) == ({"foreign": 1} if expected is None else {"new": 1})
    assert [json.loads(row.rcpt_to) for row in await lite.inbox()] == (
        [] if expected is None else [expected]
    )


@pytest.mark.parametrize(("path", "sender"), [(None, ANNA), ("<>", ""), (f"<{BO}>", BO)])
async def test_only_an_empty_return_path_makes_a_bounce(lite, tmp_path, path, sender):
    head = b"" if path is None else f"Return-Path: {path}\r\n".encode()
    (tmp_path / "a.eml").write_bytes(head + Player(lite).write("e4"))
    await _imported(lite, tmp_path / "a.eml")
    (row,) = await lite.inbox()
    assert (row.mail_from, row.peer) == (sender, "import")
    assert (await lite.row()).ply == (0 if sender == "" else 1)


async def test_a_thousand_mails_twice_and_what_stands_twice_in_the_mailbox(lite, tmp_path):
    whole = b""
    for number in range(1000):
        whole += b"From x@y.dk Mon Nov  2 08:%02d:00 2026\r\n" % (number % 60)
        whole += b"From: f%d@example.com\r\nTo: %s\r\n" % (number % 990, COMMANDS.encode())
        whole += b"Message-ID: <%d@x>\r\n\r\n>From a to z\r\n\r\n" % (number % 990)
    box = tmp_path / "mbox"
    box.write_bytes(whole)
    assert _fates(await _imported(lite, box)) == {"new": 990, "known": 10}
    assert _fates(await _imported(lite, box)) == {"known": 1000}
    rows = await lite.inbox()
    assert len(rows) == 990 and rows[0].raw.endswith(b"\r\n\r\nFrom a to z\r\n")
    assert box.read_bytes() == whole


async def test_what_is_old_or_too_large_is_left_out_and_the_rest_is_taken(lite, tmp_path):
    anna, at = Player(lite), lite.clock.at
    for place, days in enumerate((0, 5)):
        raw = anna.write("hej", To=COMMANDS, **FRESH)
        root = _maildir(tmp_path, raw, at + timedelta(days=days), f"M{place}")
    (root / "cur" / "1.big").write_bytes(b"From: a@b.dk\n\n" + b"x" * (10 * 1024 * 1024))
    (root / "cur" / "2.empty").write_bytes(b"")
    lite.clock.wait(days=9)
    items = await _imported(lite, root, at + timedelta(days=2))
    assert _fates(items) == {"new": 1, "old": 1, "unreadable": 2}
    assert {item.why for item in items} == {"", "larger than mail.in.max_bytes (10485760)", "empty"}


async def test_a_mailbox_that_changes_between_the_readings_loses_and_mixes_up_nothing(
    lite: World, tmp_path: Path
) -> None:
    anna, at = Player(lite), lite.clock.at
    for name in ("gone", "other", "stays"):
        root = _maildir(tmp_path, anna.write(name, To=COMMANDS, **FRESH), at, name)
    items = await survey(lite.core, messages(root, ZONE), None, lambda _: None)
    (root / "new" / f"{int(at.timestamp())}.gone").unlink()
    (root / "new" / f"{int(at.timestamp())}.other").write_bytes(anna.write("x", To=COMMANDS))
    done = await keep(lite.core, items, lambda _: None)
    assert _fates(done) == {"new": 1, "unreadable": 2}
    why = {item.why for item in done}
    assert why == {"", "No such file or directory", "it has changed meanwhile"}
    assert len(await lite.inbox()) == 1
