"""The letter of the quiet thread: the opponent writes without a move.

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text (``mail.game_letters.thread``)
nor for what is written with a move, which the relay carries.
"""

from dataclasses import dataclass

from mail.text.facts import Game


@dataclass(frozen=True, slots=True)
class ThreadLetter:
    """To the other player. ``url`` is where he answers: a mail in answer is never a move."""

    reader: str
    game: Game
    writer: str
    text: str
    url: str
