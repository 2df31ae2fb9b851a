"""The controller's year, accounts and quarantines in the API (§ 6.1.2, § 6.4.2, § 6.4.5).

The controller may change, an administrator read; the use cases enforce it. Not for pages.
"""

from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Literal

from aiohttp import web
from pydantic import AwareDatetime, Field

from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.office.books import BookEntry, BookEntryFault, EntryKind
from kskak.office.year import (
    FAULT_PARAGRAPH,
    SeasonStep,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
)
from mail.game_letters.letter_parts import paragraphs
from server.api.cases.case_models import PersonName
from server.api.frame.endpoints import CSV, Call, Endpoint, Parameter
from server.api.frame.game_models import (
    EMPTY,
    HEADERS,
    ApiAnswer,
    ApiBody,
    bad_fields,
    json_response,
    parse,
)
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import call_use_case, load_words, respond_once
from server.store.books import BookEntryRow
from server.store.engine.rows import from_us
from server.store.mail.outages import DECLINED, MAIL, PauseRow
from server.usecases.desks import desk_overview as overview
from server.usecases.office import books, year
from server.usecases.office.books import BookLine, Books, entry_of
from server.usecases.reflection import outages
from server.usecases.reflection.outages import MOST_DAYS, SERVER, HandOutage, Settling
from server.usecases.results import publishing
from server.usecases.rights import NotAllowed, rights

# Request and response models of the controller's desk: year, accounts, quarantines.


class YearStep(ApiAnswer):
    """A season's step; `proposed`: the rule's day; `reading`: the text does not name the day."""

    form: str
    season: int
    step: str
    state: str
    day: date | None
    proposed: date | None
    paragraph: str
    reading: bool
    is_done: bool
    reason: str


class YearPlan(ApiAnswer):
    """A year's steps by day, then those without a day."""

    year: int
    steps: list[YearStep]


class AccountBalance(ApiAnswer):
    """An account's year in øre; `balance` is `before` plus the year's four sums."""

    tournament: str
    year: int
    before: int
    fees: int
    prizes: int
    deposits: int
    other: int
    balance: int


class AccountEntry(ApiAnswer):
    """An account line, in øre; for a case's deposit, `case` and the deposit's `fate` are set."""

    number: int | None
    tournament: str
    kind: str
    on: date
    amount: int
    person: str
    text: str
    takes_back: int | None
    taken_back_by: int | None
    case: str | None
    fate: str | None
    by: str | None


class PrizesDue(ApiAnswer):
    """A published group whose prizes have not been sent (§ 6.4.5)."""

    publication: int
    group: str
    tournament: str
    until: date


class Accounts(ApiAnswer):
    """Balances, the requested lines, and prizes to be sent."""

    balances: list[AccountBalance]
    entries: list[AccountEntry]
    prizes: list[PrizesDue]


class RowFault(ApiAnswer):
    """An error in a row of a file; `line` counts from 1."""

    line: int
    code: str
    detail: str


class BooksImported(ApiAnswer):
    """The result of an import or dry run; nothing is imported unless `errors` is empty."""

    is_done: bool
    new: int
    known: int
    errors: list[RowFault]


class PrizesSent(ApiAnswer):
    """The publication whose prizes were marked as sent."""

    publication: int


class Quarantine(ApiAnswer):
    """A quarantine in force today; `until` is null if it is indefinite (§ 6.4.2)."""

    person: PersonName
    since: date
    until: date | None
    case: str


class Quarantines(ApiAnswer):
    """The quarantines in force."""

    quarantines: list[Quarantine]


class OutagePause(ApiAnswer):
    """What an outage asks for in a group: its days, and the games and players it would reach now.

    `decision` is null while it waits for the tournament leader or the controller (§ 6.8.5).
    """

    group: str
    first: date
    last: date
    days: int
    games: int
    players: int
    decision: Literal["granted", "declined"] | None
    by: str | None
    word: str


class Outage(ApiAnswer):
    """An outage of the server, or of its mail alone, with the pauses it asks for."""

    id: int
    reason: Literal["server", "mail"]
    began: datetime
    ended: datetime
    pauses: list[OutagePause]


class Outages(ApiAnswer):
    """The outages with a pause that waits, or was decided on in the last 30 days."""

    outages: list[Outage]


class OutageSettled(ApiAnswer):
    """In how many groups this settled it: none if it was settled before."""

    groups: int


class PauseProposed(ApiAnswer):
    """In how many groups a pause is proposed: none if its days are proposed already."""

    groups: int


MOST_FILE = 600_000
Short = Annotated[str, Field(min_length=1, max_length=200)]


class OutageBody(ApiBody):
    """An outage that the server did not notice itself, in the groups that are yours or some."""

    began: AwareDatetime
    ended: AwareDatetime
    reason: Literal["server", "mail"] = "server"
    groups: list[Short] | None = Field(
        None, min_length=1, max_length=1000, description="Omitted: all e-mail groups of yours"
    )


