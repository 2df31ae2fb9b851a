"""The league's endpoints; part of site/table.py (§ 6.7)."""

from server.api.frame.endpoints import Endpoint
from server.api.frame.problems import Kind
from server.api.league import calls
from server.api.league import league_bodies as bodies
from server.api.league import models as answers

PREFIX = "/api/v1"
_TEAM = f"{PREFIX}/teams/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_RIGHT = (Kind.NOT_ALLOWED, Kind.NO_SUCH, Kind.NOTHING_TO_DO)

LEAGUE: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/captain", "captain", calls.desk, "The teams you are captain of",
        answers.CaptainSeen,
    ),
    Endpoint(
        "GET", f"{_GROUP}/league", "division", calls.table,
        "A division: order, matches, teams", answers.DivisionSeen,
    ),
    Endpoint(
        "POST", f"{_TEAM}/reserves", "reserve", calls.reserve, "Ask for a reserve",
        answers.ReserveMade, body=bodies.ReserveBody, problems=(*_RIGHT, Kind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/decision", "reserve_decide", calls.decide,
        "Approve or refuse a reserve", answers.ReserveMade, body=bodies.ReserveDecisionBody,
        problems=(*_RIGHT, Kind.RESERVE_REFUSED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/reserves/{{id}}/pause/end", "pause_end", calls.end_pause,
        "Start the time again before a reserve's pause is over", answers.PauseOver,
        body=bodies.PauseBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/results", "team_report", calls.report,
        "Report a result to the leader", answers.TeamDone, body=bodies.ReportBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_TEAM}/lineup", "team_lineup", calls.lineup,
        "Put a team's players on other boards", answers.TeamDone, body=bodies.LineupBody,
        problems=(*_RIGHT, Kind.TEAM_BEGUN),
    ),
    Endpoint(
        "POST", f"{_TEAM}/captain", "team_captain", calls.named, "Name another captain",
        answers.TeamDone, body=bodies.CaptainBody, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{_GROUP}/lots", "league_lots", calls.lots,
        "Draw lots for places that are level", answers.LotsDrawn, body=bodies.LotsBody,
        is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans", "league_plan", calls.plan,
        "Compose next season's divisions", answers.PlanSeen, body=bodies.PlanBody,
        problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/grants", "league_grant", calls.grant,
        "Answer a dispensation", answers.PlanSeen, body=bodies.GrantBody, problems=_RIGHT,
    ),
)  # fmt: skip
