"""Letters about a game that belong into the file of its case (§ 6.3.4, § 6.8.3).

Not for the papers themselves (papers.py) nor for sending (mail/outbox.py).
"""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.cases.cases_and_events import SELECT_CASE, CaseRow
from server.store.engine.rows import columns_of
from server.store.mail.outbox import OutboxRow, OutboxState
from server.store.tables.base import outbox
from server.store.tables.cases import case_papers, cases


async def newest_case(
    conn: AsyncConnection, game_id: int, kinds: Collection[str]
) -> CaseRow | None:
    """The newest case of some kinds about a game, open or closed."""
    query = SELECT_CASE.where(cases.c.game_id == game_id, cases.c.kind.in_(list(kinds)))
    row = (await conn.execute(query.order_by(cases.c.id.desc()).limit(1))).one_or_none()
    return None if row is None else CaseRow(*row)


async def opened_since(
    conn: AsyncConnection, kinds: Collection[str], since_us: int
) -> tuple[int, ...]:
    """The games about which a case of some kinds was opened since an instant."""
    query = select(cases.c.game_id).where(
        cases.c.kind.in_(list(kinds)), cases.c.opened_us >= since_us, cases.c.game_id.is_not(None)
    )
    return tuple(dict.fromkeys((await conn.execute(query.order_by(cases.c.id))).scalars()))


async def unfiled(
    conn: AsyncConnection, case: CaseRow, kinds: Collection[str], since_us: int
) -> tuple[OutboxRow, ...]:
    """Letters about the case's game that have gone since an instant and are not in its file."""
    filed = select(case_papers.c.outbox_id).where(
        case_papers.c.case_id == case.id, case_papers.c.outbox_id.is_not(None)
    )
    query = select(*columns_of(OutboxRow, outbox)).where(
        outbox.c.game_id == case.game_id,
        outbox.c.kind.in_(list(kinds)),
        outbox.c.state == OutboxState.SENT.value,
        outbox.c.raw.is_not(None),
        outbox.c.created_us >= since_us,
        outbox.c.id.not_in(filed),
    )
    if case.closed_us is not None:
        query = query.where(outbox.c.created_us <= case.closed_us)
    return tuple(OutboxRow(*row) for row in await conn.execute(query.order_by(outbox.c.id)))
