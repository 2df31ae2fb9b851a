"""Stored pages that answered a form: sealed, tied to one session, kept for a while.

Not for sealing them or deciding which to keep (web/frame/answered_forms.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from server.store.engine.rows import columns_of, values_of
from server.store.tables.answered_pages import answered_pages

MOST_OF_SESSION = 30
"""Pages kept per session; the oldest are dropped first."""
MOST_OF_STRANGERS = 500
"""Pages kept for all visitors not signed in, together, so that nobody outside fills the disk."""


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    """A stored page. ``session``: digest of its session, None for a visitor not signed in."""

    digest: bytes
    session: bytes | None
    status: int
    body: bytes
    expires_us: int


def keep(conn: Connection, page: AnsweredPage) -> None:
    """Store a page, dropping the reader's oldest. StoreConflict when the session is gone."""
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
    """A stored page; None when unknown or expired."""
    kept = answered_pages.c
    query = select(*columns_of(AnsweredPage, answered_pages))
    row = conn.execute(query.where(kept.digest == digest, kept.expires_us > now_us)).one_or_none()
    return None if row is None else AnsweredPage(*row)
