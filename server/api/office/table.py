"""The controller's endpoints: year, accounts, quarantines, and outages; part of site/table.py."""

from server.api.frame.endpoints import CSV, Endpoint, Parameter
from server.api.frame.problems import Kind
from server.api.office import calls
from server.api.office import models as answers
from server.api.office import models as bodies
from server.api.office import outages as outage_calls

PREFIX = "/api/v1"
_YEAR = Parameter("year", "string", "The year, from 2000 to 2200; else this one")
_OF_YEAR = Parameter("year", "string", "Only this year's lines")
_TOURNAMENT = Parameter("tournament", "string", "Only this tournament's lines")
_SHUT = (Kind.NOT_ALLOWED,)

CONTROLLER: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/year", "year", calls.plan, "The controller's year at a glance",
        answers.YearPlan, query=(_YEAR,), problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/year", "year_change", calls.planned, "Change a step of the year",
        answers.YearStep, body=bodies.YearBody, problems=(*_SHUT, Kind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/accounts", "accounts", calls.accounts, "The tournaments' accounts",
        answers.Accounts, query=(_TOURNAMENT, _OF_YEAR), problems=_SHUT,
    ),
    Endpoint(
        "GET", f"{PREFIX}/accounts.csv", "accounts_csv", calls.accounts_csv,
        "Their lines as a file", CSV, query=(_TOURNAMENT, _OF_YEAR), problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries", "entry", calls.entered, "Make an entry in an account",
        answers.AccountEntry, body=bodies.EntryBody, problems=(*_SHUT, Kind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries/{{id}}/take-back", "entry_back", calls.taken_back,
        "Take an entry back by a counter-entry", answers.AccountEntry,
        body=bodies.TakeBackBody, problems=(*_SHUT, Kind.NO_SUCH, Kind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries/import", "entries_import", calls.imported,
        "Take the entries of a file, all or none", answers.Imported, body=bodies.ImportBody,
        problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/publications/{{id}}/prizes", "prizes_sent", calls.prizes_sent,
        "A group's prizes were sent", answers.PrizesSent, body=bodies.PrizesBody,
        is_body_optional=True, problems=(*_SHUT, Kind.NO_SUCH, Kind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/outages", "outages", outage_calls.listed,
        "The outages in your groups, and the pauses they ask for", answers.Outages,
        problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/outages", "outage", outage_calls.entered,
        "Record an outage that the server did not notice", answers.Proposed,
        body=bodies.OutageBody, problems=(*_SHUT, Kind.NO_SUCH, Kind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/outages/{{id}}/settle", "outage_settle", outage_calls.settled,
        "Grant the pause that an outage asks for, or decline it", answers.Settled,
        body=bodies.SettleBody, problems=(*_SHUT, Kind.NO_SUCH, Kind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/quarantines", "quarantines", calls.quarantines,
        "The quarantines in force", answers.Quarantines, problems=_SHUT,
    ),
)  # fmt: skip
