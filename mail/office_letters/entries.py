"""Letters about an entry, and the lines shared by page and letter (§ 6.4.4).

NOT for the start of a group (``mail.office_letters.start``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.admission import EntryRefusal, fault_paragraph
from kskak.entries.emt_rights import RUNNING
from kskak.entries.entry import EntryFault
from mail.game_letters.common import foot, own_words, plain
from mail.office_letters.cases import money
from mail.outgoing import blocks as b
from mail.text.facts import Official
from mail.text.words import Words


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
    leader: Official
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


def write(letter: EntryLetter, words: Words) -> b.Written:
    """The letter in words."""
    name = plain(letter.list_name)
    key = letter.news.value + ("_valid" if _says_valid(letter) else "")
    lead = words(f"entries.news.{key}", list=name, day=words.day(letter.day))
    subject = words("entries.subject", list=name)
    blocks = tuple(_blocks(letter, lead, words))
    return b.Written(subject, lead, blocks, foot(letter.leader, letter.zone, words))


def pay_line(how: str, leader: Official, words: Words) -> str:
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
    yield b.Lead(lead)
    if letter.faults:
        yield b.Bullets(tuple(_missing(letter, words)))
    if EntryFault.NO_FEE in letter.faults and letter.fee:
        yield b.Para(words("entries.fee", fee=money(letter.fee, words)))
        yield b.Para(pay_line(letter.how_to_pay, letter.leader, words))
    if letter.place and letter.wanted:
        counted = {"place": letter.place, "valid": letter.valid, "wanted": letter.wanted}
        yield b.Para(words("entries.place", **counted))
    elif letter.place:
        yield b.Para(words("entries.place_by_leader", place=letter.place))
    if letter.news is EntryNews.REFUSED:
        told = {"reason": plain(own_words(letter.reason)), "paragraph": plain(letter.paragraph)}
        yield b.Para(words("entries.reason", **told))
    if letter.news in (EntryNews.REFUSED, EntryNews.WITHDRAWN):
        yield b.Para(words("entries.again"))
    yield b.Para(words("entries.ask_leader", leader=plain(letter.leader.name)))
    yield b.Link(words("entries.page"), letter.url)
