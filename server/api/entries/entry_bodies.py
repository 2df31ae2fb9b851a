"""What callers send about entries, lists and past results (§ 6.4.4). NOT answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from server.api.frame.body import LONGEST_TEXT, Body

Id = Annotated[int, Field(ge=1, le=2**53)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Line = Annotated[str, Field(min_length=1, max_length=120)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class EnterBody(Body):
    """An entry to a list; `person` and `fee` only by an official of the list (§ 6.4.4.1)."""

    list: Id
    person: Id | None = None
    member: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    club: Line | None = None
    born: date | None = None
    otb_rating: Rating | None = None
    k_rating: Rating | None = None
    proof: str = Field("", max_length=LONGEST_TEXT, description="What gives access to the class")
    asks: bool = Field(False, description="Let the leader decide if no rule opens the class")
    second: bool = Field(False, description="One more group, though he stands on the list")
    fee: date | None = Field(None, description="The day the leader received the fee")
    address: str = Field("", max_length=300, description="Postal; for a list played by post")


class FeeBody(Body):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    on: date


class NothingBody(Body):
    """Nothing needs to be said; the body may be left out."""


class DiscretionBody(Body):
    """Why the class is the player's in a person's judgement (§ 6.5.3.2 e, § 6.5.2.2 f)."""

    reason: Text


class RefusalBody(Body):
    """Why the entry is refused, with the paragraph; the player is told both."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Text


class ListBody(Body):
    """A waiting list to open; `fee` in øre, `leader` an e-mail address (§ 6.1.2)."""

    name: Line
    event: Literal["emt", "cup", "league", "theme"]
    wish: Annotated[str, Field(min_length=1, max_length=12)]
    tournament: Line
    regulation: Literal["email", "postal"]
    prefix: Annotated[str, Field(min_length=1, max_length=40)]
    leader: Line
    fee: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    how_to_pay: str = Field("", max_length=500, description="Where the fee is paid; public")


class ListChangeBody(Body):
    """Close a list, open it again, give it another leader, say how its fee is paid (§ 6.1.1)."""

    open: bool | None = None
    leader: Line | None = None
    how_to_pay: Annotated[str, Field(max_length=500)] | None = None


class ResultBody(Body):
    """A past result of a player; without `finished` it is still played elsewhere (§ 6.5.3.2)."""

    event: Literal["emt", "cup", "iccf"]
    wish: Annotated[str, Field(min_length=1, max_length=16)]
    name: Line
    finished: date | None = None
    halves: Annotated[int, Field(ge=0, le=2000, description="Half points")]
    games: Annotated[int, Field(ge=1, le=1000)]
    unfinished: Annotated[int, Field(ge=0, le=1000)] = 0
    place: Annotated[int, Field(ge=1, le=1000)] | None = None
    entries: Annotated[int, Field(ge=0, le=100_000)] = 0
    semi_held: bool = True
    source: Annotated[str, Field(min_length=1, max_length=1000)]


class RemovalBody(Body):
    """Which result is wrong."""

    result: Id
