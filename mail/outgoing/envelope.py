"""A letter's headers: from whom, to whom, which thread; and the check that nothing slipped in.

Header values come from here and from nowhere else; no header of an incoming mail is ever
copied. Anything with a control character or a line break in any script is refused, and the
finished head is read back and compared. Python's own folding of encoded words loses spaces before
3.13, so they are folded here. NOT for the body (``mail.outgoing.envelope``).
"""

import email
import re
import unicodedata
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date as Day
from datetime import datetime
from email import policy
from email.header import Header, decode_header, make_header
from email.utils import format_datetime
from hashlib import sha256

# What is kept of a letter that went out: its head and its text.

_ALTERNATIVES = re.compile(rb"\r\n--=_alternative\.[0-9a-f]+")
"""Before the text, before the HTML with its pictures, and after both."""
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


# A letter's parts as octets: text, HTML with its pictures, and a file. Not for headers (envelope).


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
        shown = _join_parts("related", mark, shown, *(_picture(*each) for each in pictures))
    letter = _join_parts("alternative", mark, _text(text, "plain"), shown)
    return letter if file is None else _join_parts("mixed", mark, letter, _file(*file))


def _join_parts(kind: str, mark: str, *parts: bytes) -> bytes:
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


# A letter's headers: from whom, to whom, which thread; and the check that nothing slipped in.

_ADDRESS = re.compile(r"[^\s@<>()\[\]\\,;:\"]{1,64}@[^\s@<>()\[\]\\,;:\"]{1,255}")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,120}@[A-Za-z0-9.-]{1,120}>")
_PAGE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,120}/[A-Za-z0-9/_.-]{0,80}")
_LOOP = re.compile(r"[A-Za-z0-9.@-]{1,120}")
_ATOMS = r"[A-Za-z0-9+_=-]+(?:\.[A-Za-z0-9+_=-]+)*"
_USUAL_MAILBOX = re.compile(rf'"([A-Za-z0-9 ._-]+)" <({_ATOMS}@{_ATOMS})>')
"""What RFC 5322 reads in one way only: a quoted text without escapes, atoms with dots."""
_LONGEST = 200
"""Maximum characters in a subject or name; the envelope's maker cuts longer ones."""
_LINE = 76
"""Maximum characters in a header line, where its words allow (RFC 2047 2)."""
_CONTROL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_IN_ASCII = str.maketrans(
    {"æ": "ae", "ø": "oe", "å": "aa", "Æ": "Ae", "Ø": "Oe", "Å": "Aa", "ð": "d", "Ð": "D",
     "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ß": "ss"}
)  # fmt: skip
_SOME_NAME = "K-skak"


class UnsafeHeader(ValueError):
    """A header value that could break a mail's headers; the text names the header."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Everything a mail's headers need that the letter itself does not know.

    ``bounce_to`` is the envelope sender (VERP) and is in no header. ``reply_to`` is the
    reader's reply address for the position. ``is_answer``: it answers a mail (RFC 3834).
    """

    sender_name: str
    sender: str
    to_name: str
    to: str
    message_id: str
    date: datetime
    bounce_to: str
    loop: str
    reply_to: str | None = None
    thread_root: str | None = None
    in_reply_to: str | None = None
    is_answer: bool = False
    waits: tuple[tuple[str, Day], ...] = ()
    """What still waits for the reader's yes: the question's kind and the day of his mail."""
    unsubscribe: str | None = None
    """The page for turning such letters on or off (RFC 2369)."""
    law: str = ""
    """The address of the regulation's documents; "" where there are none."""


def is_plain_address(text: str) -> bool:
    """Whether a text is one mail address and nothing that could become a command."""
    return _ADDRESS.fullmatch(text) is not None and not _holds_control(text)


def _holds_control(text: str) -> bool:
    """Whether a character of it is none that is seen."""
    if text.isprintable():
        return False
    return any(unicodedata.category(char) in _CONTROL for char in text)


def safe_text(header: str, value: str) -> str:
    """The value itself; UnsafeHeader when it is empty, too long or not plain text on one line."""
    if not value.strip() or len(value) > _LONGEST:
        raise UnsafeHeader(f"{header}: 1 to {_LONGEST} characters")
    if _holds_control(value):
        raise UnsafeHeader(f"{header}: control character or line break")
    return value


def plainer(envelope: Envelope, subject: str) -> tuple[Envelope, str]:
    """The same headers in a form where only an address can still be wrong."""
    names = (envelope.sender_name, envelope.to_name)
    sender, to = (in_ascii(name) or _SOME_NAME for name in names)
    return replace(envelope, sender_name=sender, to_name=to), in_ascii(subject) or _SOME_NAME


def in_ascii(text: str) -> str:
    """ASCII letters, digits, ``-/.`` and single spaces; marks and anything else are dropped."""
    marked = unicodedata.normalize("NFKD", text.translate(_IN_ASCII))
    bare = (char for char in marked if not unicodedata.combining(char))
    kept = (c if c.isascii() and (c.isalnum() or c in "-/.") else " " for c in bare)
    return " ".join("".join(kept).split())[:_LINE]


