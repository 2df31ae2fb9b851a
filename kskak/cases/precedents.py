"""The rulings of the Union's handbook that a server can follow, found by what is in dispute.

Their facts and what they decided are words (mail/words/<lang>/desks/precedents.toml). Not for
what a case's own decisions do (decisions.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Precedent:
    """A ruling of the Appeals Board; ``about``: kinds of cases, and of readings it decided for.

    ``against``: kinds of readings that it decided against.
    """

    number: int
    year: int
    about: frozenset[str]
    against: frozenset[str]

    @property
    def key(self) -> str:
        """Its name in the catalogue."""
        return f"r{self.number}"


def _ruling(number: int, year: int, about: str, against: str = "") -> Precedent:
    return Precedent(number, year, frozenset(about.split()), frozenset(against.split()))


PRECEDENTS = (
    _ruling(38, 1977, "postmark overstep", "stated in_time"),
    _ruling(59, 1978, "spoiled faulty"),
    _ruling(107, 1987, "arrived overstep days", "stated"),
    _ruling(120, 1989, "conduct"),
    _ruling(133, 1992, "result"),
    _ruling(135, 1993, "conduct withdrawal silence"),
    _ruling(139, 1993, "takeover adjudication"),
)
"""In order of number. Readings: the last three, on other play, bear on a correspondence case."""


def precedents_for(topics: Iterable[str]) -> tuple[Precedent, ...]:
    """The rulings that bear on any of the topics."""
    wanted = frozenset(topics)
    return tuple(one for one in PRECEDENTS if one.about & wanted)


def precedents_against(reading: str, rivals: Iterable[str]) -> tuple[Precedent, ...]:
    """The rulings that decided against a kind of reading and for one of its rivals."""
    return tuple(one for one in precedents_for(rivals) if reading in one.against)
