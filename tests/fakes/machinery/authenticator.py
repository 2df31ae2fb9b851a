"""A passkey in software: makes keys and signs challenges as a browser and its authenticator do.

Not for what a real browser does beside it (tests/browser/account/test_passkeys.py).
"""

import hashlib
import json
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from secrets import token_bytes

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def _text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


def _octets(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One key on one site. ``counter`` is what the next use reports; 0 stays 0, as synced keys."""

    origin: str = "http://localhost:8080"
    site: str = "localhost"
    counter: int = 1
    flags: int = PRESENT | VERIFIED
    credential: bytes = field(default_factory=lambda: token_bytes(32))
    handle: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def _client(self, kind: str, challenge: str) -> bytes:
        said = {"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin}
        return json.dumps(said).encode()

    def _head(self, flags: int) -> bytes:
        site = hashlib.sha256(self.site.encode()).digest()
        return site + struct.pack(">BI", flags, self.counter)

    def _public(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        octets = [number.to_bytes(32, "big") for number in (numbers.x, numbers.y)]
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: octets[0], -3: octets[1]})

    def make(self, options: str) -> str:
        """Answer the options for a new passkey, as the page's script does."""
        given = json.loads(options)
        self.handle = _octets(given["user"]["id"])
        head = self._head(self.flags | ATTESTED)
        self.counter += 1 if self.counter else 0
        named = bytes(16) + struct.pack(">H", len(self.credential)) + self.credential
        made = {"fmt": "none", "attStmt": {}, "authData": head + named + self._public()}
        return self._answer(
            {
                "clientDataJSON": _text(self._client("create", given["challenge"])),
                "attestationObject": _text(cbor2.dumps(made)),
                "transports": ["internal", "carrier pigeon"],
            }
        )

    def use(self, options: str) -> str:
        """Answer the options for signing in; the counter goes on unless it is 0."""
        client = self._client("get", json.loads(options)["challenge"])
        head = self._head(self.flags)
        signed = self.key.sign(head + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        self.counter += 1 if self.counter else 0
        return self._answer(
            {
                "clientDataJSON": _text(client),
                "authenticatorData": _text(head),
                "signature": _text(signed),
                "userHandle": _text(self.handle),
            }
        )

    def _answer(self, response: dict[str, object]) -> str:
        name = _text(self.credential)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})
