"""The tournaments' accounts on the web: viewing, bookkeeping, export and import (§ 6.1.2).

The controller keeps them, an administrator may read; 404 for everybody else. Not for what an
entry may contain (kskak.office.books).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from aiohttp import web

from kskak.office.books import Entry, EntryFault, EntryKind
from kskak.office.books_csv import ore_of
from kskak.office.year_account import in_all, year_account
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.office import books, books_files
from server.usecases.office.books_files import MOST_BYTES, Imported
from server.usecases.results import prize_books
from server.web.cases.words import CaseWords
from server.web.desks import leaders_rows
from server.web.desks.bulk import Deed
from server.web.desks.words import KcWords
from server.web.desks.year import reader
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import new_key, page

PAGE = "/desk/kc/economy"
_FIELDS = ("tournament", "kind", "way", "day", "amount", "party", "text")


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the page shows besides the accounts: problems, typed input, a file's dry run."""

    problems: tuple[str, ...] = ()
    typed: Form = Form({})
    tried: Imported | None = None
    text: str = ""
    at: str = "new"

    @property
    def is_faulty(self) -> bool:
        """Whether anything was refused, including a line of a file."""
        return bool(self.problems) or (self.tried is not None and bool(self.tried.bad))


async def show(request: web.Request) -> web.Response:
    """All accounts; lines of the tournament and year in the address, by default this year."""
    return await _page(request, _Shown())


PRIZES = Deed(
    "prizes",
    f"{PAGE}/prizes",
    f"{PAGE}#prizes",
    show,
    leaders_rows.prizes_now,
    leaders_rows.send_prizes,
)


def _chosen(request: web.Request) -> tuple[str | None, int | None]:
    year = request.query.get("year", "")
    is_year = year.isascii() and year.isdigit() and len(year) <= len("2027")
    return request.query.get("tournament") or None, int(year) if is_year else None


_BESIDE = {
    EntryFault.NO_TOURNAMENT: "tournament",
    EntryFault.NO_PARTY: "party",
    EntryFault.NO_TEXT: "text",
    EntryFault.NO_AMOUNT: "amount",
    EntryFault.TOO_MUCH: "amount",
    EntryFault.FUTURE: "day",
    EntryFault.LONG: "text",
}
"""The field that a fault is about."""


def _say_beside(faults: Iterable[EntryFault], k: KcWords) -> None:
    """Raise Fault for the first fault that concerns a field."""
    for fault in faults:
        if fault in _BESIDE:
            raise Fault(_BESIDE[fault], k.entry_fault(fault))


async def _page(request: web.Request, shown: _Shown) -> web.Response:
    person, held = await reader(request)
    found = await books.books_for(core(request), person)
    tournament, year = _chosen(request)
    if "year" not in request.query:  # otherwise the page would grow over the years
        year = found.today.year
    typed = {name: shown.typed.typed(name) for name in _FIELDS}
    sendable = await leaders_rows.prizes_now(request) if held.is_kc and found.prizes else ()
    return page(
        request,
        "desks/books.html",
        status=PROBLEM_STATUS if shown.is_faulty else 200,
        d=CaseWords(words(request).words),
        k=KcWords(words(request).words),
        rights=held,
        books=found,
        lines=found.of(tournament, year)[::-1],
        chosen=(tournament, year),
        years=sorted({line.entry.day.year for line in found.lines} | {found.today.year}),
        kinds=[kind.value for kind in EntryKind],
        may_change=held.is_kc,
        prizes=PRIZES.ticks(sendable),
        shown=shown,
        typed=typed,
        key=new_key(),
    )


