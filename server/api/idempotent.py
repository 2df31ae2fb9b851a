"""The Idempotency-Key of a call: what it is bound to. NOT where answers are kept (the store)."""

import hashlib
import re

from aiohttp import web

from server.api.problems import Kind, Problem

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def key_of(request: web.Request) -> str | None:
    """The key of a call, None without one. Raises Problem for one that is no key.

    Quotes around it, as structured headers have them, do not count.
    """
    given = request.headers.get(HEADER)
    if given is None:
        return None
    if len(given) > 2 and given[0] == given[-1] == '"':
        given = given[1:-1]
    if _KEY.fullmatch(given) is None:
        raise Problem(Kind.BAD_KEY)
    return given


def fingerprint(request: web.Request, body: bytes) -> bytes:
    """SHA-256 of what was asked: method, path and body."""
    line = f"{request.method} {request.path}\n".encode(errors="surrogateescape")
    return hashlib.sha256(line + body).digest()