class SettleBody(ApiBody):
    """Grant the pause, or decline it with a word; in some groups, or in all that are yours."""

    decision: Literal["granted", "declined"]
    word: str = Field("", max_length=500, description="With `declined`: why")
    groups: list[Short] | None = Field(None, min_length=1, max_length=1000)


class YearBody(ApiBody):
    """Move a step, cancel it, mark it done, or reopen it; `season` is the year of the start."""

    form: Literal["dm", "emt", "cup", "cup_semi", "cup_final", "league"]
    season: Annotated[int, Field(ge=2000, le=2200)]
    step: Literal["announcement", "deadline", "divisions", "letters", "start"]
    action: Literal["moved", "called_off", "done", "reopened"]
    day: date | None = Field(None, description="Only with `moved`")
    reason: str = Field("", max_length=500, description="With `moved` and `called_off`")


class EntryBody(ApiBody):
    """An entry in øre, positive into the account and negative out of it (§ 6.1.2)."""

    tournament: Short
    kind: Literal["fee", "prize", "deposit", "other"]
    on: date
    amount: Annotated[int, Field(ge=-(10**11), le=10**11)]
    person: Short = Field(description="The person or club that paid or got it")
    text: Short


class TakeBackBody(ApiBody):
    """Why an entry is reversed with a counter-entry."""

    reason: Short


class ImportBody(ApiBody):
    """The text of a CSV file; `dry_run`: only report what would happen."""

    csv: str = Field(max_length=500_000)
    dry_run: bool


class PaidBody(ApiBody):
    """One paid prize, in øre."""

    amount: Annotated[int, Field(ge=1, le=10**11)]
    on: date
    person: Short
    text: Short


class PrizesBody(ApiBody):
    """All prizes of a group were sent; `paid` ones become entries in its account (§ 6.4.5)."""

    paid: Annotated[list[PaidBody], Field(max_length=50)] = Field(default_factory=list)


# The controller's year, accounts and quarantines in the API (§ 6.1.2, § 6.4.2, § 6.4.5).


def _step(item: SeasonStep) -> JsonObject:
    return {
        "form": item.form.value,
        "season": item.season,
        "step": item.step.value,
        "state": item.state.value,
        "day": None if item.day is None else item.day.isoformat(),
        "proposed": None if item.proposed is None else item.proposed.isoformat(),
        "paragraph": item.paragraph,
        "reading": item.is_reading,
        "is_done": item.is_done,
        "reason": item.reason,
    }


def _read_year(call: Call) -> int | None:
    text = call.request.query.get("year")
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) == len("2027")
    if not is_number or not year.FIRST_YEAR <= int(text) <= year.LAST_YEAR:
        raise bad_fields([("year", "not_allowed")])
    return int(text)


async def plan(call: Call) -> web.Response:
    """GET /year: the year at a glance."""
    asked = _read_year(call) or call.api.today().year

    async def look() -> JsonObject:
        found = await year.year_of(call.api.core, call.signed_in.person, asked)
        return {"year": found.year, "steps": [_step(item) for item in found.items]}

    return json_response(await call_use_case(look))


async def change_step(call: Call) -> web.Response:
    """POST /year: change a step."""
    raw, body = await call.parsed(YearBody)
    form, step, kind = (
        TournamentKind(body.form),
        TournamentStep(body.step),
        YearActionKind(body.action),
    )
    if (body.day is None) == (kind is YearActionKind.MOVED):
        raise bad_fields([("/day", "missing" if body.day is None else "not_allowed")])
    new = YearAction(form, body.season, step, kind, body.day, body.reason)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        done = await year.change(core, person, new)
        if isinstance(done, SeasonStep):
            return _step(done)
        number = FAULT_PARAGRAPH.get(done)
        rule = paragraphs((number,) if number else ())
        text = load_words(call)(f"year.fault.{done.value}", paragraph=rule)
        more: JsonObject = {"code": done.value}
        more |= {"paragraph": number} if number else {}
        raise ApiProblem(ApiProblemKind.NOT_SO, more, values={"why": text})

    return await respond_once(call, raw, do)


def _line(line: BookLine) -> JsonObject:
    entry = line.entry
    return {
        "number": entry.number,
        "tournament": entry.tournament,
        "kind": entry.kind.value,
        "on": entry.day.isoformat(),
        "amount": entry.ore,
        "person": entry.party,
        "text": entry.text,
        "takes_back": entry.reverses,
        "taken_back_by": line.taken_back,
        "case": entry.case,
        "fate": None if line.fate is None else line.fate.value,
        "by": None if line.row is None else line.row.by,
    }


def _write_entry(row: BookEntryRow) -> JsonObject:
    return _line(BookLine(entry_of(row), row))


