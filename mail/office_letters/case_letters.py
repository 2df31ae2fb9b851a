"""The letters of a case in words: what happened, a decision, how to appeal (§ 6.4.1-6.4.3).

NOT for the decision's own text, which ``mail.office_letters.case_letters`` drafts and the official
edits.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self, assert_never

from kskak.cases.aftermath import Aftermath, Withdrawal
from kskak.cases.case import CaseReason, CaseRefusal, HeldDeposit
from kskak.cases.case_events import (
    AppealEnd,
    Decision,
    Deposit,
    GameOrder,
    ImposedSanction,
    Instance,
    SanctionKind,
    SanctionOrder,
)
from kskak.game import game_events as ev
from kskak.regulation.editions import DISPUTES, Side
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    LeaderFootLetter,
    NamedLetter,
    foot,
    letter,
    paragraphs,
    plain,
    quote_person,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, side_name, write_move_number
from mail.text.letter_facts import OfficialContact


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
    APPEAL_HEARING = "appeal_hearing"
    DEPOSIT_UNKNOWN = "deposit_unknown"
    DEPOSIT_DUE = "deposit_due"
    MEMBER_EXCUSED = "member_excused"
    UNHEARD_LEADER = "unheard_tl"
    UNHEARD_CONTROLLER = "unheard_kc"
    UNHEARD_BOARD = "unheard_board"
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


_UNHEARD = (CaseWord.UNHEARD_LEADER, CaseWord.UNHEARD_CONTROLLER, CaseWord.UNHEARD_BOARD)


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


_ORE = 100
_IN_SUBJECT = 30
"""Maximum characters of a name in a subject; twice as many of the question."""
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
_UNTIL = date(2027, 3, 1)


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

    def subject(self, words: Words) -> str:
        """The case's number, by which an answer is filed; who, which game, what is asked."""
        case = self.case
        names = " \N{EN DASH} ".join(plain(name)[:_IN_SUBJECT] for name in case.parties[:2])
        first = plain(case.games[0] if len(case.games) == 1 else case.group)[:_IN_SUBJECT]
        question = question_text(case.question, words)[: 2 * _IN_SUBJECT]
        about = ", ".join(filter(None, (names, first)))
        return words("cases.subject", number=case.number, about=about, question=question)

    def foot(self, words: Words) -> tuple[str, ...]:
        """Who leads the group."""
        return foot(self.case.leader, self.case.zone, words)

    def _which(self, words: Words) -> Blocks:
        """Which case: how every letter of it begins."""
        case = self.case
        rows = [
            (words("cases.label.case"), case.number),
            (words("cases.label.question"), question_text(case.question, words)),
            (words("cases.label.parties"), ", ".join(plain(name) for name in case.parties)),
            (words("cases.label.games"), ", ".join(plain(name) for name in case.games)),
            (words("cases.label.paragraphs"), paragraphs(case.paragraphs)),
        ]
        yield b.FactList(tuple(row for row in rows if row[1]))


@letter("case")
class CaseNotice(CaseLetter):
    """To the parties, their captains and the official: what happened. ``by`` None: the server.

    ``deposit``: what becomes of the reader's, in words; of DEPOSIT_DUE ``text`` is the sum, in øre.
    """

    word: CaseWord
    is_official: bool
    by: str | None
    text: str = ""
    until: date | None = None
    is_captain: bool = False
    deposits: tuple[HeldDeposit, ...] = ()

    def lead(self, words: Words) -> str:
        until = "-" if self.until is None else words.day(self.until)
        by = words("cases.server") if self.by is None else plain(self.by)
        key, amount = f"cases.word.{self.word.value}", "-"
        if self.word is CaseWord.DEPOSIT_DUE and self.text.isdigit():
            amount = money(int(self.text), words)
        return words(key, by=by, until=until, number=self.case.number, amount=amount)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        role = "captain" if self.is_captain else "official" if self.is_official else "party"
        if self.word in _UNHEARD:
            role = "admin"
        text = "" if self.word is CaseWord.DEPOSIT_DUE else quote_person(self.text)
        yield from self._which(words)
        if text:
            yield b.Quote(text)
        yield from (deposit_line(held, self.reader, words) for held in self.deposits)
        yield words(f"cases.role.{role}")
        yield words("cases.answer", number=self.case.number)
        yield b.AddressLine(words("cases.address"), self.case.reply_to)
        yield b.LinkLine(words("cases.link"), self.case.url)

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
        return notices | {"case_of_server": server, "case_of_team": captain}


