"""FEN and SAN for answers: what python-chess writes, four times faster.

Every accepted move shows its position; python-chess walks all 64 squares for it. Not for
reading a FEN (``chess.Board`` and its checks) nor for notation (notation.py).
"""

import struct
from functools import lru_cache

import chess

_LETTERS = b"pnbrqk"
_CAPITAL = ord("a") - ord("A")
_EMPTY = b"1" * 8
_MASKS = struct.Struct(">7Q").pack
_RUNS = tuple(("1" * count, str(count)) for count in range(8, 1, -1))
_ROOK_HOMES = {"K": chess.BB_H1, "Q": chess.BB_A1, "k": chess.BB_H8, "q": chess.BB_A8}


def fen(board: chess.Board) -> str:
    """The FEN of a board; the en-passant square only where the capture is legal."""
    square = board.ep_square
    if square is not None and not board.has_legal_en_passant():
        square = None
    passing = "-" if square is None else chess.SQUARE_NAMES[square]
    turn = "w" if board.turn else "b"
    rights = _castling(board.castling_rights)
    return (
        f"{_placement(board)} {turn} {rights} {passing}"
        f" {board.halfmove_clock} {board.fullmove_number}"
    )


def _placement(board: chess.Board) -> str:
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    octets = _MASKS(board.occupied_co[chess.WHITE], *men)
    return "/".join([_rank(octets[rank::8]) for rank in range(8)])


@lru_cache(maxsize=4096)
def _rank(masks: bytes) -> str:
    """One rank, from one bit per file; cached, since most ranks stay unchanged for many moves."""
    white, *kinds = masks
    cells = bytearray(_EMPTY)
    for letter, mask in zip(_LETTERS, kinds, strict=True):
        while mask:
            bit = mask & -mask
            cells[bit.bit_length() - 1] = letter - _CAPITAL if white & bit else letter
            mask ^= bit
    text = cells.decode("ascii")
    for run, count in _RUNS:
        text = text.replace(run, count)
    return text


@lru_cache(maxsize=1024)
def _castling(rights: int) -> str:
    return "".join([side for side, home in _ROOK_HOMES.items() if rights & home]) or "-"


def san(board: chess.Board, move: chess.Move, after: chess.Board) -> str:
    """The SAN of a lawful move on ``board``, which leads to ``after``."""
    text = _unsigned(board, move)
    return board.san(move) if text is None else text + _check(after)


def played(board: chess.Board, move: chess.Move) -> str:
    """The SAN of a lawful move, which is played on ``board``."""
    text = _unsigned(board, move)
    if text is None:
        return board.san_and_push(move)
    board.push(move)
    return text + _check(board)


def _unsigned(board: chess.Board, move: chess.Move) -> str | None:
    """The SAN without check and mate; None for what is rare, and the library can do."""
    piece = board.piece_type_at(move.from_square)
    to_square = move.to_square
    takes = bool(board.occupied & chess.BB_SQUARES[to_square])
    if piece is None or piece == chess.KING and board.is_castling(move):
        return None
    if piece == chess.PAWN:
        start = chess.SQUARE_NAMES[move.from_square]
        takes = start[0] != chess.SQUARE_NAMES[to_square][0]
        name = f"{start[0]}x" if takes else ""
        end = "" if move.promotion is None else f"={chess.piece_symbol(move.promotion).upper()}"
        return f"{name}{chess.SQUARE_NAMES[to_square]}{end}"
    alike = board.pieces_mask(piece, board.turn) & ~chess.BB_SQUARES[move.from_square]
    if alike and alike & board.attackers_mask(board.turn, to_square):
        return None  # needs disambiguation
    letter = chess.piece_symbol(piece).upper()
    return f"{letter}{'x' if takes else ''}{chess.SQUARE_NAMES[to_square]}"


def _check(after: chess.Board) -> str:
    """The check or mate sign."""
    if not after.is_check():
        return ""
    return "+" if any(after.generate_legal_moves()) else "#"
