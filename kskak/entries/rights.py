"""What speaks for and against a class: a right with its last day, a bar, and their bundle.

Not for which there are (access.py and what it calls).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.entries.player_record import Result


@dataclass(frozen=True, slots=True)
class Right:
    """A rule that opens a class; ``until`` is its last day, None where no day is set.

    ``results`` are the numbers of the results that it rests on.
    """

    paragraph: str
    until: date | None
    results: tuple[int, ...] = ()

    @staticmethod
    def of(paragraph: str, result: Result, years: int) -> "Right":
        """A right that a result gives for so many years."""
        return Right(paragraph, result.ends(years), (result.number,))


@dataclass(frozen=True, slots=True)
class Bar:
    """A rule that closes a class, and the results that it rests on."""

    paragraph: str
    results: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a class is open, by what and against what."""

    by: tuple[Right, ...] = ()
    against: tuple[Bar, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Open when a rule opens it and none closes it."""
        return bool(self.by) and not self.against


def merged(rights: Iterable[Right]) -> tuple[Right, ...]:
    """One right a paragraph: the one that lasts longest, with all that it rests on."""
    found: dict[str, Right] = {}
    for right in rights:
        other = found.get(right.paragraph)
        if other is None:
            found[right.paragraph] = right
            continue
        is_endless = other.until is None or right.until is None
        until = None if is_endless else max(other.until or date.min, right.until or date.min)
        numbers = tuple(sorted({*other.results, *right.results}))
        found[right.paragraph] = Right(right.paragraph, until, numbers)
    return tuple(found.values())
