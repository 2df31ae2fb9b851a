"""The controller's bulletin: edit, look at the draft, send it out (§ 6.4.5.1, § 6.1.2).

Who makes none finds no such page. Not for what is in it (usecases/bulletins.py).
"""

from collections.abc import Mapping

from aiohttp import web

from mail.writing.bulletins import bulletin_page
from server.usecases import bulletins as use
from server.usecases.bulletin_facts import Chosen
from server.usecases.bulletins import Draft, Edit, Wrong
from server.usecases.offices import NotAllowed
from server.web.blocks import named
from server.web.context import core, words
from server.web.desks import PROBLEM_STATUS, case_words, held
from server.web.faults import stands_on
from server.web.forms import Form, form_of
from server.web.pages import page

LONGEST = 20_000


async def show(request: web.Request) -> web.Response:
    """The draft."""
    saved = "saved" if request.query.get("saved") else ""
    return await _page(request, notice=saved)


async def _page(
    request: web.Request, problem: Wrong | None = None, typed: Form | None = None, notice: str = ""
) -> web.Response:
    person, rights = await held(request)
    try:
        draft = await use.draft(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    said = words(request).words
    written = bulletin_page(draft.bulletin, said)
    return page(
        request,
        "desk_bulletin.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        rights=rights,
        say=said,
        draft=draft,
        typed=_typed(draft, typed),
        blocks=named(written.blocks),
        title=written.subject,
        problem=said(f"bulletin.{problem.value}") if problem else "",
        notice=said(f"bulletin.{notice}") if notice else "",
    )


def _typed(draft: Draft, form: Form | None) -> Mapping[str, object]:
    """What the fields show: as typed after a slip, else as kept."""
    if form is None:
        return {
            "first": draft.row.first,
            "last": draft.row.last,
            "foreword": draft.row.foreword,
            "chosen": draft.chosen,
            "texts": draft.chosen,
        }
    cases = [one.case.id for one in draft.candidates]
    return {
        "first": form.typed("first"),
        "last": form.typed("last"),
        "foreword": form.typed("foreword"),
        "chosen": {case: "" for case in cases if form.is_ticked(f"case{case}")},
        "texts": {case: form.typed(f"text{case}") for case in cases},
    }


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Save the draft, or send it out."""
    person, _ = await held(request)
    form = await form_of(request)
    number = form.number("number")
    if number is None:
        raise web.HTTPBadRequest
    try:
        if form.text("act", 10) == "issue":
            out = await use.issue(core(request), person, number, form.text("seal", 64))
            if isinstance(out, Wrong):
                return await _page(request, out)
            raise web.HTTPSeeOther(f"/bulletins/{out.number}")
        edit = _edit(number, form)
        wrong = Wrong.BAD_PERIOD if edit is None else await use.save(core(request), person, edit)
    except NotAllowed:
        raise web.HTTPForbidden from None
    if wrong is not None:
        return await _page(request, wrong, form)
    raise web.HTTPSeeOther("/desk/bulletin?saved=1#draft")


def _edit(number: int, form: Form) -> Edit | None:
    """The form's draft; None where a day is none."""
    first, last = form.day("first"), form.day("last")
    if first is None or last is None:
        return None
    ticked = [name[4:] for name in form.fields if name.startswith("case") and name[4:].isdigit()]
    chosen = tuple(
        Chosen(int(case), form.text(f"text{case}", LONGEST))
        for case in sorted(ticked, key=int)
        if form.is_ticked(f"case{case}")
    )
    return Edit(number, first, last, form.text("foreword", LONGEST), chosen)
