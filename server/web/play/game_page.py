"""The game page: board, time, moves, messages, both players, the move field, the next game.

Not for what a player does there (player_actions.py).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction

import chess
from aiohttp import web

from kskak.archive.past_game import INDEXED_PLIES
from kskak.board.positions import Position
from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_events import Event, TakenOver
from kskak.play.due_days import has_notice
from kskak.play.game_state import GameState
from kskak.reflection import open_pause
from kskak.regulation.editions import PauseReason, Result, Side
from mail.text.catalogue import halves
from mail.text.letter_facts import MoveText, is_offer_passed, move_texts
from server.store.archive.reading import COMMON
from server.store.cases.cases import CaseRow
from server.store.group_results import Tally
from server.store.mail.outages import GroupOutage, OutageState
from server.store.play.games import version_of
from server.store.play.people import PersonRow
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import ArchiveSearchForm, understood
from server.usecases.cases.case_actions import takeover_of
from server.usecases.desks.desk_overview import cases_of_game
from server.usecases.mail.bounces import Stoppable, stop_time, stoppable
from server.usecases.people import NextGame, mark_opened, next_game, summarize_other_games
from server.usecases.play.game_requests import parse_player_text
from server.usecases.play.game_views import (
    GameView,
    find_game_opening,
    game_view,
    restrict_view,
    scores,
)
from server.usecases.play.private_side import OwnSideView, load_own_side, mark_all_seen, plan_for
from server.usecases.postal import scans
from server.usecases.reflection.leave_year import GameLeave, game_leave
from server.usecases.reflection.silence_and_outages import LISTED_US
from server.usecases.rights import Rights, rights
from server.web.archive import Query, build_opening_line, lines, load_archive_words, total
from server.web.board.board_view import GameStepView, list_script_texts, opening, plies, read_ply
from server.web.cases.case_texts import CaseWords
from server.web.frame.context import (
    GAME,
    PREFERENCES,
    PageRoutes,
    SignInNeeded,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    speak_of,
    viewer,
)
from server.web.frame.forms import FORM, Form
from server.web.frame.page_texts import PageWords, TimeBar, time_bar
from server.web.frame.pages import new_key, page
from server.web.play.my_games import read_number
from server.web.reflection.day_calendar import waits_of
from server.web.reflection.leave import list_month_letters

routes = PageRoutes()

# The outcome of a resignation, offer, claim or notice, shown on the game's page (§ 6.2.6).


PlainCommand = (
    cmd.Resign
    | cmd.AcceptDraw
    | cmd.DeclineDraw
    | cmd.ClaimOverstep
    | cmd.NotifyLongThink
    | cmd.AdmitOverstep
)


class GameQuestion(StrEnum):
    """The questions that have a page of their own."""

    RESIGN = "resign"
    ACCEPT = "accept"
    DECLINE = "decline"
    DRAW = "draw"
    TIME = "time"
    THINK = "think"
    ADMIT = "admit"


class GameQuestionOutcome(StrEnum):
    """The notice afterwards. The ``OFFERED`` ones: the claim was invalid and counts as an offer."""

    RESIGNED = "resigned"
    DRAWN = "drawn"
    OFFERED = "offered"
    OFFERED_WITH_MOVE = "offered_with_move"
    DECLINED = "declined"
    CLAIMED = "claimed"
    ADMITTED = "admitted"
    NOTICED = "noticed"
    ENDED = "ended"


QUESTIONS: dict[GameQuestion, tuple[type[PlainCommand], GameQuestionOutcome]] = {
    GameQuestion.RESIGN: (cmd.Resign, GameQuestionOutcome.RESIGNED),
    GameQuestion.ACCEPT: (cmd.AcceptDraw, GameQuestionOutcome.DRAWN),
    GameQuestion.DECLINE: (cmd.DeclineDraw, GameQuestionOutcome.DECLINED),
    GameQuestion.TIME: (cmd.ClaimOverstep, GameQuestionOutcome.CLAIMED),
    GameQuestion.THINK: (cmd.NotifyLongThink, GameQuestionOutcome.NOTICED),
    GameQuestion.ADMIT: (cmd.AdmitOverstep, GameQuestionOutcome.ADMITTED),
}
"""The commands that need no input, and what each comes to. A draw claim needs its position."""


def find_question_outcome(
    kind: GameQuestion, state: GameState, ply: int | None
) -> GameQuestionOutcome:
    """The outcome, from the state afterwards; ``ply``: the position the question was asked in."""
    if kind is not GameQuestion.DRAW:
        return QUESTIONS[kind][1]
    if state.result is not None:
        is_draw = state.result is Result.DRAW
        return GameQuestionOutcome.DRAWN if is_draw else GameQuestionOutcome.ENDED
    is_moved = state.position.ply != ply
    return GameQuestionOutcome.OFFERED_WITH_MOVE if is_moved else GameQuestionOutcome.OFFERED


def write_outcome_notice(request: web.Request, view: GameView, side: Side | None) -> str:
    """The notice requested in the address, for the player who acted; "" for none."""
    done = request.query.get("done", "")
    if side is None or done not in tuple(GameQuestionOutcome):
        return ""
    name = view.player(side.other).name
    return get_words(request).words(f"endings.done.{done}", name=name)


def write_offer_note(state: GameState, side: Side | None, name: str, said: PageWords) -> str:
    """The note that a player's offer stands or goes with his next move; "" if none (FIDE 9.1)."""
    if side is None or state.result is not None or state.rests:
        return ""
    if state.draw_offer is side:
        turn = "mine" if state.to_move is side else "theirs"
        return said.words(f"endings.standing.{turn}", name=name)
    return said.words("endings.prepared", name=name) if state.prepared_offer is side else ""


