"""Cases in openapi.json: the bodies of the desks' calls, their answers, and building these."""

import json
from dataclasses import fields
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from kskak.cases.case_events import CaseKind
from kskak.cases.what_if import Comparison, RowPair
from kskak.ledger.ledger_files import JsonObject, clock_json, ledger_json
from kskak.ledger.ledger_files import JsonValue as LedgerFilesJsonValue
from kskak.ledger.stored_events import effect_json, to_json
from kskak.regulation.editions import Side
from mail.office_letters.case_letters import question_text
from mail.text.catalogue import Words
from server.api.frame.game_models import LONGEST_TEXT, ApiAnswer, ApiBody, Charge, Clock, Ledger
from server.store.cases.cases import CaseRow
from server.store.cases.papers import PaperRow
from server.store.engine.rows import from_us
from server.store.mail.inbox import GameMailRow
from server.store.mail.outbox import GameLetterRow
from server.usecases.cases.case_views import CaseGameView, CaseItem, CaseStep, CaseView, WhatIfView
from server.usecases.cases.withdrawals import WithdrawalOutcome

# Response models of the desks' calls, the schemas in openapi.json (§ 6.4). Not for bodies.


class PersonName(ApiAnswer):
    """A person by id and name."""

    id: int
    name: str


class CaseSummary(ApiAnswer):
    """A case in a list; `due` is the next relevant day."""

    id: int
    number: str
    kind: str
    stage: str
    instance: str
    group: str
    game: str | None
    question: str
    is_suspended: bool
    due: date | None
    opened: datetime
    closed: datetime | None


class CaseList(ApiAnswer):
    """Cases, the earliest due first."""

    cases: list[CaseSummary]


class MailSeen(ApiAnswer):
    """An incoming mail about a game: when it arrived, and how it was handled."""

    id: int
    received: datetime
    peer: str
    mail_from: str
    outcome: str | None
    digest: str


class LetterSeen(ApiAnswer):
    """A letter about a game: when the recipient's mail server accepted it."""

    id: int
    kind: str
    to: str
    state: str
    sent: datetime | None


class CaseGame(ApiAnswer):
    """A game in the case; `disputed` lists the plies in dispute."""

    id: int
    name: str
    disputed: list[int]
    clock: Clock
    ledger: Ledger
    mails: list[MailSeen]
    letters: list[LetterSeen]


class Paper(ApiAnswer):
    """A paper in the case; `text` is set for text papers, None for others and for removed ones.

    `size` is in octets, None if it was removed; the octets themselves are at `/papers/{id}`.
    """

    id: int
    kind: str
    person: int | None
    title: str
    media_type: str
    at: datetime
    digest: str
    size: int | None
    text: str | None


class Decision(ApiAnswer):
    """A decision by one instance; its fields are those of the decision's event."""

    model_config = ConfigDict(extra="allow")

    ref: str
    instance: str
    on: date
    is_annulled: bool


class Hearing(ApiAnswer):
    """Who was asked for a statement, by when, and who has answered."""

    until: date
    asked: list[int]
    answered: list[int]
    is_closed: bool


class History(ApiAnswer):
    """One event in the case's hash chain."""

    seq: int
    at: datetime
    actor: int | None
    event: dict[str, object]
    hash: str


class CaseDetail(CaseSummary):
    """A case in full; `can` lists what the caller may do now."""

    people: list[PersonName]
    parties: list[int]
    concerned: list[int]
    claimant: int | None
    paragraphs: list[str]
    games: list[CaseGame]
    papers: list[Paper]
    decisions: list[Decision]
    hearing: Hearing | None
    suspended: list[int]
    appeal_until: date | None
    next_ref: str
    can: list[str]
    history: list[History]


class CaseMade(ApiAnswer):
    """A case as it stands after the call."""

    id: int
    number: str
    stage: str
    instance: str


class Draft(ApiAnswer):
    """A decision's letter as it would be sent."""

    text: str


class PlyChange(ApiAnswer):
    """A ply in both accounts; `differs` names the values that differ."""

    ply: int
    differs: list[str]
    days: list[int | None]
    total: list[int | None]


class ChargeTried(Charge):
    """A charge, and whether the facts keep, remove or create it."""

    mark: str


class WhatIfAnswer(ApiAnswer):
    """The account compared with the supposed one; nothing is saved. Pairs are before and after."""

    on: date
    rows: list[PlyChange]
    charges: list[ChargeTried]
    white: list[int]
    black: list[int]
    outcome: list[str]
    annuls: list[str]
    effects: list[dict[str, object]]
    is_exact: bool
    clock: Clock


