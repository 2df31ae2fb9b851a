"""One entry on the desk: its contents and faults; fee, proof, discretion, refusal (§ 6.4.4).

Not for the list of entries (desk.py).
"""

from aiohttp import web

from kskak.entries.admission import EntryRefusal, discretion_for
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.entries import deeds, views
from server.usecases.entries.judging import wish_of
from server.web.cases.words import case_words
from server.web.entries.desk import official
from server.web.entries.page import entry_words
from server.web.frame.context import core
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

LONGEST, LONGEST_NUMBER = 4000, 40


async def show(request: web.Request) -> web.Response:
    """The entry."""
    return await _entry_page(request)


async def _entry_page(
    request: web.Request, problems: tuple[str, ...] = (), typed: Form | None = None
) -> web.Response:
    person, rights = await official(request)
    try:
        found = await views.entry_page(core(request), person, int(request.match_info["entry"]))
    except NoSuch:
        raise web.HTTPNotFound from None
    row, sent = found.view.row, typed or Form({})
    e = entry_words(request)
    return page(
        request,
        "entries/entry_desk.html",
        status=PROBLEM_STATUS if problems else 200,
        d=case_words(request),
        e=e,
        rights=rights,
        found=found,
        row=row,
        is_open=row.state in ("waiting", "valid"),
        discretion=discretion_for(wish_of(row.event, row.wish)),
        today=core(request).today(core(request).settings.clock.zone),
        typed={name: sent.typed(name) for name in ("on", "reason", "paragraph")},
        deed=request.match_info.get("deed", ""),
        problems=problems,
        notice=e("desk.done") if request.query.get("done") and not problems else "",
    )


def _check(request: web.Request, form: Form) -> None:
    """Raise Fault for what the action needs and the form lacks."""
    e, deed = entry_words(request), request.match_info["deed"]
    if deed == "fee" and form.day("on") is None:
        raise Fault("on", e("enter.bad_date"))
    number = form.typed("number")
    if deed == "number" and not (0 < len(number) <= LONGEST_NUMBER and number.isprintable()):
        raise Fault("number", e("one.bad_number"))
    if deed in ("discretion", "refuse") and not form.text("reason", LONGEST):
        raise Fault("reason", e("one.no_reason"))
    if deed == "refuse" and not _paragraph(form):
        raise Fault("paragraph", e("one.no_paragraph"))


def _paragraph(form: Form) -> str:
    return form.text("paragraph", 20).removeprefix("§").strip()


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Perform an action; a refusal is shown on the page with its paragraph."""
    person, _ = await official(request)
    form, asked = await form_of(request), core(request)
    entry_id, deed = int(request.match_info["entry"]), request.match_info["deed"]
    _check(request, form)
    reason = form.text("reason", LONGEST)
    try:
        match deed:
            case "fee":
                on = form.day("on")
                assert on is not None
                done = await deeds.record_fee(asked, person, entry_id, on)
            case "proof":
                done = await deeds.see_proof(asked, person, entry_id)
            case "number":
                done = await deeds.confirm_number(asked, person, entry_id, form.typed("number"))
            case "discretion":
                done = await deeds.let_in(asked, person, entry_id, reason)
            case "refuse":
                done = await deeds.refuse(asked, person, entry_id, _paragraph(form), reason)
            case "withdraw":
                done = await deeds.withdraw(asked, person, entry_id)
            case _:
                raise web.HTTPNotFound
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, EntryRefusal):
        return await _entry_page(request, entry_words(request).refused(done), form)
    raise web.HTTPSeeOther(f"/desk/entries/{entry_id}?done=done")
