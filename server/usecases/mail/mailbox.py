"""Mail from elsewhere into the inbox: an IMAP mailbox, one on disk.

And the key that letters are signed with.
"""

import json
import logging
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from mail.incoming import mime
from mail.incoming.mailboxes import ImapFolder, MailLocation, octets
from mail.incoming.mime import Headers, split_headers
from mail.incoming.parse_mail import is_own_recipient, read_addresses, read_sender
from mail.incoming.smtp_in import MAX_RECIPIENTS
from mail.office_letters.service_letters import Alarm
from server.settings import Settings
from server.store.engine.rows import DAY_US, to_us
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import NewMail
from server.store.tables import base as base_tables
from server.usecases.context import Core
from server.usecases.letter_facts import raise_alarm
from server.usecases.mail.parsed_mail import IMPORTED, message_key, own_mail, relayed_at
from server.usecases.mail.sort_mail import is_made_up

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from mail.outgoing.dkim_signing import Signer


# Mail from a mailbox on disk into the inbox, after an outage: each once, by its arrival.

TRACES = ("delivered-to", "x-original-to", "envelope-to")
"""Fields in which a relay notes the envelope's recipients."""
BATCH = 64
BATCH_BYTES = 16 * 1024 * 1024
"""Octets of mail that share a transaction, and so are in memory together."""
KEYS = 500
Told = Callable[[int], None]


class MailImportOutcome(StrEnum):
    """What becomes of a mail."""

    NEW = "new"
    KNOWN = "known"
    FOREIGN = "foreign"
    OLD = "old"
    UNREADABLE = "unreadable"


class ArrivalTimeSource(StrEnum):
    """Whose time counts as the mail's arrival."""

    RELAY = "relay"
    MAILBOX = "mailbox"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class MailImportItem:
    """A mail of the mailbox, judged. ``why``: what hinders its reading."""

    found: MailLocation
    fate: MailImportOutcome
    at: datetime
    dated: ArrivalTimeSource = ArrivalTimeSource.NOW
    key: bytes = b""
    sender: str = ""
    subject: str = ""
    why: str = ""


async def survey(
    core: Core, found: Iterable[MailLocation], since: datetime | None, told: Told
) -> list[MailImportItem]:
    """Judge every mail, in the order of arrival; nothing is stored."""
    items: list[MailImportItem] = []
    for count, one in enumerate(found, 1):
        items.append(_judged(core, one, since))
        told(count)
    items.sort(key=lambda item: item.at)
    keys = [item.key for item in items if item.fate is MailImportOutcome.NEW]
    known: set[bytes] = set()
    async with core.store.read() as conn:
        for first in range(0, len(keys), KEYS):
            known |= await inbox_rows.find_known_message_keys(conn, keys[first : first + KEYS])
    for place, item in enumerate(items):
        if item.fate is MailImportOutcome.NEW and item.key in known:
            items[place] = replace(item, fate=MailImportOutcome.KNOWN)
        elif item.fate is MailImportOutcome.NEW:
            known.add(item.key)
    return items


async def keep(core: Core, items: Sequence[MailImportItem], told: Told) -> list[MailImportItem]:
    """Store the new ones durably; the items with what has become of them."""
    done: list[MailImportItem] = []
    batch: list[tuple[MailImportItem, NewMail]] = []
    for item in items:
        mail = _mail(core, item) if item.fate is MailImportOutcome.NEW else item
        if isinstance(mail, MailImportItem):
            done.append(mail)
            continue
        batch.append((item, mail))
        if len(batch) == BATCH or sum(len(new.raw) for _, new in batch) > BATCH_BYTES:
            done += await _stored(core, batch)
            batch.clear()
            told(len(done))
    return done + await _stored(core, batch)


async def _stored(
    core: Core, batch: Sequence[tuple[MailImportItem, NewMail]]
) -> list[MailImportItem]:
    accepted = await inbox_rows.accept_all(core.store, [mail for _, mail in batch])
    return [
        item if one.repeats is None else replace(item, fate=MailImportOutcome.KNOWN)
        for (item, _), one in zip(batch, accepted, strict=True)
    ]


def _judged(core: Core, found: MailLocation, since: datetime | None) -> MailImportItem:
    now = core.clock.now()
    most = core.settings.mail.in_.max_bytes
    if found.size > most:
        return MailImportItem(
            found, MailImportOutcome.UNREADABLE, now, why=f"larger than mail.in.max_bytes ({most})"
        )
    try:
        raw = octets(found)
    except OSError as error:
        return MailImportItem(
            found, MailImportOutcome.UNREADABLE, now, why=error.strerror or str(error)
        )
    refused = mime.refusal(raw)
    if refused is not None or not raw.strip():
        return MailImportItem(
            found, MailImportOutcome.UNREADABLE, now, why=refused[1] if refused else "empty"
        )
    headers = split_headers(raw)
    at, dated = arrival(core, found.delivered, raw)
    fate = MailImportOutcome.NEW if _recipients(core, headers) else MailImportOutcome.FOREIGN
    if fate is MailImportOutcome.NEW and since is not None and at < since:
        fate = MailImportOutcome.OLD
    sender = read_sender(headers).address or headers.text("from", 100)
    subject = headers.text("subject", 100)
    return MailImportItem(found, fate, at, dated, message_key(raw), sender, subject)


