"""The tournaments' accounts on the web: viewing, bookkeeping, export and import (§ 6.1.2).

The controller keeps them, an administrator may read; 404 for everybody else. Not for what an
entry may contain (kskak.office.books).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from aiohttp import web
from babel.dates import get_month_names
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from kskak.office import books
from kskak.office.year import (
    SeasonStep,
    State,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
)
from mail.game_letters.letter_parts import paragraphs
from mail.text.catalogue import Words
from server.store.books import DeedRow
from server.store.play.people import PersonRow
from server.usecases import office
from server.usecases.context import today_of
from server.usecases.office import MOST_BYTES, BookImportReport, BookLine
from server.usecases.results import publishing
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import Rights, rights
from server.web.cases.case_texts import CaseWords
from server.web.desks import bulk_actions as bulk
from server.web.frame.context import PageRoutes, core, get_words, signed_in
from server.web.frame.forms import FORM, PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.pages import new_key, page, table_response

routes = PageRoutes()

# Texts of the controller's year and accounts: steps, marks, amounts.


@dataclass(frozen=True, slots=True)
class KcWords:
    """One language; ``year`` and ``economy`` are its two catalogues."""

    words: Words

    def year(self, key: str, **places: object) -> str:
        """A text of the year; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"year.{key}", **places)

    def economy(self, key: str, **places: object) -> str:
        """A text of the accounts."""
        return self.words(f"economy.{key}", **places)

    def month(self, month: int) -> str:
        """A month's name, capitalized."""
        name = get_month_names("wide", context="stand-alone", locale=self.words.locale)[month]
        return str(name).capitalize()

    def tournament(self, item: SeasonStep) -> str:
        """«Holdturneringen 2028»."""
        return f"{self.year(f'form.{item.form.value}')} {item.season}"

    def place(self, item: SeasonStep, today: date) -> str:
        """The address of the page on which a step is done."""
        match item.step:
            case TournamentStep.ANNOUNCEMENT if item.season >= today.year:
                return f"/desk/kc/season?season={item.season}"
            case TournamentStep.ANNOUNCEMENT | TournamentStep.DEADLINE:
                return "/desk/entries#lists"
            case _ if item.form is TournamentKind.LEAGUE:
                return "/desk/league"
            case _ if item.form is TournamentKind.DM:
                return "/desk/entries#lists"
            case _:
                return "/desk/cups"

    def state(self, item: SeasonStep) -> str:
        """How a step got its day, with the paragraph."""
        return f"{self.year(f'state.{item.state.value}')} ({paragraphs((item.paragraph,))})"

    def marks(self, item: SeasonStep, today: date) -> list[str]:
        """A step's marks: done, late, moved, called off."""
        marks = []
        if item.is_done:
            marks.append(self.year("done_mark"))
        elif item.day is not None and item.day < today:
            marks.append(self.year("late_mark"))
        if item.state is State.MOVED:
            marks.append(self.year("moved_mark"))
        elif item.state is State.CALLED_OFF:
            marks.append(self.year("called_off_mark"))
        return marks

    def proposal(self, item: SeasonStep) -> str:
        """The day that the rule proposes, and whether it is our reading."""
        if item.proposed is None:
            return self.year("not_proposed", paragraph=item.paragraph)
        key = "proposed_ours" if item.is_reading else "proposed"
        day = self.words.day(item.proposed)
        return self.year(key, day=day, paragraph=item.paragraph)

    def deed(self, row: DeedRow) -> str:
        """What the controller did."""
        day = "-" if row.day is None else self.words.day(date.fromisoformat(row.day))
        return self.year(f"deed.{row.kind}", day=day, reason=row.reason)

    def of_deed(self, row: DeedRow) -> str:
        """The tournament and step that the action concerned."""
        tournament, step = self.year(f"form.{row.form}"), self.year(f"step.{row.step}")
        return self.year("entry", tournament=tournament, season=row.season, step=step)

    def year_fault(self, fault: YearFault) -> str:
        """Why a step can't be changed this way, with the paragraph."""
        rule = paragraphs((fault.paragraph,) if fault.paragraph else ())
        return self.year(f"fault.{fault.value}", paragraph=rule)

    def amount(self, ore: int) -> str:
        """An amount in kroner formatted for the language: 1.234,50."""
        value = Decimal(ore) / books.ORE
        return str(format_decimal(value, format="#,##0.00", locale=self.words.locale))

    def said(self, line: BookLine) -> str:
        """A line's text: the entry's, preceded by the fate of a case's deposit."""
        if line.fate is None:
            return line.entry.text
        state = self.economy(f"fate.{line.fate.value}")
        return f"{state}. {line.entry.text}" if line.entry.text else state

    def entry_fault(self, fault: books.BookEntryFault) -> str:
        return self.economy(f"fault.{fault.value}")


