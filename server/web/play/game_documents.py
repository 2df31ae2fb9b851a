"""A game's other pages: its account, pictures, PGN, a sheet to keep, a player's private notes.

Whoever may see a game may have its account and, once it is finished, all of it on one A4, as a page
and as a PDF; of what the players wrote that has only what each has written for it. A player's
analysis, notes and messages are for himself alone. Not for which positions a sheet shows
(kskak.statement.account), its layout (mail.outgoing.game_sheet) or a delayed move
(player_actions.py).
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

import chess
from aiohttp import web

from kskak.archive.past_game import MEDIA_TYPE, pgn, unpack_moves, write_tagged_pgn
from kskak.board.analysis_tree import DEEPEST, LONGEST, MOST_MOVES, UnusableTree
from kskak.board.shapes import MoveNotation
from kskak.cases.case import CaseRefusal
from kskak.ledger.ledger_files import clock_json
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import Side
from kskak.statement.account import (
    TurningPoint,
    TurningPointKind,
    iccf_table,
    timeline,
    turning_points,
)
from mail.game_letters.letter_parts import describe_position
from mail.outgoing.blocks import BoardView, GameSheet, Half, Labels
from mail.outgoing.papers import draw_paper
from mail.outgoing.picture import BoardStyle, png
from mail.text.catalogue import FACTS
from mail.text.explanations import write_move_number
from mail.text.letter_facts import move_texts
from server.store.play import notes_and_messages as note_rows
from server.store.play.notes_and_messages import OwnText
from server.store.play.people import PersonRow
from server.usecases.cases import case_actions
from server.usecases.play import private_side
from server.usecases.play.game_views import (
    GameView,
    end_day,
    find_game_opening,
    openings,
    view_pgn_facts,
)
from server.usecases.play.private_side import ThreadFault
from server.usecases.preferences import Preferences
from server.usecases.rights import rights
from server.web.archive import find_game, start_of
from server.web.board.board_view import (
    board_after,
    opening,
    pair_moves,
    picture,
    plies,
    read_line,
    read_ply,
)
from server.web.cases.case_texts import load_case_words
from server.web.frame.context import (
    GAME,
    PREFERENCES,
    PageRoutes,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import PageWords, time_bar
from server.web.frame.pages import new_key, page, pdf_response
from server.web.play.game_page import (
    club_and_rating,
    find_visible_game,
    mark_seen,
    own_game,
    own_side,
    own_values,
)
from server.web.reflection.day_calendar import calendar_of

routes = PageRoutes()

# A game's account as a page, as JSON and as the table of § 6.8.2.


@routes.get(f"{GAME}/statement")
@read_only_page
async def show_statement(request: web.Request) -> web.Response:
    """Every dispatch, with what was charged, what was not, and why."""
    view = await find_visible_game(request)
    account = view.account
    rules = account.terms.rules
    return page(
        request,
        "play/statement.html",
        d=load_case_words(request),
        view=view,
        account=account,
        state=account.state,
        plies=plies(account),
        bars=(time_bar(account, Side.WHITE), time_bar(account, Side.BLACK)),
        rules_days=rules.control_limit(rules.moves_per_control),
        rules_moves=rules.moves_per_control,
        calendar=calendar_of(timeline(account), get_words(request)),
        table=iccf_table(account),
    )


@routes.get(f"{GAME}/statement.json")
async def as_json(request: web.Request) -> web.Response:
    """kskak-clock/1, as of today."""
    view = await find_visible_game(request)
    return web.json_response(clock_json(view.account))


@routes.get(f"{GAME}/statement.txt")
async def as_text(request: web.Request) -> web.Response:
    """The table alone."""
    view = await find_visible_game(request)
    return web.Response(text=iccf_table(view.account), content_type="text/plain", charset="utf-8")


# Pictures of positions and a game's PGN, for use in other programs.


@routes.get(f"{GAME}/board.png")
async def game_picture(request: web.Request) -> web.Response:
    """A position in a game that the viewer may see, as PNG, with his own pieces below."""
    view = await find_visible_game(request)
    person = viewer(request)
    mine = view.side_of(person.id) if person is not None else None
    moves = tuple(row.move for row in view.account.rows)
    return await _picture(request, opening(view.account), moves, mine or Side.WHITE)


@routes.get(r"/archive/{game:\d{1,18}}/board.png")
async def archive_picture(request: web.Request) -> web.Response:
    """A position in an archive game, as PNG."""
    played = (await find_game(request)).game
    return await _picture(request, start_of(played), unpack_moves(played.moves), Side.WHITE)


async def _picture(
    request: web.Request, start: chess.Board, moves: tuple[chess.Move, ...], side: Side
) -> web.Response:
    ply = read_ply(request, len(moves))
    here = board_after(start, moves[:ply])
    line = read_line(request, here)
    last = (*moves[:ply], *line)
    below = side.other if request.query.get("flip") == "1" else side
    board = board_after(here, line)
    chosen = request.get(PREFERENCES, Preferences())
    drawn = BoardStyle(chosen.pieces.value, chosen.board.value)
    data = await asyncio.to_thread(png, board, last[-1] if last else None, below, drawn)
    name = f"{request.path.split('/')[1]}-{request.match_info['game']}-{len(last)}"
    headers = {"Content-Disposition": f'inline; filename="{name}.png"'}
    return web.Response(body=data, content_type="image/png", headers=headers)


@routes.get(f"{GAME}.pgn")
async def game_pgn(request: web.Request) -> web.Response:
    """A game that the viewer may see, as a PGN file for chess programs."""
    view = await find_visible_game(request)
    facts = await view_pgn_facts(core(request), view)
    kept = (char if char.isascii() and char.isalnum() else "-" for char in view.game.name)
    plain = "".join(kept)
    headers = {"Content-Disposition": f'attachment; filename="{plain}.pgn"'}
    text = pgn(view.account, facts)
    return web.Response(text=text, content_type=MEDIA_TYPE, charset="utf-8", headers=headers)


# A finished game to keep: all of it on one A4, as a page and as a PDF.

LONGEST_WORDS = 300
"""Characters of a player's words: both have room below the moves of a long game."""
_BEFORE = frozenset({TurningPointKind.MATERIAL, TurningPointKind.THOUGHT})
_COLUMNS = 3
"""Columns of moves on the page, which the PDF chooses by the room there is."""


