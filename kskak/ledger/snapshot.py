"""A game's state as plain JSON values and back, so that a move needs no replay.

They hold no rule and no history: ``replay`` of the ledger gives the same state, and the
server checks it (``kskak verify``). Not for exchange, nor for the text they are stored as.
"""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

import chess

from kskak.board.moves import Position
from kskak.game import events as ev
from kskak.game.card_mode import NOTHING_SAID, Means
from kskak.ledger.ledger_in import LedgerError
from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.ledger.stored_events import dump_event, load_event
from kskak.play.recent import Recent, move_of
from kskak.play.state import HOLIDAYS_ONLY, GameState, PlayerClock, Terms, Turn
from kskak.reflection.control import Overstep
from kskak.reflection.leave import Booking, calendar_of
from kskak.reflection.silence import QUIET, Silence
from kskak.regulation.quantities import Ending, Finding, Result, Side

_T = TypeVar("_T")


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _dates(days: tuple[date, ...]) -> list[JsonValue]:
    return [day.isoformat() for day in days]


def _board(board: chess.Board) -> list[JsonValue]:
    """The board's own numbers: reading a FEN takes twenty times as long."""
    return [
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.turn,
        board.castling_rights,
        board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
    ]


def _load_board(value: list[Any]) -> chess.Board:
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = value[:6]
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = value[6:8]
    board.occupied = value[6] | value[7]
    board.turn, board.castling_rights, board.ep_square = value[8:11]
    board.halfmove_clock, board.fullmove_number = value[11:]
    return board


def _clock(clock: PlayerClock) -> list[JsonValue]:
    return [clock.total, clock.moves, clock.faults]


def _turn(turn: Turn) -> JsonObject:
    out: JsonObject = {
        "opponent_sent": _iso(turn.opponent_sent),
        "fixed": _iso(turn.fixed),
        "seen": _iso(turn.seen),
        "warned": _iso(turn.warned),
    }
    if turn.watched is not None:
        out["watched"] = turn.watched.isoformat()
    if turn.said is not QUIET and turn.said != QUIET:
        said = turn.said
        out["said"] = [_dates(said.notices), _dates(said.reminders), _dates(said.leader_told)]
    return out


def _overstep(overstep: Overstep | None) -> JsonValue:
    if overstep is None:
        return None
    return [
        overstep.by.value,
        overstep.move,
        overstep.limit,
        overstep.used,
        overstep.on.isoformat(),
        overstep.finding.value,
    ]


def dump_state(state: GameState) -> JsonObject:
    """The state as JSON values, without the terms."""
    position = state.position
    out: JsonObject = {
        "board": _board(position.board),
        "ply": position.ply,
        "keys": list(position.keys),
        "turn": _turn(state.turn),
        "settled": state.settled.isoformat(),
        "white": _clock(state.white),
        "black": _clock(state.black),
        "bookings": [[b.entry, json.loads(dump_event(b.booked))] for b in state.bookings],
        "proposal": [move.uci() for move in state.proposal],
        "overstep": _overstep(state.overstep),
        "ended": state.ended,
        "result": state.ended_result,
        "offer": state.draw_offer,
        "prepared": state.prepared_offer,
        "waived": state.is_overstep_waived,
        "recent": state.recent.text,
    }
    if state.awaits_decision:
        out["awaits"] = True
    if state.means != NOTHING_SAID:
        out["means"] = [state.means.white, state.means.black]
    return out


def _load_days(value: object) -> tuple[date, ...]:
    return tuple(date.fromisoformat(str(day)) for day in value) if isinstance(value, list) else ()


def _day(value: str | None) -> date | None:
    return None if value is None else date.fromisoformat(value)


def _load_turn(value: Mapping[str, Any]) -> Turn:
    said = QUIET
    if "said" in value:
        said = Silence(*(_load_days(days) for days in value["said"]))
    days = (_day(value["opponent_sent"]), _day(value["fixed"]), _day(value["seen"]))
    warned, watched = _day(value["warned"]), _day(value.get("watched"))
    return Turn(*days, said=said, warned=warned, watched=watched)


def _load_overstep(value: object) -> Overstep | None:
    if not isinstance(value, list):
        return None
    by, move, limit, used, on, finding = value
    return Overstep(Side(by), move, limit, used, date.fromisoformat(on), Finding(finding))


def _optional(kind: Callable[[str], _T], value: object) -> _T | None:
    return None if value is None else kind(str(value))


def _load_bookings(value: object) -> tuple[Booking, ...]:
    bookings = []
    for entry, body in value if isinstance(value, list) else []:
        booked = load_event(json.dumps(body))
        if not isinstance(booked, ev.LeaveBooked | ev.Paused):
            raise LedgerError("snapshot: a booking that is no leave or pause")
        bookings.append(Booking(entry, booked))
    return tuple(bookings)


def _load_recent(value: str | list[Any]) -> Recent:
    """A list is how they were kept until the end of 2026."""
    if isinstance(value, str):
        return Recent(value)
    return Recent("|".join(f"{number} {by[0]} {uci} {san}" for number, by, uci, san in value))


def load_state(terms: Terms, value: Mapping[str, Any]) -> GameState:
    """The state that ``dump_state`` wrote, for a game of these terms."""
    bookings = _load_bookings(value["bookings"])
    calendar = HOLIDAYS_ONLY
    if bookings:
        calendar, _ = calendar_of(bookings, terms.start, terms.rules)
    return GameState(
        terms=terms,
        position=Position(_load_board(value["board"]), tuple(value["keys"]), value["ply"]),
        turn=_load_turn(value["turn"]),
        settled=date.fromisoformat(value["settled"]),
        white=PlayerClock(*value["white"]),
        black=PlayerClock(*value["black"]),
        bookings=bookings,
        calendar=calendar,
        proposal=tuple([move_of(uci) for uci in value["proposal"]]),
        overstep=_load_overstep(value["overstep"]),
        ended=_optional(Ending, value["ended"]),
        ended_result=_optional(Result, value["result"]),
        draw_offer=_optional(Side, value["offer"]),
        prepared_offer=_optional(Side, value["prepared"]),
        is_overstep_waived=value["waived"],
        recent=_load_recent(value["recent"]),
        means=Means(*value.get("means", ())),
        awaits_decision=value.get("awaits", False),
    )
