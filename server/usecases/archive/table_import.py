"""Final tables of past tournaments from a CSV file, one line per player (§ 6.5.3.2, § 6.6.2).

Usable lines are saved in one transaction, the others reported. A line that is already there is
left alone; one that contradicts it is refused. Not for the cells (below).
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from kskak.archive.pgn_reading import LONGEST_NAME
from kskak.entries.emt import EmtClass
from kskak.entries.rights import CupFinalStage, IccfTournament
from kskak.values import Name, is_line, plain
from server.store import members as member_rows
from server.store.archive import writing as archive_rows
from server.store.archive.writing import ImportRow, NewTableLine, Spelled, TableLine
from server.store.engine.connection import AsyncConnection
from server.store.members import MemberRow
from server.usecases.context import Core
from server.usecases.entries.player_entering import MOST_ENTRIES, MOST_GAMES
from server.usecases.register import csv_table
from server.usecases.register.csv_columns import PAST_RESULTS
from server.usecases.register.csv_table import BadCell, BadFile, CsvLine, ImportProblem, read_sheet
from server.usecases.register.member_facts import SIMILAR, name_members

# What an import did or would do, and what it could not use; as data, not in words.

MOST_STORED_PROBLEMS = 10_000
"""Most notes, and most players, that a report lists; the rest are only counted."""


class ImportFileKind(StrEnum):
    """What a file is, by its ending."""

    PGN = "pgn"
    LEDGER = "json"
    TABLE = "csv"


class BadPath(Exception):
    """A path that can't be read; nothing was changed."""

    def __init__(self, path: Path, problem: ImportProblem) -> None:
        super().__init__(f"{path}: {problem.code}")
        self.path, self.problem = path, problem


class ArchiveImportOutcome(StrEnum):
    """What becomes of a game or a line."""

    ADDED = "added"
    KNOWN = "known"
    COMPLETED = "completed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ArchiveImportNote:
    """A remark on a game, or on a line of a table if ``game`` is None.

    ``problem``: why it is refused, or where it already is.
    """

    file: str
    game: int | None
    line: int
    outcome: ArchiveImportOutcome
    problem: ImportProblem

    @property
    def is_refused(self) -> bool:
        """Whether it could not be used."""
        return self.outcome is ArchiveImportOutcome.REFUSED


@dataclass(frozen=True, slots=True)
class Unclear:
    """A player who may or should be in the register but could not be identified."""

    name: str
    number: str
    problem: ImportProblem


@dataclass(frozen=True, slots=True)
class ArchiveImportProgress:
    """Progress of an import: bytes of a file; games or lines so far in this run."""

    file: str
    done: int
    total: int
    items: int


@dataclass(slots=True)
class FileReport:
    """A file's counts, over all runs. ``resumed``: games done before; ``is_known``: all were."""

    name: str
    counts: dict[ArchiveImportOutcome, int] = field(
        default_factory=lambda: dict.fromkeys(ArchiveImportOutcome, 0)
    )
    resumed: int = 0
    is_known: bool = False


