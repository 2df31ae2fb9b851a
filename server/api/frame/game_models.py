"""Bodies and answers about games: the schemas in openapi.json, and reading a body strictly.

Models of other subjects are in the module of their area.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

import chess
from aiohttp import web
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from kskak.board.positions import side_to_move
from kskak.board.shapes import numeric
from kskak.game.game_events import Event, MoveSent
from kskak.ledger.ledger_files import JsonObject, JsonValue, overstep_json, running_json
from kskak.play.game_state import GameState, RecentPly
from kskak.regulation.editions import OverstepFinding, Result, Side
from kskak.values import is_line
from server.api.frame.problems import MEDIA_TYPE, ApiProblem, ApiProblemKind
from server.store.engine.rows import dump_json
from server.store.mail.outages import OutageState
from server.store.play.games import GameRow
from server.usecases.play.game_requests import GameRequestOutcome

# Request bodies: closed pydantic models, read strictly from JSON. Not for answers.

MOST_BYTES = 65_536
LONGEST_TEXT = 4_000
MOST_PLIES = 10_000
MOST_NUMBER = 2**53
"""The largest whole number that every program reads from JSON as it was written (RFC 7493)."""


class ApiBody(BaseModel):
    """Unknown fields and wrong types are faults; nothing is guessed.

    What checks one is made when the first comes, not at every start.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


def _one_line(text: str) -> str:
    if not is_line(text):
        raise ValueError("not one line, or turned around")
    return text


Line = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_one_line)]
"""A name: one line without control characters, and nothing that turns it around."""


_SEQ = (
    "The game's `seq` when the caller looked; refused as stale if the game was set back since."
    " Needed beside `ply` where another position has had as many plies"
)


class MovesBody(ApiBody):
    """A dispatch: a move in any notation, or a line as in a mail, with a proposed series."""

    text: str = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="A move in any notation, or a line such as `12. 2425 1625 13. 1118 4818`",
    )
    ply: int | None = Field(
        None,
        ge=0,
        le=MOST_PLIES,
        description="Plies played when the caller looked; refused as stale if it is another now",
    )
    seq: int | None = Field(None, ge=0, description=_SEQ)
    draw_offer: bool = Field(False, description="Offer a draw with the move")
    message: str | None = Field(
        None, max_length=LONGEST_TEXT, description="A word to the opponent, sent with the move"
    )


class DrawBody(ApiBody):
    """Answer a draw offer, or claim a draw with or without the move that brings it about."""

    action: Literal["accept", "decline", "claim"]
    intended: str | None = Field(
        None, min_length=1, max_length=40, description="Only with `claim`: the move, any notation"
    )


class NothingBody(ApiBody):
    """An empty body, which may be omitted."""


class ResignBody(ApiBody):
    """An empty body, which may be omitted."""


class LongThinkBody(ApiBody):
    """An empty body, which may be omitted."""


class ClaimBody(ApiBody):
    """Claim the opponent's overstep (the game rests until that is decided, § 6.4.1); or `waive`
    it and play on (§ 6.3.3.4); or `admit` one's own, which loses the game (§ 6.3.3.5)."""

    action: Literal["claim", "waive", "admit"] = "claim"


class _DaysBody(ApiBody):
    """A leave's first and last day."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_by_name=False)

    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]


class LeaveBody(_DaysBody):
    """Personal leave in all running games, both days included (§ 6.3.6)."""

    tournament: str | None = Field(
        None, min_length=1, max_length=200, description="Only in this tournament; else in all"
    )


class ShortenBody(_DaysBody):
    """The leave on these days now ends on ``until``; the opponents keep the announced stop."""

    until: date


class SpecialLeaveBody(ApiBody):
    """Special leave granted by the caller as the tournament's leader (§ 6.3.6.4, § 6.8.8)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_by_name=False)

    player: int = Field(ge=1, le=2**53, description="The player's number")
    tournament: str = Field(min_length=1, max_length=200)
    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]
    reason: str = Field("", max_length=1000, description="Why; told to the player alone")


