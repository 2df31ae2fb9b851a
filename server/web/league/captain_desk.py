"""The captain's desk: his teams, reserves and reports (§ 6.7.2.2, § 6.7.4.3, § 6.7.6.1).

Not for what the actions do (usecases/league/reserving.py, usecases/league/leading.py).
"""

from aiohttp import web

from kskak.league.reserves import ReserveFault
from kskak.regulation.quantities import Result
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.desks.captain_desk import captain_desk
from server.usecases.league import reserve_pause
from server.usecases.league.leading import report_result
from server.usecases.league.reserving import NothingToDo, ReserveRefused, Wish, ask_reserve
from server.usecases.season.views import enters_for_clubs
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page
from server.web.league.team_words import TeamWords
from server.web.league.words import LeagueWords

LONGEST_NOTE = 2000
_OF_RATING = {ReserveFault.OTHER_RATING, ReserveFault.NO_RATING}


async def show(request: web.Request) -> web.Response:
    """The desk."""
    return await _desk(request)


async def _desk(request: web.Request, problems: tuple[str, ...] = ()) -> web.Response:
    person = signed_in(request)
    found = await captain_desk(core(request), person)
    if not found.teams:
        raise web.HTTPNotFound
    return page(
        request,
        "league/captain_desk.html",
        status=PROBLEM_STATUS if problems else 200,
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        tw=TeamWords(words(request).words),
        desk=found,
        zone=core(request).settings.clock.zone,
        today=core(request).today(core(request).settings.clock.zone).isoformat(),
        problems=problems,
        has_club=await enters_for_clubs(core(request), person),
        results=[result.value for result in Result if result is not Result.BOTH_LOSE],
    )


@stands_on(show)
async def reserve(request: web.Request) -> web.Response:
    """Ask for a reserve, optionally stopping the clock (§ 6.7.4.3)."""
    person, form = signed_in(request), await form_of(request)
    lw, team_id = LeagueWords(words(request).words), int(request.match_info["team"])
    board, rating = form.number("board"), form.number("rating")
    name, email = await _chosen(request, team_id, form)
    told = {"board": board, "name": name, "email": email}
    if missing := next((one for one, has in told.items() if not has), None):
        raise Fault(missing, lw("captain.missing"))
    if form.typed("rating") and rating is None:
        raise Fault("rating", lw("captain.bad_rating"))
    wish = Wish(
        board=board or 0,
        name=" ".join(name.split()),
        email=email,
        rating=rating,
        reason=form.text("reason", LONGEST_NOTE),
        stops_time=form.is_ticked("pause"),
        asks_leave=form.is_ticked("leave"),
    )
    try:
        done = await ask_reserve(core(request), person, team_id, wish)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch as error:
        if str(error) == "team":
            raise web.HTTPNotFound from None
        raise Fault(str(error), lw(f"captain.wrong.{error}")) from None
    except NothingToDo:
        raise Fault("board", lw("captain.nothing")) from None
    if isinstance(done, ReserveRefused):
        problems = tuple(lw.fault(fault) for fault in done.faults)
        if _OF_RATING & set(done.faults):
            raise Fault("rating", " ".join(problems))
        return await _desk(request, problems)
    raise web.HTTPSeeOther(f"/captain#team-{team_id}")


async def _chosen(request: web.Request, team_id: int, form: Form) -> tuple[str, str]:
    """Name and address of the reserve: as typed, else the club's member who was chosen."""
    typed = form.text("name", 120), form.text("email", 200)
    if any(typed) or (wanted := form.number("member")) is None:
        return typed
    desk = await captain_desk(core(request), signed_in(request))
    members = (one for team in desk.teams if team.team.team.id == team_id for one in team.members)
    member = next((one for one in members if one.id == wanted), None)
    if member is None:
        raise Fault("member", LeagueWords(words(request).words)("captain.no_member"))
    return member.name, member.email


async def end_pause(request: web.Request) -> web.Response:
    """Restart the clock before the 14 days are over (§ 6.7.4.3)."""
    person, lw = signed_in(request), LeagueWords(words(request).words)
    try:
        await reserve_pause.end_pause(core(request), person, int(request.match_info["reserve"]))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    except NothingToDo:
        return await _desk(request, (lw("captain.pause_over"),))
    raise web.HTTPSeeOther("/captain")


@stands_on(show)
async def report(request: web.Request) -> web.Response:
    """Report a result to the leader (§ 6.7.4.4, § 6.7.6.1)."""
    person, form = signed_in(request), await form_of(request)
    lw, team_id = LeagueWords(words(request).words), int(request.match_info["team"])
    game, result = form.number("game"), form.text("result", 10)
    if game is None or result not in {one.value for one in Result}:
        raise Fault("result" if game else "game", lw("captain.missing_result"))
    note = form.text("note", LONGEST_NOTE)
    try:
        await report_result(core(request), person, team_id, game, Result(result), note)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    except NothingToDo:
        raise Fault("game", lw("captain.is_over")) from None
    raise web.HTTPSeeOther(f"/captain#team-{team_id}")
