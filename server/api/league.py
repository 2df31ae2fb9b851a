"""The league in the API: captains, reserves, line-ups, lots, seasons (§ 6.7). Not for rights."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from kskak.ledger.ledger_files import JsonObject
from kskak.regulation.days import local_day
from kskak.regulation.editions import Result
from mail.office_letters.league_letters import finding_text
from server.api.cases.case_models import PersonName
from server.api.frame.area import Area, Points, at
from server.api.frame.endpoints import Call
from server.api.frame.game_models import (
    LONGEST_TEXT,
    ApiAnswer,
    ApiBody,
    Line,
    answer_model,
    bad_fields,
)
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store import groups as group_rows
from server.store.account.sign_in import TokenScope
from server.store.divisions import LeagueBoardRow
from server.store.engine.rows import from_us
from server.store.entries import NewTeamEntryBoard
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.league import divisions, reserves
from server.usecases.league.divisions import view_in
from server.usecases.league.reserves import NothingToDo, ReserveInput, ReserveRefused
from server.usecases.rights import NoSuch
from server.usecases.season import composing, season_views, team_entering
from server.usecases.season.season_start import CannotStart, start_season
from server.usecases.season.season_views import club_view
from server.usecases.season.team_entering import TeamAsking, TeamRefused, change_lineup, enter_team

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
    is_our_move: bool = at("is_my_move")
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


ReserveMade = answer_model(
    "ReserveMade", "A reserve as it stands after the call.", id=int, state=str
)
PauseOver = answer_model("PauseOver", "The last day of the pause.", id=int, last=date)
TeamDone = answer_model("TeamDone", "The team that was changed.", team=int)
LotsDrawn = answer_model("LotsDrawn", "The clubs in the order drawn (§ 6.7.4.5).", clubs=list[str])


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
    home: str
    away: str
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


class PlanWay(ApiAnswer):
    """A place that the leader can give a team without one, granted as a dispensation is."""

    division: int
    by: str


class PlanTeam(ApiAnswer):
    """A team in a plan: the reason for its place, and the answer to its dispensation.

    ``team``: its number among the entered teams; a club may have several.
    """

    team: int = at("number")
    club: str
    by: str
    needs_dispensation: bool = at("needs_grant")
    granted: Annotated[bool | None, BeforeValidator(lambda it: it and it.is_granted)] = at("grant")
    ways: list[PlanWay]


class PlanDivision(ApiAnswer):
    """A division of a plan; the third division appears once per group."""

    division: int
    teams: list[PlanTeam]


class PlanSeen(ApiAnswer):
    """Next season's divisions as composed (§ 6.7.5.1)."""

    id: int = at("row", "id")
    season: int = at("row", "season")
    deadline: date = at("row", "deadline")
    divisions: Annotated[
        list[PlanDivision],
        BeforeValidator(lambda parts: [{"division": n, "teams": teams} for n, teams in parts]),
    ]
    unplaced: list[PlanTeam]


Name = Line
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Person = Annotated[int, Field(ge=1)]


class ReserveBody(ApiBody):
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


class ReserveDecisionBody(ApiBody):
    """Approve a reserve, who takes over at once, or refuse him (§ 6.7.4.3)."""

    approve: bool
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    despite: bool = Field(
        False, description="In spite of `other_club` or `not_in_register`; `note` is the reason"
    )


