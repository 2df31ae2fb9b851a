"""Letters about an entry, and the lines that page and letter share (§ 6.4.4).

NOT for the start of a group (``mail.writing.start``).
"""

from collections.abc import Iterator

from kskak.admission import EntryRefusal, fault_paragraph
from kskak.entries import EntryFault
from mail import blocks as b
from mail.entry_letters import EntryLetter, EntryNews
from mail.words import Words
from mail.writing.cases import money
from mail.writing.common import foot, own_words, plain


def fault_text(fault: EntryFault, closed: str, words: Words, *, is_asked: bool = False) -> str:
    """What is missing or in the way, with its paragraph, and what to do.

    ``closed``: the paragraph by which the class is not open; ``is_asked``: the leader was asked.
    """
    paragraph = fault_paragraph(fault, closed)
    if is_asked and fault is EntryFault.NOT_OPEN:
        return f"{words('entries.fault.not_open')} (§ {paragraph}). {words('entries.asked')}"
    return _line(fault.value, paragraph, words)


def missing_text(fault: EntryFault, closed: str, words: Words) -> str:
    """The same for an official, without what the player may do."""
    return f"{words(f'entries.fault.{fault.value}')} (§ {fault_paragraph(fault, closed)})."


def _line(name: str, paragraph: str, words: Words) -> str:
    said = words(f"entries.fault.{name}")
    return f"{said} (§ {paragraph}). {words(f'entries.remedy.{name}')}"


def refusal_lines(refusal: EntryRefusal, words: Words) -> tuple[str, ...]:
    """Each reason of a refusal with its paragraph and what to do."""
    return tuple(
        _line(reason.value, paragraph, words)
        for reason, paragraph in zip(refusal.reasons, refusal.paragraphs, strict=True)
    )


def write(letter: EntryLetter, words: Words) -> b.Written:
    """The letter in words."""
    name = plain(letter.list_name)
    key = letter.news.value + ("_valid" if _says_valid(letter) else "")
    lead = words(f"entries.news.{key}", list=name, day=words.day(letter.day))
    subject = words("entries.subject", list=name)
    blocks = tuple(_blocks(letter, lead, words))
    return b.Written(subject, lead, blocks, foot(letter.leader, letter.zone, words))


def _missing(letter: EntryLetter, words: Words) -> Iterator[str]:
    for fault in letter.faults:
        yield fault_text(fault, letter.closed_by, words, is_asked=letter.is_asked)


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
