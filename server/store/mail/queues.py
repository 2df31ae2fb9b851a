"""How much mail is waiting, since when, and how much is dead: for /readyz, /metrics, operators.

Not for handling mail (inbox.py, outbox.py).
"""

from dataclasses import dataclass

from sqlalchemy import Column, Table, and_, case, func, select

from server.store.engine.connection import AsyncConnection
from server.store.mail.inbox import InboxState
from server.store.mail.outbox import OutboxState
from server.store.tables.base import inbox, outbox


@dataclass(frozen=True, slots=True)
class Backlog:
    """A queue: rows waiting, when the oldest fell due, rows given up."""

    queue: str
    pending: int
    oldest_us: int | None
    dead: int


async def backlogs(conn: AsyncConnection) -> tuple[Backlog, ...]:
    """The incoming and the outgoing queue."""
    return (
        await _backlog(conn, inbox, InboxState.NEW, InboxState.SHUNTED),
        await _backlog(conn, outbox, OutboxState.QUEUED, OutboxState.DEAD),
    )


async def _backlog(conn: AsyncConnection, table: Table, waiting: str, dead: str) -> Backlog:
    state: Column[str] = table.c.state
    # A row put back by hand is due at 0, which says nothing about its age.
    is_due = and_(state == str(waiting), table.c.due_us > 0)
    oldest = func.min(case((is_due, table.c.due_us)))
    query = select(state, func.count(), oldest).where(state.in_([str(waiting), str(dead)]))
    rows = {row[0]: row for row in await conn.execute(query.group_by(state))}
    pending = rows.get(str(waiting), (None, 0, None))
    return Backlog(table.name, int(pending[1]), pending[2], int(rows.get(str(dead), (0, 0))[1]))