class ReportBody(ApiBody):
    """A result reported by a captain for a game still open here (§ 6.7.6.1)."""

    game: Annotated[int, Field(ge=1)]
    result: Literal["1-0", "1/2-1/2", "0-1"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class LineupBody(ApiBody):
    """The player ids from board 1 on, and why (§ 6.7.2.1)."""

    players: Annotated[list[Person], Field(min_length=4, max_length=4)]
    reason: Reason


class CaptainBody(ApiBody):
    """Another captain, by registered address (§ 6.7.2.2)."""

    email: Name
    reason: Reason
    despite: bool = False
    """The leader's word that he may be captain of two teams that meet."""


class NewTeamBody(ApiBody):
    """A team that did not play last season, with its four ratings."""

    club: Name
    ratings: Annotated[list[Rating], Field(min_length=4, max_length=4)]


class PlanBody(ApiBody):
    """Next season's divisions: all of last season's teams except `absent` clubs (§ 6.7.5.1).

    With `entered`, only the clubs' valid entries are used instead.
    """

    deadline: date
    entered: bool = False
    absent: Annotated[list[str], Field(max_length=500)] = Field(default_factory=list)
    new: Annotated[list[NewTeamBody], Field(max_length=500)] = Field(default_factory=list)


class GrantBody(ApiBody):
    """The answer to a dispensation, or a place for a team that has none (§ 6.7.5.1)."""

    club: Name
    division: Annotated[int, Field(ge=1, le=3)]
    grant: bool
    reason: Reason


# The calls.

area = Area("team", "reserve", "group", "entry", scope=TokenScope.LEAD)
own = area.opened_by(TokenScope.PLAY)
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
            "person": seat, "board": seat.board, "rating": seat.rating,
            "since": local_day(from_us(seat.from_us), zone),
            "until": None if seat.to_us is None else local_day(from_us(seat.to_us), zone),
        }
        for seats in boards
        for seat in seats
    ]  # fmt: skip


@area.get("/captain", "captain", CaptainSeen)
async def captain(call: Call) -> object:
    """The teams you are captain of."""
    found = await season_views.captain_desk(*call.actor)
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


@area.get("/groups/{id}/league", "division", DivisionSeen)
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
        "standings": view.clubs.rows, "matches": view.matches, "teams": teams,
        "champion": view.champion, "needs_lots": view.needs_lots,
    }  # fmt: skip


@own.post("/teams/{id}/reserves", "reserve", ReserveMade, *_RESERVE, body=ReserveBody)
async def ask_reserve(call: Call, body: ReserveBody) -> object:
    """Ask for a reserve (§ 6.7.4.3)."""
    wish = ReserveInput(**body.model_dump())
    done = await reserves.ask_reserve(*call.action, wish)
    return {"id": done, "state": "asked"} if isinstance(done, int) else done


@area.post(
    "/reserves/{id}/decision", "reserve_decide", ReserveMade, *_RESERVE, body=ReserveDecisionBody
)
async def decide_reserve(call: Call, body: ReserveDecisionBody) -> object:
    """Approve or refuse a reserve (§ 6.7.4.3)."""
    return await reserves.decide_reserve(
        *call.action, body.approve, body.note,
        despite=body.despite,
    )  # fmt: skip


@area.post("/reserves/{id}/pause/end", "pause_end", PauseOver, *_RIGHT)
async def end_pause(call: Call, _: object) -> object:
    """Start the time again before a reserve's pause is over (§ 6.7.4.3)."""
    last = await reserves.end_pause(*call.action)
    return {"id": call.path_id, "last": last}


@own.post("/teams/{id}/results", "team_report", TeamDone, *_RIGHT, body=ReportBody)
async def report(call: Call, body: ReportBody) -> object:
    """Report a result to the leader (§ 6.7.6.1)."""
    result = Result(body.result)
    await divisions.report_result(*call.action, body.game, result, body.note)
    return {"team": call.path_id}


@own.post(
    "/teams/{id}/lineup", "team_lineup", TeamDone, *_RIGHT, ApiProblemKind.TEAM_BEGUN,
    body=LineupBody,
)  # fmt: skip
async def lineup(call: Call, body: LineupBody) -> object:
    """Put a team's players on other boards (§ 6.7.2.1)."""
    await divisions.change_order(*call.action, body.players, body.reason)
    return {"team": call.path_id}