class LongGame(ApiAnswer):
    """A game that may be called in from the day `since`; `case` is set if it has been."""

    game: int
    name: str
    start: date
    since: date
    case: str | None


class LongGames(ApiAnswer):
    """Games running for 18 months or more, the longest first (§ 6.2.7)."""

    games: list[LongGame]


class CasesMade(ApiAnswer):
    """The cases that were opened."""

    cases: list[CaseMade]


class Fate(ApiAnswer):
    """What happens to a game; without a `result` it goes to adjudication."""

    game: int
    before: str | None
    result: str | None


class Withdrawn(CaseMade):
    """The consequences of a withdrawal under § 6.2.8."""

    finished: int
    games: int
    loses_all: bool
    loses_prize: bool
    fates: list[Fate]
    adjudications: list[CaseMade]


class GroupStartAnnulled(ApiAnswer):
    """The group whose start was undone."""

    group: str


class LiveSet(ApiAnswer):
    """The tournament's groups, and whether anybody may follow their running games."""

    groups: list[str]
    live: bool


class OfficeHeld(ApiAnswer):
    """An office holder; `id` is null if the office comes from the group's row or a role."""

    id: int | None
    person: PersonName
    office: str
    group: str | None


class Offices(ApiAnswer):
    """All office holders."""

    offices: list[OfficeHeld]


# Request bodies of the desks: cases, decisions, suppositions, offices (§ 6.4). Not for answers.

LONG = 20_000
MOST = 500
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Paragraph = Annotated[str, Field(min_length=1, max_length=20)]
Person = Annotated[int, Field(ge=1)]
Ref = Annotated[str, Field(min_length=1, max_length=40)]


class _Strict(ApiBody):
    """Dates and enumerations are strings in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CaseBody(_Strict):
    """An objection in a `game` (§ 6.4.1), or about a `person` and all his games in a `group`."""

    game: int | None = None
    group: Annotated[int, Field(ge=1)] | None = None
    person: Person | None = None
    kind: CaseKind
    text: Text


class StatementBody(_Strict):
    """A statement in the case; the others are notified."""

    text: Annotated[str, Field(min_length=1, max_length=LONG)]
    title: Annotated[str, Field(max_length=200)] = ""


class PaperBody(_Strict):
    """A file added to the case; the others are notified (§ 6.3.3.5)."""

    kind: Literal["evidence", "scan"] = "evidence"
    title: Annotated[str, Field(max_length=200)] = ""
    file: Annotated[str, Field(min_length=1, description="PNG, JPEG or PDF up to 5 MB, in Base64")]


class WidenBody(_Strict):
    """Games and players of the group to add to the case; a game brings its players with it."""

    games: Annotated[list[int], Field(max_length=MOST)] = Field(default_factory=list)
    parties: Annotated[list[Person], Field(max_length=MOST)] = Field(default_factory=list)


class HearingBody(_Strict):
    """Ask the parties to answer by a day (included), or close the hearing with a reason."""

    action: Literal["ask", "close"]
    until: date | None = None
    asked: Annotated[list[Person], Field(max_length=MOST)] = Field(default_factory=list)
    reason: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class SuspensionBody(_Strict):
    """Stop the clock in games of the case, or let it run again (§ 6.4.1)."""

    action: Literal["suspend", "lift"]
    games: Annotated[list[int], Field(max_length=MOST)] = Field(default_factory=list)


class CloseBody(_Strict):
    """End a case without a decision: settled, with a note, or withdrawn by the claimant."""

    action: Literal["settle", "withdraw"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class DepositBody(_Strict):
    """What the appellant says he paid to the Board: øre, day and payment reference (§ 6.4.3)."""

    amount: Annotated[int, Field(ge=1, le=10**9)]
    on: date
    reference: Annotated[str, Field(min_length=1, max_length=200)]


class AppealBody(_Strict):
    """An appeal in writing against the latest decision, or `take_back` to withdraw it (§ 6.4.3).

    An official enters one received by post: `by` is the appellant, `on` the day it arrived.
    """

    action: Literal["appeal", "take_back"] = "appeal"
    text: Annotated[str, Field(max_length=LONG)] = ""
    deposit: DepositBody | None = None
    by: int | None = None
    on: date | None = None


class VoteBody(_Strict):
    """A vote in the Board: the appellants to uphold, none to let the decision stand (§ 1.3.9)."""

    upholds: Annotated[list[Person], Field(max_length=50)] = Field(default_factory=list)
    text: Annotated[str, Field(max_length=LONG)] = ""


class DepositNoteBody(_Strict):
    """A deposit received or paid back; `amount` in øre for one received (§ 6.4.3)."""

    action: Literal["received", "paid_back"]
    person: Person
    on: date
    amount: Annotated[int, Field(ge=1, le=10**9)] | None = None
    reference: Annotated[str, Field(max_length=200)] = ""


class FactBody(_Strict):
    """A finding of fact in words."""

    paragraph: Paragraph
    text: Text


class GameOrderBody(_Strict):
    """What a decision does to a game: `effect` has the form of a kskak-ledger/1 entry."""

    game: int
    effect: dict[str, JsonValue]


class SanctionBody(_Strict):
    """A sanction on a person; `months` for a quarantine only (§ 6.4.2)."""

    person: Person
    kind: Literal["warning", "quarantine", "expulsion"]
    months: Annotated[int, Field(ge=1, le=1200)] | None = None


class DecisionBody(_Strict):
    """A decision by the instance that has the case; `text` is the letter as edited.

    `appeal` ends an appeal without deciding the matter, and nothing else is ordered (§ 6.4.3).
    """

    paragraphs: Annotated[list[Paragraph], Field(min_length=1, max_length=50)]
    reasons: Annotated[str, Field(min_length=1, max_length=LONG)]
    facts: Annotated[list[FactBody], Field(max_length=100)] = Field(default_factory=list)
    games: Annotated[list[GameOrderBody], Field(max_length=MOST)] = Field(default_factory=list)
    sanctions: Annotated[list[SanctionBody], Field(max_length=100)] = Field(default_factory=list)
    annuls: Annotated[list[Ref], Field(max_length=50)] = Field(default_factory=list)
    restores: Annotated[list[Ref], Field(max_length=50)] = Field(default_factory=list)
    grants: Annotated[list[Person], Field(max_length=50)] = Field(default_factory=list)
    prizes_lost: Annotated[list[Person], Field(max_length=50)] = Field(default_factory=list)
    appeal: Literal["sent_back", "dismissed"] | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONG)] | None = None


class WhatIfBody(_Strict):
    """Facts to try on a game, each a `kind` with its fields; nothing is saved."""

    supposed: Annotated[list[dict[str, JsonValue]], Field(max_length=100)]
    on: date | None = None


class AnnounceBody(_Strict):
    """A player leaves the group; without `player`, the caller does (§ 6.2.8)."""

    text: Text
    player: Person | None = None


class WithdrawalBody(_Strict):
    """The ruling on a withdrawal case (§ 6.2.8); `text` is the letter as edited."""

    has_reason: bool
    reasons: Annotated[str, Field(min_length=1, max_length=LONG)]
    is_silent: bool = False
    quarantine_months: Annotated[int, Field(ge=1, le=1200)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONG)] | None = None


class AnnulBody(_Strict):
    """Why the start is undone."""

    reason: Text


class LiveBody(_Strict):
    """Whether anybody may follow the running games of the group's tournament."""

    live: bool