def _encode_header(header: str, value: str) -> str:
    """A text as it goes into the header, folded: as it is, or as encoded words (RFC 2047)."""
    safe_text(header, value)
    is_plain = value.isascii() and "=?" not in value and value == " ".join(value.split())
    charset = "us-ascii" if is_plain else "utf-8"
    return Header(value, charset, _LINE, header).encode(linesep="\r\n")


def _mailbox(header: str, name: str, address: str) -> str:
    """One mailbox; nothing in the name can become a second one."""
    if not is_plain_address(address):
        raise UnsafeHeader(f"{header}: not an address")
    safe_text(header, name)
    if name.isascii() and "=?" not in name:
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}" <{address}>'
    return f"{_encode_header(header, name)}\r\n <{address}>"


def _ids(envelope: Envelope) -> dict[str, str]:
    """Message-ID and the thread: the root first, then the mail that is answered."""
    chain = [found for found in (envelope.thread_root, envelope.in_reply_to) if found]
    chain = list(dict.fromkeys(found for found in chain if found != envelope.message_id))
    for value in (envelope.message_id, *chain):
        if not _MESSAGE_ID.fullmatch(value):
            raise UnsafeHeader("Message-ID: not a message id")
    if not chain:
        return {"Message-ID": envelope.message_id}
    return {
        "Message-ID": envelope.message_id,
        "In-Reply-To": chain[-1],
        "References": "\r\n ".join(chain),
    }


def head(envelope: Envelope, subject: str) -> bytes:
    """A mail's headers as octets, each read back as it was written, and none besides.

    Raises UnsafeHeader when one can't be written, or does not read back the same (M5).
    """
    written = _headers(envelope, subject)
    text = "".join(f"{name}: {value}\r\n" for name, value in written.items())
    _read_back(text, written.keys(), envelope, subject)
    return text.encode()


def _headers(envelope: Envelope, subject: str) -> dict[str, str]:
    """Each header and its value, folded."""
    if envelope.date.tzinfo is None:
        raise UnsafeHeader("Date: without its offset")
    if not _LOOP.fullmatch(envelope.loop):
        raise UnsafeHeader("X-Loop: not a plain name")
    found = {
        "From": _mailbox("From", envelope.sender_name, envelope.sender),
        "To": _mailbox("To", envelope.to_name, envelope.to),
    }
    if envelope.reply_to is not None:
        found["Reply-To"] = _mailbox("Reply-To", envelope.sender_name, envelope.reply_to)
    found["Subject"] = _encode_header("Subject", subject)
    found["Date"] = format_datetime(envelope.date)
    found |= _ids(envelope)
    found["Auto-Submitted"] = "auto-replied" if envelope.is_answer else "auto-generated"
    found["X-Auto-Response-Suppress"] = "All"
    found["X-Loop"] = envelope.loop
    if envelope.unsubscribe is not None:
        if not _PAGE.fullmatch(envelope.unsubscribe):
            raise UnsafeHeader("List-Unsubscribe: not the address of a page")
        found["List-Unsubscribe"] = f"<{envelope.unsubscribe}>"  # never folded
        if envelope.unsubscribe.startswith("https:"):
            found["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    return found


def _read_back(text: str, names: Collection[str], envelope: Envelope, subject: str) -> None:
    """Raises UnsafeHeader when something slipped into the head, or was lost from it."""
    again = email.message_from_string(text + "\r\n", policy=policy.default)
    raw = dict(again.raw_items())
    if sorted(raw) != sorted(names) or len(again) != len(names) or again.get_payload():
        raise UnsafeHeader("the head does not read back as it was written")
    people = {
        "From": (envelope.sender_name, envelope.sender),
        "To": (envelope.to_name, envelope.to),
        "Reply-To": (envelope.sender_name, envelope.reply_to),
    }
    for header, (name, address) in people.items():
        found = _mailboxes(raw[header]) if header in raw else ()
        if found != (((_solid(name), address),) if address else ()):
            raise UnsafeHeader(f"{header}: does not read back as it was written")
    if str(make_header(decode_header("".join(raw["Subject"].splitlines())))) != subject:
        raise UnsafeHeader("Subject: does not read back as it was written")


def _mailboxes(value: str) -> tuple[tuple[str, str], ...]:
    """The names and addresses that a mail program reads in a header's folded value."""
    usual = _USUAL_MAILBOX.fullmatch(value)
    if usual is not None:
        return ((_solid(usual[1]), usual[2]),)
    read = policy.default.header_fetch_parse("To", value)
    return tuple((_solid(one.display_name), one.addr_spec) for one in read.addresses)


def _solid(name: str) -> str:
    """A name without its spaces: Python reads an extra one between the words of a long name."""
    return "".join(name.split())