_HAPPENED: dict[type[Event], str] = {
    ev.SeriesAdded: "series",
    ev.DrawDeclined: "declined",
    ev.DrawClaimFailed: "claimed",
    ev.OverstepClaimed: "time",
    ev.LongThinkNotified: "think",
}


def write_live_news(view: GameView, said: PageWords) -> str:
    """What an open page says has happened, other than a move; onlookers get no details."""
    last = view.events[-1] if view.events and not view.is_onlooker else None
    if not isinstance(last, ev.PlayerEvent) or type(last) not in _HAPPENED:
        return said.words("live.other")
    name = view.player(last.by).name
    return said.words(f"live.happened.{_HAPPENED[type(last)]}", name=name)


# The contents of the move field: what was typed, and the accepted part of a series.

Reader = tuple[str, date]
"""The language whose piece letters are tried first, and the day."""


@dataclass(frozen=True, slots=True)
class MoveFieldInput:
    """What a player has entered but not sent yet."""

    text: str = ""
    offers_draw: bool = False
    message: str = ""

    @staticmethod
    def of(form: Form) -> "MoveFieldInput":
        """From the fields of the move form."""
        return MoveFieldInput(form.text("text", 400), form.is_ticked("draw"), form.text("message"))


def acceptances(state: GameState) -> tuple[tuple[MoveText, ...], ...]:
    """Every part of the opponent's series that can be accepted, the shortest first.

    Each ends with the proposer's move.
    """
    texts = move_texts(state.board, state.proposal)
    return tuple(texts[:count] for count in range(2, len(state.proposal) + 1, 2))


def count_followed_plies(state: GameState, text: str, last: MoveText | None, reader: Reader) -> int:
    """How many plies of the series a typed text follows, even if its own move is faulty."""
    if not state.proposal or not text.strip():
        return 0
    lang, today = reader
    moves = parse_player_text(state, state.mover, text, lang=lang, today=today).moves
    if len(moves) % 2 and moves[:-1] == state.proposal[: len(moves) - 1] and len(moves) > 1:
        return len(moves) - 1
    typed = " ".join(text.split())
    counts = (len(one) for one in reversed(acceptances(state)))
    return next((n for n in counts if typed.startswith(prefix(state, n, last).strip())), 0)


def position_after(state: GameState, accepted: int) -> Position:
    """The position after the accepted plies of the series."""
    position = state.position
    for move in state.proposal[:accepted]:
        position = position.after(move)
    return position


