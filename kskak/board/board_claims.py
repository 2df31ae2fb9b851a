"""Claims that the board can settle: threefold, 50 moves, dead positions (FIDE 5.2, 9.2-9.4).

With or without the move the claimant intends. A wrong claim costs nothing and counts as a draw
offer (reading). Not for endings that need no claim (moves.py).
"""

import chess

from kskak.board.moves import Position, position_key
from kskak.regulation.editions import Laws

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
    return position.may_claim_draw(laws) or is_dead(position.board)
