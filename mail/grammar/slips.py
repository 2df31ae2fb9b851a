"""What a written move that looks wrong or illegal may really be (§ 6.8.6).

Each is asked about or pointed out, at no cost. NOT for what follows from it: `mail.grammar.series`.
"""

from collections.abc import Collection

import chess

from kskak.board.notation import Language, MoveRead, read_move
from mail.grammar.move_lines import Token
from mail.grammar.repeated import matches
from mail.grammar.understood import Position


def stands_already(token: Token, position: Position, languages: Collection[Language]) -> bool:
    """Whether this is the last move of one of the players, sent or copied again."""
    return any(matches(token.text, ply, languages) for ply in position.previous[-2:])


def could_propose(
    tokens: tuple[Token, ...], board: chess.Board, languages: Collection[Language]
) -> bool:
    """Whether all of this would be a valid series of the writer's own with a 0 (§ 6.2.5)."""
    ahead = board.copy(stack=False)
    for token in tokens:
        read = read_move(ahead, token.text, languages)
        if not isinstance(read, MoveRead):
            return False
        ahead.push(read.move)
    return len(tokens) % 2 == 0


def is_another(token: Token, after: chess.Board, languages: Collection[Language]) -> bool:
    """Whether the move in parentheses is a legal alternative to the one just made."""
    if not token.aside:
        return False
    before = after.copy()
    before.pop()
    return isinstance(read_move(before, token.text, languages), MoveRead)
