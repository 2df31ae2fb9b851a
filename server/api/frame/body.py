"""Request bodies: closed pydantic models, read strictly from JSON. Not for answers."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from kskak.values.names import is_line
from server.api.frame.problems import Kind, Problem

MOST_BYTES = 65_536
LONGEST_TEXT = 4_000
MOST_PLIES = 10_000
MOST_NUMBER = 2**53
"""The largest whole number that every program reads from JSON as it was written (RFC 7493)."""


class Body(BaseModel):
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


class MovesBody(Body):
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


class DrawBody(Body):
    """Answer a draw offer, or claim a draw with or without the move that brings it about."""

    action: Literal["accept", "decline", "claim"]
    intended: str | None = Field(
        None, min_length=1, max_length=40, description="Only with `claim`: the move, any notation"
    )


class NothingBody(Body):
    """An empty body, which may be omitted."""


class ResignBody(Body):
    """An empty body, which may be omitted."""


class LongThinkBody(Body):
    """An empty body, which may be omitted."""


class ClaimBody(Body):
    """Claim the opponent's overstep (the game rests until that is decided, § 6.4.1); or `waive`
    it and play on (§ 6.3.3.4); or `admit` one's own, which loses the game (§ 6.3.3.5)."""

    action: Literal["claim", "waive", "admit"] = "claim"


class LeaveBody(Body):
    """Personal leave in all running games, both days included (§ 6.3.6)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_by_name=False)

    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]
    tournament: str | None = Field(
        None, min_length=1, max_length=200, description="Only in this tournament; else in all"
    )


class ShortenBody(Body):
    """The leave on these days now ends on ``until``; the opponents keep the announced stop."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_by_name=False)

    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]
    until: date


class SpecialLeaveBody(Body):
    """Special leave granted by the caller as the tournament's leader (§ 6.3.6.4, § 6.8.8)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_by_name=False)

    player: int = Field(ge=1, le=2**53, description="The player's number")
    tournament: str = Field(min_length=1, max_length=200)
    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]


class CardBody(Body):
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


class ReceiptBody(Body):
    """The day on which the opponent's card arrived (§ 6.2.1)."""

    on: date


class EmailBody(Body):
    """Agree or disagree to moves by e-mail in a postal game (§ 6.2.1)."""

    agrees: bool


class AddressBody(Body):
    """A postal address as written on a card, line by line; no lines remove it (§ 6.2.1)."""

    lines: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=12)]


B = TypeVar("B", bound=Body)

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
    if faults := [*_crooked(json.loads(raw, object_pairs_hook=tuple))]:
        raise bad_fields(faults)
    return body


def _crooked(value: object, at: str = "") -> Iterator[tuple[str, str]]:
    """Fields that came twice, and what no database keeps; an object is a tuple of its pairs."""
    match value:
        case tuple():
            named = set[str]()
            for name, one in value:
                here = at + _pointer((name,))
                if name in named:
                    yield here, "twice"
                named.add(name)
                yield from _crooked(one, here)
        case list():
            for index, one in enumerate(value):
                yield from _crooked(one, f"{at}/{index}")
        case str() if "\0" in value:
            yield at, "not_allowed"
        case int() if abs(value) > MOST_NUMBER:
            yield at, "not_allowed"


def _problem(error: ValidationError) -> Problem:
    found = error.errors(include_url=False, include_input=False)
    if any(fault["type"] == "json_invalid" for fault in found):
        return Problem(Kind.BAD_JSON)
    return bad_fields([(_pointer(fault["loc"]), _code(fault["type"])) for fault in found])


def bad_fields(faults: Sequence[tuple[str, str]]) -> Problem:
    """The problem for faulty fields: each a JSON pointer or parameter, and a code."""
    places = ", ".join(place for place, _ in faults)
    return Problem(Kind.BAD_FIELDS, values={"places": places}, faults=faults)


def _pointer(loc: tuple[int | str, ...]) -> str:
    return "".join(f"/{str(step)[:80].replace('~', '~0').replace('/', '~1')}" for step in loc)


def _code(kind: str) -> str:
    if kind in _DATES:
        return "no_date"
    return kind if kind in _WORDED else "not_allowed"


EMPTY = b"{}"
