"""Tells whether a visitor sits at the machine that the server runs on, with nothing in between.

Such a visitor sees unsent letters and internal counters without a password. NOT for who is
signed in.
"""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
"""What proxies add."""


def is_here(site: str, peer: str | None, host: str, headers: Mapping[str, str]) -> bool:
    """True if a request comes from this machine, on a site that none but it can reach."""
    return not is_public(site) and is_direct(peer, host, headers)


def is_direct(peer: str | None, host: str, headers: Mapping[str, str]) -> bool:
    """True if a request comes from this machine, is addressed to it, and passed no proxy.

    ``peer`` is the connection's address, ``host`` the request's Host.
    """
    is_here = _is_loopback(peer) and _is_loopback(_name_in(host))
    return is_here and not any(map(headers.__contains__, _FORWARDED))


@lru_cache(maxsize=1)
def is_public(site: str) -> bool:
    """True if the public address reaches the machine from elsewhere.

    Then a proxy is in front, and one that adds no headers looks like this machine.
    """
    return not _is_loopback(urlsplit(site).hostname)


@lru_cache(maxsize=64)
def _name_in(host: str) -> str | None:
    return urlsplit(f"//{host}").hostname


@lru_cache(maxsize=64)
def _is_loopback(name: str | None) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name or "").is_loopback
    except ValueError:
        return False
