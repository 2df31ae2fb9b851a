"""The league in the API: captains, reserves, line-ups, lots, seasons (§ 6.7). Not for rights."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from kskak.ledger.ledger_files import JsonObject
from kskak.regulation.days import local_day
from kskak.regulation.editions import Result
from server.api.cases.case_models import PersonName
from server.api.frame.area import Area, Points, at
from server.api.frame.endpoints import Call, Guard
from server.api.frame.game_models import LONGEST_TEXT, ApiAnswer, ApiBody, Line, bad_fields
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store import groups as group_rows
from server.store.divisions import LeagueBoardRow
from server.store.engine.rows import from_us
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.desks import captain_desk as desks
from server.usecases.league import league_leading, reserves
from server.usecases.league.league_views import view_in
from server.usecases.league.reserves import NothingToDo, ReserveInput, ReserveRefused
from server.usecases.rights import NoSuch
from server.usecases.season import composing

# Request and response models: the schemas in openapi.json.


class TeamGameSeen(ApiAnswer):
    """A team's game; days are reflection days, `is_silent` means 14 of them without an answer."""

    id: int = at("line", "id")
    name: str = at("line", "name")
    board: int = at("line", "board")
    round: int = at("line", "round")
    player: str = at("own")
    opponent: str
    opponents: str
    side: str
    is_our_move: bool
    days_left: int | None
    days_used: int
    is_silent: bool
    result: str | None


class SeatSeen(ApiAnswer):
    """Who plays or played a board; `until` is null while he still does."""

    person: PersonName
    board: int
    rating: int
    since: date
    until: date | None


class ReserveSeen(ApiAnswer):
    """A requested reserve."""

    id: int
    board: int
    name: str
    rating: int
    state: str
    note: str | None
    against: Annotated[list[str], BeforeValidator(lambda names: names.split(",") if names else [])]
    pause_first: date | None
    pause_last: date | None


class CaptainTeamSeen(ApiAnswer):
    """One of the captain's teams."""

    id: int
    club: str
    group: str
    division: int
    points: Points
    reserves_left: int
    lineup: list[SeatSeen]
    games: list[TeamGameSeen]
    reserves: list[ReserveSeen]


class CaptainSeen(ApiAnswer):
    """The captain's desk; `cases` are the numbers of his players' cases."""

    teams: list[CaptainTeamSeen]
    cases: list[str]


class ReserveMade(ApiAnswer):
    """A reserve as it stands after the call."""

    id: int
    state: str


class PauseOver(ApiAnswer):
    """The last day of the pause."""

    id: int
    last: date


class TeamDone(ApiAnswer):
    """The team that was changed."""

    team: int


class LotsDrawn(ApiAnswer):
    """The clubs in the order drawn (§ 6.7.4.5)."""

    clubs: list[str]


class StandingSeen(ApiAnswer):
    """A team's place; `decided_by` as in kskak-placing/1."""

    place: int
    club: str = at("name")
    points: Points
    games: int
    decided_by: str | None


class MatchSeen(ApiAnswer):
    """Two teams' games in a round, and the score so far."""

    round: int
    home: str = at("home", "club")
    away: str = at("away", "club")
    points: list[Points]
    finished: int


class TeamSeen(ApiAnswer):
    """A team with its players by board, past and present."""

    id: int
    number: int
    club: str
    captain: str
    lineup: list[SeatSeen]


class DivisionSeen(ApiAnswer):
    """A division: order, matches, teams (§ 6.7.4.5)."""

    group: str
    division: int
    season: int
    standings: list[StandingSeen]
    matches: list[MatchSeen]
    teams: list[TeamSeen]
    champion: str | None
    needs_lots: bool


class PlanTeam(ApiAnswer):
    """A team in a plan: the reason for its place, and the answer to its dispensation.

    ``team``: its number among the entered teams; a club may have several.
    """

    team: int = at("number")
    club: str
    by: str
    needs_dispensation: bool = at("needs_grant")
    granted: Annotated[bool | None, BeforeValidator(lambda it: it and it.is_granted)] = at("grant")


class PlanDivision(ApiAnswer):
    """A division of a plan; the third division appears once per group."""

    division: int
    teams: list[PlanTeam]


def _planned(parts: Iterable[tuple[int, object]]) -> list[dict[str, object]]:
    return [{"division": division, "teams": teams} for division, teams in parts]


class PlanSeen(ApiAnswer):
    """Next season's divisions as composed (§ 6.7.5.1)."""

    id: int = at("row", "id")
    season: int = at("row", "season")
    deadline: date = at("row", "deadline")
    divisions: Annotated[list[PlanDivision], BeforeValidator(_planned)]
    unplaced: list[PlanTeam]


Name = Line
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Person = Annotated[int, Field(ge=1)]


