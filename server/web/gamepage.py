"""The game's page: board, time, moves, messages, and the form for a move.

Not for what the form sends (moving.py) nor for draw, resigning and claims (ending.py).
"""

import json
from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.days import local_day
from kskak.quantities import Side
from kskak.statement import Account
from kskak.takeover import TakenOver
from kskak.watching import has_notice
from mail.facts import MoveText
from server.store.cases import CaseRow
from server.store.instants import from_us
from server.store.people import PersonRow
from server.usecases import addresses
from server.usecases.desk import cases_of_game
from server.usecases.offices import Rights, rights
from server.usecases.takeover_objections import takeover_of
from server.usecases.views import GameView, game_view, sees
from server.web.board import picture
from server.web.casewords import CaseWords
from server.web.context import SignInNeeded, core, one_look, viewer, words
from server.web.field import Typed, acceptances, position_after, prefix, valid_count
from server.web.pages import page
from server.web.score import Ply, pairs, plies
from server.web.timebar import TimeBar, time_bar
from server.web.waiting import waits_of


@dataclass(frozen=True, slots=True)
class Doors:
    """What the page leads to: the entry of cards, and the file of the game."""

    cards: bool = False
    file: bool = False


OWN = Doors(cards=True, file=True)
"""A player's."""


def doors_of(held: Rights | None, view: GameView) -> Doors:
    """What is open to who looks, for his office (§ 6.1.1, § 6.4.3)."""
    if held is None:
        return Doors()
    if view.side_of(held.person_id) is not None:
        return OWN
    game, group = view.game.id, view.group.id
    return Doors(held.speaks_for(group), held.has_file_of(game, group))


@dataclass(frozen=True, slots=True)
class Saying:
    """What stands around the game: a notice, or what is wrong with what was entered."""

    notice: str = ""
    problem: str = ""
    status: int = 200
    cases: tuple[CaseRow, ...] = ()
    doors: Doors = OWN
    addresses: tuple[tuple[PersonRow, tuple[str, ...], date | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A message that went with an event."""

    name: str
    day: date
    text: str


@dataclass(frozen=True, slots=True)
class Player:
    """One side of the page: who, with which time."""

    person: PersonRow
    side: Side
    bar: TimeBar


async def seen_game(request: web.Request) -> GameView:
    """The game of the address, if the viewer may see it; else 404, sign-in or 403."""
    view = await game_view(core(request), int(request.match_info["game"]))
    if view is None:
        raise web.HTTPNotFound
    person = viewer(request)
    if await sees(core(request), person, view.game):
        return view
    if person is None:
        raise SignInNeeded(request.path_qs if request.method == "GET" else request.path)
    raise web.HTTPForbidden


async def own_game(request: web.Request) -> tuple[GameView, PersonRow, Side]:
    """The game with the viewer's colour; 403 for who only watches."""
    view = await seen_game(request)
    person = viewer(request)
    side = view.side_of(person.id) if person is not None else None
    if person is None:
        raise SignInNeeded(request.path)
    if side is None:
        raise web.HTTPForbidden
    return view, person, side


def player(view: GameView, side: Side) -> Player:
    """One side of the game."""
    return Player(view.player(side), side, time_bar(view.account, side))


def messages(view: GameView) -> tuple[Said, ...]:
    """What the players wrote to each other, oldest first."""
    names = {person.id: person.name for person in (view.white, view.black)}
    days = {row.seq: local_day(from_us(row.at_us), view.game.zone) for row in view.rows}
    return tuple(
        Said(names.get(one.author_id, ""), days[seq], one.text)
        for seq, one in sorted(view.messages.items())
    )


def last_text(account: Account) -> MoveText | None:
    """The last move in every notation."""
    played: tuple[Ply, ...] = plies(account)
    return played[-1].move if played else None


@one_look
async def show(request: web.Request) -> web.Response:
    """The page as it is opened."""
    view = await seen_game(request)
    notice = "game.sent" if request.query.get("sent") else ""
    person = viewer(request)
    cases = await cases_of_game(core(request), person, view.game)
    held = None if person is None else await rights(core(request), person)
    shown = await addresses.shown(core(request), view, held)
    saying = Saying(notice=notice, cases=cases, doors=doors_of(held, view), addresses=shown)
    return game_page(request, view, Typed(), saying)


def game_page(request: web.Request, view: GameView, typed: Typed, saying: Saying) -> web.Response:
    """The page with what was entered kept in its fields."""
    person = viewer(request)
    mine = view.side_of(person.id) if person is not None else None
    state = view.account.state
    flipped = request.query.get("flip") == "1"
    below = (mine or Side.WHITE).other if flipped else (mine or Side.WHITE)
    is_my_move = mine is not None and state.to_move is mine
    accepted = valid_count(state, request.query.get("accept", "")) if is_my_move else 0
    position = position_after(state, accepted)
    last = view.account.rows[-1].move if view.account.rows else None
    begun = prefix(state, accepted, last_text(view.account))
    return page(
        request,
        "game.html",
        status=saying.status,
        view=view,
        state=state,
        account=view.account,
        saying=saying,
        typed=typed if typed.text or not begun else Typed(begun, typed.offers_draw, typed.message),
        begun=begun,
        mine=mine,
        taken=_taken_over(view, is_party=mine is not None),
        is_my_move=is_my_move,
        has_notice=has_notice(state),
        own_bar=time_bar(view.account, mine) if mine is not None and is_my_move else None,
        waits=waits_of(view.account, words(request)) if is_my_move else (),
        board=picture(position.board, below, state.proposal[accepted - 1] if accepted else last),
        above=player(view, below.other),
        below=player(view, below),
        last=last_text(view.account),
        pairs=pairs(view.account),
        d=CaseWords(words(request).words),
        messages=messages(view),
        acceptances=acceptances(state) if is_my_move else (),
        accepted=accepted,
        moves_json=_moves_json(request, view, accepted) if is_my_move else "[]",
        flip_link=f"/games/{view.game.id}" + ("" if flipped else "?flip=1"),
    )


def _taken_over(view: GameView, *, is_party: bool) -> TakenOver | None:
    """The takeover of a game, for its players while they may object to it."""
    taken = takeover_of(view.rows)
    is_open = is_party and taken is not None and taken.may_be_objected_to(view.today)
    return taken if is_open else None


def _moves_json(request: web.Request, view: GameView, accepted: int) -> str:
    """The lawful moves for the board in the browser: what is played, and how it is written."""
    board = position_after(view.account.state, accepted).board
    said = words(request)
    return json.dumps(
        [[move.uci(), said.letters(board, move)] for move in board.legal_moves],
        ensure_ascii=False,
        separators=(",", ":"),
    )
