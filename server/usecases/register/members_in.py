"""Members from a file: whom each line is about, what it would change, and writing that.

Planning reads no database and changes nothing; writing is one transaction's work. Not for the
desk's form (editing.py).
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mail.text.languages import DEFAULT_LANGUAGE
from server.store.engine.connection import AsyncConnection
from server.store.register import writing as writes
from server.store.register.members import MemberRow, RatingKind
from server.usecases.register.cells import folded
from server.usecases.register.csv_table import Row, Sheet
from server.usecases.register.facts import (
    Rated,
    address_of,
    changes_between,
    facts_of,
    new_facts,
    rated,
)
from server.usecases.register.known import Asked, Clubs, People, Ratings
from server.usecases.register.new_address import Moved
from server.usecases.register.reading import Understood, Value, understand
from server.usecases.register.report import Change, Doer, Fate, Line, Progress, Rules, Slip

STEP = 1000
"""Lines between two progress reports."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a line does: to whom (None: a new person), and the resulting facts and ratings."""

    line: Line
    person: MemberRow | None
    facts: Mapping[str, Value]
    ratings: tuple[Rated, ...]


@dataclass(slots=True)
class Plan:
    """The lines as they would be, and what to do for those that can be used."""

    lines: list[Line] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Register:
    """Everything that lines are checked against."""

    people: People
    clubs: Clubs
    ratings: Ratings
    officials: frozenset[int]
    today: str


@dataclass(slots=True)
class _Seen:
    """What earlier lines of the file were about: their numbers by person, number, name, address."""

    persons: dict[object, int] = field(default_factory=dict)
    emails: dict[str, int] = field(default_factory=dict)

    def clash(self, keys: Sequence[object], number: int) -> int | None:
        """The earlier line about the same; if there is none, this one is recorded."""
        for key in keys:
            if key in self.persons:
                return self.persons[key]
        self.persons.update(dict.fromkeys(keys, number))
        return None


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans one file's lines in turn."""

    register: Register
    rules: Rules
    doer: Doer
    seen: _Seen = field(default_factory=_Seen)

    def plan(self, sheet: Sheet, progress: Progress) -> Plan:
        """What the whole file would do."""
        plan = Plan()
        for count, row in enumerate(sheet.rows, 1):
            deed = self.line(row)
            if isinstance(deed, Deed):
                plan.lines.append(deed.line)
                if deed.line.fate in (Fate.ADDED, Fate.CHANGED):
                    plan.deeds.append(deed)
            else:
                plan.lines.append(deed)
            if count % STEP == 0 or count == len(sheet.rows):
                progress("check", count, len(sheet.rows))
        return plan

    def line(self, row: Row) -> Deed | Line:
        """What one line would do, after the lines before it."""
        said = understand(row, self.register.today)
        name = said.text("name") or row.cells.get("name", "")
        if said.slips:
            return Line(row.number, name, Fate.REFUSED, slips=said.slips)
        asked = Asked(said.text("number"), name, said.text("birth"), said.text("email"))
        person = self.register.people.recognise(asked)
        if isinstance(person, Slip):
            return Line(row.number, name, Fate.REFUSED, slips=(person,))
        keys: list[object] = [person.id] if person is not None else []
        if asked.number is not None:
            keys.append(asked.number)
        if asked.birth is not None and person is None:
            keys.append((folded(name), asked.birth))
        earlier = self.seen.clash(keys, row.number)
        if earlier is not None:
            slips = (Slip("twice", "name", name, str(earlier)),)
            return Line(row.number, name, Fate.REFUSED, slips=slips)
        return self.deed(said, person, name)

    def deed(self, said: Understood, person: MemberRow | None, name: str) -> Deed | Line:
        """Apply what was understood to a person (None: a new one), or say why not."""
        stated, notes = self._address(said, person)
        facts, slips = new_facts(person, stated, self.register.clubs)
        slips += self._number_taken(facts["number"], person)
        slips += self._address_taken(facts["email"], person, said.number)
        brought = [
            rated(
                (0 if person is None else person.id, facts["birth"]), kind, said.values,
                self.register.ratings,
                self.register.today, self.doer.reason,
            )
            for kind in RatingKind
        ]  # fmt: skip
        slips += [one for one in brought if isinstance(one, Slip)]
        if slips:
            return Line(said.number, name, Fate.REFUSED, slips=tuple(slips), notes=notes)
        ratings = tuple(one for one in brought if isinstance(one, Rated))
        changes = changes_between(facts_of(person), facts)
        changes += tuple(change for one in ratings for change in one.changes)
        fate = Fate.ADDED if person is None else Fate.CHANGED if changes else Fate.UNCHANGED
        line = Line(said.number, str(facts["name"]), fate, changes, notes=notes)
        return Deed(line, person, facts, ratings)

    def _address(
        self, said: Understood, person: MemberRow | None
    ) -> tuple[Mapping[str, Value], tuple[Slip, ...]]:
        """What is stated, without an address that the file may not change, and a note saying so."""
        stated = said.values
        if person is None or "email" not in stated:
            return stated, ()
        now = facts_of(person)["email"]
        if stated["email"] == now:
            return stated, ()
        if person.id in self.register.officials and not self.doer.may_readdress:
            code = "official_email"
        elif now is not None and person.email_proved_us is not None and not self.rules.take_emails:
            code = "own_email"
        else:
            return stated, ()
        note = Slip(code, "email", str(stated["email"] or "–"), str(now or "–"))
        return {k: v for k, v in stated.items() if k != "email"}, (note,)

    def _number_taken(self, number: Value, person: MemberRow | None) -> list[Slip]:
        """A number belongs to one person; one that is already registered may stay."""
        if not isinstance(number, str) or (person is not None and number == person.number):
            return []
        owners = self.register.people.by_number.get(number, [])
        return [Slip("number_taken", "number", number, owner.name) for owner in owners[:1]]

    def _address_taken(self, email: Value, person: MemberRow | None, number: int) -> list[Slip]:
        """An address belongs to one person, in the register and in the file."""
        if not isinstance(email, str):
            return []
        owner = self.register.people.by_email.get(email)
        if owner is not None and (person is None or owner.id != person.id):
            return [Slip("email_taken", "email", email, owner.name)]
        earlier = self.seen.emails.setdefault(email, number)
        return [] if earlier == number else [Slip("email_twice", "email", email, str(earlier))]


