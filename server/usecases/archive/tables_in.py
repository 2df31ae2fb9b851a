"""Final tables of past tournaments from a CSV file, one line per player (§ 6.5.3.2, § 6.6.2).

Usable lines are saved in one transaction, the others reported. A line that is already there is
left alone; one that contradicts it is refused. Not for the cells (columns.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kskak.values.names import Name, plain
from server.store.archive import final_tables as standing_rows
from server.store.archive import writing as rows
from server.store.archive.final_tables import NewStanding
from server.store.archive.writing import ImportRow, Spelled
from server.store.engine.connection import AsyncConnection
from server.store.register.members import MemberRow
from server.usecases.archive.columns import COLUMNS, NEEDED, Told, understand
from server.usecases.archive.linking import Linker
from server.usecases.archive.report import BadPath, Fate, FileReport, Note, Report, Watch
from server.usecases.core.context import Core
from server.usecases.register.csv_table import BadFile, Row, read_sheet
from server.usecases.register.report import Slip


@dataclass(frozen=True, slots=True)
class _There:
    """A line that is saved, or will be: whose it is and what it says."""

    told: tuple[str, str, str]
    who: Spelled
    score: tuple[int, int]


@dataclass(slots=True)
class _Plan:
    """What becomes of a file's lines."""

    new: list[tuple[int, Told]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    counts: dict[Fate, int] = field(default_factory=lambda: dict.fromkeys(Fate, 0))


def read_table(path: Path) -> Sequence[Row]:
    """The lines of a file. Raises BadPath."""
    try:
        return read_sheet(path.read_bytes(), COLUMNS, NEEDED).rows
    except BadFile as bad:
        raise BadPath(path, bad.slip) from bad
    except OSError as error:
        raise BadPath(path, Slip("unreadable", value=error.strerror or "")) from error


class TableTaker:
    """Imports the tables of one run; ``players``: in a dry run, those who would be saved."""

    def __init__(self, core: Core, report: Report, watch: Watch) -> None:
        self._core, self._report, self._watch = core, report, watch
        self._today = core.today(core.settings.clock.zone).isoformat()
        self._remembered: dict[str, list[_There]] = defaultdict(list)
        self.players: set[Spelled] = set()

    async def take(self, file: FileReport, row: ImportRow, lines: Sequence[Row]) -> None:
        """Save all usable lines of a file together."""
        if self._report.dry_run:
            async with self._core.store.read() as conn:
                plan = await self._planned(conn, file, lines)
            self.players |= {(told.name, told.number) for _, told in plan.new}
        else:
            async with self._core.store.write() as conn:
                await rows.hold(conn)
                plan = await self._planned(conn, file, lines)
                await _keep(conn, file, plan)
                done = replace(
                    row,
                    lines=len(lines),
                    added=plan.counts[Fate.ADDED],
                    known=plan.counts[Fate.KNOWN],
                    refused=plan.counts[Fate.REFUSED],
                    finished_us=self._core.now_us,
                )
                await rows.keep_import(conn, done)
        file.counts = plan.counts
        for note in plan.notes:
            self._watch.note(note)

    async def _planned(
        self, conn: AsyncConnection, file: FileReport, lines: Sequence[Row]
    ) -> _Plan:
        plan, linker = _Plan(), await Linker.of(conn)
        read = [(row.number, _named(understand(row, self._today), linker)) for row in lines]
        keys = {plain(told.event) for _, told in read if isinstance(told, Told)}
        known: dict[str, list[_There]] = defaultdict(list)
        for key, row, who in await standing_rows.of_events(conn, keys):
            what = (row.kind, row.wish, row.finished)
            known[key].append(_There(what, who, (row.halves, row.games)))
        for key in keys:
            known[key] += self._remembered[key]
        for line, told in read:
            slips = self._judge(plan, line, told, known) if isinstance(told, Told) else told
            plan.notes += [Note(file.name, None, line, _fate(slip), slip) for slip in slips]
            plan.counts[_fate(slips[0]) if slips else Fate.ADDED] += 1
        return plan

    def _judge(
        self, plan: _Plan, line: int, told: Told, known: dict[str, list[_There]]
    ) -> tuple[Slip, ...]:
        """Add the line to the plan; if it is already there, say so, or that its score differs."""
        key, mine = plain(told.event), (told.kind, told.wish, told.finished)
        who, score = (told.name, told.number), (told.halves, told.games)
        for there in known[key]:
            if there.told == mine and _is_one(there.who, who):
                if there.score == score:
                    return (Slip("known_line", value=told.name),)
                return (Slip("other_score", "points", told.name, _shown(there.score)),)
        now = _There(mine, who, score)
        known[key].append(now)
        if self._report.dry_run:
            self._remembered[key].append(now)
        plan.new.append((line, told))
        return ()


def _fate(slip: Slip) -> Fate:
    return Fate.KNOWN if slip.code == "known_line" else Fate.REFUSED


def _shown(score: tuple[int, int]) -> str:
    points = f"{score[0] // 2 or ''}½" if score[0] % 2 else str(score[0] // 2)
    return f"{points}/{score[1]}"


def _is_one(a: Spelled, b: Spelled) -> bool:
    """True if two spellings within one table are the same player."""
    if a[1] and b[1]:
        return a[1] == b[1]
    return Name.of(a[0]).key == Name.of(b[0]).key


def _named(told: Told | tuple[Slip, ...], linker: Linker) -> Told | tuple[Slip, ...]:
    """Give a line that has only a number the name in the register."""
    if not isinstance(told, Told) or told.name:
        return told
    found = linker.who("", told.number)
    if isinstance(found, MemberRow):
        return replace(told, name=found.name)
    return (Slip("name_for_number", "number", told.number),)


async def _keep(conn: AsyncConnection, file: FileReport, plan: _Plan) -> None:
    if not plan.new:
        return
    events = await rows.event_ids(conn, [told.event for _, told in plan.new])
    players = await rows.player_ids(conn, [(told.name, told.number) for _, told in plan.new])
    new = [
        NewStanding(
            event_id=events[told.event],
            kind=told.kind,
            wish=told.wish,
            finished=told.finished,
            player_id=players[told.name, told.number],
            halves=told.halves,
            games=told.games,
            place=told.place,
            entries=told.entries,
            semi_held=told.semi_held,
            source=told.source or f"{file.name}, {line}",
        )
        for line, told in plan.new
    ]
    await standing_rows.add_standings(conn, new)
