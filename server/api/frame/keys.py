"""The Idempotency-Key of a call. NOT where answers are kept (the store)."""

import re

from aiohttp import web

from server.api.frame.problems import Kind, Problem
from server.store.play.idempotency import IdempotencyKey

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def key_of(request: web.Request, person_id: int, body: bytes) -> IdempotencyKey | None:
    """The key of a call, None without one. Raises Problem for one that is no key.

    Quotes around it, as structured headers have them, do not count.
    """
    given = request.headers.get(HEADER)
    if given is None:
        return None
    if len(given) >= 2 and given[0] == given[-1] == '"':
        given = given[1:-1]
    if _KEY.fullmatch(given) is None:
        raise Problem(Kind.BAD_KEY)
    return IdempotencyKey.of(person_id, given, request.method, request.path, body)
