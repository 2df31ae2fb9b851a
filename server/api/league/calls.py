"""The league in the API: captains, reserves, line-ups, lots, seasons (§ 6.7). Not for rights."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

from aiohttp import web

from kskak.league.reserves import PARAGRAPH
from kskak.ledger.ledger_out import JsonObject
from kskak.regulation.quantities import Result
from server.api.frame.body import EMPTY, Body, bad_fields, parse
from server.api.frame.endpoints import Call, Endpoint, Handler
from server.api.frame.json_answer import json_response
from server.api.frame.once import once
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.api.league import models as answers
from server.api.league import models as bodies
from server.api.league.building import captain, division, planned
from server.api.league.models import (
    CaptainBody,
    GrantBody,
    LineupBody,
    LotsBody,
    PauseBody,
    PlanBody,
    ReportBody,
    ReserveBody,
    ReserveDecisionBody,
)
from server.store.groups import groups_and_seats as group_rows
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.offices import NoSuch
from server.usecases.desks.captain_desk import captain_desk
from server.usecases.league import leading, reserve_pause
from server.usecases.league.reserve_deciding import decide_reserve
from server.usecases.league.reserving import NothingToDo, ReserveRefused, Wish, ask_reserve
from server.usecases.league.views import view_in
from server.usecases.season import composing as season_of
from server.usecases.season import plans as season_plans


async def _do(work: Callable[[], Awaitable[JsonObject]]) -> JsonObject:
    """The result. Raises Problem for what the league's own rules refuse."""
    try:
        return await work()
    except NothingToDo:
        raise Problem(Kind.NOTHING_TO_DO) from None
    except HasBegun:
        raise Problem(Kind.TEAM_BEGUN) from None
    except NoSuch as error:
        if str(error) in ("team", "reserve", "group"):
            raise Problem(Kind.NOT_FOUND) from None
        raise


def _refused(call: Call, refused: ReserveRefused) -> Problem:
    """The problem for a refused reserve: all faults in words, the first's paragraph (§ 6.7.4.3)."""
    words = words_of(call)
    why = " ".join(words(f"league.fault.{f.value}", paragraph=PARAGRAPH[f]) for f in refused.faults)
    more: JsonObject = {
        "paragraph": PARAGRAPH[refused.faults[0]],
        "faults": [fault.value for fault in refused.faults],
    }
    return Problem(Kind.RESERVE_REFUSED, more, values={"why": why})


B = TypeVar("B", bound=Body)


def _posts(
    model: type[B], *, may_be_empty: bool = False
) -> Callable[[Callable[[Call, B], Awaitable[JsonObject]]], Handler]:
    """Decorates the POSTs here: body parsed as ``model``, executed once (frame/once.py)."""

    def shaped(deed: Callable[[Call, B], Awaitable[JsonObject]]) -> Handler:
        @wraps(deed)
        async def handle(call: Call) -> web.Response:
            raw = await call.body()
            body = parse(model, raw or EMPTY if may_be_empty else raw)
            return await once(call, raw, lambda: _do(lambda: deed(call, body)))

        return handle

    return shaped


async def desk(call: Call) -> web.Response:
    """GET /captain: the teams that the caller captains."""
    core = call.api.core
    found = await captain_desk(core, call.signed_in.person)
    return json_response(captain(found))


async def table(call: Call) -> web.Response:
    """GET /groups/{id}/league: a division's order, matches and teams."""
    async with call.api.core.store.read() as conn:
        group = await group_rows.find(conn, call.path_id)
        view = None if group is None else await conn.run_sync(view_in, group)
    if view is None:
        raise Problem(Kind.NOT_FOUND)
    return json_response(division(view))


@_posts(ReserveBody)
async def reserve(call: Call, body: ReserveBody) -> JsonObject:
    """POST /teams/{id}/reserves: the captain asks for a reserve (§ 6.7.4.3)."""
    wish = Wish(
        body.board,
        body.name,
        body.email,
        body.rating,
        body.reason,
        body.club or "",
        body.stop_time,
        body.asks_leave,
    )
    done = await ask_reserve(call.api.core, call.signed_in.person, call.path_id, wish)
    if isinstance(done, ReserveRefused):
        raise _refused(call, done)
    return {"id": done, "state": "asked"}


@_posts(ReserveDecisionBody)
async def decide(call: Call, body: ReserveDecisionBody) -> JsonObject:
    """POST /reserves/{id}/decision: the leader approves or refuses (§ 6.7.4.3)."""
    core, person = call.api.core, call.signed_in.person
    approves, note = body.approve, body.note
    done = await decide_reserve(core, person, call.path_id, approves, note, despite=body.despite)
    if isinstance(done, ReserveRefused):
        raise _refused(call, done)
    return {"id": done.id, "state": done.state}


@_posts(PauseBody, may_be_empty=True)
async def end_pause(call: Call, _: PauseBody) -> JsonObject:
    """POST /reserves/{id}/pause/end: the captain starts the time again (§ 6.7.4.3)."""
    last = await reserve_pause.end_pause(call.api.core, call.signed_in.person, call.path_id)
    return {"id": call.path_id, "last": last.isoformat()}


