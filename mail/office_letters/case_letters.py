"""The letters of a case in words: what happened, a decision, how to appeal (§ 6.4.1-6.4.3).

NOT for the decision's own text, which ``mail.office_letters.rulings`` drafts and the official
edits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.cases.case import CaseReason, CaseRefusal, HeldDeposit
from kskak.cases.case_events import Deposit, Instance
from kskak.regulation.editions import EMAIL, RuleSet
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    NamedLetter,
    letter,
    paragraphs,
    plain,
    quote_person,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days
from mail.text.letter_facts import OfficialContact


class CaseWord(StrEnum):
    """What a notice in a case reports."""

    OPENED = "opened"
    SAID = "said"
    ENCLOSED = "enclosed"
    HEARING = "hearing"
    CLAIM_ASKED = "claim_asked"
    SUSPENDED = "suspended"
    LIFTED = "lifted"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"
    APPEALED = "appealed"
    APPEAL_HEARING = "appeal_hearing"
    DEPOSIT_UNKNOWN = "deposit_unknown"
    DEPOSIT_DUE = "deposit_due"
    MEMBER_EXCUSED = "member_excused"
    SEATED = "seated"
    UNHEARD_LEADER = "unheard_tl"
    UNHEARD_CONTROLLER = "unheard_kc"
    UNHEARD_BOARD = "unheard_board"
    APPEAL_WITHDRAWN = "appeal_withdrawn"
    RETURNED = "returned"
    ADMITTED = "admitted"
    LAPSED = "lapsed"
    APPEAL_TAKEN = "appeal_taken"
    APPEAL_ASKED = "appeal_asked"
    APPEAL_NOT_TAKEN = "appeal_not_taken"
    ANSWERED = "answered"
    EXCUSED = "excused"
    WIDENED = "widened"
    HOLDS_DATA = "holds_data"
    DIED = "died"


_UNHEARD = (CaseWord.UNHEARD_LEADER, CaseWord.UNHEARD_CONTROLLER, CaseWord.UNHEARD_BOARD)
_CLOSED = (
    *(CaseWord.SETTLED, CaseWord.WITHDRAWN, CaseWord.RETURNED, CaseWord.ADMITTED),
    CaseWord.LAPSED,
)
"""The case is closed: nobody is asked to say more in it."""


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as its letters name it. ``question`` is as stored, ``@key`` included."""

    number: str
    group: str
    leader: OfficialContact
    question: str
    paragraphs: tuple[str, ...]
    parties: tuple[str, ...]
    games: tuple[str, ...]
    zone: str
    url: str
    reply_to: str
    """A mail sent here with the case's number in its subject is filed in the case."""
    about: str | None = None
    """Whom it concerns, if one; "" for the reader himself."""
    kinds: tuple[str, ...] = ()
    claims: int = 0
    """What it is about, and how many oversteps are claimed in it."""
    until: date | None = None
    """The last day to speak in it, while its parties are heard."""
    is_suspended: bool = False
    """Whether time stands still in games of it."""
    is_over: bool = True
    rules: RuleSet = EMAIL
    """What its games are played by, whose paragraphs are cited."""

    def ask(self, words: Words) -> str:
        """What is asked, of whom."""
        if self.about is None:
            return question_text(self.question, words)
        name = self.about or None
        if len(self.kinds) > 1 or self.claims > 1:
            return matters_text(self.kinds, self.claims, name, words)
        return question_about(self.question, words, name)


_ORE = 100
_IN_SUBJECT = 30
"""Maximum characters of a name in a subject; as many of the question as there is room for."""
_SUBJECT = 200
_KEYED = "@"


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


def matters_text(kinds: Sequence[str], claims: int, name: str | None, words: Words) -> str:
    """What a case with several matters of one player is about: «Bo Berg: krav om tid; tavshed».

    ``name`` None: the reader's own.
    """
    told = [words("cases.matter.claims", n=claims)] if claims else []
    told += [words(f"cases.matter.{kind}") for kind in kinds if not (claims and kind == "overstep")]
    who = words("cases.matter.own") if name is None else plain(name)
    return f"{who}: {', '.join(told)}"


