"""Questions asked once and awaiting a yes: resigning, accepting a draw, a held mail.

Only the SHA-256 digest of the key is stored. Not for what a yes does.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import confirmations


@dataclass(frozen=True, slots=True, kw_only=True)
class NewConfirmation:
    """A question. ``sent_us`` is the instant that counts; ``params`` is JSON text."""

    digest: bytes
    person_id: int
    game_id: int
    ply: int
    kind: str
    sent_us: int
    expires_us: int
    inbox_id: int | None = None
    params: str = "{}"


@dataclass(frozen=True, slots=True)
class ConfirmationRow:
    """A stored question."""

    digest: bytes
    person_id: int
    game_id: int
    ply: int
    kind: str
    inbox_id: int | None
    sent_us: int
    params: str
    expires_us: int
    used_us: int | None


_SELECT = select(*columns_of(ConfirmationRow, confirmations))


def confirmation_values(new: Iterable[NewConfirmation]) -> list[dict[str, object]]:
    """Rows for an INSERT."""
    return [values_of(question) for question in new]


async def add(conn: AsyncConnection, new: NewConfirmation) -> None:
    """Store a question."""
    await conn.execute(insert(confirmations).values(values_of(new)))


async def find(conn: AsyncConnection, digest: bytes) -> ConfirmationRow | None:
    """A question by its key's digest, answered or not."""
    row = (await conn.execute(_SELECT.where(confirmations.c.digest == digest))).one_or_none()
    return None if row is None else ConfirmationRow(*row)


async def of_game(conn: AsyncConnection, game_id: int) -> tuple[ConfirmationRow, ...]:
    """A game's questions, oldest first."""
    query = _SELECT.where(confirmations.c.game_id == game_id)
    rows = await conn.execute(query.order_by(confirmations.c.sent_us))
    return tuple(ConfirmationRow(*row) for row in rows)


async def use(conn: AsyncConnection, digest: bytes, now_us: int) -> ConfirmationRow | None:
    """Answer a question once; None when unknown, answered or expired."""
    result = await conn.execute(
        update(confirmations)
        .where(
            confirmations.c.digest == digest,
            confirmations.c.used_us.is_(None),
            confirmations.c.expires_us > now_us,
        )
        .values(used_us=now_us)
        .returning(*columns_of(ConfirmationRow, confirmations))
    )
    row = result.one_or_none()
    return None if row is None else ConfirmationRow(*row)
