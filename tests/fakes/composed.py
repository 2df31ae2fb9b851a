"""A queued letter as its reader's mail program would show it. Not for sending it."""

import email
from email import policy
from email.message import EmailMessage

from server.store.mail.outbox import OutboxRow
from server.usecases.core.context import Core
from server.usecases.letters.write_letter import write_letter


async def composed(core: Core, row: OutboxRow) -> EmailMessage:
    """The mail that a row of the outbox becomes."""
    return email.message_from_bytes((await write_letter(core, row)).raw, policy=policy.default)
