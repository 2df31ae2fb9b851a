"""What a case's forms do, except deciding: state, ask, suspend, close, appeal (§ 6.4.1-6.4.3).

Rights are checked by the use case and the domain; a refusal appears on the case's page with its
paragraph. Not for decisions (decision_pages.py).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from kskak.archive.past_game import MEDIA_TYPE
from kskak.cases import case as case_commands
from kskak.cases.case import CaseCommand, CaseRefusal
from kskak.cases.case_events import Deposit, PaperKind
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.cases import case_actions
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_actions import Outcome, enclose, widen
from server.usecases.cases.case_file import Reader, as_zip, file_of_game, may_have
from server.usecases.context import Core
from server.usecases.play.game_views import game_view, group_pgn
from server.usecases.postal.scans import ScanFault, read_scan
from server.usecases.rights import NoSuch
from server.web.cases.case_page import show as case_page_show
from server.web.cases.case_page import show_refusal
from server.web.cases.case_readings import Look, find_visible_case
from server.web.cases.case_texts import load_case_words
from server.web.frame.context import (
    CASE,
    GAME,
    PageRoutes,
    SignInNeeded,
    core,
    get_words,
    or_404,
    session_cookie,
    viewer,
)
from server.web.frame.forms import Form, FormFault, form_of, read_file, stands_on

routes = PageRoutes()

LONGEST = 20_000
"""Characters of a statement."""
LONGEST_TITLE = 200
ORE = 100


@dataclass(frozen=True, slots=True)
class Ask:
    """A submitted form of a case."""

    core: Core
    person: PersonRow
    view: Look
    form: Form
    file: bytes | None = None

    @property
    def case_id(self) -> int:
        return self.view.case.id

    @property
    def text(self) -> str:
        """The form's text. Raises _Missing when there is none."""
        text = self.form.text("text", LONGEST)
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
    return lambda ask: case_actions.act(ask.core, ask.person, ask.case_id, build(ask))


async def _say(ask: Ask) -> Outcome:
    return await case_actions.speak(ask.core, ask.person, ask.case_id, ask.text)


async def _note(ask: Ask) -> Outcome:
    return await enclose(ask.core, ask.person, ask.case_id, PaperKind.NOTE, ask.text.encode())


async def _enclose(ask: Ask) -> Outcome:
    if ask.file is None:
        raise _Missing("file")
    scan = await read_scan(ask.file)
    if isinstance(scan, ScanFault):
        raise _Missing(f"file_{scan.value}")
    is_scan = ask.form.text("kind", 10) == PaperKind.SCAN
    kind = PaperKind.SCAN if is_scan else PaperKind.EVIDENCE
    told = (ask.form.text("title", LONGEST_TITLE), scan.media_type)
    return await enclose(ask.core, ask.person, ask.case_id, kind, scan.data, *told)


async def _widen(ask: Ask) -> Outcome:
    game, party = ask.form.number("new_game"), ask.form.number("new_party")
    if not (game or party):
        raise _Missing("wider")
    games, parties = (game,) if game else (), (party,) if party else ()
    try:
        return await widen(ask.core, ask.person, ask.case_id, games, parties)
    except NoSuch:
        raise _Missing("wider") from None


def _ask_parties(ask: Ask) -> CaseCommand:
    until = ask.form.day("until")
    if until is None:
        raise _Missing("day")
    if until < ask.view.today:
        raise _Missing("past")
    asked = (p for p in sorted(ask.view.state.may_appeal) if ask.form.is_ticked(f"ask-{p}"))
    return case_commands.AskParties(until, tuple(asked))


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


async def _appeal(ask: Ask) -> Outcome:
    return await appeal(ask.core, ask.person, ask.case_id, ask.text, _stated(ask))


async def _lodge(ask: Ask) -> Outcome:
    """An appeal received by post, with the day it arrived (§ 6.4.3)."""
    on, by = ask.form.day("came"), ask.form.number("appellant")
    if by not in ask.view.state.may_appeal:
        raise _Missing("appellant")
    if on is None:
        raise _Missing("came")
    return await appeal(ask.core, ask.person, ask.case_id, ask.text, _stated(ask), on, by)


def _vote(ask: Ask) -> CaseCommand:
    upholds = (a.by for a in ask.view.state.appeals if ask.form.is_ticked(f"uphold-{a.by}"))
    return case_commands.CastVote(tuple(upholds), ask.form.text("text", LONGEST))


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
    "say": ("said", _say),
    "note": ("noted", _note),
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
    "appeal": ("appealed", _appeal),
    "lodge": ("lodged", _lodge),
    "unappeal": ("unappealed", _command(lambda _: case_commands.WithdrawAppeal())),
    "vote": ("voted", _command(_vote)),
    "deposit": ("deposit_booked", _command(_deposit)),
}
"""The actions available by form, each with the notice then shown above the case."""


@routes.post(f"{CASE}/{{deed}}")
@stands_on(case_page_show)
async def do(request: web.Request) -> web.Response:
    """Do it, or show the case again with the refusal and what was typed."""
    name = request.match_info["deed"]
    if name not in ACTIONS:
        raise web.HTTPNotFound
    view = await find_visible_case(request)
    form = await form_of(request)
    told, deed = ACTIONS[name]
    file = await read_file(request, "file") if name == "enclose" else None
    if (name == "say" and _is_repeated_statement(view, form)) or await _enclosed_already(
        view, file
    ):
        raise web.HTTPSeeOther(f"{view.path}?done={told}")
    try:
        outcome = await deed(Ask(core(request), view.viewer.person, view, form, file))
    except _Missing as missing:
        at = _BESIDE.get(str(missing).partition("_")[0], str(missing))
        raise FormFault(at, load_case_words(request)(f"missing.{missing}")) from None
    if isinstance(outcome, CaseRefusal):
        typed = {"deed": name, **form.fields}
        return show_refusal(request, view, outcome, typed, typed)
    raise web.HTTPSeeOther(f"{view.path}?done={told}")


def _is_repeated_statement(view: Look, form: Form) -> bool:
    """Whether the person's latest paper has the same text: the button was pressed twice."""
    mine = [paper for paper in view.papers if paper.person_id == view.viewer.person.id]
    return bool(mine) and mine[-1].text == form.typed("text")


async def _enclosed_already(view: Look, file: bytes | None) -> bool:
    """Whether the person already filed the same file: the button was pressed twice."""
    if file is None:
        return False
    scan = await read_scan(file)
    if isinstance(scan, ScanFault):
        return False
    mine = [paper for paper in view.papers if paper.person_id == view.viewer.person.id]
    return any(bytes(paper.digest) == scan.digest for paper in mine)


# A game's case file, for its parties and officials; a group's games as PGN (§ 6.2.3).


@routes.get(f"{GAME}/case.zip")
async def show(request: web.Request) -> web.Response:
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
async def group(request: web.Request) -> web.Response:
    """The games of a group that the reader may see, as PGN; 404 if there is no such group."""
    token = request.cookies.get(session_cookie(request), "")
    visitor = await signin.visitor(core(request), token) if token else None
    person = None if visitor is None else visitor.person
    text = or_404(await group_pgn(core(request), request.match_info["name"], person))
    return web.Response(text=text, content_type=MEDIA_TYPE, charset="utf-8")
