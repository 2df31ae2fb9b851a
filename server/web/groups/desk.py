"""A group for its leader: the running games, a letter to all, withdrawal, start, following.

§ 6.1.1, § 6.2.8. What is done leads to a case or a letter; nothing is decided here. Not
for deciding a withdrawal (cases/decide_withdrawal.py).
"""

from urllib.parse import quote

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from mail.office_letters.leader_letter import LONGEST as MOST
from mail.office_letters.leader_letter import MOST_LINES
from server.store.cases import cases_and_events as case_rows
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import taken_back
from server.store.groups.groups_and_seats import GroupRow
from server.store.play.people import PersonRow
from server.usecases.cases import withdrawals
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.groups import leader_letter
from server.usecases.groups.following import following_of, switch
from server.usecases.groups.leader_letter import Draft, Preview
from server.usecases.people.group_games import group_games
from server.web.cases.words import case_words
from server.web.cup.words import cup_words
from server.web.desks.overview import held
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import new_key, page
from server.web.groups.tie_desk import tie_of, tie_problem

LONGEST = 20_000


async def _led(request: web.Request) -> tuple[PersonRow, GroupRow]:
    """The group in the address, for those who may act in it; 404 for everybody else."""
    person, rights = await held(request)
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, request.match_info["name"])
    if group is None or not rights.speaks_for(group.id):
        raise web.HTTPNotFound
    return person, group


async def show(request: web.Request) -> web.Response:
    """The forms."""
    _, group = await _led(request)
    return await _group_page(request, group)


async def _group_page(
    request: web.Request,
    group: GroupRow,
    problem: str = "",
    letter: tuple[Draft, Preview] | None = None,
) -> web.Response:
    async with core(request).store.read() as conn:
        seats = await group_rows.seats_of(conn, group.id)
        cases = await case_rows.listed(conn, group_ids=[group.id])
        games = await group_games(conn, core(request), group.id, cases)
        live = await following_of(conn, group.id)
        has_begun = not await conn.run_sync(taken_back.is_untouched, group.id)
    _, rights = await held(request)
    return page(
        request,
        "groups/desk.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        rights=rights,
        group=group,
        seats=seats,
        cases=cases,
        games=games,
        letter=letter,
        is_sent="sent" in request.query,
        has_begun=has_begun,
        live=live,
        may_switch=live.may_switch(rights),
        c=cup_words(request),
        tie=await tie_of(request, group),
        tie_problem=tie_problem(request),
        now=core(request).now_us,
        problem=problem,
    )


@stands_on(show)
async def write_to_all(request: web.Request) -> web.Response:
    """Show the letter to everybody in the group, or send the one that was shown."""
    person, group = await _led(request)
    form = await form_of(request)
    draft = _draft(request, form)
    try:
        if form.text("step", 10) != "send":
            shown = await leader_letter.preview(core(request), person, group, draft)
            return await _group_page(request, group, letter=(draft, shown))
        await leader_letter.send(core(request), person, group, draft)
    except NotAllowed:
        raise web.HTTPForbidden from None
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}?sent=1#letter")


def _draft(request: web.Request, form: Form) -> Draft:
    """What was typed. Raises Fault for what the letter cannot say, TooLong."""
    d, subject, text = case_words(request), form.text("subject", 100), form.text("text", MOST)
    key = form.text("key", 64) if form.text("step", 10) == "send" else new_key()
    lines = text.count("\n") + 1
    if not subject or not key:
        stale = words(request).words("forms.stale")
        raise Fault("subject", stale if subject else d("to_all.no_subject"))
    if not text or lines > MOST_LINES:
        why = d("to_all.lines", n=lines, most=MOST_LINES) if text else d("to_all.no_text")
        raise Fault("text", why)
    return Draft(subject, text, key)


@stands_on(show)
async def withdraw(request: web.Request) -> web.Response:
    """Open a case for a withdrawal; its page shows the consequences (§ 6.2.8)."""
    person, group = await _led(request)
    form = await form_of(request)
    d, player, text = case_words(request), form.number("player"), form.text("text", LONGEST)
    if player is None or not text:
        raise Fault(*(("text", d("missing.text")) if player else ("player", d("missing.player"))))
    known = await withdrawals.undecided(core(request), group.id, player)
    if known is not None:
        raise Fault("player", d("group.leaves_already", number=known.number))
    try:
        case = await withdrawals.announce(core(request), person, group.id, player, text)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPBadRequest from None
    if isinstance(case, CaseRefusal):
        return await _group_page(request, group, d.refusal(case))
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")


@stands_on(show)
async def annul(request: web.Request) -> web.Response:
    """Undo the start before the first move (§ 6.1.1)."""
    person, group = await _led(request)
    form = await form_of(request)
    d, text = case_words(request), form.text("text", LONGEST)
    if not text:
        raise Fault("text", d("missing.text"))
    try:
        await withdrawals.annul_start(core(request), person, group.id, text)
    except HasBegun:
        raise Fault("text", d("group.begun")) from None
    except NotAllowed:
        raise web.HTTPForbidden from None
    raise web.HTTPSeeOther("/desk")


@stands_on(show)
async def follow(request: web.Request) -> web.Response:
    """Switch public following of the running games on or off (CONTRACTS)."""
    person, group = await _led(request)
    form = await form_of(request)
    wanted = form.text("live", 3)
    if wanted not in ("on", "off"):
        raise web.HTTPBadRequest
    try:
        await switch(core(request), person, group.id, is_on=wanted == "on")
    except NotAllowed:
        raise web.HTTPForbidden from None
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}#live")
