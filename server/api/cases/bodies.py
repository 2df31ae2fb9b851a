"""Request bodies of the desks: cases, decisions, suppositions, offices (§ 6.4). Not for answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from kskak.cases.events import CaseKind
from server.api.frame.body import LONGEST_TEXT, Body

LONG = 20_000
MOST = 500
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Paragraph = Annotated[str, Field(min_length=1, max_length=20)]
Person = Annotated[int, Field(ge=1)]
Ref = Annotated[str, Field(min_length=1, max_length=40)]


class _Strict(Body):
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
