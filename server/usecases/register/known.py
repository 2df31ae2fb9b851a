"""The register's contents at an import, indexed for recognising whom a line is about.

A member is recognised by number; else by name and birth date; else, where the register has
neither number nor birth date yet, by name and address. Not for what the line changes.
"""

import difflib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from server.store.register.members import ClubRow, MemberRow, RatingRow
from server.usecases.register.cells import folded
from server.usecases.register.report import Slip

SIMILAR = 0.75
"""How alike two names for one number must be, when no birth date says it is one person."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a line says it is about. Texts as read, the birth date an ISO day."""

    number: str | None
    name: str
    birth: str | None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class People:
    """Everybody, found by number, name and birth date, or address."""

    by_number: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))
    by_birth: dict[tuple[str, str], list[MemberRow]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_email: dict[str, MemberRow] = field(default_factory=dict)

    @staticmethod
    def of(rows: Iterable[MemberRow]) -> "People":
        """Index everybody."""
        made = People()
        for row in rows:
            made.by_email[row.email] = row
            if row.number:
                made.by_number["".join(row.number.split())].append(row)
            if row.birth:
                made.by_birth[folded(row.name), row.birth].append(row)
        return made

    def recognise(self, asked: Asked) -> MemberRow | Slip | None:
        """Who it is; None: nobody yet. A slip when that is not certain."""
        if asked.number is not None and (found := self.by_number.get(asked.number)):
            if len(found) > 1:
                return Slip("ambiguous", "number", asked.number, _names(found))
            return _same(found[0], asked)
        if asked.birth is not None and asked.name:
            found = self.by_birth.get((folded(asked.name), asked.birth), [])
            if len(found) > 1:
                return Slip("ambiguous", "name", asked.name, _names(found))
            if found:
                return _numbered(found[0], asked)
        return self._by_address(asked)

    def _by_address(self, asked: Asked) -> MemberRow | Slip | None:
        known = None if asked.email is None else self.by_email.get(asked.email)
        is_bare = known is not None and not known.number and not known.birth
        if known is not None and is_bare and folded(known.name) == folded(asked.name):
            return known
        if asked.number is None and asked.birth is None:
            return Slip("unrecognisable", "name", asked.name)
        return None


def _names(found: Iterable[MemberRow]) -> str:
    return "; ".join(f"{row.name} ({row.number or '–'})" for row in found)


def _same(row: MemberRow, asked: Asked) -> MemberRow | Slip:
    """A number's owner, unless the line's name and birth date are another's."""
    if not asked.name or folded(asked.name) == folded(row.name):
        return row
    number = asked.number or ""
    if asked.birth is not None and row.birth is not None:
        is_same = asked.birth == row.birth
        return row if is_same else Slip("other_birth", "number", number, row.name)
    match = difflib.SequenceMatcher(None, folded(asked.name), folded(row.name))
    if match.ratio() >= SIMILAR:
        return row
    return Slip("other_person", "number", number, row.name)


def _numbered(row: MemberRow, asked: Asked) -> MemberRow | Slip:
    """The person with this name and birth date, unless registered with another number."""
    if asked.number is None or not row.number or asked.number == "".join(row.number.split()):
        return row
    return Slip("other_number", "number", asked.number, row.number)


@dataclass(frozen=True, slots=True)
class Clubs:
    """The clubs, by number and by name; the main districts' ids by name."""

    rows: tuple[ClubRow, ...]
    districts: dict[str, int]
    named: dict[str, ClubRow]
    numbered: dict[str, ClubRow]
    folded_districts: dict[str, str]

    @staticmethod
    def of(rows: tuple[ClubRow, ...], districts: dict[str, int]) -> "Clubs":
        """Index the clubs."""
        return Clubs(
            rows,
            districts,
            {folded(row.name): row for row in rows},
            {row.number: row for row in rows if row.number},
            {folded(name): name for name in districts},
        )

    def find(self, text: str) -> ClubRow | Slip:
        """A club by its name or number; the slip names the nearest."""
        found = self.named.get(folded(text)) or self.numbered.get(text)
        if found is not None:
            return found
        near = difflib.get_close_matches(folded(text), self.named, 1, 0.6)
        return Slip("unknown_club", "club", text, self.named[near[0]].name if near else "")

    def district(self, text: str) -> str | Slip:
        """A main district's name as it is stored; the slip names the nearest."""
        found = self.folded_districts.get(folded(text))
        if found is not None:
            return found
        near = difflib.get_close_matches(folded(text), self.folded_districts, 1, 0.6)
        hint = self.folded_districts[near[0]] if near else ""
        return Slip("unknown_district", "district", text, hint)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings in force, and those of the days that a file concerns."""

    latest: dict[tuple[int, str], RatingRow]
    dated: dict[tuple[int, str, str], RatingRow]

    @staticmethod
    def of(latest: Iterable[RatingRow], dated: Iterable[RatingRow]) -> "Ratings":
        """Index the ratings."""
        newest = {(row.person_id, row.kind): row for row in latest}
        by_day = {(row.person_id, row.kind, row.on_day): row for row in (*dated, *newest.values())}
        return Ratings(newest, by_day)
