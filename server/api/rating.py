"""Rating lists, histories and calculations; pending calculations; removing a rating (§ 4.5).

The same use cases as the pages. Not for the register's files (api/register.py).
"""

from datetime import date
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from kskak.ledger.ledger_files import JsonObject
from kskak.rating.calculation import Method, RatingExemption, rated_row
from kskak.rating.lists import Basis
from kskak.regulation.editions import Result
from server.api.frame.endpoints import Call, Endpoint, Guard, Parameter
from server.api.frame.game_models import (
    EMPTY,
    ApiAnswer,
    ApiBody,
    bad_fields,
    json_response,
    plain_response,
)
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import call_use_case, load_words, respond_once
from server.api.groups import Plain
from server.api.play import query_day
from server.store.engine.rows import from_us
from server.store.members import RatingKind
from server.store.rating import PendingRatingGroup
from server.usecases.desks.desk_overview import compute, desk
from server.usecases.rating.computing import CalculationReason
from server.usecases.rating.rating_views import (
    CalculationView,
    ListLine,
    PlayerSteps,
    RatingPoint,
    calculation,
    history,
    rating_list,
)
from server.usecases.register import register_import
from server.usecases.register.csv_table import ImportProblem
from server.usecases.register.member_editing import Removal, remove_rating

# Request and response models for rating lists, histories and calculations (§ 4.5).


class RatedPlayer(ApiAnswer):
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


class RatingList(ApiAnswer):
    """The K-ratings on a day, highest first; `lists` are the days of the quarterly lists."""

    on: date
    since: date
    lists: list[date]
    players: list[RatedPlayer]


class RatingStep(ApiAnswer):
    """A K-rating in a history; `group` is null if it was assigned manually."""

    on: date
    rating: int
    provisional: bool
    change: int | None
    games: int
    group: str | None
    tournament: str | None


class RatingHistory(ApiAnswer):
    """A player's K-ratings in order of time."""

    person: int
    name: str
    ratings: list[RatingStep]


class Chance(ApiAnswer):
    """One lookup in table 1; `opponent` is null for the group's mean (§ 4.5.2.1)."""

    opponent: str | None
    against: float
    difference: int
    score: float


class Crossing(ApiAnswer):
    """A coefficient limit that was crossed, and its effect on the rating (§ 4.5.2.4)."""

    limit: int
    beyond: float
    factor: str
    after: float


class Steps(ApiAnswer):
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


class CalculatedPlayer(ApiAnswer):
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

    group: str
    state: Literal["new", "changed", "undone"]
    published: date | None


class RatingDesk(ApiAnswer):
    """What is pending; `unsettled`: the day from which ratings in the register have changed."""

    waiting: list[WaitingGroup]
    unsettled: date | None


class RatingsComputed(ApiAnswer):
    """The groups that were calculated or recalculated."""

    groups: list[str]


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


# Rating lists, histories and calculations; pending calculations; removing a rating (§ 4.5).

_CHANNEL = "api"


def _day(call: Call) -> date:
    """The day in ``on``, by default today. Raises Problem for an invalid or future day."""
    today = call.api.today()
    day = query_day(call.request.query.get("on")) or today
    if not date.min < day <= today:
        raise bad_fields([("on", "not_allowed")])
    return day


def _line(line: ListLine) -> Plain:
    return {
        "rank": line.rank,
        "person": line.person_id,
        "name": line.name,
        "club": line.club,
        "rating": line.rating,
        "provisional": line.is_provisional,
        "change": line.change,
        "games": line.games,
        "last": line.last.isoformat(),
    }


async def get_rating_list(call: Call) -> web.Response:
    """GET /ratings: the list on a day."""
    found = await rating_list(call.api.core, _day(call))
    return plain_response(
        {
            "on": found.on.isoformat(),
            "since": found.previous.isoformat(),
            "lists": [day.isoformat() for day in found.days],
            "players": [_line(line) for line in found.lines],
        }
    )


def _point(point: RatingPoint) -> Plain:
    return {
        "on": point.on.isoformat(),
        "rating": point.rating,
        "provisional": point.is_provisional,
        "change": point.change,
        "games": point.games,
        "group": point.group,
        "tournament": point.tournament,
    }


