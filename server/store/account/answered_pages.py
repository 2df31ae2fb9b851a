"""Pages that answered a form, as the store keeps them: sealed, for one session, for a while.

Not for what seals them nor for when a page is kept (web/frame/answered_forms.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.rows import columns_of, values_of
from server.store.tables.answered_pages import answered_pages

MOST_OF_SESSION = 30
"""Pages kept for one session; the oldest make room."""
MOST_OF_STRANGERS = 500
"""Pages kept for all who are not signed in together: nobody fills the disk from outside."""


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    """A page as kept. ``session``: the digest of the one it was made for, None for a stranger."""

    digest: bytes
    session: bytes | None
    status: int
    body: bytes
    expires_us: int


def keep(conn: Connection, page: AnsweredPage) -> None:
    """Keep a page; the oldest of the same reader make room. StoreConflict when he is gone."""
    conn.execute(insert(answered_pages).values(values_of(page)))
    most = MOST_OF_STRANGERS if page.session is None else MOST_OF_SESSION
    kept = answered_pages.c
    same = kept.session.is_(None) if page.session is None else kept.session == page.session
    others = select(kept.digest).where(same, kept.digest != page.digest)
    newest = others.order_by(kept.expires_us.desc(), kept.digest)
    old = conn.execute(newest.offset(most - 1)).scalars().all()
    if old:
        conn.execute(delete(answered_pages).where(kept.digest.in_(old)))


def find(conn: Connection, digest: bytes, now_us: int) -> AnsweredPage | None:
    """A kept page; None when it is unknown or too old."""
    kept = answered_pages.c
    query = select(*columns_of(AnsweredPage, answered_pages))
    row = conn.execute(query.where(kept.digest == digest, kept.expires_us > now_us)).one_or_none()
    return None if row is None else AnsweredPage(*row)


async def forget_old(conn: AsyncConnection, now_us: int) -> None:
    """Remove the pages that are shown no more."""
    await conn.execute(delete(answered_pages).where(answered_pages.c.expires_us <= now_us))
