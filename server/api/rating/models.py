"""Request and response models for rating lists, histories and calculations (§ 4.5)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from kskak.rating.expected import Method
from kskak.rating.lists import Basis
from kskak.rating.rated_games import Unrated
from kskak.regulation.quantities import Result
from server.api.frame.body import Body
from server.api.frame.game_answers import Answer
from server.usecases.rating.computing import Why


class RatedPlayer(Answer):
    """A player in a list; equal ratings share a rank. `change` is since the previous list."""

    rank: int
    person: int
    name: str
    club: str | None
    rating: int
    provisional: bool
    change: int | None
    games: int
    last: date


class RatingList(Answer):
    """The K-ratings on a day, highest first; `lists` are the days of the quarterly lists."""

    on: date
    since: date
    lists: list[date]
    players: list[RatedPlayer]


class RatingStep(Answer):
    """A K-rating in a history; `group` is null if it was assigned manually."""

    on: date
    rating: int
    provisional: bool
    change: int | None
    games: int
    group: str | None
    tournament: str | None


class RatingHistory(Answer):
    """A player's K-ratings in order of time."""

    person: int
    name: str
    ratings: list[RatingStep]


class Chance(Answer):
    """One lookup in table 1; `opponent` is null for the group's mean (§ 4.5.2.1)."""

    opponent: str | None
    against: float
    difference: int
    score: float


class Crossing(Answer):
    """A coefficient limit that was crossed, and its effect on the rating (§ 4.5.2.4)."""

    limit: int
    beyond: float
    factor: str
    after: float


class Steps(Answer):
    """The steps to a rating, as printed by `kskak rating --steps`."""

    before: int
    chances: list[Chance]
    field: int | None
    cycles: float
    unrounded: float
    threshold: float
    gain: float
    held: bool
    crossing: Crossing | None
    raised: bool


class CalculatedPlayer(Answer):
    """A player in a calculation: the row of kskak-rated/1, and its effect on the register.

    `registered` is the register's rating when the gain was added, `registered_after` the new
    one; both are null without a rated game.
    """

    person: int
    name: str
    basis: Basis
    games: int
    score: float
    expected: float
    method: Method
    bonus: float
    k: int
    rating: int
    registered: int | None
    registered_after: int | None
    steps: Steps


class UnratedGame(Answer):
    """A game that is not rated, and why (§ 4.5.4.2)."""

    white: str
    black: str
    result: Result
    reason: Unrated


class EarlierCalculation(Answer):
    """When a group was calculated before, and why."""

    number: int
    reason: Why
    made: str


class RatingCalculation(Answer):
    """A group's calculation in force; `number` is null if there is none."""

    group: str
    number: int | None
    day: date | None
    start: date
    reason: Why | None
    players: list[CalculatedPlayer]
    unrated: list[UnratedGame]
    earlier: list[EarlierCalculation]


class WaitingGroup(Answer):
    """A group to be calculated or recalculated, or whose calculation is to be undone."""

    group: str
    state: Literal["new", "changed", "undone"]
    published: date | None


class RatingDesk(Answer):
    """What is pending; `unsettled`: the day from which ratings in the register have changed."""

    waiting: list[WaitingGroup]
    unsettled: date | None


class RatingsComputed(Answer):
    """The groups that were calculated or recalculated."""

    groups: list[str]


class RatingRemoved(Answer):
    """Whether a rating was removed; if not, `refused` says why, or `moves` the affected groups."""

    done: bool
    refused: str | None
    moves: list[str]


class ComputeBody(Body):
    """What is to be calculated."""

    everything: bool = Field(False, description="All groups anew from their games")


class RemoveRatingBody(Body):
    """Which rating to remove, and why."""

    kind: Literal["k", "otb"]
    on: date
    reason: Annotated[str, Field(min_length=1, max_length=300)]
    seen: bool = Field(False, description="Though it moves groups, named in `moves`")
