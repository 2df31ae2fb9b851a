"""What incoming mail needs from the server: a place to keep raw mail, and a way to refuse it.

NOT for outgoing mail.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RawMail:
    """A mail as it reached our SMTP dialogue.

    `mail_from` is '' for the null sender. `received_at`: aware UTC, when all data had arrived.
    `peer`: the relay's IP address. `raw`: the octets as received, dots unstuffed.
    """

    raw: bytes
    mail_from: str
    rcpt_to: tuple[str, ...]
    peer: str
    received_at: datetime
    smtputf8: bool = False


class Refuse(Exception):  # noqa: N818 - reads as the command it is
    """Raised by an inbox to refuse a mail with an SMTP code and text of its own."""

    def __init__(self, code: int, text: str) -> None:
        """`code`: 4xx to try again, 5xx for good. `text`: one line of ASCII."""
        super().__init__(f"{code} {text}")
        self.code = code
        self.text = text


class Inbox(Protocol):
    """Where raw mail goes. Implemented by the server."""

    async def accept(self, mail: RawMail) -> None:
        """Keep the mail durably; return only once it is kept. Raise Refuse to refuse it.

        Any other exception makes the sender's relay try again later. A mail may arrive twice.
        """

    async def deferred(self, mail: RawMail) -> None:
        """Best-effort notification that we deferred this mail.

        The day of sending counts from the first attempt that we deferred.
        """
