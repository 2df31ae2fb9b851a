"""Games' due work: part of a game's row, claimed by conditional update, so several may poll.

It is what falls due first; what follows is worked out once that is done, so a move notes one thing
instead of everything that may happen if nobody moves. ``due_us`` is the time of record and never
changes. A move usually puts it off, and then ``wake_us``, by which a poller finds it, stays where
it was: the poller moves it on when it comes by, once for many moves, each of which would else
write a page of its index. Not for carrying out due work.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, literal_column, null, select, update
from sqlalchemy.sql.elements import ColumnElement

from server.store.engine.connection import AsyncConnection
from server.store.engine.store import Store
from server.store.engine.types import HOUR_US, MINUTE_US
from server.store.tables.base import games

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


_SELECT = select(
    games.c.id,
    games.c.due_kind,
    games.c.due_us,
    games.c.wake_us,
    games.c.due_seq,
    games.c.attempts,
    games.c.last_error,
)
_CLAIMED = (games.c.id == bindparam("of_game"), games.c.wake_us == bindparam("seen_us"))
_TAKE = (
    update(games)
    .where(*_CLAIMED)
    .values(
        wake_us=bindparam("until_us"),
        attempts=games.c.attempts + 1,
        holder=bindparam("of_holder"),
    )
)
_PUT_OFF = update(games).where(*_CLAIMED).values(wake_us=games.c.due_us)

FRESH: dict[str, ColumnElement[Any]] = {
    "told_us": null(),
    "attempts": literal_column("0"),
    "last_error": null(),
    "holder": null(),
    "deaths": literal_column("0"),
}
"""What is set anew was never tried, and seldom comes after a reminder."""


def due_values(seq: int, new: Due) -> dict[str, object]:
    """The columns that say what falls due, with ``FRESH`` before them and ``wake_us`` beside."""
    if not new:
        return {"due_kind": None, "due_us": None, "due_seq": None}
    (one,) = new
    told = {} if one.told_us is None else {"told_us": one.told_us}
    return {"due_kind": one.kind, "due_us": one.due_us, "due_seq": seq, **told}


def wakes(new: Due) -> int | None:
    """When due work that is set anew is to be looked at."""
    return new[0].due_us if new else None


async def replace(conn: AsyncConnection, game_id: int, seq: int, new: Due) -> None:
    """Replace a game's due work."""
    values = FRESH | due_values(seq, new) | {"wake_us": wakes(new)}
    await conn.execute(update(games).where(games.c.id == game_id).values(values))


async def claim(store: Store, now_us: int, limit: int = 256) -> tuple[DeadlineRow, ...]:
    """Claim due work, earliest first; it is ours for ``LEASE_US``, durably.

    What is not due yet, as the game went on, is put off until it is.
    """
    while True:
        async with store.write() as conn:
            query = (
                _SELECT.where(games.c.wake_us <= now_us)
                .order_by(games.c.wake_us, games.c.id)
                .limit(limit)
                .with_for_update(skip_locked=True)
            )
            found = [DeadlineRow(*row) for row in await conn.execute(query)]
            due = [row for row in found if row.due_us <= now_us]
            if due:
                await conn.execute(_TAKE, [_take(row, store.holder, now_us) for row in due])
            if len(due) < len(found):
                await conn.execute(_PUT_OFF, [_seen(row) for row in found if row.due_us > now_us])
        if due or not found:
            return tuple(sorted(due, key=lambda row: (row.due_us, row.game_id)))


def _seen(row: DeadlineRow) -> dict[str, object]:
    return {"of_game": row.game_id, "seen_us": row.wake_us}


def _take(row: DeadlineRow, holder: str, now_us: int) -> dict[str, object]:
    return _seen(row) | {"until_us": now_us + LEASE_US, "of_holder": holder}


def _mine(row: DeadlineRow) -> Iterable[ColumnElement[bool]]:
    """The row, unless a later event has set it anew."""
    return (
        games.c.id == row.game_id,
        games.c.due_kind == row.kind,
        games.c.due_us == row.due_us,
        games.c.due_seq == row.seq,
    )


async def done(conn: AsyncConnection, row: DeadlineRow, then: Due) -> bool:
    """Replace claimed work with what follows; False when the game has meanwhile replaced it."""
    values = FRESH | due_values(row.seq, then) | {"wake_us": wakes(then)}
    return (await conn.execute(update(games).where(*_mine(row)).values(values))).rowcount == 1


async def push(conn: AsyncConnection, row: DeadlineRow, error: str, now_us: int) -> None:
    """Postpone failed work by ``BACK_OFF_US``; the error is stored for an operator."""
    await conn.execute(
        update(games)
        .where(*_mine(row))
        .values(wake_us=now_us + BACK_OFF_US, last_error=error, holder=None, deaths=0)
    )


async def of_game(conn: AsyncConnection, game_id: int) -> DeadlineRow | None:
    """A game's due work; None when there is none."""
    query = _SELECT.where(games.c.id == game_id, games.c.due_kind.is_not(None))
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else DeadlineRow(*row)
