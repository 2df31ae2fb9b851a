"""Whether any job has something to do, whoever made it: one statement, answered by indexes.

Each condition is that of the job's own claim, which decides. Not for claiming.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, exists, or_, select

from server.store.mail.inbox import InboxState
from server.store.mail.outbox import OutboxState
from server.store.tables.base import games, inbox, outbox
from server.store.tables.player import delayed_moves

_LETTERS = (OutboxState.QUEUED, OutboxState.HELD)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is due: mail that came, letters to send or to gather, what falls due in games."""

    mail: bool
    letters: bool
    due_work: bool


def _in_time(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(*conditions)


def look(conn: Connection, now_us: int) -> Waiting:
    """What is due now."""
    query = select(
        _in_time(inbox.c.state == InboxState.NEW.value, inbox.c.due_us <= now_us),
        or_(*(_in_time(outbox.c.state == s.value, outbox.c.due_us <= now_us) for s in _LETTERS)),
        or_(_in_time(games.c.wake_us <= now_us), _in_time(delayed_moves.c.wake_us <= now_us)),
    )
    return Waiting(*map(bool, conn.execute(query).one()))
