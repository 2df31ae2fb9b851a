"""The league's pages: public tables, the captain's and the leader's desk, next season's plans."""

from collections.abc import Awaitable, Sequence
from datetime import date
from urllib.parse import quote

from aiohttp import web

from kskak.game.game_commands import is_near
from kskak.groups.crosstables import CrossCell, CrossRow
from kskak.league.lineups import BY_LEAVE, LineupFault, ReserveFault, ReserveRecord
from kskak.regulation.editions import LEAGUE, Result
from kskak.values import whole_number
from mail.office_letters.league_letters import entered_text
from mail.text.catalogue import halves
from mail.text.explanations import explain_separation, reason_text, way_text
from server.store import groups as group_rows
from server.store.divisions import LeagueGameRow
from server.store.groups import GroupRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.context import today_of
from server.usecases.league import divisions
from server.usecases.league import reserves as league_reserves
from server.usecases.league.divisions import (
    DivisionDesk,
    DivisionView,
    division_desk,
    division_view,
    league_duties,
    points_in,
    report_result,
    seasons,
)
from server.usecases.league.reserves import (
    NothingToDo,
    ReserveInput,
    ReserveRefused,
    ask_reserve,
    decide_reserve,
    known_of,
)
from server.usecases.play.game_views import may_see
from server.usecases.rights import NoSuch, Rights, rights
from server.usecases.season.composing import (
    answer_grant,
    candidates,
    compose_open_season,
    compose_season,
    last_season,
    plan,
    plans,
)
from server.usecases.season.season_start import CannotStart, plan_findings, start_season
from server.usecases.season.season_views import (
    captain_desk,
    captains_of_season,
    enters_for_clubs,
    team_desk,
)
from server.web.cases.case_texts import load_case_words
from server.web.desks.desk_pages import require_rights
from server.web.frame.context import (
    PageRoutes,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import FORM, PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import page
from server.web.groups.group_pages import beginning, build_progress_view
from server.web.league.team_entries import load_team_words

routes = PageRoutes()
TEAM = r"/captain/{team:\d{1,18}}"
DIVISION = "/desk/league/{name:.+}"
PLAN = r"/desk/league-plans/{plan:\d{1,18}}"

# Texts of the league's pages: figures, scores, what decided a place, reasons (§ 6.7).

OPEN, OWN = "·", ""


class LeagueWords(SubjectWords):
    """One language for the league's pages."""

    subject = "league"

    def cell(self, cell: CrossCell) -> str:
        """A crosstable cell: total points, or a dot before the first game."""
        if cell.is_own:
            return OWN
        return OPEN if cell.total is None else halves(cell.total)

    def score(self, game: LeagueGameRow, home: int) -> str:
        """A finished game's score, the home team's points first."""
        away = game.black_team if game.white_team == home else game.white_team
        return f"{halves(points_in([game], home))}–{halves(points_in([game], away))}"

    def decided(self, row: CrossRow, above: CrossRow | None) -> str:
        """What separated a row from the one above (§ 6.7.4.5)."""
        return explain_separation(row, above, self.words)

    def fault(self, fault: ReserveFault) -> str:
        """Why a reserve can't be used, with the paragraph."""
        return self(f"fault.{fault.value}", paragraph=fault.paragraph)

    def faults(self, codes: str) -> str:
        """The faults despite which a reserve was admitted, from their stored codes."""
        return " ".join(self.fault(ReserveFault(code)) for code in codes.split(","))

    def entered(self, known: ReserveRecord | None) -> str:
        """What the register and the server know about a reserve (§ 6.7.3.2)."""
        found = known or ReserveRecord(is_member=False, club=None, k_rating=None, otb_rating=None)
        return entered_text(found, self.words)

    def crooked(self) -> str:
        """The note that a line-up is not in rating order (§ 6.7.2.1)."""
        return self("lineup.crooked", paragraph=LineupFault.BOARD_ORDER.paragraph)

    def reason(self, by: str) -> str:
        """Why a team has its place in a plan (§ 6.7.5.1)."""
        return reason_text(by, self.words)

    def way(self, division: int, by: str) -> str:
        """A place that the leader can give a team without one (§ 6.7.1.1, § 6.7.3.3)."""
        return way_text(division, by, self.words)


def load_league_words(request: web.Request) -> LeagueWords:
    """The league's texts in the reader's language."""
    return LeagueWords(get_words(request).words)


def league_page(
    request: web.Request, template: str, faults: Sequence[str] = (), **shown: object
) -> web.Response:
    """A page of the league, with the texts of the league, the teams and the desks."""
    return page(
        request,
        f"league/{template}.html",
        status=PROBLEM_STATUS if faults else 200,
        d=load_case_words(request),
        lw=load_league_words(request),
        tw=load_team_words(request),
        **shown,
    )


# The league's public pages: seasons, and a division's tables, matches and teams (§ 6.7).


def names_of(view: DivisionView) -> dict[str, object]:
    """What the names in the tables link to.

    ``people`` by the name of a board's row: who played the board, in chronological order;
    ``teams`` by the club's name.
    """
    people: dict[str, tuple[tuple[int, str], ...]] = {}
    for one in view.teams:
        for seats in one.boards:
            players = {seat.name: seat.person_id for seat in reversed(seats)}
            names = dict.fromkeys(seat.name for seat in seats)
            row = f"{' / '.join(names)} ({one.team.club})"
            people[row] = tuple((players[name], name) for name in names)
    return {"people": people, "teams": {one.team.club: one.team.id for one in view.teams}}


@routes.get("/league")
@read_only_page
async def index(request: web.Request) -> web.Response:
    """Every season with its divisions."""
    return league_page(request, "index", seasons=await seasons(core(request)))


@routes.get("/league/{name:.+}")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """A division."""
    view = or_404(await division_view(core(request), request.match_info["name"]))
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    names, words = [one.team.club for one in view.teams], get_words(request).words
    async with core(request).store.read() as conn:
        progress = await build_progress_view(conn, view.games, view.group.zone, names, words)
        live = await group_rows.find_public_groups(conn, (view.group.id,))
    return league_page(
        request,
        "division",
        view=view,
        beside=progress,
        names=names_of(view),
        seen=frozenset(game.id for game in view.games if may_see(held, game, live)),
        beginning=beginning(request, view.group),
        is_live=bool(live) and not view.is_finished,
        may_lead=held is not None and held.speaks_for(view.group.id),
    )


# The captain's desk: his teams, reserves and reports (§ 6.7.2.2, § 6.7.4.3, § 6.7.6.1).

LONGEST_NOTE = 2000
_OF_RATING = {ReserveFault.OTHER_RATING, ReserveFault.NO_RATING}


@routes.get("/captain")
async def show_captain_desk(request: web.Request, problems: tuple[str, ...] = ()) -> web.Response:
    """The desk."""
    person = signed_in(request)
    found = await captain_desk(core(request), person)
    if not found.teams:
        raise web.HTTPNotFound
    return league_page(
        request,
        "captain_desk",
        problems,
        desk=found,
        zone=core(request).settings.clock.zone,
        today=core(request).today(core(request).settings.clock.zone).isoformat(),
        problems=problems,
        has_club=await enters_for_clubs(core(request), person),
        results=[result.value for result in Result if result.in_pgn != "*"],
    )


@routes.post(f"{TEAM}/reserve")
@stands_on(show_captain_desk)
async def reserve(request: web.Request) -> web.Response:
    """Ask for a reserve, optionally stopping the clock (§ 6.7.4.3)."""
    person, form = signed_in(request), await form_of(request)
    lw, team_id = load_league_words(request), int(request.match_info["team"])
    board, rating = form.number("board"), form.number("rating")
    name, email = await _chosen(request, team_id, form)
    wanted = {"board": board, "name": name, "email": email}
    if missing := next((one for one, has in wanted.items() if not has), None):
        raise FormFault(missing, lw("captain.missing"))
    if form.typed("rating") and rating is None:
        raise FormFault("rating", lw("captain.bad_rating"))
    wish = ReserveInput(
        board=board or 0,
        name=" ".join(name.split()),
        email=email,
        rating=rating,
        reason=form.text("reason", LONGEST_NOTE),
        stop_time=form.is_ticked("pause"),
        asks_leave=form.is_ticked("leave"),
    )
    try:
        done = await ask_reserve(core(request), person, team_id, wish)
    except NoSuch as error:
        if str(error) == "team":
            raise web.HTTPNotFound from None
        raise FormFault(str(error), lw(f"captain.wrong.{error}")) from None
    except NothingToDo:
        raise FormFault("board", lw("captain.nothing")) from None
    if isinstance(done, ReserveRefused):
        problems = tuple(lw.fault(fault) for fault in done.faults)
        if _OF_RATING & set(done.faults):
            raise FormFault("rating", " ".join(problems))
        return await show_captain_desk(request, problems)
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
        raise FormFault("member", load_league_words(request)("captain.no_member"))
    return member.name, member.email


@routes.post(r"/captain/pauses/{reserve:\d{1,18}}/end")
async def end_pause(request: web.Request) -> web.Response:
    """Restart the clock before the 14 days are over (§ 6.7.4.3)."""
    person, lw = signed_in(request), load_league_words(request)
    try:
        await league_reserves.end_pause(core(request), person, int(request.match_info["reserve"]))
    except NothingToDo:
        return await show_captain_desk(request, (lw("captain.pause_over"),))
    raise web.HTTPSeeOther("/captain")


@routes.post(f"{TEAM}/report")
@stands_on(show_captain_desk)
async def report(request: web.Request) -> web.Response:
    """Report a result to the leader (§ 6.7.4.4, § 6.7.6.1)."""
    person, form = signed_in(request), await form_of(request)
    lw, team_id = load_league_words(request), int(request.match_info["team"])
    game, result = form.number("game"), form.text("result", 10)
    if game is None or result not in {one.value for one in Result}:
        raise FormFault("result" if game else "game", lw("captain.missing_result"))
    note = form.text("note", LONGEST_NOTE)
    try:
        await report_result(core(request), person, team_id, game, Result(result), note)
    except NothingToDo:
        raise FormFault("game", lw("captain.is_over")) from None
    raise web.HTTPSeeOther(f"/captain#team-{team_id}")


# The leader's and the controller's league desk: reserves, line-ups, lots (§ 6.7).

LONGEST_REASON = 2000
_BESIDE = {"players": "board-1", "captain": "email", "barred": "email", "two_teams": "email"}
"""Faults whose field has a different name."""


@routes.get("/desk/league")
async def overview(request: web.Request) -> web.Response:
    """Every division, pending duties, and next season's plans."""
    _, rights = await require_rights(request)
    own = or_404(await league_duties(core(request), rights))
    return league_page(
        request,
        "desk",
        rights=rights,
        duties=own,
        seasons=await seasons(core(request)),
        plans=await plans(core(request)) if rights.is_kc or rights.is_admin else (),
        zone=core(request).settings.clock.zone,
    )


async def _led(request: web.Request) -> tuple[PersonRow, Rights, DivisionView]:
    """The division in the address, for those who may act in it; 404 for everybody else."""
    person, rights = await require_rights(request)
    view = await division_view(core(request), request.match_info["name"])
    if view is None or not rights.speaks_for(view.group.id):
        raise web.HTTPNotFound
    return person, rights, view


@routes.get(DIVISION)
async def show_desk(request: web.Request, *problems: str) -> web.Response:
    """A division's desk."""
    _, rights, view = await _led(request)
    found: DivisionDesk = await division_desk(core(request), view)
    return league_page(
        request,
        "desk_division",
        problems,
        rights=rights,
        view=view,
        desk=found,
        zone=view.group.zone,
        problems=problems,
        known_of=lambda row: known_of(row, core(request).today(view.group.zone)),
    )


def _back(group: GroupRow, where: str) -> web.HTTPSeeOther:
    return web.HTTPSeeOther(f"/desk/league/{quote(group.name)}#{where}")


@routes.post(rf"{DIVISION}/reserves/{{reserve:\d{{1,18}}}}")
@stands_on(show_desk)
async def decide(request: web.Request) -> web.Response:
    """Approve or refuse a reserve (§ 6.7.4.3)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), load_league_words(request)
    approves, note = form.typed("answer") == "approve", form.text("note", LONGEST_REASON)
    if form.typed("answer") not in ("approve", "refuse"):
        raise FormFault("answer", get_words(request).words("forms.stale"))
    number, despite = int(request.match_info["reserve"]), form.is_ticked("despite")
    try:
        done = await decide_reserve(core(request), person, number, approves, note, despite=despite)
    except NothingToDo:
        return await show_desk(request, lw("desk.decided"))
    if isinstance(done, ReserveRefused):
        leave = () if set(done.faults) - BY_LEAVE else (lw("desk.needs_leave"),)
        return await show_desk(request, *(lw.fault(fault) for fault in done.faults), *leave)
    raise _back(view.group, "reserves")


@routes.post(rf"{DIVISION}/teams/{{team:\d{{1,18}}}}")
@stands_on(show_desk)
async def change(request: web.Request) -> web.Response:
    """Change the board order or the captain (§ 6.7.2.1-6.7.2.2)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), load_league_words(request)
    team_id, reason = int(request.match_info["team"]), form.text("reason", LONGEST_REASON)
    if team_id not in {team.team.id for team in view.teams}:
        raise web.HTTPNotFound
    if not reason:
        raise FormFault("reason", lw("desk.no_reason"))
    try:
        await _changed(request, person, team_id, form)
    except HasBegun:
        return await show_desk(request, lw("desk.begun"))
    except NoSuch as error:
        raise FormFault(_BESIDE.get(str(error), str(error)), lw(f"desk.wrong.{error}")) from None
    except NothingToDo:
        return await show_desk(request, lw("desk.nothing"))
    raise _back(view.group, f"team-{team_id}")


