"""The DM of a simulation: its entries, its start in September, the title (§ 6.5.2).

Not for the other classes (championship.py).
"""

from dataclasses import dataclass, field
from datetime import date

from kskak.entries.emt import EmtClass, may_start_dm
from kskak.groups.placing import RankingRules, danish_champion
from kskak.groups.schedule import round_robin
from kskak.regulation.editions import Regulation
from tests.federation.check_people import check_admission
from tests.federation.emt_groups import draw_up, keep_results, let_in
from tests.federation.entering import Entered, EntryDesk
from tests.federation.group import Group
from tests.federation.people import Person
from tests.federation.tables import placed
from tests.federation.tally import Titled
from tests.federation.world import NewGroup, World

_ENTERS, _FEWEST, _MOST = 0.8, 6, 13
"""The share who enter of those who may; how many the leader wants, and how many he can take."""
_AGREE_TO_SHARE = 0.4
_START = (9, 1)


@dataclass(slots=True)
class DanishChampionship:
    """This year's entries, and the days on which a DM has started."""

    world: World
    desk: EntryDesk
    entries: list[Entered] = field(default_factory=list)
    starts: list[date] = field(default_factory=list)

    def withdraw_entry(self, person: Person) -> None:
        """Take a player who leaves out of the next DM."""
        for one in list(self.entries):
            if one.person.key == person.key:
                self.desk.opened(one, -1)
                self.entries.remove(one)

    def gather(self, day: date) -> None:
        """The DM's entries: by right, then those whom leader and controller find qualified."""
        world = self.world
        ranked = sorted(
            world.federation.people.values(),
            key=lambda one: (-world.ratings.registered[one.key], one.key),
        )
        for is_by_right in (True, False):
            for person in ranked:
                has_entered = any(one.person.key == person.key for one in self.entries)
                is_full = len(self.entries) >= (_MOST if is_by_right else _FEWEST)
                if is_full or has_entered or person.is_gone(day) or not person.is_member:
                    continue
                _, answers = self.desk.answers(person, day)
                is_open = answers[EmtClass.DM].is_allowed
                if is_open is is_by_right and world.random.random() < _ENTERS:
                    self._enter(person, day, is_by_right)
        world.at(date(day.year, *_START), self._start)

    def _enter(self, person: Person, day: date, is_by_right: bool) -> None:
        entered = Entered(person, EmtClass.DM, day)
        if not is_by_right:
            entered.given = let_in(EmtClass.DM)
        found = self.desk.judge(entered, day)
        self.world.tally.entries[found.state] += 1
        if found.admission is None:
            self.world.tally.faults.update(found.paragraphs)
            return
        check_admission(found.admission)
        self.desk.opened(entered)
        entered.since, entered.admission = day, found.admission
        self.entries.append(entered)
        by = [right.paragraph for right in found.admission.by]
        self.world.tally.admissions.update(by or [found.admission.discretion or ""])

    def _start(self, day: date) -> None:
        """One DM group a year, in September (§ 6.5.1.1, § 6.5.2)."""
        entries = [one for one in self.entries if not self.desk.may_start(one, day)]
        for one in self.entries:
            self.desk.opened(one, -1)
        self.entries = []
        if len(entries) < 2 or not may_start_dm(day, self.starts):
            return
        self.starts.append(day)
        people = [one.person for one in entries]
        new = draw_up(self.world, f"DM {day.year}", EmtClass.DM, people, Regulation.EMAIL)
        self.world.start(new, day, self._finished)

    def _finished(self, group: Group, day: date) -> None:
        """Record the results, the rights won and lost, and the title."""
        keep_results(self.world, group, day)
        self._title(group, day)

    def _title(self, group: Group, day: date) -> None:
        """The champion, or a play-off of two games between those who are level (§ 6.5.2)."""
        rows = placed(self.world, group, RankingRules.DM, day)
        award = danish_champion(rows, self._citizens(group))
        if award.awaits is None:
            self._award(group, award.holders)
            return
        if self.world.random.random() < _AGREE_TO_SHARE:
            rows = placed(self.world, group, RankingRules.DM, day, agreed_to_share=True)
            self._award(group, danish_champion(rows, self._citizens(group)).holders)
            return
        level = [self.world.person(row.name) for row in rows if row.place == 1]
        schedule = round_robin(len(level), double=True)
        new = NewGroup(f"{group.name} play-off", None, level, schedule, cycles=2)

        def decided(playoff: Group, on: date) -> None:
            table = placed(self.world, group, RankingRules.DM, on, playoff.played())
            self._award(group, danish_champion(table, self._citizens(group)).holders)

        self.world.start(new, day, decided)

    def _citizens(self, group: Group) -> frozenset[str]:
        return frozenset(person.key for person in group.players if person.is_citizen)

    def _award(self, group: Group, holders: tuple[str, ...]) -> None:
        titled = Titled("danish_champion", group.name, holders, "6.5.2")
        self.world.tally.titles.append(titled)