# The controller's year on the web: an overview, and changes with a reason (§ 6.1.2).

MONTHS = range(1, 13)


async def reader(request: web.Request) -> tuple[PersonRow, Rights]:
    """The reader and his rights; 404 for those without such a desk."""
    person = signed_in(request)
    held = await rights(core(request), person)
    if not office.sees_year(held):
        raise web.HTTPNotFound
    return person, held


def _kc_page(
    request: web.Request, template: str, held: Rights, *, status: int = 200, **values: object
) -> web.Response:
    words = get_words(request).words
    return page(
        request,
        template,
        status=status,
        d=CaseWords(words),
        k=KcWords(words),
        rights=held,
        may_change=held.is_kc,
        **values,
    )


def _year(text: str, today: date) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) == len("2027")
    year = int(text) if is_number else today.year
    return min(max(year, office.FIRST_YEAR), office.LAST_YEAR)


@routes.get("/desk/kc/year")
async def show_year(request: web.Request) -> web.Response:
    """The year in the address, by default this one."""
    sent = request.get(FORM)
    return await _year_page(request, request.query.get("year", sent.typed("year") if sent else ""))


async def _year_page(request: web.Request, year: str, problem: str = "") -> web.Response:
    person, held = await reader(request)
    today = today_of(core(request))
    found = await office.year_of(core(request), person, _year(year, today))
    by_month: dict[int, list[SeasonStep]] = {month: [] for month in MONTHS}
    for item in found.items:
        if item.day is not None:
            by_month[item.day.month].append(item)
    return _kc_page(
        request,
        "desks/year.html",
        held,
        status=PROBLEM_STATUS if problem else 200,
        plan=found,
        months=by_month,
        undated=[item for item in found.items if item.day is None],
        problem=problem,
        zone=core(request).settings.clock.zone,
    )


async def year_fault(request: web.Request, fault: YearFault, new: YearAction) -> str:
    """Why a step can't be changed so: where another is in the way, which, and a link to its day."""
    k, way = KcWords(get_words(request).words), None
    if fault is YearFault.OUT_OF_ORDER:
        way = await office.step_in_way(core(request), new)
    if way is None or way.day is None:
        return k.year_fault(fault)
    named = {"day": k.words.day(way.day), "step": k.year(f"step.{way.step.value}")}
    link = Markup('<a href="/desk/kc/year?year={0}">{1}</a>')
    said = k.year("fault.in_the_way", tournament=k.tournament(way), **named)
    return escape(said) + " " + link.format(way.day.year, k.year("fault.move_it"))


def _read_action(form: Form) -> YearAction | None:
    """The requested change; None for anything our pages do not send."""
    season = form.number("season")
    try:
        which = TournamentKind(form.text("form", 20)), TournamentStep(form.text("step", 20))
        kind = YearActionKind(form.text("act", 20))
    except ValueError:
        return None
    if season is None or not office.FIRST_YEAR <= season <= office.LAST_YEAR:
        return None
    day = form.day("day") if kind is YearActionKind.MOVED else None
    return YearAction(which[0], season, which[1], kind, day, form.text("reason", 500))


