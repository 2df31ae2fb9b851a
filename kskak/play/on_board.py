"""A dispatch on the board: its plies, the answer a series makes, the series proposed (§ 6.2.5).

Not for its dates and days (dispatch.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from kskak.board import fen_and_san
from kskak.board.moves import IllegalMove, Position, is_lawful, side_to_move
from kskak.game import series
from kskak.game.events import MoveSent
from kskak.play.contradictions import IsOver
from kskak.play.recent import RecentPly
from kskak.play.state import GameState
from kskak.regulation.quantities import Ending


@dataclass(frozen=True, slots=True)
class Played:
    """The plies of a dispatch on the board, and the bound answer."""

    plies: tuple[RecentPly, ...]
    bound: RecentPly | None
    after: Position
    ending: Ending | None
    standing: tuple[chess.Move, ...]


def _step(position: Position, move: chess.Move, state: GameState) -> Position:
    if position is not state.position and position.ending(state.terms.laws) is not None:
        raise IsOver("the game is over before the last move")
    return position.after(move)


def _named(position: Position, move: chess.Move, after: Position) -> RecentPly:
    """A lawful move as the account and the lists name it."""
    board = position.board
    text = fen_and_san.san(board, move, after.board)
    return RecentPly(board.fullmove_number, side_to_move(board), move, text)


def play(state: GameState, event: MoveSent) -> Played:
    """Put the plies on the board, check them against the series, check a new series.

    Raises IllegalMove, SeriesFault, and IsOver for plies after the game's end.
    """
    answer = series.answer_series(event.plies, state.proposal)
    position, plies = state.position, []
    for move in event.plies:
        after = _step(position, move, state)
        plies.append(_named(position, move, after))
        position = after
    ending = position.ending(state.terms.laws)
    bound, stops = None, answer.bound is not None
    if answer.bound is not None and ending is None:
        after = position.after(answer.bound)
        bound = _named(position, answer.bound, after)
        position = after
        ending = position.ending(state.terms.laws)
    standing = answer.standing
    if event.proposes:
        if stops:
            raise series.SeriesFault("an answer that only repeats the series can't propose one")
        series.check_shape(event.proposes)
        _check_legal(position, event.proposes)
        standing = event.proposes
    return Played(tuple(plies), bound, position, ending, () if ending else standing)


def _check_legal(position: Position, proposes: tuple[chess.Move, ...]) -> None:
    board = position.board.copy(stack=False)
    for move in proposes:
        if not is_lawful(board, move):
            raise IllegalMove(move)
        board.push(move)


NONE: Iterator[Played] = iter(())


def replayed(position: Position, past: Sequence[MoveSent]) -> Iterator[Played]:
    """The same of dispatches that were played and checked once, each followed by another.

    All are played on one board: the position after any but the last is only for the next.
    """
    board, ply = position.board.copy(stack=False), position.ply
    proposal: tuple[chess.Move, ...] = ()
    for number, event in enumerate(past, 1):
        answer = series.answer_series(event.plies, proposal)
        plies = [_next(board, move) for move in event.plies]
        bound = None if answer.bound is None else _next(board, answer.bound)
        proposal, ply = event.proposes or answer.standing, ply + len(plies) + (bound is not None)
        after = Position(board, (), ply) if number < len(past) else Position.reached(board, ply)
        yield Played(tuple(plies), bound, after, None, proposal)


def _next(board: chess.Board, move: chess.Move) -> RecentPly:
    number, by = board.fullmove_number, side_to_move(board)
    return RecentPly(number, by, move, fen_and_san.played(board, move))
