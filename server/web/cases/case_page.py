"""A case on one page: its history, the evidence, readings to try, available actions.

§ 6.4.1-6.4.3. Parties see the same page without the desk's forms; strangers get a 404. Not
for deciding (decision_pages.py).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

from aiohttp import web

from kskak.archive.past_game import MEDIA_TYPE
from kskak.cases import case as case_commands
from kskak.cases.aftermath import GameFate, Irregularity, laws_remedy
from kskak.cases.case import BoardSeat, CaseCommand, CaseReason, CaseRefusal, CaseStage
from kskak.cases.case_events import CaseKind, Deposit, GameOrder, Instance, PaperKind
from kskak.cases.what_if import Comparison, Impossible, effects_from, what_if
from kskak.play.events_in_force import dispatches, find_void_entries
from kskak.play.game_state import Misfit
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import DISPUTES, Side
from kskak.values import whole_number
from mail.office_letters.rulings import absence_text
from mail.text.catalogue import Words
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.cases import case_actions
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_actions import Outcome, enclose, paper_for, widen
from server.usecases.cases.case_decisions import WithdrawalPreview
from server.usecases.cases.case_file import Reader, as_zip, file_of_game, may_have
from server.usecases.cases.case_letter_facts import SilentGame, drafted_reasons
from server.usecases.cases.case_views import CaseStep
from server.usecases.context import Core
from server.usecases.games.case_closing import list_matters
from server.usecases.games.case_opening import DEATH, OF_PLAYER, UNDECIDED
from server.usecases.play.game_views import GameView, game_view, group_pgn
from server.usecases.postal.scans import PAPER_ENDING, PICTURES, ScanFault, read_scan
from server.usecases.rights import NoSuch
from server.web.board.board_view import ScoreSheetPly, plies
from server.web.cases import case_readings, case_texts
from server.web.frame.context import (
    CASE,
    GAME,
    PageRoutes,
    SignInNeeded,
    core,
    get_words,
    or_404,
    read_only_page,
    session_cookie,
    viewer,
)
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, read_file, stands_on
from server.web.frame.page_texts import time_bar
from server.web.frame.pages import page

routes = PageRoutes()


def list_ruling_fields(view: case_readings.Look, d: case_texts.CaseWords) -> Mapping[str, str]:
    """The fields of an undecided ruling on a player's leaving; empty for other cases.

    The reasons are the facts of a silence or absence; what a player told his leader is not in
    them, as the letter goes to his opponents.
    """
    if not (view.leaving and view.can.lead) or view.state.decided:
        return {}
    name = view.case.person or ""
    reasons = drafted_reasons(view.silent.values(), name, d.words)
    if CaseKind.WITHDRAWAL in view.state.kinds:
        is_dead = view.state.opened.question == DEATH
        reasons = d("leaving.drafted_death" if is_dead else "leaving.drafted", name=name)
        return {"deed": "rule", "text": reasons} | ({"has_reason": "1"} if is_dead else {})
    return {"deed": "rule", "text": reasons} if reasons else {}


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried, and the outcome. ``comparison`` None: nothing tried, or impossible.

    ``orders`` would apply it to the game; ``is_exact``: they give the tried totals and outcome.
    """

    tried: case_texts.WhatIfForm
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


def trial(given: Mapping[str, str], view: GameView, in_question: tuple[str, ...] = ()) -> Trial:
    """Try the facts in the fields on a game, as of its local today.

    Decisions ``in_question`` are left out unless they are marked to be kept (§ 6.4.3).
    """
    found = case_texts.read_suppositions(given, view, in_question)
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


@dataclass(frozen=True, slots=True)
class CasePageState:
    """What is shown above the case, and input that could not be processed.

    ``letter``: a decision's letter as it was edited and not sent; ``news``: what others have done
    since the reader saw the case.
    """

    problem: str = ""
    status: int = 200
    typed: Mapping[str, str] = field(default_factory=dict)
    letter: str = ""
    news: Sequence[CaseStep] = ()


