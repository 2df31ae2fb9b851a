"""The endpoints of team entries; part of site/table.py (§ 6.7.3-6.7.4)."""

from server.api.frame.endpoints import Endpoint
from server.api.frame.problems import Kind
from server.api.league import team_calls as calls
from server.api.league import team_entry_bodies as bodies
from server.api.league import team_models as answers

PREFIX = "/api/v1"
_ENTRY = f"{PREFIX}/team-entries/{{id}}"
_DEED = (Kind.NOT_ALLOWED, Kind.NO_SUCH, Kind.ENTRY_REFUSED)

TEAM_ENTRIES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/clubs/{{id}}/team-entries", "team_entries", calls.of_club,
        "A club's entries to the league", answers.TeamEntries,
    ),
    Endpoint(
        "POST", f"{PREFIX}/team-entries", "team_enter", calls.entered,
        "Enter a club's team to the league", answers.TeamEntryMade, body=bodies.TeamBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/lineup", "team_entry_lineup", calls.changed,
        "Change an entered team's line-up or captain", answers.TeamEntryMade,
        body=bodies.EntryLineupBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/withdrawal", "team_entry_withdraw", calls.withdrawn,
        "Take a team entry back", answers.TeamEntryMade, body=bodies.NothingBody,
        is_body_optional=True, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/fee", "team_entry_fee", calls.paid, "The leader has a team's fee",
        answers.TeamEntryMade, body=bodies.TeamFeeBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/leave", "team_entry_leave", calls.let_play,
        "Let a player play for two clubs", answers.TeamEntryMade, body=bodies.LeaveToPlayBody,
        problems=_DEED,
    ),
    Endpoint(
        "POST", f"{_ENTRY}/refusal", "team_entry_refuse", calls.turned_down,
        "Refuse a team entry", answers.TeamEntryMade, body=bodies.TeamRefusalBody, problems=_DEED,
    ),
    Endpoint(
        "POST", f"{PREFIX}/league-plans/{{id}}/start", "season_start", calls.started,
        "Start the divisions of a plan", answers.SeasonStarted, body=bodies.NothingBody,
        is_body_optional=True, problems=_DEED,
    ),
)  # fmt: skip
