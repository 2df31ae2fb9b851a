"""Asking to join: the form, «look in your mail», the button that proves the address (§ 6.1).

The pages say the same whether or not an address is registered. Opening the link changes nothing,
because programs open links; the button does. Not for the officials' desk
(join_desk.py).
"""

from datetime import date

from aiohttp import web

from server.store.register.members import MemberKind
from server.usecases.register import join_requests
from server.usecases.register.join_requests import Joining
from server.web.frame.context import core, viewer, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.origin import client_address
from server.web.frame.pages import page
from server.web.frame.throttle import Throttle

MOST = 40
"""Requests per client within the throttle's window: a club evening on one Wi-Fi fits in."""
THROTTLE = web.AppKey("join_throttle", Throttle)
TOO_OFTEN = 429
GONE = 410
KINDS = tuple(MemberKind)
_LONGEST_EMAIL = 254


async def show(request: web.Request) -> web.Response:
    """The form; signed-in visitors are redirected, as they need none."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/enter")
    return _form_page(request)


def _form_page(request: web.Request, problem: str = "", status: int = 200) -> web.Response:
    return page(request, "register/join.html", status=status, kinds=KINDS, problem=problem)


def _asked(request: web.Request, form: Form) -> Joining:
    return Joining(
        name=form.typed("name"),
        email=form.text("email", _LONGEST_EMAIL),
        lang=words(request).lang,
        born=form.day("born"),
        kind=form.typed("kind"),
        club=form.typed("club"),
        member=form.typed("member"),
        address=form.typed("address"),
    )


@stands_on(show)
async def ask(request: web.Request) -> web.Response:
    """Mail a link, or say which field is wrong."""
    asked = _asked(request, await form_of(request))
    fault = join_requests.fault_of(core(request), asked)
    if fault is not None:
        raise Fault(fault.value, words(request).words(f"join.fault.{fault.value}"))
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        return _form_page(request, "too_often", TOO_OFTEN)
    await join_requests.ask_to_join(core(request), asked)
    raise web.HTTPSeeOther("/join/sent")


async def sent(request: web.Request) -> web.Response:
    """What to do next; the same whatever happened with the address."""
    return page(request, "register/join_sent.html")


async def link_page(request: web.Request) -> web.Response:
    """The request with a confirmation button, and afterwards its progress."""
    row = await join_requests.open_request(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=GONE)
    born = date.fromisoformat(row.birth) if row.birth else None
    return page(request, "register/join_confirm.html", row=row, born=born)


async def confirm(request: web.Request) -> web.Response:
    """Confirm that the address belongs to the applicant."""
    row = await join_requests.confirm(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=GONE)
    raise web.HTTPSeeOther(request.path)


ROUTES = (
    web.get("/join", show),
    web.post("/join", ask),
    web.get("/join/sent", sent),
    web.get("/join/{token:[A-Za-z0-9_-]{20,80}}", link_page),
    web.post("/join/{token:[A-Za-z0-9_-]{20,80}}", confirm),
)
