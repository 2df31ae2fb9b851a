"""Rating lists, histories and calculations; pending calculations; removing a rating (§ 4.5).

The same use cases as the pages. Not for the register's files (api/register.py).
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from kskak.rating.calculation import Method, RatingExemption, rated_row
from kskak.rating.lists import Basis
from kskak.regulation.editions import Result
from server.api.frame.area import Area, Points, at
from server.api.frame.endpoints import Call, Parameter
from server.api.frame.game_models import ApiAnswer, ApiBody, answer_model, bad_fields
from server.api.frame.problems import ApiProblemKind
from server.api.frame.serving import load_words
from server.api.play import query_day
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import from_us
from server.store.members import RatingKind
from server.usecases.desks.desk_overview import compute, desk
from server.usecases.rating.computing import CalculationReason
from server.usecases.rating.rating_views import calculation, history, rating_list
from server.usecases.register import register_desk
from server.usecases.register.csv_table import ImportProblem
from server.usecases.register.member_import import Removal, remove_rating

# Request and response models for rating lists, histories and calculations (§ 4.5).


class RatedPlayer(ApiAnswer):
    """A player in a list; equal ratings share a rank. `change` is since the previous list."""

    rank: int
    person: int = at("person_id")
    name: str
    club: str | None
    rating: int
    provisional: bool = at("is_provisional")
    change: int | None
    games: int
    last: date


class RatingList(ApiAnswer):
    """The K-ratings on a day, highest first; `lists` are the days of the quarterly lists."""

    on: date
    since: date = at("previous")
    lists: list[date] = at("days")
    players: list[RatedPlayer] = at("lines")


class RatingStep(ApiAnswer):
    """A K-rating in a history; `group` is null if it was assigned manually."""

    on: date
    rating: int
    provisional: bool = at("is_provisional")
    change: int | None
    games: int
    group: str | None
    tournament: str | None


class RatingHistory(ApiAnswer):
    """A player's K-ratings in order of time."""

    person: int = at("person", "id")
    name: str = at("person", "name")
    ratings: list[RatingStep] = at("points")


class Chance(ApiAnswer):
    """One lookup in table 1; `opponent` is null for the group's mean (§ 4.5.2.1)."""

    opponent: str | None
    against: Points
    difference: int
    score: Points


class Crossing(ApiAnswer):
    """A coefficient limit that was crossed, and its effect on the rating (§ 4.5.2.4)."""

    limit: int
    beyond: Points
    factor: str
    after: Points


class Steps(ApiAnswer):
    """The steps to a rating, as printed by `kskak rating --steps`."""

    before: int
    chances: list[Chance]
    field: int | None
    cycles: Points
    unrounded: Points
    threshold: Points
    gain: Points
    held: bool
    crossing: Crossing | None
    raised: bool


class CalculatedPlayer(ApiAnswer):
    """A player in a calculation: the row of kskak-rated/1, and its effect on the register.

    `registered` is the register's rating when the gain was added, `registered_after` the new
    one; both are null without a rated game.
    """

    person: int
    name: str
    basis: Basis
    games: int
    score: Points
    expected: Points
    method: Method
    bonus: Points
    k: int
    rating: int
    registered: int | None
    registered_after: int | None
    steps: Steps


class UnratedGame(ApiAnswer):
    """A game that is not rated, and why (§ 4.5.4.2)."""

    white: str
    black: str
    result: Result
    reason: RatingExemption


class EarlierCalculation(ApiAnswer):
    """When a group was calculated before, and why."""

    number: int
    reason: CalculationReason
    made: str


class RatingCalculation(ApiAnswer):
    """A group's calculation in force; `number` is null if there is none."""

    group: str
    number: int | None
    day: date | None
    start: date
    reason: CalculationReason | None
    players: list[CalculatedPlayer]
    unrated: list[UnratedGame]
    earlier: list[EarlierCalculation]


class WaitingGroup(ApiAnswer):
    """A group to be calculated or recalculated, or whose calculation is to be undone."""

    group: str = at("name")
    state: Literal["new", "changed", "undone"]
    published: date | None


class RatingDesk(ApiAnswer):
    """What is pending; `unsettled`: the day from which ratings in the register have changed."""

    waiting: list[WaitingGroup]
    unsettled: date | None


