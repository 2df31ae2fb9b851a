"""Who a mail says it is from: exactly one From field with exactly one plain mailbox, or nobody.

The known ways to show one sender and be another (routes, groups, two mailboxes, text after
the bracket, comments that a lenient parser drops) all give None here (§ 6.8.2 asks for the
sender's name and address). NOT for proof: DMARC is `mail.incoming.authresults`.
"""

import re
from dataclasses import dataclass

from mail.incoming.address import normal_address
from mail.incoming.headers import Headers, decode_text

_QUOTED = r'"(?:[^"\\]|\\.)*"'
# name <address>: the name is a quoted string or words without any special character
_NAMED = re.compile(rf'(?P<name>{_QUOTED}[ \t]*|[^"<>,:;\\]*)<(?P<address>[^<>\s"\\()]*)>')
# address (comment): the old form
_COMMENTED = re.compile(r'(?P<address>[^<>\s"\\(),:;]+)(?:[ \t]+\((?P<name>[^()<>@,:;"\\]*)\))?')
_SPECIALS = re.compile(r"[\s<>\"(),:;\\\[\]]+")
_QUOTED_STRING = re.compile(_QUOTED)
MAX_ADDRESSES = 100


@dataclass(frozen=True, slots=True)
class Sender:
    """The one mailbox of the one From field; `address` is None if there is none."""

    address: str | None
    name: str


def read_sender(headers: Headers) -> Sender:
    """The sender by the From field alone; Sender, Reply-To and Resent-From are ignored."""
    values = headers.all("from")
    if len(values) != 1 or headers.malformed:
        return Sender(None, "")
    try:
        text = values[0].decode("utf-8")
    except UnicodeDecodeError:
        text = values[0].decode("cp1252", "replace")  # an old client's 8-bit name
    found = _NAMED.fullmatch(text) or _COMMENTED.fullmatch(text)
    if found is None:
        return Sender(None, "")
    address = normal_address(found.group("address"))
    name = (found.group("name") or "").strip()
    if "@" in name and not name.startswith('"') and name.strip("'").lower() != address:
        return Sender(None, "")  # two addresses, one posing as the unquoted name
    return Sender(address, _plain_name(name)) if address else Sender(None, "")


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
