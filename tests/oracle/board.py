"""The chess of the oracle: numeric moves on python-chess, and the ends the board makes.

Written from the text alone as test material.
"""

import chess

from tests.oracle.parse import LedgerError

PIECES = {"1": chess.QUEEN, "2": chess.ROOK, "3": chess.BISHOP, "4": chess.KNIGHT}
DIGITS = {piece: digit for digit, piece in PIECES.items()}


def read_move(board: chess.Board, text: str) -> chess.Move:
    """The legal move that four or five digits name (§ 6.2.2)."""
    start = chess.square(int(text[0]) - 1, int(text[1]) - 1)
    end = chess.square(int(text[2]) - 1, int(text[3]) - 1)
    promotion = PIECES[text[4]] if len(text) == 5 else None
    for move in board.generate_legal_moves(chess.BB_SQUARES[start]):
        if (move.from_square, move.to_square, move.promotion) == (start, end, promotion):
            return move
    raise LedgerError(f"{text} is not legal")


def write_move(move: chess.Move) -> str:
    """The move in digits, a promotion in parentheses (§ 6.2.2)."""
    text = ""
    for square in (move.from_square, move.to_square):
        text += f"{chess.square_file(square) + 1}{chess.square_rank(square) + 1}"
    return text if move.promotion is None else f"{text}({DIGITS[move.promotion]})"


def board_end(board: chess.Board, laws: int) -> str | None:
    """The result that the position gives by itself, or None."""
    if board.is_checkmate():
        return "0-1" if board.turn == chess.WHITE else "1-0"
    if board.is_stalemate() or board.is_insufficient_material() or must_lose_the_last(board):
        return "1/2-1/2"
    if laws >= 2014 and (board.is_fivefold_repetition() or board.is_seventyfive_moves()):
        return "1/2-1/2"
    return None


def must_lose_the_last(board: chess.Board) -> bool:
    """Whether each answer takes the last piece that could still mate (FIDE 5.2, dead positions)."""
    ends = []
    for move in list(board.legal_moves) if len(board.piece_map()) < 5 else ():
        board.push(move)
        ends.append(board.is_insufficient_material())
        board.pop()
    return bool(ends) and all(ends)


def first_board(fen: str | None, laws: int) -> chess.Board:
    """The position that the ledger starts from; a finished one is refused."""
    if fen is None:
        return chess.Board()
    try:
        board = chess.Board(fen)
    except ValueError as error:
        raise LedgerError(f"fen: {error}") from error
    if not board.is_valid():
        raise LedgerError("fen: impossible position")
    if board_end(board, laws) is not None:
        raise LedgerError("fen: the game is over there")
    return board