@letter("decision")
class CaseDecision(CaseLetter):
    """A decision, to everybody concerned: its text, and how to appeal (§ 6.4.3).

    ``appeal_to`` None: final. ``days`` is the time to appeal; ``fee`` the deposit in øre (0:
    the year's fee, not known here), None if no deposit is required; ``next_fee`` another that holds
    from a day within that time. ``deposits``: what the Board decided of each, with whose it is;
    ``is_copy``: to the club and the register, of a sanction (§ 4.1.7, § 4.1.19).
    """

    ref: str
    instance: Instance
    text: str
    may_appeal: bool
    appeal_to: Instance | None
    days: int
    fee: int | None = None
    next_fee: tuple[date, int] | None = None
    deposits: tuple[tuple[str, HeldDeposit], ...] = ()
    is_copy: bool = False

    def lead(self, words: Words) -> str:
        key = f"cases.decided.{self.instance.value}"
        return words(key, number=self.case.number, ref=self.ref)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from self._which(words)
        yield b.Heading(words("cases.decision_heading"))
        for paragraph in self.text.split("\n\n"):
            lines = " ".join(plain(line) for line in paragraph.splitlines())
            if lines.strip():
                yield lines.strip()
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
        to = self.appeal_to
        if to is None:
            yield words("cases.final")
            return
        if not self.may_appeal:
            yield words("cases.not_yours")
            return
        yield words(f"cases.appeal.{to.value}", days=days(self.days, words))
        yield words("cases.by_mail.how", word=words("cases.by_mail.word"))
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
            told = (cast.BLACK.name, _CASE, "2026/12/1", one, ruled, True, one.above, 21, fee)
            made[f"decided_{one.value}"] = cls(*told)
        paid = Deposit(50000, _UNTIL, "")
        held = HeldDeposit(1, paid, _UNTIL, 50000, received=paid, is_returned=True)
        to_club = (*made["decided_board"].deposits, (cast.BLACK.name, held))
        made["decided_board"] = replace(made["decided_board"], deposits=to_club)
        made["decided_kc"] = replace(made["decided_kc"], next_fee=(_UNTIL, 52000))
        free = replace(made["decided_kc"], fee=None, next_fee=None)
        copy = replace(made["decided_tl"], may_appeal=False, is_copy=True)
        return made | {"decided_kc_first": free, "decision_copied": copy}


@letter("start_annulled")
class StartAnnulled(LeaderFootLetter):
    """A group's start was annulled before its first move; another start letter will follow, and no
    answer is needed."""

    group: str
    reason: str

    takes_commands = True

    def subject(self, words: Words) -> str:
        return words("letters.start.subject", group=plain(self.group))

    def lead(self, words: Words) -> str:
        return words("cases.start.lead", group=plain(self.group))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        reason = quote_person(self.reason)
        if reason:
            yield b.Quote(reason)
        yield words("cases.start.what")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        led = (cast.BLACK.name, cast.LEADER, cast.ZONE)
        return {"start_annulled": cls(*led, "K-26-01", "En spiller for lidt.")}


# A decision's text, drafted from what it finds and orders, for the official to edit (§ 6.4.1).

_STOP = re.compile(r"(?<![\d.])\.$")
"""A sentence's full stop, dropped before the paragraph in parentheses; not that of «den 19.»."""


