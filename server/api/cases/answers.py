"""Response models of the desks' calls, the schemas in openapi.json (§ 6.4). Not for bodies."""

from datetime import date, datetime

from pydantic import ConfigDict

from server.api.frame.game_answers import Answer, Charge, Clock, Ledger


class Named(Answer):
    """A person by id and name."""

    id: int
    name: str


class CaseSummary(Answer):
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


class CaseList(Answer):
    """Cases, the earliest due first."""

    cases: list[CaseSummary]


class MailSeen(Answer):
    """An incoming mail about a game: when it arrived, and how it was handled."""

    id: int
    received: datetime
    peer: str
    mail_from: str
    outcome: str | None
    digest: str


class LetterSeen(Answer):
    """A letter about a game: when the recipient's mail server accepted it."""

    id: int
    kind: str
    to: str
    state: str
    sent: datetime | None


class CaseGame(Answer):
    """A game in the case; `disputed` lists the plies in dispute."""

    id: int
    name: str
    disputed: list[int]
    clock: Clock
    ledger: Ledger
    mails: list[MailSeen]
    letters: list[LetterSeen]


class Paper(Answer):
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


class Decision(Answer):
    """A decision by one instance; its fields are those of the decision's event."""

    model_config = ConfigDict(extra="allow")

    ref: str
    instance: str
    on: date
    is_annulled: bool


class Hearing(Answer):
    """Who was asked for a statement, by when, and who has answered."""

    until: date
    asked: list[int]
    answered: list[int]
    is_closed: bool


class History(Answer):
    """One event in the case's hash chain."""

    seq: int
    at: datetime
    actor: int | None
    event: dict[str, object]
    hash: str


class CaseDetail(CaseSummary):
    """A case in full; `can` lists what the caller may do now."""

    people: list[Named]
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


class CaseMade(Answer):
    """A case as it stands after the call."""

    id: int
    number: str
    stage: str
    instance: str


class Draft(Answer):
    """A decision's letter as it would be sent."""

    text: str


class Changed(Answer):
    """A ply in both accounts; `differs` names the values that differ."""

    ply: int
    differs: list[str]
    days: list[int | None]
    total: list[int | None]


class ChargeTried(Charge):
    """A charge, and whether the facts keep, remove or create it."""

    mark: str


class Tried(Answer):
    """The account compared with the supposed one; nothing is saved. Pairs are before and after."""

    on: date
    rows: list[Changed]
    charges: list[ChargeTried]
    white: list[int]
    black: list[int]
    outcome: list[str]
    annuls: list[str]
    effects: list[dict[str, object]]
    is_exact: bool
    clock: Clock


class LongGame(Answer):
    """A game that may be called in from the day `since`; `case` is set if it has been."""

    game: int
    name: str
    start: date
    since: date
    case: str | None


class LongGames(Answer):
    """Games running for 18 months or more, the longest first (§ 6.2.7)."""

    games: list[LongGame]


class Made(Answer):
    """The cases that were opened."""

    cases: list[CaseMade]


class Fate(Answer):
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


class Annulled(Answer):
    """The group whose start was undone."""

    group: str


class LiveSet(Answer):
    """The tournament's groups, and whether anybody may follow their running games."""

    groups: list[str]
    live: bool


class OfficeHeld(Answer):
    """An office holder; `id` is null if the office comes from the group's row or a role."""

    id: int | None
    person: Named
    office: str
    group: str | None


class Offices(Answer):
    """All office holders."""

    offices: list[OfficeHeld]
