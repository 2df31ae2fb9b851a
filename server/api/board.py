"""The board calls in the shape that Lichess gave them: its programs play here by another address.

Ours are in api/play.py; these say no more. Days become milliseconds until the control; a draw
offered between moves goes with the next one. Not for challenges, seeks, clocks: a leader starts
games here.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal

import chess
from aiohttp import web
from pydantic import Field

from kskak.archive.past_game import pgn
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.play.game_state import GameState
from kskak.regulation.editions import Ending, Result, Side
from server.api.frame.area import Area, Declare
from server.api.frame.endpoints import JSON, NDJSON, PGN, Call, Parameter, too_many
from server.api.frame.game_models import LONGEST_TEXT, ApiBody, NothingBody, bad_fields
from server.api.frame.game_models import json_response as answer_json
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import DONE, Built, ask_once
from server.api.play import view_of
from server.store.engine.rows import DAY_US
from server.store.play.people import PersonRow
from server.usecases.account.signin import xfcc_user
from server.usecases.play.game_views import (
    GameSummaryView,
    GameView,
    game_view,
    my_games,
    view_pgn_facts,
)
from server.usecases.play.open_pages import News, Stream, begin
from server.usecases.play.private_side import ThreadFault, load_own_side, write

area = Area(prefix="")
DAY_MS = DAY_US // 1000
BEAT_S = 7.0
"""Seconds between empty lines, by which a program knows that the stream stands."""
PROOF_S = 40.0
"""Seconds after which it is asked whether the token that opened a stream still stands."""
SLOW_S = 20.0
MOST = 100
"""Games in one export."""
SPEED = "correspondence"
_STATUS = {
    Ending.CHECKMATE: "mate", Ending.STALEMATE: "stalemate", Ending.RESIGNATION: "resign",
    Ending.RULING: "unknownFinish",
}  # fmt: skip
_WINNER = {Result.WHITE_WINS: "white", Result.BLACK_WINS: "black"}

# An example of each answer, for openapi.json.

_ANNA: JsonObject = {"id": "k3", "name": "Anna Ager", "rating": 1950}
_BO: JsonObject = {"id": "k4", "name": "Bo Berg", "rating": 1880}
_STANDARD: JsonObject = {"key": "standard", "name": "Standard", "short": "Sta"}
_ONE: JsonObject = {
    "id": "1301658534371", "gameId": "1301658534371", "fullId": "1301658534371",
    "color": "white", "fen": chess.STARTING_FEN, "hasMoved": False, "isMyTurn": True,
    "lastMove": "", "opponent": {"id": "k4", "username": "Bo Berg"}, "perf": SPEED, "speed": SPEED,
    "rated": True, "source": "swiss", "secondsLeft": 40 * DAY_MS // 1000, "variant": _STANDARD,
    "compat": {"bot": True, "board": True}, "status": {"name": "started"},
}  # fmt: skip
_STATE: JsonObject = {
    "type": "gameState", "moves": "e2e4", "wtime": 40 * DAY_MS, "btime": 40 * DAY_MS,
    "winc": 0, "binc": 0, "wdraw": False, "bdraw": False, "wtakeback": False,
    "btakeback": False, "status": "started",
}  # fmt: skip
_FULL: JsonObject = {
    "type": "gameFull", "id": "1301658534371", "rated": True, "clock": None, "variant": _STANDARD,
    "speed": SPEED, "perf": {"name": "Correspondence"}, "createdAt": 1_788_220_800_000,
    "daysPerTurn": 4, "white": _ANNA, "black": _BO, "initialFen": "startpos", "state": _STATE,
}  # fmt: skip
_ACCOUNT: JsonObject = {
    "id": "k3", "username": "Anna Ager", "createdAt": 1_788_220_800_000,
    "perfs": {SPEED: {"games": 0, "rating": 1950, "rd": 0, "prog": 0}},
    "seenAt": 1_795_845_009_895,
}  # fmt: skip
_GAME_LINES = f"{json.dumps(_FULL)}\n{json.dumps(_STATE)}\n\n"
_PGN = '[Event "K-skak-EMT 2026, K-26-01"]\n[White "Anna Ager"]\n[Black "Bo Berg"]\n\n1. e4 *\n'
_OK: JsonObject = {"ok": True}

# What the answers are made of.


def _variant(setup: str | None) -> JsonObject:
    key, name = ("standard", "Standard") if setup is None else ("fromPosition", "From Position")
    return {"key": key, "name": name, "short": name[:3]}


def _user(person: PersonRow) -> JsonObject:
    rating = person.k_rating or person.rating
    own: JsonObject = {"id": xfcc_user(person.id), "name": person.name}
    return own | ({} if rating is None else {"rating": rating})


def _ms(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _status(state: GameState) -> JsonObject:
    """How a game stands: `outoftime` where time decided it (§ 6.3.3)."""
    if state.result is None:
        return {"status": "started"}
    over = "draw" if state.result is Result.DRAW else "outoftime"
    said: JsonObject = {"status": _STATUS.get(state.ended, over) if state.ended else over}
    if (winner := _WINNER.get(state.result)) is not None:
        said["winner"] = winner
    return said


def _game_state(view: GameView) -> JsonObject:
    state = view.account.state
    running = state.running()
    used = 0 if running is None else state.days_on(running, view.today)
    left: dict[Side, int] = {
        side: state.limit_of(side) - state.clock(side).total
        - (used if running is not None and running.by is side else 0)
        for side in Side
    }  # fmt: skip
    shown: JsonObject = {
        "type": "gameState",
        "moves": " ".join(row.move.uci() for row in view.account.rows),
        "wtime": max(left[Side.WHITE], 0) * DAY_MS, "btime": max(left[Side.BLACK], 0) * DAY_MS,
        "winc": 0, "binc": 0,
        "wdraw": state.draw_offer is Side.WHITE, "bdraw": state.draw_offer is Side.BLACK,
        "wtakeback": False, "btakeback": False,
    }  # fmt: skip
    return shown | _status(state)


def _game_full(view: GameView) -> JsonObject:
    rules = view.game.terms.rules
    each = rules.control_limit(rules.moves_per_control) // rules.moves_per_control
    return {
        "type": "gameFull", "id": str(view.game.id), "rated": True, "clock": None,
        "variant": _variant(view.game.fen), "speed": SPEED, "perf": {"name": "Correspondence"},
        "createdAt": _ms(view.game.terms.start), "daysPerTurn": each,
        "white": _user(view.white), "black": _user(view.black),
        "initialFen": view.game.fen or "startpos", "state": _game_state(view),
    }  # fmt: skip


def _listed(one: GameSummaryView, person_id: int) -> JsonObject:
    """A game in a list and in the stream of events."""
    game, state = one.game, one.game.state()
    opponent = game.black_id if one.side is Side.WHITE else game.white_id
    left = one.my_limit - one.my_total
    shown: JsonObject = {
        "id": str(game.id), "gameId": str(game.id), "fullId": str(game.id),
        "color": one.side.value, "fen": state.board.fen(), "hasMoved": game.ply > 0,
        "isMyTurn": one.is_my_move, "lastMove": one.last.move.uci() if one.last else "",
        "opponent": {"id": xfcc_user(opponent), "username": one.opponent},
        "perf": SPEED, "speed": SPEED, "rated": True, "source": "swiss",
        "secondsLeft": max(left, 0) * DAY_MS // 1000, "variant": _variant(game.fen),
        "compat": {"bot": True, "board": True},
    }  # fmt: skip
    over = _status(state)
    return (
        shown | {"status": {"name": over["status"]}} | {k: over[k] for k in over if k == "winner"}
    )


async def _own_view(call: Call) -> GameView:
    """A game of the caller's own. Raises ApiProblem."""
    view = await view_of(call)
    if view.side_of(call.signed_in.person.id) is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return view


