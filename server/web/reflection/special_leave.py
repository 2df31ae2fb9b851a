"""The desk where an official grants special leave (§ 6.3.6.4, § 6.8.8).

Not for leave that a player books himself (leave.py).
"""

from aiohttp import web

from kskak.regulation.quantities import Channel
from server.usecases.core.offices import rights
from server.usecases.reflection.leave import Booked
from server.usecases.reflection.special_leave import NotTheirs, Special, grant, leads_anybody, wards
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.reflection.leave import not_booked


async def show(request: web.Request) -> web.Response:
    """The form; 404 for those who lead nobody."""
    return await _desk(request)


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Grant leave, or show why not; 404 for a player whom the official does not lead."""
    official, form = signed_in(request), await form_of(request)
    first, last = form.day("first"), form.day("last")
    player, _, tournament = form.text("player", 240).partition(" ")
    if not (player.isascii() and player.isdigit() and len(player) < 19):
        raise web.HTTPBadRequest
    if first is None or last is None:
        raise Fault("first" if first is None else "last", words(request).t("leave.dates"))
    now, channel = core(request).clock.now(), Channel.WEB.value
    special = Special(official, int(player), tournament, first, last, channel, now)
    try:
        outcome = await grant(core(request), special)
    except NotTheirs:
        raise web.HTTPNotFound from None
    if isinstance(outcome, Booked):
        raise web.HTTPSeeOther("/desk/leave?granted=1")
    raise not_booked(request, first, outcome.refusal)


async def _desk(request: web.Request) -> web.Response:
    official = signed_in(request)
    if not await leads_anybody(core(request), official):
        raise web.HTTPNotFound
    return page(
        request,
        "reflection/special_leave.html",
        d=case_words(request),
        rights=await rights(core(request), official),
        wards=await wards(core(request), official),
        granted=request.query.get("granted") == "1",
    )
