"""Lines about members, clubs and ratings: whom each is about, what it would change, writing that.

Planning reads no database and changes nothing; writing is one transaction's work. A member is also
changed or added by hand, by the same rules as a file's line: an empty field clears its value.
"""

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from kskak.values import is_line
from mail.text.catalogue import DEFAULT_LANGUAGE
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.members import ClubRow, MemberRow, RatingKind, RatingRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.rating import ToldRow
from server.usecases.context import Core, today_of
from server.usecases.rating.computing import RecalculatedGroup, moved_by, recompute_after_changes
from server.usecases.register.csv_table import (
    CLEAR,
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
    FACTS,
    RATED,
    Clubs,
    EmailChange,
    KnownRatings,
    People,
    RatingUpdate,
    address_of,
    build_rating_update,
    changes_between,
    new_facts,
    read_member_facts,
    read_rating_facts,
    write_address_letters,
)
from server.usecases.rights import NoSuch, require_register_rights

STEP = 1000
"""Lines between two progress reports."""
Row = TypeVar("Row", MemberRow, ClubRow)


@dataclass(frozen=True, slots=True)
class LineAction(Generic[Row]):
    """What a line does: to what (None: something new), the resulting facts, and ratings."""

    line: RegisterLine
    row: Row | None
    facts: Mapping[str, Value] = field(default_factory=dict)
    ratings: tuple[RatingUpdate, ...] = ()


@dataclass(frozen=True, slots=True)
class Register:
    """Everything that lines are checked against."""

    people: People
    clubs: Clubs
    ratings: KnownRatings
    officials: frozenset[int]
    today: str


async def read_register(core: Core, conn: AsyncConnection, dated: Sequence[RatingRow]) -> Register:
    """The register as it is; ``dated``: the ratings of the days in question."""
    return Register(
        People(await member_rows.everybody(conn)),
        Clubs(
            await member_rows.all_clubs(conn, with_ended=True),
            await member_rows.all_districts(conn),
        ),
        KnownRatings(await member_rows.latest_ratings(conn), dated),
        await person_rows.in_office(conn, core.now_us),
        today_of(core).isoformat(),
    )


def refused_line(
    number: int, name: str, *problems: ImportProblem, notes: tuple[ImportProblem, ...] = ()
) -> RegisterLine:
    """A line that can't be used."""
    return RegisterLine(number, name, RegisterLineOutcome.REFUSED, problems=problems, notes=notes)


def _outcome_of(*, is_new: bool, changes: tuple[FieldChange, ...]) -> RegisterLineOutcome:
    if is_new:
        return RegisterLineOutcome.ADDED
    return RegisterLineOutcome.CHANGED if changes else RegisterLineOutcome.UNCHANGED


@dataclass(slots=True)
class LinePlanner(ABC, Generic[Row]):
    """Plans a file's lines in turn: ``lines`` as they would be, ``actions`` of those to be done."""

    known: Register
    rules: Rules
    editor: RegisterEditor
    lines: list[RegisterLine] = field(default_factory=list)
    actions: list[LineAction[Row]] = field(default_factory=list)
    _seen: dict[object, int] = field(default_factory=dict)

    def plan(self, sheet: CsvTable, progress: Progress) -> None:
        """What the whole file would do, in ``lines`` and ``actions``."""
        for count, row in enumerate(sheet.rows, 1):
            done = self.line(row)
            if isinstance(done, LineAction):
                self.lines.append(done.line)
                if done.line.outcome is not RegisterLineOutcome.UNCHANGED:
                    self.actions.append(done)
            else:
                self.lines.append(done)
            if count % STEP == 0 or count == len(sheet.rows):
                progress("check", count, len(sheet.rows))

    @abstractmethod
    def line(self, row: CsvLine) -> LineAction[Row] | RegisterLine:
        """What one line would do, after the lines before it."""

    def _clash(self, keys: Sequence[object], number: int) -> int | None:
        """The earlier line about the same; if there is none, this one is recorded."""
        earlier = next((self._seen[key] for key in keys if key in self._seen), None)
        if earlier is None:
            self._seen.update(dict.fromkeys(keys, number))
        return earlier


