"""The register: who sees what of it (REGULATION, "Personal data"), and whole files in and out.

Controller and administrator see and change all. Leaders see the list, and address and birth
date of the players of the groups that they lead and do not play in. The player sees his own.
Nobody else sees anything here. An import is one transaction, in which nobody else changes the
register; reading and planning are done in a thread. Its rights are checked by the channels.
"""

import asyncio
import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date

from kskak.ledger.ledger_files import JsonObject
from kskak.values import guard_formula
from mail.text.catalogue import FACTS, Words, spoken
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.engine.rows import AnyRow
from server.store.members import ClubRow, MemberRow, RatingKind, RatingRow
from server.store.play.people import PersonRow
from server.usecases.cases.sanctions import person_record
from server.usecases.context import Core, pages_of
from server.usecases.rating.computing import recompute_after_changes
from server.usecases.register import member_import as members_in
from server.usecases.register.csv_columns import BY_WHAT, Aliases
from server.usecases.register.csv_table import (
    NEEDED,
    PARTS_OF_NAME,
    BadFile,
    CsvLine,
    CsvTable,
    FieldChange,
    ImportProblem,
    Progress,
    RegisterEditor,
    RegisterImportReport,
    RegisterKind,
    RegisterLineOutcome,
    Rules,
    UnusedColumn,
    Value,
    no_progress,
    read_sheet,
)
from server.usecases.register.member_facts import RATED, read_member_facts, write_address_letters
from server.usecases.register.member_import import (
    ClubPlanner,
    MemberPlanner,
    RatingPlanner,
    Register,
)
from server.usecases.rights import (
    NoSuch,
    NotAllowed,
    may_change_register,
    may_read_register,
    rights_in,
)

PAGE = 50
"""Members on a page of the list."""


@dataclass(frozen=True, slots=True)
class MemberListView:
    """A page of the members that match some words; ``contact``: those whose address is visible."""

    text: str
    page: int
    count: int
    rows: tuple[MemberRow, ...]
    contact: frozenset[int]
    may_change: bool

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return pages_of(self.count, PAGE)


@dataclass(frozen=True, slots=True)
class MemberView:
    """One member, as far as the viewer may see.

    ``ratings``: all of them, computed ones too; ``entered``: those that people entered.
    """

    row: MemberRow
    ratings: tuple[RatingRow, ...]
    entered: tuple[RatingRow, ...]
    changes: tuple[AnyRow, ...]
    sees_contact: bool
    may_change: bool
    is_own: bool


async def member_list(
    core: Core, viewer: PersonRow, text: str = "", page: int = 1
) -> MemberListView:
    """Members by name. Raises NotAllowed."""
    text = "".join(char for char in text if char.isprintable())
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        if not may_read_register(held):
            raise NotAllowed
        count, found = await member_rows.search(conn, text, (max(page, 1) - 1) * PAGE, PAGE)
        ids = [row.id for row in found]
        contact = frozenset(ids)
        if not may_change_register(held):
            groups = None if held.leads_all else sorted(held.led - held.barred)
            contact = await member_rows.find_seated_people(conn, ids, groups)
    return MemberListView(text, max(page, 1), count, found, contact, may_change_register(held))


async def member_view(core: Core, viewer: PersonRow, person_id: int) -> MemberView:
    """One person's data: for the register's officials, the person, and who sits on the Board while
    the person is a party in one of its cases. Raises NotAllowed for all others, NoSuch.
    """
    held = await core.store.query(rights_in, viewer, core.now_us)
    is_own = viewer.id == person_id
    if (
        not (is_own or may_read_register(held))
        and await person_record(core, viewer, person_id) is None
    ):
        raise NotAllowed
    async with core.store.read() as conn:
        row = await member_rows.find_member(conn, person_id)
        if row is None:
            raise NoSuch("member")
        sees = is_own or may_change_register(held)
        if not sees:
            groups = None if held.leads_all else sorted(held.led - held.barred)
            sees = bool(await member_rows.find_seated_people(conn, [person_id], groups))
        ratings, entered = await member_rows.ratings_of(conn, person_id)
        is_full = is_own or may_change_register(held)
        changes = await member_rows.changes_of(conn, person_id) if is_full else ()
    return MemberView(row, ratings, entered, changes, sees, may_change_register(held), is_own)


async def club_list(core: Core, viewer: PersonRow) -> tuple[tuple[ClubRow, int], ...]:
    """The clubs by name, each with how many members it has. Raises NotAllowed."""
    async with core.store.read() as conn:
        if not may_read_register(await rights_in(conn, viewer, core.now_us)):
            raise NotAllowed
        counts = await member_rows.member_counts(conn)
        return tuple((c, counts.get(c.id, 0)) for c in await member_rows.all_clubs(conn))


# The register as CSV: what ``import`` reads, so that re-importing an export changes nothing.

