"""A player's classes and results, as seen and maintained by officials (§ 6.5.3.2, § 6.6.2).

Not for the player's own page (page.py).
"""

from fractions import Fraction

from aiohttp import web

from server.store.play import people as person_rows
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.entries import past_results as past
from server.usecases.entries import views
from server.usecases.entries.past_results import EVENTS, Entered, ResultFault
from server.web.cases.words import case_words
from server.web.entries.desk import official
from server.web.entries.page import entry_words
from server.web.frame.context import core
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

_BESIDE = {ResultFault.SCORE: "points", ResultFault.TWICE: "name"}
"""Faults whose field has a different name."""
FIELDS = (
    *("event", "name", "finished", "points", "games", "unfinished", "place", "entries"),
    *("semi_held", "source"),
)


async def look(request: web.Request) -> web.Response:
    """Redirect from an e-mail address to the player's page."""
    await official(request)
    async with core(request).store.read() as conn:
        found = await person_rows.by_email(conn, request.query.get("email", "")[:200])
    if found is None:
        raise web.HTTPNotFound
    raise web.HTTPSeeOther(f"/desk/players/{found.id}")


async def show(request: web.Request) -> web.Response:
    """The player's classes, what they are based on, and the form for a result."""
    return await _record_page(request)


async def _record_page(
    request: web.Request, problem: str = "", typed: Form | None = None
) -> web.Response:
    person, rights = await official(request)
    number = int(request.match_info["person"])
    try:
        view = await views.classes_view(core(request), person, number)
    except NoSuch:
        raise web.HTTPNotFound from None
    sent, e = typed or Form({"semi_held": "1"}), entry_words(request)
    return page(
        request,
        "entries/player_record.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        e=e,
        rights=rights,
        view=view,
        may_enter=past.may_enter(rights) and number != person.id,
        choices=[(event, wish) for event, wishes in EVENTS.items() for wish in wishes],
        typed={name: sent.typed(name) for name in FIELDS},
        problem=problem,
        notice=e("result.kept") if request.query.get("done") and not problem else "",
    )


@stands_on(show)
async def add(request: web.Request) -> web.Response:
    """Store a result, or say what is wrong with it."""
    person, _ = await official(request)
    form, e = await form_of(request), entry_words(request)
    number = int(request.match_info["person"])
    told = _entered(form)
    if isinstance(told, ResultFault):
        raise Fault(_BESIDE.get(told, told.value), e(f"result_fault.{told.value}"))
    try:
        done = await past.add_result(core(request), person, number, told)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, ResultFault):
        raise Fault(_BESIDE.get(done, done.value), e(f"result_fault.{done.value}"))
    raise web.HTTPSeeOther(f"/desk/players/{number}?done=1#record")


def _halves(text: str) -> int | None:
    """Half points from «4½», «4,5» or «4.5»; None for anything else."""
    plain = text.replace("½", ".5").replace(",", ".")
    if not plain.isascii() or len(plain) > 8 or not plain.replace(".", "", 1).isdigit():
        return None
    doubled = Fraction(f"0{plain}" if plain.startswith(".") else plain.rstrip(".")) * 2
    return int(doubled) if doubled.denominator == 1 else None


def _entered(form: Form) -> Entered | ResultFault:
    event, _, wish = form.text("event", 40).partition(" ")
    halves, games = _halves(form.typed("points")), form.number("games")
    unfinished = form.number("unfinished") if form.typed("unfinished") else 0
    if halves is None or games is None or unfinished is None:
        return ResultFault.SCORE
    for name, fault in (("place", ResultFault.PLACE), ("entries", ResultFault.ENTRIES)):
        if form.typed(name) and form.number(name) is None:
            return fault
    finished = form.day("finished")
    if form.typed("finished") and finished is None:
        return ResultFault.FINISHED
    return Entered(
        event=event,
        wish=wish,
        name=form.text("name", 200),
        finished=finished,
        halves=halves,
        games=games,
        source=form.text("source", 2000),
        unfinished=unfinished,
        place=form.number("place"),
        entries=form.number("entries") or 0,
        semi_held=form.is_ticked("semi_held"),
    )


async def remove(request: web.Request) -> web.Response:
    """Remove a wrong result."""
    person, _ = await official(request)
    form = await form_of(request)
    number, result = int(request.match_info["person"]), form.number("result")
    if result is None:
        raise web.HTTPBadRequest
    try:
        await past.remove_result(core(request), person, number, result)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(f"/desk/players/{number}#record")
