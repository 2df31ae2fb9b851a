"""A group's progress: finished games per round and in all, for bars and sentences.

Not for who leads (the tables) or for time running out in a game (frame/time_left.py).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from kskak.regulation.days import local_day
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
    finished, counted, last = Counter[int](), Counter[int](), 0
    for game in games:
        counted[game.round] += 1
        if game.result is not None:
            finished[game.round] += 1
            last = max(last, game.ended_us or 0)
    rounds = tuple(Part(number, finished[number], counted[number]) for number in sorted(counted))
    whole = Part(0, finished.total(), counted.total())
    return Progress(whole, rounds, local_day(from_us(last), zone) if last else None)


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
