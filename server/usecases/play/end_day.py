"""The day a game ended: in its tournament's zone, as every other day of it.

For pages, files and the archive alike. Not for when it must be reported (results/publishing.py).
"""

from datetime import date
from typing import Protocol

from kskak.regulation.days import local_day
from server.store.engine.types import from_us


class HasEnd(Protocol):
    """A row of a game, whichever of its columns were asked for."""

    @property
    def ended_us(self) -> int | None:
        """When it ended; None while it runs."""

    @property
    def zone(self) -> str:
        """Whose days count for it."""


def end_day(game: HasEnd) -> date | None:
    """The local day on which the game ended; None while it runs."""
    return None if game.ended_us is None else local_day(from_us(game.ended_us), game.zone)
