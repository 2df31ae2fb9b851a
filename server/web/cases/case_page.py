"""A case on one page: its history, the evidence, readings to try, available actions.

§ 6.4.1-6.4.3. Parties see the same page without the desk's forms; strangers get a 404. Not
for what the forms do (case_forms.py, decision_pages.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

from aiohttp import web

from kskak.cases.aftermath import Irregularity, laws_remedy
from kskak.cases.case import CaseReason, CaseRefusal, CaseStage
from kskak.cases.case_events import CaseKind, GameOrder, Instance, PaperKind
from kskak.cases.what_if import Comparison, GameOutcome, Impossible, effects_from, what_if
from kskak.play.events_in_force import dispatches, find_void_entries
from kskak.play.game_state import Misfit
from kskak.regulation.editions import DISPUTES, Side
from server.usecases.cases.case_actions import paper_for
from server.usecases.cases.case_letter_facts import drafted_reasons
from server.usecases.games.case_opening import OF_PLAYER, UNDECIDED
from server.usecases.play.game_views import GameView
from server.usecases.postal.scans import PAPER_ENDING, PICTURES
from server.web.board.board_view import ScoreSheetPly, plies
from server.web.cases.case_readings import (
    Look,
    adjudication_cards,
    build_position,
    find_visible_case,
    precedents_of,
    raw_mail,
    reading_cards,
)
from server.web.cases.case_texts import (
    LINES,
    CaseWords,
    WhatIfForm,
    choices,
    fields_of,
    load_case_words,
    read_suppositions,
    record_lines,
)
from server.web.frame.context import CASE, PageRoutes, core, or_404, read_only_page
from server.web.frame.forms import PROBLEM_STATUS
from server.web.frame.page_texts import time_bar
from server.web.frame.pages import page

routes = PageRoutes()


def list_ruling_fields(view: Look, d: CaseWords) -> Mapping[str, str]:
    """The fields of an undecided ruling on a player's leaving; empty for other cases.

    The reasons are the facts of a silence or absence, or the words in which it was announced.
    """
    if not (view.leaving and view.can.lead) or view.state.decided:
        return {}
    name = view.case.person or ""
    reasons = drafted_reasons(view.silent.values(), name, d.words)
    if view.case.kind == CaseKind.WITHDRAWAL:
        told = next((one.text for one in view.papers if one.kind == PaperKind.STATEMENT), "")
        reasons = d("leaving.drafted", name=name, text=told) if told else ""
    return {"deed": "rule", "text": reasons} if reasons else {}


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried, and the outcome. ``comparison`` None: nothing tried, or impossible.

    ``orders`` would apply it to the game; ``is_exact``: they give the tried totals and outcome.
    """

    tried: WhatIfForm
    comparison: Comparison | None = None
    impossible: Misfit | None = None
    orders: tuple[GameOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    is_exact: bool = True

    @property
    def totals(self) -> tuple[tuple[Side, int, int], ...]:
        """Each player's total before and after."""
        compared = self.comparison
        return () if compared is None else tuple((side, *compared.totals(side)) for side in Side)

    @property
    def outcomes(self) -> tuple[GameOutcome, ...]:
        """The game's outcome before and after; empty when nothing was tried."""
        return () if self.comparison is None else self.comparison.outcomes


def trial(given: Mapping[str, str], view: GameView, in_question: tuple[str, ...] = ()) -> Trial:
    """Try the facts in the fields on a game, as of its local today.

    Decisions ``in_question`` are left out unless they are marked to be kept (§ 6.4.3).
    """
    found = read_suppositions(given, view, in_question)
    if not found.supposed:
        return Trial(found)
    terms, events, today = view.game.terms, view.events, view.today
    compared = what_if(terms, events, found.supposed, today)
    if isinstance(compared, Impossible):
        return Trial(found, impossible=compared.why)
    carried = effects_from(terms, events, found.supposed, compared, today)
    orders = tuple(GameOrder(view.game.id, effect) for effect in carried.effects)
    return Trial(found, compared, None, orders, carried.annuls, carried.is_exact)


BLANK_LINES = 2
NOTICES = frozenset(
    {
        "said",
        "noted",
        "enclosed",
        "widened",
        "asked",
        "closed",
        "suspended",
        "lifted",
        "settled",
        "withdrawn",
        "appealed",
        "lodged",
        "unappealed",
        "voted",
        "deposit_booked",
        "decided",
    }
)


@dataclass(frozen=True, slots=True)
class CasePageState:
    """What is shown above the case, and input that could not be processed.

    ``letter``: a decision's letter as it was edited and not sent.
    """

    problem: str = ""
    status: int = 200
    typed: Mapping[str, str] = field(default_factory=dict)
    letter: str = ""


FORBIDDEN = frozenset(
    {
        CaseReason.NOT_YOUR_OFFICE,
        CaseReason.NOT_A_PARTY,
        CaseReason.OWN_GROUP,
        CaseReason.OWN_DECISION,
    }
)
"""Refusals that depend on who asks."""


def show_refusal(
    request: web.Request,
    view: Look,
    refusal: CaseRefusal,
    typed: Mapping[str, str],
    given: Mapping[str, str],
    letter: str = "",
) -> web.Response:
    """The case's page with a refusal, keeping what was tried (``given``) and typed."""
    status = 403 if refusal.reason in FORBIDDEN else PROBLEM_STATUS
    problem = load_case_words(request).refusal(refusal)
    return case_page(request, view, given, CasePageState(problem, status, typed, letter))


@routes.get(CASE)
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The page; what is tried is in the address, without blank fields."""
    chosen = request.query.get("game", "")
    view = await find_visible_case(
        request, int(chosen) if chosen.isascii() and chosen.isdigit() else None
    )
    given = fields_of(request.query)
    if "try" in request.query and len(given) < len(request.query):
        given.pop("try", None)
        raise web.HTTPSeeOther(f"{view.path}?{urlencode({**given, 'try': '1'})}#if")
    return case_page(
        request,
        view,
        given,
        CasePageState(typed=list_ruling_fields(view, load_case_words(request))),
    )


def trial_of(view: Look, given: Mapping[str, str]) -> Trial | None:
    """What is tried; only for those who read the case by virtue of their office."""
    if view.view is None or not view.can.try_facts:
        return None
    return trial(given, view.view, view.state.in_question)


def case_page(
    request: web.Request, view: Look, given: Mapping[str, str], saying: CasePageState
) -> web.Response:
    """The page, with what was typed kept in its fields."""
    game, tried = view.view, trial_of(view, given)
    state = view.state
    told = request.query.get("done", "")
    return page(
        request,
        "cases/case.html",
        status=saying.status,
        d=load_case_words(request),
        case=view.case,
        view=view,
        state=state,
        game=game,
        path_of_case=view.path,
        plies=plies(game.account) if game else (),
        bars=[time_bar(game.account, side) for side in Side] if game else [],
        disputed=view.disputed,
        other_cards=view.other_cards,
        **_setting_back(game),
        pictures=PICTURES,
        trial=tried,
        pairs={pair.after.ply: pair for pair in tried.comparison.rows if pair.after}
        if tried and tried.comparison
        else {},
        choices=choices(game, state.in_question) if game and tried else (),
        lines=_lines(tried, request.query.get("row", "")) if tried else (),
        saying=saying,
        typed=saying.typed,
        notice=told if told in NOTICES else "",
        can=view.can,
        record_lines=lambda found: record_lines(found, load_case_words(request).words),
        appeal_to=None if state.latest is None else state.latest.instance.above,
        board=Instance.BOARD,
        votes_missing=DISPUTES.board_members - len(state.votes),
        deposit=view.deposit,
        **_first_seen(request, view, is_busy=bool(given) or _is_below(saying)),
    )


def _is_below(saying: CasePageState) -> bool:
    """Whether what was typed or refused stands in the menu of other deeds, not above it."""
    deed = saying.typed.get("deed", "")
    return deed != "rule" and bool(deed or saying.status >= 400)


NEAR, FOLD = 2, 12
"""Rows of the account shown on either side of a disputed one; an account this short is whole."""


def list_disputed_rows(
    rows: Sequence[ScoreSheetPly], disputed: frozenset[int]
) -> list[ScoreSheetPly]:
    """The account's rows about the disputed moves; empty where it is better shown whole."""
    at = [index for index, row in enumerate(rows) if row.ply in disputed]
    close = [row for i, row in enumerate(rows) if any(abs(i - one) <= NEAR for one in at)]
    return close if len(rows) > FOLD and 2 * len(close) < len(rows) else []


def _first_seen(request: web.Request, view: Look, *, is_busy: bool) -> dict[str, object]:
    """The figure that the case is about, and what answers its question; the last days of appeal.

    Whoever is at work in the menu of other deeds (``is_busy``) finds it open.
    """
    d, state = load_case_words(request), view.state
    cards = adjudication_cards(request, view) or reading_cards(view, d)
    leaving = None if state.decided else view.leaving
    is_ruled = bool(state.decided) and state.stage not in (*UNDECIDED, CaseStage.APPEALED)
    may_decide = view.can.decide or view.can.decide_early
    return build_position(request, view) | {
        "figure": cards[0].figure if cards else None,
        "near": list_disputed_rows,
        "cards": cards if view.can.try_facts else (),
        "precedents": precedents_of(view),
        "leaving": leaving,
        "is_ruled": is_ruled,
        "decides_first": may_decide and not (cards or leaving or is_ruled),
        "left": {row.id: row for row in view.leaving.games} if view.leaving else {},
        "of_player": view.case.kind in OF_PLAYER,
        "is_busy": is_busy or "row" in request.query,
        "limits": _limits(view),
    }


def _limits(view: Look) -> list[tuple[int, object]]:
    """Each person's last day for an appeal, if his term has begun."""
    return [(person, view.state.appeal_until(person)) for person in sorted(view.state.may_appeal)]


def _lines(tried: Trial, row: str) -> list[tuple[int, int | None, str, str]]:
    """The dispatches tried, the one requested by a row's link, and some blank ones."""
    shown: list[tuple[int | None, date | None, date | None]] = [*tried.tried.lines]
    if row.isascii() and row.isdigit() and int(row) not in {ply for ply, _, _ in shown}:
        shown.append((int(row), None, None))
    shown += [(None, None, None)] * min(BLANK_LINES, LINES - len(shown))
    return [
        (number, ply, str(received or ""), str(sent or ""))
        for number, (ply, received, sent) in enumerate(shown, 1)
    ]


@routes.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}")
async def mail(request: web.Request) -> web.Response:
    """A mail as received, as a download, for officials and the player who wrote it."""
    view = await find_visible_case(request)
    raw = or_404(await raw_mail(core(request), view, int(request.match_info["mail"])))
    headers = {
        "Content-Disposition": f'attachment; filename="mail-{request.match_info["mail"]}.eml"'
    }
    return web.Response(body=raw, content_type="message/rfc822", headers=headers)