def valid_count(state: GameState, wished: str) -> int:
    """The number of plies accepted through a link; 0 for anything invalid."""
    if not (wished.isascii() and wished.isdigit() and len(wished) < 4):
        return 0
    count = int(wished)
    return count if count % 2 == 0 and count <= len(state.proposal) else 0


def prefix(state: GameState, accepted: int, last: MoveText | None) -> str:
    """The text before one's own move: the accepted part, numbered, in digits (§ 6.2.1).

    Black begins by repeating White's last move, so that each number has both its moves.
    """
    if not accepted:
        return ""
    moves = list(move_texts(state.board, state.proposal[:accepted]))
    if state.board.turn == chess.BLACK and last is not None:
        moves.insert(0, last)
    number = position_after(state, accepted).board.fullmove_number
    parts = []
    for index, move in enumerate(moves):
        if move.by.value == "white":
            parts.append(f"{move.number}.")
        elif index == 0:
            parts.append(f"{move.number}...")
        parts.append(move.numeric)
    if state.board.turn == chess.WHITE:
        parts.append(f"{number}.")
    return " ".join(parts) + " "


# The two players beside the board: who they are, how they stand in the group, and their time.


async def build_both_sides(
    request: web.Request, view: GameView
) -> dict[Side, tuple[PersonRow, TimeBar, tuple[str, ...]]]:
    """Both sides as a game's page shows them: the player, his time, and what is said about him."""
    tallies, said = await scores(core(request), view), get_words(request)
    return {
        side: (
            view.player(side),
            time_bar(view.account, side),
            _about(view.player(side), tallies[side], said),
        )
        for side in Side
    }


def _about(person: PersonRow, score: Tally, said: PageWords) -> tuple[str, ...]:
    """Club, rating, and the score in the group when a game of his is over."""
    known = club_and_rating(person, said)
    if not score.finished:
        return known
    stands = said.t("time.score", points=halves(Fraction(score.halves, 2)), n=score.finished)
    return (*known, stands)


def club_and_rating(person: PersonRow, said: PageWords) -> tuple[str, ...]:
    """What is known of both."""
    rating = "" if person.rating is None else said.t("time.rating", n=person.rating)
    return tuple(filter(None, (person.club, rating)))


# A player's private side of a game, as shown on the game's page and its own page.

_NOTICES = frozenset({"saved", "noted", "said", "changed", "undone", "reported", "shared"})


async def own_side(request: web.Request, view: GameView) -> OwnSideView | None:
    """The private side for a game's page; None for non-players."""
    person = viewer(request)
    return None if person is None else await load_own_side(core(request), view, person.id)


def own_values(request: web.Request, notice: str = "") -> dict[str, object]:
    """What was just done to the private side, by the address unless told, and a new form's key."""
    done = request.query.get("done", "")
    return {"own_notice": notice or (done if done in _NOTICES else ""), "own_key": new_key()}


async def mark_seen(request: web.Request, view: GameView, own: OwnSideView | None) -> None:
    """Mark what the reader sees as no longer new, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and own is not None:
        await mark_all_seen(core(request), view.game.id, person.id, own)


# A player's planned answer: his own reminder in the move field when its position has come.


def plan_of(request: web.Request, view: GameView, own: OwnSideView | None) -> chess.Move | None:
    """His plan, while the move is his, he has entered nothing and no series is offered to him."""
    state, person = view.account.state, viewer(request)
    is_his = person is not None and view.side_of(person.id) is state.to_move
    if own is None or not is_his or request.get(FORM) is not None or state.proposal:
        return None
    return plan_for(view.account, own.tree, get_words(request).lang)


def fields(
    request: web.Request, view: GameView, own: OwnSideView | None, typed: MoveFieldInput, begun: str
) -> dict[str, object]:
    """What stands in the fields: what was typed, else a series' beginning, else his plan."""
    board = view.account.state.board
    plan = None if typed.text or begun else plan_of(request, view, own)
    planned = "" if plan is None else get_words(request).letters(board, plan)
    return {
        "typed": replace(typed, text=typed.text or begun or planned),
        "plan": () if plan is None else move_texts(board, (plan,)),
    }


