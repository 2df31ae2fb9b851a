"""Clubs and main districts from a file: recognised by number, else by name (§ 6.7.3).

A new main district comes with its first club. No club is ever removed. Not for members.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.store.engine.connection import AsyncConnection
from server.store.register import writing as writes
from server.store.register.members import ClubRow
from server.usecases.register.cells import folded, line_text
from server.usecases.register.csv_table import Row, Sheet
from server.usecases.register.known import Clubs
from server.usecases.register.reading import Value, understand
from server.usecases.register.report import Change, Fate, Line, Progress, Slip

_FIELDS = ("number", "name", "district")


@dataclass(frozen=True, slots=True)
class ClubDeed:
    """What a line does to a club (None: a new one)."""

    line: Line
    club: ClubRow | None
    facts: dict[str, str | None]


@dataclass(slots=True)
class ClubPlanner:
    """Plans one file's lines in turn."""

    clubs: Clubs
    today: str
    lines: list[Line] = field(default_factory=list)
    deeds: list[ClubDeed] = field(default_factory=list)
    _seen: dict[object, int] = field(default_factory=dict)
    _districts: dict[str, str] = field(default_factory=dict)

    def plan(self, sheet: Sheet, progress: Progress) -> None:
        """What the whole file would do, in ``lines`` and ``deeds``."""
        self._districts.update(self.clubs.folded_districts)
        for row in sheet.rows:
            done = self._line(row)
            if isinstance(done, ClubDeed):
                self.lines.append(done.line)
                if done.line.fate is not Fate.UNCHANGED:
                    self.deeds.append(done)
            else:
                self.lines.append(done)
        progress("check", len(sheet.rows), len(sheet.rows))

    def _line(self, row: Row) -> ClubDeed | Line:
        said = understand(row, self.today)
        name, number = said.text("name"), said.text("number")
        slips = list(said.slips)
        if not slips and name is None:
            slips.append(Slip("no_name", "name"))
        club = None if slips else self._known(name or "", number)
        if isinstance(club, Slip):
            slips.append(club)
        shown = name or row.cells.get("name", "")
        if slips or isinstance(club, Slip):
            return Line(row.number, shown, Fate.REFUSED, slips=tuple(slips))
        keys: list[object] = [folded(name or ""), *([("n", number)] if number else [])]
        keys += [] if club is None else [club.id]
        earlier = next((self._seen[key] for key in keys if key in self._seen), None)
        if earlier is not None:
            slip = Slip("twice", "name", shown, str(earlier))
            return Line(row.number, shown, Fate.REFUSED, slips=(slip,))
        self._seen.update(dict.fromkeys(keys, row.number))
        return self._deed(row.number, club, {k: v for k, v in said.values.items() if k in _FIELDS})

    def _known(self, name: str, number: str | None) -> ClubRow | Slip | None:
        """The club of a line; a number and a name of two different clubs are a slip."""
        by_name = self.clubs.named.get(folded(name))
        by_number = None if number is None else self.clubs.numbered.get(number)
        if by_number is not None and by_name is not None and by_name.id != by_number.id:
            return Slip("two_clubs", "name", name, by_number.name)
        if by_number is None and by_name is not None and by_name.number and number:
            return Slip("other_number", "number", number, by_name.number)
        return by_number or by_name

    def _deed(self, line: int, club: ClubRow | None, stated: dict[str, Value]) -> ClubDeed:
        before: dict[str, str | None] = dict.fromkeys(_FIELDS)
        if club is not None:
            before = {"number": club.number, "name": club.name, "district": club.district}
        facts = dict(before)
        for key, value in stated.items():
            facts[key] = value if isinstance(value, str) else None
        if club is not None and line_text(club.name) == facts["name"]:
            facts["name"] = club.name
        district = facts["district"]
        if district is not None:
            facts["district"] = self._districts.setdefault(folded(district), district)
        changes = tuple(
            Change(key, before[key], facts[key]) for key in _FIELDS if before[key] != facts[key]
        )
        fate = Fate.ADDED if club is None else Fate.CHANGED if changes else Fate.UNCHANGED
        return ClubDeed(Line(line, facts["name"] or "", fate, changes), club, facts)


async def write(conn: AsyncConnection, deeds: Sequence[ClubDeed], clubs: Clubs) -> None:
    """Write what lines do, new main districts first."""
    named = dict(clubs.districts)
    wanted = [deed.facts["district"] for deed in deeds]
    fresh = sorted({name for name in wanted if name is not None} - named.keys())
    named |= await writes.add_districts(conn, fresh)

    def values(facts: dict[str, str | None], prefix: str) -> dict[str, object]:
        district = facts["district"]
        return {
            f"{prefix}number": facts["number"],
            f"{prefix}name": facts["name"],
            f"{prefix}district_id": None if district is None else named[district],
        }

    await writes.add_clubs(conn, [values(d.facts, "") for d in deeds if d.club is None])
    changed = [{"key": d.club.id} | values(d.facts, "new_") for d in deeds if d.club is not None]
    await writes.change_clubs(conn, changed)