@dataclass(frozen=True, slots=True)
class RuledGame:
    """A game as a decision names it, by the colours as it leaves them. ``first`` is the side and
    move number it began with.
    """

    name: str
    white: str
    black: str
    first: tuple[Side, int] = (Side.WHITE, 1)
    after: Aftermath | None = None
    """How the decision leaves it; None where a single effect is described on its own."""

    def move(self, ply: int) -> tuple[int, Side]:
        """Number and side of a ply."""
        side, number = self.first
        offset = ply - 1 + (side is Side.BLACK)
        return number + offset // 2, Side.BLACK if offset % 2 else Side.WHITE


@dataclass(frozen=True, slots=True)
class EarlierDecision:
    """A decision that is annulled or restored, by its name."""

    ref: str
    on: date


@dataclass(frozen=True, slots=True)
class RulingFacts:
    """What a draft needs besides the decision: names by id, earlier decisions by ref.

    ``games``: those it rules on or annuls a ruling in, as it leaves them; ``upheld``: the
    decision appealed against, if not annulled; ``leaving``: players whose games are judged by
    the half rule (§ 6.2.8).
    ``imposed``: what each sanction becomes, those of restored decisions first (§ 4.1.19);
    ``departures``: by group, what § 6.2.8 does to the games of an expelled player. ``back_to``:
    whom an appeal sends the case back to.
    """

    decision: Decision
    games: Mapping[int, RuledGame]
    people: Mapping[int, str]
    earlier: Mapping[str, EarlierDecision]
    upheld: EarlierDecision | None = None
    leaving: tuple[Withdrawal, ...] = ()
    imposed: tuple[tuple[SanctionOrder, ImposedSanction], ...] = ()
    departures: tuple[tuple[str, Withdrawal], ...] = ()
    back_to: Instance | None = None
    is_answer: bool = False
    """Whether it answers a question put to the Board, and decides no dispute (§ 1.3.9)."""

    @property
    def changes(self) -> bool:
        """Whether the decision changes anything in games or for persons."""
        ruled = self.decision
        return bool(ruled.games or ruled.sanctions or ruled.annuls or ruled.restores)


def draft(facts: RulingFacts, words: Words) -> str:
    """The decision in words, paragraphs separated by an empty line."""
    return "\n\n".join(_paragraphs(facts, words))


def _paragraphs(facts: RulingFacts, words: Words) -> Iterator[str]:
    decision = facts.decision
    for found in decision.facts:
        text = _STOP.sub("", plain(found.text))
        yield words("rulings.fact", text=text, paragraphs=paragraphs((found.paragraph,)))
    yield from _explain_appealed_decision(facts, words)
    yield from (_half(left, facts, words) for left in facts.leaving)
    for ref in decision.annuls:
        yield words("rulings.annuls", ref=ref, day=words.day(facts.earlier[ref].on))
    if facts.back_to is not None:
        yield words(f"rulings.sent_back.{facts.back_to.value}")
    for ref in decision.restores:
        yield words("rulings.restores", ref=ref, day=words.day(facts.earlier[ref].on))
    for game, text in game_lines(facts, words):
        yield words("rulings.in_game", game=plain(facts.games[game].name), text=text)
    yield from _departures(facts, words)
    for sanction, imposed in facts.imposed:
        yield sanction_text(sanction, imposed, facts.people[sanction.person], words)
    for person in decision.prizes_lost:
        yield words("rulings.prize_lost", name=plain(facts.people[person]))
    if not (facts.changes or facts.upheld or facts.is_answer):
        yield words("rulings.nothing")
    yield from _votes(facts, words)
    key = "answer" if facts.is_answer else "reasons"
    yield words(f"rulings.{key}", reasons=decision.reasons.strip())
    yield words("rulings.rests_on", paragraphs=paragraphs(decision.paragraphs))


def _explain_appealed_decision(facts: RulingFacts, words: Words) -> Iterator[str]:
    """What happens to the decision appealed against, if it is not annulled (§ 6.4.3)."""
    upheld = facts.upheld
    if upheld is not None:
        key = "rulings.changed" if facts.changes else "rulings.upheld"
        if facts.decision.appeal in (AppealEnd.DISMISSED, AppealEnd.INCOMPETENT):
            key = f"rulings.{facts.decision.appeal.value}"
        yield words(key, ref=upheld.ref, day=words.day(upheld.on))


