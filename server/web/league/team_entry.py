"""The club's page: its league team entries, and the form, which may be tried first (§ 6.7.4.1).

For captains and club administrators, and for officials of any club's. Not for officials' actions
on entries (team_desk.py).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from functools import partial

from aiohttp import web

from server.store.entries.team_entries import NewSeat, TeamEntryRow
from server.store.play.people import PersonRow
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.office.rehearsal import rehearsed
from server.usecases.season.deeds import withdraw_team
from server.usecases.season.entering import TeamAsking, TeamRefused, change_lineup, enter_team
from server.usecases.season.views import ClubView, TeamEntryView, club_view, entry_view
from server.web.frame.context import core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import FORM, Form, form_of
from server.web.frame.pages import new_key, page
from server.web.league.team_words import TeamWords

BOARDS = range(1, 5)
HIGHEST_RATING = 4000
_NOTICES = {"taken": "page.taken", "back": "page.back", "changed": "page.changed"}
_BESIDE = {"players": "player-1", "day": "entered", "club": "list"}
"""Faults whose field has a different name."""
_FIELDS = ("list", "captain", "continues", "asks", "entered", "fee")

_Deed = Callable[[], Awaitable[TeamEntryRow | TeamRefused]]


@dataclass(frozen=True, slots=True)
class TeamForm:
    """What was typed, and the line-up parsed from it."""

    form: Form

    @property
    def typed(self) -> dict[str, str]:
        """Every field as typed, for the page to show again."""
        names = [f"{name}-{board}" for board in BOARDS for name in ("player", "rating", "class")]
        return {name: self.form.typed(name) for name in (*_FIELDS, *names)}

    def problem(self) -> tuple[str, str] | None:
        """The first field that can't be parsed, and the key of the reason; None if all can."""
        for board in BOARDS:
            if self.form.number(f"player-{board}") is None:
                return f"player-{board}", "wrong.players"
        if self.form.number("captain") is None:
            return "captain", "wrong.captain"
        for board in BOARDS:
            if self.form.typed(f"rating-{board}") and self._rating(board) is None:
                return f"rating-{board}", "wrong.rating"
        for name in ("entered", "fee"):
            if self.form.typed(name) and self.form.day(name) is None:
                return name, "wrong.day"
        return None

    def _rating(self, board: int) -> int | None:
        rating = self.form.number(f"rating-{board}")
        return rating if rating is not None and rating <= HIGHEST_RATING else None

    def players(self) -> tuple[NewSeat, ...]:
        return tuple(
            NewSeat(
                board,
                self.form.number(f"player-{board}") or 0,
                self._rating(board),
                " ".join(self.form.text(f"class-{board}", 40).split()) or None,
            )
            for board in BOARDS
        )

    def day(self, name: str) -> date | None:
        """A day, if one was given."""
        return self.form.day(name)


def team_words(request: web.Request) -> TeamWords:
    """The team texts in the reader's language."""
    return TeamWords(words(request).words)


def _club(request: web.Request, form: Form | None = None) -> int | None:
    text = form.typed("club") if form is not None else request.query.get("club", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


async def show(request: web.Request) -> web.Response:
    """The club's entries, and the form."""
    sent = request.get(FORM)
    return await _page(request, signed_in(request), _club(request, sent), (), sent)


async def _page(
    request: web.Request,
    person: PersonRow,
    club: int | None,
    problems: tuple[str, ...] = (),
    sent: Form | None = None,
    tried: TeamEntryView | None = None,
) -> web.Response:
    """The page; ``tried``: how the team that is in the form would stand if it were sent."""
    try:
        view = await club_view(core(request), person, club)
    except NoSuch:
        raise web.HTTPNotFound from None
    tw = team_words(request)
    shown = sent or _as_last(view, request.query.get("continues"))
    key = _NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "league/team_entry.html",
        status=PROBLEM_STATUS if problems else 200,
        tw=tw,
        view=view,
        typed=TeamForm(shown).typed,
        as_last=None if sent else shown.number("continues"),
        open_entry=int(request.match_info.get("entry", "0")) if problems or sent else 0,
        tried=tried,
        boards=BOARDS,
        problems=problems,
        notice=tw(key) if key and not problems else "",
        key=(sent or Form({})).typed("key") or new_key(),
    )


def _as_last(view: ClubView, wanted: str | None) -> Form:
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


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Enter a team, or give every reason for refusal with its paragraph, storing nothing."""
    person, form, tw = signed_in(request), await form_of(request), team_words(request)
    read, club = TeamForm(form), _club(request, form)
    problem = read.problem()
    if club is None or form.number("list") is None:
        problem = problem or ("list", "wrong.list")
    if problem is not None:
        raise Fault(problem[0], tw(problem[1]))
    asked = TeamAsking(
        list_id=form.number("list") or 0,
        club_id=club or 0,
        captain=form.number("captain") or 0,
        players=read.players(),
        continues=form.number("continues") or None,
        asks=form.is_ticked("asks"),
        entered=read.day("entered"),
        fee=read.day("fee"),
        key=form.text("key", 80) or None,
    )
    deed = partial(enter_team, core(request), person, asked)
    try:
        done, view = await _done(request, person, form, deed)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch as error:
        raise Fault(_BESIDE.get(str(error), str(error)), tw(f"wrong.{error}")) from None
    if isinstance(done, TeamRefused):
        return await _page(request, person, club, tw.findings(done.findings), form)
    if view is not None:
        return await _page(request, person, club, sent=form, tried=view)
    raise web.HTTPSeeOther(f"/team-entry?club={club}&done=taken#entries")


async def _done(
    request: web.Request, person: PersonRow, form: Form, deed: _Deed
) -> tuple[TeamEntryRow | TeamRefused, TeamEntryView | None]:
    """What came of it; only tried, where the form says so: then also how the entry would stand."""
    if not form.is_ticked("try"):
        return await deed(), None
    found: list[tuple[TeamEntryRow | TeamRefused, TeamEntryView | None]] = []

    async def step() -> None:
        done = await deed()
        view = None
        if not isinstance(done, TeamRefused):
            view = await entry_view(core(request), done.id)
        found.append((done, view))

    await rehearsed(core(request), [step])
    return found[0]


@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Change the line-up or captain of a team that has not begun."""
    person, form, tw = signed_in(request), await form_of(request), team_words(request)
    read, club = TeamForm(form), _club(request, form)
    problem = read.problem()
    if problem is not None:
        raise Fault(problem[0], tw(problem[1]))
    entry_id = int(request.match_info["entry"])
    captain = form.number("captain") or 0
    deed = partial(change_lineup, core(request), person, entry_id, captain, read.players())
    try:
        done, view = await _done(request, person, form, deed)
    except NoSuch as error:
        if str(error) == "entry":
            raise web.HTTPNotFound from None
        raise Fault(_BESIDE.get(str(error), str(error)), tw(f"wrong.{error}")) from None
    if isinstance(done, TeamRefused):
        return await _page(request, person, club, tw.findings(done.findings), form)
    if view is not None:
        return await _page(request, person, club, sent=form, tried=view)
    raise web.HTTPSeeOther(f"/team-entry?club={done.club_id}&done=changed#entries")


async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before its division starts."""
    person, form = signed_in(request), await form_of(request)
    try:
        done = await withdraw_team(core(request), person, int(request.match_info["entry"]))
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if isinstance(done, TeamRefused):
        lines = team_words(request).findings(done.findings)
        return await _page(request, person, _club(request, form), lines)
    raise web.HTTPSeeOther(f"/team-entry?club={done.club_id}&done=back#entries")
