"""An absent player who is heard from again without having moved (§ 6.8.1).

A mail that is certainly the player's, or a statement in a case, closes the cases about the absence.
If the leader has stopped time, only the leader restarts it. Not for moves, which close the case
themselves (core/case_closing.py).
"""

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, SettleCase
from kskak.cases.events import CaseKind
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.usecases.cases.transaction import Deed, Done, Step, carry_out
from server.usecases.core.case_closing import RETURNED, tell_returned
from server.usecases.core.context import Core, poster_of


async def heard_from(core: Core, person_id: int) -> int:
    """Close the open cases about a person's absence; returns how many. Safe to repeat.

    A case whose game the leader has suspended is in the leader's hands and stays open.
    """
    async with core.store.read() as conn:
        rows = await case_rows.open_about(conn, person_id, CaseKind.OFFLINE.value)
    return sum([await _close(core, row) for row in rows if not row.is_suspended])


async def _close(core: Core, row: CaseRow) -> bool:
    def follow(conn: Connection, done: Done) -> None:
        if done.events:
            tell_returned(conn, poster_of(core), done.case, done.state)

    step = Step(lambda _, __: SettleCase(RETURNED), SERVER)
    done = await carry_out(core, Deed(row.id, (step,), None, follow=follow))
    return isinstance(done, Done)
