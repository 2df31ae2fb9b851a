"""What our own relay established about a mail: its DMARC verdict, and when it was received.

Both come from header fields that anyone can write, so both are read only if the peer that
handed us the mail is our relay, and only where the relay writes: at the top. NOT for checking
signatures: the relay does that.
"""

import re
from collections.abc import Collection
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from enum import StrEnum

from mail.incoming.headers import Headers, decode_raw, split_headers

_COMMENT = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
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
    head, *clauses = _uncommented(_QUOTED.sub('""', value)).split(";")
    words = head.split()
    if not words or len(words) > 2:
        return "", []
    found = (_RESULT.match(clause.strip()) for clause in clauses)
    return words[0], [(one[1].lower(), one[2].lower()) for one in found if one]


def _uncommented(value: str) -> str:
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
    clauses, semicolon, stamp = _uncommented(decode_raw(value)).rpartition(";")
    by = _BY.search(clauses)
    if not semicolon or by is None:
        return None
    names = {relay.lower().strip("[]") for relay in relays}
    return _read_date(stamp) if by.group(1).lower().strip("[]") in names else None


def _read_date(stamp: str) -> datetime | None:
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
