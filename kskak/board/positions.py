"""Positions: legality, repetition, claims the board can settle, and the opening's name."""

import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

import chess

from kskak.regulation.editions import Ending, Laws, Side

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

        Mate takes precedence. Dead is where neither can mate with what is left, or every move takes
        into that; blocked positions need a claim.
        """
        if not any(self.board.generate_legal_moves()):
            return Ending.CHECKMATE if self.board.is_check() else Ending.STALEMATE
        if self.board.is_insufficient_material() or _leads_to_bare_kings(self.board):
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


# Claims that the board can settle: threefold, 50 moves, dead positions (FIDE 5.2, 9.2-9.4).

FEW_PIECES = 4
"""With more pieces on the board no single capture leaves too few to mate (but for rare bishops)."""


def _leads_to_bare_kings(board: chess.Board) -> bool:
    """Whether every lawful move takes so much that neither side can mate (FIDE 5.2)."""
    if chess.popcount(board.occupied) > FEW_PIECES:
        return False
    for move in board.legal_moves:
        if not board.is_capture(move):
            return False
        after = board.copy(stack=False)
        after.push(move)
        if not after.is_insufficient_material():
            return False
    return True


SEARCH_POSITIONS = 6000
"""Positions examined before a dead position is left to the leader (a bound on the work)."""


def is_dead(board: chess.Board, most: int = SEARCH_POSITIONS) -> bool:
    """Whether no series of legal moves can mate either king (FIDE 5.2).

    Proved by examining every position that can arise. Also False when there are more than
    ``most`` of them: then a person decides.
    """
    seen = {position_key(board)}
    waiting = [board]
    while waiting:
        here = waiting.pop()
        if here.is_insufficient_material():
            continue
        if here.is_checkmate():
            return False
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            key = position_key(after)
            if key not in seen:
                if len(seen) >= most:
                    return False
                seen.add(key)
                waiting.append(after)
    return True


def is_draw_claim_right(position: Position, laws: Laws) -> bool:
    """Whether a claim in this position is correct (FIDE 5.2, 9.2, 9.3)."""
    is_repeated = position.occurrences() >= laws.threefold
    is_quiet = position.board.halfmove_clock >= laws.fifty * PLIES_A_MOVE
    return is_repeated or is_quiet or is_dead(position.board)


# The opening of a game: its last position that is named in a table of openings.

MOST_PLIES = 40
"""How far into a game to look: later, named positions are reached only by losing tempi."""
_FIELDS = 4
NO_MOVES_SIGN = "-"
"""In place of moves: the name belongs to a whole code, not to a position."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: its ECO code and its names; ``english`` is what PGN has."""

    code: str
    danish: str
    english: str

    def name(self, column: str) -> str:
        """The name in a column of the table, ``danish`` or ``english``: which, a language says."""
        return self.danish if column == "danish" else self.english


@dataclass(frozen=True, slots=True)
class OpeningTable:
    """The named positions by their keys; ``version`` changes with any of them.

    ``heads``: for each code its first line, which names the code as a whole.
    """

    by_key: Mapping[str, Opening]
    version: str
    heads: Mapping[str, Opening]

    def at(self, board: chess.Board) -> Opening | None:
        """The opening named for exactly this position, if any."""
        return self.by_key.get(position_key(board))


class BadTable(ValueError):
    """A line of the table that can't be used."""


def read_opening_table(lines: Iterable[str]) -> OpeningTable:
    """The table in a text: code, Danish name, English name and moves in SAN, separated by tabs.

    ``-`` for the moves names a code as a whole. Empty lines and those that begin with # are
    skipped. Raises BadTable.
    """
    found: dict[str, Opening] = {}
    boards: dict[tuple[str, ...], chess.Board] = {(): chess.Board()}
    heads: dict[str, Opening] = {}
    seen = blake2b(digest_size=8)
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.rstrip("\n").split("\t")
        if len(fields) != _FIELDS:
            raise BadTable(f"line {number}: {len(fields)} fields, not {_FIELDS}")
        code, danish, english, moves = fields
        if moves == NO_MOVES_SIGN:
            heads[code] = Opening(code, danish, english)
            continue
        try:
            board = _play_shared_prefix(boards, tuple(moves.split()))
        except ValueError as error:
            raise BadTable(f"line {number}: {error}") from error
        named = Opening(code, danish, english)
        if found.setdefault(position_key(board), named) is not named:
            raise BadTable(f"line {number}: the position has a name already")
        heads.setdefault(code, named)
        seen.update(line.encode())
    return OpeningTable(found, seen.hexdigest(), heads)


def _play_shared_prefix(
    boards: dict[tuple[str, ...], chess.Board], moves: tuple[str, ...]
) -> chess.Board:
    """The position after some moves; prefixes that lines share are played only once."""
    known = boards.get(moves)
    if known is not None:
        return known
    board = _play_shared_prefix(boards, moves[:-1]).copy(stack=False)
    board.push_san(moves[-1])
    boards[moves] = board
    return board


def classify(table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]) -> Opening | None:
    """The opening of a game; None if it leaves the named positions at once or has no moves.

    The moves must be legal from the start position or ``fen``.
    """
    last = deque(_find_named_positions(table, fen, moves), maxlen=1)
    return last[0][1] if last else None


def named_plies(table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]) -> Iterator[int]:
    """After how many plies, from 1, the game stood in a named position; moves as above."""
    return (ply for ply, _ in _find_named_positions(table, fen, moves) if ply)


def _find_named_positions(
    table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]
) -> Iterator[tuple[int, Opening]]:
    """The named positions of a game, with the plies before them."""
    board = chess.Board() if fen is None else chess.Board(fen)
    for ply, move in enumerate((None, *islice(moves, MOST_PLIES))):
        if move is not None:
            board.push(move)
        if (found := table.at(board)) is not None:
            yield ply, found