class CallInBody(_Strict):
    """Games to call in for adjudication, many at once (§ 6.2.7)."""

    games: Annotated[list[int], Field(min_length=1, max_length=MOST)]


class OfficeBody(_Strict):
    """An appointment; without `group` it applies everywhere (§ 6.1.1)."""

    person: Person
    office: Literal["tl", "deputy", "kc", "board", "captain", "admin"]
    group: Annotated[int, Field(ge=1)] | None = None


class DismissBody(_Strict):
    """An empty body, which may be omitted."""


# Cases as plain JSON values; the shapes are above. Not for who may see what.


def _at(us: int | None) -> str | None:
    return None if us is None else from_us(us).isoformat()


def summary(item: CaseItem, words: Words) -> JsonObject:
    """A case in a list."""
    return _summary(item.case, item.question, words)


def _summary(case: CaseRow, question: str, words: Words) -> JsonObject:
    return {
        "id": case.id,
        "number": case.number,
        "kind": case.kind,
        "stage": case.state,
        "instance": case.instance,
        "group": case.group,
        "game": case.game,
        "question": question_text(question, words),
        "is_suspended": case.is_suspended,
        "due": None if case.due_us is None else from_us(case.due_us).date().isoformat(),
        "opened": _at(case.opened_us),
        "closed": _at(case.closed_us),
    }


def write_case_after_call(case: CaseRow) -> JsonObject:
    """A case as it stands after the call."""
    return {"id": case.id, "number": case.number, "stage": case.state, "instance": case.instance}


