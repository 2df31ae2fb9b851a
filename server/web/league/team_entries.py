"""The club's page: its league team entries, and the form, which may be tried first (§ 6.7.4.1).

For captains and club administrators, and for officials of any club's. Not for officials' actions
on entries (below).
"""

from collections.abc import Awaitable, Callable, Iterable
from fractions import Fraction
from functools import partial

from aiohttp import web

from kskak.league.lineups import Comeback, TeamFinding
from kskak.ledger.ledger_files import HIGHEST_RATING
from kskak.regulation.editions import LEAGUE
from kskak.values import whole_number
from mail.office_letters.league_letters import finding_text
from server.store import entries as entry_rows
from server.store.entries import NewTeamEntryBoard, TeamEntryRow
from server.store.members import MemberRow
from server.store.play.people import PersonRow
from server.usecases.office import preview_actions
from server.usecases.rights import NoSuch, Rights, may_handle
from server.usecases.season import team_entering
from server.usecases.season.season_start import (
    DistrictTeamRequest,
    PlanFinding,
    districts_of,
    make_district_team,
)
from server.usecases.season.season_views import (
    ClubSeasonView,
    TeamEntryView,
    club_view,
    end_admin,
    entry_view,
    name_admin,
    team_desk,
)
from server.usecases.season.team_entering import (
    LastTeamRow,
    TeamAsking,
    TeamRefused,
    change_lineup,
    enter_team,
    season_of,
    withdraw_team,
)
from server.web.cases.case_texts import load_case_words
from server.web.desks.bulk_actions import BulkItem, check_day, day_of, entry_action
from server.web.desks.desk_pages import require_rights
from server.web.entries.entry_desk import MOST_REMINDED
from server.web.frame.context import PageRoutes, core, get_words, signed_in
from server.web.frame.forms import FORM, Form, FormFault, FormRefusal, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import new_key, page

routes = PageRoutes()
TEAM_ENTRY = r"/team-entry/{entry:\d{1,18}}"

# Texts of the team entry pages: faults with players and paragraph, states (§ 6.7.4.1).


class TeamWords(SubjectWords):
    """One language for the team entry pages."""

    subject = "teams"

    def findings(self, found: Iterable[TeamFinding]) -> tuple[str, ...]:
        """Each fault with its paragraph and the players it concerns."""
        return tuple(f"{finding_text(one, self.words)}" for one in found)

    def plan_finding(self, one: PlanFinding) -> str:
        """A fault in a plan: who is placed where he may not be."""
        who = ", ".join((one.club, *one.players))
        return f"{self(f'fault.{one.fault.value}')} (§ {one.fault.paragraph}): {who}."

    def team(self, last: LastTeamRow) -> str:
        """A team from last season, with its division and group."""
        return self("last_team", club=last.team.club, division=last.division, group=last.group)

    def comes_from(self, view: TeamEntryView) -> str:
        """Whether the team returns, and from where."""
        if view.last is None:
            return self("comeback.new")
        return self("comeback.back", division=view.last.division, group=view.last.group)

    def member(self, row: MemberRow) -> str:
        """A member with his registered rating."""
        if row.k_rating is not None:
            return f"{row.name} ({row.k_rating})"
        if row.rating is not None:
            return self("member_otb", name=row.name, rating=row.rating)
        return self("member_none", name=row.name)

    def mean(self, view: TeamEntryView) -> str:
        """The team's mean rating (§ 6.7.6.2)."""
        ratings = [one.rating for one in view.seats]
        return self.words.number(Fraction(sum(ratings), len(ratings) or 1))

    def opening(self, view: ClubSeasonView) -> str:
        """When the league's list opens, by the year's plan, and who opens it (§ 6.1.2, § 6.7.4)."""
        season, who = view.season, self("opening.who")
        if season is None or season.announced is None:
            return f"{self('opening.undated')} {who}"
        if season.deadline is not None and season.deadline < view.today:
            return self("opening.over", day=self.words.day(season.deadline))
        when = "ahead" if season.announced > view.today else "now"
        return f"{self(f'opening.{when}', day=self.words.day(season.announced))} {who}"


# The club's page: its league team entries, and the form, which may be tried first (§ 6.7.4.1).

