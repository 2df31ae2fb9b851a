"""Register files on the desk: upload, preview of changes, confirmation; and export.

The file travels in the form itself: nothing is stored between the two steps, and only changes
with the digest that was seen may be written. Not for the files' meaning (usecases/register).
"""

from aiohttp import web

from kskak.regulation.quantities import Channel
from server.usecases.core.offices import NotAllowed
from server.usecases.register.export import export
from server.usecases.register.importing import import_file
from server.usecases.register.report import Doer, Fate, Line, Report, Rules, What
from server.usecases.register.views import changing
from server.web.frame.context import core, signed_in
from server.web.frame.form_faults import PROBLEM_STATUS
from server.web.frame.forms import MOST_FILE, Form, form_of
from server.web.frame.pages import page
from server.web.register.members import frame_values

MOST_LINES = 200
"""The most lines of a kind to show; the rest are counted."""
_ORDER = (Fate.REFUSED, Fate.CHANGED, Fate.ADDED)


async def _doer(request: web.Request, name: str) -> Doer:
    """The importing person; 404 for those who may not import."""
    person = signed_in(request)
    try:
        held = await changing(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    return Doer(person.id, Channel.WEB.value, f"import: {name}"[:200], held.is_admin)


async def show(request: web.Request) -> web.Response:
    """The upload form, and the exports."""
    await _doer(request, "")
    return await _page(request, None, "", Form({}))


async def _page(
    request: web.Request, report: Report | None, csv: str, form: Form, *, is_stale: bool = False
) -> web.Response:
    groups: list[tuple[Fate, list[Line], int]] = []
    for fate in _ORDER if report is not None else ():
        lines = [line for line in report.lines if line.fate is fate] if report else []
        groups.append((fate, lines[:MOST_LINES], max(0, len(lines) - MOST_LINES)))
    noted = [li for li in report.lines if li.notes][:MOST_LINES] if report else []
    can_go = report is not None and report.fault is None and not report.is_done
    return page(
        request,
        "register/members_files.html",
        status=PROBLEM_STATUS if report is not None and report.fault else 200,
        report=report,
        groups=groups,
        noted=noted,
        csv=csv,
        form=form,
        is_stale=is_stale,
        can_go=can_go and any(lines for fate, lines, _ in groups if fate is not Fate.REFUSED),
        whats=tuple(What),
        **await frame_values(request),
    )


async def take(request: web.Request) -> web.Response:
    """Step 1: what the file would change. Step 2: change it, if it still matches the preview."""
    form = await form_of(request)
    what = form.text("what", 10)
    if what not in set(What):
        raise web.HTTPBadRequest
    csv, name = await _file(request, form)
    doer = await _doer(request, name)
    is_real = form.text("step", 10) == "do"
    digest = form.text("digest", 64) if is_real else ""
    rules = Rules(
        dry_run=not is_real,
        skip_bad=form.is_ticked("skip_bad"),
        take_emails=form.is_ticked("take_emails"),
        digest=digest,
    )
    raw = csv if isinstance(csv, bytes) else csv.encode("utf-8", "replace")
    report = await import_file(core(request), What(what), raw, doer, rules)
    text = raw.decode("utf-8-sig") if report.fault is None else ""
    kept = Form({**form.fields, "name": name})
    is_stale = is_real and not report.is_done and report.digest != digest
    return await _page(request, report, text, kept, is_stale=is_stale)


async def _file(request: web.Request, form: Form) -> tuple[bytes | str, str]:
    """The uploaded file, or its text resent with the confirmation; and its name."""
    sent = (await request.post()).get("file")
    if not isinstance(sent, web.FileField):
        return form.text("csv", MOST_FILE), form.text("name", 100)
    with sent.file as file:
        return file.read(), sent.filename[-100:]


async def give(request: web.Request) -> web.Response:
    """Export a register as a file."""
    await _doer(request, "")
    what = What(request.match_info["what"])
    headers = {
        "Content-Disposition": f'attachment; filename="{what.value}.csv"',
        "Cache-Control": "no-store",
    }
    raw = await export(core(request), what)
    return web.Response(body=raw, content_type="text/csv", charset="utf-8", headers=headers)