@routes.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}")
async def paper(request: web.Request) -> web.Response:
    """A paper in the file: a picture inline, all else as a download; scripts can't run."""
    view = await find_visible_case(request)
    known = {paper.id for paper in view.papers}
    wanted = int(request.match_info["paper"])
    if wanted not in known:
        raise web.HTTPNotFound
    found = await paper_for(core(request), view.viewer.person, wanted)
    is_picture = found.media_type in PICTURES
    ending = PAPER_ENDING.get(found.media_type, "bin")
    how = "inline" if is_picture else "attachment"
    headers = {
        "Content-Disposition": f'{how}; filename="{_file_name(view, found.id, ending)}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    kind = found.media_type if is_picture else "application/octet-stream"
    return web.Response(body=bytes(found.body or b""), content_type=kind, headers=headers)


def _file_name(view: Look, paper_id: int, ending: str) -> str:
    return f"{view.case.number.replace('/', '-')}-{paper_id}.{ending}"


def _setting_back(game: GameView | None) -> dict[str, object]:
    """For a ruling that sets the game back: the plies it can choose, those before a dispatch and
    the last; what the edition of the laws asks (FIDE 7); and the entries that are void."""
    if game is None:
        return {"positions": (), "remedies": {}, "gone": ()}
    terms, ply = game.game.terms, game.account.state.position.ply
    return {
        "positions": {ply, *(begins - 1 for begins in dispatches(game.events))} - {0},
        "remedies": {what: laws_remedy(what, terms.laws_year, ply) for what in Irregularity},
        "gone": find_void_entries(game.events),
    }
