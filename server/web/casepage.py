"""A case on one page: what happened, the evidence, readings to try, what can be done now.

§ 6.4.1-6.4.3. Parties see the same page without the desk's forms; a stranger sees no page. Not
for what the forms do (casedeeds.py, deciding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

from aiohttp import web

from kskak.case_state import CaseStage
from kskak.decisions import Instance
from kskak.quantities import Side
from server.store.cases import UnknownCase
from server.usecases.case_page import CaseView, case_view, paper_of, raw_mail
from server.web.context import core, signed_in
from server.web.desks import case_words
from server.web.pages import page
from server.web.score import plies
from server.web.supposing import LINES, choices, fields_of
from server.web.timebar import time_bar
from server.web.trial import Trial, disputed, trial

PROBLEM_STATUS = 422
BLANK_LINES = 2
NOTICES = frozenset(
    {
        "said",
        "noted",
        "asked",
        "closed",
        "suspended",
        "lifted",
        "settled",
        "withdrawn",
        "appealed",
        "unappealed",
        "decided",
    }
)


@dataclass(frozen=True, slots=True)
class Saying:
    """What stands above the case, and what was typed that could not be done."""

    problem: str = ""
    status: int = 200
    typed: Mapping[str, str] = field(default_factory=dict)


def number_of(request: web.Request) -> str:
    """The case's number from the address."""
    return f"{request.match_info['year']}/{request.match_info['n']}"


async def seen_case(request: web.Request, game_id: int | None = None) -> CaseView:
    """The case of the address; 404 for who may not know of it, as for one there is not."""
    person = signed_in(request)
    try:
        view = await case_view(core(request), person, number_of(request), game_id)
    except UnknownCase:
        raise web.HTTPNotFound from None
    if view is None:
        raise web.HTTPNotFound
    return view


def path_of(view: CaseView) -> str:
    """The case's address."""
    return f"/desk/cases/{view.case.number}"


async def show(request: web.Request) -> web.Response:
    """The page; what is tried stands in the address, without the fields left blank."""
    chosen = request.query.get("game", "")
    view = await seen_case(request, int(chosen) if chosen.isascii() and chosen.isdigit() else None)
    given = fields_of(request.query)
    if "try" in request.query and len(given) + 1 < len(request.query):
        raise web.HTTPSeeOther(f"{path_of(view)}?{urlencode({**given, 'try': '1'})}#if")
    return case_page(request, view, given, Saying())


def trial_of(view: CaseView, given: Mapping[str, str]) -> Trial | None:
    """What is tried: by those who read the case for their office only."""
    return trial(given, view.view) if view.view is not None and view.is_official else None


def case_page(
    request: web.Request, view: CaseView, given: Mapping[str, str], saying: Saying
) -> web.Response:
    """The page with what was typed kept in its fields."""
    game, tried = view.view, trial_of(view, given)
    state = view.state
    me = view.found.person.id
    told = request.query.get("done", "")
    return page(
        request,
        "case.html",
        status=saying.status,
        d=case_words(request),
        case=view.case,
        view=view,
        state=state,
        game=game,
        path_of_case=path_of(view),
        plies=plies(game.account) if game else (),
        bars=[time_bar(game.account, side) for side in Side] if game else [],
        disputed=disputed(game, state.opened.question) if game else frozenset(),
        trial=tried,
        pairs={pair.after.ply: pair for pair in tried.comparison.rows if pair.after}
        if tried and tried.comparison
        else {},
        choices=choices(game) if game and tried else (),
        lines=_lines(tried, request.query.get("row", "")) if tried else (),
        saying=saying,
        typed=saying.typed,
        notice=told if told in NOTICES else "",
        may=possibilities(view, me),
        appeal_to=state.instance.above,
        board=Instance.BOARD,
        deposit=core(request).settings.cases.board_deposit,
        limits=_limits(view),
    )


def _limits(view: CaseView) -> list[tuple[int, object]]:
    """Each person's last day of appeal, where his term has begun."""
    return [(person, view.state.appeal_until(person)) for person in sorted(view.state.may_appeal)]


def _lines(tried: Trial, row: str) -> list[tuple[int, int | None, str, str]]:
    """The dispatches tried, one that a row's link asks for, and some blank ones."""
    shown: list[tuple[int, int | None, str, str]] = []
    for line in tried.tried.lines:
        received, sent = _iso(line.received), _iso(line.sent)
        shown.append((len(shown) + 1, line.ply, received, sent))
    known = {line.ply for line in tried.tried.lines}
    if row.isascii() and row.isdigit() and int(row) not in known:
        shown.append((len(shown) + 1, int(row), "", ""))
    blank = min(BLANK_LINES, LINES - len(shown))
    return [*shown, *((len(shown) + 1 + i, None, "", "") for i in range(blank))]


def _iso(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def possibilities(view: CaseView, me: int) -> frozenset[str]:
    """The forms that make sense now; whether one is allowed the case itself says (§ 6.4)."""
    state, found = view.state, view.found
    stage, leads = state.stage, view.is_official and view.bar is None
    before = stage in (CaseStage.OPENED, CaseStage.HEARD)
    is_hearing = state.hearing is not None and not state.hearing.is_closed
    tests = {
        "say": view.is_open and (found.is_party or view.is_official),
        "note": view.is_official,
        "ask": leads and (before or stage is CaseStage.APPEALED),
        "close": leads and (stage is CaseStage.OPENED or is_hearing),
        "suspend": leads and view.is_open and stage is not CaseStage.DECIDED,
        "lift": leads and bool(state.suspended),
        "settle": leads and before,
        "decide": leads and view.is_open,
        "withdraw": before and state.opened.claimant == me,
        "appeal": found.is_party and _may_appeal(view, me),
        "unappeal": any(lodged.by == me for lodged in state.appeals),
    }
    return frozenset(name for name, is_so in tests.items() if is_so)


def _may_appeal(view: CaseView, me: int) -> bool:
    state, until = view.state, view.state.appeal_until(me)
    ripe = state.stage in (CaseStage.DECIDED, CaseStage.APPEALED)
    latest = state.latest
    has_above = latest is not None and latest.instance.above is not None
    lodged = any(appeal.by == me for appeal in state.appeals)
    return ripe and has_above and not lodged and (until is None or view.today <= until)


async def mail(request: web.Request) -> web.Response:
    """A mail as it came, to be saved: an official's, or one's own."""
    view = await seen_case(request)
    raw = await raw_mail(core(request), view, int(request.match_info["mail"]))
    if raw is None:
        raise web.HTTPNotFound
    headers = {
        "Content-Disposition": f'attachment; filename="mail-{request.match_info["mail"]}.eml"'
    }
    return web.Response(body=raw, content_type="message/rfc822", headers=headers)


async def paper(request: web.Request) -> web.Response:
    """A paper of the file, to be saved; never shown as a page of ours."""
    view = await seen_case(request)
    found = await paper_of(core(request), view, int(request.match_info["paper"]))
    if found is None or found.body is None:
        raise web.HTTPNotFound
    ending = {"text/plain": "txt", "application/json": "json"}.get(found.media_type, "bin")
    name = f"{view.case.number.replace('/', '-')}-{found.id}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(
        body=bytes(found.body), content_type="application/octet-stream", headers=headers
    )
