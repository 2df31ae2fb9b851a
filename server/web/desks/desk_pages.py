"""The leader's, the controller's and the Board's desks; appointments; outages and their pauses."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store.engine.rows import from_us
from server.store.mail.outages import DECLINED, GRANTED, MAIL, PauseRow
from server.store.play import people as person_rows
from server.store.play.people import Office, PersonRow
from server.usecases import rights as offices
from server.usecases.desks import desk_overview as overview
from server.usecases.desks.desk_overview import load_controller_overview
from server.usecases.reflection import silence_and_outages
from server.usecases.reflection.silence_and_outages import MOST_DAYS, SERVER
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import NoSuch, NotAllowed, Rights
from server.web.cases.case_texts import load_case_words
from server.web.desks import bulk_actions as bulk
from server.web.desks.books import KcWords
from server.web.desks.bulk_actions import BulkAction
from server.web.frame.context import PageRoutes, core, get_words, read_only_page, signed_in
from server.web.frame.forms import Form, FormFault, form_of, stands_on
from server.web.frame.pages import page

routes = PageRoutes()

# Outages on the desks: proposed pauses, granted or declined; one entered by hand (§ 6.8.5).

PAGE = "/desk/outages"
MOST_WORD = 500


@dataclass(frozen=True, slots=True)
class OutageLines:
    """An outage with the pauses that wait; ``own``: those on which the viewer may decide."""

    id: int
    reason: str
    first: datetime
    last: datetime
    rows: tuple[PauseRow, ...]
    own: tuple[PauseRow, ...]

    @property
    def times(self) -> tuple[str, str]:
        """When it began and ended, beside the days."""
        return f"{self.first:%H.%M}", f"{self.last:%H.%M}"


def lines_of(found: Iterable[PauseRow], held: Rights, zone: str) -> tuple[OutageLines, ...]:
    """What waits, by outage, newest first, its instants in ``zone``."""
    here, out = ZoneInfo(zone), []
    waiting = [row for row in found if row.decision is None]
    for number, some in groupby(waiting, attrgetter("outage_id")):
        rows = tuple(some)
        one, own = rows[0], tuple(row for row in rows if held.speaks_for(row.group_id))
        first, last = (from_us(at).astimezone(here) for at in (one.from_us, one.to_us))
        reason = MAIL if one.is_mail else SERVER
        out.append(OutageLines(number, reason, first, last, rows, own))
    return tuple(out)


async def waiting_on(request: web.Request, held: Rights) -> tuple[OutageLines, ...]:
    """The proposals that a desk shows."""
    found = await silence_and_outages.proposals(core(request), held)
    return lines_of(found, held, core(request).settings.clock.zone)


async def _held(request: web.Request) -> Rights:
    _, held = await require_rights(request)
    if not silence_and_outages.has_part(held):
        raise web.HTTPNotFound
    return held


@routes.get(PAGE)
@read_only_page
async def show(request: web.Request) -> web.Response:
    """What waits, what was decided lately, and the form for one entered by hand."""
    held, zone = await _held(request), core(request).settings.clock.zone
    found = await silence_and_outages.proposals(core(request), held, decided=True)
    lines = lines_of(found, held, zone)
    decided = [row for row in found if row.decision is not None]
    return desk_page(request, "desks/outages.html", held, lines=lines, decided=decided)


@routes.post(rf"{PAGE}/{{outage:\d{{1,18}}}}")
@stands_on(show)
async def decide_outage(request: web.Request) -> web.Response:
    """Grant or decline, in a group or in all that are the viewer's."""
    await _held(request)
    form = await form_of(request)
    decision, word, group = (form.text(n, MOST_WORD) for n in ("decision", "word", "group"))
    if decision not in (GRANTED, DECLINED):
        raise web.HTTPBadRequest
    if decision == DECLINED and not word:
        raise FormFault("word", get_words(request).words("outages.fault.word"))
    chosen = (group,) if group else None
    outage, by = int(request.match_info["outage"]), signed_in(request)
    await silence_and_outages.decide_pauses(core(request), by, outage, decision, word, chosen)
    raise web.HTTPSeeOther(PAGE)


@routes.post(PAGE)
@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Record an outage that the server did not notice, and propose its pause."""
    await _held(request)
    form, said = await form_of(request), get_words(request).words
    first, last = _instant(request, form, "first"), _instant(request, form, "last")
    group = form.text("group", 200)
    reason = MAIL if form.text("what", 10) == MAIL else SERVER
    if why := silence_and_outages.find_outage_fault(first, last, core(request).clock.now()):
        at = "first" if why == "too_long" else "last"
        raise FormFault(at, said(f"outages.fault.{why}", most=MOST_DAYS))
    try:
        count = await silence_and_outages.record_manual_outage(
            core(request), signed_in(request), first, last, reason, (group,) if group else None
        )
    except (NoSuch, NotAllowed):
        raise FormFault("group", said("outages.fault.no_group", group=group)) from None
    if not count:
        raise FormFault("last", said("outages.fault.no_day"))
    raise web.HTTPSeeOther(PAGE)


def _instant(request: web.Request, form: Form, name: str) -> datetime:
    """A field's instant in the server's zone. Raises Fault."""
    here = ZoneInfo(core(request).settings.clock.zone)
    now = core(request).clock.now().astimezone(here)
    try:
        found = datetime.fromisoformat(form.text(name, 40))
    except ValueError:
        example = (now - timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
        why = get_words(request).words("outages.fault.instant", example=example)
        raise FormFault(name, why) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=here)


# The leader's, the controller's and the Board's desks; appointments and dismissals.


async def require_rights(request: web.Request) -> tuple[PersonRow, Rights]:
    """The signed-in person and his rights."""
    person = signed_in(request)
    return person, await offices.rights(core(request), person)


def desk_page(request: web.Request, template: str, held: Rights, **values: Any) -> web.Response:
    """A desk's page, with what all of them have."""
    d, at = load_case_words(request), core(request)
    zone = at.settings.clock.zone
    return page(request, template, d=d, rights=held, zone=zone, now=at.now_us, **values)


