"""A case with an event that can't be read: what its officials are shown of it.

Its row, all its events as they are kept, and which can't be read. Not for mending it: what was
kept is another program's, or a backup's.
"""

from dataclasses import dataclass

from kskak.ledger.ledger_out import JsonObject, JsonValue
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseEventRow, CaseRow
from server.store.engine.types import from_us
from server.store.play.people import PersonRow
from server.usecases.cases.lists import is_on_desk, parties_in
from server.usecases.core.captains import team_of
from server.usecases.core.case_record import UnreadCase, events_in
from server.usecases.core.context import Core
from server.usecases.core.offices import rights_in


@dataclass(frozen=True, slots=True)
class UnreadCaseFile:
    """A case, its events as they are kept, and the numbers of those that can't be read."""

    case: CaseRow
    entries: tuple[CaseEventRow, ...]
    unread: tuple[int, ...]

    def as_json(self) -> JsonObject:
        """What the API answers in the case's place."""
        entries: list[JsonValue] = [
            {"seq": row.seq, "at": from_us(row.at_us).isoformat(), "text": row.body}
            for row in self.entries
        ]
        case = self.case
        said: JsonObject = {"id": case.id, "number": case.number, "unread": list(self.unread)}
        return said | {"group": case.group, "game": case.game, "entries": entries}


async def unread_case(
    core: Core, person: PersonRow | None, case_id: int
) -> tuple[bool, UnreadCaseFile | None]:
    """Whether a person may know of the case; and the case as it is kept, for its officials."""
    if person is None:
        return False, None
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            return False, None
        held = await rights_in(conn, person, core.now_us)
        team = await team_of(conn, person, held, case.group_id)
        rows = await case_rows.events_of(conn, case_id)
    if is_on_desk(held, case):
        return True, UnreadCaseFile(case, rows, tuple(r.seq for r in rows if _is_unread(r)))
    return bool(parties_in(case) & {person.id, *team}), None


def _is_unread(row: CaseEventRow) -> bool:
    try:
        events_in([row])
    except UnreadCase:
        return True
    return False
