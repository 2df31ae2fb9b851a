"""The letters of a case in words: what happened, a decision, how to appeal (§ 6.4.1-6.4.3).

NOT for the decision's own text, which ``mail.office_letters.rulings`` drafts and the official
edits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import assert_never

from kskak.cases.decisions import Instance
from kskak.cases.refusals import CaseReason, CaseRefusal
from mail.game_letters.common import foot, own_words, paragraphs, plain
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days
from mail.text.facts import Official, Person
from mail.text.words import Words


class CaseWord(StrEnum):
    """What a notice in a case reports."""

    OPENED = "opened"
    SAID = "said"
    ENCLOSED = "enclosed"
    HEARING = "hearing"
    SUSPENDED = "suspended"
    LIFTED = "lifted"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"
    APPEALED = "appealed"
    APPEAL_WITHDRAWN = "appeal_withdrawn"
    RETURNED = "returned"
    ADMITTED = "admitted"
    APPEAL_TAKEN = "appeal_taken"
    APPEAL_ASKED = "appeal_asked"
    APPEAL_NOT_TAKEN = "appeal_not_taken"
    ANSWERED = "answered"
    EXCUSED = "excused"
    WIDENED = "widened"
    HOLDS_DATA = "holds_data"


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as its letters name it. ``question`` is as stored, ``@key`` included."""

    number: str
    group: str
    leader: Official
    question: str
    paragraphs: tuple[str, ...]
    parties: tuple[str, ...]
    games: tuple[str, ...]
    zone: str
    url: str
    reply_to: str
    """A mail sent here with the case's number in its subject is filed in the case."""


@dataclass(frozen=True, slots=True)
class CaseNotice:
    """To the parties, their captains and the official: what happened. ``by`` None: the server."""

    reader: Person
    case: CaseFacts
    word: CaseWord
    is_official: bool
    by: str | None
    text: str = ""
    until: date | None = None
    is_captain: bool = False


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """A decision, to everybody concerned: its text, and how to appeal (§ 6.4.3).

    ``appeal_to`` None: final. ``days`` is the time to appeal; ``fee`` the deposit in øre (0:
    the year's fee, not known here), None if no deposit is required.
    """

    reader: Person
    case: CaseFacts
    ref: str
    instance: Instance
    text: str
    may_appeal: bool
    appeal_to: Instance | None
    days: int
    fee: int | None = None


@dataclass(frozen=True, slots=True)
class StartAnnulled:
    """A group's start was annulled before its first move; another start letter will follow."""

    reader: Person
    group: str
    leader: Official
    zone: str
    reason: str


CaseLetter = CaseNotice | CaseDecision


_ORE = 100
_KEYED = "@"


def write_case(letter: CaseLetter, words: Words, envelope: Envelope) -> b.Written:
    """The letter as blocks."""
    match letter:
        case CaseNotice():
            return _notice(letter, words)
        case CaseDecision():
            return _decision(letter, words)
        case _:
            assert_never(letter)


def question_text(question: str, words: Words) -> str:
    """A case's question: as written by a person, or in the catalogue's words."""
    if question.startswith(_KEYED):
        return words(f"cases.question.{question.removeprefix(_KEYED)}")
    return plain(question)


def question_about(question: str, words: Words, name: str | None, since: date | None = None) -> str:
    """The same, saying whom it concerns: by name, None for the reader; ``since`` if known.

    The same as ``question_text`` if the catalogue has no such wording.
    """
    key = question.removeprefix(_KEYED)
    told = f"cases.own.{key}" if name is None else f"cases.named.{key}"
    if not question.startswith(_KEYED) or told not in words:
        return question_text(question, words)
    if since is not None and f"{told}_since" in words:
        return words(f"{told}_since", name=name, day=words.short_day(since))
    return words(told, name=name)


def case_refusal_text(refusal: CaseRefusal, words: Words) -> str:
    """Why a request in a case is refused, with its paragraph."""
    if refusal.reason is CaseReason.NOT_HEARD and refusal.until is None:
        text = words("case_refusals.not_closed")
    else:
        told = {"until": refusal.until, "since": refusal.since, "day": refusal.day}
        places = {name: "-" if day is None else words.day(day) for name, day in told.items()}
        places["fee"] = money(refusal.fee, words) if refusal.fee else "-"
        places["game"] = plain(refusal.game or "-")
        text = words(f"case_refusals.{refusal.reason.value}", **places)
    return f"{text} ({paragraphs((refusal.paragraph,))})."