# Members: recognised by number, by name and birth date, or by address.


class MemberPlanner(LinePlanner[MemberRow]):
    """Plans the lines of a file of members, or the desk's form as one."""

    def line(self, row: CsvLine) -> LineAction[MemberRow] | RegisterLine:
        """What one line would do, after the lines before it."""
        said = understand(row, self.known.today)
        name = said.text("name") or row.cells.get("name", "")
        if said.problems:
            return refused_line(row.number, name, *said.problems)
        person = self.known.people.recognise(said, name)
        if isinstance(person, ImportProblem):
            return refused_line(row.number, name, person)
        keys: list[object] = [person.id] if person is not None else []
        if (number := said.text("number")) is not None:
            keys.append(number)
        if (birth := said.text("birth")) is not None and person is None:
            keys.append((fold_name(name), birth))
        earlier = self._clash(keys, row.number)
        if earlier is not None:
            problem = ImportProblem("twice", "name", name, str(earlier))
            return refused_line(row.number, name, problem)
        return self.action(said, person, name)

    def action(
        self, said: ParsedRegisterLine, person: MemberRow | None, name: str
    ) -> LineAction[MemberRow] | RegisterLine:
        """Apply what was understood to a person (None: a new one), or say why not."""
        stated, notes = self._address(said, person)
        facts, problems = new_facts(person, stated, self.known.clubs)
        problems += self._number_taken(facts["number"], person)
        problems += self._address_taken(facts["email"], person, said.number)
        of = (0 if person is None else person.id, facts["birth"])
        brought = [
            build_rating_update(
                of, kind, said.values, self.known.ratings, self.known.today, self.editor.reason
            )
            for kind in RatingKind
        ]
        problems += [one for one in brought if isinstance(one, ImportProblem)]
        if problems:
            return refused_line(said.number, name, *problems, notes=notes)
        ratings = tuple(one for one in brought if isinstance(one, RatingUpdate))
        changes = changes_between(read_member_facts(person), facts)
        changes += tuple(change for one in ratings for change in one.changes)
        outcome = _outcome_of(is_new=person is None, changes=changes)
        line = RegisterLine(said.number, str(facts["name"]), outcome, changes, notes=notes)
        return LineAction(line, person, facts, ratings)

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
        if person.id in self.known.officials and not self.editor.may_readdress:
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
        owners = self.known.people.by_number.get(number, [])
        return [ImportProblem("number_taken", "number", number, owner.name) for owner in owners[:1]]

    def _address_taken(
        self, email: Value, person: MemberRow | None, number: int
    ) -> list[ImportProblem]:
        """An address belongs to one person, in the register and in the file."""
        if not isinstance(email, str):
            return []
        owner = self.known.people.by_email.get(email)
        if owner is not None and (person is None or owner.id != person.id):
            return [ImportProblem("email_taken", "email", email, owner.name)]
        earlier = self._clash([("email", email)], number)
        return (
            [] if earlier is None else [ImportProblem("email_twice", "email", email, str(earlier))]
        )


def put_of(facts: Mapping[str, Value], person: MemberRow | None) -> dict[str, object]:
    """A person's own data as they are to be written, by column."""
    email = facts["email"]
    is_kept = person is not None and email == read_member_facts(person)["email"]
    return {
        "name": facts["name"] or "",
        "email": person.email
        if person is not None and is_kept
        else address_of(email, secrets.token_hex(8)),
        "lang": facts["lang"] or DEFAULT_LANGUAGE,
        "member": facts["number"],
        "birth": facts["birth"],
        "citizen": facts["citizen"],
        "club": facts["club"],
        "email_proved_us": person.email_proved_us if person is not None and is_kept else None,
    }


