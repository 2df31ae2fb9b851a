"""An import from beginning to end: read, compare with the register, write all or nothing.

One transaction, in which nobody else changes the register. Reading and planning are done in a
thread: the server keeps responding. Not for rights (the channels check ``may_change``).
"""

import asyncio
from dataclasses import replace
from datetime import date

from kskak.ledger.ledger_files import JsonObject
from mail.text.catalogue import FACTS, Words, spoken
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.play import people as person_rows
from server.usecases.context import Core
from server.usecases.rating.computing import recompute_after_changes
from server.usecases.register import member_import as members_in
from server.usecases.register.csv_table import (
    BY_WHAT,
    NEEDED,
    BadFile,
    CsvLine,
    CsvTable,
    FieldChange,
    ImportProblem,
    Progress,
    RegisterEditor,
    RegisterImportReport,
    RegisterKind,
    RegisterLine,
    RegisterLineOutcome,
    Rules,
    UnusedColumn,
    no_progress,
    read_sheet,
)
from server.usecases.register.member_facts import Clubs, KnownRatings, People, write_address_letters
from server.usecases.register.member_import import (
    ClubDeed,
    ClubPlanner,
    MemberLineAction,
    Planner,
    RatingDeed,
    RatingPlanner,
    Register,
)

# An import's report in words: for the command line, the page and the API alike.

_WORDED = frozenset(
    {"kind", "citizen", "k_status", "status", "rating_kind"}
)  # fields whose values are words of ours

_DAYS = frozenset({"birth", "since", "until", "k_date", "rating_date", "date"})


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


def write_problem(slip: ImportProblem, words: Words) -> str:
    """What was wrong, where, and what to write instead."""
    key = f"register.slip.{slip.code}"
    if slip.hint and f"{key}_near" in words:
        key = f"{key}_near"
    said = words(key, value=slip.value, hint=slip.hint, languages=", ".join(FACTS))
    return f"{field_text(slip.field, words)}: {said}" if slip.field else said


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
        words(f"register.summary.{fate.value}", n=counts[fate]) for fate in RegisterLineOutcome
    )


def document(report: RegisterImportReport, words: Words) -> JsonObject:
    """The report as data: what changes, and every line that can't be used."""
    return {
        "format": "kskak-import/1",
        "what": report.what.value,
        "done": report.is_done,
        "fault": None if report.fault is None else write_problem(report.fault, words),
        "counts": {fate.value: count for fate, count in report.counts.items()},
        "unused": [column.name for column in report.unused],
        "lines": [
            {
                "line": line.number,
                "name": line.name,
                "fate": line.fate.value,
                "changes": [[c.field, c.before, c.after] for c in line.changes],
                "refused": [write_problem(slip, words) for slip in line.slips],
                "notes": [write_problem(slip, words) for slip in line.notes],
            }
            for line in report.lines
            if line.fate is not RegisterLineOutcome.UNCHANGED or line.notes
        ],
    }


# An import from beginning to end: read, compare with the register, write all or nothing.

STEP = 1000
"""Deeds written between two progress reports."""


async def import_file(
    core: Core,
    what: RegisterKind,
    raw: bytes,
    doer: RegisterEditor,
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
        return RegisterImportReport(what, fault=bad.slip)
    job = _Job(core, what, sheet, doer, rules, progress)
    if rules.dry_run:
        async with core.store.read() as conn:
            return await job.planned(conn)
    try:
        async with core.store.write() as conn:
            await register_rows.hold(conn)
            report = await job.planned(conn)
            is_as_seen = rules.digest in ("", report.digest)
            if not (is_as_seen and (report.is_clean or rules.skip_bad)):
                return report
            await job.write(conn)
    except StoreConflict:
        return RegisterImportReport(what, unused=sheet.unused, fault=ImportProblem("swapped"))
    await recompute_after_changes(core, doer.person_id)
    return replace(report, is_done=True)


class _Job:
    """One import in progress."""

    def __init__(
        self,
        core: Core,
        what: RegisterKind,
        sheet: CsvTable,
        doer: RegisterEditor,
        rules: Rules,
        progress: Progress,
    ) -> None:
        self._core, self._what, self._sheet = core, what, sheet
        self._doer, self._rules, self._progress = doer, rules, progress
        self._clubs = Clubs.of((), {})
        self._members: list[MemberLineAction] = []
        self._ratings: list[RatingDeed] = []
        self._club_deeds: list[ClubDeed] = []

    async def planned(self, conn: AsyncConnection) -> RegisterImportReport:
        """A report of what the lines would do."""
        self._clubs = Clubs.of(
            await member_rows.all_clubs(conn), await member_rows.all_districts(conn)
        )
        if self._what is RegisterKind.CLUBS:
            lines = self._plan_clubs()
        else:
            people = People.of(await member_rows.everybody(conn))
            days = _days(self._sheet.rows)
            dated = await member_rows.ratings_between(conn, *days) if days else ()
            ratings = KnownRatings.of(await member_rows.latest_ratings(conn), dated)
            if self._what is RegisterKind.MEMBERS:
                officials = await person_rows.in_office(conn, self._core.now_us)
                register = Register(people, self._clubs, ratings, officials, self._today)
                lines = await asyncio.to_thread(self._plan_members, register)
            else:
                lines = await asyncio.to_thread(self._plan_ratings, people, ratings)
        return RegisterImportReport(self._what, tuple(lines), self._sheet.unused)

    @property
    def _today(self) -> str:
        return self._core.today(self._core.settings.clock.zone).isoformat()

    def _plan_members(self, register: Register) -> list[RegisterLine]:
        plan = Planner(register, self._rules, self._doer).plan(self._sheet, self._progress)
        self._members = plan.deeds
        return plan.lines

    def _plan_clubs(self) -> list[RegisterLine]:
        planner = ClubPlanner(self._clubs, self._today)
        planner.plan(self._sheet, self._progress)
        self._club_deeds = planner.deeds
        return planner.lines

    def _plan_ratings(self, people: People, ratings: KnownRatings) -> list[RegisterLine]:
        planner = RatingPlanner(people, ratings, self._today, self._doer)
        planner.plan(self._sheet, self._progress)
        self._ratings = planner.deeds
        return planner.lines

    async def write(self, conn: AsyncConnection) -> None:
        """Write what was planned, in batches within one transaction."""
        now = self._core.now_us
        match self._what:
            case RegisterKind.CLUBS:
                await members_in.write_clubs(conn, self._club_deeds, self._clubs)
            case RegisterKind.MEMBERS:
                for first in range(0, len(self._members), STEP):
                    part = self._members[first : first + STEP]
                    await members_in.write_members(conn, part, self._clubs, self._doer, now)
                    self._progress("write", first + len(part), len(self._members))
                await write_address_letters(
                    conn, self._core, members_in.list_email_changes(self._members)
                )
            case RegisterKind.RATINGS:
                for first in range(0, len(self._ratings), STEP):
                    some = self._ratings[first : first + STEP]
                    await members_in.write_ratings(conn, some, self._doer, now)
                    self._progress("write", first + len(some), len(self._ratings))


_ANY_DAY = ("0000-00-00", "9999-99-99")


def _days(lines: tuple[CsvLine, ...]) -> tuple[str, str] | None:
    """The days whose ratings a file concerns: all, or None when no line names one."""
    names = ("k_date", "rating_date", "date")
    named = any(row.cells.get(name) for row in lines for name in names)
    return _ANY_DAY if named else None