@own.post("/teams/{id}/captain", "team_captain", TeamDone, *_RIGHT, body=CaptainBody)
async def name_captain(call: Call, body: CaptainBody) -> object:
    """Name another captain (§ 6.7.2.2)."""
    named = (body.email, body.reason)
    await divisions.name_captain(*call.action, *named, despite=body.despite)
    return {"team": call.path_id}


@area.post("/groups/{id}/lots", "league_lots", LotsDrawn, *_RIGHT)
async def lots(call: Call, _: object) -> object:
    """Draw lots for places that are level (§ 6.7.4.5)."""
    return {"clubs": await divisions.draw_places(*call.action)}


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


# Team entries in the API: the club's own, officials' actions, the season's start (§ 6.7).


class EntrySeat(ApiAnswer):
    """A player on a board; `leave`: the leader permits him to play for two clubs (§ 6.7.3.2)."""

    board: int = at("seat", "board")
    person: PersonName = at("seat")
    rating: int
    leave: Annotated[bool, BeforeValidator(lambda us: us not in (None, False))] = at(
        "seat", "leave_us"
    )


class TeamFault(ApiAnswer):
    """What an entry lacks, with the players it concerns."""

    code: str = at("fault")
    paragraph: str
    players: list[str]


class TeamEntrySeen(ApiAnswer):
    """A team entry; `continues` is last season's team that it continues."""

    id: int = at("row", "id")
    club: str = at("row", "club")
    season: int = at("row", "season")
    state: str = at("row", "state")
    captain: str = at("row", "captain")
    entered: date = at("row", "entered_day")
    fee: date | None = at("row", "fee_day")
    continues: int | None = at("row", "continues")
    players: list[EntrySeat] = at("seats")
    faults: list[TeamFault] = at("findings")


TeamEntries = answer_model(
    "TeamEntries", "A club's entries for the season now open for entry.",
    club=str, season=int | None, deadline=date | None, entries=list[TeamEntrySeen],
)  # fmt: skip
TeamEntryMade = answer_model(
    "TeamEntryMade", "A team entry as it stands after the call.", id=int, state=str
)


class DivisionStarted(ApiAnswer):
    """A started division, and the seed of its draw for numbers (§ 6.7.4.2)."""

    id: int
    name: str
    seed: str | None
    games: int


SeasonStarted = answer_model(
    "SeasonStarted", "Every division of a plan.", divisions=list[DivisionStarted]
)


class EntryPlayer(ApiBody):
    """A player in board order; `rating` and `class` are for players without a registered rating."""

    person: Person
    rating: Rating | None = None
    class_: Annotated[str | None, Field(alias="class", max_length=40)] = None


Players = Annotated[list[EntryPlayer], Field(min_length=4, max_length=4)]


class TeamBody(ApiBody):
    """A team entry; only an official may set `entered` and `fee`."""

    list: Person
    club: Person
    captain: Person
    players: Players
    continues: Person | None = None
    asks: bool = False
    entered: date | None = None
    fee: date | None = None


class EntryLineupBody(ApiBody):
    """A new line-up or captain, until the deadline."""

    captain: Person
    players: Players


class TeamFeeBody(ApiBody):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    day: date


class LeaveToPlayBody(ApiBody):
    """The leader permits a player to play for two clubs (§ 6.7.3.2)."""

    player: Person
    reason: Reason


class SeasonBody(ApiBody):
    """Why somebody may be captain of two teams that meet, where that is so (§ 6.7.2.2)."""

    captain_word: Annotated[str, Field(max_length=120)] = ""


class TeamRefusalBody(ApiBody):
    """Why an entry is refused."""

    paragraph: Annotated[str, Field(min_length=1, max_length=20)]
    reason: Reason


# The club's own entries, officials' actions, the season's start (§ 6.7).

_ACTION = (ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH, ApiProblemKind.ENTRY_REFUSED)


