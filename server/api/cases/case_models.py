"""Cases in openapi.json: the bodies of the desks' calls, their answers, and building these."""

import json
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import (
    AliasChoices,
    AliasPath,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    ValidationInfo,
    WrapValidator,
)

from kskak.cases.case_events import CaseKind
from kskak.ledger.ledger_files import clock_json, ledger_json
from mail.office_letters.case_letters import question_text
from mail.text.catalogue import Words
from server.api.frame.area import at
from server.api.frame.game_models import (
    LONGEST_TEXT,
    ApiAnswer,
    ApiBody,
    Charge,
    Clock,
    Ledger,
    answer_model,
)
from server.store.engine.rows import from_us

# Response models of the desks' calls, the schemas in openapi.json (§ 6.4). Not for bodies.


def _in_words(question: str, info: ValidationInfo) -> str:
    """A case's question in the caller's language, which is the validation's context."""
    assert isinstance(info.context, Words)
    return question_text(question, info.context)


Instant = Annotated[datetime, BeforeValidator(from_us), PlainSerializer(lambda at: at.isoformat())]
Digest = Annotated[str, BeforeValidator(lambda digest: bytes(digest).hex())]
_RAW = PlainSerializer(lambda value: value)
"""Written as it is: what the model says of it is its description."""


class PersonName(ApiAnswer):
    """A person by id and name."""

    # Read off the person, or off a row that tells whose it is.
    id: int = Field(validation_alias=AliasChoices("person_id", "id"))
    name: str = Field(validation_alias=AliasChoices("player", "name"))


class CaseSummary(ApiAnswer):
    """A case in a list; `due` is the next relevant day."""

    id: int
    number: str
    kind: str
    stage: str = at("state")
    instance: str
    group: str
    game: str | None
    question: Annotated[str, BeforeValidator(_in_words)]
    is_suspended: bool
    due: Annotated[date, BeforeValidator(lambda us: from_us(us).date())] | None = at("due_us")
    opened: Instant = at("opened_us")
    closed: Instant | None = at("closed_us")


CaseList = answer_model("CaseList", "Cases, the earliest due first.", cases=list[CaseSummary])


class MailSeen(ApiAnswer):
    """An incoming mail about a game: when it arrived, and how it was handled."""

    id: int
    received: Instant = at("received_us")
    peer: str
    mail_from: str
    outcome: str | None
    digest: Digest


class LetterSeen(ApiAnswer):
    """A letter about a game: when the recipient's mail server accepted it."""

    id: int
    kind: str
    to: str = at("to_addr")
    state: str
    sent: Instant | None = at("sent_us")


class CaseGame(ApiAnswer):
    """A game in the case; `disputed` lists the plies in dispute."""

    id: int = at("view", "game", "id")
    name: str = at("view", "game", "name")
    disputed: Annotated[list[int], BeforeValidator(sorted)]
    clock: Annotated[Clock, WrapValidator(lambda account, _: clock_json(account)), _RAW] = at(
        "view", "account"
    )
    ledger: Annotated[
        Ledger, WrapValidator(lambda view, _: ledger_json(view.game.terms, view.events)), _RAW
    ] = at("view")
    mails: list[MailSeen]
    letters: list[LetterSeen]


class Paper(ApiAnswer):
    """A paper in the case; `text` is set for text papers, None for others and for removed ones.

    `size` is in octets, None if it was removed; the octets themselves are at `/papers/{id}`.
    """

    id: int
    kind: str
    person: int | None = Field(validation_alias="person_id")
    title: str
    media_type: str
    at: Instant = Field(validation_alias="at_us")
    digest: Digest
    size: int | None
    text: str | None


class DecisionSeen(ApiAnswer):
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

    seq: int = Field(validation_alias=AliasPath("row", "seq"))
    at: Instant = Field(validation_alias=AliasPath("row", "at_us"))
    actor: int | None = Field(validation_alias=AliasPath("row", "actor_id"))
    event: Annotated[dict[str, object], BeforeValidator(json.loads)] = Field(
        validation_alias=AliasPath("row", "body")
    )
    hash: Digest = Field(validation_alias=AliasPath("row", "hash"))


class CaseDetail(CaseSummary):
    """A case in full; `can` lists what the caller may do now.

    `deposits`: of appeals to the Board, `fee` in øre and null while it is not known (§ 6.4.3);
    `panel`: who sits at the Board, a substitute `instead_of` whom and why (§ 1.3.9).
    """

    people: list[PersonName]
    parties: list[int]
    concerned: list[int]
    claimant: int | None
    paragraphs: list[str]
    games: list[CaseGame]
    papers: list[Paper]
    decisions: list[Annotated[DecisionSeen, WrapValidator(lambda value, _: value), _RAW]]
    hearing: Hearing | None
    suspended: list[int]
    deposits: list[dict[str, object]]
    panel: list[dict[str, object]]
    appeal_until: date | None
    next_ref: str
    can: list[str]
    history: list[History]


