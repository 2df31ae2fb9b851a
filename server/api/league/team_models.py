"""What the calls of team entries take and answer, as models (§ 6.7.4.1)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer
from server.api.league.models import Person, Rating, Reason, Strict


class EntrySeat(Answer):
    """A player on a board; `leave`: the leader lets him play for two clubs (§ 6.7.3.2)."""

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
    """A team entry; `continues` the team of last season that comes back."""

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
    """A club's entries to the season that is entered for now."""

    club: str
    season: int | None
    deadline: date | None
    entries: list[TeamEntrySeen]


class TeamEntryMade(Answer):
    """A team entry after what was done."""

    id: int
    state: str


class DivisionStarted(Answer):
    """A division that was started, and the seed of its numbers (§ 6.7.4.2)."""

    id: int
    name: str
    seed: str | None
    games: int


class SeasonStarted(Answer):
    """Every division of a plan."""

    divisions: list[DivisionStarted]


class EntryPlayer(Strict):
    """A player in board order; what the club states where the register has no rating."""

    person: Person
    rating: Rating | None = None
    class_: Annotated[str | None, Field(alias="class", max_length=40)] = None


Players = Annotated[list[EntryPlayer], Field(min_length=4, max_length=4)]


class TeamBody(Strict):
    """A team entry; `entered` and `fee` are an official's."""

    list: Person
    club: Person
    captain: Person
    players: Players
    continues: Person | None = None
    asks: bool = False
    entered: date | None = None
    fee: date | None = None


class EntryLineupBody(Strict):
    """Another line-up or captain, until the deadline."""

    captain: Person
    players: Players


class TeamFeeBody(Strict):
    """Since when the leader has the fee (§ 6.4.4.1)."""

    day: date


class LeaveToPlayBody(Strict):
    """The leader lets a player play for two clubs (§ 6.7.3.2)."""

    player: Person
    reason: Reason


class TeamRefusalBody(Strict):
    """Why an entry is refused."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Reason


class NothingBody(Strict):
    """Nothing needs to be said; the body may be left out."""
