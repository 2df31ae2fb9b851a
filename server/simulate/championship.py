"""The individual championship of a simulated life: waiting lists, groups, the DM (§ 6.5).

Not for judging an entry (entering.py), nor for playing.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta

from kskak.admission import Discretion, EntryState, Signature, discretion_for
from kskak.emt import EmtClass, Outcome, outcomes
from kskak.groups import Waiting, draw_group, is_double, may_start_dm, next_group
from kskak.placing_honours import danish_champion
from kskak.placing_rules import RuleSet
from kskak.quantities import Regulation
from kskak.schedule import round_robin
from server.simulate.archive import Known
from server.simulate.check_outcomes import check_outcomes
from server.simulate.check_people import check_admission
from server.simulate.entering import Entered, EntryDesk
from server.simulate.group import Group, by_key
from server.simulate.people import Person
from server.simulate.tables import placed
from server.simulate.tally import Moved, Titled
from server.simulate.world import LETTERS, NewGroup, World

_FEE_DAYS = 20
_ENTERS, _ENTERS_AGAIN, _TRIES_ABOVE, _LET_IN = 0.055, 0.02, 0.05, 0.15
_POSTAL = 0.25
_LISTS = (EmtClass.M, EmtClass.K, EmtClass.OPEN)
_DM_ENTERS, _DM_FEWEST, _DM_MOST = 0.8, 6, 13
_AGREES_TO_SHARE = 0.4


@dataclass(slots=True)
class Championship:
    """Its lists and its DM groups so far."""

    world: World
    desk: EntryDesk
    lists: dict[EmtClass, list[Entered]] = field(
        default_factory=lambda: {one: [] for one in EmtClass}
    )
    dm_starts: list[date] = field(default_factory=list)
    count: int = 0

    def look(self, day: date) -> None:
        """A day at the desk: new entries twice a month, fees as they come, groups that are full."""
        if day.day in (1, 15):
            for person in self.world.federation.people.values():
                self._may_enter(person, day)
        for group_class in _LISTS:
            self._take_in(group_class, day)
            while self._start_next(group_class, day):
                pass
        if (day.month, day.day) == (8, 25):
            self._gather_dm(day)

    def withdraw_entries(self, person: Person) -> None:
        """Who leaves, leaves the lists."""
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
        """Fees that came today make entries valid, or show what else is missing."""
        for entered in list(self.lists[group_class]):
            if entered.since is not None or entered.fee_on != day:
                continue
            self.desk.opened(entered, -1)
            found = self.desk.judge(entered, day)
            if found.state is EntryState.WAITING and self.world.random.random() < _LET_IN:
                entered.given = self._discretion(group_class)
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

    def _discretion(self, group_class: EmtClass) -> tuple[Discretion, ...]:
        """The leader's word; for the DM the controller's, too (§ 6.5.3.2 e, § 6.5.2.2 f)."""
        paragraph = discretion_for(group_class) or ""
        return (
            Discretion(paragraph, Signature.LEADER, 1),
            Discretion(paragraph, Signature.CONTROLLER, 2),
        )

    def _start_next(self, group_class: EmtClass, day: date) -> bool:
        """Start the list's next group when seven valid entries are in (§ 6.5.1.1)."""
        valid = [one for one in self.lists[group_class] if one.since is not None]
        if len(valid) < 7:
            return False
        fit = [one for one in valid if not self.desk.may_start(one, day)]
        chosen = next_group([Waiting(one.person.key, one.since or day) for one in fit])
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
        self._start(name, group_class, entries, regulation, day)
        return True

    def _start(
        self,
        name: str,
        group_class: EmtClass,
        entries: list[Entered],
        regulation: Regulation,
        day: date,
    ) -> None:
        """Lots, letters, and the first moves two weeks later (§ 6.5.2.1, § 6.5.3.1)."""
        people = [one.person for one in entries]
        drawn = draw_group(group_class, [one.key for one in people], self.world.seed())
        is_twice = is_double(group_class, len(people))
        new = NewGroup(
            name=name,
            event=group_class,
            players=by_key(people, drawn.players),
            schedule=drawn.schedule,
            cycles=2 if is_twice else 1,
            regulation=regulation,
            after=timedelta(0) if group_class is EmtClass.DM else LETTERS,
        )
        self.world.start(new, day, self.finished)

    def _gather_dm(self, day: date) -> None:
        """The DM's entries: who has the right; others that leader and controller find qualified."""
        world = self.world
        ranked = sorted(
            world.federation.people.values(),
            key=lambda one: (-world.ratings.registered[one.key], one.key),
        )
        for is_by_right in (True, False):
            for person in ranked:
                entries = self.lists[EmtClass.DM]
                has_entered = any(one.person.key == person.key for one in entries)
                is_full = len(entries) >= (_DM_MOST if is_by_right else _DM_FEWEST)
                if is_full or has_entered or person.is_gone(day) or not person.is_member:
                    continue
                _, answers = self.desk.answers(person, day)
                is_open = answers[EmtClass.DM].is_allowed
                if is_open is is_by_right and world.random.random() < _DM_ENTERS:
                    self._enter_dm(person, day, is_by_right)
        world.at(max(day, date(day.year, 9, 1)), self._start_dm)

    def _enter_dm(self, person: Person, day: date, is_by_right: bool) -> None:
        entered = Entered(person, EmtClass.DM, day)
        if not is_by_right:
            entered.given = self._discretion(EmtClass.DM)
        found = self.desk.judge(entered, day)
        self.world.tally.entries[found.state] += 1
        if found.admission is None:
            self.world.tally.faults.update(found.paragraphs)
            return
        check_admission(found.admission)
        self.desk.opened(entered)
        entered.since, entered.admission = day, found.admission
        self.lists[EmtClass.DM].append(entered)
        by = [right.paragraph for right in found.admission.by]
        self.world.tally.admissions.update(by or [found.admission.discretion or ""])

    def _start_dm(self, day: date) -> None:
        """One DM group a year, in September (§ 6.5.1.1, § 6.5.2)."""
        entries = [one for one in self.lists[EmtClass.DM] if not self.desk.may_start(one, day)]
        for one in self.lists[EmtClass.DM]:
            self.desk.opened(one, -1)
        self.lists[EmtClass.DM] = []
        if len(entries) < 2 or not may_start_dm(day, self.dm_starts):
            return
        self.dm_starts.append(day)
        self._start(f"DM {day.year}", EmtClass.DM, entries, Regulation.EMAIL, day)

    def finished(self, group: Group, day: date) -> None:
        """A group of any class is finished: results, rights won and lost, the title."""
        group_class = group.event
        assert isinstance(group_class, EmtClass)
        scores = {key: group.score(key) for key in group.keys}
        for key, score in scores.items():
            self.world.archive.add(key, Known(group_class, score, day, group.name))
        moved = outcomes(group_class, scores)
        check_outcomes(group.name, group_class, scores, moved, day)
        for key, outcome in moved.items():
            self._moved(group, key, outcome)
        if group_class is EmtClass.DM:
            self._title(group, day)
        else:
            placed(self.world, group, RuleSet.EMT, day)

    def _moved(self, group: Group, key: str, outcome: Outcome) -> None:
        group_class, points = group.event, float(group.score(key).points)
        assert isinstance(group_class, EmtClass)
        above, below, tally = group_class.above, group_class.below, self.world.tally
        if outcome is Outcome.RISES and above is not None:
            by = "6.5.2.2 c" if above is EmtClass.DM else "6.5.3.2 a"
            moved = Moved(key, group.name, above.value, group_class.value, points, by)
            tally.promotions.append(moved)
        elif outcome is Outcome.FALLS and below is not None:
            by = "6.5.2.3" if group_class is EmtClass.DM else "6.5.3.3"
            moved = Moved(key, group.name, group_class.value, below.value, points, by)
            tally.relegations.append(moved)

    def _title(self, group: Group, day: date) -> None:
        """The champion, or a play-off of two games between those who are level (§ 6.5.2)."""
        rows = placed(self.world, group, RuleSet.DM, day)
        award = danish_champion(rows, self._citizens(group))
        if award.awaits is None:
            self._award(group, award.holders)
            return
        if self.world.random.random() < _AGREES_TO_SHARE:
            rows = placed(self.world, group, RuleSet.DM, day, agreed_to_share=True)
            self._award(group, danish_champion(rows, self._citizens(group)).holders)
            return
        level = [self.world.person(row.name) for row in rows if row.place == 1]
        schedule = round_robin(len(level), double=True)
        new = NewGroup(f"{group.name} play-off", None, level, schedule, cycles=2)

        def decided(playoff: Group, on: date) -> None:
            table = placed(self.world, group, RuleSet.DM, on, playoff.played())
            self._award(group, danish_champion(table, self._citizens(group)).holders)

        self.world.start(new, day, decided)

    def _citizens(self, group: Group) -> frozenset[str]:
        return frozenset(person.key for person in group.players if person.is_citizen)

    def _award(self, group: Group, holders: tuple[str, ...]) -> None:
        titled = Titled("danish_champion", group.name, holders, "6.5.2")
        self.world.tally.titles.append(titled)