def _membership_of(person_id: int, facts: Mapping[str, Value], clubs: Clubs) -> dict[str, object]:
    """A membership as it is to be written, by column."""
    club, district = facts["club"], facts["district"]
    found = clubs.find(club) if isinstance(club, str) else None
    return {
        "person_id": person_id,
        "kind": facts["kind"],
        "club_id": found.id if isinstance(found, ClubRow) else None,
        "district_id": clubs.districts[district] if isinstance(district, str) else None,
        "since": facts["since"],
        "until": facts["until"],
        "arrears": facts["arrears"],
    }


def change_of(
    person_id: int, changes: Sequence[FieldChange], editor: RegisterEditor, now_us: int
) -> dict[str, object]:
    """A change as it is recorded, by column."""
    fields = [[change.field, change.before, change.after] for change in changes]
    return {
        "person_id": person_id,
        "at_us": now_us,
        "by_id": editor.person_id,
        "channel": editor.channel,
        "reason": editor.reason,
        "fields": json.dumps(fields, ensure_ascii=False),
    }


async def write_members(
    conn: AsyncConnection,
    actions: Sequence[LineAction[MemberRow]],
    clubs: Clubs,
    editor: RegisterEditor,
    now_us: int,
) -> list[int]:
    """Write what lines do, in a few statements however many lines; the new people's ids.

    Raises StoreConflict; then nothing is written.
    """
    new = [action for action in actions if action.row is None]
    old = [(action, action.row) for action in actions if action.row is not None]
    ids = await register_rows.add_people(
        conn, [put_of(action.facts, None) for action in new], now_us
    )
    await register_rows.change_people(conn, {p.id: put_of(action.facts, p) for action, p in old})
    whose = [*zip(new, ids, strict=True), *((action, person.id) for action, person in old)]
    await register_rows.put_members(
        conn, [_membership_of(i, action.facts, clubs) for action, i in whose]
    )
    rated = [replace(one.row, person_id=i) for action, i in whose for one in action.ratings]
    await register_rows.put_ratings(conn, rated, now_us, editor.person_id)
    changed = [change_of(person.id, action.line.changes, editor, now_us) for action, person in old]
    changed += [change_of(person_id, (), editor, now_us) for person_id in ids]
    await register_rows.put_changes(conn, changed)
    return ids


def list_email_changes(actions: Sequence[LineAction[MemberRow]]) -> tuple[EmailChange, ...]:
    """Whose e-mail address the actions change, from what to what (§ 6.8.5)."""
    old = [(action, action.row) for action in actions if action.row is not None]
    found = (EmailChange(p.id, p.email, str(put_of(action.facts, p)["email"])) for action, p in old)
    return tuple(one for one in found if one.old != one.new)


# Clubs and main districts from a file: recognised by number, else by name (§ 6.7.3).

_FIELDS = ("number", "name", "district")


class ClubPlanner(LinePlanner[ClubRow]):
    """Plans the lines of a file of clubs."""

    def line(self, row: CsvLine) -> LineAction[ClubRow] | RegisterLine:
        """What one line would do, after the lines before it."""
        said = understand(row, self.known.today)
        name, number = said.text("name"), said.text("number")
        shown = name or row.cells.get("name", "")
        if said.problems:
            return refused_line(row.number, shown, *said.problems)
        club = ImportProblem("no_name", "name") if name is None else self._known(name, number)
        if isinstance(club, ImportProblem):
            return refused_line(row.number, shown, club)
        keys: list[object] = [fold_name(shown), *([("n", number)] if number else [])]
        keys += [] if club is None else [club.id]
        earlier = self._clash(keys, row.number)
        if earlier is not None:
            problem = ImportProblem("twice", "name", shown, str(earlier))
            return refused_line(row.number, shown, problem)
        return self._deed(row.number, club, {k: said.text(k) for k in _FIELDS if k in said.values})

    def _known(self, name: str, number: str | None) -> ClubRow | ImportProblem | None:
        """The club of a line; a number and a name of two different clubs are a problem."""
        clubs = self.known.clubs
        by_name = clubs.named.get(fold_name(name))
        by_number = None if number is None else clubs.numbered.get(number)
        if by_number is not None and by_name is not None and by_name.id != by_number.id:
            return ImportProblem("two_clubs", "name", name, by_number.name)
        if by_number is None and by_name is not None and by_name.number and number:
            return ImportProblem("other_number", "number", number, by_name.number)
        return by_number or by_name

    def _deed(
        self, line: int, club: ClubRow | None, stated: dict[str, str | None]
    ) -> LineAction[ClubRow]:
        before: dict[str, str | None] = {name: getattr(club, name, None) for name in _FIELDS}
        facts = before | stated
        if club is not None and normalize_line(club.name) == facts["name"]:
            facts["name"] = club.name
        if (district := facts["district"]) is not None:
            known = self.known.clubs.folded_districts
            facts["district"] = known.setdefault(fold_name(district), district)
        changes = changes_between(before, facts)
        outcome = _outcome_of(is_new=club is None, changes=changes)
        return LineAction(RegisterLine(line, facts["name"] or "", outcome, changes), club, facts)


