"""Whose mail is it, and about which position? The ladder of REGULATION, "Authentication".

A key works only together with its owner's address and without a trusted finding of forgery.
Mail that is nearly right is held and confirmed from the registered address; foreign mail is held
for an official and never answered; what looks like a program's, but has a key and a move, is
asked of the key's owner. Pure. Not for what the mail says (answer_question.py).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from kskak.game.game_commands import Reason
from mail.incoming import robots
from mail.incoming.parse_mail import Dmarc, ParsedMail, bounce_token_of, read_reply_key
from mail.incoming.robots import MailClass, MailKind
from mail.text.catalogue import Words
from server.store.mail.inbox import InboxState
from server.usecases.games.outbox_letters import ReplyPosition, read_key
from server.usecases.mail.mail_table import Who


class MailHoldReason(StrEnum):
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


class MailDoubt(StrEnum):
    """Why a mail awaits its sender's confirmation; named as in the letter."""

    OTHER_ADDRESS = "other_address"
    KEY_MISSING = "key_missing"
    DOUBTFUL = "doubtful"
    MACHINE = "machine"
    UNCLEAR = "unclear"
    FAR_AHEAD = "far_ahead"
    UNASKED = "unasked"


@dataclass(frozen=True, slots=True)
class Bounce:
    """A bounce of one of our letters; ``token`` identifies it if the return path is ours.

    ``is_daemons``: it looks like a mail system's, not like a robot that answers for a person.
    """

    token: str | None
    is_daemons: bool = True


@dataclass(frozen=True, slots=True)
class SortedMail:
    """Whose word a mail is. ``why``: the outcome of a robot's, the doubt or the reason to hold
    another. ``position`` and ``person_id``: what it is about and whose it is, where that is known;
    ``game``: as named in its subject; ``bounce``: of one of our letters.
    """

    who: Who
    why: str = ""
    position: ReplyPosition | None = None
    person_id: int | None = None
    game: str | None = None
    bounce: Bounce | None = None


@dataclass(frozen=True, slots=True)
class MailKnown:
    """What the database knows of a mail: the position it answers, who plays its side, whose address
    is in From."""

    position: ReplyPosition | None
    owner_id: int | None
    sender_id: int | None

    @property
    def is_keyed(self) -> bool:
        """Whether it has a right key and comes from its owner, or from nobody else we know."""
        is_right = self.position is not None and self.owner_id is not None
        return is_right and self.sender_id in (self.owner_id, None)


def addressed_to(mail: ParsedMail, recipients: Iterable[str]) -> tuple[str, ...]:
    """A mail's recipients: the envelope's first, then the headers'."""
    return (*recipients, *mail.to, *mail.cc)


def is_made_up(own: OwnMail, address: str) -> bool:
    """Whether an address has the form of a reply address, but with a key we never made."""
    key = read_reply_key(address, own.local, own.domain)
    return key is not None and read_key(own.secret, key) is None


def find_position(
    mail: ParsedMail, recipients: Iterable[str], own: OwnMail
) -> ReplyPosition | None:
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


def position_at(addresses: Iterable[str], own: OwnMail) -> ReplyPosition | None:
    """The position of the first address that has a key of ours."""
    for address in addresses:
        key = read_reply_key(address, own.local, own.domain)
        position = None if key is None else read_key(own.secret, key)
        if position is not None:
            return position
    return None


def read_game_name(mail: ParsedMail) -> str | None:
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


def sort(
    kind: MailClass, mail: ParsedMail, recipients: Iterable[str], own: OwnMail, known: MailKnown,
    dmarc: Dmarc,
) -> SortedMail:  # fmt: skip
    """Weigh what sent the mail, key, address and forgery check against each other."""
    if kind.kind is not MailKind.LOOP and is_for_operator(recipients, own):
        return SortedMail(Who.FOREIGN, MailHoldReason.OPERATOR)
    token = bounce_token(recipients, own)
    is_forged = dmarc is Dmarc.FAIL
    match kind.kind:
        case MailKind.BOUNCE:
            return SortedMail(Who.ROBOT, bounce=Bounce(token))
        case MailKind.AUTOMATIC if kind in robots.NOTICES and known.is_keyed:
            doubt, bounce = MailDoubt.MACHINE, None if token is None else Bounce(token, False)
            return SortedMail(Who.NOTICE, doubt, known.position, known.owner_id, bounce=bounce)
        case MailKind.AUTOMATIC:
            bounce = None if token is None else Bounce(token, is_daemons=False)
            return SortedMail(Who.ROBOT, "automatic", bounce=bounce)
        case MailKind.LOOP:
            return SortedMail(Who.ROBOT, "loop")
        case MailKind.LIST | MailKind.SUSPECT:
            return _in_doubt(kind, known, is_forged=is_forged)
        case MailKind.HUMAN if token is not None:
            # Mail to a return path is no answer to anything, whoever wrote it.
            return SortedMail(Who.ROBOT, "to_return_path")
        case MailKind.HUMAN:
            return _weigh(mail, known, is_forged=is_forged)