@dataclass(slots=True)
class ArchiveImportReport:
    """What an import did, or would do."""

    dry_run: bool
    files: list[FileReport] = field(default_factory=list)
    notes: list[ArchiveImportNote] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    linked: int = 0
    strangers: int = 0
    results: int = 0

    @property
    def refused(self) -> int:
        """Games and lines that could not be used."""
        return sum(file.counts[ArchiveImportOutcome.REFUSED] for file in self.files)


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks for an import in progress."""

    step: Callable[[ArchiveImportProgress], None] = lambda step: None
    note: Callable[[ArchiveImportNote], None] = lambda note: None


# The columns of a file of final tables, and what their cells say.

OTHER = "other"
NEEDED = (("event",), ("wish",), ("finished",), ("number", "name"), ("points",), ("games",))
"""One field of each group must be present."""
_KINDS = {
    **dict.fromkeys(("emt", "mesterskab", "championship"), "emt"),
    **dict.fromkeys(("pokal", "pokalturnering", "cup"), "cup"),
    **dict.fromkeys(("iccf", "international"), "iccf"),
    **dict.fromkeys(("andet", "hold", "holdturnering", "tema", "league", "theme", "other"), OTHER),
}
_CLASSES = {
    **{one.value.casefold(): one.value for one in EmtClass},
    **dict.fromkeys(("mester", "mesterklassen"), "M"),
    "kvalifikation": "K",
    **dict.fromkeys(("åben", "aa", "open"), "Å"),
}
_STAGES = {
    **dict.fromkeys(("semi", "semifinale", "semi-final"), CupFinalStage.SEMIFINAL.value),
    **dict.fromkeys(("final", "finale"), CupFinalStage.FINAL.value),
}
_ICCF = {one.value.casefold(): one.value for one in IccfTournament} | {"andet": "other"}
_CLASSES_BY_EVENT = {"emt": _CLASSES, "cup": _STAGES, "iccf": _ICCF}
_LONGEST_CLASS = 16
_POINTS = re.compile(r"(\d{0,4})\s*(½|[.,]5|[.,]0|1/2)?")


def _line(longest: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not text or len(text) > longest or not is_line(text):
            raise BadCell("not_one_line" if text else "cell_missing", str(longest))
        return csv_table.normalize_line(text)

    return read


def _whole(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = text.rstrip(".")
        if not (digits.isascii() and digits.isdigit() and 1 <= int(digits[:7]) <= most):
            raise BadCell("whole", str(most))
        return int(digits)

    return read


def read_halves(text: str) -> int:
    """Half points from «4½», «4,5», «4.5» or «4 1/2». Raises BadCell for anything else."""
    found = _POINTS.fullmatch(text) if text else None
    if found is None:
        raise BadCell("points")
    return 2 * int(found[1] or 0) + ((found[2] or "")[-1:] in {"½", "5", "2"})


_READERS: Mapping[str, Callable[[str], Any]] = {
    "points": read_halves,
    "games": _whole(MOST_GAMES),
    "event": _line(LONGEST_NAME),
    "finished": csv_table.day,
    "number": csv_table.number,
    "name": _line(LONGEST_NAME),
    "place": _whole(MOST_GAMES),
    "entries": _whole(MOST_ENTRIES),
    "semi_held": csv_table.yes_no,
    "source": _line(300),
}
_WITHOUT = {"number": "", "name": "", "place": None, "entries": 0, "semi_held": True, "source": ""}
"""What an empty cell says, where one may be empty."""


def understand(row: CsvLine, today: str) -> NewTableLine | tuple[ImportProblem, ...]:
    """What a line says, or everything that is wrong with it. ``today``: ISO."""
    if row.problem is not None:
        return (row.problem,)
    problems: list[ImportProblem] = []
    values: dict[str, Any] = {}
    kind, wish = _kind_and_wish(row.cells, problems)
    for name, read in _READERS.items():
        text = row.cells.get(name, "")
        if not text and name in _WITHOUT:
            values[name] = _WITHOUT[name]
            continue
        try:
            values[name] = read(text)
        except BadCell as fault:
            problems.append(fault.problem(name, text[:40]))
    if values.get("finished", "") > today:
        problems.append(ImportProblem("in_future", "finished", row.cells["finished"]))
    if not (values.get("number", "?") or values.get("name", "?")):
        problems.append(ImportProblem("no_player", "name"))
    if not problems and values["points"] > 2 * values["games"]:
        score = row.cells["points"], str(values["games"])
        problems.append(ImportProblem("score", "points", *score))
    if problems:
        return tuple(problems)
    return NewTableLine(kind=kind, wish=wish, halves=values.pop("points"), **values)


def _kind_and_wish(cells: Mapping[str, str], problems: list[ImportProblem]) -> tuple[str, str]:
    """The kind and the wish; a missing kind is inferred from the class or round, else OTHER."""
    stated, text = cells.get("kind", "").casefold(), cells.get("wish", "")
    word = text.casefold()
    if stated and stated not in _KINDS:
        problems.append(ImportProblem("kind", "kind", stated, "EMT, pokal, ICCF, andet"))
        return OTHER, ""
    inferred = (kind for kind in ("emt", "cup") if word in _CLASSES_BY_EVENT[kind])
    kind = _KINDS[stated] if stated else next(inferred, OTHER)
    if kind == OTHER:
        if len(text) > _LONGEST_CLASS or not is_line(text):
            hint = str(_LONGEST_CLASS)
            problems.append(ImportProblem("not_one_line", "wish", text[:40], hint))
        return kind, text
    known = _CLASSES_BY_EVENT[kind]
    if word not in known:
        values = ", ".join(dict.fromkeys(known.values()))
        problems.append(ImportProblem("wish", "wish", text, values))
    return kind, known.get(word, "")


# Links past players to the register: by number, or by a full name that only one member has.

_PORTION = 5000


class Linker:
    """The register, for looking up who somebody is."""

    def __init__(self, people: Iterable[MemberRow]) -> None:
        self._by_number: dict[str, list[MemberRow]] = defaultdict(list)
        self._by_name: dict[str, list[MemberRow]] = defaultdict(list)
        for row in people:
            if row.number:
                self._by_number["".join(row.number.split())].append(row)
            self._by_name[Name.of(row.name).key].append(row)

    @staticmethod
    async def of(conn: AsyncConnection) -> "Linker":
        """The register as it is now."""
        return Linker(await member_rows.everybody(conn))

    def who(self, name: str, number: str) -> MemberRow | ImportProblem | None:
        """The member; None when nobody matches; a problem when it is uncertain."""
        if number:
            return self._numbered(name, number)
        taken = Name.of(name)
        found = self._by_name.get(taken.key, [])
        if len(found) > 1:
            return ImportProblem("ambiguous", value=name, hint=name_members(found))
        is_full = bool(taken.given) and len(taken.given[0]) > 1
        return found[0] if found and is_full else None

    def _numbered(self, name: str, number: str) -> MemberRow | ImportProblem:
        found = self._by_number.get(number, [])
        if len(found) != 1:
            code = "ambiguous" if found else "no_number"
            return ImportProblem(code, value=number, hint=name_members(found))
        row = found[0]
        given, known = Name.of(name), Name.of(row.name)
        likeness = difflib.SequenceMatcher(None, given.key, known.key).ratio()
        if not name or given.agrees(known) or likeness >= SIMILAR:
            return row
        return ImportProblem("other_person", value=f"{name} ({number})", hint=row.name)


async def link_all(
    core: Core,
    report: ArchiveImportReport,
    new: Collection[archive_rows.Spelled] = (),
    placed: Collection[archive_rows.Spelled] = (),
) -> None:
    """Link the players the register knows, and turn their scores into past results.

    In a dry run nothing is written; ``new`` are players who were not saved, ``placed`` those who
    appear in final tables.
    """
    async with core.store.read() as conn:
        linker = await Linker.of(conn)
        unkept = sorted({*new, *placed} - await archive_rows.known_players(conn, {*new, *placed}))
    numbered = dict(enumerate(unkept))
    _judge(linker, numbered, report, {n for n, who in numbered.items() if who in set(placed)})
    after = 0
    while True:
        async with core.store.read() as conn:
            some = await archive_rows.list_unlinked_players(conn, after, _PORTION)
            listed = await archive_rows.find_players_in_tables(
                conn, [player for player, _, _ in some]
            )
        if not some:
            break
        after = some[-1][0]
        spelled = {player: (name, number) for player, name, number in some}
        links = _judge(linker, spelled, report, listed)
        if links and not report.dry_run:
            await core.store.change(archive_rows.link, links)
    if report.dry_run:
        return
    async with core.store.write() as conn:
        await archive_rows.hold(conn)
        for line in await archive_rows.list_pending_result_lines(conn):
            report.results += await archive_rows.to_result(conn, line, core.now_us)


def _judge(
    linker: Linker,
    players: Mapping[int, archive_rows.Spelled],
    report: ArchiveImportReport,
    listed: Collection[int],
) -> dict[int, int]:
    """Who is whom; reports the unclear ones, and strangers who appear in a final table."""
    links: dict[int, int] = {}
    for player, (name, number) in players.items():
        found = linker.who(name, number)
        if isinstance(found, MemberRow):
            links[player] = found.id
            continue
        report.strangers += 1
        if found is None and player in listed:
            found = ImportProblem("nobody", value=name)
        if found is not None and len(report.unclear) < MOST_STORED_PROBLEMS:
            report.unclear.append(Unclear(name, number, found))
    report.linked += len(links)
    return links


# Final tables of past tournaments from a CSV file, one line per player (§ 6.5.3.2, § 6.6.2).


@dataclass(slots=True)
class _Plan:
    """What becomes of a file's lines."""

    new: list[NewTableLine] = field(default_factory=list)
    notes: list[ArchiveImportNote] = field(default_factory=list)
    counts: dict[ArchiveImportOutcome, int] = field(
        default_factory=lambda: dict.fromkeys(ArchiveImportOutcome, 0)
    )


