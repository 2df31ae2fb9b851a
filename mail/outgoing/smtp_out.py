"""Sending: one mail to one recipient over a kept-open connection to the smarthost (``[mail.out]``).

Reports the outcome and never raises for a fault of a server or a network; whether and when to
try again is up to the outbox. NOT for writing mails.
"""

import asyncio
import ssl
from dataclasses import dataclass
from typing import Literal

import aiosmtplib
from aiosmtplib.protocol import normalize_message_line_endings

from mail.outgoing.envelope import is_plain_address

TIMEOUT = 60.0
"""Seconds that each step of the dialogue may take, but for the last."""
_IDLE = 60.0
"""Seconds unused after which an open connection is checked before it is used again."""
_AT_END = 10
"""How many times as long it may take to answer a whole mail (RFC 5321 4.5.3.2.6): who is not waited
for has the letter all the same, and gets it again."""
_OURS = {503, 530, 534, 535, 538}
"""A dialogue out of order, no login, no encryption: whoever was written to is not refused."""


@dataclass(frozen=True, slots=True)
class Smarthost:
    """Where outgoing mail is handed over. ``user`` '' means no login."""

    host: str
    port: int = 25
    tls: Literal["none", "starttls", "tls"] = "none"
    user: str = ""
    password: str = ""
    helo: str | None = None


@dataclass(frozen=True, slots=True)
class MailAccepted:
    """The server accepted the mail; ``answer`` is its reply."""

    answer: str


@dataclass(frozen=True, slots=True)
class TryLater:
    """Not accepted now, but may be later."""

    reason: str


@dataclass(frozen=True, slots=True)
class MailRefused:
    """Not accepted, and retrying it unchanged is useless."""

    reason: str


Outcome = MailAccepted | TryLater | MailRefused


class SmtpConnection:
    """One connection, for one mail after another. Not for two tasks at once: one per worker."""

    def __init__(self, host: Smarthost, timeout: float = TIMEOUT) -> None:
        """``timeout``: seconds for each step."""
        self._host = host
        self._timeout = timeout
        self._client: aiosmtplib.SMTP | None = None
        self._used = 0.0

    async def send(self, octets: bytes, sender: str, recipient: str) -> Outcome:
        """Hand over one mail. ``sender`` is the return path, '' for none.

        An address that is not plain is refused here: the library would repair it and send.
        """
        for address in (sender, recipient):
            if not is_plain_address(address) and (address or address is recipient):
                return MailRefused(f"not an address: {address!a:.80}")
        try:
            client = await self._connected()
            is_ascii = (sender + recipient).isascii()
            if not is_ascii and not client.supports_extension("smtputf8"):
                return MailRefused("the mail server takes no address outside ASCII")
            options = [] if is_ascii else ["SMTPUTF8", "BODY=8BITMIME"]
            if client.supports_extension("size"):
                options.append(f"SIZE={len(normalize_message_line_endings(octets))}")
            await client.mail(sender, options=options, encoding="utf-8")
            await client.rcpt(recipient, encoding="utf-8")
            answer = await client.data(octets, timeout=self._timeout * _AT_END)
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            return self._failed(error)
        except BaseException:  # what follows must not go to this letter's recipient
            self._drop()
            raise
        self._used = asyncio.get_running_loop().time()
        return MailAccepted(answer.message)

    async def reach(self, patience_s: float) -> str:
        """Open the connection, if it is not; why it can't be opened.

        "" when it is open, or the server takes longer than ``patience_s`` to answer.
        """
        try:
            async with asyncio.timeout(patience_s):
                await self._connected()
        except asyncio.CancelledError:
            self._drop()
            raise
        except TimeoutError:
            self._drop()
        except Exception as error:
            return self._failed(error).reason
        return ""

    async def close(self) -> None:
        """Close the connection with QUIT, if it is open."""
        client, self._client = self._client, None
        if client is not None and client.is_connected:
            try:
                await client.quit()
            except (aiosmtplib.SMTPException, OSError):
                client.close()

    async def _connected(self) -> aiosmtplib.SMTP:
        """The open connection if it is still alive, else a new one, logged in."""
        client = self._client
        if client is not None and client.is_connected and await self._lives(client):
            return client
        self._drop()
        host = self._host
        client = self._client = aiosmtplib.SMTP(  # ours to drop, too, if it does not get ready
            hostname=host.host,
            port=host.port,
            username=host.user or None,
            password=host.password or None,
            use_tls=host.tls == "tls",
            start_tls=host.tls == "starttls",
            local_hostname=host.helo,
            timeout=self._timeout,
        )
        await client.connect()
        if client.is_ehlo_or_helo_needed:  # what it takes has to be known before the first mail
            try:
                await client.ehlo()
            except aiosmtplib.SMTPHeloError:
                await client.helo()
        self._used = asyncio.get_running_loop().time()
        return client

    async def _lives(self, client: aiosmtplib.SMTP) -> bool:
        """Checked only after a pause, so that it costs a busy worker nothing."""
        if asyncio.get_running_loop().time() - self._used < _IDLE:
            return True
        try:
            await client.noop()
        except (aiosmtplib.SMTPException, OSError):
            return False
        return True

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _failed(self, error: Exception) -> TryLater | MailRefused:
        """What a failure means. The connection is not used again, whatever state it is in."""
        self._drop()
        match error:
            case aiosmtplib.SMTPAuthenticationError():
                return TryLater(f"login: {_to_single_line(error.code, error.message)}")
            case (
                aiosmtplib.SMTPHeloError()
                | aiosmtplib.SMTPConnectResponseError()
                | aiosmtplib.SMTPSenderRefused()
            ):  # about us, and not about a recipient
                return TryLater(_to_single_line(error.code, error.message))
            case aiosmtplib.SMTPResponseException():
                return _classify_refusal(error.code, error.message)
            case _:
                inner = error.__cause__ or error
                if isinstance(inner, ssl.SSLCertVerificationError):
                    return TryLater(f"the server's certificate: {inner.verify_message}"[:200])
                return TryLater(f"{type(error).__name__}: {error}"[:200])


def _classify_refusal(code: int, message: str) -> TryLater | MailRefused:
    """5xx is permanent, everything else temporary (RFC 5321 4.2.1)."""
    is_final = 500 <= code <= 599 and code not in _OURS
    return (MailRefused if is_final else TryLater)(_to_single_line(code, message))


def _to_single_line(code: int, message: str) -> str:
    """A server's answer on one line, not too long."""
    return f"{code} {' '.join(message.split())}"[:200]
