"""The controller's year, accounts and quarantines in the API (§ 6.1.2, § 6.4.2, § 6.4.5).

The controller may change, an administrator read; the use cases enforce it. Not for pages.
"""

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.office.books import Entry, EntryFault, EntryKind
from kskak.office.year import Deed, DeedKind, Form, Item, Step
from kskak.office.year_faults import FAULT_PARAGRAPH
from mail.game_letters.common import paragraphs
from server.api.frame.body import EMPTY, bad_fields, parse
from server.api.frame.endpoints import CSV, Call
from server.api.frame.json_answer import HEADERS, json_response
from server.api.frame.once import once, told
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.api.office.models import (
    MOST_FILE,
    EntryBody,
    ImportBody,
    PrizesBody,
    TakeBackBody,
    YearBody,
)
from server.store.office.books import EntryRow
from server.usecases.desks import overview as kc_desk
from server.usecases.office import books, books_files, year
from server.usecases.office.books import Books, Line, entry_of
from server.usecases.results import prize_books


def _step(item: Item) -> JsonObject:
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


def _year_asked(call: Call) -> int | None:
    text = call.request.query.get("year")
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) == len("2027")
    if not is_number or not year.FIRST_YEAR <= int(text) <= year.LAST_YEAR:
        raise bad_fields([("year", "not_allowed")])
    return int(text)


async def plan(call: Call) -> web.Response:
    """GET /year: the year at a glance."""
    asked = _year_asked(call) or call.api.today().year

    async def look() -> JsonObject:
        found = await year.year_of(call.api.core, call.signed_in.person, asked)
        return {"year": found.year, "steps": [_step(item) for item in found.items]}

    return json_response(await told(look))


async def planned(call: Call) -> web.Response:
    """POST /year: change a step."""
    raw = await call.body()
    body = parse(YearBody, raw)
    form, step, kind = Form(body.form), Step(body.step), DeedKind(body.action)
    if (body.day is None) == (kind is DeedKind.MOVED):
        raise bad_fields([("/day", "missing" if body.day is None else "not_allowed")])
    new = Deed(form, body.season, step, kind, body.day, body.reason)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        done = await year.change(core, person, new)
        if isinstance(done, Item):
            return _step(done)
        number = FAULT_PARAGRAPH.get(done)
        rule = paragraphs((number,) if number else ())
        text = words_of(call)(f"year.fault.{done.value}", paragraph=rule)
        more: JsonObject = {"code": done.value}
        more |= {"paragraph": number} if number else {}
        raise Problem(Kind.NOT_SO, more, values={"why": text})

    return await once(call, raw, do)


def _line(line: Line) -> JsonObject:
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


def _made(row: EntryRow) -> JsonObject:
    return _line(Line(entry_of(row), row))


def _accounts(found: Books, lines: tuple[Line, ...]) -> JsonObject:
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
    asked = (call.request.query.get("tournament"), _year_asked(call))

    async def look() -> JsonObject:
        found = await books.books_for(call.api.core, call.signed_in.person)
        return _accounts(found, found.of(*asked))

    return json_response(await told(look))


async def accounts_csv(call: Call) -> web.Response:
    """GET /accounts.csv: the same lines as CSV: UTF-8 with BOM, semicolons, decimal commas."""
    asked, files = (call.request.query.get("tournament"), _year_asked(call)), []

    async def look() -> JsonObject:
        found = await books.books_for(call.api.core, call.signed_in.person)
        files.append(books_files.file_of(found.of(*asked)))
        return {}

    await told(look)
    return web.Response(body=files[0], content_type=CSV, charset="utf-8", headers=HEADERS)


def _faulty(call: Call, fault: EntryFault) -> Problem:
    text = words_of(call)(f"economy.fault.{fault.value}")
    return Problem(Kind.NOT_SO, {"code": fault.value}, values={"why": text})


async def entered(call: Call) -> web.Response:
    """POST /entries: make an entry."""
    raw = await call.body()
    body = parse(EntryBody, raw)
    kind = EntryKind(body.kind)
    entry = Entry(body.tournament, kind, body.on, body.amount, body.person, body.text)

    async def do() -> JsonObject:
        made = await books.enter(call.api.core, call.signed_in.person, entry)
        if isinstance(made, tuple):
            raise _faulty(call, made[0])
        return _made(made)

    return await once(call, raw, do)


async def taken_back(call: Call) -> web.Response:
    """POST /entries/{id}/take-back: reverse an entry with a counter-entry."""
    raw = await call.body()
    body = parse(TakeBackBody, raw)

    async def do() -> JsonObject:
        person = call.signed_in.person
        made = await books.take_back(call.api.core, person, call.path_id, body.reason)
        if isinstance(made, EntryFault):
            raise _faulty(call, made)
        return _made(made)

    return await once(call, raw, do)


async def imported(call: Call) -> web.Response:
    """POST /entries/import: dry-run a file, or import it, all or nothing."""
    raw = await call.body(MOST_FILE)
    body = parse(ImportBody, raw)

    async def do() -> JsonObject:
        core, person, words = call.api.core, call.signed_in.person, words_of(call)
        found = await books_files.import_text(core, person, body.csv, is_dry=body.dry_run)
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

    return await once(call, raw, do)


async def prizes_sent(call: Call) -> web.Response:
    """POST /publications/{id}/prizes: mark a group's prizes as sent (§ 6.4.5)."""
    raw = await call.body()
    body = parse(PrizesBody, raw or EMPTY)

    async def do() -> JsonObject:
        core, person = call.api.core, call.signed_in.person
        paid = [
            Entry("", EntryKind.PRIZE, one.on, -one.amount, one.person, one.text)
            for one in body.paid
        ]
        faults = await prize_books.send_prizes(core, person, call.path_id, paid)
        if faults:
            raise _faulty(call, faults[0])
        return {"publication": call.path_id}

    return await once(call, raw, do)


async def quarantines(call: Call) -> web.Response:
    """GET /quarantines: those in force today (§ 6.4.2)."""

    async def look() -> JsonObject:
        found = await kc_desk.quarantines_for(call.api.core, call.signed_in.person)
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

    return json_response(await told(look))