@routes.post("/desk/kc/year")
@stands_on(show_year)
async def change(request: web.Request) -> web.Response:
    """Move a step, call it off, mark it done, or reopen it."""
    person, _ = await reader(request)
    form = await form_of(request)
    new = _read_action(form)
    if new is None:
        raise web.HTTPBadRequest
    done = await office.change(core(request), person, new)
    year = form.text("year", 4)
    if not isinstance(done, SeasonStep):
        problem = await year_fault(request, done, new)
        return await _year_page(request, year, problem)
    shown = year if new.day is None else str(new.day.year)
    raise web.HTTPSeeOther(f"/desk/kc/year?year={_year(shown, date(office.FIRST_YEAR, 1, 1))}")


# The tournaments' accounts on the web: viewing, bookkeeping, export and import (§ 6.1.2).

PAGE = "/desk/kc/economy"
_FIELDS = ("tournament", "kind", "way", "day", "amount", "party", "text")


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the page shows besides the accounts: problems, typed input, a file's dry run."""

    problems: tuple[str, ...] = ()
    typed: Form = Form({})
    tried: BookImportReport | None = None
    text: str = ""
    at: str = "new"

    @property
    def is_faulty(self) -> bool:
        """Whether anything was refused, including a line of a file."""
        return bool(self.problems) or (self.tried is not None and bool(self.tried.bad))


@routes.get("/desk/kc/economy")
async def show(request: web.Request) -> web.Response:
    """All accounts; lines of the tournament and year in the address, by default this year."""
    return await _page(request, _Shown())


_AT = (f"{PAGE}/prizes", f"{PAGE}#prizes", show)
PRIZES = bulk.build_duty_action(DutyKind.PRIZES, "prizes", *_AT)


def _chosen(request: web.Request) -> tuple[str | None, int | None]:
    year = request.query.get("year", "")
    is_year = year.isascii() and year.isdigit() and len(year) <= len("2027")
    return request.query.get("tournament") or None, int(year) if is_year else None


_BESIDE = {
    books.BookEntryFault.NO_TOURNAMENT: "tournament",
    books.BookEntryFault.NO_PARTY: "party",
    books.BookEntryFault.NO_TEXT: "text",
    books.BookEntryFault.NO_AMOUNT: "amount",
    books.BookEntryFault.TOO_MUCH: "amount",
    books.BookEntryFault.FUTURE: "day",
    books.BookEntryFault.LONG: "text",
}
"""The field that a fault is about."""


def _raise_field_fault(faults: Iterable[books.BookEntryFault], k: KcWords) -> None:
    """Raise Fault for the first fault that concerns a field."""
    for fault in faults:
        if fault in _BESIDE:
            raise FormFault(_BESIDE[fault], k.entry_fault(fault))


async def _page(request: web.Request, shown: _Shown) -> web.Response:
    person, held = await reader(request)
    found = await office.books_for(core(request), person)
    tournament, year = _chosen(request)
    if "year" not in request.query:  # otherwise the page would grow over the years
        year = found.today.year
    typed = {name: shown.typed.typed(name) for name in _FIELDS}
    sendable = (
        await bulk.list_duties(DutyKind.PRIZES, request) if held.is_kc and found.prizes else ()
    )
    return _kc_page(
        request,
        "desks/books.html",
        held,
        status=PROBLEM_STATUS if shown.is_faulty else 200,
        books=found,
        lines=found.of(tournament, year)[::-1],
        chosen=(tournament, year),
        years=sorted({line.entry.day.year for line in found.lines} | {found.today.year}),
        kinds=[kind.value for kind in books.EntryKind],
        prizes=PRIZES.ticks(sendable),
        shown=shown,
        typed=typed,
        key=new_key(),
    )


def _entry(form: Form, k: KcWords) -> books.BookEntry:
    """The entry in a form; raises Fault for invalid fields. Amounts are typed without a sign."""
    ore, day = books.ore_of(form.text("amount", 30)), form.day("day")
    kind, way = form.text("kind", 20), form.text("way", 3)
    if ore is None or ore <= 0:
        raise FormFault("amount", k.economy("fault.bad_amount"))
    if day is None:
        raise FormFault("day", k.economy("fault.bad_day"))
    if kind not in set(books.EntryKind) or way not in ("in", "out"):
        raise FormFault("kind", k.economy("fault.bad_kind"))
    signed = ore if way == "in" else -ore
    names = (form.text("tournament", 300), form.text("party", 300), form.text("text", 300))
    return books.BookEntry(names[0], books.EntryKind(kind), day, signed, names[1], names[2])


