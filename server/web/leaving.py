"""Booking leave and seeing what is booked (§ 6.3.6, § 6.8.8). Not for what leave does."""

from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.editions import rules_of
from kskak.events import LeaveBooked
from kskak.quantities import Channel, Regulation
from server.store.people import PersonRow
from server.usecases.leave import Booked, Leave, book
from server.usecases.views import my_games
from server.web.context import core, signed_in, words
from server.web.forms import form_of
from server.web.pages import page

PROBLEM_STATUS = 422


@dataclass(frozen=True, slots=True)
class Listed:
    """Leave as it stands in one group's games."""

    first: date
    last: date
    group: str


async def show(request: web.Request) -> web.Response:
    """The form and the list."""
    return await _leave_page(request, signed_in(request), booked="booked" in request.query)


async def ask(request: web.Request) -> web.Response:
    """Book, in every running game or in none."""
    person, form = signed_in(request), await form_of(request)
    first, last = form.day("first"), form.day("last")
    said = words(request)
    typed = (form.text("first", 10), form.text("last", 10))
    if first is None or last is None:
        return await _leave_page(request, person, typed, said.t("leave.dates"))
    now = core(request).clock.now()
    asked = Leave(person.id, first, last, Channel.WEB.value, now)
    outcome = await book(core(request), asked)
    if isinstance(outcome, Booked):
        raise web.HTTPSeeOther("/leave?booked=1")
    refusal = outcome.refusal
    why = said.t("leave.no_groups") if refusal is None else said.refusal(refusal)
    return await _leave_page(request, person, typed, why)


async def _leave_page(
    request: web.Request,
    person: PersonRow,
    typed: tuple[str, str] = ("", ""),
    problem: str = "",
    *,
    booked: bool = False,
) -> web.Response:
    games = await my_games(core(request), person.id, running=True)
    found: dict[Listed, None] = {}
    for item in games:
        group = item.game.name.rpartition("/")[0]
        for booking in item.game.state().bookings:
            event = booking.booked
            if isinstance(event, LeaveBooked) and event.by is item.side:
                found[Listed(event.first, event.last, group)] = None
    return page(
        request,
        "leave.html",
        status=PROBLEM_STATUS if problem else 200,
        has_games=bool(games),
        rules=rules_of(Regulation.EMAIL),
        leaves=sorted(found, key=lambda one: (one.first, one.group)),
        first=typed[0],
        last=typed[1],
        problem=problem,
        booked=booked,
    )
