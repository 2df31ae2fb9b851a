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

from sqlalchemy import (
    ScalarSelect,
    Table,
    bindparam,
    delete,
    inspect,
    literal_column,
    null,
    select,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import (
    HOUR_US,
    MINUTE_US,
    columns_of,
    insert_of,
    quiet_insert,
    rows_of,
    values_of,
)
from server.store.engine.store import Store
from server.store.mail.inbox import InboxState
from server.store.mail.outbox import MOST_DEATHS, OutboxState
from server.store.tables.base import duties, games, inbox, outbox, processes

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


_OF_GAMES = ("id", "due_kind", "due_us", "wake_us", "due_seq", "attempts", "last_error")
_SELECT = select(*games.c[_OF_GAMES])
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
    notice = {} if one.told_us is None else {"told_us": one.told_us}
    return {"due_kind": one.kind, "due_us": one.due_us, "due_seq": seq, **notice}


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
            taken = {"until_us": now_us + LEASE_US, "of_holder": store.holder}
            if due:
                await conn.execute(_TAKE, [_seen(row) | taken for row in due])
            if later := [_seen(row) for row in found if row.due_us > now_us]:
                await conn.execute(_PUT_OFF, later)
        if due or not found:
            return tuple(sorted(due, key=lambda row: (row.due_us, row.game_id)))


def _seen(row: DeadlineRow) -> dict[str, object]:
    return {"of_game": row.game_id, "seen_us": row.wake_us}


def _mine(row: DeadlineRow) -> Iterable[ColumnElement[bool]]:
    """The row, unless a later event has set it anew."""
    return (
        games.c.id == row.game_id,
        games.c.due_kind == row.kind,
        games.c.due_us == row.due_us,
        games.c.due_seq == row.seq,
    )


async def finish_due_work(conn: AsyncConnection, row: DeadlineRow, then: Due) -> bool:
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


# Recurring duties: the day each was last done for, so that a restart repeats none.


async def take(conn: AsyncConnection, name: str, done_for: str, now_us: int) -> bool:
    """Claim a duty for this day (ISO), marking it done; False when it already was.

    Only one of several processes gets it. Do the duty in the same transaction.
    """
    values = {"done_for": done_for, "done_us": now_us}
    new = insert_of(conn.dialect.name, duties).values(name=name, **values)
    is_late = duties.c.done_for < done_for
    once = new.on_conflict_do_update(index_elements=["name"], set_=values, where=is_late)
    return (await conn.execute(once)).rowcount == 1


async def days_done(conn: AsyncConnection) -> dict[str, str]:
    """The day each duty was last done for, by name."""
    found = await conn.execute(select(duties.c.name, duties.c.done_for))
    return {str(name): str(day) for name, day in found}


async def last(conn: AsyncConnection, name: str) -> str | None:
    """The day a duty was last done for."""
    query = select(duties.c.done_for).where(duties.c.name == name)
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else str(value)


# The processes working on this database, and releasing what a dead one had claimed.


@dataclass(frozen=True, slots=True)
class Process:
    """A process. ``born`` identifies it on its machine; ``seen_us`` is its last sign of life."""

    holder: str
    born: str
    seen_us: int


async def beat(conn: AsyncConnection, me: Process) -> None:
    """Record a sign of life; the first, or one after being presumed dead, registers the process."""
    await _record_sign(conn, me, values_of(me))


async def sign(conn: AsyncConnection, holder: str, seen_us: int) -> None:
    """Record a sign of life between two beats, registering the process if need be."""
    await _record_sign(conn, Process(holder, "", seen_us), {"seen_us": seen_us})


async def _record_sign(conn: AsyncConnection, me: Process, values: dict[str, object]) -> None:
    await conn.execute(quiet_insert(conn.dialect.name, processes).values(values_of(me)))
    await conn.execute(update(processes).where(processes.c.holder == me.holder).values(values))


async def leave(conn: AsyncConnection, holder: str) -> None:
    """Remove a process that ended cleanly and holds nothing."""
    await conn.execute(delete(processes).where(processes.c.holder == holder))


async def list_processes(conn: AsyncConnection) -> tuple[Process, ...]:
    """Every process, dead or alive; none where there are no tables yet."""
    if not await conn.run_sync(lambda c: inspect(c).has_table(processes.name)):
        return ()
    return await list_other_processes(conn, "")


async def list_other_processes(conn: AsyncConnection, holder: str) -> tuple[Process, ...]:
    """Every process but ``holder``, dead or alive."""
    query = select(*columns_of(Process, processes)).where(processes.c.holder != holder)
    return rows_of(Process, await conn.execute(query))


async def release_dead_processes(
    conn: AsyncConnection, dead: Iterable[Process], now_us: int
) -> int:
    """Remove dead processes and release what they had claimed, due now; return how many rows.

    Of several processes that find the same one dead, only one does it.
    """
    count = 0
    for one in dead:
        mine = (processes.c.holder == one.holder, processes.c.seen_us == one.seen_us)
        if (await conn.execute(delete(processes).where(*mine))).rowcount != 1:
            continue  # another process did it, or it is alive after all
        count += await _release_rows(conn, inbox, InboxState.NEW, one.holder, now_us)
        count += await _release_rows(conn, outbox, OutboxState.QUEUED, one.holder, now_us)
        due = update(games).where(games.c.id.in_(_select_claimed_games(one.holder, now_us)))
        count += (await conn.execute(due.values(wake_us=now_us, **_undone(games)))).rowcount
    return count


def _select_claimed_games(holder: str, now_us: int) -> ScalarSelect[int]:
    """The games whose due work a process holds; one that is locked is being changed anyway."""
    lately = games.c.wake_us <= now_us + LEASE_US
    mine = select(games.c.id).where(lately, games.c.holder == holder, games.c.deaths < MOST_DEATHS)
    return mine.order_by(games.c.id).with_for_update(skip_locked=True).scalar_subquery()


async def _release_rows(
    conn: AsyncConnection, queue: Table, waiting: str, holder: str, now_us: int
) -> int:
    mine = update(queue).where(
        queue.c.state == str(waiting),
        queue.c.due_us > now_us,
        queue.c.holder == holder,
        queue.c.deaths < MOST_DEATHS,
    )
    again = now_us if queue is inbox else outbox.c.created_us  # before what was written since
    return (await conn.execute(mine.values(due_us=again, **_undone(queue)))).rowcount


async def free_letters(conn: AsyncConnection, holder: str, now_us: int) -> int:
    """Release the letters that many processes died with, once ``holder`` has sent one, or has had
    none to send for a while; how many.

    They were not the cause, then. One that kills each process that sends it is released as often
    again, and then waits out its lease. What a living process holds is its own.
    """
    alive = select(processes.c.holder)
    parked = update(outbox).where(
        outbox.c.state == OutboxState.QUEUED.value,
        outbox.c.due_us > now_us,
        outbox.c.deaths.between(MOST_DEATHS, 2 * MOST_DEATHS - 1),
        outbox.c.holder != holder,
        outbox.c.holder.not_in(alive),
    )
    values = {"due_us": outbox.c.created_us, **_undone(outbox)}
    return (await conn.execute(parked.values(**values))).rowcount


def _undone(queue: Table) -> dict[str, object]:
    """An attempt cut short by a death does not count: it must not lengthen later waits."""
    return {"holder": None, "attempts": queue.c.attempts - 1, "deaths": queue.c.deaths + 1}