async def _changed(request: web.Request, person: PersonRow, team_id: int, form: Form) -> None:
    reason = form.text("reason", LONGEST_REASON)
    if form.text("what", 10) == "captain":
        email = form.text("email", 200)
        despite = form.is_ticked("despite")
        await divisions.name_captain(core(request), person, team_id, email, reason, despite=despite)
        return
    order = [form.number(f"board-{board}") or 0 for board in range(1, 5)]
    await divisions.change_order(core(request), person, team_id, order, reason)


@routes.post(f"{DIVISION}/lots")
async def lots(request: web.Request) -> web.Response:
    """Draw lots for places (§ 6.7.4.5)."""
    person, _, view = await _led(request)
    lw = load_league_words(request)
    try:
        await divisions.draw_places(core(request), person, view.group.id)
    except NothingToDo:
        return await show_desk(request, lw("desk.no_lots"))
    raise _back(view.group, "table")


@routes.post(f"{DIVISION}/stronger")
@stands_on(show_desk)
async def stronger(request: web.Request) -> web.Response:
    """Set how much stronger a reserve may be here (§ 6.7.4.3)."""
    person, _, view = await _led(request)
    form, lw = await form_of(request), load_league_words(request)
    points = form.number("points")
    try:
        await divisions.set_stronger_by(
            core(request), person, view.group.id, -1 if points is None else points
        )
    except NoSuch:
        raise FormFault("points", lw("desk.wrong.points")) from None
    raise _back(view.group, "reserves")


