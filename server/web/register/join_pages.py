"""Asking to join: the form, «look in your mail», the button that proves the address (§ 6.1).

The pages say the same whether or not an address is registered. Opening the link changes nothing,
because programs open links; the button does. Not for the officials' desk
(below).
"""

from datetime import date

from aiohttp import web

from server.store import members as member_rows
from server.store.members import MemberKind
from server.usecases.register import join_requests as joining
from server.usecases.register.csv_table import ImportProblem
from server.usecases.register.join_requests import Admission, Joining
from server.usecases.rights import NoSuch, NotAllowed
from server.web.frame.context import (
    PageRoutes,
    Throttle,
    client_address,
    core,
    get_words,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.pages import page
from server.web.register.members import frame_values

routes = PageRoutes()

MOST = 40
"""Requests per client within the throttle's window: a club evening on one Wi-Fi fits in."""
THROTTLE = web.AppKey("join_throttle", Throttle)
TOO_OFTEN = 429
LINK_EXPIRED = 410
KINDS = tuple(MemberKind)
_LONGEST_EMAIL = 254


@routes.get("/join")
async def show(request: web.Request) -> web.Response:
    """The form; signed-in visitors are redirected, as they need none."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/enter")
    return _form_page(request)


def _form_page(request: web.Request, problem: str = "", status: int = 200) -> web.Response:
    return page(request, "register/join.html", status=status, kinds=KINDS, problem=problem)


def _read_form(request: web.Request, form: Form) -> Joining:
    return Joining(
        name=form.typed("name"),
        email=form.text("email", _LONGEST_EMAIL),
        lang=get_words(request).lang,
        born=form.day("born"),
        kind=form.typed("kind"),
        club=form.typed("club"),
        member=form.typed("member"),
        address=form.typed("address"),
    )


@routes.post("/join")
@stands_on(show)
async def ask(request: web.Request) -> web.Response:
    """Mail a link, or say which field is wrong."""
    asked = _read_form(request, await form_of(request))
    fault = joining.find_request_fault(core(request), asked)
    if fault is not None:
        raise FormFault(fault.value, get_words(request).words(f"join.fault.{fault.value}"))
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        return _form_page(request, "too_often", TOO_OFTEN)
    await joining.ask_to_join(core(request), asked)
    raise web.HTTPSeeOther("/join/sent")


@routes.get("/join/sent")
async def show_sent(request: web.Request) -> web.Response:
    """What to do next; the same whatever happened with the address."""
    return page(request, "register/join_sent.html")


@routes.get("/join/{token:[A-Za-z0-9_-]{20,80}}")
async def link_page(request: web.Request) -> web.Response:
    """The request with a confirmation button, and afterwards its progress."""
    row = await joining.open_request(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=LINK_EXPIRED)
    born = date.fromisoformat(row.birth) if row.birth else None
    return page(request, "register/join_confirm.html", row=row, born=born)


@routes.post("/join/{token:[A-Za-z0-9_-]{20,80}}")
async def confirm(request: web.Request) -> web.Response:
    """Confirm that the address belongs to the applicant."""
    row = await joining.confirm(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=LINK_EXPIRED)
    raise web.HTTPSeeOther(request.path)


# The desk for join requests: the request, possible matches in the register, yes or no (§ 6.1).

DESK = "/desk/join"
LONGEST = 300
_CELLS = ("name", "number", "birth", "kind", "club")
_NOTICES = frozenset({"admitted", "declined"})


@routes.get(DESK)
@read_only_page
async def show_join_desk(request: web.Request) -> web.Response:
    """The waiting requests."""
    return await _desk_page(request)


async def _desk_page(
    request: web.Request, problems: tuple[ImportProblem, ...] = (), of: int = 0
) -> web.Response:
    values = await frame_values(request)
    try:
        found = await joining.list_waiting_requests(core(request), signed_in(request))
    except NotAllowed:
        raise web.HTTPNotFound from None
    clubs = await core(request).store.query(member_rows.all_clubs)
    done = request.query.get("done", "")
    return page(
        request,
        "register/join_desk.html",
        status=PROBLEM_STATUS if problems else 200,
        found=found,
        cells=joining.new_cells,
        kinds=tuple(MemberKind),
        clubs=clubs,
        problems=problems,
        of=of,
        done=done if done in _NOTICES and not problems else "",
        **values,
    )


def _admission(request: web.Request, form: Form) -> Admission:
    """Admission as the member named by the button, or as a new one with the facts entered."""
    chosen = form.number("person")
    cells = {} if chosen is not None else {name: form.text(name, LONGEST) for name in _CELLS}
    return Admission(
        int(request.match_info["request"]),
        chosen,
        cells | ({} if chosen is not None else {"lang": form.text("lang", 2)}),
        get_words(request).words("join.desk.recorded"),
        form.is_ticked("take_email"),
    )


@routes.post(rf"{DESK}/{{request:\d{{1,18}}}}/admit")
@stands_on(show_join_desk)
async def admit(request: web.Request) -> web.Response:
    """Admit the person, or show the register's objections."""
    person, form = signed_in(request), await form_of(request)
    given = _admission(request, form)
    try:
        done = await joining.admit(core(request), person, given)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if isinstance(done, tuple):
        return await _desk_page(request, done, given.request_id)
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")


@routes.post(rf"{DESK}/{{request:\d{{1,18}}}}/decline")
@stands_on(show_join_desk)
async def decline(request: web.Request) -> web.Response:
    """Decline, with a reason that is sent to the person."""
    person, form = signed_in(request), await form_of(request)
    request_id = int(request.match_info["request"])
    reason = form.text("reason", LONGEST)
    try:
        done = await joining.decline(core(request), person, request_id, reason)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if done is None:
        raise FormFault("reason", get_words(request).words("join.desk.no_reason"))
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")
