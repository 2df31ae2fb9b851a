"""A stored mail, parsed: its parts, the sender's own words, the instant that counts (REGULATION).

Not for whose it is (sort_mail.py) nor for what it does (handle_mail.py).
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from mail.grammar.keywords import read_keyword
from mail.grammar.move_lines import move_words, read_move_line
from mail.grammar.pgn_record import split_records, without_position
from mail.incoming import inbound
from mail.incoming.authresults import trusted_received_time
from mail.incoming.guard import MailClass, classify
from mail.incoming.inbound import ParsedMail
from mail.incoming.quoting import own_words, without_letter
from server.store.engine.types import from_us
from server.store.mail.inbox import InboxRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.questions import new_key
from server.usecases.core.reply_keys import Position
from server.usecases.mail.mail_deeds import PlayerMail
from server.usecases.mail.sort_mail import OwnMail

_BEFORE_MOVE = re.compile(
    r"(?:(?:re|sv|vs|aw|ref|odp|antw?)(?:\[\d+\])?\s*:\s*)*(?:\[[^\]]{1,90}\]\s*)?", re.IGNORECASE
)
"""What may stand before a move in a subject: "Re:", and the game's name."""

_MARK = "[Event {}]"
"""Stands for a game in a mail's text while its own words are told from quoted ones."""


_FEW = 3  # words

IMPORTED = "import"
"""The peer of a mail from a mailbox that our own relay has filled."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A parsed mail: its parts, what sent it, the sender's own words, the instant that counts."""

    row: InboxRow
    mail: ParsedMail
    kind: MailClass
    words: str
    at: datetime
    recipients: tuple[str, ...]


def own_mail(core: Core) -> OwnMail:
    """The form of our own addresses."""
    settings = core.settings.mail
    return OwnMail(settings.local, settings.domain, core.secret)


def is_trusted(core: Core, peer: str) -> bool:
    """Whether a mail came from one of our relays, whose headers are trusted."""
    if peer == IMPORTED:
        return bool(core.settings.mail.in_.trusted_relays)
    relays = core.settings.mail.in_.trusted_relays
    address = _address(peer) if relays else None
    return address is not None and any(address in network for network in relays)


@lru_cache(maxsize=64)
def _address(peer: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(peer)
    except ValueError:
        return None


def is_relay(core: Core, peer: str) -> bool:
    """Whether a peer hands over many senders' mails: one of our relays, or this machine."""
    return is_trusted(core, peer) or peer == "::1" or peer.startswith("127.")


def arrival(core: Core, row: InboxRow) -> datetime:
    """When the mail reached our side: the trusted relay's time, else our own (REGULATION).

    Counted from the first attempt, even one that we deferred: nothing on our side costs a day.
    """
    first = from_us(min(row.first_us, row.received_us))
    relayed = relayed_at(core, row.raw, row.peer)
    return min(first, relayed) if relayed is not None else first


def relayed_at(core: Core, raw: bytes, peer: str) -> datetime | None:
    """When our relay took the mail, by its own field; None where that is not known."""
    if not is_trusted(core, peer):
        return None
    names = {core.settings.mail.in_.authserv_id, core.settings.mail.domain} - {""}
    return trusted_received_time(raw, names)


def recipients_of(row: InboxRow) -> tuple[str, ...]:
    """Whom the envelope names."""
    return tuple(json.loads(row.rcpt_to))


def open_mail(core: Core, row: InboxRow) -> Opened:
    """Parse a stored mail."""
    return open_mails(core, [row])[0]


def open_mails(core: Core, rows: Sequence[InboxRow]) -> list[Opened]:
    """Parse stored mails, each stage for all of them: the processor keeps its code at hand."""
    parsed = [inbound.parse(row.raw) for row in rows]
    return [_opened(core, row, mail) for row, mail in zip(rows, parsed, strict=True)]


def _opened(core: Core, row: InboxRow, mail: ParsedMail) -> Opened:
    recipients = recipients_of(row)
    at = arrival(core, row)
    domain = core.settings.mail.domain
    words = all_words(mail, domain, at.date())
    kind = classify(mail, row.mail_from, domain)  # at once: the own words are still in the cache
    return Opened(row, mail, kind, words, at, recipients)


def without_letters(core: Core, opened: Opened, letters: Sequence[bytes]) -> Opened:
    """The mail, with no words of the letters it answers among the writer's own."""
    texts = [text for raw in letters for text in inbound.letter_texts(raw)]
    mail = opened.mail
    mail = replace(mail, text=without_letter(mail.text, texts))
    words = all_words(mail, core.settings.mail.domain, opened.at.date())
    return replace(opened, words=words)


def may_hold_letter(opened: Opened) -> bool:
    """Whether the words taken for the writer's are so many that a letter can be among them, or none
    because one stands above his own."""
    count = len(opened.words.split())
    return count > _FEW or (count == 0 and opened.mail.text.strip() != "")


def all_words(mail: ParsedMail, domain: str, today: date) -> str:
    """The writer's own words, and below them the games that his chess program sent.

    A game in the text is his own if a line in its place would be: not if it is quoted. A game in a
    part of its own is read where there is none in the text, and no line that is a move.
    """
    around, games = split_records(mail.text)
    marks = [_MARK.format(number) for number in range(len(games))]
    text = around[0] + "".join(
        f"\n\n{mark}\n\n{after}" for mark, after in zip(marks, around[1:], strict=True)
    )
    words = own_words(text, domain, (mail.from_name, mail.from_addr or ""))
    said = "\n".join(line for line in words.split("\n") if line not in marks).strip("\n")
    own = [game for mark, game in zip(marks, games, strict=True) if mark in words.split("\n")]
    said = with_subject(said, mail.subject, today)
    if not own:
        own = list(split_records(mail.record)[1])
        stated = without_position(said) if own else said
        if any(map(read_move_line, stated.split("\n"))):
            return said
        said = stated
    return "\n\n".join(filter(None, (said, *own)))


def with_subject(words: str, subject: str, today: date) -> str:
    """The words, with a move first that stands in the subject and nowhere else; a word of command
    only if he wrote nothing besides."""
    line = _BEFORE_MOVE.sub("", subject)
    if words.strip():
        if not read_move_line(line):
            return words
        is_said = any(read_keyword(one, today) or move_words(one) for one in words.split("\n"))
        return words if is_said else f"{line}\n\n{words}"
    return line if read_move_line(line) or read_keyword(line, today) else words


def player_mail(
    opened: Opened,
    person: PersonRow,
    position: Position,
    *,
    reads: str,
) -> PlayerMail:
    """A mail that may act, from its parts; ``reads``: the language whose letters come first."""
    return PlayerMail(
        inbox_id=opened.row.id,
        unique=f"mail.{opened.row.id}",
        person_id=person.id,
        lang=reads,
        words=opened.words,
        at=opened.at,
        position=position,
        key=new_key(),
    )
