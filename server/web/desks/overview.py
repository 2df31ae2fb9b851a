"""The leader's, the controller's and the Board's desks; appointments and dismissals.

§ 6.1.1-6.1.2, § 6.4.3. 404 for those without such a desk. Not for a single case
(cases/page.py) or held mails (mail_desk.py).
"""

from aiohttp import web

from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as league_rows
from server.store.play import people as person_rows
from server.store.play.offices import Office
from server.store.play.people import PersonRow
from server.usecases.core import offices
from server.usecases.core.offices import NoSuch, NotAllowed, Rights
from server.usecases.desks import overview
from server.usecases.desks.overview import beside
from server.usecases.results.publishing import DutyKind
from server.web.cases.words import case_words
from server.web.desks import leaders_rows
from server.web.desks.bulk import Deed
from server.web.desks.outages import waiting_on
from server.web.desks.words import KcWords
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page


async def held(request: web.Request) -> tuple[PersonRow, Rights]:
    """The signed-in person and his rights."""
    person = signed_in(request)
    return person, await offices.rights(core(request), person)


@one_look
async def leader(request: web.Request) -> web.Response:
    """The leader's desk; other officials are redirected to theirs (§ 6.1.1)."""
    person, rights = await held(request)
    if not (rights.is_leader or rights.is_admin):
        if rights.is_kc:
            raise web.HTTPSeeOther("/desk/kc")
        if rights.is_board:
            raise web.HTTPSeeOther("/desk/board")
        if rights.captain:
            teams = await core(request).store.look(lambda c: league_rows.teams_led(c, person.id))
            raise web.HTTPSeeOther("/captain" if teams else "/")
        raise web.HTTPNotFound
    found = await overview.leader_desk(core(request), rights, everything="all" in request.query)
    zone, d = core(request).settings.clock.zone, case_words(request)
    of_kind = leaders_rows.of_kind
    return page(
        request,
        "desks/overview.html",
        d=d,
        rights=rights,
        desk=found,
        zone=zone,
        now=core(request).now_us,
        silences=SILENCES.ticks(leaders_rows.silences(found.own, rights, d)),
        prizes=PRIZES.ticks(of_kind(DutyKind.PRIZES, found.duties, rights, d)),
        damaged=CARDS.ticks(of_kind(DutyKind.DAMAGED_CARD, found.duties, rights, d)),
        outages=await waiting_on(request, rights),
    )


SILENCES = Deed(
    "silences",
    "/desk/silences",
    "/desk#cases",
    leader,
    leaders_rows.silences_now,
    leaders_rows.rule,
    says=leaders_rows.becomes,
    most=8,
)
PRIZES = Deed(
    "prizes",
    "/desk/prizes",
    "/desk#duties",
    leader,
    leaders_rows.prizes_now,
    leaders_rows.send_prizes,
)
CARDS = Deed(
    "damaged",
    "/desk/damaged",
    "/desk#duties",
    leader,
    leaders_rows.cards_now,
    leaders_rows.have_card,
)


@one_look
async def controller(request: web.Request) -> web.Response:
    """The controller's desk (§ 6.1.2)."""
    _, rights = await held(request)
    if not (rights.is_kc or rights.is_admin):
        raise web.HTTPNotFound
    found = await overview.controller_desk(core(request), rights)
    d = case_words(request)
    return page(
        request,
        "desks/controller.html",
        d=d,
        rights=rights,
        desk=found,
        k=KcWords(words(request).words),
        beside=await beside(core(request)),
        outages=await waiting_on(request, rights),
        zone=core(request).settings.clock.zone,
        now=core(request).now_us,
        offices=[office.value for office in overview.appointable(rights)],
    )


@one_look
async def board(request: web.Request) -> web.Response:
    """The Board's cases (§ 6.4.3)."""
    _, rights = await held(request)
    if not (rights.is_board or rights.is_admin):
        raise web.HTTPNotFound
    cases = await overview.board_desk(core(request), rights)
    zone = core(request).settings.clock.zone
    d = case_words(request)
    return page(
        request,
        "desks/board.html",
        d=d,
        rights=rights,
        cases=cases,
        zone=zone,
        now=core(request).now_us,
    )


@stands_on(controller)
async def appoint(request: web.Request) -> web.Response:
    """Appoint somebody to an office, in a group or everywhere (§ 6.1.1)."""
    person, rights = await held(request)
    form = await form_of(request)
    name = form.text("office", 10)
    if name not in {office.value for office in overview.appointable(rights)}:
        raise web.HTTPForbidden
    async with core(request).store.read() as conn:
        chosen = await person_rows.by_email(conn, form.text("email", 200))
        group_name = form.text("group", 200)
        group = await group_rows.by_name(conn, group_name) if group_name else None
    if chosen is None:
        raise Fault("email", case_words(request)("appoint.no_person"))
    if group_name and group is None:
        raise Fault("group", case_words(request)("appoint.no_group"))
    where = None if group is None else group.id
    try:
        await offices.appoint(core(request), person, chosen.id, Office(name), where)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise Fault("group", case_words(request)("appoint.wrong_group")) from None
    raise web.HTTPSeeOther("/desk/kc#offices")


async def dismiss(request: web.Request) -> web.Response:
    """End an appointment."""
    person, _ = await held(request)
    try:
        await offices.dismiss(core(request), person, int(request.match_info["office"]))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther("/desk/kc#offices")
