"""Request and response models for entries: the schemas in openapi.json (§ 6.4.4)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from server.api.cases.answers import Named
from server.api.frame.body import LONGEST_TEXT, Body, Line
from server.api.frame.game_answers import Answer


class ByRule(Answer):
    """A rule that opens a class, the results it is based on, and its last day."""

    paragraph: str
    until: date | None
    results: list[int]


class AgainstRule(Answer):
    """A rule that closes a class, and the results it is based on."""

    paragraph: str
    results: list[int]


class ClassOpen(Answer):
    """Whether a class of the championship is open to a player (§ 6.5.3.2)."""

    allowed: bool
    by: list[ByRule]
    against: list[AgainstRule]


class RecordLine(Answer):
    """A participation, scored in half points; `id` for a past result, `group` if played here."""

    number: int
    name: str
    event: str
    finished: date | None
    halves: int
    games: int
    unfinished: int
    place: int | None
    source: str
    group: str | None
    id: int | None


class Classes(Answer):
    """Which classes a player may enter, and why."""

    on: date
    person: Named
    classes: dict[Literal["DM", "M", "K", "Å"], ClassOpen]
    record: list[RecordLine]


class ListSeen(Answer):
    """A waiting list; `fee` in øre; `wanted` valid entries start a group; if 0, the leader does."""

    id: int
    name: str
    event: str
    wish: str
    tournament: str
    regulation: str
    leader: Named
    fee: int | None
    how_to_pay: str
    open: bool
    valid: int
    waiting: int
    wanted: int


class Lists(Answer):
    """The waiting lists."""

    lists: list[ListSeen]


class ListMade(Answer):
    """A list as it stands after the call."""

    id: int
    name: str
    open: bool


class EntrySeen(Answer):
    """An entry; `place` is its position among the `valid` ones on the list, 0 if none."""

    id: int
    list_id: int
    list_name: str
    person: Named
    state: Literal["waiting", "valid", "placed", "withdrawn", "refused"]
    entered: date
    fee: date | None
    faults: list[str]
    waits: list[str]
    place: int
    valid: int
    wanted: int
    paragraph: str | None
    reason: str | None
    group: str | None


class Entries(Answer):
    """The caller's own entries, or those of the desk."""

    entries: list[EntrySeen]


class EntryMade(Answer):
    """An entry as it stands after the call."""

    id: int
    state: Literal["waiting", "valid", "placed", "withdrawn", "refused"]
    group: str | None


class GroupStarted(Answer):
    """The group that a list started; `seed` is the seed of the draw (§ 6.5.2.1)."""

    id: int
    name: str
    seed: str | None
    players: list[str]
    games: int


class ResultKept(Answer):
    """The number of a past result."""

    id: int


Id = Annotated[int, Field(ge=1, le=2**53)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class EnterBody(Body):
    """An entry to a list; only an official of the list may set `person` and `fee` (§ 6.4.4.1)."""

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


class NumberBody(Body):
    """The player's membership number, confirmed by an official of the list (§ 6.4.4.1)."""

    member: Annotated[str, Field(min_length=1, max_length=40)]


class DiscretionBody(Body):
    """Why the player is admitted to the class by discretion (§ 6.5.3.2 e, § 6.5.2.2 f)."""

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
    """Close a list, reopen it, change its leader, or say how its fee is paid (§ 6.1.1)."""

    open: bool | None = None
    leader: Line | None = None
    how_to_pay: Annotated[str, Field(max_length=500)] | None = None


class ResultBody(Body):
    """A player's past result; without `finished` it is still being played elsewhere (§ 6.5.3.2)."""

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
