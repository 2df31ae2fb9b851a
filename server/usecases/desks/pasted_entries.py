"""Entries pasted as lines: whose each is and for which list, tried out, then taken (§ 6.4.4.1).

What is taken is entered as on the desk of entries. Not for payments (pasted_fees.py).
"""

import difflib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from kskak.entries.admission import EntryRefusal
from kskak.regulation.days import is_birth
from server.store.entries import lists as list_rows
from server.store.entries.lists import ListRow
from server.store.entries.of_players import EntryRow
from server.store.play.people import PersonRow
from server.store.register import members as register_rows
from server.store.register.members import MemberRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, rights_in
from server.usecases.desks.pasted import (
    Match,
    Note,
    PastedRow,
    Told,
    What,
    day_in,
    digest,
    read_pasted,
    shown,
)
from server.usecases.entries.entering import Asking, enter, try_out
from server.usecases.entries.judging import Stated
from server.usecases.register.cells import folded
from server.usecases.register.csv_table import Row, plain
from server.usecases.register.known import SIMILAR

_YES = frozenset({"ja", "j", "x", "yes", "y"})


@dataclass(slots=True)
class _Known:
    """Everybody, by what a line may name them by."""

    numbers: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))
    emails: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))

    @staticmethod
    def of(rows: Sequence[MemberRow]) -> "_Known":
        made = _Known()
        for row in rows:
            if row.number:
                made.numbers["".join(row.number.split())].append(row)
            made.emails[row.email.casefold()].append(row)
            made.names[folded(row.name)].append(row)
        return made

    def find(self, cells: Mapping[str, str]) -> tuple[MemberRow | None, Note | None]:
        """Whose line it is: by number, else address, else name; and what is to be known of it."""
        name = _turned(cells.get("name", ""))
        number = "".join(cells.get("number", "").split())
        email = cells.get("email", "").casefold()
        for found in (self.numbers.get(number, []), self.emails.get(email, [])):
            if len(found) == 1:
                is_his = not name or _is_like(name, found[0].name)
                return (found[0], None) if is_his else (None, Note.OTHER_NAME)
        alike = [row for row in self.names.get(folded(name), []) if _may_be(row, cells)]
        if len(alike) == 1:
            return alike[0], Note.BY_NAME
        return None, Note.SEVERAL if alike else Note.UNKNOWN


def _turned(name: str) -> str:
    """«Hansen, Ole» is Ole Hansen."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name


def _is_like(name: str, other: str) -> bool:
    ratio = difflib.SequenceMatcher(None, folded(name), folded(other)).ratio()
    return folded(name) == folded(other) or ratio >= SIMILAR


def _may_be(row: MemberRow, cells: Mapping[str, str]) -> bool:
    """Whether a birth date in the line contradicts the register's."""
    born = day_in(cells.get("birth", ""))
    return born is None or row.birth is None or row.birth == born.isoformat()