def arrival(
    core: Core, delivered: datetime | None, raw: bytes
) -> tuple[datetime, ArrivalTimeSource]:
    """Our relay's time (REGULATION), else the mailbox's, else now; never later than now.

    A mailbox of ours is our side: what waited in it had reached us, and nothing that happens on
    our side costs a day. What the sender wrote himself says nothing.
    """
    now, relayed = core.clock.now(), relayed_at(core, raw, IMPORTED)
    if relayed is not None:
        return min(relayed, now), ArrivalTimeSource.RELAY
    if delivered is not None and delivered < now:
        return delivered, ArrivalTimeSource.MAILBOX
    return now, ArrivalTimeSource.NOW


def _recipients(core: Core, headers: Headers) -> tuple[str, ...]:
    """Ours of those the relay noted, else of those it is addressed to; what SMTP would take."""
    own = own_mail(core)
    for names in (TRACES, ("to", "cc")):
        ours = [one for one in read_addresses(headers, *names) if is_own_recipient(one, own.domain)]
        if ours:
            return tuple(one for one in ours if not is_made_up(own, one))[:MAX_RECIPIENTS]
    return ()


def _envelope_from(headers: Headers) -> str:
    """The envelope's sender; never empty unless the relay says so, for that means a bounce."""
    if (headers.first("return-path") or b"").strip() == b"<>":
        return ""
    paths = read_addresses(headers, "return-path")
    return paths[0] if paths else read_sender(headers).address or "unknown"


def _mail(core: Core, item: MailImportItem) -> NewMail | MailImportItem:
    """A new mail, read again, to be stored; an item, if the mailbox has changed meanwhile."""
    try:
        raw = octets(item.found)
    except OSError as error:
        return replace(item, fate=MailImportOutcome.UNREADABLE, why=error.strerror or str(error))
    if message_key(raw) != item.key:
        return replace(item, fate=MailImportOutcome.UNREADABLE, why="it has changed meanwhile")
    return new_mail(core, raw, item.at) or item


def new_mail(core: Core, raw: bytes, at: datetime) -> NewMail | None:
    """A mail of a mailbox as one for the inbox; None if none of its recipients is ours."""
    headers = split_headers(raw)
    recipients = _recipients(core, headers)
    if not recipients:
        return None
    return NewMail(
        received_us=core.now_us,
        first_us=to_us(at),
        peer=IMPORTED,
        mail_from=_envelope_from(headers),
        rcpt_to=json.dumps(list(recipients)),
        raw=raw,
        message_key=message_key(raw),
    )


# What is new in a mailbox (IMAP) goes into the inbox, each mail once, by its arrival there.

POSITION = "imap_position"
"""UIDVALIDITY, the last UID read, and when (µs)."""
AGAIN_US = 2 * DAY_US
"""How far back a mailbox that was numbered anew is read again; what we have is known."""


async def take(core: Core, box: ImapFolder) -> int:
    """Keep what is new, one mail at a time; how many were kept. Raises MailboxFault, StoreError."""
    (last, since_us), kept = await _position(core, box), 0
    for uid in await box.after(last):
        kept += await _one(core, box, uid, since_us)
        await _read(core, box, uid)
    return kept


async def _position(core: Core, box: ImapFolder) -> tuple[int, int]:
    """The UID up to which it was read, and an instant (µs): older mails are left alone."""
    told = await core.store.query(base_tables.get, POSITION)
    if told is None:
        await _read(core, box, box.next_uid - 1)
        return box.next_uid - 1, 0
    validity, uid, at_us = map(int, told.split())
    if validity == box.validity:
        return uid, 0
    _log.warning("the mailbox was numbered anew: its last days are read again")
    return 0, at_us - AGAIN_US


async def _read(core: Core, box: ImapFolder, uid: int) -> None:
    await core.store.change(base_tables.put_value, POSITION, f"{box.validity} {uid} {core.now_us}")


async def _one(core: Core, box: ImapFolder, uid: int, since_us: int) -> bool:
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
        if await inbox_rows.find_known_message_keys(conn, [new.message_key]):
            return False
    await inbox_rows.accept_all(core.store, [new])
    return True


# The key that letters are signed with: a file that the operator names, and makes once.


class KeyFault(Exception):
    """The key can't be used; the message is one line for the operator."""


def find_key_path(settings: Settings) -> Path:
    """The file. Raises KeyFault if the settings name none."""
    named = settings.mail.out.dkim_key
    if not named:
        raise KeyFault("mail.out.dkim_key names no file; set it to where the key is to lie")
    return Path(named)


def read(path: Path) -> bytes:
    """What the file holds. Raises KeyFault."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyFault(
            f"mail.out.dkim_key = {path}: cannot be read ({error.strerror}); "
            "`kskak dkim` makes it if it is missing"
        ) from error


def make(path: Path) -> None:
    """Write a fresh key where nothing is, for the owner's eyes only. Raises KeyFault."""
    from mail.outgoing.dkim_signing import new_key

    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(made, "wb") as file:
            file.write(new_key())
    except OSError as error:
        raise KeyFault(f"{path}: cannot be written ({error.strerror})") from error


def signer_of(settings: Settings) -> "Signer | None":
    """What signs our letters; None if they go unsigned. Raises KeyFault."""
    out = settings.mail.out
    if not out.dkim_key:
        return None
    from mail.outgoing.dkim_signing import Signer, UnusableKey

    path = find_key_path(settings)
    try:
        return Signer(settings.mail.domain, out.dkim_selector, read(path))
    except UnusableKey as error:
        raise KeyFault(unusable(path)) from error


def unusable(path: Path) -> str:
    """What is said of a file that holds something else."""
    return f"mail.out.dkim_key = {path}: holds no private RSA key (PEM, no password)"
