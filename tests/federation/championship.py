"""The individual championship of a simulation: its waiting lists and their groups (§ 6.5).

Not for judging an entry (entering.py), for the DM (dm.py), nor for playing.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta

from kskak.entries.emt import EmtClass, WaitingPlayer, next_group
from kskak.entries.entry import EntryState
from kskak.groups.placing import RankingRules
from kskak.regulation.editions import Regulation
from tests.federation.check_people import check_admission
from tests.federation.dm import DanishChampionship
from tests.federation.emt_groups import draw_up, keep_results, let_in
from tests.federation.entering import Entered, EntryDesk
from tests.federation.group import Group
from tests.federation.people import Person
from tests.federation.tables import placed
from tests.federation.world import World

_FEE_DAYS = 20
_ENTERS, _ENTERS_AGAIN, _TRIES_ABOVE, _LET_IN = 0.055, 0.02, 0.05, 0.15
_POSTAL = 0.25
_LISTS = (EmtClass.M, EmtClass.K, EmtClass.OPEN)


@dataclass(slots=True)
class Championship:
    """The lists of M, K and Å, and the DM."""

    world: World
    desk: EntryDesk
    dm: DanishChampionship
    lists: dict[EmtClass, list[Entered]] = field(
        default_factory=lambda: {one: [] for one in _LISTS}
    )
    count: int = 0

    def look(self, day: date) -> None:
        """A day at the desk: new entries twice a month, fees as they arrive, full groups."""
        if day.day in (1, 15):
            for person in self.world.federation.people.values():
                self._may_enter(person, day)
        for group_class in _LISTS:
            self._take_in(group_class, day)
            while self._start_next(group_class, day):
                pass
        if (day.month, day.day) == (8, 25):
            self.dm.gather(day)

    def withdraw_entries(self, person: Person) -> None:
        """Take a player who leaves off the lists."""
        self.dm.withdraw_entry(person)
        for group_class, entries in self.lists.items():
            for one in entries:
                if one.person.key == person.key:
                    self.desk.opened(one, -1)
            self.lists[group_class] = [one for one in entries if one.person.key != person.key]

    def _may_enter(self, person: Person, day: date) -> None:
        random = self.world.random
        is_playing = any(
            isinstance(group.event, EmtClass) for group in self.world.archive.running(person.key)
        )
        is_waiting = self.desk.open_entries.get(person.key, 0) > 0
        if person.is_gone(day) or is_waiting:
            return
        if random.random() >= (_ENTERS_AGAIN if is_playing else _ENTERS):
            return
        _, answers = self.desk.answers(person, day)
        allowed = [one for one in _LISTS if answers[one].is_allowed]
        wish = allowed[0] if allowed else EmtClass.OPEN
        if random.random() < _TRIES_ABOVE and wish.above in _LISTS:
            wish = wish.above or wish
        self._enter(person, wish, day)

    def _enter(self, person: Person, wish: EmtClass, day: date) -> Entered | None:
        random = self.world.random
        entered = Entered(person, wish, day + timedelta(days=random.randint(0, _FEE_DAYS)))
        found = self.desk.judge(entered, day)
        self.world.tally.entries[found.state] += 1
        if found.state is EntryState.REFUSED:
            for paragraph in found.paragraphs:
                self.world.tally.faults[paragraph] += 1
            return None
        self.lists[wish].append(entered)
        self.desk.opened(entered)
        return entered

    def _take_in(self, group_class: EmtClass, day: date) -> None:
        """Fees received today make entries valid, or show what else is missing."""
        for entered in list(self.lists[group_class]):
            if entered.since is not None or entered.fee_on != day:
                continue
            self.desk.opened(entered, -1)
            found = self.desk.judge(entered, day)
            if found.state is EntryState.WAITING and self.world.random.random() < _LET_IN:
                entered.given = let_in(group_class)
                found = self.desk.judge(entered, day)
            if found.state is not EntryState.VALID or found.admission is None:
                for paragraph in found.paragraphs:
                    self.world.tally.faults[paragraph] += 1
                self.lists[group_class].remove(entered)
                continue
            check_admission(found.admission)
            self.desk.opened(entered)
            entered.since, entered.admission = day, found.admission
            by = [found.admission.discretion] if found.admission.discretion else []
            by += [right.paragraph for right in found.admission.by]
            self.world.tally.admissions.update(by)

    def _start_next(self, group_class: EmtClass, day: date) -> bool:
        """Start the list's next group when seven valid entries are in (§ 6.5.1.1)."""
        valid = [one for one in self.lists[group_class] if one.since is not None]
        if len(valid) < 7:
            return False
        fit = [one for one in valid if not self.desk.may_start(one, day)]
        chosen = next_group([WaitingPlayer(one.person.key, one.since or day) for one in fit])
        if chosen is None:
            return False
        self.count += 1
        name = f"{group_class.value} {self.count}"
        entries = [fit[index] for index in chosen]
        for one in entries:
            self.lists[group_class].remove(one)
            self.desk.opened(one, -1)
        regulation = Regulation.EMAIL
        if self.world.random.random() < _POSTAL:
            regulation = Regulation.POSTAL
        new = draw_up(self.world, name, group_class, [one.person for one in entries], regulation)
        self.world.start(new, day, self._finished)
        return True

    def _finished(self, group: Group, day: date) -> None:
        keep_results(self.world, group, day)
        placed(self.world, group, RankingRules.EMT, day)
