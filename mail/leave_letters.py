"""The letter to a leader about a player's leave: one, with all the games that it stops (§ 6.3.6).

Facts only, as in ``mail.notices``. NOT for text (``mail.writing.leaves``) nor for the opponents'
letters, each about his own game (``mail.letters``, ``mail.silences``).
"""

from dataclasses import dataclass
from datetime import date

from kskak.quantities import LeaveType
from mail.facts import Game, Official


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
