"""Parses bytes into a ParsedMail: addresses, sender, what our relay established."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from enum import StrEnum

from mail.incoming import mime
from mail.incoming.mime import (
    Defect,
    Headers,
    MimePart,
    decode_raw,
    decode_text,
    read_parts,
    split_headers,
)
from mail.incoming.own_words import MailBody, list_visible_texts, read_body

# Addresses: what we accept, the reply address of a position, the return path of a letter.

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ASCII_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")
_WIDE_ATOM = r"[^\x00-\x20\"(),.:;<>@\[\\\]\x7f\s]+"
_WIDE_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_WIDE_ADDRESS = re.compile(rf"{_WIDE_ATOM}(?:\.{_WIDE_ATOM})*@{_WIDE_LABEL}(?:\.{_WIDE_LABEL})+")
# Recipients we take from a relay: plain local part with an optional tag; no quotes, routes, %.
_RCPT = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._=-]{{0,63}}(?:\+[A-Za-z0-9._=-]{{1,60}})?@({_LABEL}"
                   rf"(?:\.{_LABEL})*)")  # fmt: skip
_KEY = re.compile(r"[a-z2-7]{20,52}")
_KEY_AND_LETTER = re.compile(r"([a-z2-7]{20,52})(?:\.([0-9]{1,15}))?")
_TOKEN = re.compile(r"[a-z0-9]{8,50}")
_LOCAL = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?")
_BOUNCE, _ASKED = "b-", "q-"
MAX_LOCAL_PART = 64  # octets, RFC 5321
MAX_ADDRESS = 254  # octets


def normal_address(text: str) -> str | None:
    """The address in the form we register and compare: NFC, lower case; None if invalid.

    Strict: one addr-spec and nothing else. Letters outside ASCII are not mapped to ASCII, so
    a look-alike never equals the address it imitates.
    """
    if not (3 <= len(text) <= MAX_ADDRESS) or len(text.encode("utf-8", "replace")) > MAX_ADDRESS:
        return None
    if not (_ASCII_ADDRESS.fullmatch(text) if text.isascii() else _is_wide(text)):
        return None
    if text.startswith("-"):
        return None  # a relay passing it to a program would pass an option
    local = text.rpartition("@")[0]
    return text.lower() if len(local.encode("utf-8")) <= MAX_LOCAL_PART else None


def _is_wide(text: str) -> bool:
    """Whether it is an address with letters outside ASCII: in NFC, no control characters."""
    if not _WIDE_ADDRESS.fullmatch(text) or unicodedata.normalize("NFC", text) != text:
        return False
    return all(unicodedata.category(char)[0] != "C" for char in text)


def is_own_recipient(text: str, domain: str) -> bool:
    """True if an SMTP recipient has a plain form and is in our domain."""
    found = _RCPT.fullmatch(text)
    if found is None or len(text.rpartition("@")[0]) > MAX_LOCAL_PART:
        return False
    return found.group(1).lower() == domain.lower()


def reply_address(local: str, key: str, domain: str, letter: int | None = None) -> str:
    """`<local>+<key>@<domain>`. ValueError for a key or local part that cannot work.

    ``letter``: the number of the letter that asks something, as `<key>.<number>`, so that a «ja»
    is to that question whatever else a mail program leaves out; not where there is no room for it.
    """
    if not _KEY.fullmatch(key):
        raise ValueError("a reply key is 20 to 52 of a-z and 2-7")
    own = key if letter is None else f"{key}.{letter}"
    has_room = len(local) + 1 + len(own) <= MAX_LOCAL_PART
    return _add_tag(local, own if has_room else key, domain)


def read_reply_key(address: str, local: str, domain: str) -> str | None:
    """The key in a reply address of ours, case folded; None for any other address."""
    found = _KEY_AND_LETTER.fullmatch(_tag_of(address, local, domain) or "")
    return None if found is None else found[1]


def letter_of(address: str, local: str, domain: str) -> int | None:
    """The number of the letter whose own reply address this is; None for any other address."""
    found = _KEY_AND_LETTER.fullmatch(_tag_of(address, local, domain) or "")
    return None if found is None or found[2] is None else int(found[2])


def question_address(local: str, token: str, domain: str) -> str:
    """`<local>+q-<token>@<domain>`: answers to one letter that asks about no position."""
    if not _TOKEN.fullmatch(token):
        raise ValueError("a letter's token is 8 to 50 of a-z and 0-9")
    return _add_tag(local, _ASKED + token, domain)


def question_token_of(address: str, local: str, domain: str) -> str | None:
    """The token in such an address of ours; None for any other address."""
    return _token_of(address, local, domain, _ASKED)


def return_path(local: str, token: str, domain: str) -> str:
    """`<local>+b-<token>@<domain>`: where one letter's bounce comes back (VERP)."""
    if not _TOKEN.fullmatch(token):
        raise ValueError("a bounce token is 8 to 50 of a-z and 0-9")
    return _add_tag(local, _BOUNCE + token, domain)


