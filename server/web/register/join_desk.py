"""The desk for join requests: the request, possible matches in the register, yes or no (§ 6.1).

Only for the controller and administrators. Not for the register's own pages (members.py).
"""

from aiohttp import web

from server.store.register import members as rows
from server.store.register.members import MemberKind
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.register import admitting
from server.usecases.register.admitting import Admission
from server.usecases.register.report import Slip
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page
from server.web.register.members import frame_values

DESK = "/desk/join"
LONGEST = 300
_CELLS = ("name", "number", "birth", "kind", "club")
_NOTICES = frozenset({"admitted", "declined"})


@one_look
async def show(request: web.Request) -> web.Response:
    """The waiting requests."""
    return await _desk_page(request)


async def _desk_page(
    request: web.Request, slips: tuple[Slip, ...] = (), of: int = 0
) -> web.Response:
    values = await frame_values(request)
    try:
        found = await admitting.waiting(core(request), signed_in(request))
    except NotAllowed:
        raise web.HTTPNotFound from None
    async with core(request).store.read() as conn:
        clubs = await rows.all_clubs(conn)
    done = request.query.get("done", "")
    return page(
        request,
        "register/join_desk.html",
        status=PROBLEM_STATUS if slips else 200,
        found=found,
        cells=admitting.new_cells,
        kinds=tuple(MemberKind),
        clubs=clubs,
        slips=slips,
        of=of,
        done=done if done in _NOTICES and not slips else "",
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
        words(request).words("join.desk.recorded"),
        form.is_ticked("take_email"),
    )


@stands_on(show)
async def admit(request: web.Request) -> web.Response:
    """Admit the person, or show the register's objections."""
    person, form = signed_in(request), await form_of(request)
    given = _admission(request, form)
    try:
        done = await admitting.admit(core(request), person, given)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if isinstance(done, tuple):
        return await _desk_page(request, done, given.request_id)
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")


@stands_on(show)
async def decline(request: web.Request) -> web.Response:
    """Decline, with a reason that is sent to the person."""
    person, form = signed_in(request), await form_of(request)
    request_id = int(request.match_info["request"])
    reason = form.text("reason", LONGEST)
    try:
        done = await admitting.decline(core(request), person, request_id, reason)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if done is None:
        raise Fault("reason", words(request).words("join.desk.no_reason"))
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")


ROUTES = (
    web.get(DESK, show),
    web.post(rf"{DESK}/{{request:\d{{1,18}}}}/admit", admit),
    web.post(rf"{DESK}/{{request:\d{{1,18}}}}/decline", decline),
)
