"""Curves and lists made from all tournaments at once: what the register is held against."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.rating.lists import FinishedTournament, ManualRating, RatingChange, listed_until, replay


@dataclass(frozen=True, slots=True)
class RatingListLine:
    """One row of a rating list; ``is_provisional`` before his first rated game."""

    name: str
    rating: int
    last: date | None
    is_provisional: bool


def curves(
    first: Mapping[str, int], tournaments: Iterable[FinishedTournament]
) -> dict[str, tuple[RatingChange, ...]]:
    """Each player's changes in chronological order, from first ratings on (§ 4.5.4.1).

    Raises UnknownRating for a player without a first rating.
    """
    entered = {name: (ManualRating(date.min, value),) for name, value in first.items()}
    found: dict[str, list[RatingChange]] = {name: [] for name in first}
    for event in replay(entered, tournaments):
        for name, change in event.changes.items():
            found[name].append(change)
    return {name: tuple(changes) for name, changes in found.items()}


def rating_list(
    first: Mapping[str, int], changes: Mapping[str, Sequence[RatingChange]], on: date
) -> tuple[RatingListLine, ...]:
    """The list of a day, highest first, then by name (§ 4.5.4.1, § 4.5.5.1).

    Players whose last rated result is over three years old are left out; their number is kept,
    and is used when they play again.
    """
    rows = []
    for name, rating in first.items():
        done = [change for change in changes.get(name, ()) if change.on <= on]
        last = done[-1].on if done else None
        if last is None or on <= listed_until(last):
            rows.append(
                RatingListLine(name, done[-1].settled.rating if done else rating, last, not done)
            )
    return tuple(sorted(rows, key=lambda row: (-row.rating, row.name)))
