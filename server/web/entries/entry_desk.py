"""The entry desk: pending entries, waiting lists, one entry, its fee, a player's record."""

from collections.abc import Iterable
from fractions import Fraction

from aiohttp import web

from kskak.entries.entry import EntryRefusal, EntryState, discretion_for
from kskak.regulation.editions import Regulation
from server.store import player_entries as entry_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import EntryRow
from server.usecases.entries import entry_actions
from server.usecases.entries import entry_judging as judging
from server.usecases.entries import entry_views as views
from server.usecases.entries.entry_judging import EVENTS, PastResultInput, ResultFault, read_wish
from server.usecases.entries.next_group import Theme, start_theme
from server.usecases.entries.player_entering import (
    LONGEST_PAY,
    Correction,
    EntryListRequest,
    EntryRequest,
    ListFault,
    change_list,
    correct_list,
    enter,
    open_list,
)
from server.usecases.groups.group_file import StartedGroup
from server.usecases.office.year import ActionRefusedError
from server.usecases.rights import NoSuch, Rights
from server.web.cases.case_texts import load_case_words
from server.web.desks.bulk_actions import BulkAction, BulkItem
from server.web.desks.desk_pages import require_rights
from server.web.entries.entry_pages import EntryForm, load_entry_words
from server.web.frame.context import core, get_words, read_only_page
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.pages import new_key, page

# Fees received for several entries in one go, from the entry desk (§ 6.4.4.1).


def unpaid(rows: Iterable[EntryRow], person_id: int) -> list[BulkItem]:
    """The waiting entries whose fee is missing; nobody handles his own."""
    return [
        BulkItem(str(row.id), f"{row.player}, {row.list_name}", f"{row.state} {row.entered_day}")
        for row in rows
        if row.state == EntryState.WAITING and not row.fee_day and row.person_id != person_id
    ]


async def unpaid_now(request: web.Request) -> list[BulkItem]:
    """The same for the viewer, as it is now; nothing for who only reads the desk."""
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.lists):
        return []
    mine = None if rights.is_kc else rights.lists
    async with core(request).store.read() as conn:
        rows = await entry_rows.on_lists(conn, mine, [EntryState.WAITING.value])
    return unpaid(rows, person.id)


async def receive(request: web.Request, row: BulkItem, form: Form) -> None:
    """Record one fee, as on the entry's own page."""
    (person, _), on = await require_rights(request), form.day("on")
    assert on is not None
    done = await entry_actions.record_fee(core(request), person, int(row.key), on)
    if isinstance(done, EntryRefusal):
        raise ActionRefusedError(" ".join(load_entry_words(request).refused(done)))


def check_day(request: web.Request, form: Form) -> None:
    """Raise Fault unless the day on which the fees came can be read, and is not to come."""
    on = form.day("on")
    if on is None or on > core(request).today(core(request).settings.clock.zone):
        raise FormFault("on", get_words(request).words("bulk.bad_day"))


# The entry desk: pending entries, waiting lists, entering a player (§ 6.4.4, § 6.1.2).

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
CLASS_CHOICES = (
    *(f"emt {name}" for name in ("DM", "M", "K", "Å")),
    *("cup preliminary", "cup semi", "league league", "theme theme"),
)
"""What a list may be for, as named in the form."""


async def official(request: web.Request) -> tuple[PersonRow, Rights]:
    """The official and his rights; 404 for everybody else."""
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.is_leader or rights.is_admin):
        raise web.HTTPNotFound
    return person, rights


@read_only_page
async def show_desk(request: web.Request) -> web.Response:
    """The desk."""
    return await _desk_page(request)


async def _desk_page(
    request: web.Request, problems: tuple[str, ...] = (), typed: Form | None = None
) -> web.Response:
    person, rights = await official(request)
    key = _NOTICES.get(request.query.get("done", ""))
    sent = typed or Form({})
    e, desk = load_entry_words(request), await views.entry_desk(core(request), rights)
    waiting = [one.row for one in desk.waiting] if rights.is_kc or rights.lists else []
    return page(
        request,
        "entries/desk.html",
        status=PROBLEM_STATUS if problems else 200,
        d=load_case_words(request),
        e=e,
        rights=rights,
        desk=desk,
        fees=FEES.ticks(unpaid(waiting, person.id)),
        today=core(request).today(core(request).settings.clock.zone),
        problems=problems,
        notice=e(key) if key and not problems else "",
        typed=EntryForm.of(typed).fields,
        opening={name: sent.typed(name) for name in _LIST_FIELDS},
        wishes=CLASS_CHOICES,
        regulations=[one.value for one in Regulation],
        key=new_key(),
        theme_list=int(request.match_info.get("list", 0)) if "fen" in sent.fields else 0,
        theme_fen=sent.typed("fen"),
    )


