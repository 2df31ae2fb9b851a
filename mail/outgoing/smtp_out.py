"""Sending: one mail to one recipient over a kept-open connection to the smarthost (``[mail.out]``).

Reports the outcome and never raises for a fault of a server or a network; whether and when to
try again is up to the outbox. NOT for writing mails.
"""

import asyncio
import base64
import logging
from dataclasses import dataclass
from typing import Literal

import aiosmtplib
import dkim
from aiosmtplib.protocol import normalize_message_line_endings
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from mail.outgoing.envelope import is_plain_address

# DKIM (RFC 6376): letters signed with the domain's own key, where no relay signs them (ADR 143).

_log = logging.getLogger(__name__)

_BITS = 2048
"""What every receiver checks; some refuse less, and Ed25519 few know."""
_ALSO = b"list-unsubscribe-post"
"""RFC 8058 wants it signed; the library does not do so by itself."""


class UnusableKey(Exception):
    """This is no RSA key of 1024 bits or more, in PEM form and without a password."""


def new_key() -> bytes:
    """A fresh private key in PEM form."""
    return rsa.generate_private_key(65537, _BITS).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def record(key: bytes) -> str:
    """What stands in the DNS for receivers: the TXT record's value. Raises UnusableKey."""
    public = _read(key).public_key()
    der = public.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return f"v=DKIM1; k=rsa; p={base64.b64encode(der).decode('ascii')}"


def _read(key: bytes) -> rsa.RSAPrivateKey:
    try:
        found = serialization.load_pem_private_key(key, None)
    except (ValueError, TypeError) as error:
        raise UnusableKey from error
    if not isinstance(found, rsa.RSAPrivateKey) or found.key_size < 1024:
        raise UnusableKey
    return found


class Signer:
    """Signs letters of one domain with one key."""

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        """``selector``: under which name the DNS has the key. Raises UnusableKey."""
        self._domain, self._selector = domain.encode("ascii"), selector.encode("ascii")
        self._key = _read(key).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )

    def signed(self, letter: bytes) -> bytes:
        """The letter, CRLF line ends, with its signature on top; takes about 7 ms.

        One that can't be signed goes as it is: better a letter without a signature than none.
        """
        try:
            signing = dkim.DKIM(letter)
            made: bytes = signing.sign(
                self._selector,
                self._domain,
                self._key,
                canonicalize=(b"relaxed", b"relaxed"),
                include_headers=[*signing.default_sign_headers(), _ALSO],
            )
        except (dkim.DKIMException, ValueError):
            _log.exception("a letter goes out without a signature")
            return letter
        return made + letter


# Sending: one mail to one recipient over a kept-open connection to the smarthost (``[mail.out]``).

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
                return TryLater(f"{type(error).__name__}: {error}"[:200])


def _classify_refusal(code: int, message: str) -> TryLater | MailRefused:
    """5xx is permanent, everything else temporary (RFC 5321 4.2.1)."""
    is_final = 500 <= code <= 599 and code not in _OURS
    return (MailRefused if is_final else TryLater)(_to_single_line(code, message))


def _to_single_line(code: int, message: str) -> str:
    """A server's answer on one line, not too long."""
    return f"{code} {' '.join(message.split())}"[:200]
