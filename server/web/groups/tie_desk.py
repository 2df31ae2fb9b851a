"""A tie for first place in the DM, on its group's desk: play-off or agreement (§ 6.5.2).

Not for who then holds the title (titles.py).
"""

from urllib.parse import quote

from aiohttp import web

from kskak.cup.refusals import TieProblem, TieRefusal
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.usecases.core.offices import NotAllowed
from server.usecases.groups.tables import table_in
from server.usecases.results.title_ties import TieView, share_title, start_playoff, tie_view
from server.web.cup.words import cup_words
from server.web.frame.context import core, signed_in
from server.web.frame.form_faults import Fault
from server.web.frame.forms import form_of

LONGEST = 2000


async def tie_of(request: web.Request, group: GroupRow) -> TieView | None:
    """A DM's first place as shown on the desk; None for other groups."""
    if group.class_ != "DM":
        return None
    async with core(request).store.read() as conn:
        return await tie_view(conn, group, await table_in(conn, group))


async def _group(request: web.Request) -> GroupRow:
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, request.match_info["name"])
    if group is None:
        raise web.HTTPNotFound
    return group


_BESIDE = {TieProblem.NO_REASON: "reason", TieProblem.START: "start"}
"""Refusals that concern a field."""


def _after(request: web.Request, group: GroupRow, refusal: TieRefusal | None) -> web.Response:
    """Back to the desk, which shows any refusal."""
    if refusal is None:
        raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}#tie")
    if refusal.problem in _BESIDE:
        raise Fault(_BESIDE[refusal.problem], cup_words(request).tie_refused(refusal))
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}?tie={refusal.problem.value}#tie")


async def playoff(request: web.Request) -> web.Response:
    """Start the play-off of two games."""
    group, person = await _group(request), signed_in(request)
    form = await form_of(request)
    if form.typed("start") and form.day("start") is None:
        raise Fault("start", cup_words(request)("fault.day"))
    try:
        done = await start_playoff(core(request), person, group.id, form.day("start"))
    except NotAllowed:
        raise web.HTTPNotFound from None
    return _after(request, group, done if isinstance(done, TieRefusal) else None)


async def share(request: web.Request) -> web.Response:
    """Record that those tied agree to share."""
    group, person = await _group(request), signed_in(request)
    form = await form_of(request)
    try:
        refusal = await share_title(core(request), person, group.id, form.text("reason", LONGEST))
    except NotAllowed:
        raise web.HTTPNotFound from None
    return _after(request, group, refusal)


def tie_problem(request: web.Request) -> str:
    """Why the last action was refused, from the address; "" if it was not."""
    c, name = cup_words(request), request.query.get("tie", "")
    known = {one.value: one for one in TieProblem}
    return c.tie_refused(TieRefusal(known[name])) if name in known else ""
