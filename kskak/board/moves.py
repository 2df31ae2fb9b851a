"""Positions: legality, repetition, and the endings that need no claim (FIDE 5, 9).

python-chess decides what is legal; this module decides what ends the game without a claim and
what may be claimed, under the tournament's edition of the laws. Not for reading text
(notation.py).
"""

import struct
from dataclasses import dataclass
from hashlib import blake2b

import chess

from kskak.regulation.editions import Laws
from kskak.regulation.quantities import Ending, Side

PLIES_A_MOVE = 2
PLIES_BETWEEN_REPETITIONS = 4
"""A position can come back after two moves by each player at the earliest (FIDE 9.6, 2014)."""


class IllegalMove(ValueError):
    """A move that is not legal in its position."""

    def __init__(self, move: chess.Move) -> None:
        super().__init__(move.uci())
        self.move = move


class AlreadyOver(ValueError):
    """A position in which the game is already over, so none can start from it."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(f"the game is over in this position: {ending.value.replace('_', ' ')}")
        self.ending = ending


_SIDES = (Side.BLACK, Side.WHITE)


def side_to_move(board: chess.Board) -> Side:
    """Whose turn it is."""
    return _SIDES[board.turn]


def position_key(board: chess.Board) -> str:
    """The same for positions that FIDE 9.2 calls the same: board, side, castling, a legal e.p."""
    packed = struct.pack(
        "<8QQ?b",
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.clean_castling_rights(),
        board.turn,
        board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1,
    )
    return blake2b(packed, digest_size=8).hexdigest()


def is_lawful(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move may be played: no null move, and castling only as a king move (§ 6.2.2).

    python-chess also accepts king-takes-own-rook as castling; the regulation does not.
    """
    onto_own = bool(board.occupied_co[board.turn] & chess.BB_SQUARES[move.to_square])
    return bool(move) and not onto_own and board.is_legal(move)


@dataclass(frozen=True, slots=True)
class Position:
    """A board and the keys of the positions since the last capture or pawn move, oldest first.

    The board is never changed in place.
    """

    board: chess.Board
    keys: tuple[str, ...]
    ply: int = 0

    @staticmethod
    def start(fen: str | None) -> "Position":
        """The initial position or that of a FEN; ValueError when the FEN is not valid."""
        board = chess.Board() if fen is None else chess.Board(fen)
        if not board.is_valid():
            raise ValueError("not a possible position")
        return Position(board, (position_key(board),))

    @staticmethod
    def beginning(fen: str | None, laws: Laws) -> "Position":
        """A position that a game can start from (§ 1.1.22).

        ValueError when the FEN is not valid; AlreadyOver when the game is over in it.
        """
        position = Position.start(fen)
        ending = position.ending(laws)
        if ending is not None:
            raise AlreadyOver(ending)
        return position

    @staticmethod
    def reached(board: chess.Board, ply: int) -> "Position":
        """That of a board with the moves that led to it, which are taken back for its keys."""
        final, keys = board.copy(stack=False), [position_key(board)]
        while board.halfmove_clock and board.move_stack:
            board.pop()
            keys.append(position_key(board))
        return Position(final, tuple(reversed(keys)), ply)

    def after(self, move: chess.Move) -> "Position":
        """The position after a legal move; raises IllegalMove."""
        if not is_lawful(self.board, move):
            raise IllegalMove(move)
        board = self.board.copy(stack=False)
        board.push(move)
        key = position_key(board)
        keys = (key,) if board.halfmove_clock == 0 else (*self.keys, key)
        return Position(board, keys, self.ply + 1)

    def occurrences(self) -> int:
        """How many times the current position has occurred (FIDE 9.2)."""
        return self.keys.count(self.keys[-1])

    def ending(self, laws: Laws) -> Ending | None:
        """How this position ends the game without a claim, if so (FIDE 5.1, FIDE 5.2, FIDE 9.6).

        Mate takes precedence; blocked positions need a claim.
        """
        if not any(self.board.generate_legal_moves()):
            return Ending.CHECKMATE if self.board.is_check() else Ending.STALEMATE
        if self.board.is_insufficient_material():
            return Ending.DEAD_POSITION
        if laws.fivefold is not None and self._is_fivefold(laws.fivefold, laws):
            return Ending.FIVEFOLD
        if (
            laws.seventy_five is None
            or self.board.halfmove_clock < laws.seventy_five * PLIES_A_MOVE
        ):
            return None
        return Ending.SEVENTY_FIVE

    def _is_fivefold(self, times: int, laws: Laws) -> bool:
        if not laws.fivefold_is_consecutive:
            return self.occurrences() >= times
        recent = self.keys[::-PLIES_BETWEEN_REPETITIONS][:times]
        return len(recent) == times and len(set(recent)) == 1

    def may_claim_draw(self, laws: Laws) -> bool:
        """Whether threefold repetition or 50 moves may be claimed now (FIDE 9.2, FIDE 9.3)."""
        return (
            self.occurrences() >= laws.threefold
            or self.board.halfmove_clock >= laws.fifty * PLIES_A_MOVE
        )
