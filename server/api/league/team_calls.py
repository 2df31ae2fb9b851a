"""Team entries in the API: the club's own, officials' actions, the season's start (§ 6.7).

The same use cases as the pages. Not for rights, districts or clubs' administrators.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, Field

from kskak.ledger.ledger_files import JsonObject
from mail.office_letters.league_letters import finding_text
from server.api.cases.case_models import PersonName
from server.api.frame.area import Area, at
from server.api.frame.endpoints import Call, Guard
from server.api.frame.game_models import ApiAnswer
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.api.league.league_calls import Person, Rating, Reason, Strict
from server.store.team_entries import NewTeamEntryBoard, TeamEntryBoardRow
from server.usecases.season import team_entering
from server.usecases.season.season_start import IN_THE_WAY, CannotStart, start_season
from server.usecases.season.season_views import club_view
from server.usecases.season.team_entering import TeamAsking, TeamRefused, change_lineup, enter_team

area = Area("entry")


def _player(seat: object) -> object:
    """Who sits on a board."""
    if isinstance(seat, TeamEntryBoardRow):
        return {"id": seat.person_id, "name": seat.name}
    return seat


def _is_given(leave: object) -> bool:
    """Whether the leader has given leave, by the instant at which."""
    return leave is not None and leave is not False


# Request and response models for team entries (§ 6.7.4.1).


class EntrySeat(ApiAnswer):
    """A player on a board; `leave`: the leader permits him to play for two clubs (§ 6.7.3.2)."""

    board: int = at("seat", "board")
    person: Annotated[PersonName, BeforeValidator(_player)] = at("seat")
    rating: int
    leave: Annotated[bool, BeforeValidator(_is_given)] = at("seat", "leave_us")


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


class TeamEntries(ApiAnswer):
    """A club's entries for the season now open for entry."""

    club: str
    season: int | None
    deadline: date | None
    entries: list[TeamEntrySeen]


class TeamEntryMade(ApiAnswer):
    """A team entry as it stands after the call."""

    id: int
    state: str


class DivisionStarted(ApiAnswer):
    """A started division, and the seed of its draw for numbers (§ 6.7.4.2)."""

    id: int
    name: str
    seed: str | None
    games: int


class SeasonStarted(ApiAnswer):
    """Every division of a plan."""

    divisions: list[DivisionStarted]


class EntryPlayer(Strict):
    """A player in board order; `rating` and `class` are for players without a registered rating."""

    person: Person
    rating: Rating | None = None
    class_: Annotated[str | None, Field(alias="class", max_length=40)] = None


Players = Annotated[list[EntryPlayer], Field(min_length=4, max_length=4)]


class TeamBody(Strict):
    """A team entry; only an official may set `entered` and `fee`."""

    list: Person
    club: Person
    captain: Person
    players: Players
    continues: Person | None = None
    asks: bool = False
    entered: date | None = None
    fee: date | None = None


class EntryLineupBody(Strict):
    """A new line-up or captain, until the deadline."""

    captain: Person
    players: Players


class TeamFeeBody(Strict):
    """The day on which the leader received the fee (§ 6.4.4.1)."""

    day: date


class LeaveToPlayBody(Strict):
    """The leader permits a player to play for two clubs (§ 6.7.3.2)."""

    player: Person
    reason: Reason


class TeamRefusalBody(Strict):
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


@area.get(
    "/clubs/{id}/team-entries", "team_entries", TeamEntries, guard=Guard.SIGNED_IN, hides=True
)
async def list_club_entries(call: Call) -> object:
    """A club's entries to the league."""
    view = await club_view(call.api.core, call.signed_in.person, call.path_id)
    season = view.season
    return {
        "club": view.club.name,
        "season": season and season.year,
        "deadline": season and season.deadline,
        "entries": view.entries,
    }


@area.post("/team-entries", "team_enter", TeamEntryMade, *_ACTION, body=TeamBody)
async def post_team_entry(call: Call, body: TeamBody) -> object:
    """Enter a club's team to the league (§ 6.7.4.1)."""
    asked = TeamAsking(
        body.list, body.club, body.captain, _seats(body.players), continues=body.continues,
        asks=body.asks, entered=body.entered, fee=body.fee,
    )  # fmt: skip
    return await enter_team(call.api.core, call.signed_in.person, asked)


@area.post(
    "/team-entries/{id}/lineup", "team_entry_lineup", TeamEntryMade, *_ACTION, body=EntryLineupBody
)
async def post_lineup(call: Call, body: EntryLineupBody) -> object:
    """Change an entered team's line-up or captain."""
    core, person, seats = call.api.core, call.signed_in.person, _seats(body.players)
    return await change_lineup(core, person, call.path_id, body.captain, seats)


@area.post(
    "/team-entries/{id}/withdrawal", "team_entry_withdraw", TeamEntryMade, *_ACTION,
    is_optional=True,
)  # fmt: skip
async def withdraw(call: Call, _: object) -> object:
    """Take a team entry back."""
    return await team_entering.withdraw_team(call.api.core, call.signed_in.person, call.path_id)


@area.post("/team-entries/{id}/fee", "team_entry_fee", TeamEntryMade, *_ACTION, body=TeamFeeBody)
async def note_fee(call: Call, body: TeamFeeBody) -> object:
    """The leader has a team's fee (§ 6.4.4.1)."""
    core, person = call.api.core, call.signed_in.person
    return await team_entering.record_team_fee(core, person, call.path_id, body.day)


@area.post(
    "/team-entries/{id}/leave", "team_entry_leave", TeamEntryMade, *_ACTION, body=LeaveToPlayBody
)
async def let_play(call: Call, body: LeaveToPlayBody) -> object:
    """Let a player play for two clubs (§ 6.7.3.2)."""
    core, person = call.api.core, call.signed_in.person
    return await team_entering.permit_two_clubs(
        core, person, call.path_id, body.player, body.reason
    )


@area.post(
    "/team-entries/{id}/refusal", "team_entry_refuse", TeamEntryMade, *_ACTION,
    body=TeamRefusalBody,
)  # fmt: skip
async def refuse(call: Call, body: TeamRefusalBody) -> object:
    """Refuse a team entry."""
    core, person = call.api.core, call.signed_in.person
    return await team_entering.refuse_team(core, person, call.path_id, body.paragraph, body.reason)


@area.refusal(CannotStart)
def _build_start_problem(call: Call, error: CannotStart) -> ApiProblem:
    word = str(error)
    why = load_words(call)(f"league.cannot_start.{word}") if word in IN_THE_WAY else word
    return ApiProblem(ApiProblemKind.ENTRY_REFUSED, {"code": word}, values={"lines": why})


@area.post(
    "/league-plans/{id}/start", "season_start", SeasonStarted, *_ACTION, is_optional=True,
    hides=True,
)  # fmt: skip
async def start_divisions(call: Call, _: object) -> object:
    """Start the divisions of a plan (§ 6.7.4.2)."""
    return {"divisions": await start_season(call.api.core, call.signed_in.person, call.path_id)}


TEAM_ENTRIES = tuple(area.calls)