class CardBody(ApiBody):
    """A post card of a postal game, entered by a party or the leader (§ 6.2.1, § 6.3.2)."""

    kind: Literal["move", "illegal", "illegible", "damaged", "resigns", "draw", "nothing"] = "move"
    corrects: int | None = Field(
        None, ge=1, description="The number of the wrong card whose place this takes; void then"
    )
    right_game: int | None = Field(
        None, description="With `corrects`: the game that the card belongs in, if another"
    )
    preview: bool = Field(False, description="Only say what it comes to; nothing is written")
    by: Literal["white", "black"] = Field(description="Who sent the card")
    ply: int | None = Field(
        None, ge=0, le=MOST_PLIES, description="Plies played; guards as for moves"
    )
    seq: int | None = Field(None, ge=0, description=_SEQ)
    text: str = Field("", max_length=LONGEST_TEXT, description="The moves that stand on the card")
    draw_offer: bool = False
    postmark: date | None = Field(None, description="Left out: illegible")
    receipt: date | None = Field(None, description="The posting receipt's date")
    stated: date | None = Field(None, description="The sender's own date of sending")
    received: date | None = Field(None, description="When he had the move he answers, as he states")
    arrived: date | None = Field(None, description="When the card came to the opponent")
    note: str = Field("", max_length=LONGEST_TEXT)
    scan: str | None = Field(None, description="A picture, PNG, JPEG or PDF up to 5 MB, in Base64")


class ReceiptBody(ApiBody):
    """The day on which the opponent's card arrived (§ 6.2.1)."""

    on: date


class EmailBody(ApiBody):
    """Agree or disagree to moves by e-mail in a postal game (§ 6.2.1)."""

    agrees: bool


class AddressBody(ApiBody):
    """A postal address as written on a card, line by line; no lines remove it (§ 6.2.1)."""

    lines: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=12)]


B = TypeVar("B", bound=ApiBody)

_WORDED = frozenset({"missing", "extra_forbidden", "int_type", "string_type", "bool_type",
                     "literal_error", "string_too_short", "string_too_long"})  # fmt: skip
_DATES = frozenset({"date_type", "date_from_datetime_parsing", "date_parsing",
                    "date_from_datetime_inexact"})  # fmt: skip


def parse(model: type[B], raw: bytes) -> B:
    """The body of a call. Raises Problem for invalid JSON, or naming each faulty field."""
    try:
        body = model.model_validate_json(raw)
    except ValidationError as error:
        raise _problem(error) from None
    # The model knows nothing of a name that came twice: its last value would count, unsaid.
    if faults := [*_find_unusable_fields(json.loads(raw, object_pairs_hook=tuple))]:
        raise bad_fields(faults)
    return body


def _find_unusable_fields(value: object, at: str = "") -> Iterator[tuple[str, str]]:
    """Fields that came twice, and what no database keeps; an object is a tuple of its pairs."""
    match value:
        case tuple():
            named = set[str]()
            for name, one in value:
                here = at + _pointer((name,))
                if name in named:
                    yield here, "twice"
                named.add(name)
                yield from _find_unusable_fields(one, here)
        case list():
            for index, one in enumerate(value):
                yield from _find_unusable_fields(one, f"{at}/{index}")
        case str() if "\0" in value:
            yield at, "not_allowed"
        case int() if abs(value) > MOST_NUMBER:
            yield at, "not_allowed"


def _problem(error: ValidationError) -> ApiProblem:
    found = error.errors(include_url=False, include_input=False)
    if any(fault["type"] == "json_invalid" for fault in found):
        return ApiProblem(ApiProblemKind.BAD_JSON)
    return bad_fields([(_pointer(fault["loc"]), _code(fault["type"])) for fault in found])


def bad_fields(faults: Sequence[tuple[str, str]], said: str = "") -> ApiProblem:
    """The problem for faulty fields, each a pointer and a code; ``said``: what to write instead."""
    values = {"places": ", ".join(place for place, _ in faults), "said": said}
    return ApiProblem(ApiProblemKind.BAD_FIELDS, values=values, faults=faults)


def _pointer(loc: tuple[int | str, ...]) -> str:
    return "".join(f"/{str(step)[:80].replace('~', '~0').replace('/', '~1')}" for step in loc)


def _code(kind: str) -> str:
    if kind in _DATES:
        return "no_date"
    return kind if kind in _WORDED else "not_allowed"


EMPTY = b"{}"


# Response models of the API: the schemas in openapi.json, against which tests check answers.

ResultText = Result | Literal["*"]
Numeric = str  # a move in numeric notation, such as `5254` or `6758(1)`


