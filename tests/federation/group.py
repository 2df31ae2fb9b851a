"""A group of the simulation: who meets whom, and the results so far.

EMT and cup groups, and each board of a league division, which is a group of that board's players
(§ 6.7.2.3). Not for how its games are played (playing.py) nor for its table (tables.py).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from kskak.entries.emt import EmtClass, Score
from kskak.entries.rights import CupRightRound
from kskak.groups.placing import ScoredGame, points_of
from kskak.groups.schedule import Schedule
from kskak.play.game_state import Terms
from kskak.regulation.editions import DEFAULT_LAWS, Regulation, Side
from tests.federation.match import Match, new_match
from tests.federation.people import Person
from tests.federation.plans import GamePlan

Event = EmtClass | CupRightRound | None
"""What a group counts as for rights; None for the cup's first round, the league and play-offs."""


@dataclass(slots=True)
class Group:
    """Players by number, and their games. ``is_cup``: a cup group other than the final.

    ``left``: who withdrew, and whether he had a valid reason (§ 6.2.8). ``lost_unplayed``: games
    that a withdrawal lost before they were finished, which are not rated (§ 4.5.4.2, reading).
    """

    name: str
    event: Event
    start: date
    players: list[Person]
    schedule: Schedule
    leader: str
    is_cup: bool = False
    is_league: bool = False
    regulation: Regulation = Regulation.EMAIL
    matches: list[Match] = field(default_factory=list)
    left: dict[str, bool] = field(default_factory=dict)
    lost_unplayed: set[int] = field(default_factory=set)
    finished: date | None = None

    @property
    def is_over(self) -> bool:
        """Whether every game has its result."""
        return all(match.is_over for match in self.matches)

    @property
    def keys(self) -> tuple[str, ...]:
        """The players by number."""
        return tuple(person.key for person in self.players)

    def of(self, person: str) -> Iterator[tuple[Match, Side]]:
        """Somebody's games, each with his side."""
        for match in self.matches:
            side = match.side_of(person)
            if side is not None:
                yield match, side

    def played(self, fits: Callable[[Match], bool] = lambda match: True) -> tuple[ScoredGame, ...]:
        """The finished games that fit, by the players' keys."""
        found = []
        for match in self.matches:
            result = match.state.result
            if result is not None and fits(match):
                white, black = match.seats[Side.WHITE].key, match.seats[Side.BLACK].key
                found.append(ScoredGame(white, black, result))
        return tuple(found)

    def score(self, person: str) -> Score:
        """His points so far, and once the group is finished his place by points (§ 6.5.3.2 a)."""
        own = list(self.of(person))
        points = points_of(self.keys, self.played())
        place = None
        if self.finished is not None:
            place = 1 + sum(other > points[person] for other in points.values())
        unfinished = sum(not match.is_over for match, _ in own)
        return Score(points[person], len(own), unfinished, place)

    def points(self) -> dict[str, Fraction]:
        """Everybody's points so far."""
        return points_of(self.keys, self.played())


Numbering = Iterator[int]
Planner = Callable[[int, int], GamePlan]
"""Makes the course of a game between two strengths."""


def add_games(group: Group, numbers: Numbering, plan: Planner) -> None:
    """Add the games of a group's schedule, all of which start on the group's first day."""
    for games in group.schedule.rounds:
        for pairing in games:
            white = group.players[pairing.white - 1]
            black = group.players[pairing.black - 1]
            number = next(numbers)
            terms = Terms(
                game=f"{group.name}/{len(group.matches) + 1}",
                regulation=group.regulation,
                start=group.start,
                white=white.key,
                black=black.key,
                fen=None,
                laws_year=DEFAULT_LAWS,
            )
            seats = {Side.WHITE: white, Side.BLACK: black}
            group.matches.append(new_match(number, terms, seats, plan))


def by_key(people: Sequence[Person], order: Sequence[str]) -> list[Person]:
    """The people in the order of their keys."""
    found = {person.key: person for person in people}
    return [found[key] for key in order]