@routes.post("/desk/kc/economy")
@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Make an entry."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(get_words(request).words)
    entry = _entry(form, k)
    key = form.text("key", 60)
    is_ours = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    made = await office.enter(core(request), person, entry, f"web-{key}" if is_ours else None)
    if isinstance(made, tuple):
        _raise_field_fault(made, k)
        return await _page(request, _Shown(tuple(map(k.entry_fault, made)), form))
    raise web.HTTPSeeOther(f"{PAGE}#entries")


@routes.post(r"/desk/kc/economy/{entry:\d{1,18}}")
@stands_on(show)
async def take_back(request: web.Request) -> web.Response:
    """Reverse an entry with a counter-entry."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(get_words(request).words)
    number = int(request.match_info["entry"])
    made = await office.take_back(core(request), person, number, form.text("text", 300))
    if isinstance(made, books.BookEntryFault):
        _raise_field_fault((made,), k)
        return await _page(request, _Shown((k.entry_fault(made),), at="entries"))
    raise web.HTTPSeeOther(f"{PAGE}#entries")


@routes.post(r"/desk/kc/economy/prizes/{publication:\d{1,18}}")
@stands_on(show)
async def send_prizes(request: web.Request) -> web.Response:
    """Mark a group's prizes as sent, booking the payment if an amount is given (§ 6.4.5)."""
    person, _ = await reader(request)
    form, k = await form_of(request), KcWords(get_words(request).words)
    paid: list[books.BookEntry] = []
    if form.typed("amount"):
        fields = {**form.fields, "kind": "prize", "way": "out"}
        paid.append(_entry(replace(form, fields=fields), k))
    number = int(request.match_info["publication"])
    faults = await publishing.send_prizes(core(request), person, number, paid)
    if faults:
        return await _page(request, _Shown(tuple(map(k.entry_fault, faults)), at="prizes"))
    raise web.HTTPSeeOther(f"{PAGE}#prizes")


@routes.get(r"/desk/kc/economy/year/{year:\d{4}}")
async def year_of(request: web.Request) -> web.Response:
    """A year's account over all tournaments, to be printed (§ 6.1.2)."""
    person, held = await reader(request)
    found = await office.books_for(core(request), person)
    year = int(request.match_info["year"])
    entries = [line.entry for line in found.lines]
    rows, last = books.year_account(entries, year), books.year_account(entries, year - 1)
    return _kc_page(
        request,
        "desks/year_account.html",
        held,
        year=year,
        today=found.today,
        rows=rows,
        total=books.in_all(rows, year),
        last=books.in_all(last, year - 1),
        lines=found.of(None, year),
        owed=found.owed,
    )


@routes.get("/desk/kc/economy.{ending:csv|xlsx}")
async def export(request: web.Request) -> web.Response:
    """The lines shown on the page, as a spreadsheet file."""
    person, _ = await reader(request)
    found = await office.books_for(core(request), person)
    body = office.write_file(found.of(*_chosen(request)))
    return table_response(body, f"konto-{found.today.isoformat()}", request.match_info["ending"])


@routes.post("/desk/kc/economy/import")
async def take_file(request: web.Request) -> web.Response:
    """Dry-run a file, then import it, all or nothing."""
    person = signed_in(request)
    await reader(request)
    form, k = await form_of(request), KcWords(get_words(request).words)
    sent = (await request.post()).get("file")
    text = form.text("csv", MOST_BYTES)
    if isinstance(sent, web.FileField):
        raw = sent.file.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            return await _page(request, _Shown((k.economy("fault.too_many"),), at="import"))
        text = office.decode_file(raw)
    is_dry = form.text("act", 10) != "take"
    tried = await office.import_text(core(request), person, text, is_dry=is_dry)
    return await _page(request, _Shown(tried=tried, text=text, at="import"))


PRIZES.add_to(routes)