FEES = BulkAction(
    "fees",
    "/desk/entries/fees",
    "/desk/entries#waiting",
    show_desk,
    unpaid_now,
    receive,
    check_day,
    ("on",),
)


@stands_on(show_desk)
async def enter_player(request: web.Request) -> web.Response:
    """Enter a player who wrote or paid (§ 6.4.4.1)."""
    person, _ = await official(request)
    form = await form_of(request)
    typed, e = EntryForm.of(form), load_entry_words(request)
    problem = typed.problem(core(request).today(core(request).settings.clock.zone))
    if problem is not None:
        raise FormFault(problem[0], e(f"enter.{problem[1]}"))
    async with core(request).store.read() as conn:
        player = await person_rows.by_email(conn, typed.fields["email"])
    if player is None:
        raise FormFault("email", e("desk.no_person"))
    asked = EntryRequest(
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
    except NoSuch:
        raise FormFault("list", e("enter.bad_list")) from None
    if isinstance(done, EntryRefusal):
        return await _desk_page(request, e.refused(done), form)
    raise web.HTTPSeeOther(f"/desk/entries/{done.id}?done=done")


@stands_on(show_desk)
async def add_list(request: web.Request) -> web.Response:
    """Open a list; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form, e = await form_of(request), load_entry_words(request)
    event, _, wish = form.text("wish", 30).partition(" ")
    fee = _fee(request, form)
    try:
        asked = EntryListRequest(
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
    except ValueError:
        raise web.HTTPBadRequest from None
    if isinstance(done, ListFault):
        raise FormFault(_BESIDE.get(done, done.value), e(f"list_fault.{done.value}"))
    raise web.HTTPSeeOther("/desk/entries#lists")


def _fee(request: web.Request, form: Form) -> int | None:
    """The fee in øre, from whole kroner; None where nothing is written. Raises Fault."""
    fee = form.number("fee_kr")
    if form.text("fee_kr", 10) and fee is None:
        raise FormFault("fee_kr", load_entry_words(request)(f"list_fault.{ListFault.FEE.value}"))
    return None if fee is None else fee * ORE


@stands_on(show_desk)
async def correct(request: web.Request) -> web.Response:
    """Correct a list's name, tournament and fee; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form = await form_of(request)
    fee = _fee(request, form)
    new = Correction(form.text("name", 200), form.text("tournament", 200), fee)
    done = await correct_list(core(request), person, int(request.match_info["list"]), new)
    if isinstance(done, ListFault):
        told = load_entry_words(request)(f"list_fault.{done.value}")
        raise FormFault(_BESIDE.get(done, done.value), told)
    raise web.HTTPSeeOther(f"/desk/entries#list-{done.id}")


async def _started(
    request: web.Request, person: PersonRow, list_id: int, form: Form
) -> StartedGroup | EntryRefusal:
    """Start the list's next group, or a theme group with its position (§ 6.5.1.1, § 1.1.22)."""
    if form.text("act", 10) == "start":
        return await entry_actions.start_by_leader(core(request), person, list_id)
    theme = Theme(form.text("fen", 120), is_double=form.is_ticked("double"))
    return await start_theme(core(request), person, list_id, theme)


@stands_on(show_desk)
async def change(request: web.Request) -> web.Response:
    """Start a list's next group; close or open it, appoint its leader, set how fees are paid."""
    person, _ = await official(request)
    form, e = await form_of(request), load_entry_words(request)
    list_id, act = int(request.match_info["list"]), form.text("act", 10)
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
        raise FormFault("leader", e("list_fault.leader"))
    done = await change_list(
        core(request), person, list_id, is_open=is_open, leader=leader, how_to_pay=pay
    )
    if isinstance(done, ListFault):
        raise FormFault(_BESIDE.get(done, done.value), e(f"list_fault.{done.value}"))
    raise web.HTTPSeeOther("/desk/entries#lists")


# One entry on the desk: its contents and faults; fee, proof, discretion, refusal (§ 6.4.4).

LONGEST, LONGEST_NUMBER = 4000, 40


async def show(
    request: web.Request, problems: tuple[str, ...] = (), typed: Form | None = None
) -> web.Response:
    """The entry."""
    person, rights = await official(request)
    found = await views.entry_page(core(request), person, int(request.match_info["entry"]))
    row, sent = found.view.row, typed or Form({})
    e = load_entry_words(request)
    return page(
        request,
        "entries/entry_desk.html",
        status=PROBLEM_STATUS if problems else 200,
        d=load_case_words(request),
        e=e,
        rights=rights,
        found=found,
        row=row,
        is_open=row.state in ("waiting", "valid"),
        discretion=discretion_for(read_wish(row.event, row.wish)),
        today=core(request).today(core(request).settings.clock.zone),
        typed={name: sent.typed(name) for name in ("on", "reason", "paragraph")},
        problems=problems,
        notice=e("desk.done") if request.query.get("done") and not problems else "",
    )


def _check(request: web.Request, form: Form) -> None:
    """Raise Fault for what the action needs and the form lacks."""
    e, deed = load_entry_words(request), request.match_info["deed"]
    if deed == "fee" and form.day("on") is None:
        raise FormFault("on", e("enter.bad_date"))
    number = form.typed("number")
    if deed == "number" and not (0 < len(number) <= LONGEST_NUMBER and number.isprintable()):
        raise FormFault("number", e("one.bad_number"))
    if deed in ("discretion", "refuse") and not form.text("reason", LONGEST):
        raise FormFault("reason", e("one.no_reason"))
    if deed == "refuse" and not _paragraph(form):
        raise FormFault("paragraph", e("one.no_paragraph"))


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
    match deed:
        case "fee":
            on = form.day("on")
            assert on is not None
            done = await entry_actions.record_fee(asked, person, entry_id, on)
        case "proof":
            done = await entry_actions.see_proof(asked, person, entry_id)
        case "number":
            done = await entry_actions.confirm_number(asked, person, entry_id, form.typed("number"))
        case "discretion":
            done = await entry_actions.let_in(asked, person, entry_id, reason)
        case "refuse":
            done = await entry_actions.refuse(asked, person, entry_id, _paragraph(form), reason)
        case "withdraw":
            done = await entry_actions.withdraw(asked, person, entry_id)
        case _:
            raise web.HTTPNotFound
    if isinstance(done, EntryRefusal):
        return await show(request, load_entry_words(request).refused(done), form)
    raise web.HTTPSeeOther(f"/desk/entries/{entry_id}?done=done")


# A player's classes and results, as seen and maintained by officials (§ 6.5.3.2, § 6.6.2).

_RECORD_PARTS = {ResultFault.SCORE: "points", ResultFault.TWICE: "name"}
"""Faults whose field has a different name."""
FIELDS = (
    *("event", "name", "finished", "points", "games", "unfinished", "place", "entries"),
    *("semi_held", "source"),
)


async def find_player(request: web.Request) -> web.Response:
    """Redirect from an e-mail address to the player's page."""
    await official(request)
    async with core(request).store.read() as conn:
        found = await person_rows.by_email(conn, request.query.get("email", "")[:200])
    if found is None:
        raise web.HTTPNotFound
    raise web.HTTPSeeOther(f"/desk/players/{found.id}")


async def show_player_record(
    request: web.Request, problem: str = "", typed: Form | None = None
) -> web.Response:
    """The player's classes, what they are based on, and the form for a result."""
    person, rights = await official(request)
    number = int(request.match_info["person"])
    view = await views.classes_view(core(request), person, number)
    sent, e = typed or Form({"semi_held": "1"}), load_entry_words(request)
    return page(
        request,
        "entries/player_record.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        e=e,
        rights=rights,
        view=view,
        may_enter=judging.may_enter(rights) and number != person.id,
        choices=[(event, wish) for event, wishes in EVENTS.items() for wish in wishes],
        typed={name: sent.typed(name) for name in FIELDS},
        problem=problem,
        notice=e("result.kept") if request.query.get("done") and not problem else "",
    )


@stands_on(show_player_record)
async def add(request: web.Request) -> web.Response:
    """Store a result, or say what is wrong with it."""
    person, _ = await official(request)
    form, e = await form_of(request), load_entry_words(request)
    number = int(request.match_info["person"])
    told = _entered(form)
    if isinstance(told, ResultFault):
        raise FormFault(_RECORD_PARTS.get(told, told.value), e(f"result_fault.{told.value}"))
    done = await judging.add_result(core(request), person, number, told)
    if isinstance(done, ResultFault):
        raise FormFault(_RECORD_PARTS.get(done, done.value), e(f"result_fault.{done.value}"))
    raise web.HTTPSeeOther(f"/desk/players/{number}?done=1#record")


def _halves(text: str) -> int | None:
    """Half points from «4½», «4,5» or «4.5»; None for anything else."""
    plain = text.replace("½", ".5").replace(",", ".")
    if not plain.isascii() or len(plain) > 8 or not plain.replace(".", "", 1).isdigit():
        return None
    doubled = Fraction(f"0{plain}" if plain.startswith(".") else plain.rstrip(".")) * 2
    return int(doubled) if doubled.denominator == 1 else None


def _entered(form: Form) -> PastResultInput | ResultFault:
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
    return PastResultInput(
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
    await judging.remove_result(core(request), person, number, result)
    raise web.HTTPSeeOther(f"/desk/players/{number}#record")
