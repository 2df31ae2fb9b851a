"""The register as CSV: what ``import`` reads, so that re-importing an export changes nothing.

UTF-8 with BOM and «;», as Danish spreadsheets read it; no cell is a formula. Personal data: for
the controller and the administrator. Not for reports.
"""

import csv
import io
from collections.abc import Iterable, Mapping

from kskak.values.spreadsheet import guarded
from server.store.engine.connection import AsyncConnection
from server.store.register import members as rows
from server.store.register.members import MemberRow, RatingKind, RatingRow
from server.usecases.core.context import Core
from server.usecases.register.columns import BY_WHAT
from server.usecases.register.csv_table import Aliases
from server.usecases.register.facts import RATED, facts_of
from server.usecases.register.reading import Value
from server.usecases.register.report import What

_WORDS: Mapping[str, Mapping[Value, str]] = {
    "kind": {"club": "klub", "individual": "enkelt", "none": "ingen"},
    "citizen": {True: "ja", False: "nej"},
    "k_status": {True: "midlertidig", False: "endelig"},
    "status": {True: "midlertidig", False: "endelig"},
    "rating_kind": {RatingKind.K.value: "K", RatingKind.OTB.value: "OTB"},
}


async def export(core: Core, what: What) -> bytes:
    """A whole register as a file."""
    async with core.store.read() as conn:
        match what:
            case What.CLUBS:
                lines = await _clubs(conn)
            case What.MEMBERS:
                lines = await _members(conn)
            case What.RATINGS:
                lines = await _ratings(conn)
    return _csv(BY_WHAT[what], lines)


async def _clubs(conn: AsyncConnection) -> list[dict[str, Value]]:
    found = await rows.all_clubs(conn)
    return [{"number": c.number, "name": c.name, "district": c.district} for c in found]


async def _members(conn: AsyncConnection) -> list[dict[str, Value]]:
    latest = {(row.person_id, row.kind): row for row in await rows.latest_ratings(conn)}
    return [_member(row, latest) for row in await rows.registered(conn)]


def _member(row: MemberRow, latest: Mapping[tuple[int, str], RatingRow]) -> dict[str, Value]:
    values = facts_of(row)
    for kind, (value, status, day, source) in RATED.items():
        rating = latest.get((row.id, kind.value))
        if rating is not None:
            values |= {value: rating.value, day: rating.on_day, source: rating.source}
            values |= {status: rating.is_provisional} if status else {}
    return values


async def _ratings(conn: AsyncConnection) -> list[dict[str, Value]]:
    """The history of everybody whom a file can identify: by number, or by birth date."""
    people = {row.id: row for row in await rows.everybody(conn)}
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
        for row in await rows.all_ratings(conn)
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
    return guarded(_WORDS.get(name, {}).get(value, str(value)).strip())