def _in_doubt(kind: MailClass, known: MailKnown, *, is_forged: bool) -> SortedMail:
    """What came through a list or a gateway, or is oddly built: with a key perhaps its owner's."""
    if not known.is_keyed:
        return SortedMail(Who.FOREIGN, f"{kind.kind.value}: {kind.reason}")
    is_list = kind.kind is MailKind.LIST or kind.reason == "precedence bulk"
    if not is_list:
        return SortedMail(Who.ODD, MailDoubt.UNCLEAR, known.position, known.owner_id)
    is_his = known.sender_id is not None and not is_forged
    who = Who.LIST if is_his else Who.KEY
    return SortedMail(who, MailDoubt.MACHINE, known.position, known.owner_id)


def _weigh(mail: ParsedMail, known: MailKnown, *, is_forged: bool) -> SortedMail:
    """A person's mail, by its key and its address."""
    position, owner_id, sender_id = known.position, known.owner_id, known.sender_id
    if position is not None and owner_id is not None:
        if not known.is_keyed:
            return SortedMail(Who.FOREIGN, MailHoldReason.OTHER_KEY)
        if sender_id is None:
            return SortedMail(Who.KEY, MailDoubt.OTHER_ADDRESS, position, owner_id)
        if is_forged:
            return SortedMail(Who.KEY, MailDoubt.DOUBTFUL, position, owner_id)
        return SortedMail(Who.KEYED, "", position, owner_id)
    if sender_id is None:
        return SortedMail(Who.FOREIGN, MailHoldReason.UNREGISTERED)
    if is_forged:
        return SortedMail(Who.FOREIGN, MailHoldReason.FORGED)
    return SortedMail(
        Who.ADDRESS, MailDoubt.KEY_MISSING, person_id=sender_id, game=read_game_name(mail)
    )


# What a person decided about a mail, kept in its row's note: the reason before, what, who, when.

_NOTED = re.compile(r"(?P<why>.*?)(?:; )?(?P<act>[a-z_]+) by (?P<by>\d+|operator) at (?P<at>\d+)")


class Act(StrEnum):
    """What may be done with a mail or letter."""

    RELEASE = "release"
    AGAIN = "again"
    PUT_AWAY = "put_away"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class HeldMailNote:
    """A note's parts: why the mail was held, and the last decision about it, if any.

    ``by``: the person's id, None: the operator at the machine itself.
    """

    why: str
    act: Act | None = None
    by: int | None = None
    at_us: int = 0


def read_note(note: str | None) -> HeldMailNote:
    """The parts of a note; one that nobody decided about is only a reason."""
    found = _NOTED.fullmatch(note or "")
    if found is None or found["act"] not in {act.value for act in Act}:
        return HeldMailNote(note or "")
    by = None if found["by"] == "operator" else int(found["by"])
    return HeldMailNote(found["why"], Act(found["act"]), by, int(found["at"]))


def note_of(before: str | None, act: Act, by: int | None, now_us: int) -> str:
    """The note of a mail once somebody has decided; a person is named by id, never by name."""
    decided = f"{act.value} by {by or 'operator'} at {now_us}"
    why = read_note(before).why
    return f"{why}; {decided}" if why else decided


# What became of a mail and why, in the reader's language; unknown words as they are stored.


def why_text(note: str, words: Words) -> str:
    """A mail's reason. ``note``: the row's.

    A ``MailHoldReason``, a ``MailDoubt``, or what was found in it.
    """
    if note in {why.value for why in MailHoldReason}:
        return words(f"held.why.{MailHoldReason(note).name.lower()}")
    if note in {doubt.value for doubt in MailDoubt}:
        return words(f"held.doubt.{note}")
    kind, _, found = note.partition(": ")
    name = found.replace(" ", "_")
    match kind:
        case "limit" if f"held.limit.{name}" in words:
            return words(f"held.limit.{name}")
        case "suspect" if f"held.suspect.{name}" in words:
            return words(f"held.suspect.{name}")
        case "list":
            return words("held.list", found=found)
    return note


def reason_text(state: str, note: str | None, words: Words) -> str:
    """Why a mail is where it is, from its row; "" for one that needs no reason."""
    why = read_note(note).why
    is_failure = bool(why) and state in {InboxState.SHUNTED, InboxState.NEW}
    return words("held.failure", text=why) if is_failure else why_text(why, words)


def outcome_text(state: str, outcome: str | None, words: Words) -> str:
    """What became of a mail: its state until it is done, then its outcome."""
    name = outcome if state == InboxState.DONE and outcome else state
    if f"held.outcome.{name}" in words:
        return words(f"held.outcome.{name}")
    return words("held.outcome.refused") if name in {one.value for one in Reason} else name
