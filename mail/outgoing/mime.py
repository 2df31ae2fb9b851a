"""A letter's parts as octets: text, HTML with its pictures, and a file. Not for headers (envelope).

Written straight, for every part's head is fixed but for names of ours; the library takes a third
of a letter's time to format them. The same letter gives the same octets.
"""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from hashlib import sha256


def octets(
    text: str, html: str, pictures: Sequence[tuple[str, str, bytes]], file: tuple[str, str] | None
) -> bytes:
    """The letter's body, from its Content-Type on.

    ``pictures``: (Content-ID, file name, PNG) of each that the HTML shows. ``file``: (name, text)
    of a chess file, last and in plain sight: ASCII that no encoding hides.
    """
    # Neither encoding writes "=_", and no file holds its own digest: no part can end early.
    mark = sha256(repr((text, file)).encode()).hexdigest()[:24]
    shown = _text(html, "html")
    if pictures:
        shown = _joined("related", mark, shown, *(_picture(*each) for each in pictures))
    letter = _joined("alternative", mark, _text(text, "plain"), shown)
    return letter if file is None else _joined("mixed", mark, letter, _file(*file))


def _joined(kind: str, mark: str, *parts: bytes) -> bytes:
    boundary = f"=_{kind}.{mark}"
    begin, end = f"\r\n--{boundary}\r\n".encode(), f"\r\n--{boundary}--\r\n".encode()
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\nMIME-Version: 1.0\r\n'
    return head.encode() + b"".join(begin + part for part in parts) + end


def _part(kind: str, encoding: str, more: str, body: bytes) -> bytes:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{more}\r\n"
    return head.encode("ascii", "replace") + body


def _text(text: str, kind: str) -> bytes:
    lines = b2a_qp("\n".join(text.splitlines()).encode() + b"\n").replace(b"\n", b"\r\n")
    return _part(f'text/{kind}; charset="utf-8"', "quoted-printable", "", lines)


def _picture(cid: str, name: str, png: bytes) -> bytes:
    named = f'Content-ID: <{cid}>\r\nContent-Disposition: inline; filename="{name}"\r\n'
    return _part("image/png", "base64", named, encodebytes(png).replace(b"\n", b"\r\n"))


def _file(name: str, text: str) -> bytes:
    lines = "\r\n".join(text.splitlines()).encode("ascii", "replace") + b"\r\n"
    plain = re.sub(r"[^\w.-]", "-", name, flags=re.ASCII)
    named = f'Content-Disposition: attachment; filename="{plain}"\r\n'
    return _part("application/x-chess-pgn", "7bit", named, lines)
