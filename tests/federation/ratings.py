"""K-ratings as registered: the first ones, and the changes from each finished tournament (§ 4.5).

Gains are calculated with the ratings at a tournament's start and added to those at its end, as
§ 4.5.4.1 says. Not for the calculation itself (kskak.rating.calculation).
"""

from dataclasses import dataclass, field
from datetime import date

from kskak.entries.emt import EmtClass
from kskak.entries.rights import otb_class
from kskak.league.composition import provisional_rating
from kskak.rating.calculation import RatedGroup, correct_rating, rate
from kskak.rating.lists import FinishedTournament, RatingChange
from tests.federation.checks.ratings import check_curves, check_group
from tests.federation.group import Group
from tests.federation.people import Federation, Person
from tests.federation.rating_list import curves
from tests.federation.trouble import expect


def first_rating(person: Person) -> int:
    """His K-rating, or the provisional one (§ 6.7.6.2); never below the floor (§ 4.5.2.6)."""
    entered = EmtClass.OPEN if person.otb_rating is None else otb_class(person.otb_rating)
    return max(1000, provisional_rating(person.k_rating, person.otb_rating, entered))


@dataclass(slots=True)
class Ratings:
    """Everybody's registered rating, and how it came about."""

    first: dict[str, int]
    registered: dict[str, int] = field(default_factory=dict)
    at_start: dict[str, dict[str, int]] = field(default_factory=dict)
    tournaments: list[FinishedTournament] = field(default_factory=list)

    @staticmethod
    def of(federation: Federation) -> "Ratings":
        """Nobody has played yet."""
        first = {key: first_rating(person) for key, person in federation.people.items()}
        return Ratings(first, dict(first))

    def starts(self, group: Group) -> None:
        """A tournament begins: keep the ratings registered so far (§ 4.5.4.1)."""
        self.at_start[group.name] = dict(self.registered)

    def finishes(self, group: Group, day: date) -> None:
        """A tournament is finished: its gains are registered (§ 4.5.2, § 4.5.4.2)."""
        rated = group.played(lambda match: match.number not in group.lost_unplayed)
        unrated = group.played(lambda match: match.number in group.lost_unplayed)
        started = self.at_start.pop(group.name)
        ratings = {key: started[key] for key in group.keys}
        rows = rate(RatedGroup(ratings, rated, unrated))
        check_group(group.name, rows, rated, day)
        for row in rows:
            if row.games:
                self.registered[row.name] = correct_rating(
                    self.registered[row.name], row.gain
                ).rating
        self.tournaments.append(
            FinishedTournament(group.name, group.start, day, group.keys, rated, unrated)
        )

    def check(self, day: date) -> dict[str, tuple[RatingChange, ...]]:
        """Check that lists made from all tournaments match what was registered one by one."""
        made = curves(self.first, self.tournaments)
        last = {
            name: changes[-1].settled.rating if changes else self.first[name]
            for name, changes in made.items()
        }
        other = [name for name, rating in last.items() if rating != self.registered[name]]
        expect(not other, day, "ratings", f"registered and listed differ: {other[:3]}")
        check_curves(self.first, self.registered, made, day)
        return made
