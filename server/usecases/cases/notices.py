"""Who is notified of a step in a case: everybody it concerns except whoever took it.

Not for the letters' rows (core/case_record.py) nor for the steps (transaction.py).
"""

from sqlalchemy import Connection

from server.store.mail.outbox import NewOutbox
from server.usecases.cases.transaction import Done
from server.usecases.core.case_record import Notice, notices, officials_in
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.team_captains import captains_in


def notices_to_others(
    conn: Connection, poster: Poster, done: Done, notice: Notice
) -> tuple[NewOutbox, ...]:
    """To everybody the case concerns, their captains and its officials, except whoever did it."""
    case, concerned = done.case, sorted(done.state.may_appeal)
    officials = officials_in(conn, case, done.state, poster.now_us)
    captains = captains_in(conn, case.group_id, concerned, poster.now_us)
    told = [p for p in (*concerned, *officials, *captains) if p != notice.by]
    return notices(poster, case, notice, told)