def _accounts(found: Books, lines: tuple[BookLine, ...]) -> JsonObject:
    return {
        "balances": [
            {
                "tournament": one.tournament,
                "year": one.year,
                "before": one.before,
                "fees": one.fees,
                "prizes": one.prizes,
                "deposits": one.deposits,
                "other": one.other,
                "balance": one.after,
            }
            for one in found.balances
        ],
        "entries": [_line(line) for line in lines],
        "prizes": [
            {
                "publication": row.publication,
                "group": row.group,
                "tournament": row.tournament,
                "until": row.until,
            }
            for row in found.prizes
        ],
    }


async def accounts(call: Call) -> web.Response:
    """GET /accounts: balances, and all lines or those of one tournament or year."""
    asked = (call.request.query.get("tournament"), _read_year(call))

    async def look() -> JsonObject:
        found = await books.books_for(call.api.core, call.signed_in.person)
        return _accounts(found, found.of(*asked))

    return json_response(await call_use_case(look))


async def accounts_csv(call: Call) -> web.Response:
    """GET /accounts.csv: the same lines as CSV: UTF-8 with BOM, semicolons, decimal commas."""
    asked, files = (call.request.query.get("tournament"), _read_year(call)), []

    async def look() -> JsonObject:
        found = await books.books_for(call.api.core, call.signed_in.person)
        files.append(books.write_file(found.of(*asked)))
        return {}

    await call_use_case(look)
    return web.Response(body=files[0], content_type=CSV, charset="utf-8", headers=HEADERS)


def _faulty(call: Call, fault: BookEntryFault) -> ApiProblem:
    text = load_words(call)(f"economy.fault.{fault.value}")
    return ApiProblem(ApiProblemKind.NOT_SO, {"code": fault.value}, values={"why": text})


async def make_entry(call: Call) -> web.Response:
    """POST /entries: make an entry."""
    raw, body = await call.parsed(EntryBody)
    kind = EntryKind(body.kind)
    entry = BookEntry(body.tournament, kind, body.on, body.amount, body.person, body.text)

    async def do() -> JsonObject:
        made = await books.enter(call.api.core, call.signed_in.person, entry)
        if isinstance(made, tuple):
            raise _faulty(call, made[0])
        return _write_entry(made)

    return await respond_once(call, raw, do)


async def taken_back(call: Call) -> web.Response:
    """POST /entries/{id}/take-back: reverse an entry with a counter-entry."""
    raw, body = await call.parsed(TakeBackBody)

    async def do() -> JsonObject:
        person = call.signed_in.person
        made = await books.take_back(call.api.core, person, call.path_id, body.reason)
        if isinstance(made, BookEntryFault):
            raise _faulty(call, made)
        return _write_entry(made)

    return await respond_once(call, raw, do)


async def import_entries(call: Call) -> web.Response:
    """POST /entries/import: dry-run a file, or import it, all or nothing."""
    raw = await call.body(MOST_FILE)
    body = parse(ImportBody, raw)

    async def do() -> JsonObject:
        core, person, words = call.api.core, call.signed_in.person, load_words(call)
        found = await books.import_text(core, person, body.csv, is_dry=body.dry_run)
        errors: list[JsonValue] = [
            {
                "line": row.line,
                "code": row.fault.value,
                "detail": words(f"economy.fault.{row.fault.value}"),
            }
            for row in found.bad
        ]
        counts = {"new": len(found.new), "known": found.known}
        return {"is_done": found.is_done, **counts, "errors": errors}

    return await respond_once(call, raw, do)


async def prizes_sent(call: Call) -> web.Response:
    """POST /publications/{id}/prizes: mark a group's prizes as sent (§ 6.4.5)."""
    raw, body = await call.parsed(PrizesBody, EMPTY)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        paid = [
            BookEntry("", EntryKind.PRIZE, one.on, -one.amount, one.person, one.text)
            for one in body.paid
        ]
        faults = await publishing.send_prizes(core, person, call.path_id, paid)
        if faults:
            raise _faulty(call, faults[0])
        return {"publication": call.path_id}

    return await respond_once(call, raw, do)


async def quarantines(call: Call) -> web.Response:
    """GET /quarantines: those in force today (§ 6.4.2)."""

    async def look() -> JsonObject:
        found = await overview.quarantines_for(call.api.core, call.signed_in.person)
        return {
            "quarantines": [
                {
                    "person": {"id": row.person_id, "name": row.name},
                    "since": row.from_day,
                    "until": row.to_day,
                    "case": row.case,
                }
                for row in found
            ]
        }

    return json_response(await call_use_case(look))


# Outages in the API: proposed pauses, granted or declined; one entered by hand (§ 6.8.5).


