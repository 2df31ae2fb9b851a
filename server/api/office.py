"""The controller's year, accounts and quarantines in the API (§ 6.1.2, § 6.4.2, § 6.4.5).

The controller may change, an administrator read; the use cases enforce it. Not for pages.
"""

from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Literal

from aiohttp import web
from pydantic import AwareDatetime, Field

from kskak.ledger.ledger_files import JsonObject
from kskak.office.books import BookEntry, BookEntryFault, EntryKind
from kskak.office.year import TournamentKind, TournamentStep, YearAction, YearActionKind, YearFault
from mail.game_letters.letter_parts import paragraphs
from server.api.cases.case_models import PersonName
from server.api.frame.area import Area, Instant, at
from server.api.frame.endpoints import CSV, Call, Parameter
from server.api.frame.game_models import HEADERS, ApiAnswer, ApiBody, answer_model, bad_fields
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import from_us
from server.store.mail.outages import DECLINED, MAIL
from server.usecases import office
from server.usecases.desks import desk_overview as overview
from server.usecases.office import BookLine, Books, entry_of
from server.usecases.reflection import silence_and_outages
from server.usecases.reflection.silence_and_outages import MOST_DAYS, SERVER
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
    reading: bool = at("is_reading")
    is_done: bool
    reason: str


class YearPlan(ApiAnswer):
    """A year's steps by day, then those without a day."""

    year: int
    steps: list[YearStep] = at("items")


class AccountBalance(ApiAnswer):
    """An account's year in øre; `balance` is `before` plus the year's four sums."""

    tournament: str
    year: int
    before: int
    fees: int
    prizes: int
    deposits: int
    other: int
    balance: int = at("after")


class AccountEntry(ApiAnswer):
    """An account line, in øre; for a case's deposit, `case` and the deposit's `fate` are set."""

    number: int | None = at("entry", "number")
    tournament: str = at("entry", "tournament")
    kind: str = at("entry", "kind")
    on: date = at("entry", "day")
    amount: int = at("entry", "ore")
    person: str = at("entry", "party")
    text: str = at("entry", "text")
    takes_back: int | None = at("entry", "reverses")
    taken_back_by: int | None = at("taken_back")
    case: str | None = at("entry", "case")
    fate: str | None
    by: str | None


class PrizesDue(ApiAnswer):
    """A published group whose prizes have not been sent (§ 6.4.5)."""

    publication: int
    group: str
    tournament: str
    until: date


Accounts = answer_model(
    "Accounts", "Balances, the requested lines, and prizes to be sent.",
    balances=list[AccountBalance], entries=list[AccountEntry], prizes=list[PrizesDue],
)  # fmt: skip


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


PrizesSent = answer_model(
    "PrizesSent", "The publication whose prizes were marked as sent.", publication=int
)


class Quarantine(ApiAnswer):
    """A quarantine in force today; `until` is null if it is indefinite (§ 6.4.2)."""

    person: PersonName
    since: date
    until: date | None
    case: str


Quarantines = answer_model("Quarantines", "The quarantines in force.", quarantines=list[Quarantine])


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
    began: Instant
    ended: Instant
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


# The calls.

area = Area(scope=TokenScope.LEAD)
_SHUT, _NOT_SO = ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NOT_SO
_YEAR = Parameter("year", "string", "The year, from 2000 to 2200; else this one")
_LINES = (
    Parameter("tournament", "string", "Only this tournament's lines"),
    Parameter("year", "string", "Only this year's lines"),
)


@area.refusal(YearFault)
def _year_fault(call: Call, fault: YearFault) -> ApiProblem:
    rule = {"paragraph": fault.paragraph} if fault.paragraph else {}
    text = load_words(call)(f"year.fault.{fault.value}", paragraph=paragraphs(tuple(rule.values())))
    more: JsonObject = {"code": fault.value, **rule}
    return ApiProblem(_NOT_SO, more, values={"why": text})


@area.refusal(BookEntryFault)
def _entry_fault(call: Call, fault: BookEntryFault) -> ApiProblem:
    text = load_words(call)(f"economy.fault.{fault.value}")
    return ApiProblem(_NOT_SO, {"code": fault.value}, values={"why": text})


def _read_year(call: Call) -> int | None:
    text = call.request.query.get("year")
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) == len("2027")
    if not is_number or not office.FIRST_YEAR <= int(text) <= office.LAST_YEAR:
        raise bad_fields([("year", "not_allowed")])
    return int(text)


@area.get("/year", "year", YearPlan, _SHUT, query=(_YEAR,))
async def plan(call: Call) -> object:
    """The controller's year at a glance."""
    asked = _read_year(call) or call.api.today().year
    return await office.year_of(*call.actor, asked)


@area.post("/year", "year_change", YearStep, _SHUT, _NOT_SO, body=YearBody)
async def change_step(call: Call, body: YearBody) -> object:
    """Change a step of the year."""
    form, step, kind = (
        TournamentKind(body.form), TournamentStep(body.step), YearActionKind(body.action),
    )  # fmt: skip
    if (body.day is None) == (kind is YearActionKind.MOVED):
        raise bad_fields([("/day", "missing" if body.day is None else "not_allowed")])
    new = YearAction(form, body.season, step, kind, body.day, body.reason)
    return await office.change(*call.actor, new)


