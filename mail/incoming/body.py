"""Which parts of a mail are the writer's text: the plain text, else the HTML as displayed.

Attachments, forwarded messages, reports and alternatives of other types are never read.
NOT for telling own words from quoted ones: `mail.incoming.quoting`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from mail.incoming.htmltext import html_to_text, rough_text
from mail.incoming.mime import MAX_TEXT, Defect, Part, decode_part
from mail.incoming.quoting import own_words

_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_UNREAD = ("multipart/report", "multipart/digest")
# Anything shaped like a move, in any notation; only compared, never played.
_CHESS_WORD = re.compile(
    r"(?<!\w)(?:[A-ZÆØÅa-z]?[a-h]?[1-8]?[x:-]?[a-h][1-8]|[1-8]{4}|[0Oo]-[0Oo](?:-[0Oo])?)(?!\w)"
)
_SAME = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-") | {"\u00d7": "x"})
"""Signs that programs put into HTML for what was typed: dashes for a hyphen, a cross for an x."""


class TextSource(StrEnum):
    """Where the text was taken from."""

    PLAIN = "plain"
    HTML = "html"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Body:
    """The text, its source, and whether the mail contains a calendar reply or request."""

    text: str
    source: TextSource
    calendar: bool


def read_body(top: Part, defects: set[Defect]) -> Body:
    """Choose and decode the text. Several plain parts are joined in order."""
    plain: list[Part] = []
    rich: list[Part] = []
    calendar = _collect(top, plain, rich, defects)
    text = "\n".join(decode_part(part, defects) for part in plain)
    markup = "\n".join(decode_part(part, defects) for part in rich)
    if text.strip():
        if markup and not _agree(text, markup):
            defects.add(Defect.TEXTS_DIFFER)
        return Body(text[:MAX_TEXT], TextSource.PLAIN, calendar)
    if markup:
        text, hidden = html_to_text(markup)
        if hidden:
            defects.add(Defect.HIDDEN_TEXT)
        if text.strip():
            return Body(text[:MAX_TEXT], TextSource.HTML, calendar)
    defects.add(Defect.NO_TEXT)
    return Body("", TextSource.NONE, calendar)


def _collect(part: Part, plain: list[Part], rich: list[Part], defects: set[Defect]) -> bool:
    """Sort the readable leaves into the two lists; True if a calendar part is among them."""
    if part.kind in _ENCRYPTED:
        defects.add(Defect.ENCRYPTED)
        return False
    if part.kind in _UNREAD or part.kind.startswith("message/"):
        return False
    if part.kind.startswith("multipart/"):
        calendars = [_collect(child, plain, rich, defects) for child in part.children]
        return any(calendars)
    if part.kind == "text/calendar":
        return "method" in part.params  # an answer or request made by a calendar program
    if part.kind == "text/plain" and not part.attached:
        plain.append(part)
    elif part.kind == "text/html" and not part.attached:
        rich.append(part)
    return False


def _agree(text: str, markup: str) -> bool:
    """False if the writer's own text names a move that the HTML does not show anywhere."""
    wanted = set(_CHESS_WORD.findall(own_words(text).translate(_SAME)))
    if not wanted:
        return True
    shown = rough_text(markup).translate(_SAME)
    return all(word in shown for word in wanted)
