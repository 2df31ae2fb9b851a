"""Year after year, day by day: the order in which things happen in a simulated federation.

The clock is the loop's own day. Not for what happens on a day (the other modules) nor for
printing (report.py).
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from kskak.entries.access import access
from kskak.entries.rights import PlayerProfile, ResultHistory
from kskak.game.game_events import LeaderTold
from kskak.regulation.days import ONE_DAY, years_later
from tests.federation.absences import Absences, Calendar
from tests.federation.appeals import Appeals
from tests.federation.archive import past_results, player_of
from tests.federation.championship import Championship
from tests.federation.check_people import Admission, check_admission
from tests.federation.checks.games import check_game, check_time
from tests.federation.checks.lapses import check_lapses, lapsed_by
from tests.federation.cups import Cup
from tests.federation.dm import DanishChampionship
from tests.federation.entering import EntryDesk
from tests.federation.leagues import DEADLINE, League
from tests.federation.lines import make_pool
from tests.federation.people import make_federation
from tests.federation.playing import Players
from tests.federation.ratings import Ratings
from tests.federation.report import LifeReport, Running, YearReport, year_report
from tests.federation.tally import Tally
from tests.federation.trouble import Violation
from tests.federation.world import World

FIRST_DAY = date(2024, 8, 1)
"""A month before the first DM, two before the first cup, five before the first league."""
_CUP_DAY = (10, 1)

Progress = Callable[[date, int, int], None]
"""Called with the day, the number of running games, and the number of games that are over."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate."""

    seed: int = 1
    years: int = 3
    players: int = 300
    clubs: int = 40


def simulate(plan: Plan, progress: Progress | None = None) -> LifeReport:
    """Run a whole simulation. Raises Violation, with seed, day and place, if an invariant fails."""
    try:
        return Life(plan).run(progress)
    except Violation as found:
        found.seed = plan.seed
        raise


class Life:
    """Everything in one simulation; ``world`` may be inspected after the run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = Random(plan.seed)
        size, days = (plan.players, plan.clubs), plan.years * 365
        federation = make_federation(self._random, size, FIRST_DAY, days)
        archive = past_results(self._random, federation, FIRST_DAY)
        ratings = Ratings.of(federation)
        calendar = Calendar()
        self.world = World(
            random=self._random,
            federation=federation,
            archive=archive,
            ratings=ratings,
            pool=make_pool(self._random),
            players=Players(self._random, calendar.back),
            tally=Tally(1, FIRST_DAY),
        )
        self._desk = EntryDesk(archive, ratings)
        self._championship = Championship(
            self.world, self._desk, DanishChampionship(self.world, self._desk)
        )
        self._league = League(self.world)
        self._absences = Absences(
            self.world, calendar, self._championship, self._league, self._random
        )
        self._appeals = Appeals(self.world, self._random)
        self._over = 0

    def run(self, progress: Progress | None) -> LifeReport:
        """Run all years, with one report for each."""
        years = []
        for number in range(1, self._plan.years + 1):
            self.world.tally = Tally(number, years_later(FIRST_DAY, number - 1))
            for day in self._days(number):
                self._live(day)
                if progress is not None and day.day == 1:
                    progress(day, len(self.world.unfinished), self._over)
            years.append(self._end_year(years_later(FIRST_DAY, number) - ONE_DAY))
        running = self._running()
        return LifeReport(self._plan.seed, tuple(years), running, self.world.trace)

    def _days(self, number: int) -> Iterator[date]:
        day, end = years_later(FIRST_DAY, number - 1), years_later(FIRST_DAY, number)
        while day < end:
            yield day
            day += ONE_DAY

    def _live(self, day: date) -> None:
        """One day: games first, then absences, then the work of the desks."""
        self._play(day)
        self._absences.look(day)
        self.world.close_finished(day)
        self.world.keep_appointments(day)
        self.world.close_finished(day)
        self._championship.look(day)
        today = (day.month, day.day)
        if today == _CUP_DAY and (self.world.tally.number < self._plan.years or day.year == 2024):
            Cup(f"Cup {day.year}", self.world, self._desk).begin(day)
        if today == DEADLINE:
            self._league.compose(day)

    def _play(self, day: date) -> None:
        due = self.world.due
        while due and due[0][0] <= day:
            match = heapq.heappop(due)[2]
            if match.state.result is not None:
                continue
            had = len(match.events)
            self.world.players.live(match, day)
            if any(isinstance(one, LeaderTold) for one in match.events[had:]):
                self._absences.told(match, day)
            if match.is_over:
                self._over += 1
                self._appeals.lost(self.world.unfinished[match.number], match, day)
            self.world.settle(match, day)
            self.world.watch(match, day)

    def _end_year(self, day: date) -> YearReport:
        """Check everything as it is at the year's end, and report on the year."""
        world = self.world
        curves = world.ratings.check(day)
        then = world.tally.first
        for key, person in world.federation.people.items():
            player = player_of(person, self._desk.k_rating(person))
            record = world.archive.record(key, day)
            self._check_rights(player, record)
            known = tuple(one for one in record.results if one.finished and one.finished <= then)
            world.tally.lapsed += lapsed_by(player, record, ResultHistory(then, known))
        for group in world.groups.values():
            if group.finished is None:
                for match in group.matches:
                    check_time(match.name, match.state, day)
        return year_report(world.tally, world.ratings.registered, curves, day)

    def _check_rights(self, player: PlayerProfile, record: ResultHistory) -> None:
        """Check that each of a player's rights has a source, and lapses."""
        for group_class, answer in access(player, record).items():
            if answer.by:
                check_admission(Admission(player, group_class, record, answer.by))
        check_lapses(player, record)

    def _running(self) -> Running:
        """Check the games still running at the end too, and count them."""
        last = years_later(FIRST_DAY, self._plan.years) - timedelta(days=1)
        games = plies = 0
        for group in self.world.groups.values():
            if group.finished is None:
                for match in group.matches:
                    check_game(match.name, match.state, match.events, last)
                    self.world.remember(match)
                    games += not match.is_over
                    plies += match.state.position.ply
        return Running(games, plies)