def key_text(note: str, words: Words) -> str:
    """Why the server closed or opened a case: ``@key``, maybe with a name after it; else as is."""
    key, _, ref = note.removeprefix(_KEYED).partition(" ")
    if not note.startswith(_KEYED) or f"cases.why.{key}" not in words:
        return quote_person(note)
    return words(f"cases.why.{key}", ref=ref)


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


def deposit_line(held: HeldDeposit, name: str, words: Words) -> str:
    """What becomes of a deposit: back, kept, or never received (§ 6.4.3)."""
    amount = held.received or held.stated
    key = "returned" if held.is_returned else "kept"
    if held.received is None:
        key = "never_came"
    sum_ = "-" if amount is None else money(amount.amount, words)
    return words(f"cases.deposit.{key}", name=plain(name), amount=sum_)


def money(ore: int, words: Words) -> str:
    """An amount in kroner."""
    kroner, rest = divmod(ore, _ORE)
    return words("cases.kroner", kroner=kroner, rest=f"{rest:02d}")


_CASE = CaseFacts(
    "2026/12", "K-26-01", cast.LEADER, "@overstep_black", ("6.3.3.1", "6.8.7"),
    (cast.WHITE.name, cast.BLACK.name), ("K-26-01/3",), cast.ZONE, f"{cast.SITE}/cases/1",
    cast.COMMANDS,
)  # fmt: skip
_UNTIL, _LAST = date(2027, 3, 1), date(2026, 12, 25)


@dataclass(frozen=True, slots=True)
class CaseLetter(NamedLetter):
    """A letter of a case; what is answered to it is filed there."""

    case: CaseFacts

    @property
    def reply_to(self) -> str:
        """The case's address."""
        return self.case.reply_to

    @property
    def thread(self) -> str:
        """The case's."""
        return f"case.{self.case.number.replace('/', '.')}"

    def news(self, words: Words) -> str:
        """What is new, in a word or two."""
        raise NotImplementedError

    def subject(self, words: Words) -> str:
        """The case's number, by which an answer is filed; what is new, who, which game, what is
        asked."""
        case = self.case
        names = " \N{EN DASH} ".join(plain(name)[:_IN_SUBJECT] for name in case.parties[:2])
        first = plain(case.games[0] if len(case.games) == 1 else case.group)[:_IN_SUBJECT]
        about, question = ", ".join(filter(None, (names, first))), case.ask(words)
        named = {"number": case.number, "news": self.news(words), "about": about}
        return words("cases.subject", **named, question=question)[:_SUBJECT].strip()

    topic_at = "case"

    def _which(self, words: Words) -> Blocks:
        """Which case: how every letter of it begins."""
        case = self.case
        rows = [
            (words("cases.label.case"), case.number),
            (words("cases.label.question"), case.ask(words)),
            (words("cases.label.until"), "" if case.until is None else words.day(case.until)),
            (words("cases.label.parties"), ", ".join(plain(name) for name in case.parties)),
            (words("cases.label.games"), ", ".join(plain(name) for name in case.games)),
            (words("cases.label.paragraphs"), paragraphs(case.paragraphs)),
        ]
        yield b.FactList(tuple(row for row in rows if row[1]))