class ApiAnswer(BaseModel):
    """Fields may be added but never removed.

    Only the description reads these models, so they are built for it, not at every start.
    """

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True, defer_build=True)


def answer_model(name: str, said: str, /, **fields: Any) -> type[ApiAnswer]:
    """An answer of few fields, each with its type, or with the type and ``at``."""
    parts: dict[str, Any] = {
        key: one if isinstance(one, tuple) else (one, ...) for key, one in fields.items()
    }
    made: type[ApiAnswer] = create_model(name, __base__=ApiAnswer, __doc__=said, **parts)
    return made


class Exempt(ApiAnswer):
    """Days that were not charged, both ends included, and why."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    days: int
    paragraph: str
    reason: str


class Totals(ApiAnswer):
    """Days used by each player."""

    white: int
    black: int


class RunningAccount(ApiAnswer):
    """The account of the side to move; `days` and `total` only when a day was requested."""

    by: Side
    since: date
    limit: int
    flag_on: date | None
    days: int | None = None
    total: int | None = None
    exempt: list[Exempt] | None = None


class Overstep(ApiAnswer):
    """Time exceeded: by whom, against which limit, and with what finding (§ 6.3.3)."""

    by: Side
    move: int
    limit: int
    used: int
    on: date
    finding: OverstepFinding


class MoveMade(ApiAnswer):
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


class Charge(ApiAnswer):
    """Days added on top of the reflection days; negative if annulled."""

    by: Side
    on: date
    days: int
    paragraph: str
    reason: str


class Remark(ApiAnswer):
    """A remark on an entry of the ledger."""

    entry: int
    code: str


class OutageTold(ApiAnswer):
    """An outage of the server or its mail by whose days nobody is late while it is not settled.

    ``lasting``: ``to`` is null; ``declined``: the days count, ``by`` and ``word`` say who decided
    that and why (§ 6.8.5).
    """

    standing: OutageState
    first: date = Field(alias="from")
    last: date | None = Field(alias="to")
    by: str | None
    word: str | None


class Clock(ApiAnswer):
    """kskak-clock/1: the reflection-time account of a game."""

    format: Literal["kskak-clock/1"]
    moves: list[ClockMove]
    charges: list[Charge]
    totals: Totals
    to_move: Side | None
    running: RunningAccount | None
    proposal: list[Numeric]
    overstep: Overstep | None
    warnings: list[Remark]
    result: ResultText
    fen: str
    awaits_decision: bool = False
    outages: list[OutageTold] | None = None


class LedgerEntry(ApiAnswer):
    """What happened; the other fields depend on `kind`."""

    model_config = ConfigDict(extra="allow")

    kind: Literal[
        "move", "leave", "pause", "receipt", "long_think", "reminder", "tl_notified", "invalid",
        "claim", "charge", "result", "correction", "set_time", "resume", "resign", "draw",
    ]  # fmt: skip


class Ledger(ApiAnswer):
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


class GameStateAnswer(ApiAnswer):
    """A game as it stands."""

    game: int
    seq: int
    ply: int
    to_move: Side | None
    result: ResultText
    totals: Totals
    running: RunningAccount | None
    proposal: list[Numeric]
    draw_offer: Side | None
    overstep: Overstep | None
    fen: str


class CommandDone(GameStateAnswer):
    """An executed command: the plies it made (none for a resignation) and the days it cost."""

    moves: list[MoveMade]
    days: int


class CardDone(CommandDone):
    """An entered card: `card` is the number of its event."""

    card: int


class GameDetail(GameStateAnswer):
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


class GameSummary(ApiAnswer):
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


class GameList(ApiAnswer):
    """Games, the most urgent first; for all games, one page and the address of the next."""

    games: list[GameSummary]
    next: str | None = None


class OwnAddress(ApiAnswer):
    """The caller's own postal address, line by line; empty if there is none."""

    lines: list[str]


class PlayerAddress(ApiAnswer):
    """A player's postal address; `since`: the day it was given, null if there is none."""

    person: int
    name: str
    lines: list[str]
    since: date | None


class AddressList(ApiAnswer):
    """The addresses of a postal game's players that the caller may see."""

    addresses: list[PlayerAddress]


