"""Request and response models for team entries (§ 6.7.4.1)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer
from server.api.league.models import Person, Rating, Reason, Strict


class EntrySeat(Answer):
    """A player on a board; `leave`: the leader permits him to play for two clubs (§ 6.7.3.2)."""

    board: int
    person: Named
    rating: int
    leave: bool


class TeamFault(Answer):
    """What an entry lacks, with the players it concerns."""

    code: str
    paragraph: str
    players: list[str]


class TeamEntrySeen(Answer):
    """A team entry; `continues` is last season's team that it continues."""

    id: int
    club: str
    season: int
    state: str
    captain: str
    entered: date
    fee: date | None
    continues: int | None
    players: list[EntrySeat]
    faults: list[TeamFault]


class TeamEntries(Answer):
    """A club's entries for the season now open for entry."""

    club: str
    season: int | None
    deadline: date | None
    entries: list[TeamEntrySeen]


class TeamEntryMade(Answer):
    """A team entry as it stands after the call."""

    id: int
    state: str


class DivisionStarted(Answer):
    """A started division, and the seed of its draw for numbers (§ 6.7.4.2)."""

    id: int
    name: str
    seed: str | None
    games: int


class SeasonStarted(Answer):
    """Every division of a plan."""

    divisions: list[DivisionStarted]


class EntryPlayer(Strict):
    """A player in board order; `rating` and `class` are for players without a registered rating."""

    person: Person
    rating: Rating | None = None
    class_: Annotated[str | None, Field(alias="class", max_length=40)] = None


Players = Annotated[list[EntryPlayer], Field(min_length=4, max_length=4)]


class TeamBody(Strict):
    """A team entry; only an official may set `entered` and `fee`."""

    list: Person
    club: Person
    captain: Person
    players: Players
    continues: Person | None = None
    asks: bool = False
    entered: date | None = None
    fee: date | None = None


class EntryLineupBody(Strict):
    """A new line-up or captain, until the deadline."""

    captain: Person
    players: Players


class TeamFeeBody(Strict):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    day: date


class LeaveToPlayBody(Strict):
    """The leader permits a player to play for two clubs (§ 6.7.3.2)."""

    player: Person
    reason: Reason


class TeamRefusalBody(Strict):
    """Why an entry is refused."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Reason
