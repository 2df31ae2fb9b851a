"""What the desks' calls answer, as models: the schemas of openapi.json (§ 6.4). NOT bodies."""

from datetime import date, datetime

from pydantic import ConfigDict

from server.api.frame.game_answers import Answer, Charge, Clock, Ledger


class Named(Answer):
    """A person by id and name."""

    id: int
    name: str


class CaseSummary(Answer):
    """A case in a list; `due`: the next day that matters."""

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
    """Cases, what is due first."""

    cases: list[CaseSummary]


class MailSeen(Answer):
    """A mail that came in about a game: when it reached us, and what became of it."""

    id: int
    received: datetime
    peer: str
    mail_from: str
    outcome: str | None
    digest: str


class LetterSeen(Answer):
    """A letter about a game: when the reader's mail server took it."""

    id: int
    kind: str
    to: str
    state: str
    sent: datetime | None


class CaseGame(Answer):
    """A game of the case; `disputed` are the plies that the dispute turns on."""

    id: int
    name: str
    disputed: list[int]
    clock: Clock
    ledger: Ledger
    mails: list[MailSeen]
    letters: list[LetterSeen]


class Paper(Answer):
    """A paper of the case; `text` of text papers, None of others and of removed ones.

    `size` in octets, None when it was removed; the octets themselves are at `/papers/{id}`.
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
    """A decision of one instance; its fields are those of the decision's own event."""

    model_config = ConfigDict(extra="allow")

    ref: str
    instance: str
    on: date
    is_annulled: bool


class Hearing(Answer):
    """Who was asked for his word, until when, who has given it."""

    until: date
    asked: list[int]
    answered: list[int]
    is_closed: bool


class History(Answer):
    """One event of the case, chained."""

    seq: int
    at: datetime
    actor: int | None
    event: dict[str, object]
    hash: str


class CaseDetail(CaseSummary):
    """A case whole; `can` names what the caller may do now."""

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
    """A case as it stands after what was done."""

    id: int
    number: str
    stage: str
    instance: str


class Draft(Answer):
    """A decision's letter as it would be sent."""

    text: str


class Changed(Answer):
    """A ply in both accounts; `differs` names what does."""

    ply: int
    differs: list[str]
    days: list[int | None]
    total: list[int | None]


class ChargeTried(Charge):
    """A charge, and whether the facts leave it, take it away or make it."""

    mark: str


class Tried(Answer):
    """The account beside the supposed one; nothing is saved. Pairs are before and after."""

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
    """A game that may be called in since a day; `case` when it was."""

    game: int
    name: str
    start: date
    since: date
    case: str | None


class LongGames(Answer):
    """Games of 18 months and more, the longest first (§ 6.2.7)."""

    games: list[LongGame]


class Made(Answer):
    """Cases that were opened."""

    cases: list[CaseMade]


class Fate(Answer):
    """What becomes of a game; no `result`: it goes to adjudication."""

    game: int
    before: str | None
    result: str | None


class Withdrawn(CaseMade):
    """What § 6.2.8 made of a withdrawal."""

    finished: int
    games: int
    loses_all: bool
    loses_prize: bool
    fates: list[Fate]
    adjudications: list[CaseMade]


class Annulled(Answer):
    """The group whose start was taken back."""

    group: str


class LiveSet(Answer):
    """The groups of the tournament, and whether everybody may follow their running games."""

    groups: list[str]
    live: bool


class OfficeHeld(Answer):
    """Somebody in office; no `id`: by the group's own row or the person's role."""

    id: int | None
    person: Named
    office: str
    group: str | None


class Offices(Answer):
    """Everybody in office."""

    offices: list[OfficeHeld]
