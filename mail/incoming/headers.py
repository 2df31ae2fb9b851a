"""The header block of a raw mail, split strictly: names, values, and what is wrong with it.

The stdlib parser ends the block silently at a malformed line and drops a first line that
begins with a blank; a forged second From hides behind both. Here such a line is a defect.
NOT for meaning: addresses are read in `mail.incoming.sender`, the body in `mail.incoming.body`.
"""

import base64
import binascii
import re
from dataclasses import dataclass, field
from functools import lru_cache

from mail.incoming.charsets import CHARSETS

MOST_READ = 64 * 1024
"""Octets of a header block whose fields are read; a longer one is no person's (limits.py)."""
_END = re.compile(rb"\r?\n\r?\n|\r\r")
_LINE = re.compile(rb"\r\n|\r|\n")
_NAME = re.compile(rb"[\x21-\x39\x3b-\x7e]+")
_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,40}\?[bBqQ]\?)")
_USUAL = 40  # octets of a field's name that is worth remembering
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of one header block, names in lower case, values unfolded raw bytes.

    `malformed`: some line was not a field. `body_at`: offset of the body in the raw mail.
    """

    fields: tuple[tuple[str, bytes], ...]
    malformed: bool
    body_at: int
    _named: dict[str, list[bytes]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        named: dict[str, list[bytes]] = {}
        for name, value in self.fields:
            named.setdefault(name, []).append(value)
        object.__setattr__(self, "_named", named)

    def all(self, name: str) -> tuple[bytes, ...]:
        """Every value of the field `name` (lower case), topmost first."""
        return tuple(self._named.get(name, ()))

    def first(self, name: str) -> bytes | None:
        """The topmost value of the field, or None."""
        found = self._named.get(name)
        return None if found is None else found[0]

    def text(self, name: str, limit: int = 1000) -> str:
        """The topmost value for display: encoded words decoded, no control characters."""
        value = self.first(name)
        return "" if value is None else decode_text(value)[:limit]


def header_end(raw: bytes) -> tuple[int, int]:
    """Offsets of the end of the header block and of the body's beginning."""
    if raw[:1] in (b"\r", b"\n"):
        return 0, 2 if raw[:2] == b"\r\n" else 1
    at = raw.find(b"\r\n\r\n")
    top = at + 2
    odd = raw.find(b"\n\n", 0, top), raw.find(b"\r\r", 0, top), raw.find(b"\n\r\n", 0, top)
    if at >= 0 and odd == (-1, -1, -1):
        return at, at + 4  # nearly all mail; the regex would scan every line
    found = _END.search(raw)
    return (found.start(), found.end()) if found else (len(raw), len(raw))


def split_headers(raw: bytes) -> Headers:
    """Split the top header block, of a very long one the beginning. Never raises; linear."""
    end, body_at = header_end(raw)
    fields: list[tuple[str, list[bytes]]] = []
    malformed = end > MOST_READ
    lines = _lines(raw[: min(end, MOST_READ)]) if end else []
    if lines and lines[0].startswith(b"From "):
        del lines[0]  # an mbox separator, put there by a local delivery agent
    for line in lines:
        if line.startswith((b" ", b"\t")):
            if fields:
                fields[-1][1].append(line)
            malformed = malformed or not fields
            continue
        written, colon, value = line.partition(b":")
        name = (_name if len(written) <= _USUAL else _name.__wrapped__)(written)
        if not colon or name is None:
            malformed = True
            continue
        fields.append((name, [value]))
    return Headers(
        tuple([(name, b"".join(parts).strip(b" \t")) for name, parts in fields]),
        malformed,
        body_at,
    )


def _lines(block: bytes) -> list[bytes]:
    """The lines, whatever ends them."""
    lines = block.split(b"\r\n")
    is_plain = block.count(b"\r") == block.count(b"\n") == len(lines) - 1
    return lines if is_plain else _LINE.split(block)


@lru_cache(maxsize=512)
def _name(written: bytes) -> str | None:
    """A field's name in lower case, None if it can be none; cached, as there are few."""
    return written.lower().decode("ascii") if _NAME.fullmatch(written) else None


def decode_raw(value: bytes) -> str:
    """Header bytes as text: UTF-8 (SMTPUTF8), else windows-1252 as old clients send it."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")


def decode_text(value: bytes) -> str:
    """A header value for display: encoded words decoded, control characters made blanks.

    Safe to show and to put into a header of our own; linear in the value's length.
    """
    text = decode_raw(value)
    if "=?" in text:
        text = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(r"\1", text))
    return _CONTROL.sub(" ", text).strip()


def _decode_word(match: re.Match[str]) -> str:
    charset, encoding, payload = match.groups()
    codec = CHARSETS.get(charset.partition("*")[0].lower())
    if codec is None:
        return match.group()  # a charset outside the list is left as it is
    try:
        if encoding in "bB":
            data = base64.b64decode(payload + "=" * (-len(payload) % 4))
        else:
            data = binascii.a2b_qp(payload.encode("ascii", "replace"), header=True)
    except (binascii.Error, ValueError):
        return match.group()
    return data.decode(codec, "replace")
