"""Signing in by a mailed link, and out again.

The link shows a page with a button: programs that look at mails open links, and must not use
them up (reading W5 of the threat list).
"""

from aiohttp import web

from server.usecases import signin
from server.web.context import CLIENT, SESSION, core, viewer
from server.web.cookies import forget_session, keep_session, session_cookie
from server.web.forms import form_of
from server.web.pages import page
from server.web.throttle import Throttle

THROTTLE = web.AppKey("throttle", Throttle)


async def ask_page(request: web.Request) -> web.Response:
    """The field for an address."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/")
    wished = signin.own_path(request.query.get("next", "/"))
    return page(request, "signin.html", next_path=wished, email="", problem="")


async def ask(request: web.Request) -> web.Response:
    """Mail a link, if the address is known; the answer is the same if it is not."""
    form = await form_of(request)
    email, wished = form.text("email", 254), signin.own_path(form.text("next", 300) or "/")
    if email.count("@") != 1 or " " in email:
        values = {"next_path": wished, "email": email, "problem": "signin.bad_address"}
        return page(request, "signin.html", status=422, **values)
    if not request.app[THROTTLE].allows(request[CLIENT], core(request).clock.now()):
        values = {"next_path": wished, "email": email, "problem": "signin.too_often"}
        return page(request, "signin.html", status=429, **values)
    await signin.request_link(core(request), email, wished)
    return page(request, "signin_sent.html", email=email)


async def link_page(request: web.Request) -> web.Response:
    """Whose link it is, and a button; looking uses nothing up."""
    person = await signin.open_link(core(request), request.match_info["token"])
    if person is None:
        return page(request, "link_dead.html", status=410)
    return page(request, "link.html", person=person)


async def use_link(request: web.Request) -> web.Response:
    """Sign in."""
    made = await signin.use_link(core(request), request.match_info["token"])
    if made is None:
        return page(request, "link_dead.html", status=410)
    response = web.HTTPSeeOther(signin.own_path(made.next_path))
    keep_session(request, response, made.secret)
    raise response


async def sign_out(request: web.Request) -> web.Response:
    """End the session, here and in the database."""
    response = web.HTTPSeeOther("/")
    if SESSION in request:
        await signin.sign_out(core(request), request.cookies[session_cookie(request)])
        forget_session(request, response)
    raise response
