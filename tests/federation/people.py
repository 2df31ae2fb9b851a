"""The members of a simulated federation: clubs, strength, and how somebody answers letters.

Not for what they play: entering.py, cups.py and leagues.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from random import Random


class Character(StrEnum):
    """How a player treats his games."""

    QUICK = "quick"
    STEADY = "steady"
    SLOW = "slow"
    LATE = "late"
    """Uses more days than he has, sooner or later (§ 6.3.3.1)."""
    TRAVELLER = "traveller"
    """Takes leave whenever he can (§ 6.3.6)."""
    SILENT = "silent"
    """Stops answering one day, without a word (§ 6.3.4)."""
    LEAVING = "leaving"
    """Withdraws from all his games one day, with a reason (§ 6.2.8)."""


_OFTEN = {
    Character.QUICK: 30,
    Character.STEADY: 36,
    Character.SLOW: 16,
    Character.LATE: 4,
    Character.TRAVELLER: 7,
    Character.SILENT: 6,
    Character.LEAVING: 6,
}
_ANSWERS = {
    Character.QUICK: (0, 2),
    Character.STEADY: (0, 5),
    Character.SLOW: (1, 6),
    Character.LATE: (2, 10),
    Character.TRAVELLER: (0, 5),
    Character.SILENT: (0, 4),
    Character.LEAVING: (0, 5),
}
"""Fewest and most days between reading a move and answering it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A member or non-member; ``strength`` is his true strength, which no register knows.

    ``club`` None: an individual member, of ``district``. ``gone``: from that day a silent player
    answers no letters; a leaving one withdraws from all his games on it.
    """

    key: str
    club: str | None
    district: str
    strength: int
    otb_rating: int | None
    k_rating: int | None
    born: date
    character: Character
    is_member: bool = True
    is_citizen: bool = True
    gone: date | None = None

    @property
    def team_club(self) -> str:
        """The club he plays for in the league; individual members, their district (§ 6.7.3.1)."""
        return self.club or self.district

    @property
    def answers(self) -> tuple[int, int]:
        """Fewest and most days he takes for a move."""
        return _ANSWERS[self.character]

    def is_gone(self, on: date) -> bool:
        """Whether he has stopped answering by this day."""
        is_silent = self.character is Character.SILENT
        return is_silent and self.gone is not None and on >= self.gone


@dataclass(frozen=True, slots=True)
class Federation:
    """Everybody by key, and the clubs."""

    people: Mapping[str, Person]
    clubs: tuple[str, ...]
    districts: tuple[str, ...]

    def of_club(self, club: str) -> tuple[Person, ...]:
        """The members who may play for a club or district in the league, strongest first."""
        own = [one for one in self.people.values() if one.team_club == club and one.is_member]
        return tuple(sorted(own, key=lambda one: (-one.strength, one.key)))


DISTRICTS = 3
_WITHOUT_CLUB, _NOT_MEMBER, _FOREIGN = 0.08, 0.02, 0.05
_WITHOUT_OTB, _WITH_K = 0.25, 0.6


def make_federation(random: Random, size: tuple[int, int], start: date, days: int) -> Federation:
    """A federation of ``size``, players and clubs; players leave within ``days`` of the start."""
    players, count = size
    clubs = tuple(f"Klub {number:02}" for number in range(1, count + 1))
    districts = tuple(f"Kreds {number}" for number in range(1, DISTRICTS + 1))
    people = {}
    for number in range(1, players + 1):
        person = _person(random, f"Spiller {number:03}", clubs, districts, (start, days))
        people[person.key] = person
    return Federation(people, clubs, districts)


def _person(
    random: Random,
    key: str,
    clubs: tuple[str, ...],
    districts: tuple[str, ...],
    life: tuple[date, int],
) -> Person:
    strength = round(min(2450, max(1050, random.gauss(1750, 260))))
    character = random.choices(list(_OFTEN), list(_OFTEN.values()))[0]
    is_member = random.random() >= _NOT_MEMBER
    has_club = bool(clubs) and is_member and random.random() >= _WITHOUT_CLUB
    has_otb = random.random() >= _WITHOUT_OTB
    has_k = random.random() < _WITH_K
    leaves = character in (Character.SILENT, Character.LEAVING)
    start, days = life
    return Person(
        key=key,
        club=random.choice(clubs) if has_club else None,
        district=random.choice(districts),
        strength=strength,
        otb_rating=round(random.gauss(strength, 60)) if has_otb else None,
        k_rating=max(1000, round(random.gauss(strength, 50))) if has_k and is_member else None,
        born=date(random.randint(1935, 2005), random.randint(1, 12), random.randint(1, 28)),
        character=character,
        is_member=is_member,
        is_citizen=random.random() >= _FOREIGN,
        gone=start + timedelta(days=random.randint(45, max(90, days))) if leaves else None,
    )