class CaseMade(ApiAnswer):
    """A case as it stands after the call."""

    id: int
    number: str
    stage: str = at("state")
    instance: str


Draft = answer_model("Draft", "A decision's letter as it would be sent.", text=str)


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
    clock: Annotated[Clock, WrapValidator(lambda account, _: clock_json(account)), _RAW]


class LongGame(ApiAnswer):
    """A game that may be called in from the day `since`; `case` is set if it has been."""

    game: int = at("game", "id")
    name: str = at("game", "name")
    start: date
    since: date
    case: Annotated[str | None, BeforeValidator(lambda case: case and case.number)]


class LongGames(ApiAnswer):
    """Games running for 18 months or more, the longest first (§ 6.2.7)."""

    games: list[LongGame]


CasesMade = answer_model("CasesMade", "The cases that were opened.", cases=list[CaseMade])


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


GroupStartAnnulled = answer_model(
    "GroupStartAnnulled", "The group whose start was undone.", group=str
)


class LiveSet(ApiAnswer):
    """The tournament's groups, and whether anybody may follow their running games."""

    groups: list[str]
    live: bool


class ProgramsSet(ApiAnswer):
    """The tournament's groups, and whether programs may move in them."""

    groups: list[str]
    programs: bool


class OfficeHeld(ApiAnswer):
    """An office holder; `id` is null if the office comes from the group's row or a role."""

    id: int | None
    person: PersonName
    office: str
    group: str | None


Offices = answer_model("Offices", "All office holders.", offices=list[OfficeHeld])


# Request bodies of the desks: cases, decisions, suppositions, offices (§ 6.4). Not for answers.

LONG = 20_000
MOST = 500
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Paragraph = Annotated[str, Field(min_length=1, max_length=20)]
Person = Annotated[int, Field(ge=1)]
Ref = Annotated[str, Field(min_length=1, max_length=40)]
Games = Annotated[tuple[int, ...], Field(max_length=MOST)]
People = Annotated[tuple[Person, ...], Field(max_length=MOST)]


class CaseBody(ApiBody):
    """An objection in a `game` (§ 6.4.1), or about a `person` and all his games in a `group`.

    A `question` to the Board in general terms names a `group`, or a `game` of it (§ 1.3.9).
    """

    game: int | None = None
    group: Annotated[int, Field(ge=1)] | None = None
    person: Person | None = None
    kind: CaseKind
    text: Text


class StatementBody(ApiBody):
    """A statement in the case; the others are notified."""

    text: Annotated[str, Field(min_length=1, max_length=LONG)]
    title: Annotated[str, Field(max_length=200)] = ""


class PaperBody(ApiBody):
    """A file added to the case; the others are notified (§ 6.3.3.5)."""

    kind: Literal["evidence", "scan"] = "evidence"
    title: Annotated[str, Field(max_length=200)] = ""
    file: Annotated[str, Field(min_length=1, description="PNG, JPEG or PDF up to 5 MB, in Base64")]


class WidenBody(ApiBody):
    """Games and players of the group to add to the case; a game brings its players with it."""

    games: Games = Field(default_factory=tuple)
    parties: People = Field(default_factory=tuple)


class HearingBody(ApiBody):
    """Ask the parties to answer by a day (included), or close the hearing with a reason."""

    action: Literal["ask", "close"]
    until: date | None = None
    asked: People = Field(default_factory=tuple)
    reason: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class SuspensionBody(ApiBody):
    """Stop the clock in games of the case, or let it run again (§ 6.4.1)."""

    action: Literal["suspend", "lift"]
    games: Games = Field(default_factory=tuple)