def _entry(form: Form, k: KcWords) -> Entry:
    """The entry in a form; raises Fault for invalid fields. Amounts are typed without a sign."""
    ore, day = ore_of(form.text("amount", 30)), form.day("day")
    kind, way = form.text("kind", 20), form.text("way", 3)
    if ore is None or ore <= 0:
        raise Fault("amount", k.economy("fault.bad_amount"))
    if day is None:
        raise Fault("day", k.economy("fault.bad_day"))
    if kind not in set(EntryKind) or way not in ("in", "out"):
        raise Fault("kind", k.economy("fault.bad_kind"))
    signed = ore if way == "in" else -ore
    names = (form.text("tournament", 300), form.text("party", 300), form.text("text", 300))
    return Entry(names[0], EntryKind(kind), day, signed, names[1], names[2])


@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Make an entry."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(words(request).words)
    entry = _entry(form, k)
    key = form.text("key", 60)
    is_ours = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    try:
        made = await books.enter(core(request), person, entry, f"web-{key}" if is_ours else None)
    except NotAllowed:
        raise web.HTTPForbidden from None
    if isinstance(made, tuple):
        _say_beside(made, k)
        return await _page(request, _Shown(tuple(map(k.entry_fault, made)), form))
    raise web.HTTPSeeOther(f"{PAGE}#entries")


@stands_on(show)
async def take_back(request: web.Request) -> web.Response:
    """Reverse an entry with a counter-entry."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(words(request).words)
    number = int(request.match_info["entry"])
    try:
        made = await books.take_back(core(request), person, number, form.text("text", 300))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(made, EntryFault):
        _say_beside((made,), k)
        return await _page(request, _Shown((k.entry_fault(made),), at="entries"))
    raise web.HTTPSeeOther(f"{PAGE}#entries")


@stands_on(show)
async def send_prizes(request: web.Request) -> web.Response:
    """Mark a group's prizes as sent, booking the payment if an amount is given (§ 6.4.5)."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(words(request).words)
    paid: list[Entry] = []
    if form.typed("amount"):
        fields = {**form.fields, "kind": "prize", "way": "out"}
        paid.append(_entry(replace(form, fields=fields), k))
    number = int(request.match_info["publication"])
    try:
        faults = await prize_books.send_prizes(core(request), person, number, paid)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if faults:
        return await _page(request, _Shown(tuple(map(k.entry_fault, faults)), at="prizes"))
    raise web.HTTPSeeOther(f"{PAGE}#prizes")


async def year_of(request: web.Request) -> web.Response:
    """A year's account over all tournaments, to be printed (§ 6.1.2)."""
    person, held = await reader(request)
    found = await books.books_for(core(request), person)
    year = int(request.match_info["year"])
    entries = [line.entry for line in found.lines]
    rows, last = year_account(entries, year), year_account(entries, year - 1)
    return page(
        request,
        "desks/year_account.html",
        d=CaseWords(words(request).words),
        k=KcWords(words(request).words),
        rights=held,
        year=year,
        today=found.today,
        rows=rows,
        total=in_all(rows, year),
        last=in_all(last, year - 1),
        lines=found.of(None, year),
        owed=found.owed,
    )


async def export(request: web.Request) -> web.Response:
    """The lines shown on the page, as a spreadsheet file."""
    person, _ = await reader(request)
    found = await books.books_for(core(request), person)
    body = books_files.file_of(found.of(*_chosen(request)))
    disposition = f'attachment; filename="konto-{found.today.isoformat()}.csv"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return web.Response(body=body, content_type="text/csv", charset="utf-8", headers=headers)


async def take_file(request: web.Request) -> web.Response:
    """Dry-run a file, then import it, all or nothing."""
    person = signed_in(request)
    await reader(request)
    form, k = await form_of(request), KcWords(words(request).words)
    sent = (await request.post()).get("file")
    text = form.text("csv", MOST_BYTES)
    if isinstance(sent, web.FileField):
        raw = sent.file.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            return await _page(request, _Shown((k.economy("fault.too_many"),), at="import"))
        text = books_files.text_of(raw)
    is_dry = form.text("act", 10) != "take"
    try:
        tried = await books_files.import_text(core(request), person, text, is_dry=is_dry)
    except NotAllowed:
        raise web.HTTPForbidden from None
    return await _page(request, _Shown(tried=tried, text=text, at="import"))
