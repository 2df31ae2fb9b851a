"""The leader's cup desk: open a cup, draw its rounds, see who qualifies and why (§ 6.6).

What is computed is shown; what is discretionary is asked for with a reason. Not for what the
actions do (usecases/cup/rounds.py).
"""

from aiohttp import web

from kskak.cup.course import CupStage
from kskak.cup.refusals import CupRefusal
from server.store.play.people import PersonRow
from server.usecases.core.offices import NoSuch, NotAllowed, Rights
from server.usecases.cup import views
from server.usecases.cup.opening import CupFault, Opened, open_cup
from server.usecases.cup.rounds import Choice, draw_round
from server.web.cases.words import case_words
from server.web.cup.words import cup_words
from server.web.entries.desk import official
from server.web.frame.context import core
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

LONGEST = 4000
_DRAW_FIELDS = ("places", "take", "start", "added", "reason")
MOST_PLACES = 3


async def listed(request: web.Request) -> web.Response:
    """The cups on this desk, and the controller's form for a new one."""
    return await _list_page(request)


async def _list_page(
    request: web.Request, problem: str = "", typed: Form | None = None
) -> web.Response:
    _, rights = await official(request)
    sent = typed or Form({})
    this_year = core(request).today(core(request).settings.clock.zone).year
    return page(
        request,
        "cup/desks.html",
        status=PROBLEM_STATUS if problem else 200,
        c=cup_words(request),
        d=case_words(request),
        rights=rights,
        desk=await views.cups_desk(core(request), rights),
        problem=problem,
        edition=sent.typed("edition") or str(this_year),
    )


@stands_on(listed)
async def open_new(request: web.Request) -> web.Response:
    """Open a cup; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form, c = await form_of(request), cup_words(request)
    edition, on = form.number("edition"), form.number("list")
    if edition is None or on is None:
        fault = CupFault.EDITION if edition is None else CupFault.LIST
        raise Fault("edition" if edition is None else "list", c(f"fault.{fault.value}"))
    try:
        done = await open_cup(core(request), person, Opened(edition, on, form.number("semi_list")))
    except NotAllowed:
        raise web.HTTPForbidden from None
    if isinstance(done, CupFault):
        return await _list_page(request, c(f"fault.{done.value}"), form)
    raise web.HTTPSeeOther(f"/desk/cups/{done.id}?done=opened")


async def show(request: web.Request) -> web.Response:
    """One cup's desk."""
    person, rights = await official(request)
    return await _page(request, person, rights)


async def _page(
    request: web.Request,
    person: PersonRow,
    rights: Rights,
    problem: str = "",
    typed: Form | None = None,
) -> web.Response:
    try:
        desk = await views.cup_desk(core(request), rights, int(request.match_info["cup"]))
    except NoSuch:
        raise web.HTTPNotFound from None
    sent, c = typed or Form({}), cup_words(request)
    notices = {"opened": c("desk.opened"), "drawn": c("desk.drawn")}
    return page(
        request,
        "cup/desk.html",
        status=PROBLEM_STATUS if problem else 200,
        c=c,
        d=case_words(request),
        rights=rights,
        desk=desk,
        view=desk.view,
        problem=problem,
        notice="" if problem else notices.get(request.query.get("done", ""), ""),
        typed={name: sent.typed(name) for name in _DRAW_FIELDS},
        ticked={name for name in sent.fields if name.startswith("without-")},
        stage=sent.typed("stage"),
    )


def _choice(form: Form) -> Choice | tuple[str, str]:
    """The form's request, or the faulty field and the key of the reason."""
    places, take, start = form.number("places"), form.number("take"), form.day("start")
    if form.typed("places") and not (places and places <= MOST_PLACES):
        return "places", "fault.places"
    if form.typed("take") and not take:
        return "take", "fault.number"
    if form.typed("start") and start is None:
        return "start", "fault.day"
    ticked = (name.removeprefix("without-") for name in form.fields if name.startswith("without-"))
    return Choice(
        CupStage(form.text("stage", 12)),
        places=places,
        take=take,
        added=tuple(form.text("added", LONGEST).split()),
        without=tuple(int(one) for one in ticked if one.isascii() and one.isdigit()),
        start=start,
        reason=form.text("reason", LONGEST),
        live=form.is_ticked("live"),
    )


@stands_on(show)
async def draw(request: web.Request) -> web.Response:
    """Draw a round; a refusal is shown on the page with its paragraph."""
    person, rights = await official(request)
    form, c = await form_of(request), cup_words(request)
    number = int(request.match_info["cup"])
    try:
        choice = _choice(form)
    except ValueError:
        raise web.HTTPBadRequest from None
    if isinstance(choice, tuple):
        raise Fault(choice[0], c(choice[1]))
    try:
        done = await draw_round(core(request), person, number, choice)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if isinstance(done, CupRefusal):
        return await _page(request, person, rights, c.refused(done), form)
    raise web.HTTPSeeOther(f"/desk/cups/{number}?done=drawn")
