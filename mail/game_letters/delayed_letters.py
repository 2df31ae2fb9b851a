"""The letter about a move that waited and was never sent (§ 6.2.4).

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.game_letters.delayed``) nor for why it was not sent.
"""

from dataclasses import dataclass

from kskak.game.refusals import Refusal
from mail.text.facts import Game, MoveText


@dataclass(frozen=True, slots=True)
class NotSent:
    """To the player himself. ``moves`` are what he entered, ``message`` what was to go along.

    ``is_over``: the game is; ``is_to_move``: he is, now. ``url`` is the game's page.
    """

    reader: str
    game: Game
    moves: tuple[MoveText, ...]
    message: str
    why: Refusal
    is_over: bool
    is_to_move: bool
    url: str