def read_table(path: Path) -> Sequence[CsvLine]:
    """The lines of a file. Raises BadPath."""
    try:
        return read_sheet(path.read_bytes(), PAST_RESULTS, NEEDED).rows
    except BadFile as bad:
        raise BadPath(path, bad.problem) from bad
    except OSError as error:
        raise BadPath(path, ImportProblem("unreadable", value=error.strerror or "")) from error


class TableTaker:
    """Imports the tables of one run; ``players``: in a dry run, those who would be saved."""

    def __init__(self, core: Core, report: ArchiveImportReport, watch: Watch) -> None:
        self._core, self._report, self._watch = core, report, watch
        self._today = core.today(core.settings.clock.zone).isoformat()
        self._remembered: dict[str, list[TableLine]] = defaultdict(list)
        self.players: set[Spelled] = set()

    async def take(self, file: FileReport, row: ImportRow, lines: Sequence[CsvLine]) -> None:
        """Save all usable lines of a file together."""
        if self._report.dry_run:
            plan = await self._core.store.query(self._planned, file, lines)
            self.players |= {(parsed.name, parsed.number) for parsed in plan.new}
        else:
            async with self._core.store.write() as conn:
                await archive_rows.hold(conn)
                plan = await self._planned(conn, file, lines)
                await archive_rows.add_table_lines(conn, plan.new)
                done = replace(
                    row,
                    lines=len(lines),
                    added=plan.counts[ArchiveImportOutcome.ADDED],
                    known=plan.counts[ArchiveImportOutcome.KNOWN],
                    refused=plan.counts[ArchiveImportOutcome.REFUSED],
                    finished_us=self._core.now_us,
                )
                await archive_rows.keep_import(conn, done)
        file.counts = plan.counts
        for note in plan.notes:
            self._watch.note(note)

    async def _planned(
        self, conn: AsyncConnection, file: FileReport, lines: Sequence[CsvLine]
    ) -> _Plan:
        plan, linker = _Plan(), await Linker.of(conn)
        read = [(row.number, _complete(file, row, self._today, linker)) for row in lines]
        keys = {plain(parsed.event) for _, parsed in read if isinstance(parsed, NewTableLine)}
        known: dict[str, list[TableLine]] = defaultdict(list)
        for there in await archive_rows.list_event_table_lines(conn, keys):
            known[plain(there.event)].append(there)
        for key in keys:
            known[key] += self._remembered[key]
        for line, parsed in read:
            problems = (
                self._judge(plan, parsed, known) if isinstance(parsed, NewTableLine) else parsed
            )
            plan.notes += [
                ArchiveImportNote(file.name, None, line, _build_problem_outcome(problem), problem)
                for problem in problems
            ]
            plan.counts[
                _build_problem_outcome(problems[0]) if problems else ArchiveImportOutcome.ADDED
            ] += 1
        return plan

    def _judge(
        self, plan: _Plan, parsed: NewTableLine, known: dict[str, list[TableLine]]
    ) -> tuple[ImportProblem, ...]:
        """Add the line to the plan; if it is already there, say so, or that its score differs."""
        key = plain(parsed.event)
        for there in known[key]:
            if _is_one(there, parsed):
                if (there.halves, there.games) == (parsed.halves, parsed.games):
                    return (ImportProblem("known_line", value=parsed.name),)
                return (ImportProblem("other_score", "points", parsed.name, _write_score(there)),)
        known[key].append(parsed)
        if self._report.dry_run:
            self._remembered[key].append(parsed)
        plan.new.append(parsed)
        return ()