# The link from a game to the next one that is waiting for the player's move.


NextGameLink = tuple[int, bool, NextGame | None]
"""Other games where it is the player's move, whether this one has news; the next, after a move."""


async def find_next_game(request: web.Request, view: GameView) -> NextGameLink | None:
    """The way on from a player's own game; None for non-players. Reads only."""
    person = viewer(request)
    if person is None or view.side_of(person.id) is None:
        return None
    waiting, is_news = await summarize_other_games(core(request), person.id, view.game)
    is_sent = bool(request.query.get("sent"))
    found = await next_game(core(request), person.id, view.game.id) if is_sent else None
    return waiting, is_news, found


async def mark_news_seen(request: web.Request, view: GameView, link: NextGameLink | None) -> None:
    """Mark what was new in the game as seen, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and link is not None and link[1]:
        await mark_opened(core(request), person.id, view.game)


@dataclass(frozen=True, slots=True)
class GamePageState:
    """What is shown around the game: a notice, or what is wrong with the input.

    ``meant``: the moves that may have been meant; ``is_file_open``: whether cards and file are
    linked to.
    """

    notice: str = ""
    problem: str = ""
    status: int = 200
    cases: tuple[CaseRow, ...] = ()
    is_file_open: bool = True
    next_game: NextGameLink | None = None
    leave: GameLeave | None = None
    leave_months: Sequence[tuple[int, str]] = ()
    addresses: tuple[tuple[PersonRow, tuple[str, ...], date | None], ...] = ()
    own: OwnSideView | None = None
    own_notice: str = ""
    outcome: str = ""
    stoppable: Stoppable | None = None
    meant: tuple[MoveText, ...] = ()


async def find_visible_game(request: web.Request) -> GameView:
    """The game in the address, if the viewer may see it; else 404, sign-in or 403."""
    view = or_404(await game_view(core(request), int(request.match_info["game"])))
    person = viewer(request)
    shown = await restrict_view(core(request), person, view)
    if shown is not None:
        speak_of(request, shown.group.class_)
        return shown
    if person is None:
        raise SignInNeeded(request.path_qs if request.method == "GET" else request.path)
    raise web.HTTPForbidden


async def own_game(request: web.Request) -> tuple[GameView, PersonRow, Side]:
    """The game with the viewer's colour; 403 for onlookers."""
    view = await find_visible_game(request)
    person = viewer(request)
    side = view.side_of(person.id) if person is not None else None
    if person is None:
        raise SignInNeeded(request.path)
    if side is None:
        raise web.HTTPForbidden
    return view, person, side


def _is_file_open(held: Rights | None, view: GameView) -> bool:
    """Whether the viewer is a player, or may see the file by his office (§ 6.1.1, § 6.4.3)."""
    if held is None:
        return False
    is_player = view.side_of(held.person_id) is not None
    return is_player or held.may_watch(view.game.id, view.group.id)


def _sent(request: web.Request, view: GameView) -> str:
    """What is said after a move was sent, by the letters its player gets; "" for nothing."""
    if not request.query.get("sent"):
        return ""
    has_ended = view.account.state.result is not None
    return f"told.sent.{'ended' if has_ended else request[PREFERENCES].letters}"


async def _sent_before(request: web.Request) -> str:
    """What is said in the next game of the move just sent in another; "" for nothing."""
    number, person = read_number(request, "sent_in"), viewer(request)
    if person is None or not number:
        return ""
    sent = await game_view(core(request), number)
    side = sent.side_of(person.id) if sent is not None else None
    if sent is None or side is None or sent.account.state.to_move is side:
        return ""
    return get_words(request).words("told.sent.before", name=sent.player(side.other).name)


