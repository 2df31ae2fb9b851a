"""The controller's year on the web: an overview, and changes with a reason (§ 6.1.2).

An administrator may read; 404 for everybody else. Not for the reminders sent in advance.
"""

from datetime import date

from aiohttp import web

from kskak.office.year import Deed, DeedKind, Form, Item, Step
from server.store.play.people import PersonRow
from server.usecases.core.offices import NotAllowed, Rights, rights
from server.usecases.office import year as years
from server.web.cases.words import CaseWords
from server.web.desks.words import KcWords
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import FORM, form_of
from server.web.frame.forms import Form as Sent
from server.web.frame.pages import page

MONTHS = range(1, 13)
_NOTHING = Sent({})


async def reader(request: web.Request) -> tuple[PersonRow, Rights]:
    """The reader and his rights; 404 for those without such a desk."""
    person = signed_in(request)
    held = await rights(core(request), person)
    if not years.sees_year(held):
        raise web.HTTPNotFound
    return person, held


def _year(text: str, today: date) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) == len("2027")
    year = int(text) if is_number else today.year
    return min(max(year, years.FIRST_YEAR), years.LAST_YEAR)


async def show(request: web.Request) -> web.Response:
    """The year in the address, by default this one."""
    sent = request.get(FORM)
    return await _page(request, request.query.get("year", sent.typed("year") if sent else ""))


async def _page(
    request: web.Request, year: str, problem: str = "", typed: Sent = _NOTHING
) -> web.Response:
    person, held = await reader(request)
    today = core(request).today(core(request).settings.clock.zone)
    found = await years.year_of(core(request), person, _year(year, today))
    by_month: dict[int, list[Item]] = {month: [] for month in MONTHS}
    for item in found.items:
        if item.day is not None:
            by_month[item.day.month].append(item)
    return page(
        request,
        "desks/year.html",
        status=PROBLEM_STATUS if problem else 200,
        d=CaseWords(words(request).words),
        k=KcWords(words(request).words),
        rights=held,
        plan=found,
        months=by_month,
        undated=[item for item in found.items if item.day is None],
        may_change=held.is_kc,
        problem=problem,
        typed={name: typed.typed(name) for name in ("form", "season", "step", "reason", "day")},
        zone=core(request).settings.clock.zone,
    )


def _deed(form: Sent) -> Deed | None:
    """The requested change; None for anything our pages do not send."""
    season = form.number("season")
    try:
        which = Form(form.text("form", 20)), Step(form.text("step", 20))
        kind = DeedKind(form.text("act", 20))
    except ValueError:
        return None
    if season is None or not years.FIRST_YEAR <= season <= years.LAST_YEAR:
        return None
    day = form.day("day") if kind is DeedKind.MOVED else None
    return Deed(which[0], season, which[1], kind, day, form.text("reason", 500))


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Move a step, call it off, mark it done, or reopen it."""
    person, _ = await reader(request)
    form = await form_of(request)
    new = _deed(form)
    if new is None:
        raise web.HTTPBadRequest
    try:
        done = await years.change(core(request), person, new)
    except NotAllowed:
        raise web.HTTPForbidden from None
    year = form.text("year", 4)
    if not isinstance(done, Item):
        problem = KcWords(words(request).words).year_fault(done)
        return await _page(request, year, problem, form)
    shown = year if new.day is None else str(new.day.year)
    raise web.HTTPSeeOther(f"/desk/kc/year?year={_year(shown, date(years.FIRST_YEAR, 1, 1))}")
