"""Addresses: what we accept, the reply address of a position, the return path of a letter.

The key is opaque here: only the server knows which player and position it was made for.
NOT for reading a From field (`mail.incoming.sender`).
"""

import re
import unicodedata

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
    return _tagged(local, own if has_room else key, domain)


def key_of(address: str, local: str, domain: str) -> str | None:
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
    return _tagged(local, _ASKED + token, domain)


def question_token_of(address: str, local: str, domain: str) -> str | None:
    """The token in such an address of ours; None for any other address."""
    return _token_of(address, local, domain, _ASKED)


def return_path(local: str, token: str, domain: str) -> str:
    """`<local>+b-<token>@<domain>`: where one letter's bounce comes back (VERP)."""
    if not _TOKEN.fullmatch(token):
        raise ValueError("a bounce token is 8 to 50 of a-z and 0-9")
    return _tagged(local, _BOUNCE + token, domain)


def bounce_token_of(address: str, local: str, domain: str) -> str | None:
    """The token in a return path of ours; None for any other address."""
    return _token_of(address, local, domain, _BOUNCE)


def _token_of(address: str, local: str, domain: str, before: str) -> str | None:
    tag = _tag_of(address, local, domain)
    if tag is None or not tag.startswith(before):
        return None
    token = tag.removeprefix(before)
    return token if _TOKEN.fullmatch(token) else None


def _tagged(local: str, tag: str, domain: str) -> str:
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