BOARDS = range(1, LEAGUE.boards + 1)
_NOTICES = {"taken": "page.taken", "back": "page.back", "changed": "page.changed"}
_BESIDE = {"players": "player-1", "day": "entered", "club": "list"}
"""Faults whose field has a different name."""
_FIELDS = ("list", "captain", "continues", "asks", "entered", "fee")


def _typed(form: Form) -> dict[str, str]:
    """Every field as typed, for the page to show again."""
    names = [f"{name}-{board}" for board in BOARDS for name in ("player", "rating", "class")]
    return {name: form.typed(name) for name in (*_FIELDS, *names)}


def _problem(form: Form) -> tuple[str, str] | None:
    """The first field that can't be parsed, and the key of the reason; None if all can."""
    for board in BOARDS:
        if form.number(f"player-{board}") is None:
            return f"player-{board}", "wrong.players"
    if form.number("captain") is None:
        return "captain", "wrong.captain"
    for board in BOARDS:
        if form.typed(f"rating-{board}") and _rating(form, board) is None:
            return f"rating-{board}", "wrong.rating"
    for name in ("entered", "fee"):
        if form.typed(name) and form.day(name) is None:
            return name, "wrong.day"
    return None


def _rating(form: Form, board: int) -> int | None:
    rating = form.number(f"rating-{board}")
    return rating if rating is not None and rating <= HIGHEST_RATING else None


def _lineup(form: Form) -> tuple[NewTeamEntryBoard, ...]:
    return tuple(
        NewTeamEntryBoard(
            board,
            form.number(f"player-{board}") or 0,
            _rating(form, board),
            " ".join(form.text(f"class-{board}", 40).split()) or None,
            None,
        )
        for board in BOARDS
    )


def load_team_words(request: web.Request) -> TeamWords:
    """The team texts in the reader's language."""
    return TeamWords(get_words(request).words)


def _club(request: web.Request, form: Form | None = None) -> int | None:
    text = form.typed("club") if form is not None else request.query.get("club", "")
    return whole_number(text)


@routes.get("/team-entry")
async def show_team_entry(request: web.Request, tried: TeamEntryView | None = None) -> web.Response:
    """The club's entries, and the form; ``tried``: how the team in it would stand if it were sent.

    A form that is shown again stands in the entry that it was sent for.
    """
    sent = request.get(FORM)
    view = await club_view(core(request), signed_in(request), _club(request, sent))
    tw = load_team_words(request)
    is_lineup = sent is not None and "captain" in sent.fields
    shown = sent if sent and is_lineup else _as_last(view, request.query.get("continues"))
    key = _NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "league/team_entry.html",
        tw=tw,
        view=view,
        typed=_typed(shown),
        as_last=None if is_lineup else shown.number("continues"),
        open_entry=int(request.match_info.get("entry", "0")) if sent else 0,
        tried=tried,
        boards=BOARDS,
        notice=tw(key) if key else "",
        key=(sent or Form({})).typed("key") or new_key(),
    )


def _as_last(view: ClubSeasonView, wanted: str | None) -> Form:
    """The form as a team of last season would fill it in: the one asked for, else the first.

    ``wanted`` "0": a new team. Nothing is filled in for an official, who enters what he was sent.
    """
    teams = () if view.is_official or wanted == "0" else view.not_back
    team = next((one for one in teams if str(one.team.id) == wanted), None)
    team = team or (teams[0] if teams and wanted is None else None)
    if team is None:
        return Form({})
    seats = zip(BOARDS, view.lineup_of(team), strict=False)
    fields = {f"player-{board}": str(person) for board, person in seats}
    captain = team.team.captain_id
    return Form(fields | {"continues": str(team.team.id), "captain": str(captain)})


def _unless_refused(request: web.Request, done: TeamEntryRow | TeamRefused) -> TeamEntryRow:
    """The entry. Raises FormRefusal with each fault and its paragraph."""
    if isinstance(done, TeamRefused):
        raise FormRefusal(load_team_words(request).findings(done.findings))
    return done