FORBIDDEN = frozenset(
    {
        CaseReason.NOT_YOUR_OFFICE,
        CaseReason.NOT_A_PARTY,
        CaseReason.OWN_GROUP,
        CaseReason.OWN_DECISION,
        CaseReason.NOT_SEATED,
    }
)
"""Refusals that depend on who asks."""


def show_refusal(
    request: web.Request,
    view: case_readings.Look,
    refusal: CaseRefusal,
    typed: Mapping[str, str],
    given: Mapping[str, str],
    letter: str = "",
) -> web.Response:
    """The case's page with a refusal, keeping what was tried (``given``) and typed."""
    status = 403 if refusal.reason in FORBIDDEN else PROBLEM_STATUS
    problem = case_texts.load_case_words(request).refusal(refusal)
    return case_page(request, view, given, CasePageState(problem, status, typed, letter))


@routes.get(CASE)
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The page; what is tried is in the address, without blank fields."""
    chosen = whole_number(request.query.get("game", ""))
    view = await case_readings.find_visible_case(request, chosen)
    given = case_texts.fields_of(request.query)
    if "try" in request.query and len(given) < len(request.query):
        given.pop("try", None)
        raise web.HTTPSeeOther(f"{view.path}?{urlencode({**given, 'try': '1'})}#if")
    return case_page(
        request,
        view,
        given,
        CasePageState(typed=list_ruling_fields(view, case_texts.load_case_words(request))),
    )


def trial_of(view: case_readings.Look, given: Mapping[str, str]) -> Trial | None:
    """What is tried; only for those who read the case by virtue of their office."""
    if view.view is None or not view.can.try_facts:
        return None
    return trial(given, view.view, view.state.in_question)


def case_page(
    request: web.Request, view: case_readings.Look, given: Mapping[str, str], saying: CasePageState
) -> web.Response:
    """The page, with what was typed kept in its fields."""
    game, tried = view.view, trial_of(view, given)
    state, compared = view.state, tried and tried.comparison
    notice, action = request.query.get("done", ""), saying.typed.get("deed", "")
    # Whether what was typed or refused stands in the menu of other deeds, not above it.
    is_below = action != "rule" and bool(action or saying.status >= 400)
    return page(
        request,
        "cases/case.html",
        status=saying.status,
        d=case_texts.load_case_words(request),
        case=view.case,
        view=view,
        state=state,
        game=game,
        path_of_case=view.path,
        plies=plies(game.account) if game else (),
        bars=[time_bar(game.account, side) for side in Side] if game else [],
        **_setting_back(game),
        pictures=PICTURES,
        trial=tried,
        pairs={pair.after.ply: pair for pair in compared.rows if pair.after} if compared else {},
        choices=case_texts.choices(game, state.in_question) if game and tried else (),
        lines=_lines(tried, request.query.get("row", "")) if tried else (),
        saying=saying,
        typed=saying.typed,
        notice=notice if notice in NOTICES else "",
        can=view.can,
        record_lines=lambda found: case_texts.record_lines(
            found, case_texts.load_case_words(request).words
        ),
        appeal_to=None if state.latest is None else state.latest.instance.above,
        board=Instance.BOARD,
        votes_missing=DISPUTES.board_members - len(state.votes),
        deposit=view.deposit,
        **_first_seen(request, view, is_busy=bool(given) or is_below),
    )


def _seat_line(view: case_readings.Look, seat: BoardSeat, d: case_texts.CaseWords) -> str:
    """Who sits, and for a substitute in whose place and why (§ 1.3.9)."""
    if not seat.reason:
        return view.name(seat.member)
    key = "vacant" if seat.instead_of is None else "for"
    why, instead = absence_text(seat.reason, d.words), view.name(seat.instead_of)
    return d(f"act.seated_{key}", name=view.name(seat.member), instead=instead, why=why)


def list_punishable(view: case_readings.Look) -> tuple[int, ...]:
    """Whom the form offers to sanction: in a case about conduct whoever it is about (§ 6.4.2).

    His opponents are concerned by his games, and nobody has complained of them.
    """
    opened, about = view.state.opened, view.case.person_id
    named = {order.person for row in view.state.decided for order in row.decision.sanctions}
    if view.case.kind != CaseKind.CONDUCT or about is None:
        return tuple(dict.fromkeys((*opened.parties, *opened.concerned)))
    return tuple(dict.fromkeys((about, *sorted(named), *opened.parties)))


CLAIM_DAYS = 7
"""Days in which the opponent may say whether he claims an overstep, as the page proposes."""
NEAR, FOLD = 2, 12
"""Rows of the account shown on either side of a disputed one; an account this short is whole."""


def list_disputed_rows(
    rows: Sequence[ScoreSheetPly], disputed: frozenset[int]
) -> list[ScoreSheetPly]:
    """The account's rows about the disputed moves; empty where it is better shown whole."""
    at = [index for index, row in enumerate(rows) if row.ply in disputed]
    close = [row for i, row in enumerate(rows) if any(abs(i - one) <= NEAR for one in at)]
    return close if len(rows) > FOLD and 2 * len(close) < len(rows) else []


