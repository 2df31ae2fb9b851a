"""Results from before the simulation, so that players have rights to use and lose early on.

As an import of past tournaments would add them (§ 6.5.3.2). Not for anything played here.
"""

from datetime import date, timedelta
from fractions import Fraction
from random import Random

from kskak.entries.emt import EmtClass, Score
from kskak.entries.iccf import Tournament
from server.simulate.archive import Archive, Known
from server.simulate.people import Federation, Person

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
    event = random.choice([Tournament.MASTER, Tournament.HIGHER, Tournament.WORLD_SEMIFINAL])
    points = Fraction(random.randint(6, 22), 2)
    finished = start - timedelta(days=random.randint(10, 2 * 365))
    score = Score(points, _ICCF_GAMES, 0, random.randint(1, 13))
    archive.add(person.key, Known(event, score, finished, f"ICCF {person.key}"))