def _pause(row: PauseRow) -> JsonObject:
    return {
        "group": row.group,
        "first": row.first,
        "last": row.last,
        "days": row.days,
        "games": row.games,
        "players": row.players,
        "decision": row.decision,
        "by": row.by,
        "word": row.word,
    }


async def list_outages(call: Call) -> web.Response:
    """GET /outages: what waits, and what was decided lately."""

    async def look() -> JsonObject:
        core = call.api.core
        held = await rights(core, call.signed_in.person)
        if not outages.has_part(held):
            raise NotAllowed
        found = await outages.proposals(core, held, decided=True)
        out: list[JsonObject] = []
        for number, some in groupby(found, attrgetter("outage_id")):
            rows = tuple(some)
            out.append(
                {
                    "id": number,
                    "reason": MAIL if rows[0].is_mail else SERVER,
                    "began": from_us(rows[0].from_us).isoformat(),
                    "ended": from_us(rows[0].to_us).isoformat(),
                    "pauses": [_pause(row) for row in rows],
                }
            )
        return {"outages": [*out]}

    return json_response(await call_use_case(look))


def _fault(call: Call, code: str) -> ApiProblem:
    why = load_words(call)(f"outages.fault.{code}", most=MOST_DAYS)
    return ApiProblem(ApiProblemKind.NOT_SO, {"code": code}, values={"why": why})


async def entered_outage(call: Call) -> web.Response:
    """POST /outages: record one by hand."""
    raw, body = await call.parsed(OutageBody)
    asked = HandOutage(body.began, body.ended, body.reason, body.groups)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        if code := outages.find_outage_fault(asked, core.clock.now()):
            raise _fault(call, code)
        return {"groups": await outages.record_manual_outage(core, person, asked)}

    return await respond_once(call, raw, do)


async def decide_outage(call: Call) -> web.Response:
    """POST /outages/{id}/settle: grant or decline."""
    raw, body = await call.parsed(SettleBody)
    if body.decision == DECLINED and not body.word.strip():
        raise bad_fields([("/word", "missing")])
    asked = Settling(call.path_id, body.decision, body.word.strip(), body.groups)

    async def do() -> JsonObject:
        return {"groups": await outages.decide_pauses(call.api.core, call.signed_in.person, asked)}

    return await respond_once(call, raw, do)


# The controller's endpoints: year, accounts, quarantines, and outages; part of api/site.py.

PREFIX = "/api/v1"
_YEAR = Parameter("year", "string", "The year, from 2000 to 2200; else this one")
_OF_YEAR = Parameter("year", "string", "Only this year's lines")
_TOURNAMENT = Parameter("tournament", "string", "Only this tournament's lines")
_SHUT = (ApiProblemKind.NOT_ALLOWED,)

CONTROLLER: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/year", "year", plan, "The controller's year at a glance",
        YearPlan, query=(_YEAR,), problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/year", "year_change", change_step, "Change a step of the year",
        YearStep, body=YearBody, problems=(*_SHUT, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/accounts", "accounts", accounts, "The tournaments' accounts",
        Accounts, query=(_TOURNAMENT, _OF_YEAR), problems=_SHUT,
    ),
    Endpoint(
        "GET", f"{PREFIX}/accounts.csv", "accounts_csv", accounts_csv,
        "Their lines as a file", CSV, query=(_TOURNAMENT, _OF_YEAR), problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries", "entry", make_entry, "Make an entry in an account",
        AccountEntry, body=EntryBody, problems=(*_SHUT, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries/{{id}}/take-back", "entry_back", taken_back,
        "Take an entry back by a counter-entry", AccountEntry,
        body=TakeBackBody, problems=(*_SHUT, ApiProblemKind.NO_SUCH, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/entries/import", "entries_import", import_entries,
        "Take the entries of a file, all or none", BooksImported, body=ImportBody,
        problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/publications/{{id}}/prizes", "prizes_sent", prizes_sent,
        "A group's prizes were sent", PrizesSent, body=PrizesBody,
        is_body_optional=True, problems=(*_SHUT, ApiProblemKind.NO_SUCH, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/outages", "outages", list_outages,
        "The outages in your groups, and the pauses they ask for", Outages,
        problems=_SHUT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/outages", "outage", entered_outage,
        "Record an outage that the server did not notice", PauseProposed,
        body=OutageBody, problems=(*_SHUT, ApiProblemKind.NO_SUCH, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "POST", f"{PREFIX}/outages/{{id}}/settle", "outage_settle", decide_outage,
        "Grant the pause that an outage asks for, or decline it", OutageSettled,
        body=SettleBody, problems=(*_SHUT, ApiProblemKind.NO_SUCH, ApiProblemKind.NOT_SO),
    ),
    Endpoint(
        "GET", f"{PREFIX}/quarantines", "quarantines", quarantines,
        "The quarantines in force", Quarantines, problems=_SHUT,
    ),
)  # fmt: skip