RatingsComputed = answer_model(
    "RatingsComputed", "The groups that were calculated or recalculated.", groups=list[str]
)


class RatingRemoved(ApiAnswer):
    """Whether a rating was removed; if not, `refused` says why, or `moves` the affected groups."""

    done: bool
    refused: str | None
    moves: list[str]


class ComputeBody(ApiBody):
    """What is to be calculated."""

    everything: bool = Field(False, description="All groups anew from their games")


class RemoveRatingBody(ApiBody):
    """Which rating to remove, and why."""

    kind: Literal["k", "otb"]
    on: date
    reason: Annotated[str, Field(min_length=1, max_length=300)]
    seen: bool = Field(False, description="Though it moves groups, named in `moves`")


# The calls.

_CHANNEL = "api"
_ON = Parameter("on", "string", "The day of the list; today without it", format="date")
area = Area(scope=TokenScope.LEAD)


@area.get("/ratings", "rating_list", RatingList, query=(_ON,), is_open=True)
async def get_rating_list(call: Call) -> object:
    """The K-ratings of a day, highest first."""
    today = call.api.today()
    day = query_day(call.request.query.get("on")) or today
    if not date.min < day <= today:
        raise bad_fields([("on", "not_allowed")])
    return await rating_list(call.api.core, day)


@area.get("/players/{id}/ratings", "rating_history", RatingHistory, is_open=True)
async def get_rating_history(call: Call) -> object:
    """A player's K-ratings in order of time."""
    return await history(call.api.core, call.path_id)


@area.get("/groups/{id}/rating", "rating_calculation", RatingCalculation, is_open=True)
async def get_group_calculation(call: Call) -> object:
    """A group's rating calculation with every step."""
    view = await calculation(call.api.core, group_id=call.path_id)
    if view is None:
        return None
    row, names = view.row, view.names
    return {
        "group": view.group.name, "number": row and row.number, "day": row and row.day,
        "start": view.group.start, "reason": row and row.reason,
        "players": [
            rated_row(one.calculation, steps=True)
            | {"person": one.person_id, "basis": one.basis}
            | {"registered": one.registered, "registered_after": one.rating}
            for one in view.players
        ],
        "unrated": [
            {"white": names[game.white], "black": names[game.black], "result": game.result,
             "reason": game.unrated}
            for game in view.unrated
        ],
        "earlier": [
            {"number": one.number, "reason": one.reason, "made": from_us(one.made_us).isoformat()}
            for one in view.earlier
        ],
    }  # fmt: skip


@area.get("/ratings/waiting", "ratings_waiting", RatingDesk, ApiProblemKind.NOT_ALLOWED)
async def list_waiting_groups(call: Call) -> object:
    """The groups that wait for their ratings."""
    return await desk(call.api.core, call.signed_in.person)


@area.post(
    "/ratings/compute", "ratings_compute", RatingsComputed, ApiProblemKind.NOT_ALLOWED,
    body=ComputeBody,
)  # fmt: skip
async def compute_ratings(call: Call, body: ComputeBody) -> object:
    """Calculate what waits, or everything anew."""
    done = await compute(call.api.core, call.signed_in.person, everything=body.everything)
    return {"groups": done}


@area.post(
    "/members/{id}/ratings/remove", "rating_remove", RatingRemoved, ApiProblemKind.NOT_ALLOWED,
    ApiProblemKind.NO_SUCH, body=RemoveRatingBody,
)  # fmt: skip
async def post_rating_removal(call: Call, body: RemoveRatingBody) -> object:
    """Remove a rating from the register, with a reason."""
    kind, day = RatingKind(body.kind), body.on.isoformat()
    asked = Removal(call.path_id, kind, day, body.reason, _CHANNEL, body.seen)
    done = await remove_rating(call.api.core, call.signed_in.person, asked)
    refused = None
    if isinstance(done, ImportProblem):
        refused = register_desk.write_problem(done, load_words(call))
    moves = [one.group for one in done] if isinstance(done, tuple) else []
    return {"done": done is None, "refused": refused, "moves": moves}


RATINGS = tuple(area.calls)