async def _finished(request: web.Request) -> GameView:
    """The game in the address; one that still runs leads to its page."""
    view = await find_visible_game(request)
    if view.game.result is None:
        raise web.HTTPSeeOther(f"/games/{view.game.id}")
    return view


@routes.get(f"{GAME}/paper")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The sheet as a page, which a browser prints on one A4 as well."""
    view, person = await _finished(request), viewer(request)
    own = await _list_sheet_words(request, view)
    points, sheet = _sheet(view, own, get_words(request), _address(request, view))
    deep = -(-len(sheet.rows) // _COLUMNS) or 1
    is_player = person is not None and view.side_of(person.id) is not None
    oversees = person is not None and own and await _oversees(request, person, view)
    return page(
        request,
        "play/paper.html",
        view=view,
        mine=own.get(person.id, "") if person is not None and is_player else None,
        most=LONGEST_WORDS,
        written=[one for one in map(view.player, Side) if oversees and one.id in own],
        done=request.query.get("done"),
        sheet=sheet,
        drawn=tuple(
            (picture(one.board, one.side, one.last), one, point.ply)
            for point, one in zip(points, sheet.diagrams, strict=True)
        ),
        columns=[sheet.rows[n : n + deep] for n in range(0, len(sheet.rows), deep)],
    )


@routes.post(f"{GAME}/paper")
@stands_on(show)
async def say(request: web.Request) -> web.Response:
    """A player's own words for the sheet; an empty text takes them off it, and so may an official.

    403 for anybody else.
    """
    person, view, form = signed_in(request), await _finished(request), await form_of(request)
    writer, text, done = form.number("writer") or person.id, "", "taken"
    if writer == person.id and view.side_of(person.id) is not None:
        text, done = form.text("text", LONGEST_WORDS), "kept"
    elif not await _oversees(request, person, view):
        raise web.HTTPForbidden
    await core(request).store.change(
        note_rows.say, view.game.id, writer, text, core(request).now_us
    )
    raise web.HTTPSeeOther(f"/games/{view.game.id}/paper?done={done}#words")


async def _oversees(request: web.Request, person: PersonRow, view: GameView) -> bool:
    return (await rights(core(request), person)).oversees(view.group.id)


async def _list_sheet_words(request: web.Request, view: GameView) -> dict[int, str]:
    return await core(request).store.look(
        lambda conn: note_rows.list_sheet_words(conn, view.game.id)
    )


@routes.get(f"{GAME}/paper.pdf")
async def as_file(request: web.Request) -> web.Response:
    """The same as a PDF of one page."""
    view = await _finished(request)
    said = get_words(request)
    if said.words.writing is MoveNotation.FIGURINES:  # which the fonts of our PDFs do not have
        said = replace(said, words=said.words.wishing(MoveNotation.LETTERS))
    own = await _list_sheet_words(request, view)
    _, sheet = _sheet(view, own, said, _address(request, view))
    dated = end_day(view.game) or view.account.terms.start
    labels = Labels(sheet.title, said.lang, dated)
    data = await asyncio.to_thread(draw_paper, "sheet", sheet, labels)
    return pdf_response(data, view.game.name)


def _address(request: web.Request, view: GameView) -> str:
    return core(request).url(f"/games/{view.game.id}")


def _sheet(
    view: GameView, own: Mapping[int, str], said: PageWords, url: str
) -> tuple[tuple[TurningPoint, ...], GameSheet]:
    """What the sheet says to its reader, and the points that its diagrams show.

    ``own``: the players' words, by person.
    """
    points = turning_points(view.account, openings())
    first, last, years = _span(view)
    names = {side: _names(view, side) for side in Side}
    return points, GameSheet(
        title=f"{names[Side.WHITE]} – {names[Side.BLACK]}",
        lines=tuple(_lines(view, said)),
        players=(_half(view, Side.WHITE, said), _half(view, Side.BLACK, said)),
        years=years,
        days=said.words("paper.days", first=said.day(first), last=said.day(last)),
        diagrams=tuple(_diagram(view, point, said) for point in points),
        head=(
            said.t("score.number"),
            *(text for side in Side for text in (said.side(side), said.words("paper.sent"))),
        ),
        rows=tuple(_rows(view, said)),
        said=tuple(
            f"{player.name}: {' '.join(own[player.id].split())}"
            for player in map(view.player, Side)
            if player.id in own
        ),
        foot=url,
    )


def _names(view: GameView, side: Side) -> str:
    """Everyone who played the side, in order (§ 6.7.4.3)."""
    names = [player.name for player in view.board_players if player.by is side]
    return " / ".join(dict.fromkeys(names)) or view.player(side).name


def _lines(view: GameView, said: PageWords) -> Iterator[str]:
    """The result; where it was played, and the opening."""
    state, found = view.account.state, find_game_opening(view.account)
    ending = f", {said.ending(state.ended)}" if state.ended else ""
    yield f"{said.result(state.result)}{ending}"
    where = (
        view.group.tournament,
        view.group.name,
        said.t("game.round", number=view.game.round),
        f"{found.code} {found.name(FACTS[said.lang].openings)}" if found else "",
    )
    yield " · ".join(filter(None, where))


def _half(view: GameView, side: Side, said: PageWords) -> Half:
    about = (f"{said.side(side)}: {_names(view, side)}", *club_and_rating(view.player(side), said))
    found, (first, last, _) = timeline(view.account), _span(view)
    used = tuple(
        (_part(s.first, first, last), _part(s.last + ONE_DAY, first, last))
        for s in found.stretches
        if s.is_charged and s.by is side
    )
    days = said.time.used(time_bar(view.account, side))
    return Half(" · ".join(about), days, used, side is Side.WHITE)


def _span(view: GameView) -> tuple[date, date, tuple[tuple[float, str], ...]]:
    """The game's first day and its last, and where between them each year begins."""
    start = view.account.terms.start
    days = [s.last for s in timeline(view.account).stretches]
    last = max([start, *days, end_day(view.game) or start])
    years = (date(year, 1, 1) for year in range(start.year + 1, last.year + 1))
    return start, last, tuple((_part(day, start, last), str(day.year)) for day in years)


