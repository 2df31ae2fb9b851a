"""Parts of the game's page.

Outcomes, the move field, both players, the player's own side, the next game.
"""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction

import chess
from aiohttp import web

from kskak.board.positions import Position
from kskak.game import game_events as ev
from kskak.game.game_events import Event
from kskak.play.game_state import GameState
from kskak.regulation.editions import Result, Side
from mail.text.catalogue import halves
from mail.text.letter_facts import MoveText, move_texts
from server.store.group_results import Tally
from server.store.play.people import PersonRow
from server.usecases.people import NextGame, mark_opened, next_game, summarize_other_games
from server.usecases.play.game_requests import parse_player_text
from server.usecases.play.game_views import GameView, scores
from server.usecases.play.private_notes import OwnSideView, load_own_side, mark_all_seen, plan_for
from server.web.frame.context import core, get_words, viewer
from server.web.frame.forms import FORM, Form
from server.web.frame.page_texts import PageWords, TimeBar, time_bar
from server.web.frame.pages import new_key
from server.web.reflection.day_calendar import MineWords

# The outcome of a resignation, offer, claim or notice, shown on the game's page (§ 6.2.6).


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


_OUTCOMES = {
    GameQuestion.RESIGN: GameQuestionOutcome.RESIGNED,
    GameQuestion.ACCEPT: GameQuestionOutcome.DRAWN,
    GameQuestion.DECLINE: GameQuestionOutcome.DECLINED,
    GameQuestion.TIME: GameQuestionOutcome.CLAIMED,
    GameQuestion.THINK: GameQuestionOutcome.NOTICED,
    GameQuestion.ADMIT: GameQuestionOutcome.ADMITTED,
}


def find_question_outcome(
    kind: GameQuestion, state: GameState, ply: int | None
) -> GameQuestionOutcome:
    """The outcome, from the state afterwards; ``ply``: the position the question was asked in."""
    if kind is not GameQuestion.DRAW:
        return _OUTCOMES[kind]
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


@dataclass(frozen=True, slots=True)
class PlayerSideView:
    """One side of the page: the player, what is said about him, and his time."""

    person: PersonRow
    side: Side
    bar: TimeBar
    about: tuple[str, ...]


async def build_both_sides(request: web.Request, view: GameView) -> dict[Side, PlayerSideView]:
    """Both sides of a game, as its page shows them."""
    stands, said = await scores(core(request), view), get_words(request)
    return {
        side: PlayerSideView(
            view.player(side),
            side,
            time_bar(view.account, side),
            _about(view.player(side), stands[side], said),
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

_NOTICES = frozenset({"saved", "noted", "said", "changed", "undone"})


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What a page shows. ``notice``: what was just done; ``key``: the next message's key."""

    has: OwnSideView
    notice: str
    key: str


async def own_side(request: web.Request, view: GameView) -> OwnSide | None:
    """The private side for a game's page; None for non-players."""
    person = viewer(request)
    found = None if person is None else await load_own_side(core(request), view, person.id)
    if found is None:
        return None
    done = request.query.get("done", "")
    return OwnSide(found, done if done in _NOTICES else "", new_key())


async def mark_seen(request: web.Request, view: GameView, own: OwnSide | None) -> None:
    """Mark what the reader sees as no longer new, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and own is not None:
        await mark_all_seen(core(request), view.game.id, person.id, own.has)


# A player's planned answer: his own reminder in the move field when its position has come.


def plan_of(request: web.Request, view: GameView, own: OwnSide | None) -> chess.Move | None:
    """His plan, while the move is his, he has entered nothing and no series is offered to him."""
    state, person = view.account.state, viewer(request)
    is_his = person is not None and view.side_of(person.id) is state.to_move
    if own is None or not is_his or request.get(FORM) is not None or state.proposal:
        return None
    return plan_for(view.account, own.has.tree, get_words(request).lang)


def fields(
    request: web.Request, view: GameView, own: OwnSide | None, typed: MoveFieldInput, begun: str
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


@dataclass(frozen=True, slots=True)
class NextGameLink:
    """``waiting``: other games where it is the player's move; ``found`` after sending a move."""

    m: MineWords
    waiting: int
    is_my_move: bool
    is_news: bool
    found: NextGame | None = None


async def onward_of(request: web.Request, view: GameView) -> NextGameLink | None:
    """The way on from a player's own game; None for non-players. Reads only."""
    person = viewer(request)
    if person is None or view.side_of(person.id) is None:
        return None
    waiting, is_news = await summarize_other_games(core(request), person.id, view.game)
    is_my_move = view.game.to_move_id == person.id
    found = None
    if request.query.get("sent"):
        found = await next_game(core(request), person.id, view.game.id)
    m = MineWords(get_words(request).words)
    return NextGameLink(m, waiting, is_my_move, is_news, found)


async def mark_news_seen(request: web.Request, view: GameView, onward: NextGameLink | None) -> None:
    """Mark what was new in the game as seen, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and onward is not None and onward.is_news:
        await mark_opened(core(request), person.id, view.game)
