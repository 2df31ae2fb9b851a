"""Response models of the API: the schemas in openapi.json, against which tests check answers.

Answers are built as plain JSON (json_answer.py). Not for request bodies (body.py).
"""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kskak.regulation.quantities import Finding, Result, Side
from server.store.mail.outages import Standing as OutageStanding

ResultText = Result | Literal["*"]
Numeric = str  # a move in numeric notation, such as `5254` or `6758(1)`


class Answer(BaseModel):
    """Fields may be added but never removed.

    Only the description reads these models, so they are built for it, not at every start.
    """

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True, defer_build=True)


class Exempt(Answer):
    """Days that were not charged, both ends included, and why."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    days: int
    paragraph: str
    reason: str


class Totals(Answer):
    """Days used by each player."""

    white: int
    black: int


class Running(Answer):
    """The account of the side to move; `days` and `total` only when a day was requested."""

    by: Side
    since: date
    limit: int
    flag_on: date | None
    days: int | None = None
    total: int | None = None
    exempt: list[Exempt] | None = None


class Overstep(Answer):
    """Time exceeded: by whom, against which limit, and with what finding (§ 6.3.3)."""

    by: Side
    move: int
    limit: int
    used: int
    on: date
    finding: Finding


class MoveMade(Answer):
    """One ply of a dispatch."""

    ply: int
    number: int
    by: Side
    move: Numeric
    san: str


class ClockMove(MoveMade):
    """One ply of the account; a series' inner plies have no dates."""

    received: date | None
    sent: date | None
    days: int
    total: int
    exempt: list[Exempt]


class Charge(Answer):
    """Days added on top of the reflection days; negative if annulled."""

    by: Side
    on: date
    days: int
    paragraph: str
    reason: str


class Remark(Answer):
    """A remark on an entry of the ledger."""

    entry: int
    code: str


class OutageTold(Answer):
    """An outage of the server or its mail by whose days nobody is late while it is not settled.

    ``lasting``: ``to`` is null; ``declined``: the days count, ``by`` and ``word`` say who decided
    that and why (§ 6.8.5).
    """

    standing: OutageStanding
    first: date = Field(alias="from")
    last: date | None = Field(alias="to")
    by: str | None
    word: str | None


class Clock(Answer):
    """kskak-clock/1: the reflection-time account of a game."""

    format: Literal["kskak-clock/1"]
    moves: list[ClockMove]
    charges: list[Charge]
    totals: Totals
    to_move: Side | None
    running: Running | None
    proposal: list[Numeric]
    overstep: Overstep | None
    warnings: list[Remark]
    result: ResultText
    fen: str
    awaits_decision: bool = False
    outages: list[OutageTold] | None = None


class LedgerEntry(Answer):
    """What happened; the other fields depend on `kind`."""

    model_config = ConfigDict(extra="allow")

    kind: Literal[
        "move", "leave", "pause", "receipt", "long_think", "reminder", "tl_notified", "invalid",
        "claim", "charge", "result", "correction", "set_time", "resume", "resign", "draw",
    ]  # fmt: skip


class Ledger(Answer):
    """kskak-ledger/1: what happened in a game, in order."""

    format: Literal["kskak-ledger/1"]
    game: str
    regulation: Literal["postal", "email"]
    laws: Literal[2009, 2014, 2018]
    start: date
    white: str
    black: str
    fen: str | None
    entries: list[LedgerEntry]


class Standing(Answer):
    """A game as it stands."""

    game: int
    seq: int
    ply: int
    to_move: Side | None
    result: ResultText
    totals: Totals
    running: Running | None
    proposal: list[Numeric]
    draw_offer: Side | None
    overstep: Overstep | None
    fen: str


class Done(Standing):
    """An executed command: the plies it made (none for a resignation) and the days it cost."""

    moves: list[MoveMade]
    days: int


class CardDone(Done):
    """An entered card: `card` is the number of its event."""

    card: int


class GameDetail(Standing):
    """A game with all its moves."""

    name: str
    group: str
    tournament: str
    round: int
    regulation: Literal["postal", "email"]
    start: date
    white: str
    black: str
    tl: str
    mine: Side | None
    moves: list[ClockMove]
    outages: list[OutageTold]


class GameSummary(Answer):
    """A game in a list."""

    id: int
    name: str
    white: str
    black: str
    ply: int
    to_move: Side | None
    mine: Side | None
    flag_on: date | None
    days_left: int | None = None
    result: ResultText


class GameList(Answer):
    """Games, the most urgent first; for all games, one page and the address of the next."""

    games: list[GameSummary]
    next: str | None = None


class OwnAddress(Answer):
    """The caller's own postal address, line by line; empty if there is none."""

    lines: list[str]


class PlayerAddress(Answer):
    """A player's postal address; `since`: the day it was given, null if there is none."""

    person: int
    name: str
    lines: list[str]
    since: date | None


class AddressList(Answer):
    """The addresses of a postal game's players that the caller may see."""

    addresses: list[PlayerAddress]


class LeaveBooked(Answer):
    """Booked leave: the groups, and how many games; ``refused``: groups that refused it."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    groups: list[str]
    games: int
    refused: list[str]


class FieldFault(Answer):
    """A faulty field: a JSON pointer, or the name of a parameter or header."""

    pointer: str
    code: str
    detail: str


class ReasonTold(Answer):
    """One reason for a refusal, with its paragraph."""

    code: str
    paragraph: str


class RaiseCase(Answer):
    """The case that a refused claim can become: `body` is posted to `href`."""

    href: str
    paragraphs: list[str]
    body: dict[str, int | str]


class ProblemDocument(Answer):
    """RFC 9457. `paragraph` is set when a rule refuses; other members depend on the type."""

    type: str
    title: str
    status: int
    detail: str
    paragraph: str | None = None
    earliest: date | None = None
    latest: date | None = None
    given: date | None = None
    days: int | None = None
    candidates: list[Numeric] | None = None
    text: str | None = None
    game: str | None = None
    reasons: list[ReasonTold] | None = None
    errors: list[FieldFault] | None = None
    raise_case: RaiseCase | None = None
