"""The league in the API: captains, reserves, line-ups, lots, seasons (§ 6.7). Not for rights."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

from aiohttp import web

from kskak.league.lineups import RESERVE_PARAGRAPH
from kskak.ledger.ledger_files import JsonObject
from kskak.regulation.editions import Result
from server.api.frame.endpoints import Call, Endpoint, Handler
from server.api.frame.game_models import EMPTY, ApiBody, bad_fields, json_response, parse
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words, respond_once
from server.api.league import league_models
from server.api.league.league_models import (
    CaptainBody,
    GrantBody,
    LineupBody,
    LotsBody,
    PauseBody,
    PlanBody,
    ReportBody,
    ReserveBody,
    ReserveDecisionBody,
    captain,
    division,
    write_plan,
)
from server.store import groups as group_rows
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.desks.captain_desk import captain_desk
from server.usecases.league import league_leading
from server.usecases.league import reserves as league_reserves
from server.usecases.league.league_views import view_in
from server.usecases.league.reserves import (
    NothingToDo,
    ReserveInput,
    ReserveRefused,
    ask_reserve,
    decide_reserve,
)
from server.usecases.rights import NoSuch
from server.usecases.season import composing


async def _do(work: Callable[[], Awaitable[JsonObject]]) -> JsonObject:
    """The result. Raises Problem for what the league's own rules refuse."""
    try:
        return await work()
    except NothingToDo:
        raise ApiProblem(ApiProblemKind.NOTHING_TO_DO) from None
    except HasBegun:
        raise ApiProblem(ApiProblemKind.TEAM_BEGUN) from None
    except NoSuch as error:
        if str(error) in ("team", "reserve", "group"):
            raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
        raise


def _build_refusal_problem(call: Call, refused: ReserveRefused) -> ApiProblem:
    """The problem for a refused reserve: all faults in words, the first's paragraph (§ 6.7.4.3)."""
    words = load_words(call)
    why = " ".join(
        words(f"league.fault.{f.value}", paragraph=RESERVE_PARAGRAPH[f]) for f in refused.faults
    )
    more: JsonObject = {
        "paragraph": RESERVE_PARAGRAPH[refused.faults[0]],
        "faults": [fault.value for fault in refused.faults],
    }
    return ApiProblem(ApiProblemKind.RESERVE_REFUSED, more, values={"why": why})


B = TypeVar("B", bound=ApiBody)


def _posts(
    model: type[B], *, may_be_empty: bool = False
) -> Callable[[Callable[[Call, B], Awaitable[JsonObject]]], Handler]:
    """Decorates the POSTs here: body parsed as ``model``, executed once (frame/serving.py)."""

    def shaped(deed: Callable[[Call, B], Awaitable[JsonObject]]) -> Handler:
        @wraps(deed)
        async def handle(call: Call) -> web.Response:
            raw = await call.body()
            body = parse(model, raw or EMPTY if may_be_empty else raw)
            return await respond_once(call, raw, lambda: _do(lambda: deed(call, body)))

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
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return json_response(division(view))


