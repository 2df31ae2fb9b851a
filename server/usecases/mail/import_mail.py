"""Mail from a mailbox on disk into the inbox, after an outage: each once, by its arrival.

Two passes, so that the mails are taken in the order in which they arrived and one at a time is
in memory: `survey` reads and judges, `keep` stores. Not for reading a mailbox
(mail.incoming.mailboxes) nor for what a mail does (the inbox job).
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from mail.incoming import limits
from mail.incoming.address import is_own_recipient
from mail.incoming.headers import Headers, split_headers
from mail.incoming.mailboxes import Found, octets
from mail.incoming.sender import read_addresses, read_sender
from mail.incoming.smtp_in import MAX_RECIPIENTS
from server.store.engine.types import to_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import mail_lists
from server.store.mail.inbox import NewMail
from server.usecases.core.context import Core
from server.usecases.mail.opened_mail import IMPORTED, own_mail, relayed_at
from server.usecases.mail.sort_mail import is_made_up
from server.usecases.mail.take_mail import message_key

TRACES = ("delivered-to", "x-original-to", "envelope-to")
"""Fields in which a relay notes the envelope's recipients."""
BATCH = 64
BATCH_BYTES = 16 * 1024 * 1024
"""Octets of mail that share a transaction, and so are in memory together."""
KEYS = 500
Told = Callable[[int], None]


class Fate(StrEnum):
    """What becomes of a mail."""

    NEW = "new"
    KNOWN = "known"
    FOREIGN = "foreign"
    OLD = "old"
    UNREADABLE = "unreadable"


class Dated(StrEnum):
    """Whose time counts as the mail's arrival."""

    RELAY = "relay"
    MAILBOX = "mailbox"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Item:
    """A mail of the mailbox, judged. ``why``: what hinders its reading."""

    found: Found
    fate: Fate
    at: datetime
    dated: Dated = Dated.NOW
    key: bytes = b""
    sender: str = ""
    subject: str = ""
    why: str = ""


async def survey(
    core: Core, found: Iterable[Found], since: datetime | None, told: Told
) -> list[Item]:
    """Judge every mail, in the order of arrival; nothing is stored."""
    items: list[Item] = []
    for count, one in enumerate(found, 1):
        items.append(_judged(core, one, since))
        told(count)
    items.sort(key=lambda item: item.at)
    keys = [item.key for item in items if item.fate is Fate.NEW]
    known: set[bytes] = set()
    async with core.store.read() as conn:
        for first in range(0, len(keys), KEYS):
            known |= await mail_lists.kept_keys(conn, keys[first : first + KEYS])
    for place, item in enumerate(items):
        if item.fate is Fate.NEW and item.key in known:
            items[place] = replace(item, fate=Fate.KNOWN)
        elif item.fate is Fate.NEW:
            known.add(item.key)
    return items


async def keep(core: Core, items: Sequence[Item], told: Told) -> list[Item]:
    """Store the new ones durably; the items with what has become of them."""
    done: list[Item] = []
    batch: list[tuple[Item, NewMail]] = []
    for item in items:
        mail = _mail(core, item) if item.fate is Fate.NEW else item
        if isinstance(mail, Item):
            done.append(mail)
            continue
        batch.append((item, mail))
        if len(batch) == BATCH or sum(len(new.raw) for _, new in batch) > BATCH_BYTES:
            done += await _stored(core, batch)
            batch.clear()
            told(len(done))
    return done + await _stored(core, batch)


async def _stored(core: Core, batch: Sequence[tuple[Item, NewMail]]) -> list[Item]:
    accepted = await inbox_rows.accept_all(core.store, [mail for _, mail in batch])
    return [
        item if one.repeats is None else replace(item, fate=Fate.KNOWN)
        for (item, _), one in zip(batch, accepted, strict=True)
    ]


def _judged(core: Core, found: Found, since: datetime | None) -> Item:
    now = core.clock.now()
    most = core.settings.mail.in_.max_bytes
    if found.size > most:
        return Item(found, Fate.UNREADABLE, now, why=f"larger than mail.in.max_bytes ({most})")
    try:
        raw = octets(found)
    except OSError as error:
        return Item(found, Fate.UNREADABLE, now, why=error.strerror or str(error))
    refused = limits.refusal(raw)
    if refused is not None or not raw.strip():
        return Item(found, Fate.UNREADABLE, now, why=refused[1] if refused else "empty")
    headers = split_headers(raw)
    at, dated = arrival(core, found.delivered, raw)
    fate = Fate.NEW if _recipients(core, headers) else Fate.FOREIGN
    if fate is Fate.NEW and since is not None and at < since:
        fate = Fate.OLD
    sender = read_sender(headers).address or headers.text("from", 100)
    subject = headers.text("subject", 100)
    return Item(found, fate, at, dated, message_key(raw), sender, subject)


def arrival(core: Core, delivered: datetime | None, raw: bytes) -> tuple[datetime, Dated]:
    """Our relay's time (REGULATION), else the mailbox's, else now; never later than now.

    A mailbox of ours is our side: what waited in it had reached us, and nothing that happens on
    our side costs a day. What the sender wrote himself says nothing.
    """
    now, relayed = core.clock.now(), relayed_at(core, raw, IMPORTED)
    if relayed is not None:
        return min(relayed, now), Dated.RELAY
    if delivered is not None and delivered < now:
        return delivered, Dated.MAILBOX
    return now, Dated.NOW


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


def _mail(core: Core, item: Item) -> NewMail | Item:
    """A new mail, read again, to be stored; an item, if the mailbox has changed meanwhile."""
    try:
        raw = octets(item.found)
    except OSError as error:
        return replace(item, fate=Fate.UNREADABLE, why=error.strerror or str(error))
    if message_key(raw) != item.key:
        return replace(item, fate=Fate.UNREADABLE, why="it has changed meanwhile")
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