@area.refusal(TeamRefused)
def _build_refusal_problem(call: Call, refused: TeamRefused) -> ApiProblem:
    """The problem for a refused entry: all faults in words, the first's paragraph (§ 6.7.3)."""
    words = load_words(call)
    lines = " ".join(finding_text(one, words) for one in refused.findings)
    more: JsonObject = {
        "paragraph": refused.findings[0].paragraph,
        "reasons": [
            {"code": one.fault.value, "paragraph": one.paragraph} for one in refused.findings
        ],
    }
    return ApiProblem(ApiProblemKind.ENTRY_REFUSED, more, values={"lines": lines})


def _seats(players: Sequence[EntryPlayer]) -> tuple[NewTeamEntryBoard, ...]:
    return tuple(
        NewTeamEntryBoard(board, one.person, one.rating, one.class_ or None, None)
        for board, one in enumerate(players, 1)
    )


@area.get("/clubs/{id}/team-entries", "team_entries", TeamEntries, hides=True)
async def list_club_entries(call: Call) -> object:
    """A club's entries to the league."""
    view = await club_view(*call.action)
    season = view.season
    days = {"season": season and season.year, "deadline": season and season.deadline}
    return days | {"club": view.club.name, "entries": view.entries}


@own.post("/team-entries", "team_enter", TeamEntryMade, *_ACTION, body=TeamBody)
async def post_team_entry(call: Call, body: TeamBody) -> object:
    """Enter a club's team to the league (§ 6.7.4.1)."""
    asked = TeamAsking(
        body.list, body.club, body.captain, _seats(body.players), continues=body.continues,
        asks=body.asks, entered=body.entered, fee=body.fee,
    )  # fmt: skip
    return await enter_team(*call.actor, asked)


@own.post(
    "/team-entries/{id}/lineup", "team_entry_lineup", TeamEntryMade, *_ACTION, body=EntryLineupBody
)
async def post_lineup(call: Call, body: EntryLineupBody) -> object:
    """Change an entered team's line-up or captain."""
    seats = _seats(body.players)
    return await change_lineup(*call.action, body.captain, seats)


@own.post("/team-entries/{id}/withdrawal", "team_entry_withdraw", TeamEntryMade, *_ACTION)
async def withdraw(call: Call, _: object) -> object:
    """Take a team entry back."""
    return await team_entering.withdraw_team(*call.action)


@area.post("/team-entries/{id}/fee", "team_entry_fee", TeamEntryMade, *_ACTION, body=TeamFeeBody)
async def note_fee(call: Call, body: TeamFeeBody) -> object:
    """The leader has a team's fee (§ 6.4.4.1)."""
    return await team_entering.record_team_fee(*call.action, body.day)


@area.post(
    "/team-entries/{id}/leave", "team_entry_leave", TeamEntryMade, *_ACTION, body=LeaveToPlayBody
)
async def let_play(call: Call, body: LeaveToPlayBody) -> object:
    """Let a player play for two clubs (§ 6.7.3.2)."""
    return await team_entering.permit_two_clubs(*call.action, body.player, body.reason)


@area.post(
    "/team-entries/{id}/refusal", "team_entry_refuse", TeamEntryMade, *_ACTION, body=TeamRefusalBody
)
async def refuse(call: Call, body: TeamRefusalBody) -> object:
    """Refuse a team entry."""
    return await team_entering.refuse_team(*call.action, body.paragraph, body.reason)


@area.refusal(CannotStart)
def _build_start_problem(call: Call, error: CannotStart) -> ApiProblem:
    why = error.told(load_words(call), "captain_word")
    return ApiProblem(ApiProblemKind.ENTRY_REFUSED, {"code": str(error)}, values={"lines": why})


@area.post(
    "/league-plans/{id}/start", "season_start", SeasonStarted, *_ACTION, body=SeasonBody, hides=True
)
async def start_divisions(call: Call, body: SeasonBody) -> object:
    """Start the divisions of a plan (§ 6.7.4.2)."""
    return {"divisions": await start_season(*call.action, word=body.captain_word)}


TEAM_ENTRIES = tuple(area.calls)[len(LEAGUE) :]