def _build_problem_outcome(problem: ImportProblem) -> ArchiveImportOutcome:
    return (
        ArchiveImportOutcome.KNOWN if problem.code == "known_line" else ArchiveImportOutcome.REFUSED
    )


def _write_score(line: TableLine) -> str:
    points = f"{line.halves // 2 or ''}½" if line.halves % 2 else str(line.halves // 2)
    return f"{points}/{line.games}"


def _is_one(a: TableLine, b: TableLine) -> bool:
    """True if two lines of one tournament are about the same player of the same table."""
    if (a.kind, a.wish, a.finished) != (b.kind, b.wish, b.finished):
        return False
    if a.number and b.number:
        return a.number == b.number
    return Name.of(a.name).key == Name.of(b.name).key


def _complete(
    file: FileReport, row: CsvLine, today: str, linker: Linker
) -> NewTableLine | tuple[ImportProblem, ...]:
    """What a line says, with the register's name for a number alone, and its place as source."""
    parsed = understand(row, today)
    if not isinstance(parsed, NewTableLine):
        return parsed
    source = parsed.source or f"{file.name}, {row.number}"
    if parsed.name:
        return replace(parsed, source=source)
    found = linker.who("", parsed.number)
    if isinstance(found, MemberRow):
        return replace(parsed, name=found.name, source=source)
    return (ImportProblem("name_for_number", "number", parsed.number),)
