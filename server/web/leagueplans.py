"""Next season's divisions on the controller's desk (§ 6.7.5.1).

Not for the rule (kskak.compose) nor for starting divisions.
"""

from datetime import date

from aiohttp import web

from server.usecases.league_season import (
    NewTeam,
    answer_grant,
    candidates,
    compose_season,
    last_season,
    plan,
)
from server.usecases.offices import NoSuch, NotAllowed
from server.web.context import core, words
from server.web.desks import PROBLEM_STATUS, case_words, held
from server.web.forms import Form, form_of
from server.web.leaguewords import LeagueWords
from server.web.pages import page

LONGEST = 20_000
_RATINGS = 4


async def show(request: web.Request) -> web.Response:
    """The teams of the last season as they stand on the deadline, and the form."""
    return await _page(request, _deadline(request.query.get("deadline", ""), _today(request)))


def _today(request: web.Request) -> date:
    return core(request).today(core(request).settings.clock.zone)


def _deadline(text: str, otherwise: date) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return otherwise


async def _page(
    request: web.Request, deadline: date, problem: str = "", typed: Form | None = None
) -> web.Response:
    _, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPNotFound
    season = await last_season(core(request))
    if season is None:
        raise web.HTTPNotFound
    return page(
        request,
        "desk_compose.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        rights=rights,
        season=season,
        deadline=deadline,
        teams=await candidates(core(request), season, deadline),
        problem=problem,
        typed=typed.text("new", LONGEST) if typed else "",
    )


def _new_teams(text: str) -> tuple[NewTeam, ...] | None:
    """«Club: 1900 1850 1800 1750», a team a line; None when a line can't be read."""
    found: list[NewTeam] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        club, _, rest = line.rpartition(":")
        numbers = rest.replace(",", " ").split()
        if not club.strip() or len(numbers) != _RATINGS:
            return None
        if not all(number.isascii() and number.isdigit() for number in numbers):
            return None
        found.append(NewTeam(club.strip(), tuple(int(number) for number in numbers)))
    return tuple(found)


async def do(request: web.Request) -> web.Response:
    """Compose and keep."""
    person, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPForbidden
    form, lw = await form_of(request), LeagueWords(words(request).words)
    season, deadline = await last_season(core(request)), form.day("deadline")
    new = _new_teams(form.text("new", LONGEST))
    keys = [name.removeprefix("team-") for name in form.fields if name.startswith("team-")]
    if season is None or deadline is None or new is None:
        key = "plan.bad_line" if new is None else "plan.bad_day"
        return await _page(request, deadline or _today(request), lw(key), form)
    try:
        number = await compose_season(core(request), person, season, deadline, (keys, new))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch as error:
        return await _page(request, deadline, lw("plan.refused", why=str(error)), form)
    raise web.HTTPSeeOther(f"/desk/league-plans/{number}")


async def shown(request: web.Request) -> web.Response:
    """A plan with the reason for each team."""
    _, rights = await held(request)
    found = await plan(core(request), int(request.match_info["plan"]))
    if found is None or not (rights.is_kc or rights.is_admin or rights.leads_all or rights.led):
        raise web.HTTPNotFound
    return page(
        request,
        "desk_plan.html",
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        rights=rights,
        plan=found,
    )


async def grant(request: web.Request) -> web.Response:
    """Answer a dispensation, with the reason (§ 6.7.5.1)."""
    person, _ = await held(request)
    form, number = await form_of(request), int(request.match_info["plan"])
    division, reason = form.number("division"), form.text("reason", 2000)
    if not division or not reason:
        raise web.HTTPBadRequest
    answer = (form.text("answer", 10) == "grant", reason)
    try:
        await answer_grant(
            core(request), person, number, (form.text("club", 120), division), answer
        )
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(f"/desk/league-plans/{number}")