@routes.get(GAME)
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The page as opened; marks what was new to its reader as seen."""
    view = await find_visible_game(request)
    person = viewer(request)
    cases = await cases_of_game(core(request), person, view.game)
    held = None if person is None else await rights(core(request), person)
    shown = await scans.list_visible_addresses(core(request), view, held)
    leave = _leave_of(view)
    saying = GamePageState(
        notice=_sent(request, view),
        cases=cases,
        is_file_open=_is_file_open(held, view),
        next_game=await find_next_game(request, view),
        leave=leave,
        leave_months=list_month_letters(leave, get_words(request)) if leave else (),
        addresses=shown,
        own=await own_side(request, view),
        stoppable=await stoppable(core(request), person, view.game),
        outcome=await _sent_before(request)
        or write_outcome_notice(request, view, _side_of_viewer(request, view)),
    )
    await mark_news_seen(request, view, saying.next_game)
    await mark_seen(request, view, saying.own)
    return await game_page(request, view, MoveFieldInput(), saying)


@routes.get(f"{GAME}/{{step:preview|change|move|hold|delayed}}")
async def back(request: web.Request) -> web.Response:
    """Redirect to the game when a browser reopens a step of sending a move without the form."""
    raise web.HTTPSeeOther(f"/games/{request.match_info['game']}")


async def game_page(
    request: web.Request, view: GameView, typed: MoveFieldInput, saying: GamePageState
) -> web.Response:
    """The page, with what was entered kept in its fields."""
    mine, state = _side_of_viewer(request, view), view.account.state
    is_my_move = mine is not None and state.to_move is mine
    last = plies(view.account)[-1].move if view.account.rows else None
    accepted = _accepted(request, view, typed, last) if is_my_move else 0
    begun = prefix(state, accepted, last)
    shown = _stepping(request, view, mine or Side.WHITE, accepted)
    has_form = is_my_move and not (typed == MoveFieldInput() and is_held(request, saying))
    return page(
        request,
        "play/game.html",
        status=saying.status,
        view=view,
        state=state,
        account=view.account,
        saying=saying,
        **fields(request, view, saying.own, typed, begun),
        **own_values(request, saying.own_notice),
        begun=begun,
        mine=mine,
        taken=_taken_over(view, is_party=mine is not None),
        is_my_move=is_my_move,
        has_form=has_form,
        has_notice=has_notice(state),
        own_bar=time_bar(view.account, mine) if mine is not None and is_my_move else None,
        waits=waits_of(view.account, get_words(request)) if has_form else (),
        shown=shown,
        board=shown.picture(),
        sides=await build_both_sides(request, view),
        last=last,
        **_list_board_notes(request, view, shown, mine),
        **_heard(view, saying.own),
        acceptances=acceptances(state) if has_form else (),
        accepted=accepted,
        moves_json=_moves_json(request, view, accepted) if has_form else "[]",
        script_words=list_script_texts(get_words(request).words),
    )


def _side_of_viewer(request: web.Request, view: GameView) -> Side | None:
    person = viewer(request)
    return None if person is None else view.side_of(person.id)


def _leave_of(view: GameView) -> GameLeave | None:
    """Both players' leave while the game runs (the statement has it later); none for onlookers."""
    state = view.account.state
    return None if view.is_onlooker or state.result else game_leave(state, view.today)


def is_held(request: web.Request, saying: GamePageState) -> bool:
    """Whether a move by the reader is waiting, and he has entered nothing since."""
    own = saying.own
    waits = own is not None and own.waiting is not None and own.waiting.why is None
    return waits and request.get(FORM) is None


def _accepted(
    request: web.Request, view: GameView, typed: MoveFieldInput, last: MoveText | None
) -> int:
    """How many plies of a proposed series are accepted, by what was typed, else by the address."""
    state, form = view.account.state, request.get(FORM)
    text = typed.text or ("" if form is None else form.typed("text"))
    if text:
        return count_followed_plies(state, text, last, (get_words(request).reads, view.today))
    return valid_count(state, request.query.get("accept", ""))


def _stepping(request: web.Request, view: GameView, mine: Side, accepted: int) -> GameStepView:
    """The step viewer for the game, as requested in the address."""
    is_flipped = request.query.get("flip") == "1"
    kept = (("accept", str(accepted)),) if accepted else ()
    return GameStepView(
        key=f"game-{view.game.id}",
        base=f"/games/{view.game.id}",
        names=(view.white.name, view.black.name),
        start=opening(view.account),
        moves=tuple(row.move for row in view.account.rows),
        listed=plies(view.account),
        ply=read_ply(request, len(view.account.rows)),
        side=mine.other if is_flipped else mine,
        kept=(*kept, ("flip", "1")) if is_flipped else kept,
        ahead=tuple(view.account.state.proposal[:accepted]),
    )


