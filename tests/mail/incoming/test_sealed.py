"""What can't be opened, and what only looks so: signed data, encryption, armour, footers, names."""

from base64 import encodebytes

import pytest

from mail.incoming.mime import Defect
from mail.incoming.own_words import extract_own_words
from mail.incoming.parse_mail import parse
from tests.fakes.machinery.each import each, rows

HEAD = b"From: anna@example.dk\r\nTo: x@y.dk\r\nSubject: Re: e5\r\nMIME-Version: 1.0\r\n"
INNER = b"Content-Type: text/plain; charset=utf-8\r\n\r\n1. e4\r\n\r\nHilsen Anna\r\n"


def _der(kind: int, *inside: bytes) -> bytes:
    body = b"".join(inside)
    size = bytes([len(body)]) if len(body) < 128 else bytes([0x82]) + len(body).to_bytes(2, "big")
    return bytes([kind]) + size + body


def _oid(last: int) -> bytes:
    return bytes.fromhex("06092a864886f70d0107") + bytes([last])


def _cms(content: bytes) -> bytes:
    """Opaquely signed data (RFC 5652), its content as given; certificates and signers left out."""
    data = _der(0x30, _oid(1), _der(0xA0, content))
    signed = _der(0x30, b"\x02\x01\x01", _der(0x31), data, _der(0x31))
    return _der(0x30, _oid(2), _der(0xA0, signed))


def _sealed(data: bytes) -> bytes:
    kind = b'Content-Type: application/pkcs7-mime; name="smime.p7m"\r\n'
    return (
        HEAD
        + kind
        + b"Content-Transfer-Encoding: base64\r\n\r\n"
        + (encodebytes(data).replace(b"\n", b"\r\n"))
    )


def _words(raw: bytes) -> str:
    return extract_own_words(parse(raw).text)


IN_PARTS = b"\x24\x80" + _der(0x04, INNER[:20]) + _der(0x04, INNER[20:]) + b"\0\0"


@pytest.mark.parametrize("content", [_der(0x04, INNER), _der(0x24, _der(0x04, INNER)), IN_PARTS])
def test_the_text_inside_signed_data_is_read(content: bytes) -> None:
    mail = parse(_sealed(_cms(content)))
    assert extract_own_words(mail.text).startswith("1. e4")
    assert Defect.ENCRYPTED not in mail.defects


@each(
    "raw",
    [
        _sealed(_der(0x30, _oid(3), _der(0xA0, b"\x30\x03\x02\x01\x00"))),
        _sealed(b"\x30\x80\x06"), _sealed(_cms(b"")), _sealed(_cms(b"\x04\xff")),
        HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA5254\r\n-----END PGP MESSAGE-----\r\n",
        HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA5254\r\n",
    ],
)  # fmt: skip
def test_encrypted_text_is_none_and_is_known_as_such(raw: bytes) -> None:
    mail = parse(raw)
    assert (mail.text.strip(), Defect.ENCRYPTED in mail.defects) == ("", True)


@rows(
    "body",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n1. e4\n"
    "-----BEGIN PGP SIGNATURE-----\n\niQ52545754\n-----END PGP SIGNATURE-----\n",
    "1. e4\n\nbegin 644 skak.txt\n#0V%T\n`\nend\n",
    "1. e4\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ5254\n-----END PGP PUBLIC KEY BLOCK-----",
)
def test_armour_and_uuencode_are_no_message(body: str) -> None:
    assert _words(HEAD + b"\r\n" + body.replace("\n", "\r\n").encode()) == "1. e4"


PLAIN = b"Content-Type: text/plain; charset=utf-8"
RICH = b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>1. e4</p>"
FOOTER = PLAIN + b"\r\n\r\nThis mail was scanned by the gateway."


def _mixed(*parts: bytes) -> bytes:
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    return head + b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"


@pytest.mark.parametrize(
    "parts",
    [
        (RICH, FOOTER), (PLAIN + b'; name="besked.txt"\r\n\r\n1. e4', FOOTER),
        (PLAIN + b'\r\nContent-Disposition: inline; filename="a.txt"\r\n\r\n1. e4',),
        (PLAIN + b"\r\n\r\nHej Bo", PLAIN + b"\r\n\r\n1. e4"), (PLAIN + b"\r\n\r\n", RICH),
    ],
)  # fmt: skip
def test_all_that_is_shown_is_read_in_order(parts: tuple[bytes, ...]) -> None:
    assert "1. e4" in _words(_mixed(*parts)).split("\n")


def test_what_is_to_be_saved_is_not_read() -> None:
    saved = PLAIN + b'\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\n1. e4'
    assert "e4" not in _words(_mixed(PLAIN + b"\r\n\r\nHej", saved))


@pytest.mark.parametrize("name", ["unknown-8bit", "x-unknown", "UNKNOWN-8BIT"])
@pytest.mark.parametrize("octets", ["Løber e3".encode("cp1252"), "Løber e3".encode()])
def test_an_unknown_charset_of_8_bits_is_read_as_windows_writes_it(name, octets):
    kind = f"Content-Type: text/plain; charset={name}\r\n\r\n".encode()
    assert parse(HEAD + kind + octets).text == "Løber e3"
