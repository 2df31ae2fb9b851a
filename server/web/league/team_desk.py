"""The leader's desk for team entries: their faults, returning teams, districts (§ 6.7.3-6.7.4.1).

Not for the club's own page (team_entry.py) or composing the divisions (season_plans.py).
"""

from collections.abc import Awaitable, Callable, Iterable

from aiohttp import web

from kskak.league.team_entry import Comeback
from server.store.entries import team_entries as entry_rows
from server.store.entries.team_entries import OPEN_STATES, TeamEntryRow
from server.store.play.people import PersonRow
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, may_handle
from server.usecases.office.rehearsal import Refused
from server.usecases.season import deeds
from server.usecases.season.club_administration import end_admin, name_admin
from server.usecases.season.district_teams import Making, districts_of, make_district_team
from server.usecases.season.entering import TeamRefused
from server.usecases.season.judging import season_of
from server.usecases.season.views import team_desk
from server.web.cases.words import case_words
from server.web.desks.bulk import Deed, Row
from server.web.desks.overview import held
from server.web.entries.received_fees import check_day
from server.web.frame.context import core
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page
from server.web.league.team_entry import team_words

HERE = "/desk/team-entries"
_NOTICES = {"done": "desk.done"}


async def show(request: web.Request) -> web.Response:
    """The desk."""
    return await _page(request)


async def _page(request: web.Request, problems: tuple[str, ...] = ()) -> web.Response:
    _, rights = await held(request)
    try:
        desk = await team_desk(core(request), rights)
    except NoSuch:
        raise web.HTTPNotFound from None
    tw = team_words(request)
    key = _NOTICES.get(request.query.get("done", ""))
    shown = (one.row for one in desk.entries)
    fees = FEES.ticks(_unpaid(row for row in shown if may_handle(rights, row.list_id)))
    return page(
        request,
        "league/desk_teams.html",
        status=PROBLEM_STATUS if problems else 200,
        d=case_words(request),
        tw=tw,
        rights=rights,
        desk=desk,
        fees=fees,
        back=desk.of(Comeback.BACK),
        new=desk.of(Comeback.NEW),
        districts=await districts_of(core(request), rights),
        problems=problems,
        notice=tw(key) if key and not problems else "",
    )


def _unpaid(entries: Iterable[TeamEntryRow]) -> list[Row]:
    lacking = (row for row in entries if row.state in OPEN_STATES and not row.fee_day)
    return [Row(str(row.id), f"{row.club}, {row.list_name}", row.state) for row in lacking]


async def _unpaid_now(request: web.Request) -> list[Row]:
    _, rights = await held(request)
    async with core(request).store.read() as conn:
        season = await season_of(conn, core(request).today(core(request).settings.clock.zone))
        entries = () if season is None else await entry_rows.of_season(conn, season.year)
    return _unpaid(row for row in entries if may_handle(rights, row.list_id))


async def _receive(request: web.Request, row: Row, form: Form) -> None:
    (person, _), on = await held(request), form.day("on")
    assert on is not None
    done = await deeds.record_team_fee(core(request), person, int(row.key), on)
    if isinstance(done, TeamRefused):
        raise Refused(" ".join(team_words(request).findings(done.findings)))


FEES = Deed(
    "team_fees", f"{HERE}/fees", f"{HERE}#entries", show, _unpaid_now, _receive, check_day, ("on",)
)

_BESIDE = {"person": "email", "district": "captain", "why": "reason"}
"""Faults whose field has a different name."""
_Work = Callable[[PersonRow, Rights, Form], Awaitable[object]]


async def _done(request: web.Request, work: _Work, where: str) -> web.Response:
    """Do something, or show a refusal with its paragraphs, or a fault beside its field."""
    person, rights = await held(request)
    form, tw = await form_of(request), team_words(request)
    try:
        done = await work(person, rights, form)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch as error:
        if str(error) in ("entry", "admin"):
            raise web.HTTPNotFound from None
        name = _BESIDE.get(str(error), str(error))
        raise Fault(name, tw(f"wrong.{error}")) from None
    if isinstance(done, TeamRefused):
        return await _page(request, tw.findings(done.findings))
    raise web.HTTPSeeOther(f"{HERE}?done=done#{where}")


@stands_on(show)
async def deed(request: web.Request) -> web.Response:
    """Record a fee, permit a player two clubs, refuse an entry, or withdraw it for the club."""
    entry_id, act = int(request.match_info["entry"]), request.match_info["deed"]
    server = core(request)

    async def work(person: PersonRow, _: Rights, form: Form) -> object:
        reason = form.text("reason", 2000)
        match act:
            case "fee":
                day = form.day("day")
                if day is None:
                    raise NoSuch("day")
                return await deeds.record_team_fee(server, person, entry_id, day)
            case "leave":
                if not reason:
                    raise NoSuch("why")
                player = form.number("player") or 0
                return await deeds.give_leave(server, person, entry_id, player, reason)
            case "refuse":
                paragraph = form.text("paragraph", 20).removeprefix("§").strip()
                if not (reason and paragraph):
                    raise NoSuch("why" if paragraph else "paragraph")
                return await deeds.refuse_team(server, person, entry_id, paragraph, reason)
            case _:
                return await deeds.withdraw_team(server, person, entry_id, official=True)

    return await _done(request, work, f"entry-{entry_id}")


@stands_on(show)
async def make_team(request: web.Request) -> web.Response:
    """Form a team from a district's individual members (§ 6.7.4.1)."""

    async def work(person: PersonRow, _: Rights, form: Form) -> object:
        people = [
            int(name.removeprefix("p-"))
            for name in form.fields
            if name.startswith("p-") and name[2:].isdigit()
        ]
        asked = Making(
            form.number("list") or 0,
            form.number("district") or 0,
            tuple(people),
            form.number("captain") or 0,
            form.number("continues") or None,
        )
        return await make_district_team(core(request), person, asked)

    return await _done(request, work, "entries")


@stands_on(show)
async def admins(request: web.Request) -> web.Response:
    """Appoint a club's administrator, or end an appointment."""

    async def work(person: PersonRow, _: Rights, form: Form) -> object:
        if (row := form.number("end")) is not None:
            await end_admin(core(request), person, row)
        else:
            club, email = form.number("club") or 0, form.text("email", 200)
            await name_admin(core(request), person, club, email)
        return None

    return await _done(request, work, "admins")