# Next season's divisions on the controller's desk (§ 6.7.5.1).

HERE = "/desk/league-plans"
LONGEST_PLAN_TEXT = 20_000
_ANSWERS = ("grant", "refuse")


@routes.get("/desk/league-plans")
async def show_season_plans(request: web.Request) -> web.Response:
    """Last season's teams as of the deadline, and the form."""
    sent, asked = request.get(FORM), request.query.get("deadline", "")
    day = sent.typed("deadline") if sent is not None else asked
    return await _page_season_plans(request, _deadline(day, today_of(core(request))))


def _deadline(text: str, today: date) -> date:
    """The day typed or in the address; today for one that no season can have."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return today
    return day if is_near(day, today) else today


async def _page_season_plans(
    request: web.Request, deadline: date, problem: str = ""
) -> web.Response:
    _, rights = await require_rights(request)
    if not rights.is_kc:
        raise web.HTTPNotFound
    season = await last_season(core(request))
    desk = await team_desk(core(request), rights)
    teams = () if season is None else await candidates(core(request), season, deadline)
    return league_page(
        request,
        "desk_compose",
        problem,
        desk=desk,
        rights=rights,
        season=season,
        deadline=deadline,
        teams=teams,
        problem=problem,
        by_hand=request.path == HERE and request.get(FORM),
    )


def _new_teams(text: str) -> list[tuple[str, list[int]]] | None:
    """«Club: 1900 1850 1800 1750», one team per line; None when a line can't be parsed."""
    found = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        club, _, rest = line.rpartition(":")
        words = rest.replace(",", " ").split()
        numbers = [number for number in map(whole_number, words) if number is not None]
        if not club.strip() or not len(words) == len(numbers) == LEAGUE.boards:
            return None
        found.append((club.strip(), numbers))
    return found


