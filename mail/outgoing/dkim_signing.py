"""DKIM (RFC 6376): letters signed with the domain's own key, where no relay signs them (ADR 143).

Loaded where there is such a key: what signs brings a DNS client and encryption, 12 MB of memory.
NOT for sending (smtp_out.py).
"""

import base64
import logging

import dkim
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

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