def put_of(deed_facts: Mapping[str, Value], person: MemberRow | None) -> writes.PersonPut:
    """A person's own facts as they are to be written."""
    email = deed_facts["email"]
    old = None if person is None else person.email
    kept = old if old is not None and email == facts_of(person)["email"] else None
    citizen = deed_facts["citizen"]

    def text(name: str) -> str | None:
        value = deed_facts[name]
        return value if isinstance(value, str) else None

    return writes.PersonPut(
        id=0 if person is None else person.id,
        name=text("name") or "",
        email=kept or address_of(email, secrets.token_hex(8)),
        lang=text("lang") or DEFAULT_LANGUAGE,
        member=text("number"),
        birth=text("birth"),
        citizen=citizen if isinstance(citizen, bool) else None,
        club=text("club"),
        email_proved_us=person.email_proved_us if person is not None and kept else None,
    )


def member_of(person_id: int, facts: Mapping[str, Value], clubs: Clubs) -> writes.MemberPut:
    """A membership as it is to be written."""
    club, district = facts["club"], facts["district"]
    found = clubs.find(club) if isinstance(club, str) else None
    since, until = facts["since"], facts["until"]
    return writes.MemberPut(
        person_id,
        str(facts["kind"]),
        None if found is None or isinstance(found, Slip) else found.id,
        clubs.districts[district] if isinstance(district, str) else None,
        since if isinstance(since, str) else None,
        until if isinstance(until, str) else None,
    )


def change_of(
    person_id: int, changes: Sequence[Change], doer: Doer, now_us: int
) -> writes.ChangePut:
    """A change as it is recorded."""
    fields = [[change.field, change.before, change.after] for change in changes]
    text = json.dumps(fields, ensure_ascii=False)
    return writes.ChangePut(person_id, now_us, doer.person_id, doer.channel, doer.reason, text)


async def write(
    conn: AsyncConnection, deeds: Sequence[Deed], clubs: Clubs, doer: Doer, now_us: int
) -> list[int]:
    """Write what lines do, in a few statements however many lines; the new people's ids.

    Raises StoreConflict; then nothing is written.
    """
    new = [deed for deed in deeds if deed.person is None]
    old = [(deed, deed.person) for deed in deeds if deed.person is not None]
    ids = await writes.add_people(conn, [put_of(deed.facts, None) for deed in new], now_us)
    await writes.change_people(conn, [put_of(deed.facts, person) for deed, person in old])
    whose = [*zip(new, ids, strict=True), *((deed, person.id) for deed, person in old)]
    await writes.put_members(conn, [member_of(i, deed.facts, clubs) for deed, i in whose])
    await writes.put_ratings(
        conn,
        [
            writes.RatingPut(
                i, r.kind.value, r.day, r.value, r.is_provisional, r.source, now_us, doer.person_id
            )
            for deed, i in whose
            for r in deed.ratings
        ],
    )
    changed = [change_of(person.id, deed.line.changes, doer, now_us) for deed, person in old]
    added = [change_of(person_id, (), doer, now_us) for person_id in ids]
    await writes.put_changes(conn, [*changed, *added])
    return ids


def moved(deeds: Sequence[Deed]) -> tuple[Moved, ...]:
    """Whose e-mail address the deeds change, from what to what (§ 6.8.5)."""
    old = [(deed, deed.person) for deed in deeds if deed.person is not None]
    found = (Moved(p.id, p.email, put_of(deed.facts, p).email) for deed, p in old)
    return tuple(one for one in found if one.old != one.new)
