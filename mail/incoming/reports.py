"""Delivery reports: was a letter given up or is it only late, whatever form its server says it in.

The fields of RFC 3464 come first, wherever they stand; else the words and codes of a score of mail
systems. What quotes the letter itself is never read for a verdict, only for the address. NOT for
whether a report may be believed: anyone who got the letter can write one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mail.incoming import limits
from mail.incoming.headers import split_headers
from mail.incoming.htmltext import html_to_text
from mail.incoming.mime import Defect, Part, decode_part, read_parts
from mail.incoming.report_words import (
    FAILED,
    GIVEN_UP,
    HARD_CODE,
    REPLY,
    SOFT_CODE,
    STILL_TRIED,
)

LONGEST_SAID = 200
_LONGEST_READ = 64 * 1024
"""Characters read of each part: what a report has to say stands at its beginning."""
_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_FIELDS = re.compile(r"^[ \t]*(?:action|status)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_FIELD = re.compile(
    r"^[ \t]*(action|status|diagnostic-code)[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*){0,20})",
    re.IGNORECASE | re.MULTILINE,
)
_RETURNED = re.compile(
    r"^(?:received|return-path|message-id):|^[ >*#=_-]*(?:begin |below |this |line |here |is |an? "
    r"|the |your |copy |of )*(?:original|unsent|returned|rejected|failed)[ -](?:message|e?-?mail)"
    r"(?: (?:headers?|text|info|body|follows|below))*[ :.*#=_-]*$|^message headers follow"
    r"|^[ -]*(?:below |this |line |here |is )*a copy of (?:the|your) (?:original )?message",
    re.IGNORECASE | re.MULTILINE,
)
_XTEXT = re.compile(r"\+([0-9A-F]{2})")


class Fate(StrEnum):
    """What a report says of the letter. NONE: nothing, or that it arrived."""

    FAILED = "failed"
    DELAYED = "delayed"
    NONE = "none"


_ACTIONS = (
    ("fail", Fate.FAILED),
    ("delay", Fate.DELAYED),
    (("relay", "deliver", "expand"), Fate.NONE),
)


@dataclass(frozen=True, slots=True)
class Report:
    """A report's verdict, and its own words for it on one line.

    ``names_address``: whether the address it was read for occurs in it.
    """

    fate: Fate
    said: str
    names_address: bool


_NOTHING = Report(Fate.NONE, "", False)


def read_report(raw: bytes, address: str, *, is_daemons: bool) -> Report:
    """What a mail to a letter's return path says of the letter to ``address``. Never raises.

    ``is_daemons``: it looks like a mail system's; of any other mail only codes are believed, for a
    vacation text may well say «unknown».
    """
    if not limits.check(raw).ok:
        return _NOTHING
    headers = split_headers(raw)
    top = read_parts(headers, raw[headers.body_at :], set())
    told, fields, rest = _texts(top)
    subject = headers.text("subject")
    failed_for = [headers.text(name) for name in ("x-failed-recipients", "original-recipient")]
    everything = _XTEXT.sub(_unescaped, "\n".join((told, fields, rest, *failed_for))).casefold()
    named = bool(address) and _names(everything, address.casefold())
    fate = _by_fields(fields or told, address)
    if fate is None:
        fate = _by_words(subject, told, is_daemons=is_daemons)
    return Report(fate, (_said(fields or told, told, address) or subject)[:LONGEST_SAID], named)


def _names(text: str, address: str) -> bool:
    """Whole: «bo@example.net» is not named by «jumbo@example.net»."""
    return re.search(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", text) is not None


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match.group(1), 16))


def _texts(top: Part) -> tuple[str, str, str]:
    """What people read, the fields for programs, and the letter that came back."""
    told: list[str] = []
    fields: list[str] = []
    rest: list[str] = []
    for part in _leaves(top):
        text = _decoded(part)
        if part.kind in _STATUS_KINDS:
            fields.append(text)
        elif part.kind.startswith("message/") or part.kind == "text/rfc822-headers":
            rest.append(text)
        else:
            own, returned = _cut(text)
            told.append(own)
            rest.append(returned)
    return "\n".join(told), "\n\n".join(fields), "\n".join(rest)


def _leaves(part: Part) -> Iterable[Part]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)


def _decoded(part: Part) -> str:
    """A part as text; as it stands when its encoding is broken: a report is not played."""
    defects: set[Defect] = set()
    text = decode_part(part, defects)
    if Defect.ENCODING in defects:
        text = part.body.decode("us-ascii", "replace").replace("\r\n", "\n")
    return (html_to_text(text)[0] if part.kind == "text/html" else text)[:_LONGEST_READ]


def _cut(text: str) -> tuple[str, str]:
    """The report proper and the letter quoted below it."""
    found = _RETURNED.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def _by_fields(text: str, address: str) -> Fate | None:
    """By Action, which says what was done, else by Status; None without either (RFC 3464 2.3)."""
    groups = [group for group in re.split(r"\n[ \t]*\n", text) if _FIELDS.search(group)]
    mine = [group for group in groups if address and address.casefold() in group.casefold()]
    found = [_FIELD.findall(group) for group in mine or groups]
    said = [(name.lower(), value.lower()) for group in found for name, value in group]
    actions = [value for name, value in said if name == "action"]
    for beginning, fate in _ACTIONS:
        if any(value.startswith(beginning) for value in actions):
            return fate
    statuses = [value for name, value in said if name == "status"]
    if any(value.startswith("5") for value in statuses):
        return Fate.FAILED
    return Fate.DELAYED if any(value.startswith("4") for value in statuses) else None


def _by_words(subject: str, told: str, *, is_daemons: bool) -> Fate:
    text = " ".join(f"{subject}\n{told}".split())
    if not is_daemons:
        return Fate.FAILED if HARD_CODE.search(told) and FAILED.search(text) else Fate.NONE
    if STILL_TRIED.search(text) and not GIVEN_UP.search(text):
        return Fate.DELAYED
    if GIVEN_UP.search(text) or FAILED.search(text) or HARD_CODE.search(told):
        return Fate.FAILED
    return Fate.DELAYED if SOFT_CODE.search(told) else Fate.NONE


def _said(fields: str, told: str, address: str) -> str:
    """The reason as the recipient's server gave it, else the lines that name him, else the first.

    What is told for people often begins with a page of politeness.
    """
    for name, value in _FIELD.findall(fields):
        if name.lower() == "diagnostic-code":
            return " ".join(value.partition(";")[2].split() or value.split())
    lines = [line for line in (" ".join(each.split()) for each in told.split("\n")) if line]
    for reason in (REPLY, HARD_CODE, SOFT_CODE):
        found = next((line for line in lines if reason.search(line)), "")
        if found:
            return found
    wanted = address.casefold()
    at = next((i for i, line in enumerate(lines) if wanted and wanted in line.casefold()), 0)
    return " ".join(lines[at : at + 2])