async def _carry_out(
    request: web.Request, form: Form, action: Callable[[], Awaitable[TeamEntryRow | TeamRefused]]
) -> tuple[TeamEntryRow, TeamEntryView | None]:
    """What came of it; only tried, where the form says so: then also how the entry would stand.

    Raises FormFault, FormRefusal.
    """
    found: list[tuple[TeamEntryRow | TeamRefused, TeamEntryView | None]] = []

    async def step() -> None:
        done = await action()
        view = None
        if form.is_ticked("try") and not isinstance(done, TeamRefused):
            view = await entry_view(core(request), done.id)
        found.append((done, view))

    try:
        if form.is_ticked("try"):
            await preview_actions(core(request), [step])
        else:
            await step()
    except NoSuch as error:
        if str(error) == "entry":
            raise web.HTTPNotFound from None
        text = load_team_words(request)(f"wrong.{error}")
        raise FormFault(_BESIDE.get(str(error), str(error)), text) from None
    return _unless_refused(request, found[0][0]), found[0][1]


@routes.post("/team-entry")
@stands_on(show_team_entry)
async def do(request: web.Request) -> web.Response:
    """Enter a team, or give every reason for refusal with its paragraph, storing nothing."""
    person, form = signed_in(request), await form_of(request)
    problem, club = _problem(form), _club(request, form)
    if club is None or form.number("list") is None:
        problem = problem or ("list", "wrong.list")
    if problem is not None:
        raise FormFault(problem[0], load_team_words(request)(problem[1]))
    asked = TeamAsking(
        list_id=form.number("list") or 0,
        club_id=club or 0,
        captain=form.number("captain") or 0,
        players=_lineup(form),
        continues=form.number("continues") or None,
        asks=form.is_ticked("asks"),
        entered=form.day("entered"),
        fee=form.day("fee"),
        key=form.text("key", 80) or None,
    )
    _, view = await _carry_out(request, form, partial(enter_team, core(request), person, asked))
    if view is not None:
        return await show_team_entry(request, view)
    raise web.HTTPSeeOther(f"/team-entry?club={club}&done=taken")


@routes.post(rf"{TEAM_ENTRY}/lineup")
@stands_on(show_team_entry)
async def change(request: web.Request) -> web.Response:
    """Change the line-up or captain of a team that has not begun."""
    person, form = signed_in(request), await form_of(request)
    problem = _problem(form)
    if problem is not None:
        raise FormFault(problem[0], load_team_words(request)(problem[1]))
    entry_id, captain = int(request.match_info["entry"]), form.number("captain") or 0
    action = partial(change_lineup, core(request), person, entry_id, captain, _lineup(form))
    done, view = await _carry_out(request, form, action)
    if view is not None:
        return await show_team_entry(request, view)
    raise web.HTTPSeeOther(f"/team-entry?club={done.club_id}&done=changed")


