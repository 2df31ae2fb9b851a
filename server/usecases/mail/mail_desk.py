"""The officials' view of the mail: held mails, mails set aside, letters that were never sent.

Nothing is lost: each can be tried again or put away, and stays in the table. Not for players,
who are answered by mail.
"""

from dataclasses import dataclass
from enum import StrEnum

from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxMark, InboxRow, InboxState
from server.store.mail.outbox import OutboxRow, OutboxState
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.mail.sort_mail import Why

MOST = 200


class Act(StrEnum):
    """What may be done with a mail or letter."""

    AGAIN = "again"
    PUT_AWAY = "put_away"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class MailDesk:
    """What awaits an official or an operator, newest first; mails of strangers after all others."""

    held: tuple[InboxRow, ...]
    shunted: tuple[InboxRow, ...]
    dead: tuple[OutboxRow, ...]


async def mail_desk(core: Core) -> MailDesk:
    """Everything that awaits attention."""
    async with core.store.read() as conn:
        return MailDesk(
            held=await inbox_rows.in_state(conn, InboxState.HELD, MOST, least=Why.UNREGISTERED),
            shunted=await inbox_rows.in_state(conn, InboxState.SHUNTED, MOST),
            dead=await outbox_rows.newest(conn, MOST, OutboxState.DEAD),
        )


async def act(core: Core, official: PersonRow, row_id: int, what: Act) -> bool:
    """Do one thing with one row; False when somebody was first. A mail's row records who did it."""
    async with core.store.write() as conn:
        if what is Act.SEND:
            return await outbox_rows.requeue(conn, row_id, core.now_us)
        state = InboxState.NEW if what is Act.AGAIN else InboxState.DONE
        mark = InboxMark(row_id, state, what.value, f"{what.value} by {official.name}")
        return await inbox_rows.decide_held(conn, mark)
