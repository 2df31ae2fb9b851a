"""A queued letter as its reader's mail program would show it. Not for sending it."""

import email
from email import policy
from email.message import EmailMessage

from server.store.mail.outbox import OutboxRow
from server.usecases.context import Core
from server.usecases.letters import write_letters


async def composed(core: Core, row: OutboxRow) -> EmailMessage:
    """The mail that a row of the outbox becomes."""
    (made,) = await write_letters(core, [row])
    if isinstance(made, Exception):
        raise made
    return email.message_from_bytes(made.raw, policy=policy.default)