def bounce_token_of(address: str, local: str, domain: str) -> str | None:
    """The token in a return path of ours; None for any other address."""
    return _token_of(address, local, domain, _BOUNCE)


def _token_of(address: str, local: str, domain: str, before: str) -> str | None:
    tag = _tag_of(address, local, domain)
    if tag is None or not tag.startswith(before):
        return None
    token = tag.removeprefix(before)
    return token if _TOKEN.fullmatch(token) else None


def _add_tag(local: str, tag: str, domain: str) -> str:
    if not _LOCAL.fullmatch(local):
        raise ValueError("the local part is 1 to 32 of a-z, 0-9, dot, dash")
    if len(local) + 1 + len(tag) > MAX_LOCAL_PART:
        raise ValueError("local part over 64 octets: choose a shorter `mail.local`")
    return f"{local}+{tag}@{domain}"


def _tag_of(address: str, local: str, domain: str) -> str | None:
    folded = address.strip().lower()
    before, at, host = folded.rpartition("@")
    if not at or host != domain.lower():
        return None
    name, plus, tag = before.partition("+")
    return tag if plus and name == local.lower() else None


# Who a mail says it is from: exactly one From field with exactly one plain mailbox, or nobody.

_QUOTED = r'"(?:[^"\\]|\\.)*"'
# name <address>: the name is a quoted string or words without any special character
_NAMED = re.compile(rf'(?P<name>{_QUOTED}[ \t]*|[^"<>,:;\\]*)<(?P<address>[^<>\s"\\()]*)>')
# address (comment): the old form
_COMMENTED = re.compile(r'(?P<address>[^<>\s"\\(),:;]+)(?:[ \t]+\((?P<name>[^()<>@,:;"\\]*)\))?')
_SPECIALS = re.compile(r"[\s<>\"(),:;\\\[\]]+")
_QUOTED_STRING = re.compile(_QUOTED)
MAX_ADDRESSES = 100


@dataclass(frozen=True, slots=True)
class FromAddress:
    """The one mailbox of the one From field; `address` is None if there is none."""

    address: str | None
    name: str


def read_sender(headers: Headers) -> FromAddress:
    """The sender by the From field alone; Sender, Reply-To and Resent-From are ignored."""
    values = headers.all("from")
    if len(values) != 1 or headers.malformed:
        return FromAddress(None, "")
    try:
        text = values[0].decode("utf-8")
    except UnicodeDecodeError:
        text = values[0].decode("cp1252", "replace")  # an old client's 8-bit name
    found = _NAMED.fullmatch(text) or _COMMENTED.fullmatch(text)
    if found is None:
        return FromAddress(None, "")
    address = normal_address(found.group("address"))
    name = (found.group("name") or "").strip()
    if "@" in name and not name.startswith('"') and name.strip("'").lower() != address:
        return FromAddress(None, "")  # two addresses, one posing as the unquoted name
    return FromAddress(address, _plain_name(name)) if address else FromAddress(None, "")


def read_addresses(headers: Headers, *names: str) -> tuple[str, ...]:
    """The strict addresses in the fields `names`, in order, at most 100 of them."""
    found: list[str] = []
    for name in names:
        for value in headers.all(name):
            text = _QUOTED_STRING.sub(" ", value.decode("utf-8", "replace"))
            for word in _SPECIALS.split(text):
                address = normal_address(word) if "@" in word else None
                if address is not None and address not in found:
                    found.append(address)
                if len(found) >= MAX_ADDRESSES:
                    return tuple(found)
    return tuple(found)


