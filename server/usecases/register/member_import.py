"""Members from a file: whom each line is about, what it would change, and writing that.

Planning reads no database and changes nothing; writing is one transaction's work. Not for the
desk's form (member_editing.py).
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mail.text.catalogue import DEFAULT_LANGUAGE
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection
from server.store.members import ClubRow, MemberRow, RatingKind
from server.usecases.register.csv_table import (
    CsvLine,
    CsvTable,
    FieldChange,
    ImportProblem,
    ParsedRegisterLine,
    Progress,
    RegisterEditor,
    RegisterLine,
    RegisterLineOutcome,
    Rules,
    Value,
    fold_name,
    normalize_line,
    understand,
)
from server.usecases.register.member_facts import (
    RATED,
    Clubs,
    EmailChange,
    KnownRatings,
    People,
    PersonReference,
    RatingUpdate,
    address_of,
    build_rating_update,
    changes_between,
    new_facts,
    read_member_facts,
)

STEP = 1000
"""Lines between two progress reports."""


@dataclass(frozen=True, slots=True)
class MemberLineAction:
    """What a line does: to whom (None: a new person), and the resulting facts and ratings."""

    line: RegisterLine
    person: MemberRow | None
    facts: Mapping[str, Value]
    ratings: tuple[RatingUpdate, ...]


@dataclass(slots=True)
class MemberImportPlan:
    """The lines as they would be, and what to do for those that can be used."""

    lines: list[RegisterLine] = field(default_factory=list)
    deeds: list[MemberLineAction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Register:
    """Everything that lines are checked against."""

    people: People
    clubs: Clubs
    ratings: KnownRatings
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
    doer: RegisterEditor
    seen: _Seen = field(default_factory=_Seen)

    def plan(self, sheet: CsvTable, progress: Progress) -> MemberImportPlan:
        """What the whole file would do."""
        plan = MemberImportPlan()
        for count, row in enumerate(sheet.rows, 1):
            deed = self.line(row)
            if isinstance(deed, MemberLineAction):
                plan.lines.append(deed.line)
                if deed.line.fate in (RegisterLineOutcome.ADDED, RegisterLineOutcome.CHANGED):
                    plan.deeds.append(deed)
            else:
                plan.lines.append(deed)
            if count % STEP == 0 or count == len(sheet.rows):
                progress("check", count, len(sheet.rows))
        return plan

    def line(self, row: CsvLine) -> MemberLineAction | RegisterLine:
        """What one line would do, after the lines before it."""
        said = understand(row, self.register.today)
        name = said.text("name") or row.cells.get("name", "")
        if said.slips:
            return RegisterLine(row.number, name, RegisterLineOutcome.REFUSED, slips=said.slips)
        asked = PersonReference(said.text("number"), name, said.text("birth"), said.text("email"))
        person = self.register.people.recognise(asked)
        if isinstance(person, ImportProblem):
            return RegisterLine(row.number, name, RegisterLineOutcome.REFUSED, slips=(person,))
        keys: list[object] = [person.id] if person is not None else []
        if asked.number is not None:
            keys.append(asked.number)
        if asked.birth is not None and person is None:
            keys.append((fold_name(name), asked.birth))
        earlier = self.seen.clash(keys, row.number)
        if earlier is not None:
            slips = (ImportProblem("twice", "name", name, str(earlier)),)
            return RegisterLine(row.number, name, RegisterLineOutcome.REFUSED, slips=slips)
        return self.deed(said, person, name)

    def deed(
        self, said: ParsedRegisterLine, person: MemberRow | None, name: str
    ) -> MemberLineAction | RegisterLine:
        """Apply what was understood to a person (None: a new one), or say why not."""
        stated, notes = self._address(said, person)
        facts, slips = new_facts(person, stated, self.register.clubs)
        slips += self._number_taken(facts["number"], person)
        slips += self._address_taken(facts["email"], person, said.number)
        brought = [
            build_rating_update(
                (0 if person is None else person.id, facts["birth"]), kind, said.values,
                self.register.ratings,
                self.register.today, self.doer.reason,
            )
            for kind in RatingKind
        ]  # fmt: skip
        slips += [one for one in brought if isinstance(one, ImportProblem)]
        if slips:
            return RegisterLine(
                said.number, name, RegisterLineOutcome.REFUSED, slips=tuple(slips), notes=notes
            )
        ratings = tuple(one for one in brought if isinstance(one, RatingUpdate))
        changes = changes_between(read_member_facts(person), facts)
        changes += tuple(change for one in ratings for change in one.changes)
        fate = (
            RegisterLineOutcome.ADDED
            if person is None
            else RegisterLineOutcome.CHANGED
            if changes
            else RegisterLineOutcome.UNCHANGED
        )
        line = RegisterLine(said.number, str(facts["name"]), fate, changes, notes=notes)
        return MemberLineAction(line, person, facts, ratings)

    def _address(
        self, said: ParsedRegisterLine, person: MemberRow | None
    ) -> tuple[Mapping[str, Value], tuple[ImportProblem, ...]]:
        """What is stated, without an address that the file may not change, and a note saying so."""
        stated = said.values
        if person is None or "email" not in stated:
            return stated, ()
        now = read_member_facts(person)["email"]
        if stated["email"] == now:
            return stated, ()
        if person.id in self.register.officials and not self.doer.may_readdress:
            code = "official_email"
        elif now is not None and person.email_proved_us is not None and not self.rules.take_emails:
            code = "own_email"
        else:
            return stated, ()
        note = ImportProblem(code, "email", str(stated["email"] or "–"), str(now or "–"))
        return {k: v for k, v in stated.items() if k != "email"}, (note,)

    def _number_taken(self, number: Value, person: MemberRow | None) -> list[ImportProblem]:
        """A number belongs to one person; one that is already registered may stay."""
        if not isinstance(number, str) or (person is not None and number == person.number):
            return []
        owners = self.register.people.by_number.get(number, [])
        return [ImportProblem("number_taken", "number", number, owner.name) for owner in owners[:1]]

    def _address_taken(
        self, email: Value, person: MemberRow | None, number: int
    ) -> list[ImportProblem]:
        """An address belongs to one person, in the register and in the file."""
        if not isinstance(email, str):
            return []
        owner = self.register.people.by_email.get(email)
        if owner is not None and (person is None or owner.id != person.id):
            return [ImportProblem("email_taken", "email", email, owner.name)]
        earlier = self.seen.emails.setdefault(email, number)
        return (
            []
            if earlier == number
            else [ImportProblem("email_twice", "email", email, str(earlier))]
        )


def put_of(deed_facts: Mapping[str, Value], person: MemberRow | None) -> register_rows.PersonPut:
    """A person's own facts as they are to be written."""
    email = deed_facts["email"]
    old = None if person is None else person.email
    kept = old if old is not None and email == read_member_facts(person)["email"] else None
    citizen = deed_facts["citizen"]

    def text(name: str) -> str | None:
        value = deed_facts[name]
        return value if isinstance(value, str) else None

    return register_rows.PersonPut(
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


def member_of(person_id: int, facts: Mapping[str, Value], clubs: Clubs) -> register_rows.MemberPut:
    """A membership as it is to be written."""
    club, district = facts["club"], facts["district"]
    found = clubs.find(club) if isinstance(club, str) else None
    since, until = facts["since"], facts["until"]
    return register_rows.MemberPut(
        person_id,
        str(facts["kind"]),
        None if found is None or isinstance(found, ImportProblem) else found.id,
        clubs.districts[district] if isinstance(district, str) else None,
        since if isinstance(since, str) else None,
        until if isinstance(until, str) else None,
    )


def change_of(
    person_id: int, changes: Sequence[FieldChange], doer: RegisterEditor, now_us: int
) -> register_rows.ChangePut:
    """A change as it is recorded."""
    fields = [[change.field, change.before, change.after] for change in changes]
    text = json.dumps(fields, ensure_ascii=False)
    return register_rows.ChangePut(
        person_id, now_us, doer.person_id, doer.channel, doer.reason, text
    )


async def write_members(
    conn: AsyncConnection,
    deeds: Sequence[MemberLineAction],
    clubs: Clubs,
    doer: RegisterEditor,
    now_us: int,
) -> list[int]:
    """Write what lines do, in a few statements however many lines; the new people's ids.

    Raises StoreConflict; then nothing is written.
    """
    new = [deed for deed in deeds if deed.person is None]
    old = [(deed, deed.person) for deed in deeds if deed.person is not None]
    ids = await register_rows.add_people(conn, [put_of(deed.facts, None) for deed in new], now_us)
    await register_rows.change_people(conn, [put_of(deed.facts, person) for deed, person in old])
    whose = [*zip(new, ids, strict=True), *((deed, person.id) for deed, person in old)]
    await register_rows.put_members(conn, [member_of(i, deed.facts, clubs) for deed, i in whose])
    await register_rows.put_ratings(
        conn,
        [
            register_rows.RatingPut(
                i, r.kind.value, r.day, r.value, r.is_provisional, r.source, now_us, doer.person_id
            )
            for deed, i in whose
            for r in deed.ratings
        ],
    )
    changed = [change_of(person.id, deed.line.changes, doer, now_us) for deed, person in old]
    added = [change_of(person_id, (), doer, now_us) for person_id in ids]
    await register_rows.put_changes(conn, [*changed, *added])
    return ids


def list_email_changes(deeds: Sequence[MemberLineAction]) -> tuple[EmailChange, ...]:
    """Whose e-mail address the deeds change, from what to what (§ 6.8.5)."""
    old = [(deed, deed.person) for deed in deeds if deed.person is not None]
    found = (EmailChange(p.id, p.email, put_of(deed.facts, p).email) for deed, p in old)
    return tuple(one for one in found if one.old != one.new)


# Clubs and main districts from a file: recognised by number, else by name (§ 6.7.3).

_FIELDS = ("number", "name", "district")


@dataclass(frozen=True, slots=True)
class ClubDeed:
    """What a line does to a club (None: a new one)."""

    line: RegisterLine
    club: ClubRow | None
    facts: dict[str, str | None]


@dataclass(slots=True)
class ClubPlanner:
    """Plans one file's lines in turn."""

    clubs: Clubs
    today: str
    lines: list[RegisterLine] = field(default_factory=list)
    deeds: list[ClubDeed] = field(default_factory=list)
    _seen: dict[object, int] = field(default_factory=dict)
    _districts: dict[str, str] = field(default_factory=dict)

    def plan(self, sheet: CsvTable, progress: Progress) -> None:
        """What the whole file would do, in ``lines`` and ``deeds``."""
        self._districts.update(self.clubs.folded_districts)
        for row in sheet.rows:
            done = self._line(row)
            if isinstance(done, ClubDeed):
                self.lines.append(done.line)
                if done.line.fate is not RegisterLineOutcome.UNCHANGED:
                    self.deeds.append(done)
            else:
                self.lines.append(done)
        progress("check", len(sheet.rows), len(sheet.rows))

    def _line(self, row: CsvLine) -> ClubDeed | RegisterLine:
        said = understand(row, self.today)
        name, number = said.text("name"), said.text("number")
        slips = list(said.slips)
        if not slips and name is None:
            slips.append(ImportProblem("no_name", "name"))
        club = None if slips else self._known(name or "", number)
        if isinstance(club, ImportProblem):
            slips.append(club)
        shown = name or row.cells.get("name", "")
        if slips or isinstance(club, ImportProblem):
            return RegisterLine(row.number, shown, RegisterLineOutcome.REFUSED, slips=tuple(slips))
        keys: list[object] = [fold_name(name or ""), *([("n", number)] if number else [])]
        keys += [] if club is None else [club.id]
        earlier = next((self._seen[key] for key in keys if key in self._seen), None)
        if earlier is not None:
            slip = ImportProblem("twice", "name", shown, str(earlier))
            return RegisterLine(row.number, shown, RegisterLineOutcome.REFUSED, slips=(slip,))
        self._seen.update(dict.fromkeys(keys, row.number))
        return self._deed(row.number, club, {k: v for k, v in said.values.items() if k in _FIELDS})

    def _known(self, name: str, number: str | None) -> ClubRow | ImportProblem | None:
        """The club of a line; a number and a name of two different clubs are a slip."""
        by_name = self.clubs.named.get(fold_name(name))
        by_number = None if number is None else self.clubs.numbered.get(number)
        if by_number is not None and by_name is not None and by_name.id != by_number.id:
            return ImportProblem("two_clubs", "name", name, by_number.name)
        if by_number is None and by_name is not None and by_name.number and number:
            return ImportProblem("other_number", "number", number, by_name.number)
        return by_number or by_name

    def _deed(self, line: int, club: ClubRow | None, stated: dict[str, Value]) -> ClubDeed:
        before: dict[str, str | None] = dict.fromkeys(_FIELDS)
        if club is not None:
            before = {"number": club.number, "name": club.name, "district": club.district}
        facts = dict(before)
        for key, value in stated.items():
            facts[key] = value if isinstance(value, str) else None
        if club is not None and normalize_line(club.name) == facts["name"]:
            facts["name"] = club.name
        district = facts["district"]
        if district is not None:
            facts["district"] = self._districts.setdefault(fold_name(district), district)
        changes = tuple(
            FieldChange(key, before[key], facts[key])
            for key in _FIELDS
            if before[key] != facts[key]
        )
        fate = (
            RegisterLineOutcome.ADDED
            if club is None
            else RegisterLineOutcome.CHANGED
            if changes
            else RegisterLineOutcome.UNCHANGED
        )
        return ClubDeed(RegisterLine(line, facts["name"] or "", fate, changes), club, facts)


async def write_clubs(conn: AsyncConnection, deeds: Sequence[ClubDeed], clubs: Clubs) -> None:
    """Write what lines do, new main districts first."""
    named = dict(clubs.districts)
    wanted = [deed.facts["district"] for deed in deeds]
    fresh = sorted({name for name in wanted if name is not None} - named.keys())
    named |= await register_rows.add_districts(conn, fresh)

    def values(facts: dict[str, str | None], prefix: str) -> dict[str, object]:
        district = facts["district"]
        return {
            f"{prefix}number": facts["number"],
            f"{prefix}name": facts["name"],
            f"{prefix}district_id": None if district is None else named[district],
        }

    await register_rows.add_clubs(conn, [values(d.facts, "") for d in deeds if d.club is None])
    changed = [{"key": d.club.id} | values(d.facts, "new_") for d in deeds if d.club is not None]
    await register_rows.change_clubs(conn, changed)


# Ratings from a file: the history of members, one per day and kind (§ 4.5, § 6.4.4).

_NEEDED = ("rating_kind", "value", "date")


@dataclass(frozen=True, slots=True)
class RatingDeed:
    """A rating of a line, and whose it is."""

    line: RegisterLine
    person_id: int
    rating: RatingUpdate | None


@dataclass(slots=True)
class RatingPlanner:
    """Plans one file's lines in turn."""

    people: People
    ratings: KnownRatings
    today: str
    doer: RegisterEditor
    lines: list[RegisterLine] = field(default_factory=list)
    deeds: list[RatingDeed] = field(default_factory=list)
    _seen: dict[tuple[int, Value, Value], int] = field(default_factory=dict)

    def plan(self, sheet: CsvTable, progress: Progress) -> None:
        """What the whole file would do, in ``lines`` and ``deeds``."""
        for count, row in enumerate(sheet.rows, 1):
            done = self._line(row)
            self.lines.append(done.line if isinstance(done, RatingDeed) else done)
            if isinstance(done, RatingDeed) and done.rating is not None:
                self.deeds.append(done)
            if count % STEP == 0 or count == len(sheet.rows):
                progress("check", count, len(sheet.rows))

    def _line(self, row: CsvLine) -> RatingDeed | RegisterLine:
        said = understand(row, self.today)
        name = said.text("name") or row.cells.get("name", "")
        number = said.text("number")
        shown = name or number or ""
        slips = list(said.slips) or [
            ImportProblem("cell_missing", need) for need in _NEEDED if need not in said.values
        ]
        person = None if slips else self._person(said, name, number)
        if isinstance(person, ImportProblem):
            slips.append(person)
        if slips or person is None or isinstance(person, ImportProblem):
            return RegisterLine(row.number, shown, RegisterLineOutcome.REFUSED, slips=tuple(slips))
        return self._deed(said, person)

    def _person(
        self, said: ParsedRegisterLine, name: str, number: str | None
    ) -> MemberRow | ImportProblem:
        found = self.people.recognise(PersonReference(number, name, said.text("birth")))
        if found is not None:
            return found
        return ImportProblem("unknown_member", "number" if number else "name", number or name)

    def _deed(self, said: ParsedRegisterLine, person: MemberRow) -> RatingDeed | RegisterLine:
        kind = RatingKind(str(said.values["rating_kind"]))
        key = (person.id, kind, said.values["date"])
        earlier = self._seen.setdefault(key, said.number)
        if earlier != said.number:
            slips = (ImportProblem("twice", "date", person.name, str(earlier)),)
            return RegisterLine(said.number, person.name, RegisterLineOutcome.REFUSED, slips=slips)
        if kind is RatingKind.OTB and said.values.get("status"):
            slips = (ImportProblem("otb_is_final", "status"),)
            return RegisterLine(said.number, person.name, RegisterLineOutcome.REFUSED, slips=slips)
        value, status, day, source = RATED[kind]
        given = {value: "value", status: "status", day: "date", source: "source"}
        stated = {to: said.values[name] for to, name in given.items() if name in said.values}
        brought = build_rating_update(
            (person.id, person.birth), kind, stated, self.ratings, self.today, self.doer.reason
        )
        if isinstance(brought, ImportProblem):
            return RegisterLine(
                said.number, person.name, RegisterLineOutcome.REFUSED, slips=(brought,)
            )
        if brought is None:
            return RatingDeed(
                RegisterLine(said.number, person.name, RegisterLineOutcome.UNCHANGED),
                person.id,
                None,
            )
        is_known = (person.id, kind.value, brought.day) in self.ratings.dated
        fate = RegisterLineOutcome.CHANGED if is_known else RegisterLineOutcome.ADDED
        line = RegisterLine(said.number, person.name, fate, brought.changes)
        return RatingDeed(line, person.id, brought)


async def write_ratings(
    conn: AsyncConnection, deeds: Sequence[RatingDeed], doer: RegisterEditor, now_us: int
) -> None:
    """Write the ratings, and what lists print of them; a corrected one is recorded."""
    rows = [
        register_rows.RatingPut(
            deed.person_id, r.kind.value, r.day, r.value, r.is_provisional, r.source, now_us,
            doer.person_id,
        )
        for deed in deeds
        if (r := deed.rating) is not None
    ]  # fmt: skip
    await register_rows.put_ratings(conn, rows)
    corrected = [deed for deed in deeds if deed.line.fate is RegisterLineOutcome.CHANGED]
    await register_rows.put_changes(
        conn, [change_of(d.person_id, d.line.changes, doer, now_us) for d in corrected]
    )
