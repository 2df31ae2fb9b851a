"""What all parts of a simulation share: the people, the games, the agenda, and what is counted.

Groups are created, started and finished here, with their checks. Not for which groups there are
(championship.py, cups.py, leagues.py) nor for the order of events in a day (life.py).
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from random import Random

from kskak.entries.emt import EmtClass
from kskak.entries.rights import CupRightRound
from kskak.groups.schedule import Schedule
from kskak.regulation.editions import Regulation
from tests.federation.archive import Archive
from tests.federation.check_groups import check_draw
from tests.federation.check_people import check_places
from tests.federation.checks.games import check_game
from tests.federation.group import Event, Group, Numbering, add_games
from tests.federation.lines import LONGEST, Pool
from tests.federation.match import Match
from tests.federation.own_account import check_own_account
from tests.federation.people import Federation, Person
from tests.federation.plans import GamePlan, make_plan
from tests.federation.playing import Players
from tests.federation.ratings import Ratings
from tests.federation.tally import Tally

LETTERS = timedelta(days=14)
"""From the draw to the start: time for the letters to go out and arrive (§ 6.5.2.1, § 6.7.4.2)."""
_CUP_GAMES = 60
"""Plies after which nobody plays on in the cup, so that three rounds fit into two years."""


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A drawn group, its players in the order of their numbers.

    ``after``: from the draw to the start. ``cycles`` is 2 if everybody meets twice.
    """

    name: str
    event: Event
    players: Sequence[Person]
    schedule: Schedule
    is_cup: bool = False
    is_league: bool = False
    cycles: int = 1
    after: timedelta = LETTERS
    regulation: Regulation = Regulation.EMAIL


Finished = Callable[[Group, date], None]


@dataclass(slots=True)
class World:
    """The state of a simulation. ``due``: days on which something happens in a game.

    ``agenda``: what is to be done on a day; ``closing``: groups that finished on the day;
    ``counted``: tables whose ties are in the tally; ``trace``: the hash of all events so far.
    """

    random: Random
    federation: Federation
    archive: Archive
    ratings: Ratings
    pool: Pool
    players: Players
    tally: Tally
    numbers: Numbering = field(default_factory=lambda: count(1))
    groups: dict[str, Group] = field(default_factory=dict)
    waiting_for: dict[str, Finished] = field(default_factory=dict)
    due: list[tuple[date, int, Match]] = field(default_factory=list)
    agenda: list[tuple[date, int, Callable[[date], None]]] = field(default_factory=list)
    unfinished: dict[int, Group] = field(default_factory=dict)
    closing: list[Group] = field(default_factory=list)
    counted: set[str] = field(default_factory=set)
    trace: str = ""

    def person(self, key: str) -> Person:
        """The person with a key."""
        return self.federation.people[key]

    def seed(self) -> str:
        """A seed for lots, to be recorded with the draw (§ 6.5.2.1)."""
        return f"{self.random.getrandbits(64):016x}"

    def start(self, new: NewGroup, day: date, finished: Finished) -> Group:
        """Create a group on the day of its draw; it starts ``new.after`` later.

        ``finished`` is called once its last game has ended.
        """
        leader = self._leader({person.key for person in new.players})
        group = Group(
            name=new.name,
            event=new.event,
            start=day + new.after,
            players=list(new.players),
            schedule=new.schedule,
            leader=leader,
            is_cup=new.is_cup,
            is_league=new.is_league,
            regulation=new.regulation,
        )
        is_cup = new.is_cup or isinstance(new.event, CupRightRound)
        longest = _CUP_GAMES if is_cup else LONGEST

        def plan(white: int, black: int) -> GamePlan:
            return make_plan(self.random, self.pool, white, black, longest)

        add_games(group, self.numbers, plan)
        check_draw(group, new.cycles, day)
        self.archive.open_group(group)
        check_places(group, self.archive, day)
        self.at(group.start, lambda on: self.ratings.starts(group))
        self.groups[group.name] = group
        self.waiting_for[group.name] = finished
        self.tally.groups[_kind(group)] += 1
        for match in group.matches:
            self.unfinished[match.number] = group
            self.players.begin(match, day)
            self.watch(match, day)
        return group

    def _leader(self, inside: set[str]) -> str:
        """A leader for the group, who does not play in it (§ 6.1.1)."""
        return self.random.choice([key for key in self.federation.people if key not in inside])

    def watch(self, match: Match, day: date) -> None:
        """Arrange to look at a game again when something is due in it."""
        following = self.players.next_day(match, day)
        if following is not None:
            heapq.heappush(self.due, (following, match.number, match))

    def settle(self, match: Match, day: date) -> None:
        """If a game has ended, see whether its group is finished."""
        group = self.unfinished.get(match.number)
        if group is None or not match.is_over:
            return
        del self.unfinished[match.number]
        if group.finished is None and group.is_over:
            group.finished = day
            self.closing.append(group)

    def close_finished(self, day: date) -> None:
        """Close the groups that finished on the day, in the order of the lists of § 4.5.4.1."""
        while self.closing:
            closing = sorted(self.closing, key=lambda group: (group.start, group.name))
            self.closing.clear()
            for group in closing:
                self._close(group, day)

    def remember(self, match: Match) -> None:
        """Chain a game's events into the trace, in order."""
        self.trace = sha256(f"{self.trace}{match.events!r}".encode()).hexdigest()

    def at(self, day: date, what: Callable[[date], None]) -> None:
        """Have something done on a later day, after that day's games and absences."""
        heapq.heappush(self.agenda, (day, next(self.numbers), what))

    def keep_appointments(self, day: date) -> None:
        """Do what is due on the agenda."""
        while self.agenda and self.agenda[0][0] <= day:
            heapq.heappop(self.agenda)[2](day)

    def _close(self, group: Group, day: date) -> None:
        for match in group.matches:
            told = check_game(match.name, match.state, match.events, day)
            check_own_account(match.name, told, day)
            self.tally.game(match, told)
            self.remember(match)
        self.ratings.finishes(group, day)
        self.tally.finished_groups += 1
        self.waiting_for.pop(group.name)(group, day)


def _kind(group: Group) -> str:
    """What a group is, in the report's words."""
    if group.is_league:
        return "league board"
    if isinstance(group.event, EmtClass):
        return group.event.value
    if isinstance(group.event, CupRightRound):
        return f"cup {group.event.stage.value}"
    return "cup first round" if group.is_cup else "play-off"