_WORDS: Mapping[str, Mapping[Value, str]] = {
    "kind": {
        "club": "klub",
        "individual": "enkelt",
        "passive": "passiv",
        "honorary": "æresmedlem",
        "net": "netmedlem",
        "none": "ingen",
    },
    "citizen": {True: "ja", False: "nej"},
    "k_status": {True: "midlertidig", False: "endelig"},
    "status": {True: "midlertidig", False: "endelig"},
    "rating_kind": {RatingKind.K.value: "K", RatingKind.OTB.value: "OTB"},
}


async def export(core: Core, what: RegisterKind, *, is_empty: bool = False) -> bytes:
    """A whole register as a file; ``is_empty``: only its headings, to be filled in."""
    if is_empty:
        return _csv(BY_WHAT[what], ())
    async with core.store.read() as conn:
        match what:
            case RegisterKind.CLUBS:
                lines: list[dict[str, Value]] = [
                    asdict(c) for c in await member_rows.all_clubs(conn)
                ]
            case RegisterKind.MEMBERS:
                newest = await member_rows.latest_ratings(conn)
                latest = {(row.person_id, row.kind): row for row in newest}
                lines = [_member(row, latest) for row in await member_rows.list_members(conn)]
            case RegisterKind.RATINGS:
                lines = await _ratings(conn)
    return _csv(BY_WHAT[what], lines)


def _member(row: MemberRow, latest: Mapping[tuple[int, str], RatingRow]) -> dict[str, Value]:
    values = read_member_facts(row)
    for kind, (value, status, day, source) in RATED.items():
        rating = latest.get((row.id, kind.value))
        if rating is not None:
            values |= {value: rating.value, day: rating.on_day, source: rating.source}
            values |= {status: rating.is_provisional} if status else {}
    return values


async def _ratings(conn: AsyncConnection) -> list[dict[str, Value]]:
    """The history of everybody whom a file can identify: by number, or by birth date."""
    people = {row.id: row for row in await member_rows.everybody(conn)}
    return [
        {
            "number": people[row.person_id].number,
            "name": people[row.person_id].name,
            "birth": people[row.person_id].birth,
            "rating_kind": row.kind,
            "value": row.value,
            "status": row.is_provisional if row.kind == RatingKind.K else None,
            "date": row.on_day,
            "source": row.source,
        }
        for row in await member_rows.all_ratings(conn)
        if people[row.person_id].number or people[row.person_id].birth
    ]


def _csv(columns: Aliases, lines: Iterable[Mapping[str, Value]]) -> bytes:
    out, written = io.StringIO(), [name for name in columns if name not in PARTS_OF_NAME]
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([columns[name][0] for name in written])
    for line in lines:
        writer.writerow([_cell(name, line.get(name)) for name in written])
    return out.getvalue().encode("utf-8-sig")


def _cell(name: str, value: Value) -> str:
    if value is None:
        return ""
    return guard_formula(_WORDS.get(name, {}).get(value, str(value)).strip())


# An import's report in words: for the command line, the page and the API alike.

_WORDED = frozenset(
    {"kind", "citizen", "k_status", "status", "rating_kind"}
)  # fields whose values are words of ours

_DAYS = frozenset({"birth", "since", "until", "arrears", "k_date", "rating_date", "date"})


def field_text(name: str, words: Words) -> str:
    """A column's name."""
    return words(f"register.column.{name}")


def value_text(name: str, value: str | None, words: Words) -> str:
    """A value as it is shown: our words and days in the reader's language."""
    if value is None:
        return words("register.nothing")
    if name in _DAYS:
        return words.day(date.fromisoformat(value))
    if name == "lang":
        return FACTS[spoken(value)].name
    return words(f"register.value.{value}") if name in _WORDED else value


def write_problem(problem: ImportProblem, words: Words) -> str:
    """What was wrong, where, and what to write instead."""
    key = f"register.slip.{problem.code}"
    if problem.hint and f"{key}_near" in words:
        key = f"{key}_near"
    said = words(key, value=problem.value, hint=problem.hint, languages=", ".join(FACTS))
    return f"{field_text(problem.field, words)}: {said}" if problem.field else said


def change_text(change: FieldChange, words: Words) -> str:
    """«klub: Nordre → Søndre»; a new value without the part before the arrow."""
    after = value_text(change.field, change.after, words)
    before = "" if change.before is None else value_text(change.field, change.before, words)
    shown = f"{before} → {after}" if before else after
    return f"{field_text(change.field, words)}: {shown}"


def unused_text(column: UnusedColumn, words: Words) -> str:
    """A column that is not recognised."""
    if column.near:
        return words("register.unused_near", name=column.name, near=column.near)
    return words("register.unused", name=column.name)


def outcome_text(report: RegisterImportReport, words: Words, *, dry_run: bool) -> str:
    """The outcome, in a sentence."""
    if report.fault is not None:
        return words("register.outcome.fault")
    if dry_run:
        return words("register.outcome.dry")
    if not report.is_done:
        return words("register.outcome.refused")
    counts = report.counts
    is_same = not counts[RegisterLineOutcome.ADDED] and not counts[RegisterLineOutcome.CHANGED]
    return words("register.outcome.same" if is_same else "register.outcome.done")


