"""Rating lists by date and each player's curve, from finished tournaments (§ 4.5.4.1, § 4.5.5.1).

A tournament is calculated with the ratings registered at its start; its gains are added, on the
day it is finished, to what is registered then, as the text has it for tournaments that overlap.
Not for the calculation of one group (rating.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.leave import anniversary
from kskak.played import Played
from kskak.rating import Calculation, Group, Settled, rate, settle

LISTED_YEARS = 3
"""So long after the last rated result a player stays on the list: § 4.5.5.1."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A finished tournament; ``start`` fixes the ratings it is calculated with."""

    name: str
    start: date
    finished: date
    players: tuple[str, ...]
    games: tuple[Played, ...]
    unrated: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One point of a player's curve: what a tournament made of his registered rating."""

    on: date
    tournament: str
    registered: int
    calculation: Calculation
    settled: Settled


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of a rating list; ``is_provisional`` before his first rated game."""

    name: str
    rating: int
    last: date | None
    is_provisional: bool


class UnknownRating(ValueError):
    """A player of a tournament has no rating to start from; the text names him."""


def curves(
    first: Mapping[str, int], tournaments: Iterable[Tournament]
) -> dict[str, tuple[Change, ...]]:
    """Each player's changes in order of time, from first ratings on (§ 4.5.4.1).

    Tournaments finished on one day count in the order of start, then of name, whatever order they
    are given in. Raises UnknownRating for a player without a first rating.
    """
    found: dict[str, list[Change]] = {name: [] for name in first}
    for event in sorted(tournaments, key=lambda one: (one.finished, one.start, one.name)):
        unknown = [name for name in event.players if name not in first]
        if unknown:
            raise UnknownRating(f"{event.name}: {unknown[0]!r} has no rating to start from")
        starts = {name: _rating_on(first[name], found[name], event.start) for name in event.players}
        for row in rate(Group(starts, event.games, event.unrated)):
            if row.games:
                changes = found[row.name]
                registered = changes[-1].settled.rating if changes else first[row.name]
                settled = settle(registered, row.gain)
                changes.append(Change(event.finished, event.name, registered, row, settled))
    return {name: tuple(changes) for name, changes in found.items()}


def rating_list(
    first: Mapping[str, int], changes: Mapping[str, Sequence[Change]], on: date
) -> tuple[Listed, ...]:
    """The list of a day, highest first, then by name (§ 4.5.4.1, § 4.5.5.1).

    Who has no rated result within three years is left out; his number is kept, and is used when
    he plays again.
    """
    rows = []
    for name, rating in first.items():
        done = [change for change in changes.get(name, ()) if change.on <= on]
        last = done[-1].on if done else None
        if last is None or on <= anniversary(last, last.year + LISTED_YEARS):
            rows.append(Listed(name, done[-1].settled.rating if done else rating, last, not done))
    return tuple(sorted(rows, key=lambda row: (-row.rating, row.name)))


def _rating_on(first: int, changes: Sequence[Change], day: date) -> int:
    """The rating registered when a tournament starts: a result of that same day is in it."""
    done = [change.settled.rating for change in changes if change.on <= day]
    return done[-1] if done else first