def _part(day: date, first: date, last: date) -> float:
    """Where a day begins between the first and the end of the last, from 0 to 1."""
    return max(0.0, (day - first).days / ((last - first).days + 1))


def _diagram(view: GameView, point: TurningPoint, said: PageWords) -> BoardView:
    moves = tuple(row.move for row in view.account.rows)
    board = board_after(opening(view.account), moves[: point.ply])
    last = moves[point.ply - 1] if point.ply else None
    caption = _caption(view, point, said)
    return BoardView(board, last, Side.WHITE, caption, describe_position(board, said.words), "")


def _caption(view: GameView, point: TurningPoint, said: PageWords) -> str:
    """What a diagram shows: the move before it, or the one that follows."""
    played, at = plies(view.account), point.ply if point.why in _BEFORE else point.ply - 1
    if point.why is TurningPointKind.START or at < 0:
        return said.words("paper.why.start")
    move = played[at].move
    places = {"move": f"{write_move_number(move.number, move.by)} {said.move(move)}"}
    dates = played[at].dates
    if point.why is TurningPointKind.THOUGHT and dates is not None:
        places["days"] = said.days(dates.days)
    return said.words(f"paper.why.{point.why.value}", **places)


def _rows(view: GameView, said: PageWords) -> Iterator[tuple[str, ...]]:
    """A full move a row: its number, each side's move, and the day it was sent.

    The first day of each year has the year with it.
    """
    year = 0
    for number, *steps in pair_moves(plies(view.account)):
        cells = [f"{number}."]
        for step in steps:
            sent = None if step is None or step.dates is None else step.dates.sent
            day = "" if sent is None else said.short_day(sent)
            if sent is not None and sent.year != year:
                year, day = sent.year, f"{day} {sent.year}"
            cells += ["" if step is None else said.move(step.move), day]
        yield tuple(cells)


