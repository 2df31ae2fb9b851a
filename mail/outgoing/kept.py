"""What is kept of a letter that went out: its head and its text.

The HTML says what the text says, its diagram is drawn again from the position, and the chess file
repeats the moves: the three are nine tenths of a letter. Not for packing (the store).
"""

import re

_ALTERNATIVES = re.compile(rb"\r\n--=_alternative\.[0-9a-f]+")
"""Before the text, before the HTML with its pictures, and after both (``mail.outgoing.mime``)."""
_FILE = re.compile(rb"\r\n--=_mixed\.[0-9a-f]+")
"""Before the letter, before its file, and after both."""


def in_text(raw: bytes) -> bytes:
    """The letter without HTML, pictures and file: still a mail that any program opens."""
    return _without_second(_without_second(raw, _FILE), _ALTERNATIVES)


def _without_second(raw: bytes, boundary: re.Pattern[bytes]) -> bytes:
    """A mail without the second part between three boundaries."""
    marks = [mark.start() for mark in boundary.finditer(raw)][:3]
    if len(marks) < 3:
        return raw
    _, second, end = marks
    return raw[:second] + raw[end:]
