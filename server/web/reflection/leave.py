"""Leave on the web: booking, shortening, the year, and the calendar feed (§ 6.3.6, § 6.8.8).

Not for the effects of leave or for special leave, granted by an official (special_leave.py).
"""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from aiohttp import web
from babel.dates import get_month_names

from kskak.game.lawful_days import is_near
from kskak.game.refusals import Reason, Refusal
from kskak.regulation.editions import rules_of
from kskak.regulation.quantities import Channel, Regulation
from server.store.play.people import PersonRow
from server.usecases.account.calendar_feed import calendar_of_key, end_feed, has_feed, new_feed
from server.usecases.reflection.leave import Booked, Leave, NotBooked, book
from server.usecases.reflection.leave_preview import foresee
from server.usecases.reflection.leave_year import LeaveYear, Still, Whose, leave_year
from server.usecases.reflection.shorter_leave import Shortening, shorten
from server.usecases.reflection.special_leave import leads_anybody
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.frame.words import PageWords
from server.web.reflection.day_calendar import weekdays


@dataclass(frozen=True, slots=True)
class Day:
    """A cell. ``whose`` None: time runs; ``why`` is shown on hover and read aloud."""

    number: int
    whose: Whose | None
    why: str


@dataclass(frozen=True, slots=True)
class Month:
    """A row, or where that is too wide a block of weeks; ``column`` of its first day: Monday 1."""

    name: str
    column: int
    days: tuple[Day, ...]


def reason(still: Still, said: PageWords) -> str:
    """«Bo Berg: ferie (§ 6.3.6)»."""
    return said.why(still.cause, still.name)


def _day(stills: tuple[Still, ...], day: date, said: PageWords) -> Day:
    """A day's cell: the first cause decides its look, all are named."""
    here = [still for still in stills if still.first <= day <= still.last]
    order = list(Whose)
    here.sort(key=lambda still: order.index(still.whose))
    why = ", ".join(dict.fromkeys(reason(still, said) for still in here))
    return Day(day.day, here[0].whose if here else None, why)


def months_of(found: LeaveYear, said: PageWords) -> tuple[Month, ...]:
    """The year's twelve rows."""
    names = get_month_names("wide", "stand-alone", said.words.locale)
    return tuple(
        Month(
            str(names[month]),
            date(found.year, month, 1).isoweekday(),
            tuple(
                _day(found.stills, date(found.year, month, number), said)
                for number in range(1, monthrange(found.year, month)[1] + 1)
            ),
        )
        for month in range(1, 13)
    )


YEARS_SHOWN = 3
"""How many years before and after this one can be shown."""
_NOTHING_TYPED = {"first": "", "last": "", "tournament": ""}


@one_look
async def show(request: web.Request) -> web.Response:
    """The forms, the list and the year."""
    return await _leave_page(request, signed_in(request))


@stands_on(show)
async def ask(request: web.Request) -> web.Response:
    """Step 1, ``act`` look: preview the leave; step 2: book it, per tournament in all its running
    games or in none; ``act`` change: back to the form, with the days as typed.
    """
    person, form = signed_in(request), await form_of(request)
    act = form.typed("act")
    if act == "change":
        typed = {name: form.typed(name) for name in ("first", "last", "tournament")}
        return await _leave_page(request, person, typed=typed)
    first, last = form.day("first"), form.day("last")
    if first is None or last is None:
        raise Fault("first" if first is None else "last", words(request).t("leave.dates"))
    now = core(request).clock.now()
    wished = form.text("tournament", 200) or None
    asked = Leave(person.id, first, last, Channel.WEB.value, now, wished)
    if act == "look":
        return await _preview(request, asked)
    outcome = await book(core(request), asked)
    if isinstance(outcome, Booked):
        raise web.HTTPSeeOther("/leave?booked=" + ("2" if outcome.refused else "1"))
    raise not_booked(request, first, outcome.refusal)


async def _preview(request: web.Request, asked: Leave) -> web.Response:
    """The page showing what would be booked; raises Fault if nothing would be."""
    found = await foresee(core(request), asked)
    if found.refusal is not None or not found.fields:
        raise not_booked(request, asked.first, found.refusal)
    return page(request, "reflection/leave_preview.html", asked=asked, found=found)


def not_booked(request: web.Request, first: date, refusal: Refusal | None) -> Fault:
    """Why leave as of a day was not booked, beside the field of the day that it is about."""
    today = core(request).today(core(request).settings.clock.zone)
    is_soon = refusal is not None and refusal.reason is Reason.LEAVE_TOO_SOON
    at = "first" if is_soon or not is_near(first, today) else "last"
    return Fault(at, why_not(request, refusal))


def why_not(request: web.Request, refusal: Refusal | None) -> str:
    """Why leave was not booked, in the reader's language."""
    said = words(request)
    return said.t("leave.no_groups") if refusal is None else said.refusal(refusal)


@stands_on(show)
async def make_shorter(request: web.Request) -> web.Response:
    """Shorten a booked leave; the opponents keep the announced stop."""
    person, form = signed_in(request), await form_of(request)
    first, last, until = form.day("first"), form.day("last"), form.day("until")
    if first is None or last is None or until is None:
        raise Fault("until", words(request).t("leave.until_date"))
    now = core(request).clock.now()
    asked = Shortening(person.id, until, Channel.WEB.value, now, first, last)
    outcome = await shorten(core(request), asked)
    if isinstance(outcome, NotBooked):
        raise Fault("until", why_not(request, outcome.refusal))
    raise web.HTTPSeeOther("/leave?booked=3")


async def feed(request: web.Request) -> web.Response:
    """Create the calendar feed's address, which is shown once, or revoke it."""
    person, form = signed_in(request), await form_of(request)
    if form.text("act", 10) == "end":
        await end_feed(core(request), person.id)
        raise web.HTTPSeeOther("/leave")
    key = await new_feed(core(request), person.id)
    return await _leave_page(request, person, link=core(request).url(f"/calendar/{key}.ics"))


def _year(request: web.Request, today: date) -> int:
    """The year in the address; this year for anything else."""
    asked = request.query.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdigit() and len(asked) == 4 else today.year
    return year if abs(year - today.year) <= YEARS_SHOWN else today.year


async def _leave_page(
    request: web.Request,
    person: PersonRow,
    link: str = "",
    typed: Mapping[str, str] = _NOTHING_TYPED,
) -> web.Response:
    today = core(request).today(core(request).settings.clock.zone)
    year = _year(request, today)
    found = await leave_year(core(request), person.id, year)
    booked = request.query.get("booked", "")
    return page(
        request,
        "reflection/leave.html",
        has_games=bool(found.quotas),
        rules=rules_of(Regulation.EMAIL),
        found=found,
        months=months_of(found, words(request)),
        weekdays=weekdays(words(request).lang),
        years=(year - 1, year, year + 1),
        today=today,
        booked=booked if booked in ("1", "2", "3") else "",
        link=link,
        typed=typed,
        has_feed=bool(link) or await has_feed(core(request), person.id),
        may_grant=await leads_anybody(core(request), person),
    )


_HEADERS = {"Cache-Control": "private, max-age=900", "X-Content-Type-Options": "nosniff"}


async def calendar(request: web.Request) -> web.Response:
    """The feed; 404 for an unknown or revoked key."""
    text = await calendar_of_key(core(request), request.match_info["key"])
    if text is None:
        return web.Response(status=404, text="404\n")
    return web.Response(body=text, content_type="text/calendar", charset="utf-8", headers=_HEADERS)
