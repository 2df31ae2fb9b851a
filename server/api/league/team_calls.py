"""Team entries in the API: the club's own, officials' actions, the season's start (§ 6.7).

The same use cases as the pages. Not for rights, districts or clubs' administrators.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Annotated

from aiohttp import web
from pydantic import Field

from kskak.ledger.ledger_files import JsonObject, JsonValue
from mail.office_letters.league_letters import finding_text
from server.api.cases.case_models import PersonName
from server.api.frame.endpoints import Call, Endpoint
from server.api.frame.game_models import EMPTY, ApiAnswer, NothingBody, json_response
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words, respond_once
from server.api.league.league_calls import Person, Rating, Reason, Strict
from server.store.team_entries import NewTeamEntryBoard, TeamEntryRow
from server.usecases.rights import NoSuch
from server.usecases.season import team_entering
from server.usecases.season.season_start import IN_THE_WAY, CannotStart, start_season
from server.usecases.season.season_views import TeamEntryView, club_view
from server.usecases.season.team_entering import TeamAsking, TeamRefused, change_lineup, enter_team

# Request and response models for team entries (§ 6.7.4.1).


class EntrySeat(ApiAnswer):
    """A player on a board; `leave`: the leader permits him to play for two clubs (§ 6.7.3.2)."""

    board: int
    person: PersonName
    rating: int
    leave: bool


class TeamFault(ApiAnswer):
    """What an entry lacks, with the players it concerns."""

    code: str
    paragraph: str
    players: list[str]


class TeamEntrySeen(ApiAnswer):
    """A team entry; `continues` is last season's team that it continues."""

    id: int
    club: str
    season: int
    state: str
    captain: str
    entered: date
    fee: date | None
    continues: int | None
    players: list[EntrySeat]
    faults: list[TeamFault]


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


# Team entries in the API: the club's own, officials' actions, the season's start (§ 6.7).


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


async def _run_work(
    call: Call, work: Callable[[], Awaitable[TeamEntryRow | TeamRefused]]
) -> JsonObject:
    """The result. Raises Problem for a refusal, and for an entry that can't be found."""
    try:
        done = await work()
    except NoSuch as error:
        if str(error) == "entry":
            raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
        raise
    if isinstance(done, TeamRefused):
        raise _build_refusal_problem(call, done)
    return {"id": done.id, "state": done.state}


def _seats(players: Sequence[EntryPlayer]) -> tuple[NewTeamEntryBoard, ...]:
    return tuple(
        NewTeamEntryBoard(board, one.person, one.rating, one.class_ or None, None)
        for board, one in enumerate(players, 1)
    )


async def list_club_entries(call: Call) -> web.Response:
    """GET /clubs/{id}/team-entries: for those who speak for the club, and officials."""
    try:
        view = await club_view(call.api.core, call.signed_in.person, call.path_id)
    except NoSuch:
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
    season = view.season
    deadline = None if season is None or season.deadline is None else season.deadline.isoformat()
    return json_response(
        {
            "club": view.club.name,
            "season": None if season is None else season.year,
            "deadline": deadline,
            "entries": [_entry(one) for one in view.entries],
        }
    )


def _entry(one: TeamEntryView) -> JsonValue:
    return {
        "id": one.row.id,
        "club": one.row.club,
        "season": one.row.season,
        "state": one.row.state,
        "captain": one.row.captain,
        "entered": one.row.entered_day,
        "fee": one.row.fee_day,
        "continues": one.row.continues,
        "players": [
            {
                "board": seat.seat.board,
                "person": {"id": seat.seat.person_id, "name": seat.seat.name},
                "rating": seat.rating,
                "leave": seat.seat.leave_us is not None,
            }
            for seat in one.seats
        ],
        "faults": [
            {"code": f.fault.value, "paragraph": f.paragraph, "players": list(f.players)}
            for f in one.findings
        ],
    }


async def post_team_entry(call: Call) -> web.Response:
    """POST /team-entries: enter a team, by its club or by an official for it (§ 6.7.4.1)."""
    raw, body = await call.parsed(TeamBody)
    asked = TeamAsking(
        body.list,
        body.club,
        body.captain,
        _seats(body.players),
        continues=body.continues,
        asks=body.asks,
        entered=body.entered,
        fee=body.fee,
    )
    core, person = call.api.core, call.signed_in.person
    return await respond_once(
        call, raw, lambda: _run_work(call, lambda: enter_team(core, person, asked))
    )


