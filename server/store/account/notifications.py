"""Browsers enrolled for notifications, and which moves each has yet to be told about.

What is due follows from the games themselves: a game is longer than when the browser was last
told, and it is its person's turn. Moves write nothing for this, and none is lost when a process
dies. Not for sending (jobs/notify.py) nor for the wording (use cases).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, literal, or_, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import (
    HOUR_US,
    MINUTE_US,
    columns_of,
    quiet_insert,
    rows_of,
)
from server.store.play.game_lists import awaits
from server.store.tables.base import games, sessions
from server.store.tables.people import push_browsers, push_told

LEASE_US = 2 * MINUTE_US
"""How long a claimed notification is reserved for the process that claimed it."""
PAUSES_US = (MINUTE_US, 10 * MINUTE_US, HOUR_US)
"""Waits after the first, second … failed attempt for one move; then it is given up."""
MOST_FAILURES = 20
"""Consecutive failures after which a browser is considered gone."""


@dataclass(frozen=True, slots=True)
class BrowserRow:
    """An enrolled browser. ``session`` is the digest of its session."""

    person_id: int
    session: bytes
    endpoint: str
    key: bytes
    auth: bytes
    browser: str
    created_us: int
    id: int
    ok_us: int | None
    failures: int


@dataclass(frozen=True, slots=True)
class DueNotification:
    """A move a browser is to be told about: the game's length and the attempts so far."""

    browser: BrowserRow
    game_id: int
    ply: int
    attempts: int


async def enrol(conn: AsyncConnection, new: Mapping[str, Any]) -> None:
    """Store a browser, ``new`` by columns; moves made so far count as told.

    Any previous owner loses it.
    """
    await conn.execute(delete(push_browsers).where(push_browsers.c.endpoint == new["endpoint"]))
    made = insert(push_browsers).values(new).returning(push_browsers.c.id)
    browser_id = (await conn.execute(made)).scalar_one()
    mine = or_(games.c.white_id == new["person_id"], games.c.black_id == new["person_id"])
    names = ["browser_id", "game_id", "ply", "due_us"]
    as_now = select(
        literal(browser_id, push_told.c.browser_id.type),
        games.c.id,
        games.c.ply,
        literal(new["created_us"], push_told.c.due_us.type),
    ).where(mine, games.c.result.is_(None))
    await conn.execute(insert(push_told).from_select(names, as_now))


async def list_person_browsers(conn: AsyncConnection, person_id: int) -> tuple[BrowserRow, ...]:
    """A person's browsers, newest first."""
    query = select(*columns_of(BrowserRow, push_browsers))
    query = query.where(push_browsers.c.person_id == person_id)
    return rows_of(BrowserRow, await conn.execute(query.order_by(push_browsers.c.id.desc())))


async def remove(conn: AsyncConnection, browser_id: int, person_id: int | None = None) -> bool:
    """Remove a browser if it belongs to this person (None: to anyone); False if not."""
    query = delete(push_browsers).where(push_browsers.c.id == browser_id)
    if person_id is not None:
        query = query.where(push_browsers.c.person_id == person_id)
    return (await conn.execute(query)).rowcount == 1


def is_due(conn: Connection, now_us: int) -> bool:
    """Whether any notification is due now."""
    return conn.execute(_due_now(now_us, 1)).first() is not None


async def claim(conn: AsyncConnection, now_us: int, most: int) -> tuple[DueNotification, ...]:
    """Claim what is due now, each for ``LEASE_US``; no two claimers get the same one."""
    taken = []
    for row in await conn.execute(_due_now(now_us, most)):
        due = DueNotification(BrowserRow(*row[3:]), *row[:3])
        key = {"browser_id": due.browser.id, "game_id": due.game_id}
        if due.attempts < 0:
            fresh = key | {"ply": 0, "attempts": 0, "due_us": now_us}
            await conn.execute(quiet_insert(conn.dialect.name, push_told).values(fresh))
        mine = update(push_told).where(
            push_told.c.browser_id == due.browser.id,
            push_told.c.game_id == due.game_id,
            push_told.c.ply < due.ply,
            push_told.c.due_us <= now_us,
        )
        row = await conn.execute(
            mine.values(due_us=now_us + LEASE_US, attempts=push_told.c.attempts + 1).returning(
                push_told.c.attempts
            )
        )
        attempts = row.scalar_one_or_none()
        if attempts is not None:
            taken.append(DueNotification(due.browser, due.game_id, due.ply, attempts))
    return tuple(taken)


def _due_now(now: int, most: int) -> Select[Any]:
    """One query over the games in which a person with an enrolled browser is to move."""
    seen = push_told.c
    return (
        select(
            games.c.id,
            games.c.ply,
            func.coalesce(seen.attempts, -1),
            *columns_of(BrowserRow, push_browsers),
        )
        .join(sessions, sessions.c.digest == push_browsers.c.session)
        # + 0: from the browsers to their games. From all games to the browsers is the way SQLite
        # prefers while it has not counted those, and takes 35 ms at 100,000 games.
        .join(games, awaits(push_browsers.c.person_id + 0))
        .outerjoin(
            push_told, (seen.browser_id == push_browsers.c.id) & (seen.game_id == games.c.id)
        )
        .where(
            sessions.c.expires_us > now,
            games.c.ply > func.coalesce(seen.ply, 0),
            func.coalesce(seen.due_us, 0) <= now,
        )
        .order_by(push_browsers.c.id, games.c.id)
        .limit(most)
    )


async def mark_notified(
    conn: AsyncConnection, due: DueNotification, now_us: int, *, has_gone: bool
) -> None:
    """Mark a game as told up to this move; ``has_gone`` False when nothing was delivered."""
    await _set(conn, due, ply=due.ply, attempts=0, due_us=now_us)
    if has_gone:
        of_browser = update(push_browsers).where(push_browsers.c.id == due.browser.id)
        await conn.execute(of_browser.values(ok_us=now_us, failures=0))


async def mark_failed(conn: AsyncConnection, due: DueNotification, now_us: int) -> None:
    """Retry later; give this move up after some attempts and the browser after many."""
    of_browser = update(push_browsers).where(push_browsers.c.id == due.browser.id)
    await conn.execute(of_browser.values(failures=push_browsers.c.failures + 1))
    if due.browser.failures + 1 >= MOST_FAILURES:
        await remove(conn, due.browser.id)
    elif due.attempts > len(PAUSES_US):
        await mark_notified(conn, due, now_us, has_gone=False)
    else:
        await _set(conn, due, due_us=now_us + PAUSES_US[due.attempts - 1])


async def _set(conn: AsyncConnection, due: DueNotification, **values: int) -> None:
    row = update(push_told).where(
        push_told.c.browser_id == due.browser.id, push_told.c.game_id == due.game_id
    )
    await conn.execute(row.values(**values))
