"""Which parts of a mail are the writer's text: the plain text, else the HTML as displayed.

Attachments, forwarded messages, reports and alternatives of other types are never read, but for a
game in PGN, which chess programs send as a part of its own.
NOT for telling own words from quoted ones: `mail.incoming.quoting`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from mail.incoming.htmltext import html_to_text, rough_text, shows_plainly
from mail.incoming.mime import MAX_TEXT, Defect, Part, decode_part
from mail.incoming.quoting import own_words

_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_RECORDS = frozenset(
    f"application/{name}" for name in ("x-chess", "x-chess-pgn", "vnd.chess-pgn", "pgn", "x-pgn")
)
"""The types under which cmail, Scid and other programs send a game."""
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
    """The text, its source, and whether the mail contains a calendar reply or request.

    `record`: a game in PGN that a chess program sent as a part of its own, shown or attached.
    """

    text: str
    source: TextSource
    calendar: bool
    record: str = ""


def read_body(top: Part, defects: set[Defect]) -> Body:
    """Choose and decode the text. Several plain parts are joined in order."""
    leaves = _Leaves([], [], [])
    calendar = _collect(top, leaves, defects)
    text = "\n".join(decode_part(part, defects) for part in leaves.plain)
    markup = "\n".join(decode_part(part, defects) for part in leaves.rich)
    record = "\n".join(decode_part(part, defects) for part in leaves.records)[:MAX_TEXT]
    if text.strip():
        if markup and not _agree(text, markup):
            defects.add(Defect.TEXTS_DIFFER)
        return Body(text[:MAX_TEXT], TextSource.PLAIN, calendar, record)
    if markup:
        text, hidden = html_to_text(markup)
        if hidden:
            defects.add(Defect.HIDDEN_TEXT)
        if text.strip():
            return Body(text[:MAX_TEXT], TextSource.HTML, calendar, record)
    if not record.strip():
        defects.add(Defect.NO_TEXT)
    return Body("", TextSource.NONE, calendar, record)


def shown_texts(top: Part) -> tuple[str, ...]:
    """All that a mail shows, its plain text and its HTML: what a reply to it may bring back."""
    leaves, defects = _Leaves([], [], []), set[Defect]()
    _collect(top, leaves, defects)
    rich = (html_to_text(decode_part(part, defects))[0] for part in leaves.rich)
    return (*(decode_part(part, defects) for part in leaves.plain), *rich)


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The parts that are read, by kind."""

    plain: list[Part]
    rich: list[Part]
    records: list[Part]


def _collect(part: Part, leaves: _Leaves, defects: set[Defect]) -> bool:
    """Sort the readable leaves into the lists; True if a calendar part is among them."""
    if part.kind in _ENCRYPTED:
        defects.add(Defect.ENCRYPTED)
        return False
    if part.kind in _UNREAD or part.kind.startswith("message/"):
        return False
    if part.kind.startswith("multipart/"):
        calendars = [_collect(child, leaves, defects) for child in part.children]
        return any(calendars)
    if part.kind == "text/calendar":
        return "method" in part.params  # an answer or request made by a calendar program
    if part.kind in _RECORDS or _is_named_record(part):
        leaves.records.append(part)
    elif part.kind == "text/plain" and not part.attached:
        leaves.plain.append(part)
    elif part.kind == "text/html" and not part.attached:
        leaves.rich.append(part)
    return False


def _is_named_record(part: Part) -> bool:
    """A game whose type the sending program did not know: a file by the name of one."""
    fields = (part.headers.first("content-type"), part.headers.first("content-disposition"))
    return part.attached and any(b".pgn" in (field or b"").lower() for field in fields)


def _agree(text: str, markup: str) -> bool:
    """False if the writer's own text names a move that the HTML does not show anywhere."""
    wanted = set(_CHESS_WORD.findall(own_words(text).translate(_SAME)))
    if all(shows_plainly(word, markup) for word in wanted):
        return True
    shown = rough_text(markup).translate(_SAME)
    return all(word in shown for word in wanted)
