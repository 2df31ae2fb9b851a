"""Letters held for their recipient's daily letter, and those the recipient does not want.

A letter is reported once: it stops waiting in the transaction that writes the daily letter. Not
for who wants what (usecases/letters/digest.py) nor for letters that are sent (outbox.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select, tuple_, update

from server.store.engine.connection import AsyncConnection
from server.store.mail.outbox import OutboxState
from server.store.tables.base import events, outbox


@dataclass(frozen=True, slots=True)
class Held:
    """A held letter: about which event of which game."""

    id: int
    game_id: int
    seq: int


async def put_off(conn: AsyncConnection, ids: Collection[int], until_us: int) -> None:
    """Hold claimed letters for the daily letter; one that is not queued stays as it is."""
    await _settle(conn, ids, OutboxState.HELD, until_us)


async def leave_out(conn: AsyncConnection, ids: Collection[int], now_us: int) -> None:
    """Leave claimed letters unsent for good."""
    await _settle(conn, ids, OutboxState.KEPT, now_us)


async def _settle(
    conn: AsyncConnection, ids: Collection[int], state: OutboxState, due_us: int
) -> None:
    mine = update(outbox).where(
        outbox.c.id.in_(list(ids)), outbox.c.state == OutboxState.QUEUED.value
    )
    await conn.execute(mine.values(state=state.value, due_us=due_us, attempts=0, holder=None))


def readers_due(conn: Connection, now_us: int) -> tuple[int, ...]:
    """The recipients whose daily letter is due now."""
    query = (
        select(outbox.c.person_id)
        .where(outbox.c.state == OutboxState.HELD.value, outbox.c.due_us <= now_us)
        .distinct()
        .order_by(outbox.c.person_id)
    )
    return tuple(conn.execute(query).scalars())


async def take(conn: AsyncConnection, person_id: int, now_us: int) -> tuple[Held, ...]:
    """Take a recipient's due held letters, oldest first; no two callers get the same ones."""
    mine = update(outbox).where(
        outbox.c.person_id == person_id,
        outbox.c.state == OutboxState.HELD.value,
        outbox.c.due_us <= now_us,
    )
    kept = mine.values(state=OutboxState.KEPT.value)
    rows = await conn.execute(kept.returning(outbox.c.id, outbox.c.game_id, outbox.c.seq))
    return tuple(sorted((Held(*row) for row in rows), key=lambda held: held.id))


def channels_of(
    conn: Connection, moments: Collection[tuple[int, int]]
) -> dict[tuple[int, int], str]:
    """The channel each event came through, by game and number."""
    if not moments:
        return {}
    named = tuple_(events.c.game_id, events.c.seq).in_(sorted(moments))
    rows = conn.execute(select(events.c.game_id, events.c.seq, events.c.channel).where(named))
    return {(row[0], row[1]): row[2] for row in rows}