@routes.post("/desk/league-plans")
@stands_on(show_season_plans)
async def do(request: web.Request) -> web.Response:
    """Compose a plan and store it."""
    person, rights = await require_rights(request)
    if not rights.is_kc:
        raise web.HTTPForbidden
    form, lw = await form_of(request), load_league_words(request)
    season, deadline = await last_season(core(request)), form.day("deadline")
    new = _new_teams(form.text("new", LONGEST_PLAN_TEXT))
    keys = [name.removeprefix("team-") for name in form.fields if name.startswith("team-")]
    if season is None:
        return await _page_season_plans(request, today_of(core(request)), lw("plan.no_season"))
    if deadline is None or new is None:
        key = "plan.bad_line" if new is None else "plan.bad_day"
        raise FormFault("new" if new is None else "deadline", lw(key))
    return await _composed(
        request, deadline, compose_season(core(request), person, season, deadline, (keys, new))
    )


async def _composed(
    request: web.Request, deadline: date | None, work: Awaitable[int]
) -> web.Response:
    """The new plan's page, or why it was not composed."""
    lw = load_league_words(request)
    try:
        number = await work
    except NoSuch as error:
        if str(error) == "deadline":
            raise FormFault("deadline", lw("plan.bad_day")) from None
        known = {"entries": lw("plan.no_entries"), "season": lw("plan.no_season")}
        why = known.get(str(error)) or lw("plan.refused", why=str(error))
        return await _page_season_plans(request, deadline or today_of(core(request)), why)
    raise web.HTTPSeeOther(f"/desk/league-plans/{number}")


