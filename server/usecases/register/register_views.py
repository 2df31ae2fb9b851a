"""Who sees what of the register: the list, one member, clubs (REGULATION, "Personal data").

Controller and administrator see and change all. Leaders see the list, and address and birth
date of the players of the groups that they lead and do not play in. The player sees his own.
Nobody else sees anything here.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from kskak.values import guard_formula
from server.store import members as member_rows
from server.store.engine.connection import AsyncConnection
from server.store.members import ClubRow, MemberChangeRow, MemberRow, RatingKind, RatingRow
from server.store.play.people import PersonRow
from server.usecases.cases.sanctions import person_record
from server.usecases.context import Core, pages_of
from server.usecases.register.csv_table import BY_WHAT, Aliases, RegisterKind, Value
from server.usecases.register.member_facts import RATED, read_member_facts
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights_in

PAGE = 50
"""Members on a page of the list."""


def may_change(rights: Rights) -> bool:
    """Whether these rights allow changing, importing and exporting the register."""
    return rights.is_kc or rights.is_admin


def may_read(rights: Rights) -> bool:
    """Whether these rights allow looking somebody up."""
    return may_change(rights) or rights.leads_all or bool(rights.led)


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

    ``ratings``: all of them, computed ones too; ``told``: those that people entered.
    """

    row: MemberRow
    ratings: tuple[RatingRow, ...]
    told: tuple[RatingRow, ...]
    changes: tuple[MemberChangeRow, ...]
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
        if not may_read(held):
            raise NotAllowed
        count, found = await member_rows.search(conn, text, (max(page, 1) - 1) * PAGE, PAGE)
        ids = [row.id for row in found]
        contact = frozenset(ids)
        if not may_change(held):
            groups = None if held.leads_all else sorted(held.led - held.barred)
            contact = await member_rows.find_seated_people(conn, ids, groups)
    return MemberListView(text, max(page, 1), count, found, contact, may_change(held))


async def member_view(core: Core, viewer: PersonRow, person_id: int) -> MemberView:
    """One person's data: for the register's officials, the person, and who sits on the Board while
    the person is a party in one of its cases. Raises NotAllowed for all others, NoSuch.
    """
    held = await core.store.query(rights_in, viewer, core.now_us)
    is_own = viewer.id == person_id
    if not (is_own or may_read(held)) and await person_record(core, viewer, person_id) is None:
        raise NotAllowed
    async with core.store.read() as conn:
        row = await member_rows.find_member(conn, person_id)
        if row is None:
            raise NoSuch("member")
        sees = is_own or may_change(held)
        if not sees:
            groups = None if held.leads_all else sorted(held.led - held.barred)
            sees = bool(await member_rows.find_seated_people(conn, [person_id], groups))
        ratings, told = await member_rows.ratings_of(conn, person_id)
        is_full = is_own or may_change(held)
        changes = await member_rows.changes_of(conn, person_id) if is_full else ()
    return MemberView(row, ratings, told, changes, sees, may_change(held), is_own)


async def club_list(core: Core, viewer: PersonRow) -> tuple[tuple[ClubRow, int], ...]:
    """The clubs by name, each with how many members it has. Raises NotAllowed."""
    async with core.store.read() as conn:
        if not may_read(await rights_in(conn, viewer, core.now_us)):
            raise NotAllowed
        counts = await member_rows.member_counts(conn)
        return tuple((c, counts.get(c.id, 0)) for c in await member_rows.all_clubs(conn))


async def require_change_rights(core: Core, viewer: PersonRow) -> Rights:
    """The viewer's rights, if they allow changing the register. Raises NotAllowed if not."""
    held = await core.store.query(rights_in, viewer, core.now_us)
    if not may_change(held):
        raise NotAllowed
    return held


# The register as CSV: what ``import`` reads, so that re-importing an export changes nothing.

_WORDS: Mapping[str, Mapping[Value, str]] = {
    "kind": {"club": "klub", "individual": "enkelt", "none": "ingen"},
    "citizen": {True: "ja", False: "nej"},
    "k_status": {True: "midlertidig", False: "endelig"},
    "status": {True: "midlertidig", False: "endelig"},
    "rating_kind": {RatingKind.K.value: "K", RatingKind.OTB.value: "OTB"},
}


async def export(core: Core, what: RegisterKind) -> bytes:
    """A whole register as a file."""
    async with core.store.read() as conn:
        match what:
            case RegisterKind.CLUBS:
                lines: list[dict[str, Value]] = [
                    asdict(c) for c in await member_rows.all_clubs(conn)
                ]
            case RegisterKind.MEMBERS:
                lines = await _members(conn)
            case RegisterKind.RATINGS:
                lines = await _ratings(conn)
    return _csv(BY_WHAT[what], lines)


async def _members(conn: AsyncConnection) -> list[dict[str, Value]]:
    latest = {(row.person_id, row.kind): row for row in await member_rows.latest_ratings(conn)}
    return [_member(row, latest) for row in await member_rows.list_members(conn)]


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
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([names[0] for names in columns.values()])
    for line in lines:
        writer.writerow([_cell(name, line.get(name)) for name in columns])
    return out.getvalue().encode("utf-8-sig")


def _cell(name: str, value: Value) -> str:
    if value is None:
        return ""
    return guard_formula(_WORDS.get(name, {}).get(value, str(value)).strip())
