"""The letter to a leader about a player's leave: one, with all the games that it stops (§ 6.3.6).

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text (``mail.game_letters.leave``)
nor for the opponents' letters, each about his own game (``mail.game_letters.facts``,
``mail.game_letters.silence_facts``).
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.quantities import LeaveType
from mail.text.facts import Game, Official


@dataclass(frozen=True, slots=True)
class LeaveTold:
    """To the leader of the games; ``until``: the player's own last day when he shortened it."""

    leader: Official
    player: str
    first: date
    last: date
    leave_type: LeaveType
    until: date | None
    games: tuple[Game, ...]