def _list_of(text: str, lists: Sequence[ListRow], otherwise: ListRow | None) -> ListRow | None:
    """The open list that a cell names: by its name, its groups' or its class; else the chosen."""
    if not text:
        return otherwise
    asked = plain(text)
    for names in (("name",), ("prefix",), ("wish", "tournament")):
        found = [row for row in lists if asked in {plain(str(getattr(row, n))) for n in names}]
        if len(found) == 1:
            return found[0]
    return None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as shown, with what would be entered; None: nothing can."""

    row: PastedRow
    asking: Asking | None = None


async def entries_shown(
    core: Core, by: PersonRow, text: str, list_id: int | None
) -> tuple[PastedRow, ...]:
    """What the lines would come to. Raises Unreadable, NotAllowed."""
    return tuple(line.row for line in await _lines(core, by, text, list_id))


async def _lines(core: Core, by: PersonRow, text: str, list_id: int | None) -> list[_Line]:
    async with core.store.read() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        known = _Known.of(await register_rows.everybody(conn))
        lists = await list_rows.everything(conn, only_open=True)
    chosen = next((row for row in lists if row.id == list_id), None)
    found, seen = list[_Line](), set[str]()
    for row in read_pasted(text, What.ENTRIES):
        of = _list_of(row.cells.get("list", ""), lists, chosen)
        line = await _line(core, by, row, known, of)
        keys = {match.key for match in line.row.matches}
        if keys & seen:
            line = _Line(PastedRow(row.number, shown(row.cells), notes=(Note.TWICE,)))
        seen |= keys
        found.append(line)
    return found


async def _line(core: Core, by: PersonRow, row: Row, known: _Known, of: ListRow | None) -> _Line:
    if row.slip is not None:
        return _Line(PastedRow(row.number, "", notes=(Note.CELLS,)))
    text = shown(row.cells)
    person, note = known.find(row.cells)
    notes = [] if note is None else [note]
    paid = _paid(row.cells.get("paid", ""), today_of(core))
    if isinstance(paid, Note):
        return _Line(PastedRow(row.number, text, notes=(*notes, paid)))
    if of is None:
        notes.append(Note.NO_LIST)
    if person is None or of is None:
        return _Line(PastedRow(row.number, text, notes=tuple(notes)))
    key = f"paste.{of.id}.{digest(row.cells)}"
    asking = Asking(of.id, _stated(core, row.cells, person), person.id, fee=paid, key=key)
    try:
        tried = await try_out(core, by, asking)
    except NotAllowed:
        return _Line(PastedRow(row.number, text, notes=(*notes, Note.OWN)))
    if isinstance(tried, EntryRow):
        return _Line(PastedRow(row.number, text, notes=(*notes, Note.DONE)))
    if isinstance(tried, EntryRefusal):
        return _Line(PastedRow(row.number, text, notes=tuple(notes), refusal=tried))
    match = Match(f"{person.id}.{of.id}", person.name, of.name, is_sure=True)
    return _Line(PastedRow(row.number, text, (match,), tuple(notes)), asking)


def _paid(text: str, today: date) -> date | Note | None:
    """The day the fee came; «ja» is today; None: it has not come."""
    if not text or text.casefold() in ("nej", "no"):
        return None
    day = today if text.casefold() in _YES else day_in(text)
    if day is None:
        return Note.BAD_DAY
    return day if day <= today else Note.FUTURE


def _stated(core: Core, cells: Mapping[str, str], person: MemberRow) -> Stated:
    """What the line says that the register does not."""
    born = day_in(cells.get("birth", ""))
    fits = born is not None and person.birth is None and is_birth(born, today_of(core))
    number = "".join(cells.get("number", "").split())
    is_new = not person.number and 0 < len(number) <= LONGEST_NUMBER
    return Stated(member=number if is_new else None, born=born if fits else None)


LONGEST_NUMBER = 40


async def take_entries(
    core: Core, by: PersonRow, text: str, list_id: int | None, ticked: Collection[str]
) -> tuple[Told, ...]:
    """Enter the ticked matches («line.person.list»), each by itself. Raises as entries_shown."""
    told, left = [], set(ticked)
    for line in await _lines(core, by, text, list_id):
        for match in line.row.matches:
            name = f"{line.row.number}.{match.key}"
            if name not in left or line.asking is None:
                continue
            left.discard(name)
            told.append(await _take(core, by, line.asking, line.row, match))
    gone = (int(name.partition(".")[0]) for name in left if name.partition(".")[0].isdigit())
    return (*told, *(Told(number, "", "", Note.STALE) for number in sorted(gone)))


async def _take(core: Core, by: PersonRow, asking: Asking, row: PastedRow, match: Match) -> Told:
    try:
        done = await enter(core, by, asking)
    except (NoSuch, NotAllowed):
        return Told(row.number, match.who, match.of, Note.STALE)
    refusal = done if isinstance(done, EntryRefusal) else None
    return Told(row.number, match.who, match.of, refusal=refusal)
