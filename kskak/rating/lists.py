"""Rating lists by date and each player's curve, from finished tournaments (§ 4.5.4.1, § 4.5.5.1).

A tournament is calculated with the ratings registered at its start; its gains are added, on the
day it is finished, to what is registered then, as the text has it for tournaments that overlap.
A number entered in the register by hand applies from its day on; on the day of a tournament it
comes before the tournament's gains or overrides them, by ``at``. Not for the calculation of
one group (calculation.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from kskak.groups.placing import ScoredGame
from kskak.rating.calculation import (
    Calculation,
    CorrectedRating,
    RatedGroup,
    correct_rating,
    performances,
    rate,
)
from kskak.reflection import anniversary

LIST_MONTHS = (1, 4, 7, 10)
"""Lists are dated the first of these months. Reading: § 4.5.4.1 names no days of its own."""
LISTED_YEARS = 3
"""Years a player stays on the list after the last rated result: § 4.5.5.1."""


class Basis(StrEnum):
    """Where the number that a tournament is calculated with comes from."""

    REGISTERED = "registered"
    """His K-rating on the day of the start: § 4.5.4.1."""
    LATER = "later"
    """The first K-rating entered after the start and before the end (reading of § 4.5.4.1)."""
    OTB = "otb"
    """His last over-the-board rating: § 6.7.6.2."""
    ENTERED = "entered"
    """The strength stated on entry, in the league: § 6.7.4.1."""
    CLASS = "class"
    """From the class he entered: § 6.7.6.2, § 6.5.3.2."""
    PERFORMANCE = "performance"
    """A foreigner's performance in the tournament itself: § 4.5.5.2."""


@dataclass(frozen=True, slots=True)
class ManualRating:
    """A number entered in the register by hand. ``at`` orders what happened on one day."""

    on: date
    value: int
    at: int = 0


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A number for a player without one; ``performs``: a performance takes precedence."""

    value: int
    basis: Basis
    performs: bool = False


@dataclass(frozen=True, slots=True)
class FinishedTournament:
    """A finished tournament; ``start`` fixes the ratings it is calculated with.

    ``newcomers`` are used where nothing is registered; ``at`` orders the day it is finished.
    """

    name: str
    start: date
    finished: date
    players: tuple[str, ...]
    games: tuple[ScoredGame, ...]
    unrated: tuple[ScoredGame, ...] = ()
    newcomers: Mapping[str, Newcomer] = field(default_factory=dict)
    at: int = 0


@dataclass(frozen=True, slots=True)
class Start:
    """The number that a player is calculated with, and where it comes from."""

    rating: int
    basis: Basis


@dataclass(frozen=True, slots=True)
class RatingChange:
    """One point of a player's curve: what a tournament made of the registered rating."""

    on: date
    tournament: str
    registered: int
    calculation: Calculation
    settled: CorrectedRating
    at: int = 0


@dataclass(frozen=True, slots=True)
class CalculatedTournament:
    """A tournament calculated: every player's start, and a change for those with rated games."""

    tournament: FinishedTournament
    starts: Mapping[str, Start]
    changes: Mapping[str, RatingChange]


class UnknownRating(ValueError):
    """A player of a tournament has no rating to start from; the message names them."""


def replay(
    entered: Mapping[str, Sequence[ManualRating]],
    tournaments: Iterable[FinishedTournament],
    known: Mapping[str, Sequence[ManualRating]] | None = None,
) -> tuple[CalculatedTournament, ...]:
    """Every tournament calculated in chronological order (§ 4.5.4.1).

    Tournaments finished on one day count by ``at``, then in the order of start and name,
    whatever order they are given in. ``known``: what tournaments before all of these have made.
    Raises UnknownRating for a player with neither a number nor a newcomer's.
    """
    points = {name: list(made) for name, made in (known or {}).items()}
    found = []
    for event in sorted(tournaments, key=lambda one: (one.finished, one.at, one.start, one.name)):
        numbers = {name: (*entered.get(name, ()), *points.get(name, ())) for name in event.players}
        starts = _starts(event, numbers, entered)
        ratings = {name: start.rating for name, start in starts.items()}
        changes = {}
        for row in rate(RatedGroup(ratings, event.games, event.unrated)):
            if row.games:
                change = _change(event, row, _in_force(numbers[row.name], event))
                changes[row.name] = change
                made = ManualRating(event.finished, change.settled.rating, event.at)
                points.setdefault(row.name, []).append(made)
        found.append(CalculatedTournament(event, starts, changes))
    return tuple(found)


def listed_until(last: date) -> date:
    """The last day on the list for a player whose last rated result is of this day (§ 4.5.5.1)."""
    return anniversary(last, last.year + LISTED_YEARS)


def list_before(on: date) -> date:
    """The day of the last list that is older than a day."""
    months = [month for month in LIST_MONTHS if date(on.year, month, 1) < on]
    return date(on.year, months[-1], 1) if months else date(on.year - 1, LIST_MONTHS[-1], 1)


def _change(event: FinishedTournament, row: Calculation, registered: int | None) -> RatingChange:
    """The gain on top of what is registered at the end, or of the start where nothing is."""
    before = row.before if registered is None else registered
    return RatingChange(
        event.finished, event.name, before, row, correct_rating(before, row.gain), event.at
    )


def _in_force(numbers: Iterable[ManualRating], event: FinishedTournament) -> int | None:
    """What is registered when a tournament's gains are added."""
    end = (event.finished, event.at)
    return _last(one for one in numbers if (one.on, one.at) <= end)


def _last(numbers: Iterable[ManualRating]) -> int | None:
    """The last of some numbers; of two at once the one given later."""
    ordered = sorted(numbers, key=lambda one: (one.on, one.at))
    return ordered[-1].value if ordered else None


def _find_registered_start(
    event: FinishedTournament, numbers: Sequence[ManualRating], entered: Sequence[ManualRating]
) -> Start | None:
    """The number that a player has in the register; None for a newcomer."""
    value = _last(one for one in numbers if one.on <= event.start)
    if value is not None:
        return Start(value, Basis.REGISTERED)
    during = [one for one in entered if one.on <= event.finished]
    first = min(during, key=lambda one: (one.on, one.at), default=None)
    return None if first is None else Start(first.value, Basis.LATER)


def _starts(
    event: FinishedTournament,
    numbers: Mapping[str, Sequence[ManualRating]],
    entered: Mapping[str, Sequence[ManualRating]],
) -> dict[str, Start]:
    """Each player's start in the order of the list: a result of the same day is included.

    Reading: a player first given a number during the tournament is calculated with that one.
    """
    found = {
        name: _find_registered_start(event, numbers[name], entered.get(name, ()))
        for name in event.players
    }
    fresh = {name: _newcomer(event, name) for name, start in found.items() if start is None}
    rated = {name: start.rating for name, start in found.items() if start is not None}
    rated |= {name: new.value for name, new in fresh.items() if not new.performs}
    performing = [name for name, new in fresh.items() if new.performs]
    made = performances(rated, performing, event.games) if performing else {}
    return {
        name: start or _first_number(fresh[name], made.get(name)) for name, start in found.items()
    }


def _newcomer(event: FinishedTournament, name: str) -> Newcomer:
    if name not in event.newcomers:
        raise UnknownRating(f"{event.name}: {name!r} has no rating to start from")
    return event.newcomers[name]


def _first_number(new: Newcomer, performance: int | None) -> Start:
    """A performance where there is one, else the provisional number (§ 4.5.5.2, § 6.7.6.2)."""
    if performance is None:
        return Start(new.value, new.basis)
    return Start(performance, Basis.PERFORMANCE)