@_posts(ReportBody)
async def report(call: Call, body: ReportBody) -> JsonObject:
    """POST /teams/{id}/results: the captain reports a result (§ 6.7.6.1)."""
    core, person, result = call.api.core, call.signed_in.person, Result(body.result)
    await leading.report_result(core, person, call.path_id, body.game, result, body.note)
    return {"team": call.path_id}


@_posts(LineupBody)
async def lineup(call: Call, body: LineupBody) -> JsonObject:
    """POST /teams/{id}/lineup: the leader changes the boards (§ 6.7.2.1)."""
    core, person = call.api.core, call.signed_in.person
    await leading.change_order(core, person, call.path_id, body.players, body.reason)
    return {"team": call.path_id}


@_posts(CaptainBody)
async def named(call: Call, body: CaptainBody) -> JsonObject:
    """POST /teams/{id}/captain: name another captain (§ 6.7.2.2)."""
    core, person = call.api.core, call.signed_in.person
    await leading.name_captain(core, person, call.path_id, body.email, body.reason)
    return {"team": call.path_id}


@_posts(LotsBody, may_be_empty=True)
async def lots(call: Call, _: LotsBody) -> JsonObject:
    """POST /groups/{id}/lots: draw lots for tied places (§ 6.7.4.5)."""
    person = call.signed_in.person
    return {"clubs": list(await leading.draw_places(call.api.core, person, call.path_id))}


async def _seen(call: Call, plan_id: int) -> JsonObject:
    found = await season_plans.plan(call.api.core, plan_id)
    assert found is not None
    return planned(found)


@_posts(PlanBody)
async def plan(call: Call, body: PlanBody) -> JsonObject:
    """POST /league-plans: compose next season's divisions (§ 6.7.5.1)."""
    try:
        return await _seen(call, await _composed(call, body))
    except NoSuch as error:
        if str(error) == "deadline":
            raise bad_fields([("/deadline", "day_outside")]) from None
        raise


async def _composed(call: Call, body: PlanBody) -> int:
    """The number of the new plan."""
    core, person = call.api.core, call.signed_in.person
    if body.entered:
        return await season_of.compose_entered(core, person, body.deadline)
    season = await season_of.last_season(core)
    if season is None:
        raise NoSuch("season")
    known = await season_of.candidates(core, season, body.deadline)
    keys = [one.key for one in known if one.club not in body.absent]
    new = [season_of.NewTeam(one.club, tuple(one.ratings)) for one in body.new]
    return await season_of.compose_season(core, person, season, body.deadline, (keys, new))


@_posts(GrantBody)
async def grant(call: Call, body: GrantBody) -> JsonObject:
    """POST /league-plans/{id}/grants: grant or refuse a dispensation (§ 6.7.5.1)."""
    core, person = call.api.core, call.signed_in.person
    team, answer = (body.club, body.division), (body.grant, body.reason)
    number = await season_plans.answer_grant(core, person, call.path_id, team, answer)
    return await _seen(call, number)


PREFIX = "/api/v1"
_TEAM = f"{PREFIX}/teams/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_RIGHT = (Kind.NOT_ALLOWED, Kind.NO_SUCH, Kind.NOTHING_TO_DO)

LEAGUE: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/captain", "captain", desk, "The teams you are captain of",
        answers.CaptainSeen,
    ),
    Endpoint(
        "GET", f"{_GROUP}/league", "division", table,
        "A division: order, matches, teams", answers.DivisionSeen,
    ),
    Endpoint(
        "POST", f"{_TEAM}/reserves", "reserve", reserve, "Ask for a reserve",
        answers.ReserveMade, body=bodies.ReserveBody, problems=(*_RIGHT, Kind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/decision", "reserve_decide", decide,
        "Approve or refuse a reserve", answers.ReserveMade, body=bodies.ReserveDecisionBody,
        problems=(*_RIGHT, Kind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/pause/end", "pause_end", end_pause,
        "Start the time again before a reserve's pause is over", answers.PauseOver,
        body=bodies.PauseBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/results", "team_report", report,
        "Report a result to the leader", answers.TeamDone, body=bodies.ReportBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/lineup", "team_lineup", lineup,
        "Put a team's players on other boards", answers.TeamDone, body=bodies.LineupBody,
        problems=(*_RIGHT, Kind.TEAM_BEGUN),
    ),
    Endpoint(
        "POST", f"{_TEAM}/captain", "team_captain", named, "Name another captain",
        answers.TeamDone, body=bodies.CaptainBody, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_GROUP}/lots", "league_lots", lots,
        "Draw lots for places that are level", answers.LotsDrawn, body=bodies.LotsBody,
        is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans", "league_plan", plan,
        "Compose next season's divisions", answers.PlanSeen, body=bodies.PlanBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/grants", "league_grant", grant,
        "Answer a dispensation", answers.PlanSeen, body=bodies.GrantBody, problems=_RIGHT,
    ),
)  # fmt: skip