# Who am I, and what do I play.


@area.get("/api/account", "lichess_account", JSON, example=_ACCOUNT)
async def account(call: Call) -> web.Response:
    """The account, in Lichess's shape."""
    person = call.signed_in.person
    rating = person.k_rating or person.rating
    perf: JsonObject = {"games": 0, "rating": rating or 1500, "rd": 0, "prog": 0}
    named: JsonObject = {"id": xfcc_user(person.id), "username": person.name}
    made = person.created_us // 1000
    return answer_json(
        named | {"perfs": {SPEED: perf}, "createdAt": made, "seenAt": call.api.core.now_us // 1000}
    )


def _most(call: Call, name: str, usual: int) -> int:
    """How many a query asks for, at most ``MOST``; ``usual`` where it says none or no number."""
    asked = call.request.query.get(name, "")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) <= 4
    return min(int(asked), MOST) if is_number else usual


@area.get(
    "/api/account/playing", "lichess_playing", JSON, example={"nowPlaying": [_ONE]},
    query=(Parameter("nb", "integer", "How many at most, 50 if not said"),),
)  # fmt: skip
async def playing(call: Call) -> web.Response:
    """The games that run, the most urgent first."""
    core, person = call.actor
    mine = await my_games(core, person.id, running=True)
    listed: list[JsonValue] = [_listed(one, person.id) for one in mine[: _most(call, "nb", 50)]]
    return answer_json({"nowPlaying": listed})


