"""What the calls about entries answer, as models: the schemas of openapi.json (§ 6.4.4)."""

from datetime import date
from typing import Literal

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer


class ByRule(Answer):
    """A rule that opens a class, the results it rests on, and its last day."""

    paragraph: str
    until: date | None
    results: list[int]


class AgainstRule(Answer):
    """A rule that closes a class, and the results it rests on."""

    paragraph: str
    results: list[int]


class ClassOpen(Answer):
    """A class of the championship for a player (§ 6.5.3.2)."""

    allowed: bool
    by: list[ByRule]
    against: list[AgainstRule]


class RecordLine(Answer):
    """A participation, its score in half points; `id` is a past result's, `group` one of ours."""

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
    """A waiting list; `fee` in øre; `wanted` valid entries start a group, 0: the leader does."""

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
    """A list as it stands after what was done."""

    id: int
    name: str
    open: bool


class EntrySeen(Answer):
    """An entry; `place` is its number among `valid` ones on the list, 0: none."""

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
    """Entries: one's own, or those of the desk."""

    entries: list[EntrySeen]


class EntryMade(Answer):
    """An entry as it stands after what was done."""

    id: int
    state: Literal["waiting", "valid", "placed", "withdrawn", "refused"]
    group: str | None


class GroupStarted(Answer):
    """The group that a list started; `seed` is that of the lots (§ 6.5.2.1)."""

    id: int
    name: str
    seed: str | None
    players: list[str]
    games: int


class ResultKept(Answer):
    """The number of a past result."""

    id: int
