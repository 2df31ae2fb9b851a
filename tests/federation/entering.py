"""Entries to the championship and the cup, judged by the rules as the server judges them.

§ 6.1, § 6.4.4.1, § 6.5.3.2, § 6.6.1. Not for groups (championship.py, cups.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from kskak.cases.case_events import Sanction
from kskak.entries.access import access
from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    Discretion,
    EntrantStatus,
    Entry,
    EntryFault,
    EntryState,
    Wish,
    after_discretion,
    closed_by,
    entry_faults,
    fault_paragraph,
    is_proved,
    select_refusing_faults,
    start_faults,
)
from kskak.entries.rights import ClassEligibility, ResultHistory
from tests.federation.archive import Archive, player_of
from tests.federation.check_people import Admission
from tests.federation.people import Person
from tests.federation.ratings import Ratings


@dataclass(slots=True)
class Entered:
    """A pending entry; ``since`` is the day on which it became valid."""

    person: Person
    wish: Wish
    fee_on: date
    since: date | None = None
    admission: Admission | None = None
    given: tuple[Discretion, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of an entry, and the paragraph of each thing that is missing."""

    state: EntryState
    paragraphs: tuple[str, ...]
    admission: Admission | None


@dataclass(slots=True)
class EntryDesk:
    """Judges entries; ``entered_cups`` counts open entries to the cup (§ 6.6.1.2)."""

    archive: Archive
    ratings: Ratings
    sanctions: dict[str, list[Sanction]] = field(default_factory=dict)
    entered_cups: dict[str, int] = field(default_factory=dict)
    open_entries: dict[str, int] = field(default_factory=dict)

    def k_rating(self, person: Person) -> int | None:
        """His K-rating, once he has one."""
        has_played = self.ratings.registered[person.key] != self.ratings.first[person.key]
        known = person.k_rating is not None or has_played
        return self.ratings.registered[person.key] if known else None

    def answers(
        self, person: Person, on: date
    ) -> tuple[ResultHistory, dict[EmtClass, ClassEligibility]]:
        """The record on a day, and the answer for each class that rests on it."""
        record = self.archive.record(person.key, on)
        return record, access(player_of(person, self.k_rating(person)), record)

    def standing(self, person: Person, wish: Wish, on: date) -> tuple[ResultHistory, EntrantStatus]:
        """What is known of him besides the entry."""
        record, answers = self.answers(person, on)
        key = person.key
        return record, EntrantStatus(
            on=on,
            access=answers[wish] if isinstance(wish, EmtClass) else None,
            groups_before=self.archive.groups_before(key) + self.open_entries.get(key, 0),
            cup_groups=self.archive.cup_running(key) + self.entered_cups.get(key, 0),
            sanctions=tuple(self.sanctions.get(key, ())),
        )

    def judge(self, entered: Entered, on: date) -> Judged:
        """Judge an entry by the rules on a day (§ 6.4.4.1)."""
        person, wish = entered.person, entered.wish
        record, standing = self.standing(person, wish, on)
        answer = standing.access
        entry = Entry(
            wish=wish,
            member_number=person.key if person.is_member else None,
            club=person.club,
            born=person.born,
            fee_received=entered.fee_on if entered.fee_on <= on else None,
            has_proof=answer is not None and is_proved(answer, person.otb_rating is not None),
            k_rating=self.k_rating(person),
        )
        lacking = entry_faults(entry, standing)
        faults = after_discretion(lacking, wish, entered.given)
        closed = closed_by(wish, answer)
        paragraphs = tuple(fault_paragraph(fault, closed) for fault in faults)
        if faults:
            state = EntryState.REFUSED if select_refusing_faults(faults) else EntryState.WAITING
            return Judged(state, paragraphs, None)
        used = entered.given if lacking else ()
        return Judged(EntryState.VALID, (), self._admission(entered, record, answer, used))

    def _admission(
        self,
        entered: Entered,
        record: ResultHistory,
        answer: ClassEligibility | None,
        used: Sequence[Discretion],
    ) -> Admission | None:
        if not isinstance(entered.wish, EmtClass):
            return None
        person = entered.person
        return Admission(
            player=player_of(person, self.k_rating(person)),
            group_class=entered.wish,
            record=record,
            by=() if used or answer is None else answer.by,
            discretion=used[0].paragraph if used else None,
        )

    def may_start(self, entered: Entered, on: date) -> tuple[EntryFault, ...]:
        """What keeps a valid entry out of the group that starts now (§ 6.5.1.2, § 6.4.2)."""
        _, standing = self.standing(entered.person, entered.wish, on)
        others = standing.groups_before - 1 if entered.since is not None else 0
        return start_faults(
            entered.person.is_member,
            entered.wish,
            EntrantStatus(on, standing.access, max(others, 0), 0, standing.sanctions),
        )

    def opened(self, entered: Entered, by: int = 1) -> None:
        """Count an entry as open; with -1 as no longer open, because it was placed or refused."""
        key = entered.person.key
        self.open_entries[key] = self.open_entries.get(key, 0) + by
        if not isinstance(entered.wish, EmtClass):
            self.entered_cups[key] = self.entered_cups.get(key, 0) + by