async def write_clubs(
    conn: AsyncConnection, actions: Sequence[LineAction[ClubRow]], clubs: Clubs
) -> None:
    """Write what lines do, new main districts first."""
    wanted = {
        str(action.facts["district"]) for action in actions if action.facts["district"] is not None
    }
    fresh = await register_rows.add_districts(conn, sorted(wanted - clubs.districts.keys()))
    named = clubs.districts | fresh

    def values(facts: Mapping[str, Value], prefix: str) -> dict[str, object]:
        return {
            f"{prefix}number": facts["number"],
            f"{prefix}name": facts["name"],
            f"{prefix}district_id": named.get(str(facts["district"])),
        }

    await register_rows.add_clubs(conn, [values(d.facts, "") for d in actions if d.row is None])
    changed = [{"key": d.row.id} | values(d.facts, "new_") for d in actions if d.row is not None]
    await register_rows.change_clubs(conn, changed)


# Ratings from a file: the history of members, one per day and kind (§ 4.5, § 6.4.4).

_NEEDED = ("rating_kind", "value", "date")


class RatingPlanner(LinePlanner[MemberRow]):
    """Plans the lines of a file of ratings."""

    def line(self, row: CsvLine) -> LineAction[MemberRow] | RegisterLine:
        """What one line would do, after the lines before it."""
        said = understand(row, self.known.today)
        name, number = said.text("name") or row.cells.get("name", ""), said.text("number")
        shown = name or number or ""
        problems = said.problems or tuple(
            ImportProblem("cell_missing", need) for need in _NEEDED if need not in said.values
        )
        if problems:
            return refused_line(row.number, shown, *problems)
        person = self.known.people.recognise(said, name) or ImportProblem(
            "unknown_member", "number" if number else "name", number or name
        )
        if isinstance(person, ImportProblem):
            return refused_line(row.number, shown, person)
        return self._deed(said, person)

    def _deed(
        self, said: ParsedRegisterLine, person: MemberRow
    ) -> LineAction[MemberRow] | RegisterLine:
        kind = RatingKind(str(said.values["rating_kind"]))
        earlier = self._clash([(person.id, kind, said.values["date"])], said.number)
        if earlier is not None:
            problem = ImportProblem("twice", "date", person.name, str(earlier))
            return refused_line(said.number, person.name, problem)
        if kind is RatingKind.OTB and said.values.get("status"):
            return refused_line(said.number, person.name, ImportProblem("otb_is_final", "status"))
        value, status, day, source = RATED[kind]
        given = {value: "value", status: "status", day: "date", source: "source"}
        stated = {to: said.values[name] for to, name in given.items() if name in said.values}
        known, reason = self.known.ratings, self.editor.reason
        brought = build_rating_update(
            (person.id, person.birth), kind, stated, known, self.known.today, reason
        )
        if isinstance(brought, ImportProblem):
            return refused_line(said.number, person.name, brought)
        if brought is None:
            unchanged = RegisterLineOutcome.UNCHANGED
            return LineAction(RegisterLine(said.number, person.name, unchanged), person)
        is_known = (person.id, kind.value, brought.row.on_day) in known.dated
        outcome = RegisterLineOutcome.CHANGED if is_known else RegisterLineOutcome.ADDED
        line = RegisterLine(said.number, person.name, outcome, brought.changes)
        return LineAction(line, person, ratings=(brought,))