@_posts(ReserveBody)
async def reserve(call: Call, body: ReserveBody) -> JsonObject:
    """POST /teams/{id}/reserves: the captain asks for a reserve (§ 6.7.4.3)."""
    wish = ReserveInput(
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
        raise _build_refusal_problem(call, done)
    return {"id": done, "state": "asked"}


@_posts(ReserveDecisionBody)
async def decide(call: Call, body: ReserveDecisionBody) -> JsonObject:
    """POST /reserves/{id}/decision: the leader approves or refuses (§ 6.7.4.3)."""
    core, person = call.api.core, call.signed_in.person
    approves, note = body.approve, body.note
    done = await decide_reserve(core, person, call.path_id, approves, note, despite=body.despite)
    if isinstance(done, ReserveRefused):
        raise _build_refusal_problem(call, done)
    return {"id": done.id, "state": done.state}


@_posts(PauseBody, may_be_empty=True)
async def end_pause(call: Call, _: PauseBody) -> JsonObject:
    """POST /reserves/{id}/pause/end: the captain starts the time again (§ 6.7.4.3)."""
    last = await league_reserves.end_pause(call.api.core, call.signed_in.person, call.path_id)
    return {"id": call.path_id, "last": last.isoformat()}


@_posts(ReportBody)
async def report(call: Call, body: ReportBody) -> JsonObject:
    """POST /teams/{id}/results: the captain reports a result (§ 6.7.6.1)."""
    core, person, result = call.api.core, call.signed_in.person, Result(body.result)
    await league_leading.report_result(core, person, call.path_id, body.game, result, body.note)
    return {"team": call.path_id}


@_posts(LineupBody)
async def lineup(call: Call, body: LineupBody) -> JsonObject:
    """POST /teams/{id}/lineup: the leader changes the boards (§ 6.7.2.1)."""
    core, person = call.api.core, call.signed_in.person
    await league_leading.change_order(core, person, call.path_id, body.players, body.reason)
    return {"team": call.path_id}


@_posts(CaptainBody)
async def name_captain(call: Call, body: CaptainBody) -> JsonObject:
    """POST /teams/{id}/captain: name another captain (§ 6.7.2.2)."""
    core, person = call.api.core, call.signed_in.person
    await league_leading.name_captain(core, person, call.path_id, body.email, body.reason)
    return {"team": call.path_id}


@_posts(LotsBody, may_be_empty=True)
async def lots(call: Call, _: LotsBody) -> JsonObject:
    """POST /groups/{id}/lots: draw lots for tied places (§ 6.7.4.5)."""
    person = call.signed_in.person
    return {"clubs": list(await league_leading.draw_places(call.api.core, person, call.path_id))}


async def _read_plan(call: Call, plan_id: int) -> JsonObject:
    found = await composing.plan(call.api.core, plan_id)
    assert found is not None
    return write_plan(found)


@_posts(PlanBody)
async def plan(call: Call, body: PlanBody) -> JsonObject:
    """POST /league-plans: compose next season's divisions (§ 6.7.5.1)."""
    try:
        return await _read_plan(call, await _compose_plan(call, body))
    except NoSuch as error:
        if str(error) == "deadline":
            raise bad_fields([("/deadline", "day_outside")]) from None
        raise


async def _compose_plan(call: Call, body: PlanBody) -> int:
    """The number of the new plan."""
    core, person = call.api.core, call.signed_in.person
    if body.entered:
        return await composing.compose_open_season(core, person, body.deadline)
    season = await composing.last_season(core)
    if season is None:
        raise NoSuch("season")
    known = await composing.candidates(core, season, body.deadline)
    keys = [one.key for one in known if one.club not in body.absent]
    new = [composing.CompositionNewcomer(one.club, tuple(one.ratings)) for one in body.new]
    return await composing.compose_season(core, person, season, body.deadline, (keys, new))


@_posts(GrantBody)
async def grant(call: Call, body: GrantBody) -> JsonObject:
    """POST /league-plans/{id}/grants: grant or refuse a dispensation (§ 6.7.5.1)."""
    core, person = call.api.core, call.signed_in.person
    team, answer = (body.club, body.division), (body.grant, body.reason)
    number = await composing.answer_grant(core, person, call.path_id, team, answer)
    return await _read_plan(call, number)


PREFIX = "/api/v1"
_TEAM = f"{PREFIX}/teams/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_RIGHT = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH, ApiProblemKind.NOTHING_TO_DO)

LEAGUE: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/captain", "captain", desk, "The teams you are captain of",
        league_models.CaptainSeen,
    ),
    Endpoint(
        "GET", f"{_GROUP}/league", "division", table,
        "A division: order, matches, teams", league_models.DivisionSeen,
    ),
    Endpoint(
        "POST", f"{_TEAM}/reserves", "reserve", reserve, "Ask for a reserve",
        league_models.ReserveMade, body=league_models.ReserveBody, problems=(*_RIGHT,
        ApiProblemKind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/decision", "reserve_decide", decide,
        "Approve or refuse a reserve", league_models.ReserveMade,
        body=league_models.ReserveDecisionBody,
        problems=(*_RIGHT, ApiProblemKind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/pause/end", "pause_end", end_pause,
        "Start the time again before a reserve's pause is over", league_models.PauseOver,
        body=league_models.PauseBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/results", "team_report", report,
        "Report a result to the leader", league_models.TeamDone, body=league_models.ReportBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/lineup", "team_lineup", lineup,
        "Put a team's players on other boards", league_models.TeamDone,
        body=league_models.LineupBody,
        problems=(*_RIGHT, ApiProblemKind.TEAM_BEGUN),
    ),
    Endpoint(
        "POST", f"{_TEAM}/captain", "team_captain", name_captain, "Name another captain",
        league_models.TeamDone, body=league_models.CaptainBody, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_GROUP}/lots", "league_lots", lots,
        "Draw lots for places that are level", league_models.LotsDrawn, body=league_models.LotsBody,
        is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans", "league_plan", plan,
        "Compose next season's divisions", league_models.PlanSeen, body=league_models.PlanBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/grants", "league_grant", grant,
        "Answer a dispensation", league_models.PlanSeen, body=league_models.GrantBody,
        problems=_RIGHT,
    ),
)  # fmt: skip
