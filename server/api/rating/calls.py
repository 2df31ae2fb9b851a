"""Rating lists, histories and calculations; pending calculations; removing a rating (§ 4.5).

The same use cases as the pages. Not for the register's files (register/calls.py).
"""

import json
from datetime import date

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from kskak.rating.file_out import rated_row
from server.api.frame.body import bad_fields, parse
from server.api.frame.endpoints import Call, Endpoint, Guard, Parameter
from server.api.frame.json_answer import json_response, text_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.api.groups.calls import Plain
from server.api.play.reads import query_day
from server.api.rating import models as answers
from server.api.rating import models as bodies
from server.api.rating.models import ComputeBody, RemoveRatingBody
from server.store.engine.types import from_us
from server.store.rating.calculations import Waiting
from server.store.register.members import RatingKind
from server.usecases.desks.rating_desk import compute, desk
from server.usecases.rating.lists import ListLine, Point, history, rating_list
from server.usecases.rating.views import CalculationView, PlayerSteps, calculation
from server.usecases.register import wording
from server.usecases.register.remove_rating import Removal, remove_rating
from server.usecases.register.report import Slip

_CHANNEL = "api"


def _answer(value: Plain) -> web.Response:
    return text_response(200, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


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


async def listed(call: Call) -> web.Response:
    """GET /ratings: the list on a day."""
    found = await rating_list(call.api.core, _day(call))
    return _answer(
        {
            "on": found.on.isoformat(),
            "since": found.previous.isoformat(),
            "lists": [day.isoformat() for day in found.days],
            "players": [_line(line) for line in found.lines],
        }
    )


def _point(point: Point) -> Plain:
    return {
        "on": point.on.isoformat(),
        "rating": point.rating,
        "provisional": point.is_provisional,
        "change": point.change,
        "games": point.games,
        "group": point.group,
        "tournament": point.tournament,
    }


async def of_player(call: Call) -> web.Response:
    """GET /players/{id}/ratings: a player's history."""
    found = await history(call.api.core, call.path_id)
    if found is None:
        raise Problem(Kind.NOT_FOUND)
    steps = [_point(point) for point in found.points]
    return _answer({"person": found.person.id, "name": found.person.name, "ratings": steps})


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
            {
                "number": one.number,
                "reason": one.reason,
                "made": from_us(one.made_us).isoformat(),
            }
            for one in view.earlier
        ],
    }


async def of_group(call: Call) -> web.Response:
    """GET /groups/{id}/rating: a group's calculation with every step."""
    view = await calculation(call.api.core, group_id=call.path_id)
    if view is None:
        raise Problem(Kind.NOT_FOUND)
    return _answer(_calculation(view))


def _waits(one: Waiting) -> JsonObject:
    state = "undone" if not one.is_finished else "new" if one.calculation is None else "changed"
    return {"group": one.name, "state": state, "published": one.published}


async def waiting(call: Call) -> web.Response:
    """GET /ratings/waiting: the groups to be calculated."""

    async def look() -> JsonObject:
        seen = await desk(call.api.core, call.signed_in.person)
        return {"waiting": [_waits(one) for one in seen.waiting], "unsettled": seen.unsettled}

    return json_response(await told(look))


async def computed(call: Call) -> web.Response:
    """POST /ratings/compute: calculate what is pending, or everything anew."""
    raw = await call.body()
    body = parse(ComputeBody, raw or b"{}")

    async def do() -> JsonObject:
        done = await compute(call.api.core, call.signed_in.person, everything=body.everything)
        return {"groups": list(done.groups)}

    return await once(call, raw, do)


async def removed(call: Call) -> web.Response:
    """POST /members/{id}/ratings/remove: remove a wrong rating, with a reason."""
    raw = await call.body()
    body, words = parse(RemoveRatingBody, raw), words_of(call)
    kind, day = RatingKind(body.kind), body.on.isoformat()
    asked = Removal(call.path_id, kind, day, body.reason, _CHANNEL, body.seen)

    async def do() -> JsonObject:
        done = await remove_rating(call.api.core, call.signed_in.person, asked)
        refused = wording.slip_text(done, words) if isinstance(done, Slip) else None
        moves = [one.group for one in done] if isinstance(done, tuple) else []
        return {"done": done is None, "refused": refused, "moves": list(moves)}

    return await once(call, raw, do)


PREFIX = "/api/v1"
_RIGHT = (Kind.NOT_ALLOWED,)
_ON = Parameter("on", "string", "The day of the list; today without it", format="date")

RATINGS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/ratings", "rating_list", listed,
        "The K-ratings of a day, highest first", answers.RatingList,
        guard=Guard.OPEN, query=(_ON,),
    ),
    Endpoint(
        "GET", f"{PREFIX}/players/{{id}}/ratings", "rating_history", of_player,
        "A player's K-ratings in order of time", answers.RatingHistory, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/groups/{{id}}/rating", "rating_calculation", of_group,
        "A group's rating calculation with every step", answers.RatingCalculation,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/ratings/waiting", "ratings_waiting", waiting,
        "The groups that wait for their ratings", answers.RatingDesk, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/ratings/compute", "ratings_compute", computed,
        "Calculate what waits, or everything anew", answers.RatingsComputed,
        body=bodies.ComputeBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members/{{id}}/ratings/remove", "rating_remove", removed,
        "Remove a rating from the register, with a reason", answers.RatingRemoved,
        body=bodies.RemoveRatingBody, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
)  # fmt: skip
