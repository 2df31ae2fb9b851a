"""FEN out and in for our own snapshots and answers: what python-chess writes, several times faster.

A move costs two boards written and one read; python-chess walks all 64 squares for each. Read
only what this server wrote: a FEN from a person goes through ``chess.Board`` and its checks.
Not for notation (notation.py).
"""

import chess

_EMPTY = b"1" * 64
_UPSIDE_DOWN = 56
_RUNS = tuple(("1" * count, str(count)) for count in range(8, 1, -1))
_ROOK_HOMES = {"K": chess.BB_H1, "Q": chess.BB_A1, "k": chess.BB_H8, "q": chess.BB_A8}


def fen(board: chess.Board, *, any_en_passant: bool = False) -> str:
    """The FEN of a board; the en-passant square only where the capture is legal, or any."""
    square = board.ep_square
    if square is not None and not any_en_passant and not board.has_legal_en_passant():
        square = None
    passing = "-" if square is None else chess.SQUARE_NAMES[square]
    turn = "w" if board.turn else "b"
    rights = _castling(board.castling_rights)
    return (
        f"{_placement(board)} {turn} {rights} {passing}"
        f" {board.halfmove_clock} {board.fullmove_number}"
    )


def _placement(board: chess.Board) -> str:
    cells = bytearray(_EMPTY)
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    for mask, letter in (
        (board.pawns, "p"),
        (board.knights, "n"),
        (board.bishops, "b"),
        (board.rooks, "r"),
        (board.queens, "q"),
        (board.kings, "k"),
    ):
        _put(cells, mask & white, ord(letter.upper()))
        _put(cells, mask & black, ord(letter))
    text = cells.decode("ascii")
    text = "/".join([text[start : start + 8] for start in range(0, 64, 8)])
    for run, count in _RUNS:
        text = text.replace(run, count)
    return text


def _put(cells: bytearray, mask: int, letter: int) -> None:
    while mask:
        lowest = mask & -mask
        cells[(lowest.bit_length() - 1) ^ _UPSIDE_DOWN] = letter
        mask ^= lowest


def _castling(rights: int) -> str:
    return "".join([side for side, home in _ROOK_HOMES.items() if rights & home]) or "-"


def board_of(text: str) -> chess.Board:
    """The board of a FEN that ``fen`` wrote. ValueError or KeyError for what it did not."""
    placement, turn, castling, passing, halfmoves, number = text.split(" ")
    masks = _masks(placement)
    white = masks["P"] | masks["N"] | masks["B"] | masks["R"] | masks["Q"] | masks["K"]
    black = masks["p"] | masks["n"] | masks["b"] | masks["r"] | masks["q"] | masks["k"]
    board = chess.Board(None)
    board.pawns = masks["P"] | masks["p"]
    board.knights = masks["N"] | masks["n"]
    board.bishops = masks["B"] | masks["b"]
    board.rooks = masks["R"] | masks["r"]
    board.queens = masks["Q"] | masks["q"]
    board.kings = masks["K"] | masks["k"]
    board.occupied_co = [black, white]
    board.occupied = black | white
    board.turn = {"w": chess.WHITE, "b": chess.BLACK}[turn]
    if castling != "-":
        board.castling_rights = sum([_ROOK_HOMES[side] for side in castling])
    board.ep_square = None if passing == "-" else chess.parse_square(passing)
    board.halfmove_clock, board.fullmove_number = int(halfmoves), int(number)
    return board


def _masks(placement: str) -> dict[str, int]:
    masks = dict.fromkeys("PNBRQKpnbrqk", 0)
    square = chess.A8
    for sign in placement:
        if sign == "/":
            square -= 16
        elif sign in masks:
            masks[sign] |= 1 << square
            square += 1
        else:
            square += int(sign)
    return masks
