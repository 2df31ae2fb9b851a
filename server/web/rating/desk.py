"""The ratings desk: pending calculations, the button for them, and the latest ones.

For the controller and administrators; 404 for everybody else. Not for ratings in the register,
which are on the member's page (register/members.py).
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
    """Pending and recent calculations."""
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
    """Calculate what is pending, or everything anew."""
    person, form = signed_in(request), await form_of(request)
    try:
        done = await compute(core(request), person, everything=form.text("act", 10) == "all")
    except NotAllowed:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(f"{HERE}?done={len(done.groups)}")
