"""A signature that receivers accept, over everything that may not be changed on the way."""

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from mail.outgoing.dkim_signing import Signer, UnusableKey, new_key, record
from tests.fakes.machinery.each import each

KEY = new_key()
LETTER = (
    "From: K-skak <parti@spil.example.org>\r\n"
    "To: Bo =?utf-8?b?w5hzdGVyZ8OlcmQ=?= <bo@example.dk>\r\n"
    "Subject: Bo Bak: 11... Dc7\r\n"
    "Date: Mon, 23 Nov 2026 12:00:00 +0000\r\n"
    "Message-ID: <1@spil.example.org>\r\n"
    "List-Unsubscribe: <https://spil.example.org/settings>\r\n"
    "\r\n"
    ".a line that begins with a dot\r\n"
    "Sørensen og Łukasz\r\n"
).encode()
SIGNER = Signer("spil.example.org", "kskak", KEY)


def verified(letter: bytes) -> bool:
    def published(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"kskak._domainkey.spil.example.org."
        return record(KEY).encode()

    return bool(dkim.verify(letter, dnsfunc=published))


def test_a_signed_letter_is_verified_with_the_published_record() -> None:
    signed = SIGNER.signed(LETTER)
    assert signed.endswith(LETTER)
    assert verified(signed)
    assert not verified(LETTER)


@each(
    "was becomes",
    (b"Dc7\r\n", b"Dc8\r\n"),
    ("Sørensen".encode(), b"Sorensen"),
    (b"bo@example.dk", b"bu@example.dk"),
    (b"/settings>", b"/elsewhere>"),
    (b"Date:", b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nDate:"),
    (b"Date:", b"From: someone@else.example\r\nDate:"),
)
def test_what_is_changed_or_added_on_the_way_is_noticed(was: bytes, becomes: bytes) -> None:
    assert not verified(SIGNER.signed(LETTER).replace(was, becomes))


def test_a_letter_that_cannot_be_signed_goes_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    assert SIGNER.signed(b"To: bo@example.dk\r\n\r\nhej\r\n") == b"To: bo@example.dk\r\n\r\nhej\r\n"
    assert "without a signature" in caplog.text


def other_key() -> bytes:
    return ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


@pytest.mark.parametrize("key", [b"", b"no key", other_key(), KEY[:-60]])
def test_what_is_no_rsa_key_is_refused(key: bytes) -> None:
    with pytest.raises(UnusableKey):
        Signer("spil.example.org", "kskak", key)
    with pytest.raises(UnusableKey):
        record(key)
