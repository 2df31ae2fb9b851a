"""A player's own analysis, notes and messages in a game: their page and its forms.

Visible only to the player himself (DECISIONS 71). Not for a delayed move (delayed_move.py).
"""

from dataclasses import dataclass

from aiohttp import web

from kskak.board.variation import LineUnread
from mail.text.facts import MoveText
from server.store.play.private_analysis import NoteRow
from server.usecases.play import private_analysis as analysis
from server.usecases.play import quiet_thread
from server.usecases.play.game_views import GameView
from server.usecases.play.private_analysis import LineFault, LineProblem, NoteConflict, Wished
from server.usecases.play.quiet_thread import ThreadFault
from server.web.board.move_list import plies
from server.web.frame.context import core, viewer, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import new_key, page
from server.web.play.game_page import own_game
from server.web.play.own_side import OwnSide, keep_seen, own_side

CONFLICT, PROBLEM = 409, 422
_MOST = 40_000
"""The most characters accepted in a field: more than is stored, so nothing is truncated."""


@dataclass(frozen=True, slots=True)
class Entered:
    """The forms' contents, and what is wrong with them."""

    line: Wished
    line_fault: str = ""
    note: str | None = None
    note_fault: str = ""
    stamp: int | None = None
    other: NoteRow | None = None
    message: str = ""
    message_fault: str = ""
    key: str = ""
    status: int = 200


_BESIDE = {LineFault.COMMENT: "comment", LineFault.PLY: "ply"}
"""Faults of fields other than the moves."""
NEW_LINE = Wished(None, None, "", "")


async def show(request: web.Request) -> web.Response:
    """The page; ``?line=`` puts one line in the form for editing."""
    view, _, _ = await own_game(request)
    own, wanted = await own_side(request, view), request.query.get("line", "")
    assert own is not None
    line = NEW_LINE
    for kept in own.has.lines:
        if str(kept.row.id) == wanted:
            moves = words(request).field_line(kept.moves)
            line = Wished(kept.row.id, kept.row.ply, moves, kept.row.comment)
    await keep_seen(request, view, own)
    return _page(request, view, own, Entered(line))


async def _refused(request: web.Request, view: GameView, entered: Entered) -> web.Response:
    """The page with what was entered, and what is wrong with it."""
    own = await own_side(request, view)
    assert own is not None
    return _page(request, view, own, entered)


def _page(request: web.Request, view: GameView, own: OwnSide, entered: Entered) -> web.Response:
    person = viewer(request)
    mine = None if person is None else view.side_of(person.id)
    assert mine is not None
    return page(
        request,
        "play/private_analysis.html",
        status=entered.status,
        view=view,
        own=own,
        entered=entered,
        opponent=view.player(mine.other),
        starts=_starts(view),
    )


def _starts(view: GameView) -> tuple[tuple[int, MoveText | None], ...]:
    """Where a line may begin, the current position first."""
    told = [(count, ply.move) for count, ply in enumerate(plies(view.account), 1)]
    return (*reversed(told), (0, None))


def _back(request: web.Request, form: Form, done: str, where: str) -> web.HTTPSeeOther:
    """Redirect to the page that the form was on."""
    game = request.match_info["game"]
    own = "" if form.text("back", 10) == "game" else "/private"
    return web.HTTPSeeOther(f"/games/{game}{own}?done={done}#{where}")


@stands_on(show)
async def lines(request: web.Request) -> web.Response:
    """Save a line, or remove one."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    number = form.number("line")
    if form.text("deed", 10) == "remove":
        if number is not None:
            await analysis.remove_line(core(request), view.game.id, person.id, number)
        raise _back(request, form, "removed", "analysis")
    wished = Wished(
        number, form.number("ply"), form.text("moves", _MOST), form.text("comment", _MOST)
    )
    game = (view.game.id, view.account)
    saved = await analysis.save_line(core(request), game, person.id, wished, words(request).lang)
    if isinstance(saved, LineProblem):
        said = _line_fault(request, saved)
        if (name := _BESIDE.get(saved.fault)) is not None:
            raise Fault(name, said)
        entered = Entered(wished, line_fault=said, status=PROBLEM)
        return await _refused(request, view, entered)
    raise _back(request, form, "saved", "analysis")


def _line_fault(request: web.Request, problem: LineProblem) -> str:
    unread = problem.unread
    say = words(request).words
    if isinstance(unread, LineUnread):
        return say(f"private.unread.{unread.error.value}", move=unread.text[:40])
    most = {
        LineFault.TOO_LONG: analysis.MOST_PLIES,
        LineFault.TOO_MANY: analysis.MOST_LINES,
        LineFault.COMMENT: analysis.LONGEST_COMMENT,
    }.get(problem.fault, 0)
    return say(f"private.fault.{problem.fault.value}", most=most)


@stands_on(show)
async def note(request: web.Request) -> web.Response:
    """Save the note; if another tab has saved it meanwhile, both texts are shown."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    text, stamp = form.text("note", _MOST), form.number("stamp") or 0
    if len(text) > analysis.LONGEST_NOTE:
        said = words(request).words("private.fault.note", most=analysis.LONGEST_NOTE)
        entered = Entered(NEW_LINE, note=text, note_fault=said, stamp=stamp, status=PROBLEM)
        return await _refused(request, view, entered)
    saved = await analysis.save_note(core(request), view.game.id, person.id, text, stamp)
    if isinstance(saved, NoteConflict):
        said, now = words(request).words("private.conflict"), saved.kept
        entered = Entered(
            NEW_LINE, note=text, note_fault=said, stamp=now.stamp, other=now, status=CONFLICT
        )
        return await _refused(request, view, entered)
    raise _back(request, form, "noted", "note")


@stands_on(show)
async def thread(request: web.Request) -> web.Response:
    """Send a message without a move, or turn the thread's letters off and on."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    deed = form.text("deed", 10)
    if deed in ("quiet", "loud"):
        is_quiet = deed == "quiet"
        await quiet_thread.make_quiet(core(request), view.game.id, person.id, is_quiet=is_quiet)
        raise _back(request, form, "changed", "thread")
    text, key = form.text("message", _MOST), form.text("key", 64) or new_key()
    fault = await quiet_thread.write(core(request), view.game, person.id, text, key)
    if fault is not None:
        said = _thread_fault(request, fault)
        entered = Entered(NEW_LINE, message=text, message_fault=said, key=key, status=PROBLEM)
        return await _refused(request, view, entered)
    raise _back(request, form, "said", "thread")


def _thread_fault(request: web.Request, fault: ThreadFault) -> str:
    is_often = fault is ThreadFault.TOO_OFTEN
    most = quiet_thread.MOST_A_DAY if is_often else quiet_thread.LONGEST
    return words(request).words(
        f"thread.fault.{fault.value}", most=most, lines=quiet_thread.MOST_LINES
    )