# Streams: a line of JSON for each event, an empty line while nothing happens.

Lines = Callable[[Sequence[News]], Awaitable[Iterable[JsonObject]]]


async def _stream(call: Call, stream: Stream, lines: Lines) -> web.StreamResponse:
    """Answer with ``lines``: at first of no news, then of each. Ends with the token's right."""
    api, request, hub = call.api, call.request, call.api.hub
    stream.is_gone = lambda: request.transport is None or request.transport.is_closing()
    if not hub.open(stream):
        raise too_many(BEAT_S)
    response = web.StreamResponse(headers={"Content-Type": NDJSON, "X-Accel-Buffering": "no"})
    clock = asyncio.get_running_loop().time
    try:
        await begin(api.core, stream, "")
        said, asked = await lines(()), clock()
        await response.prepare(request)
        while True:
            text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in said)
            await asyncio.wait_for(response.write((text or "\n").encode()), SLOW_S)
            if stream.is_over:
                break
            if clock() >= asked + PROOF_S:
                asked = clock()
                await api.doors.let_in(request, asked)
            said = await lines(stream.take()) if await stream.wait(BEAT_S) else ()
    except (ConnectionError, TimeoutError, ApiProblem):
        pass  # who listened is gone or stuck, or may listen no more
    finally:
        hub.close(stream)
    return response


@dataclass(slots=True)
class _Events:
    """A person's games as a stream has told of them: begun, and ended."""

    call: Call
    told: set[int] = field(default_factory=set)

    async def lines(self, _: Sequence[News]) -> Iterable[JsonObject]:
        """Games that it has not told of, and those of them that are over."""
        core, person = self.call.actor
        found: list[JsonObject] = []
        for one in await my_games(core, person.id):
            is_new, is_over = one.game.id not in self.told, one.result is not None
            if is_new is not is_over:
                (self.told.discard if is_over else self.told.add)(one.game.id)
                kind = "gameFinish" if is_over else "gameStart"
                found.append({"type": kind, "game": _listed(one, person.id)})
        return found


@area.get(
    "/api/stream/event", "lichess_events", NDJSON,
    example=f"{json.dumps({'type': 'gameStart', 'game': _ONE})}\n",
)  # fmt: skip
async def events(call: Call) -> web.StreamResponse:
    """Games that begin and end, those that run at first."""
    person = call.signed_in.person
    return await _stream(call, Stream(person.id, person.id, None), _Events(call).lines)


