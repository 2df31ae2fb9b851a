"""Due work of games: rows claimed by a conditional update, so that several may poll.

``due_us`` is the time of record and never moves. Not for what is done when one is due.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine import Store
from server.store.instants import HOUR_US, MINUTE_US
from server.store.rows import columns_of
from server.store.tables import deadlines

LEASE_US = 10 * MINUTE_US
"""How long a claimed deadline is left to the one that claimed it."""

BACK_OFF_US = HOUR_US
"""How long a deadline that failed is left alone."""


@dataclass(frozen=True, slots=True)
class NewDeadline:
    """Due work. ``kind`` is one of the caller's closed set; one of each kind a game."""

    kind: str
    due_us: int


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """Due work as kept; ``seq`` is the game's when it was set."""

    game_id: int
    kind: str
    due_us: int
    wake_us: int
    seq: int
    attempts: int
    last_error: str | None


_SELECT = select(*columns_of(DeadlineRow, deadlines))
_TAKE = (
    update(deadlines)
    .where(
        deadlines.c.game_id == bindparam("of_game"),
        deadlines.c.kind == bindparam("of_kind"),
        deadlines.c.wake_us == bindparam("seen_us"),
    )
    .values(wake_us=bindparam("until_us"), attempts=deadlines.c.attempts + 1)
)


def deadline_values(game_id: int, seq: int, new: Iterable[NewDeadline]) -> list[dict[str, object]]:
    """Rows for an INSERT."""
    return [
        {"game_id": game_id, "kind": d.kind, "due_us": d.due_us, "wake_us": d.due_us, "seq": seq}
        for d in new
    ]


async def replace(
    conn: AsyncConnection, game_id: int, seq: int, new: Sequence[NewDeadline]
) -> None:
    """Set a game's due work anew."""
    await conn.execute(delete(deadlines).where(deadlines.c.game_id == game_id))
    if new:
        await conn.execute(insert(deadlines), deadline_values(game_id, seq, new))


async def claim(store: Store, now_us: int, limit: int = 256) -> tuple[DeadlineRow, ...]:
    """Take work that is due, the earliest first; it is ours for ``LEASE_US``, durably."""
    async with store.write() as conn:
        rows = await conn.execute(
            _SELECT.where(deadlines.c.wake_us <= now_us)
            .order_by(deadlines.c.wake_us, deadlines.c.game_id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        found = [DeadlineRow(*row) for row in rows]
        if found:
            await conn.execute(_TAKE, [_take(row, now_us + LEASE_US) for row in found])
    return tuple(sorted(found, key=lambda row: (row.due_us, row.game_id)))


def _take(row: DeadlineRow, until_us: int) -> dict[str, object]:
    return {
        "of_game": row.game_id,
        "of_kind": row.kind,
        "seen_us": row.wake_us,
        "until_us": until_us,
    }


async def done(conn: AsyncConnection, row: DeadlineRow) -> bool:
    """Take claimed work off the list; False when the game has set it anew meanwhile."""
    result = await conn.execute(
        delete(deadlines).where(
            deadlines.c.game_id == row.game_id,
            deadlines.c.kind == row.kind,
            deadlines.c.due_us == row.due_us,
            deadlines.c.seq == row.seq,
        )
    )
    return result.rowcount == 1


async def push(conn: AsyncConnection, row: DeadlineRow, error: str, now_us: int) -> None:
    """Leave work that failed alone for ``BACK_OFF_US``; the error is kept for an operator."""
    await conn.execute(
        update(deadlines)
        .where(deadlines.c.game_id == row.game_id, deadlines.c.kind == row.kind)
        .where(deadlines.c.seq == row.seq)
        .values(wake_us=now_us + BACK_OFF_US, last_error=error)
    )


async def of_game(conn: AsyncConnection, game_id: int) -> tuple[DeadlineRow, ...]:
    """A game's due work, the earliest first."""
    query = _SELECT.where(deadlines.c.game_id == game_id).order_by(deadlines.c.due_us)
    return tuple(DeadlineRow(*row) for row in await conn.execute(query))


async def failed(conn: AsyncConnection) -> tuple[DeadlineRow, ...]:
    """Work that failed and waits for another try: for an operator."""
    query = _SELECT.where(deadlines.c.last_error.is_not(None)).order_by(deadlines.c.due_us)
    return tuple(DeadlineRow(*row) for row in await conn.execute(query))


async def next_wake(conn: AsyncConnection) -> int | None:
    """When to look again (microseconds); None when nothing waits."""
    value = (await conn.execute(select(func.min(deadlines.c.wake_us)))).scalar_one()
    return None if value is None else int(value)
