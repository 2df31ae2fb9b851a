"""The controller's bulletin: edit, preview and send it (§ 6.4.5.1, § 6.1.2).

404 for those who may not make one. Not for its contents (usecases/results/bulletins.py).
"""

from aiohttp import web

from mail.office_letters.bulletins import bulletin_page
from mail.text.words import Words
from server.usecases.core.offices import NotAllowed
from server.usecases.results import bulletins as use
from server.usecases.results.bulletin_facts import Chosen
from server.usecases.results.bulletins import Draft, Edit, Wrong
from server.web.cases.words import case_words
from server.web.desks.overview import held
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import FORM, Form, form_of
from server.web.frame.letter_blocks import named
from server.web.frame.pages import page

LONGEST = 20_000
MOST_DIGITS = 18


async def show(request: web.Request) -> web.Response:
    """The draft."""
    saved = "saved" if request.query.get("saved") else ""
    return await _page(request, notice=saved)


async def _page(
    request: web.Request, problem: Wrong | None = None, notice: str = ""
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
        "groups/bulletin_desk.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        rights=rights,
        say=said,
        draft=draft,
        left=_left(draft, request.get(FORM)),
        blocks=named(written.blocks),
        title=written.subject,
        problem=said(f"bulletin.{problem.value}") if problem else "",
        notice=said(f"bulletin.{notice}") if notice else "",
    )


def _left(draft: Draft, form: Form | None) -> list[str]:
    """Texts typed about cases that are no longer on the page, so that nothing typed is lost."""
    here = {f"text{one.case.id}" for one in draft.candidates}
    names = [] if form is None else [name for name in form.fields if name.startswith("text")]
    return [form.typed(name) for name in names if form and name not in here and form.typed(name)]


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Save the draft, or issue the bulletin."""
    person, _ = await held(request)
    form = await form_of(request)
    number, say = form.number("number"), words(request).words
    try:
        if number is None:
            await _offered(request)
            raise Fault("number", say("forms.stale"))
        if form.text("act", 10) == "issue":
            out = await use.issue(core(request), person, number, form.text("seal", 64))
            if isinstance(out, Wrong):
                return await _page(request, out)
            raise web.HTTPSeeOther(f"/bulletins/{out.number}")
        edit = _edit(number, form, say, await _offered(request))
        wrong = await use.save(core(request), person, edit)
    except NotAllowed:
        raise web.HTTPForbidden from None
    if wrong is Wrong.GONE:
        raise Fault("number", say("forms.stale"))
    if wrong is not None:
        raise Fault("last", say(f"bulletin.{wrong.value}"))
    raise web.HTTPSeeOther("/desk/bulletin?saved=1#draft")


async def _offered(request: web.Request) -> frozenset[int]:
    """The cases offered: the period's, and those already chosen. Raises NotAllowed."""
    draft = await use.draft(core(request), (await held(request))[0])
    return frozenset({one.case.id for one in draft.candidates} | draft.chosen.keys())


def _edit(number: int, form: Form, say: Words, offered: frozenset[int]) -> Edit:
    """The form's draft. Raises Fault for an invalid day, or a case without text or not offered."""
    first, last = form.day("first"), form.day("last")
    if first is None or last is None:
        raise Fault("first" if first is None else "last", say("bulletin.bad_day"))
    ticked = [name[4:] for name in form.fields if name.startswith("case") and name[4:].isdigit()]
    chosen = []
    for case in (name for name in ticked if form.is_ticked(f"case{name}")):
        if len(case) > MOST_DIGITS or int(case) not in offered:
            raise Fault(f"case{case}", say("forms.stale"))
        text = form.text(f"text{case}", LONGEST)
        if not text:
            raise Fault(f"text{case}", say(f"bulletin.{Wrong.NO_TEXT.value}"))
        chosen.append(Chosen(int(case), text))
    chosen.sort(key=lambda one: one.case)
    return Edit(number, first, last, form.text("foreword", LONGEST), tuple(chosen))
