"""The cup of a simulation: first round, semi-final, final (§ 6.6).

Divided, dealt and drawn by ``kskak.cup``. If the number of entries can't be divided into
groups, the leader decides, here always that the last are left out. Not for entries' rules
(entering.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from kskak.cup import (
    CupPlan,
    CupPlayer,
    going_on,
    group_sizes,
    may_enter_semifinal,
    plan,
    preliminary_groups,
    semifinal_groups,
)
from kskak.entries.emt import Score
from kskak.entries.entry import CupEntry, EntryState
from kskak.entries.rights import CupFinalStage, CupRightRound
from kskak.groups.placing import RankingRules, cup_champion
from kskak.groups.schedule import draw_lots, round_robin
from tests.federation.archive import Known
from tests.federation.checks.cups import (
    check_dealt,
    check_finalists,
    check_leavers,
    check_semifinal,
)
from tests.federation.entering import Entered, EntryDesk
from tests.federation.group import Event, Group
from tests.federation.people import Person
from tests.federation.tables import placed
from tests.federation.tally import Titled
from tests.federation.world import NewGroup, World

_ENTERS, _ENTERS_TWICE, _ENTERS_LATER = 0.33, 0.06, 0.4
_FEWEST_GROUPS = 3
"""With fewer groups in the first round, there are too few entries for a semi-final (§ 6.6.1.1)."""
_LAST = 99


def semifinalists(
    placings: Sequence[Mapping[str, int]], places: int, direct: Sequence[str] = ()
) -> tuple[str, ...]:
    """The places in the semi-final; advancing from two groups gives two (§ 6.6.1.2, § 6.6.1.3)."""
    return (*(name for placing in placings for name in going_on(placing, places)), *direct)


def finalists(placings: Sequence[Mapping[str, int]], places: int) -> tuple[str, ...]:
    """Who is in the final, each once (§ 6.6.1.3)."""
    return tuple(dict.fromkeys(semifinalists(placings, places)))


@dataclass(slots=True)
class Cup:
    """One cup, from its entries to the trophy."""

    name: str
    world: World
    desk: EntryDesk
    direct: list[Person] = field(default_factory=list)
    entries: int = 0
    groups: list[Group] = field(default_factory=list)
    plan: CupPlan | None = None

    @property
    def has_semifinal(self) -> bool:
        """Whether a semi-final is held (§ 6.6.1.1)."""
        return self.plan is not None and self.plan.semifinals > 0

    def begin(self, day: date) -> None:
        """Take the entries, divide and deal the first round (§ 6.6.1.1-6.6.1.2, § 6.6.3)."""
        entered = self._entries(day)
        while entered and group_sizes(len(entered)) is None:
            self._release(entered.pop())
        if not entered:
            return
        self.entries = len(entered)
        strength = self.world.ratings.registered
        dealt = [CupPlayer(one.person.key, strength[one.person.key]) for one in entered]
        groups = preliminary_groups(dealt)
        check_dealt(self.name, dealt, groups, day)
        for one in entered:
            self._release(one)
        for number, group in enumerate(groups, 1):
            people = [entered[index].person for index in group]
            self._start(f"{self.name} group {number}", None, people, day)

    def _entries(self, day: date) -> list[Entered]:
        """Who enters, and in which round; a few enter two groups (§ 6.6.1.2, § 6.6.1.6)."""
        random, found = self.world.random, list[Entered]()
        for person in self.world.federation.people.values():
            if random.random() >= _ENTERS or person.is_gone(day):
                continue
            is_strong = may_enter_semifinal(self.desk.k_rating(person))
            is_later = is_strong and random.random() < _ENTERS_LATER
            wish = CupEntry.SEMIFINAL if is_later else CupEntry.PRELIMINARY
            times = 2 if not is_later and random.random() < _ENTERS_TWICE else 1
            for _ in range(times):
                entered = Entered(person, wish, day)
                judged = self.desk.judge(entered, day)
                self.world.tally.entries[judged.state] += 1
                self.world.tally.faults.update(judged.paragraphs)
                if judged.state is not EntryState.VALID:
                    continue
                self.desk.opened(entered)
                entered.since = day
                found.append(entered)
        self.direct = [one.person for one in found if one.wish is CupEntry.SEMIFINAL]
        return [one for one in found if one.wish is CupEntry.PRELIMINARY]

    def _release(self, entered: Entered) -> None:
        self.desk.opened(entered, -1)

    def _start(self, name: str, event: Event, people: Sequence[Person], day: date) -> None:
        order = draw_lots(self.world.seed(), [person.key for person in people])
        new = NewGroup(
            name=name,
            event=event,
            players=[people[index] for index in order],
            schedule=round_robin(len(people)),
            is_cup=not (isinstance(event, CupRightRound) and event.stage is CupFinalStage.FINAL),
        )
        self.groups.append(self.world.start(new, day, self.finished))

    def finished(self, group: Group, day: date) -> None:
        """A group is finished; once the whole round is, the next follows (§ 6.6.1.3, § 6.6.3)."""
        if isinstance(group.event, CupRightRound):
            self._keep(group, day)
        if any(one.finished is None for one in self.groups):
            return
        if isinstance(group.event, CupRightRound) and group.event.stage is CupFinalStage.FINAL:
            self._award(group, day)
        elif group.event is None:
            self._after_first_round(day)
        else:
            self._final([self._placing(one, day) for one in self.groups], day)

    def _keep(self, group: Group, day: date) -> None:
        """Record the results that give rights (§ 6.6.2)."""
        event = group.event
        assert isinstance(event, CupRightRound)
        rows = {row.name: row.place for row in placed(self.world, group, RankingRules.CUP, day)}
        for key in group.keys:
            score = group.score(key)
            known = Score(score.points, score.games, 0, rows[key])
            self.world.archive.add(key, Known(event, known, day, group.name))

    def _placing(self, group: Group, day: date) -> Mapping[str, int]:
        """Places by name; a player who withdrew is last, and so is a non-member: § 6.1 allows him
        one group, and the next round would be his second."""
        rows = placed(self.world, group, RankingRules.CUP, day)
        barred = {one.key for one in group.players if not one.is_member} | set(group.left)
        return {row.name: _LAST if row.name in barred else row.place for row in rows}

    def _after_first_round(self, day: date) -> None:
        placings = [self._placing(group, day) for group in self.groups]
        is_held = len(self.groups) >= _FEWEST_GROUPS
        self.direct = [one for one in self.direct if not one.is_gone(day)]
        self.plan = plan(len(self.groups), len(self.direct), is_held)
        direct = [one.key for one in self.direct]
        if not is_held:
            names = (*finalists(placings, self.plan.advancing), *direct)
            self._start_final(tuple(dict.fromkeys(names)), day)
            return
        names = semifinalists(placings, self.plan.advancing, direct)
        check_leavers(self.name, names, self.groups, day)
        names = _filled(self.world, names, placings, day)
        groups = semifinal_groups(names, self.world.seed())
        check_semifinal(self.name, names, groups, day)
        self.groups = []
        for number, seats in enumerate(groups, 1):
            people = [self.world.person(names[index]) for index in seats]
            self._start(
                f"{self.name} semi-final {number}",
                CupRightRound(CupFinalStage.SEMIFINAL),
                people,
                day,
            )

    def _final(self, placings: Sequence[Mapping[str, int]], day: date) -> None:
        assert self.plan is not None
        names = finalists(placings, self.plan.finalists)
        check_leavers(self.name, names, self.groups, day)
        check_finalists(self.name, names, placings, day)
        self._start_final(names, day)

    def _start_final(self, names: Sequence[str], day: date) -> None:
        self.groups = []
        event = CupRightRound(CupFinalStage.FINAL, self.entries, self.has_semifinal)
        people = [self.world.person(key) for key in names]
        self._start(f"{self.name} final", event, people, day)

    def _award(self, group: Group, day: date) -> None:
        rows = placed(self.world, group, RankingRules.CUP_FINAL, day)
        award = cup_champion(rows)
        titled = Titled(award.title.value, self.name, award.holders, award.paragraph)
        self.world.tally.titles.append(titled)


def _filled(
    world: World, names: tuple[str, ...], placings: Sequence[Mapping[str, int]], day: date
) -> tuple[str, ...]:
    """Empty places, filled by the leader with the next players of the groups (§ 6.6.1.6).

    If even these are too few, the last of those who advance get no place.
    """
    strength = world.ratings.registered
    ranked = [(place, -strength[key], key) for one in placings for key, place in one.items()]
    filled = list(names)
    for place, _, key in sorted(ranked):
        is_there = place < _LAST and not world.person(key).is_gone(day)
        if len(filled) % 7 and is_there and key not in filled:
            filled.append(key)
    return tuple(filled[: len(filled) // 7 * 7])