def _plain_name(name: str) -> str:
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    return decode_text(name.encode("utf-8", "replace"))[:200]


# What our own relay established about a mail: its DMARC verdict, and when it was received.

_COMMENT = re.compile(r"\([^()]*\)")
_QUOTED_RESULT = re.compile(r'"(?:[^"\\]|\\.)*"')
_RESULT = re.compile(r"(dmarc|spf|dkim)\s*(?:/\s*1\s*)?=\s*([a-z]+)(?![\w-])", re.IGNORECASE)
_BY = re.compile(r"(?:^|\s)by\s+(\S+)", re.IGNORECASE)
_ZONE = re.compile(r"\d\s[+-]\d{4}\s*$")
_MAX_NESTING = 8


class Dmarc(StrEnum):
    """The trusted result: PASS, FAIL (whatever the domain's policy says), or NONE."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"


def dmarc_verdict(source: bytes | Headers, authserv_id: str, *, peer_trusted: bool) -> Dmarc:
    """The relay's DMARC result. `authserv_id`: the name our relay puts on its results.

    Read from the top down to the first field with another name; within that run a failure wins.
    Fields further down may be the sender's own. A relay that knows no DMARC, but finds that SPF
    and DKIM both fail, says as much.
    """
    if not peer_trusted or not authserv_id:
        return Dmarc.NONE
    headers = split_headers(source) if isinstance(source, bytes) else source
    found: set[tuple[str, str]] = set()
    for value in headers.all("authentication-results"):
        name, results = _read_results(decode_raw(value))
        if name.lower() != authserv_id.lower():
            break
        found.update(results)
    if ("dmarc", "fail") in found:
        return Dmarc.FAIL
    if ("dmarc", "pass") in found:
        return Dmarc.PASS
    of_parts = {result for result in found if result[0] != "dmarc"}
    return Dmarc.FAIL if of_parts == {("spf", "fail"), ("dkim", "fail")} else Dmarc.NONE


def _read_results(value: str) -> tuple[str, list[tuple[str, str]]]:
    """The authserv-id and every method's result, comments and quoted strings left out."""
    head, *clauses = _strip_comments(_QUOTED_RESULT.sub('""', value)).split(";")
    words = head.split()
    if not words or len(words) > 2:
        return "", []
    found = (_RESULT.match(clause.strip()) for clause in clauses)
    return words[0], [(one[1].lower(), one[2].lower()) for one in found if one]


def _strip_comments(value: str) -> str:
    for _ in range(_MAX_NESTING):
        value, changed = _COMMENT.subn(" ", value)
        if not changed:
            break
    return value


def trusted_received_time(source: bytes | Headers, relays: Collection[str]) -> datetime | None:
    """When our relay received the mail, aware UTC; it determines the day of sending.

    Only the topmost Received field counts, and only if it was written `by` one of `relays`
    (host names or addresses); call it only for mail that such a relay handed over. None if
    there is no such field or its date and zone cannot be read.
    """
    headers = split_headers(source) if isinstance(source, bytes) else source
    value = headers.first("received")
    if value is None:
        return None
    clauses, semicolon, stamp = _strip_comments(decode_raw(value)).rpartition(";")
    by = _BY.search(clauses)
    if not semicolon or by is None:
        return None
    names = {relay.lower().strip("[]") for relay in relays}
    return read_date(stamp) if by.group(1).lower().strip("[]") in names else None


def read_date(stamp: str) -> datetime | None:
    """The instant of a date as mail fields have it, aware UTC; None without a zone or a date."""
    if not _ZONE.search(stamp):
        return None
    try:
        fields = parsedate_tz(stamp.strip())
        if fields is None or fields[9] is None:
            return None
        local = datetime(*fields[:6], tzinfo=timezone(timedelta(seconds=fields[9])))
        return local.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


# Parses bytes into a ParsedMail: sender, ids, signals, and the one text that can hold a move.

