"""Request and response models of the league: the schemas in openapi.json (§ 6.7)."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from kskak.groups.placing import number
from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.regulation.days import local_day
from server.api.cases.case_models import PersonName
from server.api.frame.game_models import LONGEST_TEXT, ApiAnswer, ApiBody, Line
from server.store.divisions import LeagueBoardRow
from server.store.engine.rows import from_us
from server.store.reserves import ReserveRow
from server.usecases.desks.captain_desk import CaptainDesk, CaptainTeam, TeamGameView
from server.usecases.league.league_views import DivisionView, TeamView
from server.usecases.season.composing import SeasonPlanLine, SeasonPlanView


class TeamGameSeen(ApiAnswer):
    """A team's game; days are reflection days, `is_silent` means 14 of them without an answer."""

    id: int
    name: str
    board: int
    round: int
    player: str
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
    against: list[str]
    pause_first: date | None
    pause_last: date | None


class CaptainTeamSeen(ApiAnswer):
    """One of the captain's teams."""

    id: int
    club: str
    group: str
    division: int
    points: float
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
    club: str
    points: float
    games: int
    decided_by: str | None


class MatchSeen(ApiAnswer):
    """Two teams' games in a round, and the score so far."""

    round: int
    home: str
    away: str
    points: list[float]
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

    team: int
    club: str
    by: str
    needs_dispensation: bool
    granted: bool | None


class PlanDivision(ApiAnswer):
    """A division of a plan; the third division appears once per group."""

    division: int
    teams: list[PlanTeam]


class PlanSeen(ApiAnswer):
    """Next season's divisions as composed (§ 6.7.5.1)."""

    id: int
    season: int
    deadline: date
    divisions: list[PlanDivision]
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


# The league as plain JSON values; the shapes are above. Not for who may see what.


def _day(us: int, zone: str) -> str:
    return local_day(from_us(us), zone).isoformat()


def _lineup(boards: Iterable[Iterable[LeagueBoardRow]], zone: str) -> list[JsonValue]:
    return [
        {
            "person": {"id": seat.person_id, "name": seat.name},
            "board": seat.board,
            "rating": seat.rating,
            "since": _day(seat.from_us, zone),
            "until": None if seat.to_us is None else _day(seat.to_us, zone),
        }
        for seats in boards
        for seat in seats
    ]


def _game(game: TeamGameView) -> JsonValue:
    return {
        "id": game.line.game_id,
        "name": game.line.name,
        "board": game.line.board,
        "round": game.line.round,
        "player": game.own,
        "opponent": game.opponent,
        "opponents": game.opponents,
        "side": game.side.value,
        "is_our_move": game.is_our_move,
        "days_left": game.days_left,
        "days_used": game.days_used,
        "is_silent": game.is_silent,
        "result": game.result,
    }


def _team(one: CaptainTeam) -> JsonValue:
    team, zone = one.team.team, one.division.group.zone
    return {
        "id": team.id,
        "club": team.club,
        "group": one.division.group.name,
        "division": one.division.row.division,
        "points": _number(one.points),
        "reserves_left": one.reserves_left,
        "lineup": _lineup(one.team.boards, zone),
        "games": [_game(game) for game in one.games],
        "reserves": [
            {
                "id": row.id,
                "board": row.board,
                "name": row.name,
                "rating": row.rating,
                "state": row.state,
                "note": row.note,
                "against": _against(row),
                "pause_first": row.pause_first,
                "pause_last": row.pause_last,
            }
            for row in one.reserves
        ],
    }


def _against(row: ReserveRow) -> list[JsonValue]:
    """The names of the faults despite which the leader admitted a reserve."""
    return list(row.against.split(",")) if row.against else []


def _number(value: Fraction) -> JsonValue:
    return number(value)  # type: ignore[return-value]


def captain(desk: CaptainDesk) -> JsonObject:
    """The captain's desk."""
    return {
        "teams": [_team(one) for one in desk.teams],
        "cases": [one.number for one in desk.cases],
    }


def _write_team_view(one: TeamView, zone: str) -> JsonValue:
    return {
        "id": one.team.id,
        "number": one.team.number,
        "club": one.team.club,
        "captain": one.captain.name,
        "lineup": _lineup(one.boards, zone),
    }


def division(view: DivisionView) -> JsonObject:
    """A division as shown to everybody."""
    zone = view.group.zone
    return {
        "group": view.group.name,
        "division": view.row.division,
        "season": view.row.season,
        "standings": [
            {
                "place": row.placed.place,
                "club": row.placed.name,
                "points": _number(row.points),
                "games": row.games,
                "decided_by": None
                if row.placed.decided_by is None
                else row.placed.decided_by.value,
            }
            for row in view.standings
        ],
        "matches": [
            {
                "round": match.round,
                "home": match.home.club,
                "away": match.away.club,
                "points": [_number(points) for points in match.points],
                "finished": match.finished,
            }
            for match in view.matches
        ],
        "teams": [_write_team_view(one, zone) for one in view.teams],
        "champion": view.champion,
        "needs_lots": view.needs_lots,
    }


def write_plan(plan: SeasonPlanView) -> JsonObject:
    """A plan with the reason for each team."""
    return {
        "id": plan.row.id,
        "season": plan.row.season,
        "deadline": date.fromisoformat(plan.row.deadline).isoformat(),
        "divisions": [
            {"division": place, "teams": [_write_planned_division(line) for line in lines]}
            for place, lines in plan.divisions
        ],
        "unplaced": [_write_planned_division(line) for line in plan.unplaced],
    }


def _write_planned_division(line: SeasonPlanLine) -> JsonObject:
    return {
        "team": line.number,
        "club": line.club,
        "by": line.by,
        "needs_dispensation": line.needs_grant,
        "granted": None if line.grant is None else line.grant.is_granted,
    }
