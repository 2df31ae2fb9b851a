"""The rulings of the Union's handbook that a server can follow, found by what is in dispute.

Their facts and what they decided are words (mail/words/<lang>/desks/precedents.toml). Not for
what a case's own decisions do (decisions.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Precedent:
    """A ruling of the Appeals Board; ``about``: kinds of readings and of cases it bears on."""

    number: int
    year: int
    paragraphs: tuple[str, ...]
    about: frozenset[str]

    @property
    def key(self) -> str:
        """Its name in the catalogue."""
        return f"r{self.number}"


def _ruling(number: int, year: int, paragraphs: str, about: str) -> Precedent:
    return Precedent(number, year, tuple(paragraphs.split()), frozenset(about.split()))


PRECEDENTS = (
    _ruling(38, 1977, "6.3.2 6.3.3.3", "postmark in_time counted overstep"),
    _ruling(59, 1978, "6.3.5 6.3.5.1", "spoiled uncharged faulty"),
    _ruling(107, 1987, "6.3.2 6.3.3.1", "stated arrived overstep days"),
    _ruling(120, 1989, "6.4.2", "conduct"),
    _ruling(133, 1992, "6.2.6", "result"),
    _ruling(135, 1993, "6.4.2", "conduct withdrawal silence"),
    _ruling(139, 1993, "4.5.4.2", "takeover adjudication"),
)
"""In order of number. Readings: the last three, on other play, bear on a correspondence case."""


def precedents_for(topics: Iterable[str]) -> tuple[Precedent, ...]:
    """The rulings that bear on any of the topics."""
    wanted = frozenset(topics)
    return tuple(one for one in PRECEDENTS if one.about & wanted)
