"""Games' due work: one row per game, claimed by conditional update, so several may poll.

The row is what falls due first; what follows is worked out once that is done, so a move writes
one row instead of one for everything that may happen if nobody moves. ``due_us`` is the time
of record and never changes. Not for carrying out due work.
"""

from functools import cache
from typing import Any

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlalchemy.sql.dml import Insert
from sqlalchemy.sql.elements import KeyedColumnElement

from kskak.values.quick_values import dataclass
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import Prepared, columns_of, insert_of
from server.store.engine.store import Store
from server.store.engine.types import HOUR_US, MINUTE_US
from server.store.tables.base import deadlines

LEASE_US = 10 * MINUTE_US
"""How long a claimed deadline is reserved for its claimer."""

BACK_OFF_US = HOUR_US
"""How long a failed deadline is left alone."""


@dataclass(frozen=True, slots=True)
class NewDeadline:
    """What falls due first in a game. ``kind`` is one of the caller's closed set.

    ``told_us``: when the leader is to be notified of the silence, if a reminder has been sent: a
    desk lists these games (§ 6.3.4).
    """

    kind: str
    due_us: int
    told_us: int | None = None


Due = tuple[NewDeadline] | tuple[()]
"""A game's due work, or nothing."""


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """Stored due work; ``seq`` is the game's at the time it was set."""

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
        deadlines.c.wake_us == bindparam("seen_us"),
    )
    .values(
        wake_us=bindparam("until_us"),
        attempts=deadlines.c.attempts + 1,
        holder=bindparam("of_holder"),
    )
)


def deadline_values(game_id: int, seq: int, new: NewDeadline) -> dict[str, object]:
    """A row for ``set_deadline``."""
    return {
        "game_id": game_id,
        "kind": new.kind,
        "due_us": new.due_us,
        "wake_us": new.due_us,
        "told_us": new.told_us,
        "seq": seq,
        "attempts": 0,
        "deaths": 0,
        "last_error": None,
        "holder": None,
    }


@cache
def set_deadline(dialect: str) -> Insert:
    """An INSERT that replaces the game's previous due work."""
    made = insert_of(dialect, deadlines)
    return made.on_conflict_do_update(index_elements=["game_id"], set_=_taken(made.excluded))


def _taken(
    new: ReadOnlyColumnCollection[str, KeyedColumnElement[Any]],
) -> dict[str, KeyedColumnElement[Any]]:
    return {column.name: new[column.name] for column in deadlines.c if not column.primary_key}


async def replace(conn: AsyncConnection, game_id: int, seq: int, new: Due) -> None:
    """Replace a game's due work."""
    if not new:
        await conn.execute(delete(deadlines).where(deadlines.c.game_id == game_id))
        return
    await conn.execute(set_deadline(conn.dialect.name), deadline_values(game_id, seq, *new))


_DUE = Prepared(
    lambda now_us, limit: (
        _SELECT.where(deadlines.c.wake_us <= now_us)
        .order_by(deadlines.c.wake_us, deadlines.c.game_id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
)


async def claim(store: Store, now_us: int, limit: int = 256) -> tuple[DeadlineRow, ...]:
    """Claim due work, earliest first; it is ours for ``LEASE_US``, durably."""
    async with store.write() as conn:
        found = [DeadlineRow(*row) for row in await conn.execute(*_DUE(now_us, limit))]
        if found:
            await conn.execute(_TAKE, [_take(row, store.holder, now_us) for row in found])
    return tuple(sorted(found, key=lambda row: (row.due_us, row.game_id)))


def _take(row: DeadlineRow, holder: str, now_us: int) -> dict[str, object]:
    return {
        "of_game": row.game_id,
        "seen_us": row.wake_us,
        "until_us": now_us + LEASE_US,
        "of_holder": holder,
    }


async def done(conn: AsyncConnection, row: DeadlineRow, then: Due) -> bool:
    """Replace claimed work with what follows; False when the game has meanwhile replaced it."""
    mine = (
        deadlines.c.game_id == row.game_id,
        deadlines.c.kind == row.kind,
        deadlines.c.due_us == row.due_us,
        deadlines.c.seq == row.seq,
    )
    if not then:
        return (await conn.execute(delete(deadlines).where(*mine))).rowcount == 1
    values = deadline_values(row.game_id, row.seq, *then)
    return (await conn.execute(update(deadlines).where(*mine).values(values))).rowcount == 1


async def push(conn: AsyncConnection, row: DeadlineRow, error: str, now_us: int) -> None:
    """Postpone failed work by ``BACK_OFF_US``; the error is stored for an operator."""
    await conn.execute(
        update(deadlines)
        .where(deadlines.c.game_id == row.game_id, deadlines.c.kind == row.kind)
        .where(deadlines.c.due_us == row.due_us, deadlines.c.seq == row.seq)
        .values(wake_us=now_us + BACK_OFF_US, last_error=error, holder=None, deaths=0)
    )


async def of_game(conn: AsyncConnection, game_id: int) -> DeadlineRow | None:
    """A game's due work; None when there is none."""
    row = (await conn.execute(_SELECT.where(deadlines.c.game_id == game_id))).one_or_none()
    return None if row is None else DeadlineRow(*row)