async def post_lineup(call: Call) -> web.Response:
    """POST /team-entries/{id}/lineup: change players, boards or captain."""
    raw, body = await call.parsed(EntryLineupBody)
    core, person, seats = call.api.core, call.signed_in.person, _seats(body.players)

    return await respond_once(
        call,
        raw,
        lambda: _run_work(
            call, lambda: change_lineup(core, person, call.path_id, body.captain, seats)
        ),
    )


async def withdrawn(call: Call) -> web.Response:
    """POST /team-entries/{id}/withdrawal: by the club, or by an official for it."""
    raw, _ = await call.parsed(NothingBody, EMPTY)
    core, person = call.api.core, call.signed_in.person

    return await respond_once(
        call,
        raw,
        lambda: _run_work(call, lambda: team_entering.withdraw_team(core, person, call.path_id)),
    )


async def note_fee(call: Call) -> web.Response:
    """POST /team-entries/{id}/fee: the leader has received it (§ 6.4.4.1)."""
    raw, body = await call.parsed(TeamFeeBody)
    core, person = call.api.core, call.signed_in.person

    return await respond_once(
        call,
        raw,
        lambda: _run_work(
            call, lambda: team_entering.record_team_fee(core, person, call.path_id, body.day)
        ),
    )


async def let_play(call: Call) -> web.Response:
    """POST /team-entries/{id}/leave: permit a player to play for two clubs (§ 6.7.3.2)."""
    raw, body = await call.parsed(LeaveToPlayBody)
    core, person = call.api.core, call.signed_in.person

    return await respond_once(
        call,
        raw,
        lambda: _run_work(
            call,
            lambda: team_entering.permit_two_clubs(
                core, person, call.path_id, body.player, body.reason
            ),
        ),
    )


async def turned_down(call: Call) -> web.Response:
    """POST /team-entries/{id}/refusal: the leader refuses it, with paragraph and reason."""
    raw, body = await call.parsed(TeamRefusalBody)
    core, person = call.api.core, call.signed_in.person

    return await respond_once(
        call,
        raw,
        lambda: _run_work(
            call,
            lambda: team_entering.refuse_team(
                core, person, call.path_id, body.paragraph, body.reason
            ),
        ),
    )


async def start_divisions(call: Call) -> web.Response:
    """POST /league-plans/{id}/start: start every division of the plan (§ 6.7.4.2)."""
    raw, _ = await call.parsed(NothingBody, EMPTY)
    core, person, words = call.api.core, call.signed_in.person, load_words(call)

    async def work() -> JsonObject:
        try:
            made = await start_season(core, person, call.path_id)
        except NoSuch:
            raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
        except CannotStart as error:
            word = str(error)
            why = words(f"league.cannot_start.{word}") if word in IN_THE_WAY else word
            raise ApiProblem(
                ApiProblemKind.ENTRY_REFUSED, {"code": word}, values={"lines": why}
            ) from None
        return {
            "divisions": [
                {"id": one.id, "name": one.name, "seed": one.seed, "games": one.games}
                for one in made
            ]
        }

    return await respond_once(call, raw, work)


PREFIX = "/api/v1"
_ENTRY = f"{PREFIX}/team-entries/{{id}}"
_ACTION_PROBLEMS = (
    ApiProblemKind.NOT_ALLOWED,
    ApiProblemKind.NO_SUCH,
    ApiProblemKind.ENTRY_REFUSED,
)

TEAM_ENTRIES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/clubs/{{id}}/team-entries", "team_entries", list_club_entries,
        "A club's entries to the league", TeamEntries,
    ),
    Endpoint(
        "POST", f"{PREFIX}/team-entries", "team_enter", post_team_entry,
        "Enter a club's team to the league", TeamEntryMade, body=TeamBody,
        problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/lineup", "team_entry_lineup", post_lineup,
        "Change an entered team's line-up or captain", TeamEntryMade,
        body=EntryLineupBody, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/withdrawal", "team_entry_withdraw", withdrawn,
        "Take a team entry back", TeamEntryMade, body=NothingBody,
        is_body_optional=True, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/fee", "team_entry_fee", note_fee, "The leader has a team's fee",
        TeamEntryMade, body=TeamFeeBody, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/leave", "team_entry_leave", let_play,
        "Let a player play for two clubs", TeamEntryMade, body=LeaveToPlayBody,
        problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/refusal", "team_entry_refuse", turned_down,
        "Refuse a team entry", TeamEntryMade, body=TeamRefusalBody, problems=_ACTION_PROBLEMS,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/start", "season_start", start_divisions,
        "Start the divisions of a plan", SeasonStarted, body=NothingBody,
        is_body_optional=True, problems=_ACTION_PROBLEMS,
    ),
)  # fmt: skip