@routes.get("/desk")
@read_only_page
async def leader(request: web.Request) -> web.Response:
    """The leader's desk; other officials are redirected to theirs (§ 6.1.1)."""
    person, rights = await require_rights(request)
    if not (rights.is_leader or rights.is_admin):
        if rights.is_kc:
            raise web.HTTPSeeOther("/desk/kc")
        if rights.is_board:
            raise web.HTTPSeeOther("/desk/board")
        if rights.captain:
            teams = await core(request).store.look(
                lambda c: division_rows.list_teams_of_captain(c, person.id)
            )
            raise web.HTTPSeeOther("/captain" if teams else "/")
        raise web.HTTPNotFound
    found = await overview.leader_desk(core(request), rights, everything="all" in request.query)
    d, of_kind = load_case_words(request), bulk.list_duty_items
    return desk_page(
        request,
        "desks/overview.html",
        rights,
        desk=found,
        silences=SILENCES.ticks(bulk.silences(found.own, rights, d)),
        prizes=PRIZES.ticks(of_kind(DutyKind.PRIZES, found.duties, rights, d)),
        damaged=CARDS.ticks(of_kind(DutyKind.DAMAGED_CARD, found.duties, rights, d)),
        outages=await waiting_on(request, rights),
    )


SILENCES = BulkAction(
    "silences",
    "/desk/silences",
    "/desk#cases",
    leader,
    bulk.silences_now,
    bulk.rule,
    says=bulk.becomes,
    most=8,
)
PRIZES = BulkAction(
    "prizes", "/desk/prizes", "/desk#duties", leader, bulk.prizes_now, bulk.send_prizes
)
CARDS = BulkAction(
    "damaged", "/desk/damaged", "/desk#duties", leader, bulk.cards_now, bulk.have_card
)


@routes.get("/desk/kc")
@read_only_page
async def controller(request: web.Request) -> web.Response:
    """The controller's desk (§ 6.1.2)."""
    _, rights = await require_rights(request)
    if not (rights.is_kc or rights.is_admin):
        raise web.HTTPNotFound
    return desk_page(
        request,
        "desks/controller.html",
        rights,
        desk=await overview.controller_desk(core(request), rights),
        k=KcWords(get_words(request).words),
        beside=await load_controller_overview(core(request)),
        outages=await waiting_on(request, rights),
        offices=[office.value for office in overview.appointable(rights)],
    )


@routes.get("/desk/board")
@read_only_page
async def board(request: web.Request) -> web.Response:
    """The Board's cases (§ 6.4.3)."""
    _, rights = await require_rights(request)
    if not (rights.is_board or rights.is_admin):
        raise web.HTTPNotFound
    cases = await overview.board_desk(core(request), rights)
    return desk_page(request, "desks/board.html", rights, cases=cases)


@routes.post("/desk/kc/offices")
@stands_on(controller)
async def appoint(request: web.Request) -> web.Response:
    """Appoint somebody to an office, in a group or everywhere (§ 6.1.1)."""
    person, rights = await require_rights(request)
    form = await form_of(request)
    name = form.text("office", 10)
    if name not in {office.value for office in overview.appointable(rights)}:
        raise web.HTTPForbidden
    async with core(request).store.read() as conn:
        chosen = await person_rows.by_email(conn, form.text("email", 200))
        group_name = form.text("group", 200)
        group = await group_rows.by_name(conn, group_name) if group_name else None
    if chosen is None:
        raise FormFault("email", load_case_words(request)("appoint.no_person"))
    if group_name and group is None:
        raise FormFault("group", load_case_words(request)("appoint.no_group"))
    where = None if group is None else group.id
    try:
        await offices.appoint(core(request), person, chosen.id, Office(name), where)
    except NoSuch:
        raise FormFault("group", load_case_words(request)("appoint.wrong_group")) from None
    raise web.HTTPSeeOther("/desk/kc#offices")


@routes.post(r"/desk/kc/offices/{office:\d{1,18}}")
async def dismiss(request: web.Request) -> web.Response:
    """End an appointment."""
    person, _ = await require_rights(request)
    await offices.dismiss(core(request), person, int(request.match_info["office"]))
    raise web.HTTPSeeOther("/desk/kc#offices")


SILENCES.add_to(routes)
PRIZES.add_to(routes)
CARDS.add_to(routes)
