"""A player's own analysis, notes and messages in a game: their page and its forms.

Visible only to the player himself. Not for a delayed move (player_actions.py).
"""

from dataclasses import dataclass

from aiohttp import web

from kskak.archive.past_game import MEDIA_TYPE, write_tagged_pgn
from kskak.board.analysis_tree import DEEPEST, LONGEST, MOST_MOVES, UnusableTree
from server.store.play.notes_and_messages import OwnText
from server.usecases.play import private_side
from server.usecases.play.game_views import build_pgn_facts
from server.usecases.play.private_side import Conflict, ThreadFault
from server.web.frame.context import GAME, PageRoutes, core, get_words
from server.web.frame.forms import Form, form_of, stands_on
from server.web.frame.pages import new_key, page
from server.web.play.game_page import mark_seen, own_game, own_side

routes = PageRoutes()

CONFLICT, PROBLEM = 409, 422
_MOST = 40_000
"""The most characters accepted in a field: more than is stored, so nothing is truncated."""


@dataclass(frozen=True, slots=True)
class OwnSidePageState:
    """The forms' contents, and what is wrong with them."""

    tree: str | None = None
    tree_fault: str = ""
    other_tree: OwnText | None = None
    note: str | None = None
    note_fault: str = ""
    stamp: int | None = None
    other: OwnText | None = None
    message: str = ""
    message_fault: str = ""
    key: str = ""
    status: int = 200


@routes.get(f"{GAME}/private")
async def show(request: web.Request) -> web.Response:
    """The page."""
    return await _page(request, OwnSidePageState(), is_read=True)


async def _page(
    request: web.Request, entered: OwnSidePageState, *, is_read: bool = False
) -> web.Response:
    """The page with what was entered, and what is wrong with it; ``is_read``: nothing was."""
    view, _, mine = await own_game(request)
    own = await own_side(request, view)
    assert own is not None
    if is_read:
        await mark_seen(request, view, own)
    return page(
        request,
        "play/private_analysis.html",
        status=entered.status,
        view=view,
        own=own,
        entered=entered,
        opponent=view.player(mine.other),
    )


def _back(request: web.Request, form: Form, done: str, where: str) -> web.HTTPSeeOther:
    """Redirect to the page that the form was on."""
    game = request.match_info["game"]
    own = "" if form.text("back", 10) == "game" else "/private"
    return web.HTTPSeeOther(f"/games/{game}{own}?done={done}#{where}")


@routes.post(f"{GAME}/tree")
async def tree(request: web.Request) -> web.Response:
    """Save the tree, for a form and for the board's script; nothing is overwritten unseen."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    text, stamp = form.typed("tree"), form.number("stamp") or 0
    is_script = "application/json" in request.headers.get("Accept", "")
    game = (view.game.id, view.account)
    try:
        new = (text, stamp)
        saved = await private_side.save_tree(
            core(request), game, person.id, new, get_words(request).lang
        )
    except UnusableTree as problem:
        said = _tree_fault(request, problem)
        if is_script:
            return web.json_response({"said": said}, status=PROBLEM)
        return await _page(request, OwnSidePageState(text, said, stamp=stamp, status=PROBLEM))
    is_conflict = isinstance(saved, Conflict)
    now = saved.kept if isinstance(saved, Conflict) else saved
    if is_script:
        kept = {"text": now.text, "stamp": now.stamp}
        return web.json_response(kept, status=CONFLICT if is_conflict else 200)
    if is_conflict and now.text != text:
        said = get_words(request).words("private.tree_conflict")
        entered = OwnSidePageState(text, said, other_tree=now, stamp=now.stamp, status=CONFLICT)
        return await _page(request, entered)
    raise _back(request, form, "saved", "analysis")


def _tree_fault(request: web.Request, problem: UnusableTree) -> str:
    say = get_words(request).words
    given = {"what": problem.what[:40], "most": LONGEST, "moves": MOST_MOVES, "deepest": DEEPEST}
    said = say(f"private.fault.{problem.fault.value}", **given)
    after = say("private.fault_after", move=problem.after) if problem.after else ""
    return f"{said} {after}".strip()


@routes.get(f"{GAME}/analysis.pgn")
async def tree_pgn(request: web.Request) -> web.Response:
    """The tree laid over the game, as a PGN file for chess programs."""
    view, _, _ = await own_game(request)
    own = await own_side(request, view)
    assert own is not None
    facts = build_pgn_facts(view.group.tournament, view.game, view.account, view.hands)
    text = private_side.write_tree(view.account, own.has.tree, get_words(request).lang)
    name = f"analyse-{view.game.id}.pgn"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    body = write_tagged_pgn(view.account, facts, text)
    return web.Response(text=body, content_type=MEDIA_TYPE, charset="utf-8", headers=headers)


@routes.post(f"{GAME}/note")
@stands_on(show)
async def note(request: web.Request) -> web.Response:
    """Save the note; if another tab has saved it meanwhile, both texts are shown."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    text, stamp = form.text("note", _MOST), form.number("stamp") or 0
    if len(text) > private_side.LONGEST_NOTE:
        said = get_words(request).words("private.fault.note", most=private_side.LONGEST_NOTE)
        entered = OwnSidePageState(note=text, note_fault=said, stamp=stamp, status=PROBLEM)
        return await _page(request, entered)
    saved = await private_side.save_note(core(request), view.game.id, person.id, text, stamp)
    if isinstance(saved, Conflict):
        said, now = get_words(request).words("private.conflict"), saved.kept
        entered = OwnSidePageState(
            note=text, note_fault=said, stamp=now.stamp, other=now, status=CONFLICT
        )
        return await _page(request, entered)
    raise _back(request, form, "noted", "note")


@routes.post(f"{GAME}/thread")
@stands_on(show)
async def thread(request: web.Request) -> web.Response:
    """Send a message without a move, or turn the thread's letters off and on."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    deed = form.text("deed", 10)
    if deed in ("quiet", "loud"):
        is_quiet = deed == "quiet"
        await private_side.make_quiet(core(request), view.game.id, person.id, is_quiet=is_quiet)
        raise _back(request, form, "changed", "thread")
    text, key = form.text("message", _MOST), form.text("key", 64) or new_key()
    fault = await private_side.write(core(request), view.game, person.id, text, key)
    if fault is not None:
        said = _thread_fault(request, fault)
        entered = OwnSidePageState(message=text, message_fault=said, key=key, status=PROBLEM)
        return await _page(request, entered)
    raise _back(request, form, "said", "thread")


def _thread_fault(request: web.Request, fault: ThreadFault) -> str:
    is_often = fault is ThreadFault.TOO_OFTEN
    most = private_side.MOST_A_DAY if is_often else private_side.LONGEST
    return get_words(request).words(
        f"thread.fault.{fault.value}", most=most, lines=private_side.MOST_LINES
    )
