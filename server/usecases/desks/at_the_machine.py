"""Whether somebody sits at the machine that the server runs on, with nothing in between.

Letters that never left and counters of the inside are shown to him without a password. NOT for
who is signed in.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
"""What proxies add."""


def is_direct(peer: str | None, host: str, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from this machine, asks for it, and was handed on by no proxy.

    ``peer`` is the connection's address, ``host`` the request's Host.
    """
    names = (peer, urlsplit(f"//{host}").hostname)
    return all(map(_is_loopback, names)) and not any(name in headers for name in _FORWARDED)


def is_public(site: str) -> bool:
    """Whether the address people use leads to the machine from elsewhere.

    Then a proxy stands in front, and one that says nothing of itself looks like this machine.
    """
    return not _is_loopback(urlsplit(site).hostname)


def _is_loopback(name: str | None) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name or "").is_loopback
    except ValueError:
        return False
