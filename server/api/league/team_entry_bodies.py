"""What callers of the calls of team entries send (§ 6.7.4.1). NOT answers."""

from datetime import date
from typing import Annotated

from pydantic import Field

from server.api.league.league_bodies import Person, Rating, Reason, Strict


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
