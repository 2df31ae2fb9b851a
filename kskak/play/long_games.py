"""Games that have lasted too long: when the leader may call them in (§ 6.2.7).

Not for the adjudication itself, which is the leader's.
"""

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Protocol, TypeVar

from kskak.regulation.days import months_later
from kskak.regulation.editions import DISPUTES


class Lasting(Protocol):
    """What § 6.2.7 looks at in a game."""

    @property
    def start(self) -> date:
        """The group's start."""

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""


_G = TypeVar("_G", bound=Lasting)


@lru_cache(maxsize=1024)
def call_in_from(start: date) -> date:
    """The first day on which an unfinished game may be called in (§ 6.2.7).

    Reading: 18 whole months from the group's start, so from 1 March 2025 on 1 September 2026.
    """
    return months_later(start, DISPUTES.long_game_months)


def may_call_in(start: date, is_over: bool, on: date) -> bool:
    """Whether the leader may call the game in on this day (§ 6.2.7)."""
    return not is_over and on >= call_in_from(start)


def long_games(games: Iterable[_G], on: date) -> list[_G]:
    """Those that may be called in, the longest first (§ 6.2.7)."""
    found = [game for game in games if may_call_in(game.start, game.is_over, on)]
    return sorted(found, key=lambda game: game.start)