_ID = re.compile(r"<[^\s<>@\[\]]{1,200}@[^\s<>@]{1,200}>")
_MAX_IDS = 50


@dataclass(frozen=True, slots=True)
class Signals:
    """What the headers say about who or what sent it. Strings in lower case, '' if absent.

    `loops`: values of X-Loop. `present`: the names of its fields.
    `report_type`: of a multipart/report. `calendar`: the mail has a calendar reply or request.
    """

    auto_submitted: str = ""
    precedence: str = ""
    report_type: str = ""
    calendar: bool = False
    loops: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A parsed mail. `date` is the header's text: the sender's claim, nothing more.

    `from_addr`: lower case, None if the From field is not exactly one plain mailbox. `text`: LF
    line ends, quotes included. `message_id` is None when missing, duplicated or malformed.
    `record`: a game in PGN that a program sent as a part of its own; `file` and `filed`: of what is
    attached, the first name and the text (`own_words.MailBody`).
    """

    from_addr: str | None
    from_name: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    message_id: str | None
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    date: str
    text: str
    signals: Signals
    defects: tuple[Defect, ...]
    record: str = ""
    file: str = ""
    filed: str = ""


def parse(raw: bytes) -> ParsedMail:
    """Parse a raw mail. About 150 µs for a 7 KB reply; bounded for any bytes (mime.py)."""
    headers = split_headers(raw[: mime.MAX_HEADER_BLOCK + 4])
    defects: set[Defect] = set()
    if not mime.check(raw).ok:
        defects.add(Defect.LIMIT)
        return _assemble(Headers(headers.fields[:50], headers.malformed, 0), None, defects)
    top = read_parts(headers, raw[headers.body_at :], defects)
    return _assemble(headers, top, defects)


def letter_texts(raw: bytes) -> tuple[str, ...]:
    """The texts of a letter of ours, as its readers' programs show and quote them."""
    headers = split_headers(raw[: mime.MAX_HEADER_BLOCK + 4])
    return list_visible_texts(read_parts(headers, raw[headers.body_at :], set()))


def _assemble(headers: Headers, top: MimePart | None, defects: set[Defect]) -> ParsedMail:
    if headers.malformed:
        defects.add(Defect.MALFORMED_HEADER)
    sender = FromAddress(None, "") if top is None else read_sender(headers)
    if sender.address is None:
        defects.add(Defect.SENDER)
    body = MailBody("", False) if top is None else read_body(top, defects)
    ids = headers.all("message-id")
    own_ids = _ids(*ids)
    return ParsedMail(
        from_addr=sender.address,
        from_name=sender.name,
        to=read_addresses(headers, "to"),
        cc=read_addresses(headers, "cc"),
        message_id=own_ids[0] if len(ids) == len(own_ids) == 1 else None,
        in_reply_to=_ids(*headers.all("in-reply-to")),
        references=_ids(*headers.all("references")),
        subject=headers.text("subject"),
        date=headers.text("date", 100),
        text=body.text,
        signals=_signals(headers, top, body),
        defects=tuple(sorted(defects)),
        record=body.record,
        file=body.file,
        filed=body.filed,
    )


def _ids(*values: bytes) -> tuple[str, ...]:
    # decoded: Python's own library writes a long id in encoded words
    found = [identity for value in values for identity in _ID.findall(decode_text(value))]
    return tuple(found[-_MAX_IDS:])


def _signals(headers: Headers, top: MimePart | None, body: MailBody) -> Signals:
    report = top if top is not None and top.kind == "multipart/report" else None
    return Signals(
        auto_submitted=_word(headers, "auto-submitted"),
        precedence=_word(headers, "precedence"),
        report_type=report.params.get("report-type", "").lower() or "unknown" if report else "",
        calendar=body.calendar,
        loops=tuple(decode_raw(value).strip().lower()[:200] for value in headers.all("x-loop"))[
            :10
        ],
        present=frozenset(name for name, _ in headers.fields),
    )


def _word(headers: Headers, name: str) -> str:
    """The field's first word: parameters and comments after it are ignored."""
    words = headers.text(name, 200).lower().replace(";", " ").replace("(", " ").split()
    return words[0] if words else ""