async def write_ratings(
    conn: AsyncConnection,
    actions: Sequence[LineAction[MemberRow]],
    editor: RegisterEditor,
    now_us: int,
) -> None:
    """Write the ratings, and what lists print of them; a corrected one is recorded."""
    whose = [(action, action.row.id) for action in actions if action.row is not None]
    rated = [replace(one.row, person_id=i) for action, i in whose for one in action.ratings]
    await register_rows.put_ratings(conn, rated, now_us, editor.person_id)
    corrected = [
        change_of(i, action.line.changes, editor, now_us)
        for action, i in whose
        if action.line.outcome is RegisterLineOutcome.CHANGED
    ]
    await register_rows.put_changes(conn, corrected)


# Changing or adding one member by hand, with a recorded reason.

RATINGS = ("k_rating", "k_status", "k_date", "k_source", "rating", "rating_date", "rating_source")
_KEPT = frozenset({"name", "kind", "lang"})
"""Fields that can't be emptied: left out, they stay."""


@dataclass(frozen=True, slots=True)
class MemberEditRequest:
    """A requested edit: ``cells`` as texts; a field that is not in it stays as it is.

    ``person_id`` None: a new member. ``take_email``: change the address although the player uses
    it. ``is_seen``: the editor has seen which groups a rating changes, and confirms it.
    ``ends_access``: a changed address ends sessions, tokens and passkeys.
    """

    person_id: int | None
    cells: Mapping[str, str]
    reason: str
    channel: str
    take_email: bool = False
    is_seen: bool = False
    ends_access: bool = False


@dataclass(frozen=True, slots=True)
class MemberEditOutcome:
    """The outcome; ``person_id`` None: nothing was written, ``line.problems`` say why.

    Or ``moves`` do: the groups that a rating would change, to be seen first (§ 4.5.4.1).
    """

    line: RegisterLine
    person_id: int | None
    moves: tuple[RecalculatedGroup, ...] = ()


def _row(edit: MemberEditRequest) -> CsvLine:
    """The form as a file's line."""
    named = {name: text.strip() for name, text in edit.cells.items()}
    cells = {
        name: CLEAR if not text and name in FACTS and name not in _KEPT else text
        for name, text in named.items()
        if name in FACTS or name in RATINGS
    }
    return CsvLine(0, cells)


async def edit_member(core: Core, by: PersonRow, edit: MemberEditRequest) -> MemberEditOutcome:
    """Change or add a member. Raises NotAllowed, NoSuch."""
    held = await require_register_rights(core, by)
    editor = RegisterEditor(by.id, edit.channel, edit.reason.strip(), held.is_admin)
    try:
        async with core.store.write() as conn:
            await register_rows.hold(conn)
            stored, _ = await member_rows.ratings_of(conn, edit.person_id or 0)
            register = await read_register(core, conn, stored)
            action = await _planned(conn, register, editor, edit)
            if isinstance(action, RegisterLine):
                return MemberEditOutcome(action, None)
            moves = () if edit.is_seen else await _moves(conn, action, core.now_us)
            if moves:
                return MemberEditOutcome(action.line, None, moves)
            written = action.line.outcome is not RegisterLineOutcome.UNCHANGED
            ids = await write_members(
                conn, [action] if written else [], register.clubs, editor, core.now_us
            )
            await write_address_letters(
                conn, core, list_email_changes([action]), ends_access=edit.ends_access
            )
    except StoreConflict:
        return MemberEditOutcome(_refused("swapped"), None)
    await recompute_after_changes(core, by.id)
    return MemberEditOutcome(action.line, ids[0] if ids else edit.person_id)


