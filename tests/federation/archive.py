"""What everybody has played: finished results with their source, and running groups.

The record that the access rules ask for (§ 6.5.2.2, § 6.5.3.2, § 6.6.2), as the server makes it;
it begins with results from before the simulation, as an import of the past would add them. Not for
whether a result opens a class (kskak.entries.access).
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from kskak.entries.emt import EmtClass, Score
from kskak.entries.rights import (
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
)
from tests.federation.group import Group
from tests.federation.people import Federation, Person


@dataclass(frozen=True, slots=True)
class Known:
    """A finished participation; ``source`` is the group, or where the result comes from."""

    event: EmtClass | CupRightRound | IccfTournament
    score: Score
    finished: date
    source: str


@dataclass(slots=True)
class Archive:
    """Results and groups by player."""

    results: dict[str, list[Known]] = field(default_factory=dict)
    groups: dict[str, list[Group]] = field(default_factory=dict)

    def add(self, person: str, known: Known) -> None:
        """Add a finished result."""
        self.results.setdefault(person, []).append(known)

    def open_group(self, group: Group) -> None:
        """Register a group for each of its players."""
        for person in group.players:
            self.groups.setdefault(person.key, []).append(group)

    def running(self, person: str) -> list[Group]:
        """Somebody's groups that are not finished."""
        return [group for group in self.groups.get(person, []) if group.finished is None]

    def known(self, person: str, on: date) -> list[Known]:
        """What he had finished by a day, oldest first; a record numbers them from 1."""
        own = [one for one in self.results.get(person, []) if one.finished <= on]
        return sorted(own, key=lambda one: (one.finished, one.source))

    def record(self, person: str, on: date) -> ResultHistory:
        """His record as seen from a day; running groups last."""
        known = self.known(person, on)
        rows = [
            PlayerResult(number, one.event, one.score, one.finished)
            for number, one in enumerate(known, 1)
        ]
        for group in self.running(person):
            if isinstance(group.event, EmtClass):
                rows.append(PlayerResult(len(rows) + 1, group.event, group.score(person), None))
        return ResultHistory(on, tuple(rows))

    def groups_before(self, person: str) -> int:
        """His EMT and cup groups so far, imported results included (§ 6.1)."""
        own = sum(not group.is_league for group in self.groups.get(person, []))
        inside = {group.name for group in self.groups.get(person, [])}
        past = self.results.get(person, [])
        counted = sum(
            isinstance(one.event, EmtClass | CupRightRound) and one.source not in inside
            for one in past
        )
        return own + counted

    def cup_running(self, person: str) -> int:
        """The number of his running cup groups (§ 6.6.1.2)."""
        return sum(group.is_cup for group in self.running(person))


def player_of(person: Person, k_rating: int | None) -> PlayerProfile:
    """A person as the access rules see him."""
    return PlayerProfile(
        person.key, person.is_member, person.is_citizen, person.otb_rating, k_rating
    )


_YEARS = 3 * 365
_HAS_PAST, _HAS_ICCF = 0.45, 0.3
_STRONG = 2150
_GAMES, _ICCF_GAMES = 6, 12
_LEVEL = {EmtClass.M: 2000, EmtClass.K: 1780, EmtClass.OPEN: 1550}
"""Roughly how strong a class is."""


def past_results(random: Random, federation: Federation, start: date) -> Archive:
    """Everybody's results from the last three years before the start."""
    archive = Archive()
    for person in federation.people.values():
        if person.is_member and random.random() < _HAS_PAST:
            _past_group(random, archive, person, start)
        if person.strength >= _STRONG and random.random() < _HAS_ICCF:
            _past_abroad(random, archive, person, start)
    return archive


def _past_group(random: Random, archive: Archive, person: Person, start: date) -> None:
    for number in range(random.randint(1, 2)):
        group_class = min(_LEVEL, key=lambda one: abs(_LEVEL[one] - person.strength))
        halves = random.choices(range(13), [1, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 1])[0]
        points = Fraction(halves, 2)
        place = 1 if points >= Fraction(9, 2) else random.randint(2, 7)
        finished = start - timedelta(days=random.randint(10, _YEARS))
        source = f"import {person.key} {number + 1}"
        archive.add(
            person.key, Known(group_class, Score(points, _GAMES, 0, place), finished, source)
        )


def _past_abroad(random: Random, archive: Archive, person: Person, start: date) -> None:
    event = random.choice(
        [IccfTournament.MASTER, IccfTournament.HIGHER, IccfTournament.WORLD_SEMIFINAL]
    )
    points = Fraction(random.randint(6, 22), 2)
    finished = start - timedelta(days=random.randint(10, 2 * 365))
    score = Score(points, _ICCF_GAMES, 0, random.randint(1, 13))
    archive.add(person.key, Known(event, score, finished, f"ICCF {person.key}"))