@routes.post("/desk/league-plans/entered")
@stands_on(show_season_plans)
async def compose_from_entries(request: web.Request) -> web.Response:
    """Compose a plan from the valid team entries, with scores as of the deadline (§ 6.7.5.1)."""
    person, rights = await require_rights(request)
    if not rights.is_kc:
        raise web.HTTPForbidden
    form, lw = await form_of(request), load_league_words(request)
    deadline = form.day("deadline")
    if deadline is None and form.typed("deadline"):
        raise FormFault("deadline", lw("plan.bad_day"))
    return await _composed(request, deadline, compose_open_season(core(request), person, deadline))


@routes.get(PLAN)
async def show_plan(request: web.Request, problem: str = "") -> web.Response:
    """A plan with the reason for each team."""
    _, rights = await require_rights(request)
    found = await plan(core(request), int(request.match_info["plan"]))
    leads = rights.is_leader or rights.is_kc or rights.is_admin
    if found is None or not leads:
        raise web.HTTPNotFound
    return league_page(
        request,
        "desk_plan",
        problem,
        rights=rights,
        plan=found,
        findings=await plan_findings(core(request), found),
        captains=await captains_of_season(core(request), found.row.season),
        problem=problem,
    )


@routes.post(f"{PLAN}/grants")
@routes.post(f"{PLAN}/grant")
@stands_on(show_plan)
async def grant(request: web.Request) -> web.Response:
    """Grant or refuse a dispensation, with a reason, or grant all that are asked for (§ 6.7.5.1).

    A refusal recomposes the plan.
    """
    person, _ = await require_rights(request)
    form, number = await form_of(request), int(request.match_info["plan"])
    division, reason = form.number("division"), form.text("reason", 2000)
    if not reason:
        raise FormFault("reason", load_case_words(request)("missing.text"))
    stale = FormFault("answer", get_words(request).words("forms.stale"))
    if form.typed("answer") not in _ANSWERS:
        raise stale
    answer = (form.typed("answer") == "grant", reason)
    found, every = or_404(await plan(core(request), number)), request.path.endswith("/grants")
    teams = found.asking if every else ((form.text("club", 120), division or 0),)
    try:
        holds = number
        for team in teams:
            holds = await answer_grant(core(request), person, number, team, answer)
    except NothingToDo:
        return await show_plan(request, load_league_words(request)("plan.superseded"))
    except NoSuch as error:
        if str(error) == "plan":
            raise web.HTTPNotFound from None
        raise stale from None
    raise web.HTTPSeeOther(f"/desk/league-plans/{holds}")


@routes.post(f"{PLAN}/start")
@stands_on(show_plan)
async def start(request: web.Request) -> web.Response:
    """Start the plan's divisions (§ 6.7.4.2)."""
    person, _ = await require_rights(request)
    lw, form = load_league_words(request), await form_of(request)
    number, live = int(request.match_info["plan"]), form.is_ticked("live")
    try:
        word = form.text("word", 120)
        await start_season(core(request), person, number, live=live, word=word)
    except CannotStart as error:
        why_not = error.told(lw.words, lw("plan.word"))
        if str(error) == "captains":
            raise FormFault("word", why_not) from None
        return await show_plan(request, why_not)
    raise web.HTTPSeeOther("/desk/league")