@area.get("/accounts", "accounts", Accounts, _SHUT, query=_LINES)
async def accounts(call: Call) -> object:
    """The tournaments' accounts."""
    found, lines = await _lines(call)
    return {"balances": found.balances, "entries": lines, "prizes": found.prizes}


async def _lines(call: Call) -> tuple[Books, tuple[BookLine, ...]]:
    """All lines, or those of one tournament or year."""
    asked = call.request.query.get("tournament"), _read_year(call)
    found = await office.books_for(*call.actor)
    return found, found.of(*asked)


@area.get("/accounts.csv", "accounts_csv", CSV, _SHUT, query=_LINES)
async def accounts_csv(call: Call) -> object:
    """Their lines as a file."""
    body = office.write_file((await _lines(call))[1])
    return web.Response(body=body, content_type=CSV, charset="utf-8", headers=HEADERS)


@area.post("/entries", "entry", AccountEntry, _SHUT, _NOT_SO, body=EntryBody)
async def make_entry(call: Call, body: EntryBody) -> object:
    """Make an entry in an account."""
    kind = EntryKind(body.kind)
    entry = BookEntry(body.tournament, kind, body.on, body.amount, body.person, body.text)
    made = await office.enter(*call.actor, entry)
    return made[0] if isinstance(made, tuple) else BookLine(entry_of(made), made)


@area.post(
    "/entries/{id}/take-back", "entry_back", AccountEntry, _SHUT, ApiProblemKind.NO_SUCH, _NOT_SO,
    body=TakeBackBody,
)  # fmt: skip
async def take_entry_back(call: Call, body: TakeBackBody) -> object:
    """Take an entry back by a counter-entry."""
    made = await office.take_back(*call.action, body.reason)
    return made if isinstance(made, BookEntryFault) else BookLine(entry_of(made), made)


@area.post(
    "/entries/import", "entries_import", BooksImported, _SHUT, body=ImportBody, most=MOST_FILE
)
async def import_entries(call: Call, body: ImportBody) -> object:
    """Take the entries of a file, all or none."""
    words = load_words(call)
    found = await office.import_text(*call.actor, body.csv, is_dry=body.dry_run)
    errors = [
        {"line": row.line, "code": row.fault, "detail": words(f"economy.fault.{row.fault.value}")}
        for row in found.bad
    ]
    counts = {"new": len(found.new), "known": found.known}
    return {"is_done": found.is_done, **counts, "errors": errors}


@area.post(
    "/publications/{id}/prizes", "prizes_sent", PrizesSent, _SHUT, ApiProblemKind.NO_SUCH, _NOT_SO,
    body=PrizesBody,
)  # fmt: skip
async def prizes_sent(call: Call, body: PrizesBody) -> object:
    """A group's prizes were sent (§ 6.4.5)."""
    paid = [
        BookEntry("", EntryKind.PRIZE, one.on, -one.amount, one.person, one.text)
        for one in body.paid
    ]
    faults = await publishing.send_prizes(*call.action, paid)
    return faults[0] if faults else {"publication": call.path_id}


@area.get("/quarantines", "quarantines", Quarantines, _SHUT)
async def quarantines(call: Call) -> object:
    """The quarantines in force (§ 6.4.2)."""
    found = await overview.quarantines_for(*call.actor)
    facts = ({"person": r, "since": r.from_day, "until": r.to_day, "case": r.case} for r in found)
    return {"quarantines": list(facts)}


@area.get("/outages", "outages", Outages, _SHUT)
async def list_outages(call: Call) -> object:
    """The outages in your groups, and the pauses they ask for (§ 6.8.5)."""
    held = await rights(*call.actor)
    if not silence_and_outages.has_part(held):
        raise NotAllowed
    found = await silence_and_outages.proposals(call.api.core, held, decided=True)
    out = []
    for number, some in groupby(found, attrgetter("outage_id")):
        rows = tuple(some)
        out.append({
            "id": number, "reason": MAIL if rows[0].is_mail else SERVER, "pauses": rows,
            "began": from_us(rows[0].from_us), "ended": from_us(rows[0].to_us),
        })  # fmt: skip
    return {"outages": out}


_OUTAGE = (_SHUT, ApiProblemKind.NO_SUCH, _NOT_SO)


@area.post("/outages", "outage", PauseProposed, *_OUTAGE, body=OutageBody)
async def record_outage(call: Call, body: OutageBody) -> object:
    """Record an outage that the server did not notice."""
    core = call.api.core
    days = (body.began, body.ended)
    if code := silence_and_outages.find_outage_fault(*days, core.clock.now()):
        why = load_words(call)(f"outages.fault.{code}", most=MOST_DAYS)
        raise ApiProblem(_NOT_SO, {"code": code}, values={"why": why})
    return {
        "groups": await silence_and_outages.record_manual_outage(
            core, call.signed_in.person, *days, body.reason, body.groups
        )
    }


@area.post("/outages/{id}/settle", "outage_settle", OutageSettled, *_OUTAGE, body=SettleBody)
async def decide_outage(call: Call, body: SettleBody) -> object:
    """Grant the pause that an outage asks for, or decline it."""
    if body.decision == DECLINED and not body.word.strip():
        raise bad_fields([("/word", "missing")])
    core, by = call.actor
    count = await silence_and_outages.decide_pauses(
        core, by, call.path_id, body.decision, body.word.strip(), body.groups
    )
    return {"groups": count}


CONTROLLER = tuple(area.calls)
