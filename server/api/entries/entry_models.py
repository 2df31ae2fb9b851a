"""Request and response models for entries: the schemas in openapi.json (§ 6.4.4)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from kskak.entries.rights import ClassEligibility, CupRightRound
from kskak.ledger.ledger_files import JsonObject, JsonValue
from server.api.cases.case_models import PersonName
from server.api.frame.game_models import LONGEST_TEXT, ApiAnswer, ApiBody, Line
from server.store.player_entries import EntryRow, ListRow
from server.usecases.entries.entry_judging import Participation
from server.usecases.entries.entry_views import ClassesView, EntryView, ListView
from server.usecases.groups.group_file import StartedGroup


class ByRule(ApiAnswer):
    """A rule that opens a class, the results it is based on, and its last day."""

    paragraph: str
    until: date | None
    results: list[int]


class AgainstRule(ApiAnswer):
    """A rule that closes a class, and the results it is based on."""

    paragraph: str
    results: list[int]


class ClassOpen(ApiAnswer):
    """Whether a class of the championship is open to a player (§ 6.5.3.2)."""

    allowed: bool
    by: list[ByRule]
    against: list[AgainstRule]


class RecordLine(ApiAnswer):
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


class Classes(ApiAnswer):
    """Which classes a player may enter, and why."""

    on: date
    person: PersonName
    classes: dict[Literal["DM", "M", "K", "Å"], ClassOpen]
    record: list[RecordLine]


class ListSeen(ApiAnswer):
    """A waiting list; `fee` in øre; `wanted` valid entries start a group; if 0, the leader does."""

    id: int
    name: str
    event: str
    wish: str
    tournament: str
    regulation: str
    leader: PersonName
    fee: int | None
    how_to_pay: str
    open: bool
    valid: int
    waiting: int
    wanted: int


class Lists(ApiAnswer):
    """The waiting lists."""

    lists: list[ListSeen]


class ListMade(ApiAnswer):
    """A list as it stands after the call."""

    id: int
    name: str
    open: bool


class EntrySeen(ApiAnswer):
    """An entry; `place` is its position among the `valid` ones on the list, 0 if none."""

    id: int
    list_id: int
    list_name: str
    person: PersonName
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


class Entries(ApiAnswer):
    """The caller's own entries, or those of the desk."""

    entries: list[EntrySeen]


class EntryMade(ApiAnswer):
    """An entry as it stands after the call."""

    id: int
    state: Literal["waiting", "valid", "placed", "withdrawn", "refused"]
    group: str | None


class GroupStarted(ApiAnswer):
    """The group that a list started; `seed` is the seed of the draw (§ 6.5.2.1)."""

    id: int
    name: str
    seed: str | None
    players: list[str]
    games: int


class ResultKept(ApiAnswer):
    """The number of a past result."""

    id: int


Id = Annotated[int, Field(ge=1, le=2**53)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class EnterBody(ApiBody):
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


class FeeBody(ApiBody):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    on: date


class NumberBody(ApiBody):
    """The player's membership number, confirmed by an official of the list (§ 6.4.4.1)."""

    member: Annotated[str, Field(min_length=1, max_length=40)]


class DiscretionBody(ApiBody):
    """Why the player is admitted to the class by discretion (§ 6.5.3.2 e, § 6.5.2.2 f)."""

    reason: Text


class RefusalBody(ApiBody):
    """Why the entry is refused, with the paragraph; the player is told both."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Text


class ListBody(ApiBody):
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


class ListChangeBody(ApiBody):
    """Close a list, reopen it, change its leader, or say how its fee is paid (§ 6.1.1)."""

    open: bool | None = None
    leader: Line | None = None
    how_to_pay: Annotated[str, Field(max_length=500)] | None = None


class ResultBody(ApiBody):
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


class RemovalBody(ApiBody):
    """Which result is wrong."""

    result: Id


# Answers about entries as plain JSON; the shapes are above. Not for rights.


def classes(view: ClassesView) -> JsonObject:
    """Each class with what opens and closes it, and the record this is based on."""
    return {
        "on": view.on.isoformat(),
        "person": {"id": view.person.id, "name": view.person.name},
        "classes": {name.value: _class(answer) for name, answer in view.answers.items()},
        "record": [_line(one) for one in view.record],
    }


def _class(answer: ClassEligibility) -> JsonObject:
    return {
        "allowed": answer.is_allowed,
        "by": [
            {
                "paragraph": right.paragraph,
                "until": None if right.until is None else right.until.isoformat(),
                "results": list[JsonValue](right.results),
            }
            for right in answer.by
        ],
        "against": [
            {"paragraph": bar.paragraph, "results": list[JsonValue](bar.results)}
            for bar in answer.against
        ],
    }


def _line(one: Participation) -> JsonObject:
    result = one.result
    event = result.event
    return {
        "number": result.number,
        "name": one.name,
        "event": event.stage.value if isinstance(event, CupRightRound) else event.value,
        "finished": None if result.finished is None else result.finished.isoformat(),
        "halves": int(result.score.points * 2),
        "games": result.score.games,
        "unfinished": result.score.unfinished,
        "place": result.score.place,
        "source": one.source,
        "group": one.group,
        "id": one.past_id,
    }


def write_list_view(view: ListView) -> JsonObject:
    """A waiting list with its counts."""
    row = view.row
    return {
        "id": row.id,
        "name": row.name,
        "event": row.event,
        "wish": row.wish,
        "tournament": row.tournament,
        "regulation": row.regulation,
        "leader": {"id": view.leader.id, "name": view.leader.name},
        "fee": row.fee,
        "how_to_pay": row.how_to_pay,
        "open": row.is_open,
        "valid": view.valid,
        "waiting": view.waiting,
        "wanted": view.wanted,
    }


def write_list(row: ListRow) -> JsonObject:
    """A list after a change."""
    return {"id": row.id, "name": row.name, "open": row.is_open}


def write_entry_view(view: EntryView) -> JsonObject:
    """An entry with what it is waiting for."""
    row, judged = view.row, view.judged
    return {
        "id": row.id,
        "list_id": row.list_id,
        "list_name": row.list_name,
        "person": {"id": row.person_id, "name": row.player},
        "state": row.state,
        "entered": row.entered_day,
        "fee": row.fee_day,
        "faults": [] if judged is None else [fault.value for fault in judged.faults],
        "waits": [] if judged is None else [wait.value for wait in judged.waits],
        "place": view.place,
        "valid": view.valid,
        "wanted": view.wanted,
        "paragraph": row.paragraph,
        "reason": row.reason,
        "group": row.group,
    }


def write_entry(row: EntryRow) -> JsonObject:
    """An entry after an action."""
    return {"id": row.id, "state": row.state, "group": row.group}


def write_started_group(made: StartedGroup) -> JsonObject:
    """A group that was started."""
    return {
        "id": made.id,
        "name": made.name,
        "seed": made.seed,
        "players": list[JsonValue](made.players),
        "games": made.games,
    }
