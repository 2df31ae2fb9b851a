"""Stored responses to requests with an ``Idempotency-Key``, so that a repeat changes nothing.

The handler looks up the key and stores the response in the transaction of the change itself.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import quiet_insert, values_of
from server.store.engine.turns import hold
from server.store.tables.base import idempotency


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A person's key and the digest of the request it came with."""

    person_id: int
    key: str
    request: bytes

    @staticmethod
    def of(person_id: int, key: str, method: str, path: str, body: bytes) -> "IdempotencyKey":
        """The key of a request."""
        request = hashlib.sha256(f"{method} {path}\n".encode() + body).digest()
        return IdempotencyKey(person_id, key, request)


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response as given; ``created_us``: when."""

    status: int
    body: str
    created_us: int


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored under a key."""

    request: bytes
    response: StoredResponse


async def find(conn: AsyncConnection, key: IdempotencyKey) -> Known | None:
    """What is stored under a key, whatever request it came with."""
    query = select(
        idempotency.c.request, idempotency.c.status, idempotency.c.body, idempotency.c.created_us
    ).where(idempotency.c.person_id == key.person_id, idempotency.c.key == key.key)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else Known(bytes(row[0]), StoredResponse(*row[1:]))


async def lock(conn: AsyncConnection, key: IdempotencyKey) -> None:
    """Lock this key until the transaction ends."""
    await conn.run_sync(hold, f"answer {key.person_id} {key.key}")


async def keep(conn: AsyncConnection, key: IdempotencyKey, response: StoredResponse) -> None:
    """Store a response outside a batch; the first one stored for a key stays."""
    values = values_of(response) | {"person_id": key.person_id, "key": key.key}
    statement = quiet_insert(conn.dialect.name, idempotency)
    await conn.execute(statement.values(values | {"request": key.request}))
