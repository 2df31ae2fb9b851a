"""Whose mail is it, and about which position? The ladder of REGULATION, "Authentication".

A key works only together with its owner's address and without a trusted finding of forgery.
Mail that is nearly right is held and confirmed from the registered address; foreign mail is held
for an official and never answered; what looks like a program's, but has a key and a move, is
asked of the key's owner. Pure. Not for what the mail says (mail_unit.py).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mail.incoming import guard
from mail.incoming.address import bounce_token_of, key_of
from mail.incoming.authresults import Dmarc
from mail.incoming.guard import MailClass, MailKind
from mail.incoming.inbound import ParsedMail
from server.usecases.core.reply_keys import Position, read_key


class Why(StrEnum):
    """The server's own reasons, worded as they have been stored in rows from the first day on."""

    UNREGISTERED = "the sender is not registered"
    OTHER_KEY = "another player's key"
    ASKED_OFTEN = "its owner was asked often enough"
    FORGED = "a trusted check says forged"
    OPERATOR = "to postmaster or abuse"


_OWN_ID = re.compile(r"<?(?:[0-9a-f]+\.)?([a-z2-7]{42})\.[a-z0-9]+@")
_GAME_NAME = re.compile(r"\[([^\[\]\r\n]{1,80}/[0-9]{1,4})\]")


@dataclass(frozen=True, slots=True)
class OwnMail:
    """The form of our own addresses, for recognising keys and return paths."""

    local: str
    domain: str
    secret: bytes


class Doubt(StrEnum):
    """Why a mail awaits its sender's confirmation; named as in the letter."""

    OTHER_ADDRESS = "other_address"
    KEY_MISSING = "key_missing"
    DOUBTFUL = "doubtful"
    MACHINE = "machine"
    UNCLEAR = "unclear"
    FAR_AHEAD = "far_ahead"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Kept and never answered: automatic mail, loops."""

    outcome: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """Held for an official, nothing mailed to its sender."""

    why: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """A bounce of one of our letters; ``token`` identifies it if the return path is ours.

    ``is_daemons``: it looks like a mail system's, not like a robot that answers for a person.
    """

    token: str | None
    is_daemons: bool = True


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mail about a position. ``doubt`` None: it may act at once."""

    position: Position
    owner_id: int
    doubt: Doubt | None


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered player's mail without a key; ``game`` as named in its subject.

    ``is_doubtful``: a trusted check says forged; such a mail is not acted on.
    """

    person_id: int
    game: str | None
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class Unread:
    """Oddly built, with a key but no move that could be read: held, and its owner is told."""

    position: Position
    why: str


Sorted = Ignored | Foreign | Bounce | Keyed | Registered | Unread


def addressed_to(mail: ParsedMail, recipients: Iterable[str]) -> tuple[str, ...]:
    """A mail's recipients: the envelope's first, then the headers'."""
    return (*recipients, *mail.to, *mail.cc)


def is_made_up(own: OwnMail, address: str) -> bool:
    """Whether an address has the form of a reply address, but with a key we never made."""
    key = key_of(address, own.local, own.domain)
    return key is not None and read_key(own.secret, key) is None


def position_of(mail: ParsedMail, recipients: Iterable[str], own: OwnMail) -> Position | None:
    """The position a mail answers, by its address or else by the letter it answers."""
    position = position_at(addressed_to(mail, recipients), own)
    if position is not None:
        return position
    for message_id in (*mail.in_reply_to, *reversed(mail.references)):
        found = _OWN_ID.match(message_id)
        position = None if found is None else read_key(own.secret, found.group(1))
        if position is not None:
            return position
    return None


def position_at(addresses: Iterable[str], own: OwnMail) -> Position | None:
    """The position of the first address that has a key of ours."""
    for address in addresses:
        key = key_of(address, own.local, own.domain)
        position = None if key is None else read_key(own.secret, key)
        if position is not None:
            return position
    return None


def game_named(mail: ParsedMail) -> str | None:
    """The game that a mail's subject names, as our letters do: «[K-26-01/2]»."""
    named = _GAME_NAME.search(mail.subject)
    return named.group(1) if named else None


def bounce_token(recipients: Iterable[str], own: OwnMail) -> str | None:
    """The token of the letter that bounced."""
    tokens = (bounce_token_of(address, own.local, own.domain) for address in recipients)
    return next((token for token in tokens if token is not None), None)


def is_for_operator(recipients: Iterable[str], own: OwnMail) -> bool:
    """Whether a mail is to postmaster or abuse alone (RFC 2142), and so about no game."""
    desks = {f"{name}@{own.domain}" for name in ("postmaster", "abuse")}
    found = {address.lower() for address in recipients}
    return bool(found) and found <= desks


def unread(kind: MailClass, recipients: Iterable[str], own: OwnMail) -> Sorted | None:
    """What is decided before anybody's address is looked up; None for a person's mail."""
    if kind.kind is not MailKind.LOOP and is_for_operator(recipients, own):
        return Foreign(Why.OPERATOR)
    token = bounce_token(recipients, own)
    match kind.kind:
        case MailKind.BOUNCE:
            return Bounce(token)
        case MailKind.AUTOMATIC:
            return Ignored("automatic") if token is None else Bounce(token, is_daemons=False)
        case MailKind.LOOP:
            return Ignored("loop")
        case MailKind.LIST | MailKind.SUSPECT:
            return Foreign(f"{kind.kind.value}: {kind.reason}")
        case MailKind.HUMAN:
            # Mail to a return path is no answer to anything, whoever wrote it.
            return None if token is None else Ignored("to_return_path")


def in_doubt(
    kind: MailClass, position: Position, owner_id: int, sender_id: int | None
) -> Keyed | None:
    """What a mail is that looks like a program's, but has a key: perhaps its owner's word.

    None for what surely is none: a bounce, a loop, a robot by its own fields, or a mail from
    somebody else who is registered.
    """
    if sender_id not in (owner_id, None):
        return None
    match kind:
        case MailClass(MailKind.LIST) | guard.NOTICE_BY_SUBJECT | guard.NOTICE_BY_TEXT:
            return Keyed(position, owner_id, Doubt.MACHINE)
        case MailClass(MailKind.SUSPECT, reason):
            doubt = Doubt.MACHINE if reason == "precedence bulk" else Doubt.UNCLEAR
            return Keyed(position, owner_id, doubt)
        case _:
            return None


def ladder(
    mail: ParsedMail,
    position: Position | None,
    owner_id: int | None,
    sender_id: int | None,
    dmarc: Dmarc,
) -> Sorted:
    """Weigh key, address and forgery check against each other.

    ``owner_id``: who plays the position's side; ``sender_id``: whose address is in From.
    """
    is_forged = dmarc is Dmarc.FAIL
    if position is not None and owner_id is not None:
        if sender_id == owner_id:
            return Keyed(position, owner_id, Doubt.DOUBTFUL if is_forged else None)
        if sender_id is None:
            return Keyed(position, owner_id, Doubt.OTHER_ADDRESS)
        return Foreign(Why.OTHER_KEY)
    if sender_id is None:
        return Foreign(Why.UNREGISTERED)
    return Registered(sender_id, game_named(mail), is_forged)