def detail(view: CaseView, words: Words) -> JsonObject:
    """A case in full."""
    state, opened = view.state, view.state.opened
    allowed = [field.name for field in fields(view.can) if getattr(view.can, field.name)]
    until = view.appeal_until
    return _summary(view.case, opened.question, words) | {
        "people": [{"id": p.id, "name": p.name} for p in view.people.values()],
        "parties": list(opened.parties),
        "concerned": list(opened.concerned),
        "claimant": opened.claimant,
        "paragraphs": list(opened.paragraphs),
        "games": [_game(game) for game in view.games],
        "papers": [_paper(paper) for paper in view.papers],
        "decisions": [
            _decision(to_json(row.decision), row.decision.ref in state.annulled)
            for row in state.decided
        ],
        "hearing": to_json(state.hearing),
        "suspended": list(state.suspended),
        "appeal_until": None if until is None else until.isoformat(),
        "next_ref": view.next_ref,
        "can": list[LedgerFilesJsonValue](allowed),
        "history": [_step(step) for step in view.steps],
    }


def _decision(decision: LedgerFilesJsonValue, is_annulled: bool) -> JsonObject:
    assert isinstance(decision, dict)
    return decision | {"is_annulled": is_annulled}


def _game(game: CaseGameView) -> JsonObject:
    row = game.view.game
    return {
        "id": row.id,
        "name": row.name,
        "disputed": list[LedgerFilesJsonValue](sorted(game.disputed)),
        "clock": clock_json(game.view.account),
        "ledger": ledger_json(row.terms, game.view.events),
        "mails": [_mail(mail) for mail in game.mails],
        "letters": [_letter(letter) for letter in game.letters],
    }


def _mail(mail: GameMailRow) -> JsonObject:
    return {
        "id": mail.id,
        "received": _at(mail.received_us),
        "peer": mail.peer,
        "mail_from": mail.mail_from,
        "outcome": mail.outcome,
        "digest": bytes(mail.digest).hex(),
    }


def _letter(letter: GameLetterRow) -> JsonObject:
    return {
        "id": letter.id,
        "kind": letter.kind,
        "to": letter.to_addr,
        "state": letter.state,
        "sent": _at(letter.sent_us),
    }


def _paper(paper: PaperRow) -> JsonObject:
    return {
        "id": paper.id,
        "kind": paper.kind,
        "person": paper.person_id,
        "title": paper.title,
        "media_type": paper.media_type,
        "at": _at(paper.at_us),
        "digest": bytes(paper.digest).hex(),
        "size": paper.size,
        "text": paper.text,
    }


def _step(step: CaseStep) -> JsonObject:
    return {
        "seq": step.row.seq,
        "at": _at(step.row.at_us),
        "actor": step.row.actor_id,
        "event": json.loads(step.row.body),
        "hash": bytes(step.row.hash).hex(),
    }


def write_comparison(found: WhatIfView) -> JsonObject:
    """What the facts would change, and the orders that would carry it out."""
    comparison = found.comparison
    return {
        "on": found.on.isoformat(),
        "rows": [_pair(ply, pair) for ply, pair in _list_changed_rows(comparison)],
        "charges": [
            {
                "by": pair.charge.by,
                "on": pair.charge.on.isoformat(),
                "days": pair.charge.days,
                "paragraph": pair.charge.paragraph,
                "reason": pair.charge.reason,
                "mark": pair.mark,
            }
            for pair in comparison.charges
        ],
        "white": list[LedgerFilesJsonValue](comparison.totals(Side.WHITE)),
        "black": list[LedgerFilesJsonValue](comparison.totals(Side.BLACK)),
        "outcome": list[LedgerFilesJsonValue](comparison.outcomes),
        "effects": [effect_json(effect) for effect in found.carried.effects],
        "annuls": list[LedgerFilesJsonValue](found.carried.annuls),
        "is_exact": found.carried.is_exact,
        "clock": clock_json(comparison.after),
    }


def _list_changed_rows(comparison: Comparison) -> list[tuple[int, RowPair]]:
    """The plies that differ, with their numbers."""
    return [(ply, pair) for ply, pair in enumerate(comparison.rows, 1) if pair.differs]


def _pair(ply: int, pair: RowPair) -> JsonObject:
    rows = (pair.before, pair.after)
    return {
        "ply": ply,
        "differs": list[LedgerFilesJsonValue](sorted(pair.differs)),
        "days": [None if row is None else row.dates.days for row in rows],
        "total": [None if row is None else row.total for row in rows],
    }


def withdrawn(found: WithdrawalOutcome) -> JsonObject:
    """The consequences of a withdrawal under § 6.2.8."""
    outcome = found.outcome
    return write_case_after_call(found.decision.case) | {
        "finished": outcome.finished,
        "games": outcome.games,
        "loses_all": outcome.loses_all,
        "loses_prize": outcome.loses_prize,
        "fates": [
            {"game": fate.game, "before": fate.before, "result": fate.result}
            for fate in outcome.fates
        ],
        "adjudications": [write_case_after_call(case) for case in found.adjudications],
    }