class LeaveDone(ApiAnswer):
    """Booked leave: the groups, and how many games; ``refused``: groups that refused it."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    groups: list[str]
    games: int
    refused: list[str]


class FieldFault(ApiAnswer):
    """A faulty field: a JSON pointer, or the name of a parameter or header."""

    pointer: str
    code: str
    detail: str


class ReasonTold(ApiAnswer):
    """One reason for a refusal, with its paragraph."""

    code: str
    paragraph: str


class RaiseCase(ApiAnswer):
    """The case that a refused claim can become: `body` is posted to `href`."""

    href: str
    paragraphs: list[str]
    body: dict[str, int | str]


class ProblemDocument(ApiAnswer):
    """RFC 9457. `paragraph` is set when a rule refuses, and `law` leads to its document; other
    members depend on the type."""

    type: str
    title: str
    status: int
    detail: str
    paragraph: str | None = None
    law: str | None = None
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


# Answers as plain JSON values, built from a state or a view; the shapes are above.

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
NOTHING: Mapping[str, str] = {}


def json_response(value: JsonObject, status: int = 200) -> web.Response:
    """An answer that must not be cached."""
    return text_response(status, dump_json(value))


def has_version(request: web.Request, etag: str) -> bool:
    """Whether the caller says that he has this version (If-None-Match)."""
    asked = request.headers.get("If-None-Match", "")
    return asked == "*" or etag in (one.strip().removeprefix("W/") for one in asked.split(","))


def text_response(status: int, body: str, headers: Mapping[str, str] = NOTHING) -> web.Response:
    """An answer with a finished body; a problem document if it is a refusal."""
    return web.Response(
        status=status,
        body=body.encode(),
        content_type="application/json" if status < web.HTTPBadRequest.status_code else MEDIA_TYPE,
        headers={**HEADERS, **headers},
    )


def _value(word: StrEnum | None) -> str | None:
    return None if word is None else word.value


def item(game: GameRow, person_id: int) -> JsonObject:
    """A game in a list, for one reader: from its row, without reading the ledger."""
    to_move = {game.white_id: Side.WHITE, game.black_id: Side.BLACK}.get(game.to_move_id or 0)
    return {
        "id": game.id, "name": game.name, "white": game.white, "black": game.black,
        "ply": game.ply, "to_move": _value(to_move), "mine": _value(game.side_of(person_id)),
        "flag_on": game.flag_on, "result": game.result or "*",
    }  # fmt: skip


def write_game_state(game_id: int, seq: int, state: GameState) -> JsonObject:
    """A game as it stands: computed from the state alone."""
    to_move = state.to_move
    return {
        "game": game_id, "seq": seq, "ply": state.position.ply, "to_move": _value(to_move),
        "result": "*" if state.result is None else state.result.value,
        "totals": {"white": state.white.total, "black": state.black.total},
        "running": running_json(state.running()), "draw_offer": _value(state.draw_offer),
        "proposal": [numeric(move) for move in state.proposal] if to_move is not None else [],
        "overstep": overstep_json(state.overstep), "fen": state.board.fen(),
    }  # fmt: skip


def write_command_result(answer: GameRequestOutcome, side: Side) -> JsonObject:
    """What a command did: the plies it made, the days it cost its player, the resulting game."""
    before, after = answer.before, answer.state
    return write_game_state(answer.game.id, answer.seq, after) | {
        "moves": _list_new_plies(before, after, answer.events),
        "days": after.clock(side).total - before.clock(side).total,
    }


def _list_new_plies(
    before: GameState, after: GameState, events: Sequence[Event]
) -> list[JsonValue]:
    """The plies between two states, including the bound answer of a series (§ 6.2.5)."""
    plies = after.position.ply - before.position.ply
    if not plies:
        return []
    made = after.recent[-plies:]
    if len(made) < plies:
        moves = [move for event in events if isinstance(event, MoveSent) for move in event.plies]
        made = (*_forgotten(before, moves[: plies - len(made)]), *made)
    return [
        {
            "ply": at, "number": ply.number, "by": ply.by.value, "move": numeric(ply.move),
            "san": ply.san,
        }
        for at, ply in enumerate(made, before.position.ply + 1)
    ]  # fmt: skip


def _forgotten(before: GameState, moves: Sequence[chess.Move]) -> Iterator[RecentPly]:
    """The first plies of a dispatch that is longer than a state remembers."""
    board = before.board.copy(stack=False)
    for move in moves:
        yield RecentPly(board.fullmove_number, side_to_move(board), move, board.san(move))
        board.push(move)
