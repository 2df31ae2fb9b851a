"""The processes working on this database, and releasing what a dead one had claimed.

A claim on a mail, a letter or due work carries its claimer's ``Store.holder``. What a process
postponed on purpose carries none and stays postponed. Not for telling whether a process is dead
(jobs/presence.py), nor for the claims themselves.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ScalarSelect, Table, delete, inspect, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, quiet_insert, values_of
from server.store.mail.due_work import LEASE_US
from server.store.mail.inbox import InboxState
from server.store.mail.outbox import MOST_DEATHS, OutboxState
from server.store.tables.base import games, inbox, outbox
from server.store.tables.processes import processes


@dataclass(frozen=True, slots=True)
class Process:
    """A process. ``born`` identifies it on its machine; ``seen_us`` is its last sign of life."""

    holder: str
    born: str
    seen_us: int


async def beat(conn: AsyncConnection, me: Process) -> None:
    """Record a sign of life; the first, or one after being presumed dead, registers the process."""
    await _signed(conn, me, values_of(me))


async def sign(conn: AsyncConnection, holder: str, seen_us: int) -> None:
    """Record a sign of life between two beats, registering the process if need be."""
    await _signed(conn, Process(holder, "", seen_us), {"seen_us": seen_us})


async def _signed(conn: AsyncConnection, me: Process, told: dict[str, object]) -> None:
    await conn.execute(quiet_insert(conn.dialect.name, processes).values(values_of(me)))
    await conn.execute(update(processes).where(processes.c.holder == me.holder).values(told))


async def leave(conn: AsyncConnection, holder: str) -> None:
    """Remove a process that ended cleanly and holds nothing."""
    await conn.execute(delete(processes).where(processes.c.holder == holder))


async def registered(conn: AsyncConnection) -> tuple[Process, ...]:
    """Every process, dead or alive; none where there are no tables yet."""
    if not await conn.run_sync(lambda c: inspect(c).has_table(processes.name)):
        return ()
    return await others(conn, "")


async def others(conn: AsyncConnection, holder: str) -> tuple[Process, ...]:
    """Every process but ``holder``, dead or alive."""
    query = select(*columns_of(Process, processes)).where(processes.c.holder != holder)
    return tuple(Process(*row) for row in await conn.execute(query))


async def give_back(conn: AsyncConnection, dead: Iterable[Process], now_us: int) -> int:
    """Remove dead processes and release what they had claimed, due now; return how many rows.

    Of several processes that find the same one dead, only one does it.
    """
    count = 0
    for one in dead:
        mine = (processes.c.holder == one.holder, processes.c.seen_us == one.seen_us)
        if (await conn.execute(delete(processes).where(*mine))).rowcount != 1:
            continue  # another process did it, or it is alive after all
        count += await _freed(conn, inbox, InboxState.NEW, one.holder, now_us)
        count += await _freed(conn, outbox, OutboxState.QUEUED, one.holder, now_us)
        due = update(games).where(games.c.id.in_(_claimed(one.holder, now_us)))
        count += (await conn.execute(due.values(wake_us=now_us, **_undone(games)))).rowcount
    return count


def _claimed(holder: str, now_us: int) -> ScalarSelect[int]:
    """The games whose due work a process holds; one that is locked is being changed anyway."""
    lately = games.c.wake_us <= now_us + LEASE_US
    mine = select(games.c.id).where(lately, games.c.holder == holder, games.c.deaths < MOST_DEATHS)
    return mine.order_by(games.c.id).with_for_update(skip_locked=True).scalar_subquery()


async def _freed(
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