@letter("case")
class CaseNotice(CaseLetter):
    """To the parties, their captains and the official: what happened. ``by`` None: the server.

    ``deposit``: what becomes of the reader's, in words; of DEPOSIT_DUE ``text`` is the sum, in øre.
    ``has_decided``: the reader decided it, and it is before the instance above.
    """

    word: CaseWord
    is_official: bool
    by: str | None
    text: str = ""
    until: date | None = None
    is_captain: bool = False
    deposits: tuple[HeldDeposit, ...] = ()
    has_decided: bool = False
    is_at_rest: bool = False
    """Whether an appeal stops the games meanwhile (§ 6.4.3)."""

    def news(self, words: Words) -> str:
        until = "" if self.until is None else words.short_day(self.until)
        return words(self._key("news", words), until=until)

    def _key(self, kind: str, words: Words) -> str:
        """The words for it; others where a claim is over and not the case."""
        key = f"cases.{kind}.{self.word.value}"
        in_part = f"{key}_in_part"
        return in_part if not self.case.is_over and in_part in words else key

    def lead(self, words: Words) -> str:
        until = "-" if self.until is None else words.day(self.until)
        by = words("cases.server") if self.by is None else plain(self.by)
        key, amount = self._key("word", words), "-"
        if self.word is CaseWord.SETTLED and self.text.startswith(f"{_KEYED}ruled"):
            key = "cases.word.settled_by_server"
        if self.is_official and f"{key}_official" in words:
            key += "_official"
        if self.word is CaseWord.DEPOSIT_DUE and self.text.isdigit():
            amount = money(int(self.text), words)
        told = {"by": by, "until": until, "number": self.case.number, "amount": amount}
        return words(key, **told, **self.case.rules.cited)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        text = "" if self.word is CaseWord.DEPOSIT_DUE else key_text(self.text, words)
        if text and self.by is None:
            yield text
        elif text:
            yield b.Quote(text)
        if self.word is CaseWord.OPENED and self.case.is_suspended:
            yield words(f"cases.word.{CaseWord.SUSPENDED.value}")
        if self.is_at_rest:
            yield words("cases.word.appeal_rests")
        yield from (deposit_line(held, self.reader, words) for held in self.deposits)
        yield from self._which(words)
        yield from self._role(words)
        yield b.LinkLine(words("cases.link"), self.case.url)

    def _role(self, words: Words) -> Blocks:
        """Why it comes to one who is no party, and how to speak in the case."""
        if self.word in _UNHEARD:
            yield words("cases.role.admin")
            return
        if self.is_captain or self.is_official:
            office = "decider" if self.has_decided else "official"
            yield words(f"cases.role.{'captain' if self.is_captain else office}")
        if self.word in _CLOSED and self.case.is_over:
            yield words("cases.closed")
            return
        if self.word is not CaseWord.APPEAL_ASKED:  # it asks one thing
            yield words("cases.answer", number=self.case.number)
        yield b.AddressLine(words("cases.address"), self.case.reply_to)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        black, white, said = cast.BLACK.name, cast.WHITE.name, "Jeg var syg.\nDet er godtgjort."
        notices = {
            f"case_{word.value}": cls(black, _CASE, word, False, white, said, _UNTIL)
            for word in CaseWord
        }
        due = notices[f"case_{CaseWord.DEPOSIT_DUE.value}"]
        notices |= {f"case_{CaseWord.DEPOSIT_DUE.value}": replace(due, text="54000")}
        captain = cls(white, _CASE, CaseWord.SAID, True, black, said, is_captain=True)
        server = cls(white, _CASE, CaseWord.OPENED, True, None)
        asked = (CaseWord.APPEAL_HEARING, True, black, said, _UNTIL)
        below = cls(cast.LEADER.name, _CASE, *asked, has_decided=True, is_at_rest=True)
        died = replace(notices[f"case_{CaseWord.DIED.value}"], is_official=True)
        notices |= {"case_died_official": died}
        more = {"case_of_server": server, "case_of_team": captain, "case_of_decider": below}
        return notices | more


