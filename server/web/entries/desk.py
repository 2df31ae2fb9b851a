"""The entry desk: pending entries, waiting lists, entering a player (§ 6.4.4, § 6.1.2).

A leader sees his own lists, the controller all. Not for one entry (entry_desk.py) or a player's
record (player_record.py).
"""

from aiohttp import web

from kskak.entries.admission import EntryRefusal
from kskak.regulation.quantities import Regulation
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.offices import NoSuch, NotAllowed, Rights
from server.usecases.entries import deeds, views
from server.usecases.entries.entering import Asking, enter
from server.usecases.entries.lists import (
    LONGEST_PAY,
    Correction,
    ListFault,
    Opening,
    change_list,
    correct_list,
    open_list,
)
from server.usecases.entries.theme_groups import Theme, start_theme
from server.usecases.starts.start_group import StartedGroup
from server.web.cases.words import case_words
from server.web.desks.bulk import Deed
from server.web.desks.overview import held
from server.web.entries.form import EntryForm
from server.web.entries.page import entry_words
from server.web.entries.received_fees import check_day, receive, unpaid, unpaid_now
from server.web.frame.context import core, one_look
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import new_key, page

ORE = 100
_LIST_FIELDS = (
    "name",
    "wish",
    "tournament",
    "regulation",
    "prefix",
    "leader",
    "fee_kr",
    "how_to_pay",
)
_BESIDE = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.FEE: "fee_kr",
    ListFault.NO_PAY: "how_to_pay",
}
"""Faults whose field has a different name."""
_NOTICES = {"done": "desk.done", "started": "desk.started"}
WISHES = (
    *(f"emt {name}" for name in ("DM", "M", "K", "Å")),
    *("cup preliminary", "cup semi", "league league", "theme theme"),
)
"""What a list may be for, as named in the form."""


async def official(request: web.Request) -> tuple[PersonRow, Rights]:
    """The official and his rights; 404 for everybody else."""
    person, rights = await held(request)
    if not (rights.is_kc or rights.is_leader or rights.is_admin):
        raise web.HTTPNotFound
    return person, rights


@one_look
async def show(request: web.Request) -> web.Response:
    """The desk."""
    return await _desk_page(request)


async def _desk_page(
    request: web.Request, problems: tuple[str, ...] = (), typed: Form | None = None
) -> web.Response:
    person, rights = await official(request)
    key = _NOTICES.get(request.query.get("done", ""))
    sent = typed or Form({})
    e, desk = entry_words(request), await views.entry_desk(core(request), rights)
    waiting = [one.row for one in desk.waiting] if rights.is_kc or rights.lists else []
    return page(
        request,
        "entries/desk.html",
        status=PROBLEM_STATUS if problems else 200,
        d=case_words(request),
        e=e,
        rights=rights,
        desk=desk,
        fees=FEES.ticks(unpaid(waiting, person.id)),
        today=core(request).today(core(request).settings.clock.zone),
        problems=problems,
        notice=e(key) if key and not problems else "",
        typed=EntryForm.of(typed).fields,
        opening={name: sent.typed(name) for name in _LIST_FIELDS},
        wishes=WISHES,
        regulations=[one.value for one in Regulation],
        key=new_key(),
        theme_list=int(request.match_info.get("list", 0)) if "fen" in sent.fields else 0,
        theme_fen=sent.typed("fen"),
    )


FEES = Deed(
    "fees",
    "/desk/entries/fees",
    "/desk/entries#waiting",
    show,
    unpaid_now,
    receive,
    check_day,
    ("on",),
)