def _first_seen(
    request: web.Request, view: case_readings.Look, *, is_busy: bool
) -> dict[str, object]:
    """The figure that the case is about, and what answers its question; the last days of appeal.

    Whoever is at work in the menu of other deeds (``is_busy``) finds it open.
    """
    d, state = case_texts.load_case_words(request), view.state
    cards = (
        case_readings.adjudication_cards(request, view)
        or case_readings.conduct_cards(view, d)
        or case_readings.reading_cards(view, d)
    )
    leaving = None if state.decided else view.leaving
    is_ruled = bool(state.decided) and state.stage not in (*UNDECIDED, CaseStage.APPEALED)
    may_decide = view.can.decide or view.can.decide_early
    is_fork = bool(cards) and view.view is not None and CaseKind.OVERSTEP in state.kinds
    claimant = case_readings.find_claimant(view) if is_fork and view.can.ask else None
    return case_readings.build_position(request, view) | {
        "claimant": claimant,
        "claim_until": view.today + CLAIM_DAYS * ONE_DAY,
        "figure": cards[0].figure if cards else None,
        "near": list_disputed_rows,
        "cards": cards if view.can.try_facts else (),
        "precedents": case_readings.precedents_of(view),
        "leaving": leaving,
        "is_ruled": is_ruled,
        "decides_first": may_decide and not (cards or leaving or is_ruled),
        "table": list_player_games(view, leaving),
        "of_player": bool(OF_PLAYER & set(state.kinds)),
        "may_excuse": CaseKind.WITHDRAWAL in state.kinds,
        "is_busy": is_busy or "row" in request.query,
        "seated": [_seat_line(view, seat, d) for seat in view.viewer.panel],
        "punishable": list_punishable(view),
        "limits": [(one, state.appeal_until(one)) for one in sorted(state.may_appeal)],
    }


def list_player_games(
    view: case_readings.Look, leaving: WithdrawalPreview | None
) -> list[tuple[GameRow, list[str], SilentGame | None, GameFate | None]]:
    """The games of a case about a player: what is asked in each, a claim first, how he is silent
    there, and what would become of it if he has left; empty for a case about one game."""
    rows = {row.id: row for row in (*view.rows, *(leaving.games if leaving else ()))}
    fates = {fate.game: fate for fate in leaving.outcome.fates} if leaving else {}
    claimed = {claim.game for claim in view.state.claims}
    asked: dict[int, list[str]] = {game: [CLAIMED] for game in claimed}
    for one in view.games:
        if one.view.game.id not in claimed:
            found = list_matters(one.view.account.state, view.today) & set(view.state.kinds)
            asked[one.view.game.id] = sorted(kind.value for kind in found)
    in_turn = sorted(rows.values(), key=lambda row: (row.id not in claimed, not asked.get(row.id)))
    table = [(r, asked.get(r.id, []), view.silent.get(r.id), fates.get(r.id)) for r in in_turn]
    return table if leaving or (len(table) > 1 and view.case.person_id) else []


