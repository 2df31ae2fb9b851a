"""What is kept of a letter that went out: all of it but its pictures.

A diagram is drawn again from its position, and is half of a letter. Not for packing (the store).
"""

import re

_PICTURE = re.compile(
    rb"(\n--[^\r\n]+\r?\n(?:[^\r\n][^\n]*\n)*?Content-Type: image/png\b[^\n]*\n"
    rb"(?:[^\r\n][^\n]*\n)*\r?\n)"
    rb"[A-Za-z0-9+/=\r\n]*[A-Za-z0-9+/=\n](?=\r?\n--)"
)


def without_pictures(raw: bytes) -> bytes:
    """The letter with its parts and their headers, and nothing in those that are PNG pictures."""
    return _PICTURE.sub(rb"\1", raw)
