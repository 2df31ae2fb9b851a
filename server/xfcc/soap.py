"""SOAP 1.1 as chess programs speak it: reading a call, writing its answer.

Programs match our answers by their literal text, so these are written as text: prefix ``soap``,
the service's namespace without one, no attributes. Their calls are read leniently: the body's
element names the operation (some send no SOAPAction), octets that are not UTF-8 are Windows-1252
whatever the header says, and a field is its first non-empty leaf, however deep. Nothing outside
the text is looked up: a document type is refused before parsing. Not for what an operation does.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.sax.saxutils import escape

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
MOST_BYTES = 64 * 1024
"""Maximum octets of a call; a move with its message needs a fraction."""
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_HARMLESS = str.maketrans('<>{}"', "()()'")
_HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_ENVELOPE = (
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>{}</soap:Body></soap:Envelope>'
)


class Unreadable(ValueError):
    """This cannot be read as a call."""


@dataclass(frozen=True, slots=True)
class Called:
    """An operation's name and its fields."""

    operation: str
    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        """A field, "" if it is missing or empty."""
        return self.fields.get(name, "").strip()

    def is_set(self, name: str) -> bool:
        """A boolean: Scid writes 1, others true."""
        return self.text(name).lower() in ("1", "true")

    def number(self, name: str) -> int | None:
        """A whole number of at most 18 digits, None for anything else."""
        text = self.text(name)
        is_number = text.isascii() and text.isdigit() and len(text) <= 18
        return int(text) if is_number else None


def read(raw: bytes) -> Called:
    """What a body calls for. Raises Unreadable."""
    if len(raw) > MOST_BYTES:
        raise Unreadable("too long")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    text = _DECLARATION.sub("", text.lstrip("\ufeff"))
    if _DOCTYPE.search(text):
        raise Unreadable("document type")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise Unreadable("no XML") from error
    body = next((one for one in root.iter() if _local(one) == "Body"), None)
    operation = None if body is None else next(iter(body), None)
    if operation is None:
        raise Unreadable("no operation")
    fields: dict[str, str] = {}
    for one in operation.iter():
        if one is not operation and len(one) == 0 and (one.text or "").strip():
            fields.setdefault(_local(one), one.text or "")
    return Called(_local(operation), fields)


def _local(element: ElementTree.Element) -> str:
    """A name without its namespace; comments have none."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _sent(body: str) -> bytes:
    return (_HEAD + _ENVELOPE.format(body)).encode()


def answer(operation: str, content: str) -> bytes:
    """An operation's answer; ``content`` is XML."""
    wrapped = f"<{operation}Result>{content}</{operation}Result>"
    return _sent(f'<{operation}Response xmlns="{NAMESPACE}">{wrapped}</{operation}Response>')


def fault(said: str, *, is_ours: bool = False) -> bytes:
    """A fault; ``said`` begins with the word that programs look for."""
    code = "soap:Server" if is_ours else "soap:Client"
    told = f"<faultcode>{code}</faultcode><faultstring>{escape(said)}</faultstring><detail />"
    return _sent(f"<soap:Fault>{told}</soap:Fault>")


def element(name: str, value: str | int | bool) -> str:
    """A field of an answer."""
    if isinstance(value, bool):
        return f"<{name}>{'true' if value else 'false'}</{name}>"
    text = value if isinstance(value, str) else str(value)
    return f"<{name}>{escape(text)}</{name}>"


def plain(text: str) -> str:
    """Text that every program shows unchanged.

    On one line; without what Scid writes unescaped into PGN or ends a comment with; and nothing
    that looks like an entity, because Scid decodes entities twice.
    """
    shown = "".join(char if char.isprintable() else " " for char in text)
    shown = shown.translate(_HARMLESS)
    return re.sub(r"&(?=#?\w+;)", "& ", " ".join(shown.split()))
