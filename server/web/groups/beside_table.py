"""A group's progress: finished games per round and in all, for bars and sentences.

Not for who leads (the tables) or for time running out in a game (frame/time_left.py).
"""

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from kskak.regulation.days import local_day
from kskak.values.quick_values import dataclass
from mail.text.words import Words
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.register import clubs as club_rows
from server.web.groups.words import PublicWords

FULL = 100


class Counted(Protocol):
    """A game of the group."""

    @property
    def round(self) -> int: ...
    @property
    def result(self) -> str | None: ...
    @property
    def ended_us(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """The games of a round, or all games. ``number`` is the round's, 0 for all."""

    number: int
    finished: int
    games: int

    @property
    def percent(self) -> int:
        """The percentage finished; 100 only when all are."""
        return self.finished * FULL // self.games if self.games else 0


@dataclass(frozen=True, slots=True)
class Progress:
    """A group's progress. ``last``: the day of the newest result; None before the first."""

    whole: Part
    rounds: tuple[Part, ...]
    last: date | None


def progress_of(games: Iterable[Counted], zone: str) -> Progress:
    """The progress of a group's games, in the tournament's zone."""
    listed = tuple(games)
    numbers = sorted({game.round for game in listed})
    rounds = tuple(_part(number, [g for g in listed if g.round == number]) for number in numbers)
    ended = [game.ended_us for game in listed if game.ended_us is not None and game.result]
    last = local_day(from_us(max(ended)), zone) if ended else None
    return Progress(_part(0, listed), rounds, last)


def _part(number: int, games: Iterable[Counted]) -> Part:
    listed = tuple(games)
    return Part(number, sum(game.result is not None for game in listed), len(listed))


@dataclass(frozen=True, slots=True)
class Beside:
    """``clubs``: the ids of clubs' pages by name; clubs without a page are missing."""

    p: PublicWords
    progress: Progress
    clubs: dict[str, int]


async def beside_of(
    conn: AsyncConnection,
    games: Iterable[Counted],
    zone: str,
    clubs: Iterable[str | None],
    words: Words,
) -> Beside:
    """Progress and club pages for a group's games and its clubs' names."""
    ids = await club_rows.ids_of(conn, [name for name in clubs if name])
    return Beside(PublicWords(words), progress_of(games, zone), ids)