async def get_rating_history(call: Call) -> web.Response:
    """GET /players/{id}/ratings: a player's history."""
    found = await history(call.api.core, call.path_id)
    if found is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    steps = [_point(point) for point in found.points]
    return plain_response({"person": found.person.id, "name": found.person.name, "ratings": steps})


def _player(one: PlayerSteps) -> Plain:
    return rated_row(one.calculation, steps=True) | {
        "person": one.person_id,
        "basis": one.basis.value,
        "registered": one.registered,
        "registered_after": one.rating,
    }


def _calculation(view: CalculationView) -> Plain:
    row, names = view.row, view.names
    return {
        "group": view.group.name,
        "number": None if row is None else row.number,
        "day": None if row is None else row.day,
        "start": view.group.start,
        "reason": None if row is None else row.reason,
        "players": [_player(one) for one in view.players],
        "unrated": [
            {
                "white": names[game.white],
                "black": names[game.black],
                "result": game.result.value,
                "reason": game.unrated,
            }
            for game in view.unrated
        ],
        "earlier": [
            {"number": one.number, "reason": one.reason, "made": from_us(one.made_us).isoformat()}
            for one in view.earlier
        ],
    }


async def get_group_calculation(call: Call) -> web.Response:
    """GET /groups/{id}/rating: a group's calculation with every step."""
    view = await calculation(call.api.core, group_id=call.path_id)
    if view is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return plain_response(_calculation(view))


def _waits(one: PendingRatingGroup) -> JsonObject:
    state = "undone" if not one.is_finished else "new" if one.calculation is None else "changed"
    return {"group": one.name, "state": state, "published": one.published}


async def list_waiting_groups(call: Call) -> web.Response:
    """GET /ratings/waiting: the groups to be calculated."""

    async def look() -> JsonObject:
        seen = await desk(call.api.core, call.signed_in.person)
        return {"waiting": [_waits(one) for one in seen.waiting], "unsettled": seen.unsettled}

    return json_response(await call_use_case(look))


async def compute_ratings(call: Call) -> web.Response:
    """POST /ratings/compute: calculate what is pending, or everything anew."""
    raw, body = await call.parsed(ComputeBody, EMPTY)

    async def do() -> JsonObject:
        done = await compute(call.api.core, call.signed_in.person, everything=body.everything)
        return {"groups": list(done.groups)}

    return await respond_once(call, raw, do)


async def post_rating_removal(call: Call) -> web.Response:
    """POST /members/{id}/ratings/remove: remove a wrong rating, with a reason."""
    (raw, body), words = await call.parsed(RemoveRatingBody), load_words(call)
    kind, day = RatingKind(body.kind), body.on.isoformat()
    asked = Removal(call.path_id, kind, day, body.reason, _CHANNEL, body.seen)

    async def do() -> JsonObject:
        done = await remove_rating(call.api.core, call.signed_in.person, asked)
        refused = (
            register_import.write_problem(done, words) if isinstance(done, ImportProblem) else None
        )
        moves = [one.group for one in done] if isinstance(done, tuple) else []
        return {"done": done is None, "refused": refused, "moves": list(moves)}

    return await respond_once(call, raw, do)


PREFIX = "/api/v1"
_RIGHT = (ApiProblemKind.NOT_ALLOWED,)
_ON = Parameter("on", "string", "The day of the list; today without it", format="date")

RATINGS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/ratings", "rating_list", get_rating_list,
        "The K-ratings of a day, highest first", RatingList,
        guard=Guard.OPEN, query=(_ON,),
    ),
    Endpoint(
        "GET", f"{PREFIX}/players/{{id}}/ratings", "rating_history", get_rating_history,
        "A player's K-ratings in order of time", RatingHistory, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/groups/{{id}}/rating", "rating_calculation", get_group_calculation,
        "A group's rating calculation with every step", RatingCalculation,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/ratings/waiting", "ratings_waiting", list_waiting_groups,
        "The groups that wait for their ratings", RatingDesk, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/ratings/compute", "ratings_compute", compute_ratings,
        "Calculate what waits, or everything anew", RatingsComputed,
        body=ComputeBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members/{{id}}/ratings/remove", "rating_remove", post_rating_removal,
        "Remove a rating from the register, with a reason", RatingRemoved,
        body=RemoveRatingBody, problems=(*_RIGHT, ApiProblemKind.NO_SUCH),
    ),
)  # fmt: skip
