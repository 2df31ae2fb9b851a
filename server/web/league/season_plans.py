"""Next season's divisions on the controller's desk (§ 6.7.5.1).

Not for the rule (kskak.league.composition) or how divisions start (usecases/season/start.py).
"""

from datetime import date

from aiohttp import web

from kskak.game.lawful_days import is_near
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.league.reserving import NothingToDo
from server.usecases.season.composing import (
    NewTeam,
    candidates,
    compose_entered,
    compose_season,
    last_season,
)
from server.usecases.season.plans import answer_grant, plan
from server.usecases.season.start import IN_THE_WAY, CannotStart, plan_findings, start_season
from server.usecases.season.views import captains_of_season, team_desk
from server.web.cases.words import case_words
from server.web.desks.overview import held
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import FORM, form_of
from server.web.frame.pages import page
from server.web.league.team_entry import team_words
from server.web.league.words import LeagueWords

HERE = "/desk/league-plans"
LONGEST = 20_000
_RATINGS = 4
_ANSWERS = ("grant", "refuse")


async def show(request: web.Request) -> web.Response:
    """Last season's teams as of the deadline, and the form."""
    sent, asked = request.get(FORM), request.query.get("deadline", "")
    day = sent.typed("deadline") if sent is not None else asked
    return await _page(request, _deadline(day, _today(request)))


def _today(request: web.Request) -> date:
    return core(request).today(core(request).settings.clock.zone)


def _deadline(text: str, today: date) -> date:
    """The day typed or in the address; today for one that no season can have."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return today
    return day if is_near(day, today) else today


async def _page(request: web.Request, deadline: date, problem: str = "") -> web.Response:
    _, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPNotFound
    season = await last_season(core(request))
    desk = await team_desk(core(request), rights)
    if season is None and not desk.entries:
        raise web.HTTPNotFound
    teams = () if season is None else await candidates(core(request), season, deadline)
    return page(
        request,
        "league/desk_compose.html",
        tw=team_words(request),
        desk=desk,
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        rights=rights,
        season=season,
        deadline=deadline,
        teams=teams,
        problem=problem,
        by_hand=request.path == HERE and request.get(FORM),
    )


def _new_teams(text: str) -> tuple[NewTeam, ...] | None:
    """«Club: 1900 1850 1800 1750», one team per line; None when a line can't be parsed."""
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


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Compose a plan and store it."""
    person, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPForbidden
    form, lw = await form_of(request), LeagueWords(words(request).words)
    season, deadline = await last_season(core(request)), form.day("deadline")
    new = _new_teams(form.text("new", LONGEST))
    keys = [name.removeprefix("team-") for name in form.fields if name.startswith("team-")]
    if season is None or deadline is None or new is None:
        key = "plan.bad_line" if new is None else "plan.bad_day"
        raise Fault("new" if new is None else "deadline", lw(key))
    try:
        number = await compose_season(core(request), person, season, deadline, (keys, new))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch as error:
        if str(error) == "deadline":
            raise Fault("deadline", lw("plan.bad_day")) from None
        return await _page(request, deadline, lw("plan.refused", why=str(error)))
    raise web.HTTPSeeOther(f"/desk/league-plans/{number}")


@stands_on(show)
async def of_entries(request: web.Request) -> web.Response:
    """Compose a plan from the valid team entries, with scores as of the deadline (§ 6.7.5.1)."""
    person, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPForbidden
    form, lw = await form_of(request), LeagueWords(words(request).words)
    deadline = form.day("deadline")
    if deadline is None and form.typed("deadline"):
        raise Fault("deadline", lw("plan.bad_day"))
    try:
        number = await compose_entered(core(request), person, deadline)
    except NoSuch as error:
        if str(error) == "deadline":
            raise Fault("deadline", lw("plan.bad_day")) from None
        known = {"entries": lw("plan.no_entries"), "season": lw("plan.no_season")}
        why = known.get(str(error)) or lw("plan.refused", why=str(error))
        return await _page(request, deadline or _today(request), why)
    raise web.HTTPSeeOther(f"/desk/league-plans/{number}")


async def shown(request: web.Request) -> web.Response:
    """A plan with the reason for each team."""
    return await _shown(request)


async def _shown(request: web.Request, problem: str = "") -> web.Response:
    _, rights = await held(request)
    found = await plan(core(request), int(request.match_info["plan"]))
    leads = rights.is_leader or rights.is_kc or rights.is_admin
    if found is None or not leads:
        raise web.HTTPNotFound
    return page(
        request,
        "league/desk_plan.html",
        status=PROBLEM_STATUS if problem else 200,
        d=case_words(request),
        lw=LeagueWords(words(request).words),
        tw=team_words(request),
        rights=rights,
        plan=found,
        findings=await plan_findings(core(request), found),
        captains=await captains_of_season(core(request), found.row.season),
        problem=problem,
    )


@stands_on(shown)
async def grant(request: web.Request) -> web.Response:
    """Grant or refuse a dispensation, with a reason; a refusal recomposes the plan (§ 6.7.5.1)."""
    person, _ = await held(request)
    form, number = await form_of(request), int(request.match_info["plan"])
    division, reason = form.number("division"), form.text("reason", 2000)
    if not reason:
        raise Fault("reason", case_words(request)("missing.text"))
    stale = Fault("answer", words(request).words("forms.stale"))
    if form.typed("answer") not in _ANSWERS:
        raise stale
    answer = (form.typed("answer") == "grant", reason)
    team = (form.text("club", 120), division or 0)
    try:
        holds = await answer_grant(core(request), person, number, team, answer)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NothingToDo:
        return await _shown(request, LeagueWords(words(request).words)("plan.superseded"))
    except NoSuch as error:
        if str(error) == "plan":
            raise web.HTTPNotFound from None
        raise stale from None
    raise web.HTTPSeeOther(f"/desk/league-plans/{holds}")


async def start(request: web.Request) -> web.Response:
    """Start the plan's divisions (§ 6.7.4.2)."""
    person, _ = await held(request)
    lw, form = LeagueWords(words(request).words), await form_of(request)
    number, live = int(request.match_info["plan"]), form.is_ticked("live")
    try:
        await start_season(core(request), person, number, live=live)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    except CannotStart as error:
        word = str(error)
        said = lw(f"cannot_start.{word}") if word in IN_THE_WAY else lw("plan.refused", why=word)
        return await _shown(request, said)
    raise web.HTTPSeeOther("/desk/league")
