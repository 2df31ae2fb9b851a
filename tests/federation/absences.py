"""Leave, silence and withdrawal in a simulation (§ 6.2.8, § 6.3.4, § 6.3.6, § 6.4.2).

Not for a single answer (playing.py) nor for what a withdrawal does to results
(kskak.cases.aftermath).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from kskak.cases.case_events import Sanction, SanctionKind, impose
from kskak.game import game_commands as cmd
from kskak.play.due_days import may_call_in
from kskak.reflection import earliest_leave
from kskak.regulation.editions import Side
from tests.federation.championship import Championship
from tests.federation.decisions import call_in, leave_group
from tests.federation.group import Group
from tests.federation.leagues import League
from tests.federation.match import Match
from tests.federation.people import Character, Person
from tests.federation.reserves import replace
from tests.federation.world import World

LEADER_WAITS = timedelta(days=10)
"""From the leader's letter to a silent player until the player is out (§ 6.3.4)."""
_TRAVELS, _OTHERS_TRAVEL, _IS_ILL = 0.22, 0.015, 0.003
_HAS_REASON = 0.5
_QUARANTINE_MONTHS = 6
_LEAVE_DAY, _LONG_DAY = 3, 5
"""Days of the month on which players consider leave, and long games are looked for."""


@dataclass(slots=True)
class Calendar:
    """Who is away, and until when."""

    away: dict[str, tuple[date, date]] = field(default_factory=dict)

    def back(self, person: Person, day: date) -> date:
        """The first day from this one on that he is at home."""
        first, last = self.away.get(person.key, (date.max, date.min))
        return last + timedelta(days=1) if first <= day <= last else day


@dataclass(slots=True)
class Absences:
    """What happens when players do not play."""

    world: World
    calendar: Calendar
    championship: Championship
    league: League
    random: Random

    def look(self, day: date) -> None:
        """One day: leave is booked, players withdraw, games that last too long are called in."""
        for person in self.world.federation.people.values():
            if day.day == _LEAVE_DAY:
                self._think_of_leave(person, day)
            if person.gone == day and person.character is Character.LEAVING:
                self._leaves_all(person, day)
        if day.day == _LONG_DAY:
            self._call_in(day)

    def told(self, match: Match, day: date) -> None:
        """The leader has learned of a silence: he writes, and decides ten days later (§ 6.3.4)."""
        group = self.world.unfinished.get(match.number)
        person = match.seats[match.state.mover]
        if group is not None:
            self.world.at(day + LEADER_WAITS, lambda on: self._silent(group, person, on))

    def _think_of_leave(self, person: Person, day: date) -> None:
        is_traveller = person.character is Character.TRAVELLER
        chance = self.random.random()
        if person.is_gone(day):
            return
        if chance < (_TRAVELS if is_traveller else _OTHERS_TRAVEL):
            for match, side in self._games(person):
                rules = match.terms.rules
                first = earliest_leave(day, rules) + timedelta(days=3)
                last = first + timedelta(days=self.random.randint(4, 15))
                if person.key not in self.calendar.away:
                    self.calendar.away[person.key] = first, last
                first, last = self.calendar.away[person.key]
                too_early = cmd.BookLeave(side, day, last)  # refused, or its days are found out
                if match.do(too_early, day) or match.do(cmd.BookLeave(side, first, last), day):
                    self.world.tally.leaves += 1
                self._put_off(match, person, day)
            self.calendar.away.pop(person.key, None)
        elif chance > 1 - _IS_ILL:
            last = day + timedelta(days=self.random.randint(5, 34))
            for match, side in self._games(person):
                if match.do(cmd.GrantLeave(side, day, last), day):
                    self.world.tally.leaves += 1

    def _games(self, person: Person) -> list[tuple[Match, Side]]:
        """His games that are not over, in groups that still run."""
        return [
            (match, side)
            for group in self.world.archive.running(person.key)
            for match, side in group.of(person.key)
            if not match.is_over
        ]

    def _put_off(self, match: Match, person: Person, day: date) -> None:
        """A player who is away answers when he is back."""
        is_mine = match.seats[match.state.mover].key == person.key
        if match.reply_on is not None and is_mine:
            match.reply_on = self.calendar.back(person, match.reply_on)
            self.world.watch(match, day)

    def _silent(self, group: Group, person: Person, day: date) -> None:
        """A player who still has not answered has withdrawn without a valid reason (§ 6.2.8)."""
        waits = [match for match, side in group.of(person.key) if match.state.to_move is side]
        is_silent = person.is_gone(day) and any(not match.is_over for match in waits)
        if is_silent and person.key not in group.left:
            self._leaves(group, person, day, has_reason=False)

    def _leaves_all(self, person: Person, day: date) -> None:
        has_reason = self.random.random() < _HAS_REASON
        self.championship.withdraw_entries(person)
        for group in self.world.archive.running(person.key):
            if any(not match.is_over for match, _ in group.of(person.key)):
                self._leaves(group, person, day, has_reason=has_reason)

    def _leaves(self, group: Group, person: Person, day: date, *, has_reason: bool) -> None:
        if group.is_league and replace(self.world, self.league.seasons, group, person, day):
            self._carry_on(group, day)
            return
        found = leave_group(group, person, day, self.random, has_reason=has_reason)
        kind = "all games lost" if found.loses_all else "adjudicated"
        self.world.tally.withdrawals[kind] += 1
        if found.may_be_quarantined:
            self._quarantine(person, day)
        for match in group.matches:
            self.world.settle(match, day)

    def _carry_on(self, group: Group, day: date) -> None:
        """The reserve looks at the games he has taken over."""
        for match in group.matches:
            if not match.is_over and match.reply_on is None:
                self.world.players.wait_for_answer(match, day)
                self.world.watch(match, day)

    def _quarantine(self, person: Person, day: date) -> None:
        """Impose a quarantine (§ 6.4.2, § 6.2.8); a second within a year is doubled (§ 4.1.19)."""
        register = self.championship.desk.sanctions.setdefault(person.key, [])
        made = impose(register, SanctionKind.QUARANTINE, day, _QUARANTINE_MONTHS)
        register.append(Sanction(made.kind, made.first, made.last))

    def _call_in(self, day: date) -> None:
        for group in self._unfinished_groups():
            for match in group.matches:
                if may_call_in(group.start, match.is_over, day):
                    call_in(match, day, self.random)
                    self.world.tally.called_in += 1
                    self.world.settle(match, day)

    def _unfinished_groups(self) -> Iterable[Group]:
        return [group for group in self.world.groups.values() if group.finished is None]