@routes.post(rf"{TEAM_ENTRY}/withdraw")
@stands_on(show_team_entry)
async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before its division starts."""
    person, _ = signed_in(request), await form_of(request)
    done = await withdraw_team(core(request), person, int(request.match_info["entry"]))
    club = _unless_refused(request, done).club_id
    raise web.HTTPSeeOther(f"/team-entry?club={club}&done=back")


# The leader's desk for team entries: their faults, returning teams, districts (§ 6.7.3-6.7.4.1).

HERE = "/desk/team-entries"
_NOTICES_TEAM_DESK = {"done": "desk.done"}


@routes.get("/desk/team-entries")
async def show_team_desk(request: web.Request) -> web.Response:
    """The desk."""
    _, rights = await require_rights(request)
    desk = await team_desk(core(request), rights)
    tw = load_team_words(request)
    key = _NOTICES_TEAM_DESK.get(request.query.get("done", ""))
    shown = (one.row for one in desk.entries)
    fees = FEES.ticks(_unpaid(row for row in shown if may_handle(rights, row.list_id)))
    return page(
        request,
        "league/desk_teams.html",
        d=load_case_words(request),
        tw=tw,
        rights=rights,
        desk=desk,
        fees=fees,
        unpaid=UNPAID.ticks(fees.rows.values()),
        back=desk.of(Comeback.BACK),
        new=desk.of(Comeback.NEW),
        districts=await districts_of(core(request), rights),
        notice=tw(key) if key else "",
    )


def _unpaid(entries: Iterable[TeamEntryRow]) -> list[BulkItem]:
    lacking = (row for row in entries if row.is_open and not row.fee_day)
    return [BulkItem(str(row.id), f"{row.club}, {row.list_name}", row.state) for row in lacking]


async def _unpaid_now(request: web.Request) -> list[BulkItem]:
    _, rights = await require_rights(request)
    async with core(request).store.read() as conn:
        season = await season_of(conn, core(request).today(core(request).settings.clock.zone))
        entries = () if season is None else await entry_rows.list_season_entries(conn, season.year)
    return _unpaid(row for row in entries if may_handle(rights, row.list_id))


_DESK = (f"{HERE}#entries", show_team_desk, _unpaid_now)
FEES = entry_action(
    "team_fees", *_DESK,
    lambda asked, by, entry, form: team_entering.record_team_fee(asked, by, entry, day_of(form)),
    _unless_refused, check=check_day, fields=("on",),
)  # fmt: skip
UNPAID = entry_action(
    "team_unpaid", *_DESK,
    lambda asked, by, entry, _: team_entering.remind_team(asked, by, entry), _unless_refused,
    most=MOST_REMINDED,
)  # fmt: skip

_BESIDE_TEAM_DESK = {"person": "email", "district": "captain", "why": "reason"}
"""Faults whose field has a different name."""
_Work = Callable[[PersonRow, Rights, Form], Awaitable[object]]


async def _done_team_desk(request: web.Request, work: _Work) -> web.Response:
    """Do something, or show a refusal with its paragraphs, or a fault beside its field."""
    person, rights = await require_rights(request)
    form, tw = await form_of(request), load_team_words(request)
    try:
        done = await work(person, rights, form)
    except NoSuch as error:
        if str(error) in ("entry", "admin"):
            raise web.HTTPNotFound from None
        name = _BESIDE_TEAM_DESK.get(str(error), str(error))
        raise FormFault(name, tw(f"wrong.{error}")) from None
    if isinstance(done, TeamRefused):
        raise FormRefusal(tw.findings(done.findings))
    raise web.HTTPSeeOther(f"{HERE}?done=done")


@routes.post(r"/desk/team-entries/{entry:\d{1,18}}/{deed:fee|leave|refuse|withdraw}")
@stands_on(show_team_desk)
async def run_entry_action(request: web.Request) -> web.Response:
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
                return await team_entering.record_team_fee(server, person, entry_id, day)
            case "leave":
                if not reason:
                    raise NoSuch("why")
                player = form.number("player") or 0
                return await team_entering.permit_two_clubs(
                    server, person, entry_id, player, reason
                )
            case "refuse":
                paragraph = form.text("paragraph", 20).removeprefix("§").strip()
                if not (reason and paragraph):
                    raise NoSuch("why" if paragraph else "paragraph")
                return await team_entering.refuse_team(server, person, entry_id, paragraph, reason)
            case _:
                return await team_entering.withdraw_team(server, person, entry_id, official=True)

    return await _done_team_desk(request, work)


@routes.post("/desk/team-entries/districts")
@stands_on(show_team_desk)
async def make_team(request: web.Request) -> web.Response:
    """Form a team from a district's individual members (§ 6.7.4.1)."""

    async def work(person: PersonRow, _: Rights, form: Form) -> object:
        named = [whole_number(name[2:]) for name in form.fields if name.startswith("p-")]
        people = [number for number in named if number is not None]
        asked = DistrictTeamRequest(
            form.number("list") or 0,
            form.number("district") or 0,
            tuple(people),
            form.number("captain") or 0,
            form.number("continues") or None,
        )
        return await make_district_team(core(request), person, asked)

    return await _done_team_desk(request, work)


@routes.post("/desk/team-entries/admins")
@stands_on(show_team_desk)
async def admins(request: web.Request) -> web.Response:
    """Appoint a club's administrator, or end an appointment."""

    async def work(person: PersonRow, _: Rights, form: Form) -> object:
        if (row := form.number("end")) is not None:
            await end_admin(core(request), person, row)
        else:
            club, email = form.number("club") or 0, form.text("email", 200)
            await name_admin(core(request), person, club, email)
        return None

    return await _done_team_desk(request, work)


FEES.add_to(routes)
UNPAID.add_to(routes)
