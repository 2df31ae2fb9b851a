"""The desk of ratings: what waits to be calculated, one click, what was calculated last.

The controller's and the administrator's; nobody else finds it. Not for numbers in the register,
which stand on the member's page (register/members.py).
"""

from aiohttp import web

from server.usecases.core.offices import NotAllowed, rights
from server.usecases.desks.rating_desk import compute, desk
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.rating.pages import rating_words

HERE = "/desk/ratings"


async def show(request: web.Request) -> web.Response:
    """What waits, and the last calculations."""
    person = signed_in(request)
    try:
        found = await desk(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    done = request.query.get("done", "")
    return page(
        request,
        "rating/desk.html",
        r=rating_words(request),
        d=case_words(request),
        rights=await rights(core(request), person),
        desk=found,
        done=int(done) if done.isascii() and done.isdigit() and len(done) < 7 else None,
    )


async def do(request: web.Request) -> web.Response:
    """Calculate what waits, or everything anew."""
    person, form = signed_in(request), await form_of(request)
    try:
        done = await compute(core(request), person, everything=form.text("act", 10) == "all")
    except NotAllowed:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(f"{HERE}?done={len(done.groups)}")