async def _moves(
    conn: AsyncConnection, action: LineAction[MemberRow], now_us: int
) -> tuple[RecalculatedGroup, ...]:
    """The groups whose calculation the ratings of a form change (§ 4.5.4.1)."""
    if action.row is None:
        return ()
    of = action.row.id
    rows = (one.row for one in action.ratings)
    new = [ToldRow(of, row.kind, row.on_day, row.value, now_us) for row in rows]
    return await moved_by(conn, new)


def _refused(code: str, field: str = "", value: str = "", hint: str = "") -> RegisterLine:
    return refused_line(0, "", ImportProblem(code, field, value, hint))


async def _planned(
    conn: AsyncConnection, register: Register, editor: RegisterEditor, edit: MemberEditRequest
) -> LineAction[MemberRow] | RegisterLine:
    if not editor.reason or not is_line(editor.reason):
        return _refused("no_reason", "reason")
    if not edit.cells.get("name", "?").strip():
        return _refused("no_name", "name")
    planner = MemberPlanner(register, Rules(take_emails=edit.take_email), editor)
    if edit.person_id is None:
        action = planner.line(CsvLine(0, {n: t for n, t in _row(edit).cells.items() if t != CLEAR}))
        if isinstance(action, LineAction) and action.row is not None:
            return _refused("exists", "name", action.row.name, action.row.number or "–")
        return action
    person = await member_rows.find_member(conn, edit.person_id)
    if person is None:
        raise NoSuch("member")
    said = understand(_row(edit), register.today)
    if said.problems:
        return refused_line(0, person.name, *said.problems)
    action = planner.action(said, person, person.name)
    if isinstance(action, LineAction) and action.line.notes:
        return refused_line(0, person.name, *action.line.notes)
    if isinstance(action, LineAction) and not any(
        action.facts[n] for n in ("number", "birth", "email")
    ):
        return _refused("nameless", "number")
    return action


def write_form_cells(row: MemberRow) -> dict[str, str]:
    """A member's facts as the form's initial values."""
    facts = read_member_facts(row)
    citizen = {None: "", True: "ja", False: "nej"}[row.citizen]
    return {name: str(value or "") for name, value in facts.items()} | {"citizen": citizen}


# Removing a rating that should not be in the register, with a recorded reason (§ 6.4.4).


@dataclass(frozen=True, slots=True)
class Removal:
    """Which rating is to go, and why; ``on``: its ISO day; ``is_seen``: as for an edit."""

    person_id: int
    kind: RatingKind
    on: str
    reason: str
    channel: str
    is_seen: bool = False


async def remove_rating(
    core: Core, by: PersonRow, asked: Removal
) -> ImportProblem | tuple[RecalculatedGroup, ...] | None:
    """Remove a rating that people entered; else the problem, or the groups it would change.

    What rested on it is recalculated (§ 4.5.4.1). Raises NotAllowed, and NoSuch where nothing was
    entered for that day.
    """
    await require_register_rights(core, by)
    reason = asked.reason.strip()
    if not reason or not is_line(reason):
        return ImportProblem("no_reason", "reason")
    async with core.store.write() as conn:
        await register_rows.hold(conn)
        _, entered = await member_rows.ratings_of(conn, asked.person_id)
        found = [row for row in entered if (row.kind, row.on_day) == (asked.kind.value, asked.on)]
        if not found:
            raise NoSuch("rating")
        (gone,) = found
        key = (asked.person_id, asked.kind.value, asked.on)
        moves = () if asked.is_seen else await moved_by(conn, (), [key])
        if moves:
            return moves
        await register_rows.remove_rating(conn, asked.person_id, asked.kind.value, asked.on)
        editor = RegisterEditor(by.id, asked.channel, reason)
        was, nothing = (read_rating_facts(asked.kind, row) for row in (gone, None))
        lost = changes_between(was, nothing)
        change = change_of(asked.person_id, lost, editor, core.now_us)
        await register_rows.put_changes(conn, [change])
    await recompute_after_changes(core, by.id)
    return None