def _half(left: Withdrawal, facts: RulingFacts, words: Words) -> str:
    """Why a player's games are lost or judged: how many of them he had finished (§ 6.2.8)."""
    key = "rulings.half.loses_all" if left.loses_all else "rulings.half.keeps"
    name = plain(facts.people[left.player])
    return words(key, name=name, finished=left.finished, games=left.games)


def game_lines(facts: RulingFacts, words: Words) -> Iterator[tuple[int, str]]:
    """What happens to each game, by id: what is ordered, and how the game then stands.

    Nothing in a case sent back: its games rest until it is decided anew.
    """
    if facts.back_to is not None:
        return
    for game, ruled in facts.games.items():
        orders = [order for order in facts.decision.games if order.game == game]
        text = [effect_text(order, ruled, words) for order in orders]
        if not any(isinstance(order.effect, ev.ResultRuled) for order in orders):
            text.append(_outcome(ruled, words))
        yield game, " ".join(text)


def _outcome(game: RuledGame, words: Words) -> str:
    """How a decision leaves a game, in a sentence."""
    assert game.after is not None
    outcome = game.after.outcome.value
    names = {"white": plain(game.white), "black": plain(game.black)}
    result = f"rulings.result.{outcome}"
    return words(result if result in words else f"rulings.after.{outcome}", **names)


def _explain_resumption(on: date, game: RuledGame, words: Words) -> str:
    """The day time counts from, and the days no longer counted (Kendelse 59, Kendelse 120)."""
    turn = None if game.after is None else game.after.turn
    if turn is None:
        return words("rulings.resumed", day=words.day(on))
    name = _player(game, turn.by)
    text = words("rulings.resumed_by", name=name, day=words.day(on))
    if turn.before == turn.after:
        return text
    counted = {"before": days(turn.before, words), "after": days(turn.after, words)}
    forgiven = words("rulings.turn_days", name=name, **counted)
    return f"{text} {forgiven}"


def _set_back(back: ev.GameSetBack, game: RuledGame, words: Words) -> str:
    """The position a game goes on from (FIDE 7.5), and who has which colour (FIDE 7.3)."""
    if back.swaps_colours:
        text = words("rulings.colours_changed")
        names = {"white": plain(game.white), "black": plain(game.black)}
        return text if game.after is None else f"{text} " + words("rulings.colours_now", **names)
    if back.ply == 0:
        return words("rulings.begun_anew")
    number, side = game.move(back.ply)
    move = {"number": write_move_number(number, side), "name": _player(game, side)}
    return words("rulings.set_back", **move)