def _list_board_notes(
    request: web.Request, view: GameView, shown: GameStepView, mine: Side | None
) -> dict[str, object]:
    """What is shown beside the board."""
    said, state = get_words(request), view.account.state
    opponent = "" if mine is None else view.player(mine.other).name
    running = view.account.running
    return {
        "d": CaseWords(said.words),
        "opening_line": build_opening_line(request, find_game_opening(view.account), shown),
        "silent_since": None if running is None else running.since,
        "proposed": move_texts(state.board, state.proposal),
        "own_offer": write_offer_note(state, mine, opponent, said),
        "is_declined": mine is state.to_move and is_offer_passed(view.account.events),
        "heard": write_live_news(view, said),
        "outages": _outages(request, view),
        "is_suspended": open_pause(state.bookings, PauseReason.DISPUTE) is not None,
    }


def _heard(view: GameView, own: OwnSideView | None) -> dict[str, object]:
    """What a page knows about messages: with which move each was sent, and the latest version."""
    said = () if own is None else own.said
    return {
        "said_with": {one.ply: one for one in said if one.ply and not one.is_hidden},
        "version": version_of(view.heard, 0 if own is None else own.last),
    }


def _taken_over(view: GameView, *, is_party: bool) -> TakenOver | None:
    """The game's takeover, for its players while they may object to it."""
    taken = takeover_of(view.rows)
    is_open = is_party and taken is not None and taken.may_be_objected_to(view.today)
    return taken if is_open else None


def _outages(request: web.Request, view: GameView) -> tuple[GroupOutage, ...]:
    """The outages to tell of: those not decided on, and those declined lately."""
    since = core(request).now_us - LISTED_US
    return tuple(
        one
        for one in view.outages
        if one.standing is not OutageState.DECLINED or one.decided_us >= since
    )


def _moves_json(request: web.Request, view: GameView, accepted: int) -> str:
    """The legal moves for the board in the browser, each with its written form."""
    board = position_after(view.account.state, accepted).board
    said = get_words(request)
    return json.dumps(
        [[move.uci(), said.letters(board, move)] for move in board.legal_moves],
        ensure_ascii=False,
        separators=(",", ":"),
    )


# The archive's openings beside a game: what was played in the position on its board, with results,
# and the two players' own games with it. A piece of a page, fetched when its tab is opened.


@routes.get(f"{GAME}/openings")
@read_only_page
async def show_opening_panel(request: web.Request) -> web.Response:
    """The panel for ``?position=``, a FEN; 404 for what is none."""
    view = await find_visible_game(request)
    asked = understood(ArchiveSearchForm(position=request.query.get("position", "")))
    if asked.wanted.position is None or asked.board is None:
        raise web.HTTPNotFound
    person = viewer(request)
    players = [view.white, view.black]
    players.sort(key=lambda one: person is None or one.id != person.id)
    found = await archive_views.book(
        core(request), asked.wanted.position, [one.id for one in players]
    )
    query = Query(asked=ArchiveSearchForm(position=request.query["position"]))
    return page(
        request,
        "play/opening_panel.html",
        a=load_archive_words(request),
        found=found,
        own=tuple(zip(players, found.games, strict=True)),
        total=total(found.branches),
        lines=lines(query, asked.board, found.branches),
        plies_kept=INDEXED_PLIES,
        common=COMMON,
    )


# The leader stops the time of a player whose mail comes back (§ 6.8.2). Not for the letters.


@routes.post(f"{GAME}/unreached")
async def stop(request: web.Request) -> web.Response:
    """Stop it and go back to the game; 403 for all but its leader, or if no letter came back."""
    person, view = signed_in(request), await find_visible_game(request)
    if not await stop_time(core(request), person, view.game):
        raise web.HTTPForbidden
    raise web.HTTPSeeOther(f"/games/{view.game.id}")
