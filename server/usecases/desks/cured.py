"""Cases that closed by themselves: said on the desk for some days, then gone.

Not for what closes them (usecases/core/case_closing.py).
"""

from dataclasses import dataclass

from kskak.cases.events import CaseSettled
from server.store.cases import game_cases
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US
from server.usecases.core.case_record import readable_events

CURED_DAYS = 3


@dataclass(frozen=True, slots=True)
class Cured:
    """A case that closed by itself; ``why`` is a key of the catalogues."""

    case: CaseRow
    why: str


async def cured_in(
    conn: AsyncConnection, mine: frozenset[int] | None, now_us: int
) -> tuple[Cured, ...]:
    """The cases of these groups (None: of all) that closed by themselves in the last days."""
    found = await game_cases.settled_since(conn, mine, now_us - CURED_DAYS * DAY_US)
    events = ((case, event) for case, row in found for event in readable_events([row]))
    return tuple(
        Cured(case, event.note.removeprefix("@"))
        for case, event in events
        if isinstance(event, CaseSettled) and event.note.startswith("@")
    )