@dataclass(slots=True)
class _GameLines:
    """A game as a stream has told of it."""

    call: Call
    state: JsonObject | None = None
    said: int = 0

    async def lines(self, _: Sequence[News]) -> Iterable[JsonObject]:
        """The whole game at first; then its state whenever it is another, and what is written."""
        view = await _own_view(self.call)
        chat, state = await _chat(self.call, view), _game_state(view)
        found = [] if state == self.state else [state if self.state else _game_full(view)]
        new = chat[self.said :] if self.state else []
        self.state, self.said = state, len(chat)
        line: JsonObject = {"type": "chatLine", "room": "player"}
        return [*found, *(line | one for one in new)]


async def _chat(call: Call, view: GameView) -> list[JsonObject]:
    own = await load_own_side(call.api.core, view, call.signed_in.person.id)
    assert own is not None, "a player's"
    return [{"username": one.name, "text": one.text} for one in own.said]


class ChatBody(ApiBody):
    """A message to the opponent, in the game's thread."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    room: Literal["player"] = "player"


OFFER = Parameter("offeringDraw", "boolean", "Offer a draw with the move")


async def _done(answer: Awaitable[web.Response]) -> web.Response:
    """The short answer of these calls, or the problem."""
    response = await answer
    return answer_json(_OK) if response.status == DONE else response


_REFUSED = (
    Reason.GAME_OVER, Reason.AT_REST, Reason.NOT_YOUR_TURN, Reason.NO_OFFER, Reason.ILLEGAL,
    Reason.NO_OVERSTEP, Reason.DRAW_TOO_EARLY, ApiProblemKind.NOT_UNDERSTOOD,
    ApiProblemKind.NO_PROGRAMS,
)  # fmt: skip
_BOTH = ("board", "bot")
"""Programs by which somebody plays, and programs that play."""


def both_get(path: str, name: str, answer: str, example: object) -> Declare:
    """A reading of a game, for both."""

    def declared(read: Any) -> Any:
        for kind in _BOTH:
            at, name_there = f"/api/{kind}/game/{path}", f"lichess_{kind}_{name}"
            area.get(at, name_there, answer, example=example)(read)
        return read

    return declared


def both_act(path: str, name: str, body: type[ApiBody] = NothingBody) -> Declare:
    """An action in a game, for both."""

    def declared(act: Any) -> Any:
        for kind in _BOTH:
            at, name_there = f"/api/{kind}/game/{path}", f"lichess_{kind}_{name}"
            area.act(at, name_there, JSON, *_REFUSED, body=body, example=_OK)(act)
        return act

    return declared


@both_get("stream/{id}", "stream", NDJSON, _GAME_LINES)
async def game_stream(call: Call) -> web.StreamResponse:
    """A game, and what happens in it."""
    view = await _own_view(call)
    stream = Stream(call.signed_in.person.id, None, view.game.id)
    return await _stream(call, stream, _GameLines(call).lines)


@both_act("{id}/move/{uci}", "move")
async def move(call: Call, raw: bytes, _: NothingBody) -> web.Response:
    """Move, in UCI."""
    await call.api.check_programs(call)
    uci = call.request.match_info["uci"]
    offers = call.request.query.get("offeringDraw") in ("true", "1")

    def build(state: GameState, side: Side) -> Built:
        if state.to_move is not side:
            return cmd.SendMoves(side, state.position.ply, (chess.Move.null(),))
        try:
            found = state.board.copy(stack=False).parse_uci(uci)
        except chess.IllegalMoveError:
            return Refusal(Reason.ILLEGAL)
        except ValueError:
            values = {"text": uci[:60]}
            raise ApiProblem(ApiProblemKind.NOT_UNDERSTOOD, values=values) from None
        return cmd.SendMoves(side, state.position.ply, (found,), (), offers)

    return await _done(ask_once(call, raw, build))


@both_act("{id}/resign", "resign")
async def resign(call: Call, raw: bytes, _: NothingBody) -> web.Response:
    """Resign."""
    return await _done(ask_once(call, raw, lambda _, side: cmd.Resign(side)))


@both_act("{id}/draw/{answer}", "draw")
async def draw(call: Call, raw: bytes, _: NothingBody) -> web.Response:
    """Accept (`yes`) or decline (`no`) an offer; `yes` without one: offer with the next move."""
    answer = call.request.match_info["answer"]
    if answer not in ("yes", "true", "no", "false"):
        raise ApiProblem(ApiProblemKind.NOT_FOUND)

    def build(state: GameState, side: Side) -> Built:
        if answer in ("no", "false"):
            return cmd.DeclineDraw(side)
        is_offered = state.result is not None or state.draw_offer is side.other
        return cmd.AcceptDraw(side) if is_offered else cmd.OfferDraw(side)

    return await _done(ask_once(call, raw, build))


@both_act("{id}/claim-victory", "claim")
@both_act("{id}/claim-victory/", "claim_victory")  # as berserk writes it
async def claim(call: Call, raw: bytes, _: NothingBody) -> web.Response:
    """Claim the opponent's overstep (§ 6.3.3.4)."""
    return await _done(ask_once(call, raw, lambda _, side: cmd.ClaimOverstep(side)))