def _votes(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Who took part at the Board, how many were in favour, who was not and why (Kendelse 107)."""
    votes, dissents = facts.decision.votes, facts.decision.dissents
    if not votes:
        return
    names = [plain(facts.people[vote.member]) for vote in votes]
    yield words("rulings.board.took_part", names=", ".join(names))
    for vote in votes:
        if vote.reason:
            key = "vacant" if vote.instead_of is None else "substitute"
            instead = "-" if vote.instead_of is None else plain(facts.people[vote.instead_of])
            named = {"name": plain(facts.people[vote.member]), "instead": instead}
            yield words(f"rulings.board.{key}", **named, why=absence_text(vote.reason, words))
    if not dissents:
        yield words("rulings.board.unanimous")
        return
    yield words("rulings.board.majority", for_=len(votes) - len(dissents), against=len(dissents))
    for vote in dissents:
        key = "dissent" if vote.text else "dissent_bare"
        name = plain(facts.people[vote.member])
        yield words(f"rulings.board.{key}", name=name, text=quote_person(vote.text))


def absence_text(reason: str, words: Words) -> str:
    """Why a member of the Board doesn't sit: as it was said, or in the catalogue's words."""
    if not reason.startswith(_KEYED):
        return quote_person(reason)
    return words(f"rulings.board.absent.{reason.removeprefix(_KEYED)}")


def effect_text(order: GameOrder, game: RuledGame, words: Words) -> str:  # noqa: C901
    """What one order does to a game, in a sentence."""
    match order.effect:
        case ev.DispatchCorrected() as found:
            return _correction(found, game, words)
        case ev.DaysCharged() as charge:
            return _charge(charge, game, words)
        case ev.TotalsSet(white, black):
            sides = ((Side.WHITE, white), (Side.BLACK, black))
            parts = [
                words("rulings.total", side=side_name(side, words), days=days(total, words))
                for side, total in sides
                if total is not None
            ]
            return words("rulings.totals", totals=", ".join(parts))
        case ev.GameResumed(on):
            return _explain_resumption(on, game, words)
        case ev.GameSetBack() as back:
            return _set_back(back, game, words)
        case ev.ClaimStands(by):
            named = {"late": _player(game, by), "winner": _player(game, by.other)}
            return words("rulings.claim_stands", **named)
        case ev.ResultRuled() as ruled:
            names = {"white": plain(game.white), "black": plain(game.black)}
            return words(f"rulings.result.{ruled.result.name.lower()}", **names)
        case ev.LeaveBooked() as leave:
            named = {"first": words.day(leave.first), "last": words.day(leave.last)}
            name = _player(game, leave.by)
            return words(f"rulings.leave.{leave.leave_type.value}", name=name, **named)
        case ev.GamePaused(first, last, _):
            if last is None:
                return words("rulings.paused", day=words.day(first))
            return words("rulings.stood_still", first=words.day(first), last=words.day(last))
        case ev.PauseEnded(_, last):
            return words("rulings.pause_ended", day=words.day(last))
        case _:
            assert_never(order.effect)


def _player(game: RuledGame, side: Side) -> str:
    return plain(game.white if side is Side.WHITE else game.black)


def _correction(found: ev.DispatchCorrected, game: RuledGame, words: Words) -> str:
    number, side = game.move(found.ply)
    move = {"number": write_move_number(number, side), "name": _player(game, side)}
    parts = []
    if found.received is not None:
        parts.append(words("rulings.received_on", day=words.day(found.received), **move))
    if found.sent is not None:
        parts.append(words("rulings.sent_on", day=words.day(found.sent), **move))
    return " ".join(parts)


def _charge(charge: ev.DaysCharged, game: RuledGame, words: Words) -> str:
    key = "rulings.charged" if charge.days > 0 else "rulings.annulled_days"
    name, count = _player(game, charge.by), days(abs(charge.days), words)
    return words(key, name=name, days=count, paragraphs=paragraphs((charge.paragraph,)))


def sanction_text(order: SanctionOrder, imposed: ImposedSanction, name: str, words: Words) -> str:
    """What a sanction becomes, with its days, and why it exceeds the order, if so (§ 4.1.19)."""
    name = plain(name)
    if imposed.last is None:
        return words(f"rulings.sanction.{imposed.kind.value}", name=name)
    days = {"first": words.day(imposed.first), "last": words.day(imposed.last)}
    if imposed.was_warning:
        count = DISPUTES.automatic_months
        return words("rulings.sanction.was_warning", name=name, months=count, **days)
    count = (order.months or 0) * (DISPUTES.repeated_times if imposed.is_repeated else 1)
    key = "repeated" if imposed.is_repeated else "quarantine"
    return words(f"rulings.sanction.{key}", name=name, months=count, n=count, **days)


def _departures(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Why the games of an expelled player end as they do (§ 6.2.8)."""
    expelled = (o.person for o, i in facts.imposed if i.kind is SanctionKind.EXPULSION)
    names = {person: plain(facts.people[person]) for person in expelled}
    for group, outcome in facts.departures:
        if outcome.player in names:
            yield departure_text(group, outcome, names[outcome.player], words)


def departure_text(group: str, outcome: Withdrawal, name: str, words: Words) -> str:
    """What the half rule does to an expelled player's games in a group (§ 6.2.8)."""
    key = "loses_all" if outcome.loses_all else "keeps"
    counted = {"finished": outcome.finished, "games": outcome.games}
    return words(f"rulings.expelled.{key}", name=name, group=plain(group), **counted)