def summary_text(report: RegisterImportReport, words: Words) -> str:
    """«nye: 3, ændret: 1, uændret: 96, afvist: 0»."""
    counts = report.counts
    return ", ".join(
        words(f"register.summary.{outcome.value}", n=counts[outcome])
        for outcome in RegisterLineOutcome
    )


def document(report: RegisterImportReport, words: Words) -> JsonObject:
    """The report as data: what changes, and every line that can't be used."""
    return {
        "format": "kskak-import/1",
        "what": report.what.value,
        "done": report.is_done,
        "fault": None if report.fault is None else write_problem(report.fault, words),
        "counts": {outcome.value: count for outcome, count in report.counts.items()},
        "unused": [column.name for column in report.unused],
        "lines": [
            {
                "line": line.number,
                "name": line.name,
                "fate": line.outcome.value,
                "changes": [[c.field, c.before, c.after] for c in line.changes],
                "refused": [write_problem(problem, words) for problem in line.problems],
                "notes": [write_problem(problem, words) for problem in line.notes],
            }
            for line in report.lines
            if line.outcome is not RegisterLineOutcome.UNCHANGED or line.notes
        ],
    }


# An import from beginning to end: read, compare with the register, write all or nothing.

STEP = 1000
"""Deeds written between two progress reports."""


async def import_file(
    core: Core,
    what: RegisterKind,
    raw: bytes,
    editor: RegisterEditor,
    rules: Rules,
    progress: Progress = no_progress,
) -> RegisterImportReport:
    """Import a file, or say what an import would do. Nothing is half-imported.

    Any line that can't be used stops the import, unless the rules skip such lines; ``is_done``
    says whether the register was written to.
    """
    try:
        sheet = await asyncio.to_thread(read_sheet, raw, BY_WHAT[what], NEEDED[what])
    except BadFile as bad:
        return RegisterImportReport(what, fault=bad.problem)
    if rules.dry_run:
        async with core.store.read() as conn:
            planner, _ = await _plan(core, conn, what, sheet, editor, rules, progress)
        return RegisterImportReport(what, tuple(planner.lines), sheet.unused)
    try:
        async with core.store.write() as conn:
            await register_rows.hold(conn)
            planner, register = await _plan(core, conn, what, sheet, editor, rules, progress)
            report = RegisterImportReport(what, tuple(planner.lines), sheet.unused)
            is_as_seen = rules.digest in ("", report.digest)
            if not (is_as_seen and (report.is_clean or rules.skip_bad)):
                return report
            await _write(core, conn, planner, register, progress)
    except StoreConflict:
        return RegisterImportReport(what, unused=sheet.unused, fault=ImportProblem("swapped"))
    await recompute_after_changes(core, editor.person_id)
    return replace(report, is_done=True)


_PLANNERS: dict[RegisterKind, type[MemberPlanner | ClubPlanner | RatingPlanner]] = {
    RegisterKind.MEMBERS: MemberPlanner,
    RegisterKind.CLUBS: ClubPlanner,
    RegisterKind.RATINGS: RatingPlanner,
}


async def _plan(
    core: Core,
    conn: AsyncConnection,
    what: RegisterKind,
    sheet: CsvTable,
    editor: RegisterEditor,
    rules: Rules,
    progress: Progress,
) -> tuple[MemberPlanner | ClubPlanner | RatingPlanner, Register]:
    """What the lines would do, and the register that they were checked against."""
    days = _days(sheet.rows)
    dated = await member_rows.ratings_between(conn, *days) if days else ()
    register = await members_in.read_register(core, conn, dated)
    planner = _PLANNERS[what](register, rules, editor)
    await asyncio.to_thread(planner.plan, sheet, progress)
    return planner, register


async def _write(
    core: Core,
    conn: AsyncConnection,
    planner: MemberPlanner | ClubPlanner | RatingPlanner,
    register: Register,
    progress: Progress,
) -> None:
    """Write what was planned, in batches within one transaction."""
    if isinstance(planner, ClubPlanner):
        await members_in.write_clubs(conn, planner.actions, register.clubs)
        return
    for first in range(0, len(planner.actions), STEP):
        part = planner.actions[first : first + STEP]
        if isinstance(planner, RatingPlanner):
            await members_in.write_ratings(conn, part, planner.editor, core.now_us)
        else:
            await members_in.write_members(conn, part, register.clubs, planner.editor, core.now_us)
        progress("write", first + len(part), len(planner.actions))
    if isinstance(planner, MemberPlanner):
        moved = members_in.list_email_changes(planner.actions)
        await write_address_letters(conn, core, moved)


_ANY_DAY = ("0000-00-00", "9999-99-99")


def _days(lines: tuple[CsvLine, ...]) -> tuple[str, str] | None:
    """The days whose ratings a file concerns: all, or None when no line names one."""
    names = ("k_date", "rating_date", "date")
    named = any(row.cells.get(name) for row in lines for name in names)
    return _ANY_DAY if named else None
