"""The columns of a file of final tables, and what their cells say.

Not for who a line is about (linking.py) nor for what is saved (tables_in.py).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kskak.archive.pgn_in import LONGEST_NAME
from kskak.entries.cup_rights import Stage
from kskak.entries.emt import EmtClass
from kskak.entries.iccf import Tournament
from kskak.values.names import is_line
from server.usecases.entries.past_results import MOST_ENTRIES, MOST_GAMES
from server.usecases.register import cells
from server.usecases.register.cells import BadCell
from server.usecases.register.columns import MEMBERS
from server.usecases.register.csv_table import Aliases, Row
from server.usecases.register.report import Slip

OTHER = "other"
COLUMNS: Aliases = {
    "event": ("Turnering", "Turneringsnavn", "Tournament", "Event"),
    "kind": ("Art", "Turneringstype", "Kind"),
    "wish": ("Klasse", "Runde", "Class", "Stage", "Round", "Klass", "Rond"),
    "finished": ("Afsluttet", "Slut", "Slutdato", "Finished", "End", "Avslutad"),
    "number": MEMBERS["number"],
    "name": MEMBERS["name"],
    "points": ("Point", "Points", "Score", "Poäng"),
    "games": ("Partier", "Antal partier", "Games"),
    "place": ("Plads", "Placering", "Place", "Rank", "Plats"),
    "entries": ("Tilmeldte", "Antal tilmeldte", "Entries", "Anmälda"),
    "semi_held": ("Semifinale spillet", "Semifinale", "Semi-final held", "Semifinal spelad"),
    "source": ("Kilde", "Source", "Källa"),
}
NEEDED = (("event",), ("wish",), ("finished",), ("number", "name"), ("points",), ("games",))
"""One field of each group must be present."""
_KINDS = {
    "emt": "emt",
    "mesterskab": "emt",
    "championship": "emt",
    "pokal": "cup",
    "pokalturnering": "cup",
    "cup": "cup",
    "iccf": "iccf",
    "international": "iccf",
    "andet": OTHER,
    "hold": OTHER,
    "holdturnering": OTHER,
    "tema": OTHER,
    "league": OTHER,
    "theme": OTHER,
    "other": OTHER,
}
_CLASSES = {one.value.casefold(): one.value for one in EmtClass} | {
    "mester": "M",
    "mesterklassen": "M",
    "kvalifikation": "K",
    "åben": "Å",
    "aa": "Å",
    "open": "Å",
}
_STAGES = {
    "semi": Stage.SEMIFINAL.value,
    "semifinale": Stage.SEMIFINAL.value,
    "semi-final": Stage.SEMIFINAL.value,
    "final": Stage.FINAL.value,
    "finale": Stage.FINAL.value,
}
_ICCF = {one.value.casefold(): one.value for one in Tournament} | {"andet": "other"}
_WISHES = {"emt": _CLASSES, "cup": _STAGES, "iccf": _ICCF}
_LONGEST_WISH = 16
_POINTS = re.compile(r"(\d{0,4})\s*(½|[.,]5|[.,]0|1/2)?")


@dataclass(frozen=True, slots=True)
class Told:
    """A line that was understood; ``halves`` are half points, ``finished`` an ISO day."""

    event: str
    kind: str
    wish: str
    finished: str
    number: str
    name: str
    halves: int
    games: int
    place: int | None
    entries: int
    semi_held: bool
    source: str


def understand(row: Row, today: str) -> Told | tuple[Slip, ...]:
    """What a line says, or everything that is wrong with it. ``today``: ISO."""
    if row.slip is not None:
        return (row.slip,)
    reader = _Cells(row.cells)
    halves, games = reader.halves(), reader.whole("games", MOST_GAMES)
    kind, wish = reader.kind_and_wish()
    told = Told(
        event=reader.text("event"),
        kind=kind,
        wish=wish,
        finished=reader.day(today),
        number=reader.number(),
        name=reader.text("name", is_needed=False),
        halves=halves,
        games=games or 0,
        place=reader.whole("place", MOST_GAMES, is_needed=False),
        entries=reader.whole("entries", MOST_ENTRIES, is_needed=False) or 0,
        semi_held=reader.is_semi_held(),
        source=reader.text("source", is_needed=False, longest=300),
    )
    if not told.number and not told.name:
        reader.slips.append(Slip("no_player", "name"))
    if not reader.slips and not (told.games and halves <= 2 * told.games):
        reader.slips.append(Slip("score", "points", row.cells.get("points", ""), str(told.games)))
    return tuple(reader.slips) or told


class _Cells:
    """A line's cells, with a slip for each that can't be used."""

    def __init__(self, named: Mapping[str, str]) -> None:
        self._cells = named
        self.slips: list[Slip] = []

    def text(self, name: str, *, is_needed: bool = True, longest: int = LONGEST_NAME) -> str:
        text = self._cells.get(name, "")
        if (is_needed and not text) or len(text) > longest or not is_line(text):
            code = "cell_missing" if not text else "not_one_line"
            self.slips.append(Slip(code, name, text[:40], str(longest)))
        return cells.line_text(text)

    def number(self) -> str:
        text = self._cells.get("number", "")
        try:
            return cells.number(text) if text else ""
        except BadCell as fault:
            self.slips.append(fault.slip("number", text))
            return ""

    def day(self, today: str) -> str:
        text = self._cells.get("finished", "")
        try:
            made = cells.day(text)
        except BadCell as fault:
            self.slips.append(fault.slip("finished", text))
            return today
        if made > today:
            self.slips.append(Slip("in_future", "finished", text))
        return made

    def halves(self) -> int:
        text = self._cells.get("points", "")
        found = _POINTS.fullmatch(text) if text else None
        if found is None:
            self.slips.append(Slip("points", "points", text))
            return 0
        return 2 * int(found[1] or 0) + ((found[2] or "")[-1:] in {"½", "5", "2"})

    def whole(self, name: str, most: int, *, is_needed: bool = True) -> int | None:
        text = self._cells.get(name, "").rstrip(".")
        if not text and not is_needed:
            return None
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:7]) <= most):
            self.slips.append(Slip("whole", name, text, str(most)))
            return None
        return int(text)

    def is_semi_held(self) -> bool:
        text = self._cells.get("semi_held", "")
        try:
            return cells.yes_no(text) if text else True
        except BadCell as fault:
            self.slips.append(fault.slip("semi_held", text))
            return True

    def kind_and_wish(self) -> tuple[str, str]:
        """The kind and the wish; a missing kind is inferred from the class or round, else OTHER."""
        told, text = self._cells.get("kind", "").casefold(), self._cells.get("wish", "")
        word = text.casefold()
        if told and told not in _KINDS:
            self.slips.append(Slip("kind", "kind", told, "EMT, pokal, ICCF, andet"))
            return OTHER, ""
        kind = _KINDS[told] if told else _kind_of(word)
        if kind == OTHER:
            if len(text) > _LONGEST_WISH or not is_line(text):
                self.slips.append(Slip("not_one_line", "wish", text[:40], str(_LONGEST_WISH)))
            return kind, text
        known = _WISHES[kind]
        if word not in known:
            values = ", ".join(dict.fromkeys(known.values()))
            self.slips.append(Slip("wish", "wish", text, values))
        return kind, known.get(word, "")


def _kind_of(word: str) -> str:
    return next((kind for kind in ("emt", "cup") if word in _WISHES[kind]), OTHER)