class Strict(ApiBody):
    """Dates and enumerations are strings in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ReserveBody(Strict):
    """A reserve for a board; `stop_time` stops the clock for the rest of the 14 days (§ 6.7.4.3).

    Club and strength come from the register; `rating` is for players without one. `asks_leave`:
    he belongs to another club, and the leader is asked for permission (§ 6.7.3.2).
    """

    board: Annotated[int, Field(ge=1, le=4)]
    name: Name
    email: Name
    rating: Rating | None = None
    club: Name | None = None
    reason: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    stop_time: bool = False
    asks_leave: bool = False


class ReserveDecisionBody(Strict):
    """Approve a reserve, who takes over at once, or refuse him (§ 6.7.4.3)."""

    approve: bool
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    despite: bool = Field(
        False, description="In spite of `other_club` or `not_in_register`; `note` is the reason"
    )


class PauseBody(Strict):
    """An empty body, which may be omitted."""


class ReportBody(Strict):
    """A result reported by a captain for a game still open here (§ 6.7.6.1)."""

    game: Annotated[int, Field(ge=1)]
    result: Literal["1-0", "1/2-1/2", "0-1"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class LineupBody(Strict):
    """The player ids from board 1 on, and why (§ 6.7.2.1)."""

    players: Annotated[list[Person], Field(min_length=4, max_length=4)]
    reason: Reason


class CaptainBody(Strict):
    """Another captain, by registered address (§ 6.7.2.2)."""

    email: Name
    reason: Reason


class LotsBody(Strict):
    """An empty body, which may be omitted."""


class NewTeamBody(Strict):
    """A team that did not play last season, with its four ratings."""

    club: Name
    ratings: Annotated[list[Rating], Field(min_length=4, max_length=4)]


class PlanBody(Strict):
    """Next season's divisions: all of last season's teams except `absent` clubs (§ 6.7.5.1).

    With `entered`, only the clubs' valid entries are used instead.
    """

    deadline: date
    entered: bool = False
    absent: Annotated[list[str], Field(max_length=500)] = Field(default_factory=list)
    new: Annotated[list[NewTeamBody], Field(max_length=500)] = Field(default_factory=list)


class GrantBody(Strict):
    """The answer to a dispensation (§ 6.7.5.1)."""

    club: Name
    division: Annotated[int, Field(ge=1, le=2)]
    grant: bool
    reason: Reason


# The calls.

area = Area("team", "reserve", "group")
_RIGHT = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH, ApiProblemKind.NOTHING_TO_DO)
_RESERVE = (*_RIGHT, ApiProblemKind.RESERVE_REFUSED)


@area.refusal(NothingToDo, HasBegun)
def _idle(call: Call, error: NothingToDo | HasBegun) -> ApiProblem:
    is_begun = isinstance(error, HasBegun)
    return ApiProblem(ApiProblemKind.TEAM_BEGUN if is_begun else ApiProblemKind.NOTHING_TO_DO)


@area.refusal(ReserveRefused)
def _refused(call: Call, refused: ReserveRefused) -> ApiProblem:
    """A refused reserve: all faults in words, the first's paragraph (§ 6.7.4.3)."""
    words = load_words(call)
    why = " ".join(words(f"league.fault.{f.value}", paragraph=f.paragraph) for f in refused.faults)
    more: JsonObject = {
        "paragraph": refused.faults[0].paragraph,
        "faults": [fault.value for fault in refused.faults],
    }
    return ApiProblem(ApiProblemKind.RESERVE_REFUSED, more, values={"why": why})


def _lineup(boards: Iterable[Iterable[LeagueBoardRow]], zone: str) -> list[dict[str, object]]:
    return [
        {
            "person": {"id": seat.person_id, "name": seat.name},
            "board": seat.board, "rating": seat.rating,
            "since": local_day(from_us(seat.from_us), zone),
            "until": None if seat.to_us is None else local_day(from_us(seat.to_us), zone),
        }
        for seats in boards
        for seat in seats
    ]  # fmt: skip


@area.get("/captain", "captain", CaptainSeen, guard=Guard.SIGNED_IN)
async def captain(call: Call) -> object:
    """The teams you are captain of."""
    found = await desks.captain_desk(call.api.core, call.signed_in.person)
    teams = [
        {
            "id": one.team.team.id, "club": one.team.team.club,
            "group": one.division.group.name, "division": one.division.row.division,
            "points": one.points, "reserves_left": one.reserves_left,
            "lineup": _lineup(one.team.boards, one.division.group.zone),
            "games": one.games, "reserves": one.reserves,
        }
        for one in found.teams
    ]  # fmt: skip
    return {"teams": teams, "cases": [one.number for one in found.cases]}


@area.get("/groups/{id}/league", "division", DivisionSeen, guard=Guard.SIGNED_IN)
async def division(call: Call) -> object:
    """A division: order, matches, teams."""
    async with call.api.core.store.read() as conn:
        group = await group_rows.find(conn, call.path_id)
        view = None if group is None else await conn.run_sync(view_in, group)
    if view is None:
        return None
    teams = [
        {
            "id": one.team.id, "number": one.team.number, "club": one.team.club,
            "captain": one.captain.name, "lineup": _lineup(one.boards, view.group.zone),
        }
        for one in view.teams
    ]  # fmt: skip
    return {
        "group": view.group.name, "division": view.row.division, "season": view.row.season,
        "standings": view.standings, "matches": view.matches, "teams": teams,
        "champion": view.champion, "needs_lots": view.needs_lots,
    }  # fmt: skip


