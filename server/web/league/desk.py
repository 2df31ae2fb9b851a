"""The leader's and the controller's league desk: reserves, line-ups, lots (§ 6.7).

Not for next season (season_plans.py) or what the actions do (usecases).
"""

from urllib.parse import quote

from aiohttp import web

from kskak.league.reserves import BY_LEAVE
from server.store.groups.groups_and_seats import GroupRow
from server.store.play.people import PersonRow
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.offices import NoSuch, NotAllowed, Rights
from server.usecases.league import leading as league_leading
from server.usecases.league.desks import DivisionDesk, division_desk, league_duties
from server.usecases.league.reserve_deciding import decide_reserve
from server.usecases.league.reserve_facts import known_of
from server.usecases.league.reserving import NothingToDo, ReserveRefused
from server.usecases.league.views import DivisionView, division_view, seasons
from server.usecases.season.plans import plans
from server.usecases.season.views import has_entries
from server.web.cases.words import case_words
from server.web.desks.overview import held
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page
from server.web.league.words import LeagueWords

LONGEST = 2000
_BESIDE = {"players": "board-1", "captain": "email"}
"""Faults whose field has a different name."""


async def overview(request: web.Request) -> web.Response:
    """Every division, pending duties, and next season's plans."""
    _, rights = await held(request)
    own = await league_duties(core(request), rights)
    if own is None:
        raise web.HTTPNotFound
    return page(
        request,
        "league/desk.html",
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        rights=rights,
        duties=own,
        seasons=await seasons(core(request)),
        has_entries=await has_entries(core(request)),
        plans=await plans(core(request)) if rights.is_kc or rights.is_admin else (),
        zone=core(request).settings.clock.zone,
    )


async def _led(request: web.Request) -> tuple[PersonRow, Rights, DivisionView]:
    """The division in the address, for those who may act in it; 404 for everybody else."""
    person, rights = await held(request)
    view = await division_view(core(request), request.match_info["name"])
    if view is None or not rights.speaks_for(view.group.id):
        raise web.HTTPNotFound
    return person, rights, view


async def show(request: web.Request) -> web.Response:
    """A division's desk."""
    return await _page(request)


async def _page(request: web.Request, *problems: str) -> web.Response:
    _, rights, view = await _led(request)
    found: DivisionDesk = await division_desk(core(request), view)
    return page(
        request,
        "league/desk_division.html",
        status=PROBLEM_STATUS if problems else 200,
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        rights=rights,
        view=view,
        desk=found,
        zone=view.group.zone,
        problems=problems,
        known_of=lambda row: known_of(row, core(request).today(view.group.zone)),
    )


def _back(group: GroupRow, where: str) -> web.HTTPSeeOther:
    return web.HTTPSeeOther(f"/desk/league/{quote(group.name)}#{where}")


@stands_on(show)
async def decide(request: web.Request) -> web.Response:
    """Approve or refuse a reserve (§ 6.7.4.3)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), LeagueWords(words(request).words)
    approves, note = form.typed("answer") == "approve", form.text("note", LONGEST)
    if form.typed("answer") not in ("approve", "refuse"):
        raise Fault("answer", words(request).words("forms.stale"))
    number, despite = int(request.match_info["reserve"]), form.is_ticked("despite")
    try:
        done = await decide_reserve(core(request), person, number, approves, note, despite=despite)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    except NothingToDo:
        return await _page(request, lw("desk.decided"))
    if isinstance(done, ReserveRefused):
        leave = () if set(done.faults) - BY_LEAVE else (lw("desk.needs_leave"),)
        return await _page(request, *(lw.fault(fault) for fault in done.faults), *leave)
    raise _back(view.group, "reserves")


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Change the board order or the captain (§ 6.7.2.1-6.7.2.2)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), LeagueWords(words(request).words)
    team_id, reason = int(request.match_info["team"]), form.text("reason", LONGEST)
    if team_id not in {team.team.id for team in view.teams}:
        raise web.HTTPNotFound
    if not reason:
        raise Fault("reason", lw("desk.no_reason"))
    try:
        await _changed(request, person, team_id, form)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except HasBegun:
        return await _page(request, lw("desk.begun"))
    except NoSuch as error:
        raise Fault(_BESIDE.get(str(error), str(error)), lw(f"desk.wrong.{error}")) from None
    except NothingToDo:
        return await _page(request, lw("desk.nothing"))
    raise _back(view.group, f"team-{team_id}")


async def _changed(request: web.Request, person: PersonRow, team_id: int, form: Form) -> None:
    reason = form.text("reason", LONGEST)
    if form.text("what", 10) == "captain":
        email = form.text("email", 200)
        await league_leading.name_captain(core(request), person, team_id, email, reason)
        return
    order = [form.number(f"board-{board}") or 0 for board in range(1, 5)]
    await league_leading.change_order(core(request), person, team_id, order, reason)


async def lots(request: web.Request) -> web.Response:
    """Draw lots for places (§ 6.7.4.5)."""
    person, _, view = await _led(request)
    lw = LeagueWords(words(request).words)
    try:
        await league_leading.draw_places(core(request), person, view.group.id)
    except NothingToDo:
        return await _page(request, lw("desk.no_lots"))
    raise _back(view.group, "table")


@stands_on(show)
async def stronger(request: web.Request) -> web.Response:
    """Set how much stronger a reserve may be here (§ 6.7.4.3)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), LeagueWords(words(request).words)
    points = form.number("points")
    try:
        await league_leading.set_stronger_by(
            core(request), person, view.group.id, -1 if points is None else points
        )
    except NoSuch:
        raise Fault("points", lw("desk.wrong.points")) from None
    raise _back(view.group, "reserves")