CLAIMED = "claimed"
"""What is asked in a game whose overstep an opponent has claimed, as a key of the catalogues."""


def _lines(tried: Trial, row: str) -> list[tuple[int, int | None, str, str]]:
    """The dispatches tried, the one requested by a row's link, and some blank ones."""
    shown: list[tuple[int | None, date | None, date | None]] = [*tried.tried.lines]
    asked = whole_number(row)
    if asked is not None and asked not in {ply for ply, _, _ in shown}:
        shown.append((asked, None, None))
    shown += [(None, None, None)] * min(BLANK_LINES, case_texts.LINES - len(shown))
    return [
        (number, ply, str(received or ""), str(sent or ""))
        for number, (ply, received, sent) in enumerate(shown, 1)
    ]


@routes.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}")
async def mail(request: web.Request) -> web.Response:
    """A mail as received, as a download, for officials and the player who wrote it."""
    view = await case_readings.find_visible_case(request)
    raw = or_404(await case_readings.raw_mail(core(request), view, int(request.match_info["mail"])))
    headers = {
        "Content-Disposition": f'attachment; filename="mail-{request.match_info["mail"]}.eml"'
    }
    return web.Response(body=raw, content_type="message/rfc822", headers=headers)


@routes.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}")
async def paper(request: web.Request) -> web.Response:
    """A paper in the file: a picture inline, all else as a download; scripts can't run."""
    view = await case_readings.find_visible_case(request)
    known = {paper.id for paper in view.papers}
    wanted = int(request.match_info["paper"])
    if wanted not in known:
        raise web.HTTPNotFound
    found = await paper_for(core(request), view.viewer.person, wanted)
    is_picture = found.media_type in PICTURES
    ending = PAPER_ENDING.get(found.media_type, "bin")
    name = view.case.number.replace("/", "-")
    how = "inline" if is_picture else "attachment"
    headers = {
        "Content-Disposition": f'{how}; filename="{name}-{found.id}.{ending}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    kind = found.media_type if is_picture else "application/octet-stream"
    return web.Response(body=bytes(found.body or b""), content_type=kind, headers=headers)


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


# What a case's forms do, except deciding: state, ask, suspend, close, appeal (§ 6.4.1-6.4.3).

LONGEST = 20_000
"""Characters of a statement."""
LONGEST_TITLE = 200
MOST_PUBLISHED = 1_000
ORE = 100


@dataclass(frozen=True, slots=True)
class Ask:
    """A submitted form of a case."""

    core: Core
    person: PersonRow
    view: case_readings.Look
    form: Form
    words: Words
    file: bytes | None = None

    @property
    def about(self) -> tuple[Core, PersonRow, int]:
        """Who asks it, of which case."""
        return self.core, self.person, self.view.case.id

    @property
    def text(self) -> str:
        """The form's text. Raises _Missing when there is none."""
        text = case_texts.read_statement(self.form, self.words, LONGEST)
        if not text:
            raise _Missing("text")
        return text


_BESIDE = {
    "wider": "new_game",
    "day": "until",
    "past": "until",
    "file": "file",
    "deposit": "deposit_day",
}
"""The field beside which a fault is shown, if its name differs."""
MOST_KRONER = 1_000_000


class _Missing(ValueError):
    """A required field is missing or invalid; the argument is the catalogue's word for it."""


Action = Callable[[Ask], Awaitable[Outcome]]


def _command(build: Callable[[Ask], CaseCommand]) -> Action:
    """What a form asks that is one command in the case."""
    return lambda ask: case_actions.act(*ask.about, build(ask))


async def _enclose(ask: Ask) -> Outcome:
    if ask.file is None:
        raise _Missing("file")
    scan = await read_scan(ask.file)
    if isinstance(scan, ScanFault):
        raise _Missing(f"file_{scan.value}")
    is_scan = ask.form.text("kind", 10) == PaperKind.SCAN
    kind = PaperKind.SCAN if is_scan else PaperKind.EVIDENCE
    about = (ask.form.text("title", LONGEST_TITLE), scan.media_type)
    return await enclose(*ask.about, kind, scan.data, *about)


async def _widen(ask: Ask) -> Outcome:
    game, party = ask.form.number("new_game"), ask.form.number("new_party")
    if not (game or party):
        raise _Missing("wider")
    games, parties = (game,) if game else (), (party,) if party else ()
    try:
        return await widen(*ask.about, games, parties)
    except NoSuch:
        raise _Missing("wider") from None


def _ask_parties(ask: Ask) -> CaseCommand:
    until = ask.form.day("until")
    if until is None:
        raise _Missing("day")
    if until < ask.view.today:
        raise _Missing("past")
    asked = (p for p in sorted(ask.view.state.may_appeal) if ask.form.is_ticked(f"ask-{p}"))
    return case_commands.AskParties(until, tuple(asked), ask.form.is_ticked("claim"))


def _suspend(ask: Ask) -> CaseCommand:
    all_games = ask.view.state.opened.games
    games = tuple(game for game in all_games if ask.form.is_ticked(f"game-{game}"))
    return case_commands.SuspendGames(games or all_games)


def _stated(ask: Ask) -> Deposit | None:
    """The deposit given: kroner, day and note; None for none. Raises _Missing if incomplete."""
    kroner, on = ask.form.number("deposit"), ask.form.day("deposit_day")
    if not (ask.form.typed("deposit") or ask.form.typed("deposit_day")):
        return None
    if kroner is None or on is None or kroner > MOST_KRONER:
        raise _Missing("deposit")
    return Deposit(kroner * ORE, on, ask.form.text("deposit_note", 200))


async def _lodge(ask: Ask) -> Outcome:
    """An appeal received by post, with the day it arrived (§ 6.4.3)."""
    on, by = ask.form.day("came"), ask.form.number("appellant")
    if by not in ask.view.state.may_appeal:
        raise _Missing("appellant")
    if on is None:
        raise _Missing("came")
    return await appeal(*ask.about, ask.text, _stated(ask), on, by)


def _vote(ask: Ask) -> CaseCommand:
    upholds = (a.by for a in ask.view.state.appeals if ask.form.is_ticked(f"uphold-{a.by}"))
    return case_commands.CastVote(tuple(upholds), ask.form.text("text", LONGEST))


def _publish(ask: Ask) -> CaseCommand:
    facts, decided = (ask.form.text(name, MOST_PUBLISHED) for name in ("facts", "decided"))
    return case_commands.PublishDecision(facts, decided)


def _deposit(ask: Ask) -> CaseCommand:
    """Record the receipt or repayment of a person's deposit."""
    person, on = ask.form.number("person") or 0, ask.form.day("deposit_day")
    if ask.form.typed("act") == "back" and on is not None:
        return case_commands.PayDepositBack(person, on, ask.form.text("deposit_note", 200))
    came = _stated(ask)
    if came is None:
        raise _Missing("deposit")
    return case_commands.ReceiveDeposit(person, came)


ACTIONS: dict[str, tuple[str, Action]] = {
    "say": ("said", lambda ask: case_actions.speak(*ask.about, ask.text)),
    "note": ("noted", lambda ask: enclose(*ask.about, PaperKind.NOTE, ask.text.encode())),
    "enclose": ("enclosed", _enclose),
    "widen": ("widened", _widen),
    "ask": ("asked", _command(_ask_parties)),
    "close": (
        "closed",
        _command(lambda ask: case_commands.CloseHearing(ask.form.text("text", LONGEST))),
    ),
    "suspend": ("suspended", _command(_suspend)),
    "lift": ("lifted", _command(lambda _: case_commands.LiftSuspension())),
    "settle": ("settled", _command(lambda ask: case_commands.SettleCase(ask.text))),
    "withdraw": ("withdrawn", _command(lambda _: case_commands.WithdrawCase())),
    "appeal": ("appealed", lambda ask: appeal(*ask.about, ask.text, _stated(ask))),
    "lodge": ("lodged", _lodge),
    "unappeal": ("unappealed", _command(lambda _: case_commands.WithdrawAppeal())),
    "vote": ("voted", _command(_vote)),
    "excuse": (
        "excused",
        _command(lambda ask: case_commands.ExcuseMember(ask.form.number("member") or 0, ask.text)),
    ),
    "publish": ("published", _command(_publish)),
    "deposit": ("deposit_booked", _command(_deposit)),
}
"""The actions available by form, each with the notice then shown above the case."""
OF_WHO_LEADS = frozenset({"widen", "ask", "close", "suspend", "lift", "settle", "excuse", "lodge"})
"""What is not done on a case as it was: of two at once the second is told what the first did."""
NOTICES = frozenset({"decided", *(notice for notice, _ in ACTIONS.values())})


@routes.post(f"{CASE}/{{deed}}")
@stands_on(show)
async def do_action(request: web.Request) -> web.Response:
    """Do it, or show the case again with the refusal and what was typed."""
    name = request.match_info["deed"]
    if name not in ACTIONS:
        raise web.HTTPNotFound
    view = await case_readings.find_visible_case(request)
    form = await form_of(request)
    notice, action = ACTIONS[name]
    file = await read_file(request, "file") if name == "enclose" else None
    words = get_words(request).words
    said = case_texts.read_statement(form, words, LONGEST)
    if await _is_repeated(view, said if name == "say" else None, file):
        raise web.HTTPSeeOther(f"{view.path}?done={notice}")
    news = view.list_news(form.number("seen")) if name in OF_WHO_LEADS else ()
    if news and not view.bar:
        typed, problem = {"deed": name, **form.fields}, words("desk.act.meanwhile")
        saying = CasePageState(problem, PROBLEM_STATUS, typed, news=news)
        return case_page(request, view, typed, saying)
    try:
        outcome = await action(Ask(core(request), view.viewer.person, view, form, words, file))
    except _Missing as missing:
        at = _BESIDE.get(str(missing).partition("_")[0], str(missing))
        raise FormFault(at, case_texts.load_case_words(request)(f"missing.{missing}")) from None
    if isinstance(outcome, CaseRefusal):
        typed = {"deed": name, **form.fields}
        return show_refusal(request, view, outcome, typed, typed)
    raise web.HTTPSeeOther(f"{view.path}?done={notice}")


async def _is_repeated(view: case_readings.Look, said: str | None, file: bytes | None) -> bool:
    """Whether the person filed the same words last, or the same file: a button pressed twice."""
    mine = [paper for paper in view.papers if paper.person_id == view.viewer.person.id]
    if file is None:
        return said is not None and bool(mine) and mine[-1].text == said
    scan = await read_scan(file)
    return not isinstance(scan, ScanFault) and scan.digest in {bytes(one.digest) for one in mine}


# A game's case file, for its parties and officials; a group's games as PGN (§ 6.2.3).


@routes.get(f"{GAME}/case.zip")
async def show_case_file(request: web.Request) -> web.Response:
    """The zip: everything for officials, a party's own side for a party."""
    view = or_404(await game_view(core(request), int(request.match_info["game"])))
    person = viewer(request)
    if person is None:
        raise SignInNeeded(request.path)
    plays = view.side_of(person.id) is not None
    if not plays and not await may_have(core(request), person, view.game):
        raise web.HTTPForbidden
    reader = Reader(person.id, is_official=not plays, lang=get_words(request).lang)
    parts = await file_of_game(core(request), view.game.id, reader)
    data = await asyncio.to_thread(as_zip, parts)
    name = f"{view.game.name.replace('/', '-')}.zip".encode("ascii", "replace").decode()
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=data, content_type="application/zip", headers=headers)


@routes.get("/pgn/{name:.+}.pgn")
async def show_group_pgn(request: web.Request) -> web.Response:
    """The games of a group that the reader may see, as PGN; 404 if there is no such group."""
    token = request.cookies.get(session_cookie(request), "")
    visitor = await signin.visitor(core(request), token) if token else None
    person = None if visitor is None else visitor.person
    text = or_404(await group_pgn(core(request), request.match_info["name"], person))
    return web.Response(text=text, content_type=MEDIA_TYPE, charset="utf-8")