@area.post("/teams/{id}/reserves", "reserve", ReserveMade, *_RESERVE, body=ReserveBody)
async def ask_reserve(call: Call, body: ReserveBody) -> object:
    """Ask for a reserve (§ 6.7.4.3)."""
    core, person = call.api.core, call.signed_in.person
    wish = ReserveInput(**body.model_dump())
    done = await reserves.ask_reserve(core, person, call.path_id, wish)
    return {"id": done, "state": "asked"} if isinstance(done, int) else done


@area.post(
    "/reserves/{id}/decision", "reserve_decide", ReserveMade, *_RESERVE, body=ReserveDecisionBody
)
async def decide_reserve(call: Call, body: ReserveDecisionBody) -> object:
    """Approve or refuse a reserve (§ 6.7.4.3)."""
    return await reserves.decide_reserve(
        call.api.core, call.signed_in.person, call.path_id, body.approve, body.note,
        despite=body.despite,
    )  # fmt: skip


@area.post(
    "/reserves/{id}/pause/end", "pause_end", PauseOver, *_RIGHT, body=PauseBody, is_optional=True
)
async def end_pause(call: Call, _: object) -> object:
    """Start the time again before a reserve's pause is over (§ 6.7.4.3)."""
    last = await reserves.end_pause(call.api.core, call.signed_in.person, call.path_id)
    return {"id": call.path_id, "last": last}


@area.post("/teams/{id}/results", "team_report", TeamDone, *_RIGHT, body=ReportBody)
async def report(call: Call, body: ReportBody) -> object:
    """Report a result to the leader (§ 6.7.6.1)."""
    core, person, result = call.api.core, call.signed_in.person, Result(body.result)
    await league_leading.report_result(core, person, call.path_id, body.game, result, body.note)
    return {"team": call.path_id}


@area.post(
    "/teams/{id}/lineup", "team_lineup", TeamDone, *_RIGHT, ApiProblemKind.TEAM_BEGUN,
    body=LineupBody,
)  # fmt: skip
async def lineup(call: Call, body: LineupBody) -> object:
    """Put a team's players on other boards (§ 6.7.2.1)."""
    core, person = call.api.core, call.signed_in.person
    await league_leading.change_order(core, person, call.path_id, body.players, body.reason)
    return {"team": call.path_id}


@area.post("/teams/{id}/captain", "team_captain", TeamDone, *_RIGHT, body=CaptainBody)
async def name_captain(call: Call, body: CaptainBody) -> object:
    """Name another captain (§ 6.7.2.2)."""
    core, person = call.api.core, call.signed_in.person
    await league_leading.name_captain(core, person, call.path_id, body.email, body.reason)
    return {"team": call.path_id}


@area.post("/groups/{id}/lots", "league_lots", LotsDrawn, *_RIGHT, body=LotsBody, is_optional=True)
async def lots(call: Call, _: object) -> object:
    """Draw lots for places that are level (§ 6.7.4.5)."""
    person = call.signed_in.person
    return {"clubs": await league_leading.draw_places(call.api.core, person, call.path_id)}


@area.post("/league-plans", "league_plan", PlanSeen, *_RIGHT, body=PlanBody)
async def compose_plan(call: Call, body: PlanBody) -> object:
    """Compose next season's divisions (§ 6.7.5.1)."""
    core = call.api.core
    try:
        return await composing.plan(core, await _compose(call, body))
    except NoSuch as error:
        if str(error) == "deadline":
            raise bad_fields([("/deadline", "day_outside")]) from None
        raise


async def _compose(call: Call, body: PlanBody) -> int:
    """The number of the new plan."""
    core, person = call.api.core, call.signed_in.person
    if body.entered:
        return await composing.compose_open_season(core, person, body.deadline)
    season = await composing.last_season(core)
    if season is None:
        raise NoSuch("season")
    known = await composing.candidates(core, season, body.deadline)
    keys = [one.key for one in known if one.club not in body.absent]
    new = [(one.club, one.ratings) for one in body.new]
    return await composing.compose_season(core, person, season, body.deadline, (keys, new))


@area.post("/league-plans/{id}/grants", "league_grant", PlanSeen, *_RIGHT, body=GrantBody)
async def answer_grant(call: Call, body: GrantBody) -> object:
    """Answer a dispensation (§ 6.7.5.1)."""
    core, person = call.api.core, call.signed_in.person
    team, answer = (body.club, body.division), (body.grant, body.reason)
    number = await composing.answer_grant(core, person, call.path_id, team, answer)
    return await composing.plan(core, number)


LEAGUE = tuple(area.calls)