@stands_on(show)
async def enter_player(request: web.Request) -> web.Response:
    """Enter a player who wrote or paid (§ 6.4.4.1)."""
    person, _ = await official(request)
    form = await form_of(request)
    typed, e = EntryForm.of(form), entry_words(request)
    problem = typed.problem(core(request).today(core(request).settings.clock.zone))
    if problem is not None:
        raise Fault(problem[0], e(f"enter.{problem[1]}"))
    async with core(request).store.read() as conn:
        player = await person_rows.by_email(conn, typed.fields["email"])
    if player is None:
        raise Fault("email", e("desk.no_person"))
    asked = Asking(
        typed.list_id,
        typed.stated(),
        player.id,
        is_second=bool(typed.fields["second"]),
        fee=typed.fee,
        key=typed.fields["key"][:80] or None,
        address=typed.fields["address"],
    )
    try:
        done = await enter(core(request), person, asked)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise Fault("list", e("enter.bad_list")) from None
    if isinstance(done, EntryRefusal):
        return await _desk_page(request, e.refused(done), form)
    raise web.HTTPSeeOther(f"/desk/entries/{done.id}?done=done")


@stands_on(show)
async def add_list(request: web.Request) -> web.Response:
    """Open a list; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form, e = await form_of(request), entry_words(request)
    event, _, wish = form.text("wish", 30).partition(" ")
    fee = _fee(request, form)
    try:
        asked = Opening(
            name=form.text("name", 200),
            event=event,
            wish=wish,
            tournament=form.text("tournament", 200),
            regulation=Regulation(form.text("regulation", 8)),
            prefix=form.text("prefix", 80),
            leader=form.text("leader", 200),
            fee=fee,
            how_to_pay=form.text("how_to_pay", LONGEST_PAY),
        )
        done = await open_list(core(request), person, asked)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except ValueError:
        raise web.HTTPBadRequest from None
    if isinstance(done, ListFault):
        raise Fault(_BESIDE.get(done, done.value), e(f"list_fault.{done.value}"))
    raise web.HTTPSeeOther("/desk/entries#lists")


def _fee(request: web.Request, form: Form) -> int | None:
    """The fee in øre, from whole kroner; None where nothing is written. Raises Fault."""
    fee = form.number("fee_kr")
    if form.text("fee_kr", 10) and fee is None:
        raise Fault("fee_kr", entry_words(request)(f"list_fault.{ListFault.FEE.value}"))
    return None if fee is None else fee * ORE


@stands_on(show)
async def correct(request: web.Request) -> web.Response:
    """Correct a list's name, tournament and fee; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form = await form_of(request)
    fee = _fee(request, form)
    new = Correction(form.text("name", 200), form.text("tournament", 200), fee)
    try:
        done = await correct_list(core(request), person, int(request.match_info["list"]), new)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, ListFault):
        told = entry_words(request)(f"list_fault.{done.value}")
        raise Fault(_BESIDE.get(done, done.value), told)
    raise web.HTTPSeeOther(f"/desk/entries#list-{done.id}")


async def _started(
    request: web.Request, person: PersonRow, list_id: int, form: Form
) -> StartedGroup | EntryRefusal:
    """Start the list's next group, or a theme group with its position (§ 6.5.1.1, § 1.1.22)."""
    if form.text("act", 10) == "start":
        return await deeds.start_by_leader(core(request), person, list_id)
    theme = Theme(form.text("fen", 120), is_double=form.is_ticked("double"))
    return await start_theme(core(request), person, list_id, theme)


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Start a list's next group; close or open it, appoint its leader, set how fees are paid."""
    person, _ = await official(request)
    form, e = await form_of(request), entry_words(request)
    list_id, act = int(request.match_info["list"]), form.text("act", 10)
    try:
        if act in ("start", "theme"):
            started = await _started(request, person, list_id, form)
            if isinstance(started, EntryRefusal):
                return await _desk_page(request, e.refused(started), form)
            raise web.HTTPSeeOther("/desk/entries?done=started")
        is_open = {"close": False, "open": True}.get(act)
        leader = form.text("leader", 200) if act == "leader" else ""
        pay = form.text("how_to_pay", LONGEST_PAY) if act == "pay" else None
        if is_open is None and not leader and pay is None:
            if act != "leader":
                raise web.HTTPBadRequest
            raise Fault("leader", e("list_fault.leader"))
        done = await change_list(
            core(request), person, list_id, is_open=is_open, leader=leader, how_to_pay=pay
        )
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, ListFault):
        raise Fault(_BESIDE.get(done, done.value), e(f"list_fault.{done.value}"))
    raise web.HTTPSeeOther("/desk/entries#lists")
