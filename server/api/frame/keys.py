"""The Idempotency-Key of a call. Not for where answers are kept (the store)."""

import re

from aiohttp import web

from server.api.frame.problems import Kind, Problem
from server.store.play.idempotency import IdempotencyKey

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def key_of(request: web.Request, person_id: int, body: bytes) -> IdempotencyKey | None:
    """The key of a call, None without one. Raises Problem for an invalid key.

    Surrounding quotes, as in structured headers, are ignored.
    """
    given = request.headers.get(HEADER)
    if given is None:
        return None
    if len(given) >= 2 and given[0] == given[-1] == '"':
        given = given[1:-1]
    if _KEY.fullmatch(given) is None:
        raise Problem(Kind.BAD_KEY)
    return IdempotencyKey.of(person_id, given, request.method, request.path, body)