@both_get("{id}/chat", "chat", JSON, [{"user": "Bo Berg", "text": "Hilsen"}])
async def chat(call: Call) -> web.Response:
    """What the players wrote."""
    said = await _chat(call, await _own_view(call))
    shown = [{"user": one["username"], "text": one["text"]} for one in said]
    return web.json_response(shown, headers={"Cache-Control": "no-store"})


@both_act("{id}/chat", "say", body=ChatBody)
async def say(call: Call, _: bytes, body: ChatBody) -> web.Response:
    """Write to the opponent."""
    core, person = call.actor
    game = (await _own_view(call)).game
    match await write(core, game, person.id, body.text.strip(), secrets.token_hex(16)):
        case ThreadFault.TOO_OFTEN:
            raise too_many(DAY_US / 1_000_000)
        case ThreadFault():
            raise bad_fields([("/text", "not_allowed")])
    return answer_json(_OK)


# Games as PGN, or as JSON to programs that ask for it.


def _export(view: GameView) -> JsonObject:
    state = view.account.state
    sides: JsonObject = {}
    for side in Side:
        user = _user(view.player(side))
        sides[side.value] = {"user": user, "rating": user.get("rating")}
    shown: JsonObject = {
        "id": str(view.game.id), "rated": True, "variant": "standard", "speed": SPEED,
        "perf": SPEED, "createdAt": _ms(view.game.terms.start),
        "lastMoveAt": view.rows[-1].at_us // 1000 if view.rows else None,
        "players": sides, "moves": " ".join(row.san for row in view.account.rows),
    }  # fmt: skip
    return shown | _status(state)


async def _pgn(call: Call, view: GameView) -> str:
    return pgn(view.account, await view_pgn_facts(call.api.core, view))


@area.get("/game/export/{id}", "lichess_export", PGN, example=_PGN)
async def export(call: Call) -> web.Response:
    """A game as PGN, or as JSON if that is asked for."""
    view = await view_of(call)
    if JSON in call.request.headers.get("Accept", ""):
        return answer_json(_export(view))
    return web.Response(text=await _pgn(call, view), content_type=PGN, charset="utf-8")


@area.get(
    "/api/games/user/{username}", "lichess_games", PGN, example=_PGN,
    query=(Parameter("max", "integer", "How many at most, of 100"),),
)  # fmt: skip
async def games_of(call: Call) -> web.Response:
    """Your own games, by your name or number."""
    core, person = call.actor
    wanted = call.request.match_info["username"].casefold()
    if wanted not in (person.name.casefold(), xfcc_user(person.id)):
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    mine = (await my_games(core, person.id))[: _most(call, "max", MOST)]
    views = [await game_view(core, one.game.id) for one in mine]
    found = [view for view in views if view is not None]
    if NDJSON in call.request.headers.get("Accept", ""):
        text = "".join(f"{json.dumps(_export(view), ensure_ascii=False)}\n" for view in found)
        return web.Response(text=text, content_type=NDJSON, charset="utf-8")
    text = "\n".join([await _pgn(call, view) for view in found])
    return web.Response(text=text, content_type=PGN, charset="utf-8")


BOARD = tuple(area.calls)
