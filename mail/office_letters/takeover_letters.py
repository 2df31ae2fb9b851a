"""The letters of a group that was taken over in mid-season: the statement, and a late objection.

Facts only, as in ``mail.game_letters.facts``. NOT for text (``mail.office_letters.takeover``).
"""

from dataclasses import dataclass

from kskak.cases.refusals import CaseRefusal
from kskak.game.events import TakenOver
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.text.facts import Game


@dataclass(frozen=True, slots=True)
class Statement:
    """To each player: his game as it was taken over, and how to object.

    ``leave``: days of leave used this year by White and by Black; ``command_address``: where
    to write when the game is over and has no address of its own.
    """

    game: Game
    account: Account
    to: Side
    taken: TakenOver
    leave: tuple[int, int]
    command_address: str


@dataclass(frozen=True, slots=True)
class ObjectionLate:
    """To who objected after the time for it: why it is not taken, and whom to ask."""

    game: Game
    account: Account
    to: Side
    refusal: CaseRefusal


TakeoverLetter = Statement | ObjectionLate
