"""A line's cells as values, or what is wrong with them.

Not for what the values change (members_in.py and its neighbours).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import is_birth
from kskak.values.names import is_line
from server.usecases.register import cells
from server.usecases.register.csv_table import Row
from server.usecases.register.report import Slip

Value = str | int | bool | None
"""What a cell says; None: the field is to be cleared."""

READERS: Mapping[str, Callable[[str], Value]] = {
    "number": cells.number,
    "name": cells.line_text,
    "email": cells.email,
    "birth": cells.day,
    "kind": cells.member_kind,
    "club": cells.line_text,
    "district": cells.line_text,
    "citizen": cells.yes_no,
    "since": cells.day,
    "until": cells.day,
    "lang": cells.lang,
    "k_rating": cells.rating,
    "k_status": cells.is_provisional,
    "k_date": cells.day,
    "k_source": cells.line_text,
    "rating": cells.rating,
    "rating_date": cells.day,
    "rating_source": cells.line_text,
    "rating_kind": cells.rating_kind,
    "value": cells.rating,
    "status": cells.is_provisional,
    "date": cells.day,
    "source": cells.line_text,
}
MOST_CHARS = 300
"""In a cell; more means a quotation mark that was never closed."""
_CLEARABLE = frozenset(
    {"number", "email", "birth", "club", "district", "citizen", "since", "until"}
)
_PAST = frozenset({"birth", "since", "k_date", "rating_date", "date"})


@dataclass(frozen=True, slots=True)
class Understood:
    """A line's filled cells as values, and what was not understood."""

    number: int
    values: Mapping[str, Value]
    slips: tuple[Slip, ...]

    def text(self, name: str) -> str | None:
        """A cell that holds a text; None when it is empty or to be emptied."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None


def understand(row: Row, today: str) -> Understood:
    """What a line says. ``today`` (ISO): past days lie on or before it."""
    if row.slip is not None:
        return Understood(row.number, {}, (row.slip,))
    values: dict[str, Value] = {}
    slips: list[Slip] = []
    for name, text in row.cells.items():
        if not text:
            continue
        if len(text) > MOST_CHARS or not is_line(text):
            slips.append(Slip("not_one_line", name, cells.line_text(text)[:40]))
            continue
        if text == cells.CLEAR:
            if name in _CLEARABLE:
                values[name] = None
            else:
                slips.append(Slip("not_clearable", name, text))
            continue
        try:
            values[name] = READERS[name](text)
        except cells.BadCell as fault:
            slips.append(fault.slip(name, text))
            continue
        if name in _PAST and str(values[name]) > today:
            slips.append(Slip("in_future", name, text))
    born = values.get("birth")
    if isinstance(born, str) and born <= today and not _was_alive(born, values.get("until"), today):
        slips.append(Slip("too_old", "birth", row.cells["birth"]))
    return Understood(row.number, values, tuple(slips))


def _was_alive(born: str, until: Value, today: str) -> bool:
    """Whether somebody born on an ISO day can have been a member until leaving, or be one today."""
    last = until if isinstance(until, str) and until >= born else today
    return is_birth(date.fromisoformat(born), date.fromisoformat(last))


def token(value: Value, name: str) -> str | None:
    """A value as recorded in a change; whoever displays it puts it into words."""
    if isinstance(value, bool):
        if name.endswith("status"):
            return "provisional" if value else "final"
        return "yes" if value else "no"
    return None if value is None else str(value)
