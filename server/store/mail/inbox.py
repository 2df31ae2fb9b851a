"""Incoming mail: stored whole before it is acknowledged, handled once, never lost.

A repeated mail is recognised by its digest (the same delivery again) or by its message key
(the same mail by another route). Not for what a mail says.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, bindparam, func, insert, or_, select, update

from server import crash
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.engine.store import Store
from server.store.engine.turns import hold
from server.store.engine.types import MINUTE_US
from server.store.tables.base import inbox

LEASE_US = 10 * MINUTE_US
"""How long a claimed mail is reserved for its claimer."""


class InboxState(StrEnum):
    """The state of a mail."""

    NEW = "new"
    DONE = "done"
    HELD = "held"
    SHUNTED = "shunted"


DUPLICATE = "duplicate"
"""The outcome of a mail that merely repeats another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMail:
    """A mail as received. ``first_us``: the first delivery attempt that our side deferred."""

    received_us: int
    first_us: int
    peer: str
    mail_from: str
    rcpt_to: str
    raw: bytes
    message_key: bytes

    @property
    def digest(self) -> bytes:
        """SHA-256 of envelope and raw mail."""
        envelope = f"{self.mail_from}\n{self.rcpt_to}\n".encode(errors="surrogateescape")
        return hashlib.sha256(envelope + self.raw).digest()


@dataclass(frozen=True, slots=True)
class Accepted:
    """The id of a stored mail; ``repeats``: the id of the mail it repeats."""

    id: int
    repeats: int | None


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A stored mail."""

    id: int
    received_us: int
    first_us: int
    peer: str
    mail_from: str
    rcpt_to: str
    raw: bytes
    state: str
    outcome: str | None
    person_id: int | None
    game_id: int | None
    attempts: int
    due_us: int
    note: str | None


@dataclass(frozen=True, slots=True)
class InboxMark:
    """How a mail was handled: one outcome, for ever."""

    id: int
    state: InboxState
    outcome: str
    note: str | None = None
    person_id: int | None = None
    game_id: int | None = None

    def values(self) -> dict[str, object]:
        """The columns it sets."""
        return {name: value for name, value in values_of(self).items() if name != "id"}


_SELECT = select(*columns_of(InboxRow, inbox))


async def accept(store: Store, mail: NewMail) -> Accepted:
    """Store one mail durably; only then may it be acknowledged."""
    return (await accept_all(store, [mail]))[0]


async def accept_all(store: Store, mails: Sequence[NewMail]) -> tuple[Accepted, ...]:
    """Store several mails in one transaction, in order."""

    def work(conn: Connection) -> tuple[Accepted, ...]:
        accepted = _accept(conn, mails)
        crash.reach("inbox-before-commit")
        return accepted

    accepted = await store.transact(work)
    crash.reach("inbox-after-commit")
    return accepted


def _accept(conn: Connection, mails: Sequence[NewMail]) -> tuple[Accepted, ...]:
    digests = [mail.digest for mail in mails]
    # If two processes have the same mail, one waits for the other's commit.
    hold(conn, *(f"mail {mail.message_key.hex()}" for mail in mails))
    by_digest, by_key = _known(conn, mails, digests)
    fresh: dict[bytes, dict[str, object]] = {}
    parents: dict[bytes, int | bytes] = {}
    first_of_key: dict[bytes, int | bytes] = dict(by_key)
    for mail, digest in zip(mails, digests, strict=True):
        if digest in by_digest or digest in fresh:
            continue
        parent = first_of_key.setdefault(mail.message_key, digest)
        if parent != digest:
            parents[digest] = parent
        fresh[digest] = _values(mail, digest, is_repeat=parent != digest)
    ids = dict(by_digest)
    if fresh:
        conn.execute(insert(inbox), list(fresh.values()))
        ids |= {bytes(d): row_id for row_id, d in conn.execute(_IDS, {"digests": list(fresh)})}
    seen = set(by_digest)
    return tuple(_accepted(digest, ids, parents, seen) for digest in digests)


def _accepted(
    digest: bytes, ids: dict[bytes, int], parents: dict[bytes, int | bytes], seen: set[bytes]
) -> Accepted:
    """The result for one mail; the first of two identical ones in a batch is the original."""
    row_id = ids[digest]
    if digest in seen:
        return Accepted(row_id, row_id)
    seen.add(digest)
    parent = parents.get(digest)
    return Accepted(row_id, ids[parent] if isinstance(parent, bytes) else parent)


_IDS = select(inbox.c.id, inbox.c.digest).where(
    inbox.c.digest.in_(bindparam("digests", expanding=True))
)
_KNOWN = (
    select(inbox.c.id, inbox.c.digest, inbox.c.message_key)
    .where(
        or_(
            inbox.c.digest.in_(bindparam("digests", expanding=True)),
            inbox.c.message_key.in_(bindparam("keys", expanding=True)),
        )
    )
    .order_by(inbox.c.id)
)


def _known(
    conn: Connection, mails: Sequence[NewMail], digests: list[bytes]
) -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Ids of mails already stored, by digest and by key (the first of each key)."""
    keys = [mail.message_key for mail in mails]
    by_digest: dict[bytes, int] = {}
    by_key: dict[bytes, int] = {}
    for row_id, digest, key in conn.execute(_KNOWN, {"digests": digests, "keys": keys}):
        by_digest[bytes(digest)] = row_id
        by_key.setdefault(bytes(key), row_id)
    return by_digest, by_key


