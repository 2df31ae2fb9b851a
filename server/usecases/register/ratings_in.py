"""Ratings from a file: the history of members, one per day and kind (§ 4.5, § 6.4.4).

Not for computing ratings (kskak) nor for new members.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.store.engine.connection import AsyncConnection
from server.store.register import writing as writes
from server.store.register.members import MemberRow, RatingKind
from server.usecases.register.csv_table import Row, Sheet
from server.usecases.register.facts import RATED, Rated, rated
from server.usecases.register.known import Asked, People, Ratings
from server.usecases.register.members_in import change_of
from server.usecases.register.reading import Understood, Value, understand
from server.usecases.register.report import Doer, Fate, Line, Progress, Slip

_NEEDED = ("rating_kind", "value", "date")
STEP = 1000


@dataclass(frozen=True, slots=True)
class RatingDeed:
    """A rating of a line, and whose it is."""

    line: Line
    person_id: int
    rating: Rated | None


@dataclass(slots=True)
class RatingPlanner:
    """Plans one file's lines in turn."""

    people: People
    ratings: Ratings
    today: str
    doer: Doer
    lines: list[Line] = field(default_factory=list)
    deeds: list[RatingDeed] = field(default_factory=list)
    _seen: dict[tuple[int, Value, Value], int] = field(default_factory=dict)

    def plan(self, sheet: Sheet, progress: Progress) -> None:
        """What the whole file would do, in ``lines`` and ``deeds``."""
        for count, row in enumerate(sheet.rows, 1):
            done = self._line(row)
            self.lines.append(done.line if isinstance(done, RatingDeed) else done)
            if isinstance(done, RatingDeed) and done.rating is not None:
                self.deeds.append(done)
            if count % STEP == 0 or count == len(sheet.rows):
                progress("check", count, len(sheet.rows))

    def _line(self, row: Row) -> RatingDeed | Line:
        said = understand(row, self.today)
        name = said.text("name") or row.cells.get("name", "")
        number = said.text("number")
        shown = name or number or ""
        slips = list(said.slips) or [
            Slip("cell_missing", need) for need in _NEEDED if need not in said.values
        ]
        person = None if slips else self._person(said, name, number)
        if isinstance(person, Slip):
            slips.append(person)
        if slips or person is None or isinstance(person, Slip):
            return Line(row.number, shown, Fate.REFUSED, slips=tuple(slips))
        return self._deed(said, person)

    def _person(self, said: Understood, name: str, number: str | None) -> MemberRow | Slip:
        found = self.people.recognise(Asked(number, name, said.text("birth")))
        if found is not None:
            return found
        return Slip("unknown_member", "number" if number else "name", number or name)

    def _deed(self, said: Understood, person: MemberRow) -> RatingDeed | Line:
        kind = RatingKind(str(said.values["rating_kind"]))
        key = (person.id, kind, said.values["date"])
        earlier = self._seen.setdefault(key, said.number)
        if earlier != said.number:
            slips = (Slip("twice", "date", person.name, str(earlier)),)
            return Line(said.number, person.name, Fate.REFUSED, slips=slips)
        if kind is RatingKind.OTB and said.values.get("status"):
            slips = (Slip("otb_is_final", "status"),)
            return Line(said.number, person.name, Fate.REFUSED, slips=slips)
        value, status, day, source = RATED[kind]
        given = {value: "value", status: "status", day: "date", source: "source"}
        stated = {to: said.values[name] for to, name in given.items() if name in said.values}
        brought = rated(
            (person.id, person.birth), kind, stated, self.ratings, self.today, self.doer.reason
        )
        if isinstance(brought, Slip):
            return Line(said.number, person.name, Fate.REFUSED, slips=(brought,))
        if brought is None:
            return RatingDeed(Line(said.number, person.name, Fate.UNCHANGED), person.id, None)
        is_known = (person.id, kind.value, brought.day) in self.ratings.dated
        fate = Fate.CHANGED if is_known else Fate.ADDED
        line = Line(said.number, person.name, fate, brought.changes)
        return RatingDeed(line, person.id, brought)


async def write(
    conn: AsyncConnection, deeds: Sequence[RatingDeed], doer: Doer, now_us: int
) -> None:
    """Write the ratings, and what lists print of them; a corrected one is recorded."""
    rows = [
        writes.RatingPut(
            deed.person_id, r.kind.value, r.day, r.value, r.is_provisional, r.source, now_us,
            doer.person_id,
        )
        for deed in deeds
        if (r := deed.rating) is not None
    ]  # fmt: skip
    await writes.put_ratings(conn, rows)
    corrected = [deed for deed in deeds if deed.line.fate is Fate.CHANGED]
    await writes.put_changes(
        conn, [change_of(d.person_id, d.line.changes, doer, now_us) for d in corrected]
    )
