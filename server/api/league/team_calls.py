"""Team entries in the API: the club's own, officials' actions, the season's start (§ 6.7).

The same use cases as the pages. Not for rights, districts or clubs' administrators.
"""

from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject, JsonValue
from mail.office_letters.team_entries import finding_text
from server.api.frame.body import EMPTY, NothingBody, parse
from server.api.frame.endpoints import Call, Endpoint
from server.api.frame.json_answer import json_response
from server.api.frame.once import once
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.api.league import team_models as answers
from server.api.league import team_models as bodies
from server.api.league.team_models import (
    EntryLineupBody,
    EntryPlayer,
    LeaveToPlayBody,
    TeamBody,
    TeamFeeBody,
    TeamRefusalBody,
)
from server.store.entries.team_entries import NewSeat, TeamEntryRow
from server.usecases.core.offices import NoSuch
from server.usecases.season import deeds
from server.usecases.season.entering import TeamAsking, TeamRefused, change_lineup, enter_team
from server.usecases.season.start import IN_THE_WAY, CannotStart, start_season
from server.usecases.season.views import TeamEntryView, club_view


def _refused(call: Call, refused: TeamRefused) -> Problem:
    """The problem for a refused entry: all faults in words, the first's paragraph (§ 6.7.3)."""
    words = words_of(call)
    lines = " ".join(finding_text(one, words) for one in refused.findings)
    more: JsonObject = {
        "paragraph": refused.findings[0].paragraph,
        "reasons": [
            {"code": one.fault.value, "paragraph": one.paragraph} for one in refused.findings
        ],
    }
    return Problem(Kind.ENTRY_REFUSED, more, values={"lines": lines})


async def _done(
    call: Call, work: Callable[[], Awaitable[TeamEntryRow | TeamRefused]]
) -> JsonObject:
    """The result. Raises Problem for a refusal, and for an entry that can't be found."""
    try:
        done = await work()
    except NoSuch as error:
        if str(error) == "entry":
            raise Problem(Kind.NOT_FOUND) from None
        raise
    if isinstance(done, TeamRefused):
        raise _refused(call, done)
    return {"id": done.id, "state": done.state}


def _seats(players: Sequence[EntryPlayer]) -> tuple[NewSeat, ...]:
    return tuple(
        NewSeat(board, one.person, one.rating, one.class_ or None)
        for board, one in enumerate(players, 1)
    )


async def of_club(call: Call) -> web.Response:
    """GET /clubs/{id}/team-entries: for those who speak for the club, and officials."""
    try:
        view = await club_view(call.api.core, call.signed_in.person, call.path_id)
    except NoSuch:
        raise Problem(Kind.NOT_FOUND) from None
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


async def entered(call: Call) -> web.Response:
    """POST /team-entries: enter a team, by its club or by an official for it (§ 6.7.4.1)."""
    raw = await call.body()
    body = parse(TeamBody, raw)
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
    return await once(call, raw, lambda: _done(call, lambda: enter_team(core, person, asked)))


async def changed(call: Call) -> web.Response:
    """POST /team-entries/{id}/lineup: change players, boards or captain."""
    raw = await call.body()
    body = parse(EntryLineupBody, raw)
    core, person, seats = call.api.core, call.signed_in.person, _seats(body.players)

    def work() -> Awaitable[TeamEntryRow | TeamRefused]:
        return change_lineup(core, person, call.path_id, body.captain, seats)

    return await once(call, raw, lambda: _done(call, work))


async def withdrawn(call: Call) -> web.Response:
    """POST /team-entries/{id}/withdrawal: by the club, or by an official for it."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)
    core, person = call.api.core, call.signed_in.person

    def work() -> Awaitable[TeamEntryRow | TeamRefused]:
        return deeds.withdraw_team(core, person, call.path_id)

    return await once(call, raw, lambda: _done(call, work))


async def paid(call: Call) -> web.Response:
    """POST /team-entries/{id}/fee: the leader has received it (§ 6.4.4.1)."""
    raw = await call.body()
    body = parse(TeamFeeBody, raw)
    core, person = call.api.core, call.signed_in.person

    def work() -> Awaitable[TeamEntryRow | TeamRefused]:
        return deeds.record_team_fee(core, person, call.path_id, body.day)

    return await once(call, raw, lambda: _done(call, work))


async def let_play(call: Call) -> web.Response:
    """POST /team-entries/{id}/leave: permit a player to play for two clubs (§ 6.7.3.2)."""
    raw = await call.body()
    body = parse(LeaveToPlayBody, raw)
    core, person = call.api.core, call.signed_in.person

    def work() -> Awaitable[TeamEntryRow | TeamRefused]:
        return deeds.give_leave(core, person, call.path_id, body.player, body.reason)

    return await once(call, raw, lambda: _done(call, work))


async def turned_down(call: Call) -> web.Response:
    """POST /team-entries/{id}/refusal: the leader refuses it, with paragraph and reason."""
    raw = await call.body()
    body = parse(TeamRefusalBody, raw)
    core, person = call.api.core, call.signed_in.person

    def work() -> Awaitable[TeamEntryRow | TeamRefused]:
        return deeds.refuse_team(core, person, call.path_id, body.paragraph, body.reason)

    return await once(call, raw, lambda: _done(call, work))


async def started(call: Call) -> web.Response:
    """POST /league-plans/{id}/start: start every division of the plan (§ 6.7.4.2)."""
    raw = await call.body()
    parse(NothingBody, raw or EMPTY)
    core, person, words = call.api.core, call.signed_in.person, words_of(call)

    async def work() -> JsonObject:
        try:
            made = await start_season(core, person, call.path_id)
        except NoSuch:
            raise Problem(Kind.NOT_FOUND) from None
        except CannotStart as error:
            word = str(error)
            why = words(f"league.cannot_start.{word}") if word in IN_THE_WAY else word
            raise Problem(Kind.ENTRY_REFUSED, {"code": word}, values={"lines": why}) from None
        return {
            "divisions": [
                {"id": one.id, "name": one.name, "seed": one.seed, "games": one.games}
                for one in made
            ]
        }

    return await once(call, raw, work)


PREFIX = "/api/v1"
_ENTRY = f"{PREFIX}/team-entries/{{id}}"
_DEED = (Kind.NOT_ALLOWED, Kind.NO_SUCH, Kind.ENTRY_REFUSED)

TEAM_ENTRIES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/clubs/{{id}}/team-entries", "team_entries", of_club,
        "A club's entries to the league", answers.TeamEntries,
    ),
    Endpoint(
        "POST", f"{PREFIX}/team-entries", "team_enter", entered,
        "Enter a club's team to the league", answers.TeamEntryMade, body=bodies.TeamBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/lineup", "team_entry_lineup", changed,
        "Change an entered team's line-up or captain", answers.TeamEntryMade,
        body=bodies.EntryLineupBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/withdrawal", "team_entry_withdraw", withdrawn,
        "Take a team entry back", answers.TeamEntryMade, body=NothingBody,
        is_body_optional=True, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/fee", "team_entry_fee", paid, "The leader has a team's fee",
        answers.TeamEntryMade, body=bodies.TeamFeeBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/leave", "team_entry_leave", let_play,
        "Let a player play for two clubs", answers.TeamEntryMade, body=bodies.LeaveToPlayBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/refusal", "team_entry_refuse", turned_down,
        "Refuse a team entry", answers.TeamEntryMade, body=bodies.TeamRefusalBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/start", "season_start", started,
        "Start the divisions of a plan", answers.SeasonStarted, body=NothingBody,
        is_body_optional=True, problems=_DEED,
    ),
)  # fmt: skip