CONFLICT, PROBLEM = 409, 422
_THREAD_SHOWN = 50
"""Messages of a thread that a report shows, the newest."""
_MOST = 40_000
"""The most characters accepted in a field: more than is stored, so nothing is truncated."""


@dataclass(frozen=True, slots=True)
class PrivateFormState:
    """The form that was sent (tree, note or message), its text, and what is wrong with it.

    ``kept``: the tree or note as another has saved it meanwhile.
    """

    form: str = ""
    text: str = ""
    fault: str = ""
    status: int = 200
    stamp: int = 0
    kept: OwnText | None = None
    key: str = ""


@routes.get(f"{GAME}/private")
async def show_private(request: web.Request) -> web.Response:
    """The page."""
    return await _page(request, PrivateFormState(), is_read=True)


async def _page(
    request: web.Request, entered: PrivateFormState, *, is_read: bool = False
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
        **own_values(request),
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
    game, lang = (view.game.id, view.account), get_words(request).lang
    try:
        now, is_conflict = await private_side.save_tree(
            core(request), game, person.id, (text, stamp), lang
        )
    except UnusableTree as problem:
        said = _tree_fault(request, problem)
        if is_script:
            return web.json_response({"said": said}, status=PROBLEM)
        return await _page(request, PrivateFormState("tree", text, said, PROBLEM, stamp))
    if is_script:
        kept = {"text": now.text, "stamp": now.stamp}
        return web.json_response(kept, status=CONFLICT if is_conflict else 200)
    if is_conflict and now.text != text:
        said = get_words(request).words("private.tree_conflict")
        entered = PrivateFormState("tree", text, said, CONFLICT, now.stamp, now)
        return await _page(request, entered)
    raise _back(request, form, "saved", "analysis")


def _tree_fault(request: web.Request, problem: UnusableTree) -> str:
    w = get_words(request)
    given = {"what": problem.what[:40], "most": LONGEST, "moves": MOST_MOVES, "deepest": DEEPEST}
    said = w.words(f"private.fault.{problem.fault.value}", **given)
    if problem.after is None:
        return said
    board, move = problem.after
    after = w.words("private.fault_after", move=w.line(move_texts(board, (move,))))
    return f"{said} {after}"


@routes.post(f"{GAME}/share")
async def share(request: web.Request) -> web.Response:
    """Agree to share one's analysis of the finished game with its other player, or no longer."""
    view, person, _ = await own_game(request)
    form, say = await form_of(request), get_words(request).words
    said = say("private.share_said") if form.text("deed", 10) == "share" else None
    if not await private_side.share_tree(core(request), view.game, person.id, said):
        raise web.HTTPForbidden
    raise _back(request, form, "shared", "analysis")


@routes.get(f"{GAME}/analysis.pgn")
async def tree_pgn(request: web.Request) -> web.Response:
    """The tree laid over the game, as a PGN file; ``?of=other``: what is shared with him."""
    view, _, _ = await own_game(request)
    own = await own_side(request, view)
    assert own is not None
    kept = or_404(own.theirs) if request.query.get("of") == "other" else own.tree
    facts = await view_pgn_facts(core(request), view)
    text = private_side.write_tree(view.account, kept, get_words(request).lang)
    name = f"analyse-{view.game.id}.pgn"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    body = write_tagged_pgn(view.account, facts, text)
    return web.Response(text=body, content_type=MEDIA_TYPE, charset="utf-8", headers=headers)


@routes.post(f"{GAME}/note")
@stands_on(show_private)
async def keep_note(request: web.Request) -> web.Response:
    """Save the note; if another tab has saved it meanwhile, both texts are shown."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    text, stamp = form.text("note", _MOST), form.number("stamp") or 0
    if len(text) > private_side.LONGEST_NOTE:
        said = get_words(request).words("private.fault.note", most=private_side.LONGEST_NOTE)
        entered = PrivateFormState("note", text, said, PROBLEM, stamp)
        return await _page(request, entered)
    now = await private_side.save_note(core(request), view.game.id, person.id, text, stamp)
    if now is not None:
        said = get_words(request).words("private.conflict")
        entered = PrivateFormState("note", text, said, CONFLICT, now.stamp, now)
        return await _page(request, entered)
    raise _back(request, form, "noted", "note")


@routes.post(f"{GAME}/thread")
@stands_on(show_private)
async def thread(request: web.Request) -> web.Response:
    """Send a message without a move, or turn the thread's letters off and on."""
    view, person, _ = await own_game(request)
    form = await form_of(request)
    action = form.text("deed", 30)
    if action in ("quiet", "loud"):
        is_quiet = action == "quiet"
        await private_side.make_quiet(core(request), view.game.id, person.id, is_quiet=is_quiet)
        raise _back(request, form, "changed", "thread")
    if action.startswith("report-"):
        await _report(request, view, person, action.removeprefix("report-"))
        raise _back(request, form, "reported", "thread")
    text, key = form.text("message", _MOST), form.text("key", 64) or new_key()
    fault = await private_side.write(core(request), view.game, person.id, text, key)
    if fault is not None:
        said = _thread_fault(request, fault)
        entered = PrivateFormState("message", text, said, PROBLEM, key=key)
        return await _page(request, entered)
    raise _back(request, form, "said", "thread")


async def _report(request: web.Request, view: GameView, person: PersonRow, mark: str) -> None:
    """Report a message; 404 for what is none of the other player's, or is reported already."""
    own, say = await own_side(request, view), get_words(request)
    said = () if own is None else own.said
    wrong = next((one for one in said if one.mark == mark and one.author_id != person.id), None)
    if wrong is None or wrong.is_hidden:
        raise web.HTTPNotFound
    told = [
        f"{say.words('thread.by', name=one.name, day=say.day(one.day))}: {one.text}" for one in said
    ]
    which = say.words("thread.reported", day=say.day(wrong.day))
    text = "\n\n".join([which, wrong.text, say.words("thread.whole"), *told[-_THREAD_SHOWN:]])
    done = await case_actions.report_message(core(request), person, view.game, mark, text)
    if isinstance(done, CaseRefusal):
        raise FormFault("message", load_case_words(request).refusal(done))


def _thread_fault(request: web.Request, fault: ThreadFault) -> str:
    is_often = fault is ThreadFault.TOO_OFTEN
    most = private_side.MOST_A_DAY if is_often else private_side.LONGEST
    return get_words(request).words(
        f"thread.fault.{fault.value}", most=most, lines=private_side.MOST_LINES
    )
