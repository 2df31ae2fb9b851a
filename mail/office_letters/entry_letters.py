"""Letters about an entry, a request to join, and one's own account (§ 6.4.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from kskak.entries.entry import EntryFault, EntryRefusal, fault_paragraph
from kskak.entries.rights import RUNNING
from mail.game_letters.letter_parts import foot, operator_foot, plain, quote_person
from mail.office_letters.case_letters import money
from mail.outgoing import blocks as b
from mail.text.catalogue import Words
from mail.text.letter_facts import OfficialContact

# Letters about an entry, and the lines shared by page and letter (§ 6.4.4).


class EntryNews(StrEnum):
    """What happened to the entry."""

    ENTERED = "entered"
    FEE = "fee"
    VALID = "valid"
    WAITS = "waits"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class EntryLetter:
    """To the player. ``place`` is his number among ``valid`` entries, of which ``wanted`` start a
    group; ``wanted`` 0: the leader starts it. ``fee`` in øre; ``day``: the fee's or the entry's."""

    reader: str
    news: EntryNews
    list_name: str
    leader: OfficialContact
    zone: str
    url: str
    day: date
    is_valid: bool
    place: int
    valid: int
    wanted: int
    faults: tuple[EntryFault, ...] = ()
    closed_by: str = "6.5.3.2"
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""
    how_to_pay: str = ""


def fault_text(fault: EntryFault, closed: str, words: Words) -> str:
    """What a kept entry still lacks, with its paragraph, and what comes next.

    ``closed``: the paragraph by which the class is not open. That is reviewed by a person, but
    a class closed by a running group opens by itself (§ 6.5.1.2).
    """
    if fault is EntryFault.NOT_OPEN:
        next_step = "entries.asked_running" if closed == RUNNING else "entries.asked"
        return f"{missing_text(fault, closed, words)} {words(next_step)}"
    return _line(fault.value, fault_paragraph(fault, closed), words)


def missing_text(fault: EntryFault, closed: str, words: Words) -> str:
    """The same for an official, without what comes next."""
    return f"{words(f'entries.fault.{fault.value}')} (§ {fault_paragraph(fault, closed)})."


def _line(name: str, paragraph: str, words: Words) -> str:
    said = words(f"entries.fault.{name}")
    return f"{said} (§ {paragraph}). {words(f'entries.remedy.{name}')}"


def refusal_lines(refusal: EntryRefusal, words: Words) -> tuple[str, ...]:
    """Each reason of a refusal with its paragraph and what to do."""
    return tuple(
        _line(reason.value, paragraph, words)
        for reason, paragraph in zip(refusal.reasons, refusal.paragraphs, strict=True)
    ) + ((", ".join(plain(name) for name in refusal.who),) if refusal.who else ())


def write(letter: EntryLetter, words: Words) -> b.LetterContent:
    """The letter in words."""
    name = plain(letter.list_name)
    key = letter.news.value + ("_valid" if _says_valid(letter) else "")
    lead = words(f"entries.news.{key}", list=name, day=words.day(letter.day))
    subject = words("entries.subject", list=name)
    blocks = tuple(_blocks(letter, lead, words))
    return b.LetterContent(subject, lead, blocks, foot(letter.leader, letter.zone, words))


def write_payment_line(how: str, leader: OfficialContact, words: Words) -> str:
    """How the fee is paid; where the list does not say it, who says it (§ 6.4.4.1)."""
    if how:
        return words("entries.how_to_pay", how=plain(how))
    named = {"leader": plain(leader.name), "email": leader.email}
    return words("entries.pay_leader", **named)


def _missing(letter: EntryLetter, words: Words) -> Iterator[str]:
    for fault in letter.faults:
        yield fault_text(fault, letter.closed_by, words)


def _says_valid(letter: EntryLetter) -> bool:
    news = (EntryNews.ENTERED, EntryNews.FEE, EntryNews.VALID)
    return letter.is_valid and letter.news in news


def _blocks(letter: EntryLetter, lead: str, words: Words) -> Iterator[b.Block]:
    yield b.Para(words("letters.greeting", name=plain(letter.reader)))
    yield b.LeadLine(lead)
    if letter.faults:
        yield b.Bullets(tuple(_missing(letter, words)))
    if EntryFault.NO_FEE in letter.faults and letter.fee:
        yield b.Para(words("entries.fee", fee=money(letter.fee, words)))
        yield b.Para(write_payment_line(letter.how_to_pay, letter.leader, words))
    if letter.place and letter.wanted:
        counted = {"place": letter.place, "valid": letter.valid, "wanted": letter.wanted}
        yield b.Para(words("entries.place", **counted))
    elif letter.place:
        yield b.Para(words("entries.place_by_leader", place=letter.place))
    if letter.news is EntryNews.REFUSED:
        told = {"reason": plain(quote_person(letter.reason)), "paragraph": plain(letter.paragraph)}
        yield b.Para(words("entries.reason", **told))
    if letter.news in (EntryNews.REFUSED, EntryNews.WITHDRAWN):
        yield b.Para(words("entries.again"))
    yield b.Para(words("entries.ask_leader", leader=plain(letter.leader.name)))
    yield b.LinkLine(words("entries.page"), letter.url)


# Letters about a request to join: confirm your address, someone is waiting, admitted, declined.


class JoinNews(StrEnum):
    """What happened. ``WAITS`` goes to officials, the others to the person asking."""

    CONFIRM = "confirm"
    WAITS = "waits"
    ADMITTED = "admitted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class JoinLetter:
    """``asker`` is who wants to join; ``link`` the page for the next step, "" if there is none."""

    reader: str
    news: JoinNews
    asker: str
    link: str
    reason: str
    official: OfficialContact


# Letters about a request to join, in words (§ 6.4.4.1). NOT for the pages.


def write_joining(letter: JoinLetter, words: Words) -> b.LetterContent:
    """What happened, the page for the next step, and whom to ask."""
    named = {} if letter.news is JoinNews.CONFIRM else {"name": plain(letter.asker)}
    lead = words(f"join.letter.{letter.news.value}", **named)
    blocks = tuple(_joining_blocks(letter, lead, words))
    subject = words(f"join.subject.{letter.news.value}")
    return b.LetterContent(subject, lead, blocks, operator_foot(letter.official, words))


def _joining_blocks(letter: JoinLetter, lead: str, words: Words) -> Iterator[b.Block]:
    if letter.news is not JoinNews.CONFIRM:  # no words of whoever asked to an address not proved
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
    yield b.LeadLine(lead)
    if letter.news is JoinNews.DECLINED:
        yield b.Quote(quote_person(letter.reason) or "-")
    if letter.link:
        yield b.LinkLine(words(f"join.link_text.{letter.news.value}"), letter.link)
    yield b.Para(words(f"join.then.{letter.news.value}"))


# Letters about one's own account, in words. NOT for sign-in links (service_letters.py).


class AccountNews(StrEnum):
    """What happened."""

    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    TOKEN_ADDED = "token_added"
    TOKEN_REMOVED = "token_removed"
    XFCC_ADDED = "xfcc_added"
    XFCC_REMOVED = "xfcc_removed"


@dataclass(frozen=True, slots=True)
class WaysChanged:
    """To the owner: access to the account changed. ``name``: his own for it; ``url``: the page."""

    reader: str
    news: AccountNews
    name: str
    at: datetime
    url: str
    official: OfficialContact


def write_account(letter: WaysChanged, words: Words) -> b.LetterContent:
    """Which means of access was added or removed, when, and what to do if it was not him."""
    when = {"day": words.day(letter.at.date()), "time": f"{letter.at:%H.%M}"}
    lead = words(f"account.letter.{letter.news.value}", name=plain(letter.name))
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("account.letter_when", **when)),
        b.Para(words("account.letter_not_you")),
        b.LinkLine(words("account.letter_link"), letter.url),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("account.letter_subject"), lead, blocks, foot)
