"""Browsers enrolled for notifications and programs' webhooks, and what each has yet to be told.

What is due follows from the games themselves: a game is longer than when the browser was last
told, and it is its person's turn. Moves write nothing for this, and none is lost when a process
dies. Not for sending (jobs/notify.py) nor for the wording (use cases).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Update,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import HOUR_US, MINUTE_US, columns_of, quiet_insert, rows_of
from server.store.play.game_lists import awaits
from server.store.tables.base import api_tokens, games, sessions
from server.store.tables.people import push_browsers, push_told, webhook_told, webhooks

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


# Webhooks: addresses of programs that are told of a person's games, each while its token stands.

MOST_HOOKS = 5
"""Webhooks of one person."""
HOOK_PAUSES_US = (MINUTE_US, 10 * MINUTE_US, HOUR_US, 6 * HOUR_US, 24 * HOUR_US)
"""Waits after the first, second … failed attempt for one game; the last one again and again."""
_NEVER_YET = 0


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook. ``status``: of its last answer; ``failures``: attempts since one was taken."""

    id: int
    person_id: int
    token: bytes
    url: str
    created_us: int
    status: int | None
    failures: int


@dataclass(frozen=True, slots=True)
class DueCall:
    """A game that a webhook is to be told of: its ledger after ``told``, up to ``seq``."""

    hook: WebhookRow
    game_id: int
    seq: int
    told: int
    attempts: int


async def add_webhook(conn: AsyncConnection, **new: Any) -> int:
    """Store a webhook; what has happened in its person's games so far counts as told."""
    made = insert(webhooks).values(new).returning(webhooks.c.id)
    hook_id = int((await conn.execute(made)).scalar_one())
    names = ["webhook_id", "game_id", "seq", "due_us"]
    as_now = select(
        literal(hook_id, webhook_told.c.webhook_id.type),
        games.c.id,
        games.c.seq,
        literal(new["created_us"], webhook_told.c.due_us.type),
    ).where(or_(games.c.white_id == new["person_id"], games.c.black_id == new["person_id"]))
    await conn.execute(insert(webhook_told).from_select(names, as_now))
    return hook_id


async def list_webhooks(conn: AsyncConnection, person_id: int) -> tuple[WebhookRow, ...]:
    """A person's webhooks, oldest first."""
    query = select(*columns_of(WebhookRow, webhooks)).where(webhooks.c.person_id == person_id)
    return rows_of(WebhookRow, await conn.execute(query.order_by(webhooks.c.id)))


async def remove_webhook(conn: AsyncConnection, hook_id: int, person_id: int) -> bool:
    """Remove a person's webhook; False when he has no such one."""
    own = (webhooks.c.id == hook_id, webhooks.c.person_id == person_id)
    return (await conn.execute(delete(webhooks).where(*own))).rowcount == 1


async def replay_webhook(
    conn: AsyncConnection, hook_id: int, game_id: int | None, after: int, now_us: int
) -> int:
    """Tell it again what came after an entry, of one game or of all; of how many games."""
    of_hook = [webhook_told.c.webhook_id == hook_id]
    of_hook += [] if game_id is None else [webhook_told.c.game_id == game_id]
    again = update(webhook_told).where(*of_hook)
    told = await conn.execute(again.values(seq=after, attempts=0, due_us=now_us))
    return told.rowcount


def _due_calls(now: int, most: int) -> Select[Any]:
    seen, person = webhook_told.c, webhooks.c.person_id + 0
    return (
        select(
            games.c.id,
            games.c.seq,
            func.coalesce(seen.seq, _NEVER_YET),
            func.coalesce(seen.attempts, -1),
            *columns_of(WebhookRow, webhooks),
        )
        .join(api_tokens, api_tokens.c.digest == webhooks.c.token)
        .join(games, or_(games.c.white_id == person, games.c.black_id == person))
        .outerjoin(webhook_told, (seen.webhook_id == webhooks.c.id) & (seen.game_id == games.c.id))
        .where(
            or_(api_tokens.c.ends_us.is_(None), api_tokens.c.ends_us > now),
            games.c.seq > func.coalesce(seen.seq, _NEVER_YET),
            func.coalesce(seen.due_us, 0) <= now,
        )
        .order_by(webhooks.c.id, games.c.id)
        .limit(most)
    )


def is_call_due(conn: Connection, now_us: int) -> bool:
    """Whether any webhook is to be told anything now."""
    has_any = conn.execute(select(webhooks.c.id).limit(1)).first() is not None
    return has_any and conn.execute(_due_calls(now_us, 1)).first() is not None


async def claim_calls(conn: AsyncConnection, now_us: int, most: int) -> tuple[DueCall, ...]:
    """Claim what is due now, each for ``LEASE_US``; no two claimers get the same one."""
    taken = []
    for row in await conn.execute(_due_calls(now_us, most)):
        game_id, seq, told, attempts = row[:4]
        due = DueCall(WebhookRow(*row[4:]), game_id, seq, told, max(attempts, 0))
        key = {"webhook_id": due.hook.id, "game_id": due.game_id}
        if attempts < 0:
            fresh = key | {"seq": _NEVER_YET, "attempts": 0, "due_us": now_us}
            await conn.execute(quiet_insert(conn.dialect.name, webhook_told).values(fresh))
        mine = _told_of(due).where(webhook_told.c.due_us <= now_us)
        lease = mine.values(due_us=now_us + LEASE_US, attempts=webhook_told.c.attempts + 1)
        if (await conn.execute(lease)).rowcount == 1:
            taken.append(due)
    return tuple(taken)


def _told_of(due: DueCall) -> Update:
    """The row of a call, unless a replay or another process has changed it since."""
    seen = webhook_told.c
    own = (seen.webhook_id == due.hook.id, seen.game_id == due.game_id, seen.seq == due.told)
    return update(webhook_told).where(*own)


async def mark_called(conn: AsyncConnection, due: DueCall, status: int | None, now_us: int) -> None:
    """Keep what became of a call: taken with a 2xx, else it is made again after a while."""
    is_taken = status is not None and 200 <= status < 300
    of_hook = update(webhooks).where(webhooks.c.id == due.hook.id)
    failures = 0 if is_taken else webhooks.c.failures + 1
    await conn.execute(of_hook.values(status=status, failures=failures))
    pause = HOOK_PAUSES_US[min(due.attempts, len(HOOK_PAUSES_US) - 1)]
    new = {"seq": due.seq, "attempts": 0, "due_us": now_us}
    await conn.execute(_told_of(due).values(new if is_taken else {"due_us": now_us + pause}))
