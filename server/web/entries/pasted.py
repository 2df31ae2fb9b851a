"""Pasting entries or a bank's lines: shown with what was made of them, then those ticked count.

For the controller. Nothing is kept between the two presses: the lines travel in the form. Not for
what a line comes to (usecases/desks/pasted_entries.py, pasted_fees.py).
"""

from collections.abc import Sequence

from aiohttp import web

from server.usecases.desks.pasted import MOST_LINES, PastedRow, Told, Unreadable, What
from server.usecases.desks.pasted_entries import entries_shown, take_entries
from server.usecases.desks.pasted_fees import fees_shown, take_fees
from server.usecases.entries.views import lists_view
from server.web.cases.words import case_words
from server.web.entries.page import entry_words
from server.web.entries.season import controller
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import FORM, Form, TooLong, form_of
from server.web.frame.pages import page

HERE = "/desk/kc/pasted"
LONGEST = 400_000
"""Characters of the pasted text."""
_TICK = "take-"


async def show(request: web.Request) -> web.Response:
    """The field to paste into; again when the text can't be used."""
    status = 200 if request.get(FORM) is None else PROBLEM_STATUS
    return await _page(request, status=status)


async def _page(
    request: web.Request,
    rows: Sequence[PastedRow] | None = None,
    told: Sequence[Told] | None = None,
    status: int = 200,
) -> web.Response:
    _, rights = await controller(request)
    sent = request.get(FORM) or Form({})
    return page(
        request,
        "entries/pasted.html",
        status=status,
        d=case_words(request),
        e=entry_words(request),
        rights=rights,
        lists=await lists_view(core(request)),
        whats=tuple(What),
        form={"what": sent.typed("what"), "list": sent.typed("list"), "lines": _lines(sent)},
        rows=rows,
        told=told,
    )


def _lines(form: Form) -> str:
    """The lines with the empty cells at their ends, which a field of words is shorn of."""
    return form.fields.get("lines", "").replace("\r\n", "\n").strip("\n")


@stands_on(show)
async def take(request: web.Request) -> web.Response:
    """Step 1: what was made of each line. Step 2: the ticked ones count."""
    person, _ = await controller(request)
    form, server, said = await form_of(request), core(request), words(request).words
    text, list_id = _lines(form), form.number("list")
    if len(text) > LONGEST:
        raise TooLong("lines", len(text), LONGEST)
    ticked = [name.removeprefix(_TICK) for name in form.fields if name.startswith(_TICK)]
    is_real = form.typed("step") == "take"
    if form.typed("what") not in set(What):
        raise web.HTTPBadRequest
    is_fees = form.typed("what") == What.FEES
    try:
        if not is_real:
            rows = (
                await fees_shown(server, person, text)
                if is_fees
                else await entries_shown(server, person, text, list_id)
            )
            return await _page(request, rows)
        told = (
            await take_fees(server, person, text, ticked)
            if is_fees
            else await take_entries(server, person, text, list_id, ticked)
        )
    except Unreadable as error:
        raise Fault("lines", said(f"pasted.unreadable.{error}", most=MOST_LINES)) from None
    return await _page(request, told=told)
