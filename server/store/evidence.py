"""The mails of a game as evidence: what came in, what went out, and when each was delivered.

Heads only; a mail's text is fetched one at a time. Not for who may see one (case_page.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.rows import columns_of
from server.store.tables import inbox, outbox

MOST = 200
"""Mails of each kind that are listed, the newest."""


@dataclass(frozen=True, slots=True)
class MailIn:
    """A mail that came in about a game: when, from whom, what became of it."""

    id: int
    game_id: int
    person_id: int | None
    received_us: int
    mail_from: str
    outcome: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class MailOut:
    """A letter of the server: when written, when the next server took it, or why not."""

    id: int
    game_id: int
    person_id: int | None
    kind: str
    created_us: int
    sent_us: int | None
    state: str
    attempts: int
    last_error: str | None


async def mails_in(conn: AsyncConnection, game_ids: Collection[int]) -> tuple[MailIn, ...]:
    """What came in about these games, the newest last."""
    query = select(*columns_of(MailIn, inbox)).where(inbox.c.game_id.in_(list(game_ids)))
    rows = await conn.execute(query.order_by(inbox.c.id.desc()).limit(MOST))
    return tuple(MailIn(*row) for row in rows)[::-1]


async def mails_out(conn: AsyncConnection, game_ids: Collection[int]) -> tuple[MailOut, ...]:
    """What went out about these games, the newest last."""
    query = select(*columns_of(MailOut, outbox)).where(outbox.c.game_id.in_(list(game_ids)))
    rows = await conn.execute(query.order_by(outbox.c.id.desc()).limit(MOST))
    return tuple(MailOut(*row) for row in rows)[::-1]