class CloseBody(ApiBody):
    """End a case without a decision: settled, with a note, or withdrawn by the claimant."""

    action: Literal["settle", "withdraw"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class DepositBody(ApiBody):
    """What the appellant says he paid to the Board: øre, day and payment reference (§ 6.4.3)."""

    amount: Annotated[int, Field(ge=1, le=10**9)]
    on: date
    reference: Annotated[str, Field(min_length=1, max_length=200)]


class AppealBody(ApiBody):
    """An appeal in writing against the latest decision, or `take_back` to withdraw it (§ 6.4.3).

    An official enters one received by post: `by` is the appellant, `on` the day it arrived.
    """

    action: Literal["appeal", "take_back"] = "appeal"
    text: Annotated[str, Field(max_length=LONG)] = ""
    deposit: DepositBody | None = None
    by: int | None = None
    on: date | None = None


class VoteBody(ApiBody):
    """A vote in the Board: the appellants to uphold, none to let the decision stand (§ 1.3.9)."""

    upholds: Annotated[tuple[Person, ...], Field(max_length=50)] = Field(default_factory=tuple)
    text: Annotated[str, Field(max_length=LONG)] = ""


class ExcuseBody(ApiBody):
    """A member of the Board is prevented or recused in the case; a substitute sits (§ 1.3.9)."""

    member: Person
    reason: Text


class PublishBody(ApiBody):
    """What the Board publishes of its decision, without names (§ 1.3.9)."""

    facts: Annotated[str, Field(min_length=1, max_length=1000)]
    decided: Annotated[str, Field(min_length=1, max_length=1000)]


class DepositNoteBody(ApiBody):
    """A deposit received or paid back; `amount` in øre for one received (§ 6.4.3)."""

    action: Literal["received", "paid_back"]
    person: Person
    on: date
    amount: Annotated[int, Field(ge=1, le=10**9)] | None = None
    reference: Annotated[str, Field(max_length=200)] = ""


class FactBody(ApiBody):
    """A finding of fact in words."""

    paragraph: Paragraph
    text: Text


class GameOrderBody(ApiBody):
    """What a decision does to a game: `effect` has the form of a kskak-ledger/1 entry."""

    game: int
    effect: dict[str, JsonValue]


class SanctionBody(ApiBody):
    """A sanction on a person; `months` for a quarantine only (§ 6.4.2)."""

    person: Person
    kind: Literal["warning", "quarantine", "expulsion"]
    months: Annotated[int, Field(ge=1, le=1200)] | None = None


class DecisionBody(ApiBody):
    """A decision by the instance that has the case; `text` is the letter as edited.

    `appeal` ends an appeal without deciding the matter, and nothing else is ordered (§ 6.4.3).
    `lets_stand` names rulings of other cases that stay as they are though they rest on what is
    annulled, and what a sanction would take (`entry-12-`), with `stands_why`; from `resume` all
    games go on that it opens again (today if it is left out). `fresh` names the games that go on
    without the days used on the move.
    """

    paragraphs: Annotated[tuple[Paragraph, ...], Field(min_length=1, max_length=50)]
    reasons: Annotated[str, Field(min_length=1, max_length=LONG)]
    facts: Annotated[tuple[FactBody, ...], Field(max_length=100)] = Field(default_factory=tuple)
    games: Annotated[tuple[GameOrderBody, ...], Field(max_length=MOST)] = Field(
        default_factory=tuple
    )
    sanctions: Annotated[tuple[SanctionBody, ...], Field(max_length=100)] = Field(
        default_factory=tuple
    )
    annuls: Annotated[tuple[Ref, ...], Field(max_length=50)] = Field(default_factory=tuple)
    restores: Annotated[tuple[Ref, ...], Field(max_length=50)] = Field(default_factory=tuple)
    grants: Annotated[tuple[Person, ...], Field(max_length=50)] = Field(default_factory=tuple)
    prizes_lost: Annotated[tuple[Person, ...], Field(max_length=50)] = Field(default_factory=tuple)
    appeal: Literal["sent_back", "dismissed", "incompetent"] | None = None
    lets_stand: Annotated[tuple[Ref, ...], Field(max_length=50)] = Field(default_factory=tuple)
    stands_why: Annotated[str, Field(max_length=2000)] = ""
    resume: date | None = None
    fresh: Games = Field(default_factory=tuple)
    text: Annotated[str, Field(min_length=1, max_length=LONG)] | None = None


class WhatIfBody(ApiBody):
    """Facts to try on a game, each a `kind` with its fields; nothing is saved."""

    supposed: Annotated[list[dict[str, JsonValue]], Field(max_length=100)]
    on: date | None = None


class AnnounceBody(ApiBody):
    """A player leaves the group; without `player`, the caller does (§ 6.2.8)."""

    text: Text
    player: Person | None = None


class WithdrawalBody(ApiBody):
    """The ruling on a withdrawal case (§ 6.2.8); `text` is the letter as edited."""

    has_reason: bool
    reasons: Annotated[str, Field(min_length=1, max_length=LONG)]
    is_silent: bool = False
    quarantine_months: Annotated[int, Field(ge=1, le=1200)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONG)] | None = None


class AnnulBody(ApiBody):
    """Why the start is undone."""

    reason: Text


class LiveBody(ApiBody):
    """Whether anybody may follow the running games of the group's tournament."""

    live: bool


class ProgramsBody(ApiBody):
    """Whether programs may move in the running games of the group's tournament."""

    programs: bool


class CallInBody(ApiBody):
    """Games to call in for adjudication, many at once (§ 6.2.7)."""

    games: Annotated[tuple[int, ...], Field(min_length=1, max_length=MOST)]


class OfficeBody(ApiBody):
    """An appointment; without `group` it applies everywhere (§ 6.1.1)."""

    person: Person
    office: Literal["tl", "deputy", "kc", "board", "substitute", "captain", "admin"]
    group: Annotated[int, Field(ge=1)] | None = None


class DismissBody(ApiBody):
    """An empty body, which may be omitted."""
