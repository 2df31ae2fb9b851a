"""Where a request comes from: the client behind a proxy, and whether a form is ours."""

import hmac
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from aiohttp import web

from server.usecases.desks import at_the_machine
from server.web.frame.context import SESSION, core
from server.web.frame.token_mask import unmasked

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE = frozenset({"same-origin", "none"})
FIELD = "csrf"


def client_address(request: web.Request) -> str:
    """The client's address: the last hop that is not one of our trusted proxies.

    Of IPv6 the network (/64), which is what one client has: only who asks is to be told apart.
    """
    trusted = core(request).settings.web.trusted_proxies
    here = request.remote or ""
    said = request.headers.get("X-Forwarded-For", "").split(",")
    hops = [hop.strip() for hop in said if hop.strip()]
    while hops and _is_in(here, trusted):
        here = hops.pop()
    return _network(here)


def _network(address: str) -> str:
    try:
        known = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Network((known, 64), strict=False))


def _is_in(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    try:
        known = ip_address(address)
    except ValueError:
        return False
    return any(known in network for network in networks)


def is_here(request: web.Request) -> bool:
    """Whether the request comes from this machine itself."""
    site = core(request).settings.web.site
    return at_the_machine.is_here(site, request.remote, request.host, request.headers)


def is_own_site(request: web.Request) -> bool:
    """Whether the browser says that the request comes from one of our pages.

    Old browsers say nothing; then only the token in the form counts.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OWN_SITE
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    public = urlsplit(core(request).settings.web.site).netloc
    return urlsplit(origin).netloc in {request.host, public}


async def is_forged(request: web.Request) -> bool:
    """Whether a request that changes something was not sent from one of our forms."""
    if request.method in SAFE_METHODS:
        return False
    if not is_own_site(request):
        return True
    session = request.get(SESSION)
    if session is None:
        return False
    form = await request.post()
    given = form.get(FIELD, "")
    own = session.session.csrf.encode()
    return not (isinstance(given, str) and hmac.compare_digest(unmasked(given), own))