def case_subject(number: str, group: str, words: Words) -> str:
    """The subject of every letter of a case; a reply with it is filed in the case."""
    return words("cases.subject", number=number, group=plain(group))


def money(ore: int, words: Words) -> str:
    """An amount in kroner."""
    kroner, rest = divmod(ore, _ORE)
    return words("cases.kroner", kroner=kroner, rest=f"{rest:02d}")


def _written(case: CaseFacts, lead: str, blocks: Iterator[b.Block], words: Words) -> b.Written:
    subject = case_subject(case.number, case.group, words)
    return b.Written(subject, lead, tuple(blocks), foot(case.leader, case.zone, words))


def _opening(reader: Person, case: CaseFacts, lead: str, words: Words) -> Iterator[b.Block]:
    """Greeting, lead and which case: the opening of every letter."""
    yield b.Para(words("letters.greeting", name=plain(reader.name)))
    yield b.Lead(lead)
    rows = [
        (words("cases.label.case"), case.number),
        (words("cases.label.question"), question_text(case.question, words)),
        (words("cases.label.parties"), ", ".join(plain(name) for name in case.parties)),
        (words("cases.label.games"), ", ".join(plain(name) for name in case.games)),
        (words("cases.label.paragraphs"), paragraphs(case.paragraphs)),
    ]
    yield b.Facts(tuple(row for row in rows if row[1]))


def _notice(letter: CaseNotice, words: Words) -> b.Written:
    case, word = letter.case, letter.word.value
    until = "-" if letter.until is None else words.day(letter.until)
    by = words("cases.server") if letter.by is None else plain(letter.by)
    lead = words(f"cases.word.{word}", by=by, until=until, number=case.number)

    def blocks() -> Iterator[b.Block]:
        yield from _opening(letter.reader, case, lead, words)
        text = own_words(letter.text)
        if text:
            yield b.Quote(text)
        yield b.Para(words(f"cases.role.{_role(letter)}"))
        yield from _how_to_answer(case, words)

    return _written(case, lead, blocks(), words)


def _role(letter: CaseNotice) -> str:
    """Why the reader gets it."""
    if letter.is_captain:
        return "captain"
    return "official" if letter.is_official else "party"


def _how_to_answer(case: CaseFacts, words: Words) -> Iterator[b.Block]:
    yield b.Para(words("cases.answer", number=case.number))
    yield b.Mailbox(words("cases.address"), case.reply_to)
    yield b.Link(words("cases.link"), case.url)


def _decision(letter: CaseDecision, words: Words) -> b.Written:
    case = letter.case
    lead = words(f"cases.decided.{letter.instance.value}", number=case.number, ref=letter.ref)

    def blocks() -> Iterator[b.Block]:
        yield from _opening(letter.reader, case, lead, words)
        yield b.Heading(words("cases.decision_heading"))
        for paragraph in letter.text.split("\n\n"):
            lines = " ".join(plain(line) for line in paragraph.splitlines())
            if lines.strip():
                yield b.Para(lines.strip())
        yield from _how_to_appeal(letter, words)
        yield b.Link(words("cases.link"), case.url)

    return _written(case, lead, blocks(), words)


def _how_to_appeal(letter: CaseDecision, words: Words) -> Iterator[b.Block]:
    """Where to appeal, by when, with what deposit; or that it is final (§ 6.4.3, § 6.8.10)."""
    yield b.Heading(words("cases.appeal_heading"))
    to = letter.appeal_to
    if to is None:
        yield b.Para(words("cases.final"))
        return
    if not letter.may_appeal:
        yield b.Para(words("cases.not_yours"))
        return
    yield b.Para(words(f"cases.appeal.{to.value}", days=days(letter.days, words)))
    yield b.Para(words("cases.by_mail.how", word=words("cases.by_mail.word")))
    if letter.fee:
        yield b.Para(words("cases.deposit.known", amount=money(letter.fee, words)))
    elif letter.fee is not None:
        yield b.Para(words("cases.deposit.fee"))
    yield b.Para(words("cases.no_effect"))
    yield b.Mailbox(words("cases.address"), letter.case.reply_to)


def start_annulled(letter: StartAnnulled, words: Words, envelope: Envelope) -> b.Written:
    """The start is annulled; no answer is needed."""
    lead = words("cases.start.lead", group=plain(letter.group))
    reason = own_words(letter.reason)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.Lead(lead),
        *((b.Quote(reason),) if reason else ()),
        b.Para(words("cases.start.what")),
    )
    subject = words("letters.start.subject", group=plain(letter.group))
    return b.Written(subject, lead, blocks, foot(letter.leader, letter.zone, words))
