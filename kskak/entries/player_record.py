"""A player's record: who they are, and their results at home and abroad, in chronological order.

The access rules look things up here. Not for reading it from a file (access_file.py) nor
for what a result is worth (emt.py, cup_rights.py, iccf.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from kskak.entries.cup_rights import CupRound
from kskak.entries.emt import EmtClass, Score
from kskak.entries.iccf import Tournament
from kskak.regulation.days import years_later
from kskak.regulation.tournament_numbers import EMT


@dataclass(frozen=True, slots=True)
class Player:
    """Who is asking; a rating is None where there is none."""

    name: str
    is_member: bool = True
    is_citizen: bool = True
    otb_rating: int | None = None
    k_rating: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One participation; ``number`` is its place in the record, ``finished`` None while it runs."""

    number: int
    event: EmtClass | CupRound | Tournament
    score: Score
    finished: date | None

    def is_of(self, classes: tuple[EmtClass, ...]) -> bool:
        """Whether it is one of these classes of the EMT; ICCF's M class has the same value."""
        return isinstance(self.event, EmtClass) and self.event in classes

    def ends(self, years: int) -> date:
        """The last day of this many years after its finish."""
        if self.finished is None:
            raise ValueError(f"result {self.number} is not finished")
        return years_later(self.finished, years)


@dataclass(frozen=True, slots=True)
class Record:
    """All results of a player, seen from the day ``on``.

    Which of several results of one day was last is unknown: it is taken to be the last in the
    record, or the one with the number ``last_of_day``.
    """

    on: date
    results: tuple[Result, ...]
    last_of_day: int | None = None

    def finished(self, fits: Callable[[Result], bool]) -> tuple[Result, ...]:
        """The finished results that fit, oldest first."""
        found = [row for row in self.results if row.finished is not None and fits(row)]
        return tuple(sorted(found, key=self._order))

    def _order(self, row: Result) -> tuple[date, bool, int]:
        return row.finished or self.on, row.number == self.last_of_day, row.number

    def is_after(self, row: Result, other: Result) -> bool:
        """Whether a result finished later than another. ValueError while either is unfinished."""
        if row.finished is None or other.finished is None:
            raise ValueError("only finished results follow each other")
        return self._order(row) > self._order(other)

    @property
    def of_one_day(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of results that finished on one day, where there are several."""
        days: dict[date, list[int]] = {}
        for row in self.results:
            if row.finished is not None:
                days.setdefault(row.finished, []).append(row.number)
        return tuple(tuple(numbers) for numbers in days.values() if len(numbers) > 1)

    def last(self, *classes: EmtClass) -> Result | None:
        """The latest finished participation in one of these classes."""
        found = self.finished(lambda row: row.is_of(classes))
        return found[-1] if found else None

    def last_within(self, years: int, *classes: EmtClass) -> Result | None:
        """The same if it is no older than this many years, the last day included."""
        found = self.last(*classes)
        return found if found is not None and self.on <= found.ends(years) else None

    def running(self, *classes: EmtClass) -> tuple[Result, ...]:
        """The groups of these classes that the player still plays in."""
        found = [row for row in self.results if row.finished is None and row.is_of(classes)]
        return tuple(sorted(found, key=lambda row: row.number))

    @property
    def is_first_timer(self) -> bool:
        """Whether the player has not taken part in the EMT for 3 years (§ 6.5.3.2 f)."""
        classes = tuple(EmtClass)
        return not self.running(*classes) and self.last_within(EMT.stay_years, *classes) is None
