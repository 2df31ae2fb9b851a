"""The league as plain JSON values; shapes are in models.py. Not for who may see what."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction

from kskak.groups.played import number
from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.regulation.days import local_day
from server.store.engine.types import from_us
from server.store.league.desk import ReserveRow
from server.store.league.divisions import BoardRow
from server.usecases.desks.captain_desk import CaptainDesk, CaptainTeam, TeamGame
from server.usecases.league.views import DivisionView, TeamView
from server.usecases.season.plans import Line, Plan


def _day(us: int, zone: str) -> str:
    return local_day(from_us(us), zone).isoformat()


def _lineup(boards: Iterable[Iterable[BoardRow]], zone: str) -> list[JsonValue]:
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


def _game(game: TeamGame) -> JsonValue:
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
        "cases": [one.case.number for one in desk.cases],
    }


def _seen_team(one: TeamView, zone: str) -> JsonValue:
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
        "teams": [_seen_team(one, zone) for one in view.teams],
        "champion": view.champion,
        "needs_lots": view.needs_lots,
    }


def planned(plan: Plan) -> JsonObject:
    """A plan with the reason for each team."""
    return {
        "id": plan.row.id,
        "season": plan.row.season,
        "deadline": date.fromisoformat(plan.row.deadline).isoformat(),
        "divisions": [
            {"division": place, "teams": [_planned(line) for line in lines]}
            for place, lines in plan.divisions
        ],
        "unplaced": [_planned(line) for line in plan.unplaced],
    }


def _planned(line: Line) -> JsonObject:
    return {
        "team": line.number,
        "club": line.club,
        "by": line.by,
        "needs_dispensation": line.needs_grant,
        "granted": None if line.grant is None else line.grant.is_granted,
    }