@letter("decision")
class CaseDecision(CaseLetter):
    """A decision, to everybody concerned: its text, and how to appeal (§ 6.4.3).

    ``appeal_to`` None: final. ``days`` is the time to appeal; ``fee`` the deposit in øre (0:
    the year's fee, not known here), None if no deposit is required; ``next_fee`` another that holds
    from a day within that time. ``last``: the term's last day if the letter comes today.
    ``deposits``: what the Board decided of each, with whose it is; ``is_copy``: to the club and
    the register, of a sanction (§ 4.1.7, § 4.1.19). ``ends_games``: players have no letter of
    their own about how each of their games ended.
    """

    ref: str
    instance: Instance
    text: str
    may_appeal: bool
    appeal_to: Instance | None
    days: int
    last: date
    fee: int | None = None
    next_fee: tuple[date, int] | None = None
    deposits: tuple[tuple[str, HeldDeposit], ...] = ()
    is_copy: bool = False
    ends_games: bool = False

    def news(self, words: Words) -> str:
        return words(f"cases.news.{self._kind}")

    @property
    def _kind(self) -> str:
        """What such a decision is called: the Board's alone has a name of its own."""
        return "ruling" if self.instance is Instance.BOARD else "decision"

    def lead(self, words: Words) -> str:
        key = f"cases.decided.{self.instance.value}"
        return words(key, number=self.case.number, ref=self.ref)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from self._which(words)
        yield b.Heading(words(f"cases.heading.{self._kind}"))
        for paragraph in self.text.split("\n\n"):
            lines = " ".join(plain(line) for line in paragraph.splitlines())
            if lines.strip():
                yield lines.strip()
        if self.ends_games:
            yield words("cases.results_noted", **self.case.rules.cited)
        if self.instance is Instance.BOARD:
            yield b.Heading(words("cases.deposit_heading"))
            for name, held in self.deposits:
                yield deposit_line(held, name, words)
            if not self.deposits:
                yield words("cases.deposit.none")
        if self.is_copy:
            yield words("cases.copy")
            return
        yield from self._how_to_appeal(words)
        yield b.LinkLine(words("cases.link"), self.case.url)

    def _how_to_appeal(self, words: Words) -> Blocks:
        """Where to appeal, by when, with what deposit; or that it is final (§ 6.4.3, § 6.8.10)."""
        yield b.Heading(words("cases.appeal_heading"))
        to, named = self.appeal_to, self.case.rules.cited
        if to is None:
            yield words("cases.final")
            return
        if not self.may_appeal:
            yield words("cases.not_yours", **named)
            return
        term = {"days": days(self.days, words), "last": words.day(self.last)}
        yield words(f"cases.appeal.{to.value}", **term, **named)
        yield words("cases.by_mail.how", word=words("cases.by_mail.word"), **named)
        if self.fee:
            yield words("cases.deposit.known", amount=money(self.fee, words))
        elif self.fee is not None:
            yield words("cases.deposit.fee")
        elif to is Instance.BOARD:
            yield words("cases.deposit.free")
        if self.next_fee is not None:
            day, ore = self.next_fee
            yield words("cases.deposit.later", day=words.day(day), amount=money(ore, words))
        yield words("cases.no_effect")
        yield b.AddressLine(words("cases.address"), self.case.reply_to)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        ruled = "Det lægges til grund: kortet er stemplet den 25/10.\n\nBegrundelse: § 6.3.2."
        made = {}
        for one in Instance:
            fee = 50000 if one is Instance.CONTROLLER else None
            told = (
                cast.BLACK.name,
                _CASE,
                "2026/12/1",
                one,
                ruled,
                True,
                one.above,
                21,
                _LAST,
                fee,
            )
            made[f"decided_{one.value}"] = cls(*told)
        paid = Deposit(50000, _UNTIL, "")
        held = HeldDeposit(1, paid, _UNTIL, 50000, received=paid, is_returned=True)
        to_club = (*made["decided_board"].deposits, (cast.BLACK.name, held))
        made["decided_board"] = replace(made["decided_board"], deposits=to_club)
        made["decided_kc"] = replace(made["decided_kc"], next_fee=(_UNTIL, 52000))
        free = replace(made["decided_kc"], fee=None, next_fee=None)
        copy = replace(made["decided_tl"], may_appeal=False, is_copy=True)
        made["decided_tl"] = replace(made["decided_tl"], ends_games=True)
        return made | {"decided_kc_first": free, "decision_copied": copy}