def _values(mail: NewMail, digest: bytes, *, is_repeat: bool) -> dict[str, object]:
    state = InboxState.DONE if is_repeat else InboxState.NEW
    return values_of(mail) | {
        "digest": digest,
        "state": state.value,
        "outcome": DUPLICATE if is_repeat else None,
        "due_us": mail.received_us,
    }


MOST_OCTETS = 4 * 2**20
"""As large as this together, no more are claimed: they are all in memory at once."""
_oldest = (
    select(inbox.c.id, inbox.c.due_us, func.length(inbox.c.raw).label("octets"))
    .where(inbox.c.state == InboxState.NEW.value, inbox.c.due_us <= bindparam("now_us"))
    .order_by(inbox.c.due_us, inbox.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    .subquery()
)
_so_far = func.sum(_oldest.c.octets).over(order_by=(_oldest.c.due_us, _oldest.c.id))
_summed = select(_oldest.c.id, (_so_far - _oldest.c.octets).label("before")).subquery()
_WAITING = select(_summed.c.id).where(_summed.c.before < MOST_OCTETS)
_TAKE = (
    update(inbox)
    .where(inbox.c.id.in_(_WAITING.scalar_subquery()))
    .values(
        due_us=bindparam("until_us"),
        attempts=inbox.c.attempts + 1,
        holder=bindparam("of_holder"),
    )
    .returning(*columns_of(InboxRow, inbox))
)


async def claim(store: Store, now_us: int, limit: int = 32) -> tuple[InboxRow, ...]:
    """Claim waiting mails, oldest first; they are ours for ``LEASE_US``, durably.

    At most ``limit``, and none after the one that brings them to ``MOST_OCTETS``.
    """
    until = now_us + LEASE_US
    values = {"now_us": now_us, "most": limit, "until_us": until, "of_holder": store.holder}
    rows = await store.transact(
        lambda conn: [InboxRow(*row) for row in conn.execute(_TAKE, values)]
    )
    return tuple(sorted(rows, key=lambda row: row.id))


async def mark(conn: AsyncConnection, outcome: InboxMark) -> bool:
    """Record how a mail was handled; False when it already was."""
    result = await conn.execute(
        update(inbox)
        .where(inbox.c.id == outcome.id, inbox.c.state == InboxState.NEW.value)
        .values(outcome.values())
    )
    return result.rowcount == 1


async def decide_held(
    conn: AsyncConnection, outcome: InboxMark, *, also: Collection[str] = ()
) -> bool:
    """Apply a person's decision on a held or shunted mail; False if done before.

    ``InboxState.NEW`` puts it back to be handled again; ``also``: even one with such an outcome.
    """
    is_done = (inbox.c.state == InboxState.DONE.value) & inbox.c.outcome.in_(sorted(also))
    result = await conn.execute(
        update(inbox)
        .where(inbox.c.id == outcome.id, or_(inbox.c.state.in_(["held", "shunted"]), is_done))
        .values(outcome.values() | {"due_us": 0, "attempts": 0, "deaths": 0})
    )
    return result.rowcount == 1


async def note_done(conn: AsyncConnection, inbox_id: int, note: str) -> None:
    """Note who had a mail handled; one that still waits keeps its reason."""
    is_done = inbox.c.state == InboxState.DONE.value
    await conn.execute(update(inbox).where(inbox.c.id == inbox_id, is_done).values(note=note))


async def put_off(conn: AsyncConnection, inbox_id: int, due_us: int, why: str) -> None:
    """Retry a mail later."""
    await conn.execute(
        update(inbox)
        .where(inbox.c.id == inbox_id, inbox.c.state == InboxState.NEW.value)
        .values(due_us=due_us, note=why, holder=None, deaths=0)
    )


async def shunt(conn: AsyncConnection, inbox_id: int, why: str) -> bool:
    """Set aside a mail that can't be handled: an operator must look at it."""
    return await mark(conn, InboxMark(inbox_id, InboxState.SHUNTED, "shunted", why))


async def find(conn: AsyncConnection, inbox_id: int) -> InboxRow | None:
    """One mail by id."""
    row = (await conn.execute(_SELECT.where(inbox.c.id == inbox_id))).one_or_none()
    return None if row is None else InboxRow(*row)


async def in_state(
    conn: AsyncConnection, state: InboxState, limit: int = 200
) -> tuple[InboxRow, ...]:
    """Mails in one state, newest first."""
    query = _SELECT.where(inbox.c.state == state.value).order_by(inbox.c.id.desc()).limit(limit)
    return tuple(InboxRow(*row) for row in await conn.execute(query))


async def held_after(conn: AsyncConnection, after: int) -> tuple[tuple[int, str], ...]:
    """The ids and notes of held mails with a greater id; not the mails, which may be large."""
    query = select(inbox.c.id, inbox.c.note)
    held = query.where(inbox.c.state == InboxState.HELD.value, inbox.c.id > after)
    return tuple((int(row.id), row.note or "") for row in await conn.execute(held))
