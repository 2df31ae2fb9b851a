"""Incoming mail: stored whole before it is acknowledged, handled once, never lost.

A repeated mail is recognised by its digest (the same delivery again) or by its message key
(the same mail by another route). Not for what a mail says.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)

from server import machine
from server.store.engine.connection import AsyncConnection, hold, insist
from server.store.engine.rows import (
    MARK,
    MINUTE_US,
    SECOND_US,
    PackedColumn,
    columns_of,
    one_of,
    rows_of,
    values_of,
)
from server.store.engine.store import Store
from server.store.mail.outages import MAIL, open_since
from server.store.mail.outbox import GameLetterRow, OutboxState
from server.store.tables.base import confirmations, events, games, inbox, outbox
from server.store.tables.cases import case_papers
from server.store.tables.people import delayed_moves

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
class AcceptedMail:
    """The id of a stored mail; ``repeats``: the id of the mail it repeats."""

    id: int
    repeats: int | None


@dataclass(frozen=True, slots=True)
class GameMailRow:
    """A stored mail without its text: when, from where, and how it was handled."""

    id: int
    received_us: int
    first_us: int
    peer: str
    mail_from: str
    rcpt_to: str
    digest: bytes
    state: str
    outcome: str | None
    person_id: int | None
    game_id: int | None
    note: str | None


@dataclass(frozen=True, slots=True)
class InboxRow(GameMailRow):
    """A stored mail."""

    raw: bytes
    attempts: int
    due_us: int


@dataclass(frozen=True, slots=True)
class MailHead(GameMailRow):
    """A mail in a list. ``head``: its first bytes."""

    head: bytes


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


async def accept(store: Store, mail: NewMail) -> AcceptedMail:
    """Store one mail durably; only then may it be acknowledged."""
    return (await accept_all(store, [mail]))[0]


async def accept_all(store: Store, mails: Sequence[NewMail]) -> tuple[AcceptedMail, ...]:
    """Store several mails in one transaction, in order."""

    def work(conn: Connection) -> tuple[AcceptedMail, ...]:
        accepted = _accept(conn, mails)
        machine.reach_crash_point("inbox-before-commit")
        return accepted

    accepted = await insist(lambda: store.transact(work))
    machine.reach_crash_point("inbox-after-commit")
    return accepted


def _accept(conn: Connection, mails: Sequence[NewMail]) -> tuple[AcceptedMail, ...]:
    digests = [mail.digest for mail in mails]
    # If two processes have the same mail, one waits for the other's commit.
    hold(conn, *(f"mail {mail.message_key.hex()}" for mail in mails))
    by_digest, by_key = _find_known_mails(conn, mails, digests)
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
    return tuple(_build_acceptance(digest, ids, parents, seen) for digest in digests)


def _build_acceptance(
    digest: bytes, ids: dict[bytes, int], parents: dict[bytes, int | bytes], seen: set[bytes]
) -> AcceptedMail:
    """The result for one mail; the first of two identical ones in a batch is the original."""
    row_id = ids[digest]
    if digest in seen:
        return AcceptedMail(row_id, row_id)
    seen.add(digest)
    parent = parents.get(digest)
    return AcceptedMail(row_id, ids[parent] if isinstance(parent, bytes) else parent)


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


def _find_known_mails(
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
    return one_of(InboxRow, await conn.execute(_SELECT.where(inbox.c.id == inbox_id)))


async def in_state(
    conn: AsyncConnection, state: InboxState, limit: int = 200
) -> tuple[InboxRow, ...]:
    """Mails in one state, newest first."""
    query = _SELECT.where(inbox.c.state == state.value).order_by(inbox.c.id.desc()).limit(limit)
    return rows_of(InboxRow, await conn.execute(query))


async def held_after(conn: AsyncConnection, after: int) -> tuple[tuple[int, str], ...]:
    """The ids and notes of held mails with a greater id; not the mails, which may be large."""
    query = select(inbox.c.id, inbox.c.note)
    held = query.where(inbox.c.state == InboxState.HELD.value, inbox.c.id > after)
    return tuple((int(row.id), row.note or "") for row in await conn.execute(held))


# Handled mails that are kept unpacked still. Not for letters, which are packed as they go out.

_STORED = type_coerce(inbox.c.raw, LargeBinary)
_ONE = (
    update(inbox)
    # Raw mail may have been removed since it was read, and is not to come back.
    .where(inbox.c.id == bindparam("row_id"), func.length(_STORED) == bindparam("octets"))
    .values(raw=bindparam("packed", type_=PackedColumn()))
)
_PACKED_IDS = inbox.c.id.in_(bindparam("ids", expanding=True))
_WHOLE = (
    select(*(one for one in inbox.c if one is not inbox.c.raw), _STORED.label("stored"))
    .where(_PACKED_IDS)
    .order_by(inbox.c.id)
)
_OUT = delete(inbox).where(_PACKED_IDS)
_AGAIN = insert(inbox).values(raw=bindparam("stored", type_=LargeBinary))


async def list_unpacked_mails(conn: AsyncConnection, since_us: int) -> tuple[int, ...]:
    """Mails handled since an instant (µs) that are not packed, by id."""
    query = (
        select(inbox.c.id)
        .where(inbox.c.state == InboxState.DONE.value, inbox.c.due_us >= since_us)
        .where(func.length(_STORED) > 0)
        .where(func.substr(_STORED, 1, len(MARK), type_=LargeBinary) != MARK)
        .order_by(inbox.c.id)
    )
    return tuple((await conn.execute(query)).scalars())


async def raw_of(conn: AsyncConnection, ids: Collection[int]) -> dict[int, bytes]:
    """Whole mails by id."""
    rows = await conn.execute(select(inbox.c.id, inbox.c.raw).where(inbox.c.id.in_(sorted(ids))))
    return {int(row.id): bytes(row.raw) for row in rows}


async def newest_id(conn: AsyncConnection) -> int:
    """The id of the mail that came last; 0 before the first."""
    return int((await conn.execute(select(func.max(inbox.c.id)))).scalar() or 0)


async def raw_after(conn: AsyncConnection, after: int) -> tuple[bytes, ...]:
    """Whole mails that came later than one, by its id."""
    rows = await conn.execute(select(inbox.c.raw).where(inbox.c.id > after))
    return tuple(bytes(row.raw) for row in rows)


async def pack(conn: AsyncConnection, mails: Mapping[int, bytes]) -> None:
    """Keep mails packed, each unless it is no longer what was read."""
    rows = [
        {"row_id": mail, "octets": len(raw), "packed": raw} for mail, raw in mails.items() if raw
    ]
    if rows:
        await conn.execute(_ONE, rows)
        if conn.dialect.name == "sqlite":
            await conn.run_sync(_laid_densely, [mail for mail, raw in mails.items() if raw])


def _laid_densely(conn: Connection, ids: Collection[int]) -> None:
    """Take the rows out and put them in again as they are, one after the other.

    SQLite leaves a row that became small where it was, and of a page that held two such mails, 4
    kB, 2.6 were free for good. On PostgreSQL a row that is changed is a new one anyway.
    """
    rows = [dict(row) for row in conn.execute(_WHOLE, {"ids": ids}).mappings()]
    conn.execute(_OUT, {"ids": ids})
    conn.execute(_AGAIN, rows)


# The mails and letters of a game, for judging what arrived when (§ 6.8.5).

_MAILS = select(*columns_of(GameMailRow, inbox))
_LETTERS = select(*columns_of(GameLetterRow, outbox))


async def mails_of(
    conn: AsyncConnection, game_ids: Collection[int], limit: int = 500
) -> tuple[GameMailRow, ...]:
    """The mails of some games, oldest first."""
    query = _MAILS.where(inbox.c.game_id.in_(list(game_ids)))
    return rows_of(GameMailRow, await conn.execute(query.order_by(inbox.c.id).limit(limit)))


async def letters_of(
    conn: AsyncConnection, game_ids: Collection[int], limit: int = 500
) -> tuple[GameLetterRow, ...]:
    """The letters of some games, oldest first."""
    query = _LETTERS.where(outbox.c.game_id.in_(list(game_ids)))
    return rows_of(GameLetterRow, await conn.execute(query.order_by(outbox.c.id).limit(limit)))


async def mails_among(
    conn: AsyncConnection, mail_ids: Collection[int], game_id: int, outcomes: Collection[str]
) -> tuple[GameMailRow, ...]:
    """These mails, and those about a game that had one of the outcomes; oldest first."""
    about = and_(inbox.c.game_id == game_id, inbox.c.outcome.in_(list(outcomes)))
    wanted = or_(inbox.c.id.in_(list(mail_ids)), about)
    return rows_of(GameMailRow, await conn.execute(_MAILS.where(wanted).order_by(inbox.c.id)))


async def letters_on(
    conn: AsyncConnection, game_id: int, seqs: Collection[int], kinds: Collection[str]
) -> tuple[GameLetterRow, ...]:
    """The letters of some kinds about some events of a game, oldest first."""
    query = _LETTERS.where(outbox.c.game_id == game_id, outbox.c.seq.in_(list(seqs)))
    return rows_of(
        GameLetterRow,
        await conn.execute(query.where(outbox.c.kind.in_(list(kinds))).order_by(outbox.c.id)),
    )


# Lists of mails and letters for those who look after them, newest first.

HEAD = 16 * 1024
"""Bytes of a mail that are read for a list."""
NO_STATE: tuple[InboxState, ...] = ()


@dataclass(frozen=True, slots=True)
class MailFilter:
    """Which mails: in these states (none: all), since an instant, with an outcome."""

    states: tuple[InboxState, ...] = NO_STATE
    since_us: int = 0
    outcome: str | None = None

    def _before(self) -> ColumnElement[int]:
        """The newest mail before them: nothing older is looked at, as ids grow with time."""
        older = select(inbox.c.id).where(inbox.c.received_us < self.since_us)
        found = older.order_by(inbox.c.id.desc()).limit(1).scalar_subquery()
        return func.coalesce(found, 0)

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        """What a row must fulfil."""
        wanted = [inbox.c.received_us >= self.since_us]
        if self.since_us:
            wanted.append(inbox.c.id > self._before())
        if self.states:
            wanted.append(inbox.c.state.in_([state.value for state in self.states]))
        if self.outcome is not None:
            wanted.append(inbox.c.outcome == self.outcome)
        return tuple(wanted)


_START = func.substr(inbox.c.raw, 1, HEAD, type_=PackedColumn(HEAD)).label("head")
_HEADS: Select[Any] = select(*columns_of(MailHead, inbox, head=_START))


async def heads(
    conn: AsyncConnection, which: MailFilter, most: int, *, before: int | None = None, skip: int = 0
) -> tuple[MailHead, ...]:
    """Mails newest first; ``before``: those with a smaller id only."""
    query = _HEADS.where(*which.conditions())
    if before is not None:
        query = query.where(inbox.c.id < before)
    return rows_of(
        MailHead, await conn.execute(query.order_by(inbox.c.id.desc()).limit(most).offset(skip))
    )


async def count(conn: AsyncConnection, which: MailFilter) -> int:
    """How many there are."""
    query = select(func.count()).select_from(inbox).where(*which.conditions())
    return int((await conn.execute(query)).scalar_one())


async def whole(conn: AsyncConnection, ids: Collection[int]) -> dict[int, InboxRow]:
    """The mails with these ids, whole."""
    rows = rows_of(InboxRow, await conn.execute(_SELECT.where(inbox.c.id.in_(sorted(ids)))))
    return {row.id: row for row in rows}


async def find_games_by_name(conn: AsyncConnection, names: Collection[str]) -> dict[str, int]:
    """The ids of games by name."""
    query = select(games.c.name, games.c.id).where(games.c.name.in_(sorted(names)))
    return {str(name): int(game) for name, game in await conn.execute(query)} if names else {}


async def has_effect(conn: AsyncConnection, row: InboxRow) -> bool:
    """Whether a mail entered something in its game or a case, or made us ask a question."""
    found = union_all(
        # A mail about no game has no events, and all games' would be looked through for them.
        select(events.c.inbox_id).where(
            events.c.game_id == (row.game_id or 0), events.c.inbox_id == row.id
        ),
        *(
            select(table.c.inbox_id).where(table.c.inbox_id == row.id)
            for table in (case_papers, confirmations)
        ),
    )
    return (await conn.execute(found.limit(1))).first() is not None


async def with_outcome(
    conn: AsyncConnection, person_id: int, outcomes: Collection[str], since_us: int
) -> tuple[InboxRow, ...]:
    """A person's handled mails of some outcomes, oldest first, received since an instant."""
    done = inbox.c.state == InboxState.DONE.value
    recent = (inbox.c.due_us >= since_us, inbox.c.received_us >= since_us)  # the first is indexed
    query = _SELECT.where(inbox.c.person_id == person_id)
    query = query.where(done, *recent, inbox.c.outcome.in_(sorted(outcomes))).order_by(inbox.c.id)
    return rows_of(InboxRow, await conn.execute(query))


async def find_known_message_keys(conn: AsyncConnection, keys: Collection[bytes]) -> set[bytes]:
    """Which of some message keys are those of mails that we have."""
    query = select(inbox.c.message_key).where(inbox.c.message_key.in_(keys))
    return {bytes(key) for key in (await conn.execute(query)).scalars()}


async def list_undecided_mails(
    conn: AsyncConnection, most: int
) -> tuple[tuple[int, str, str], ...]:
    """Number, sender and state of the mails that wait for a decision, the newest first."""
    query = select(inbox.c.id, inbox.c.mail_from, inbox.c.state).where(
        inbox.c.state.in_([InboxState.HELD.value, InboxState.SHUNTED.value])
    )
    rows = await conn.execute(query.order_by(inbox.c.id.desc()).limit(most))
    return tuple((row[0], row[1], row[2]) for row in rows)


# How much mail is waiting, since when, and how much is dead: for /readyz, /metrics, operators.


@dataclass(frozen=True, slots=True)
class Backlog:
    """A queue: rows waiting, when the oldest fell due, rows given up."""

    queue: str
    pending: int
    oldest_us: int | None
    dead: int

    def oldest_seconds(self, now_us: int) -> float:
        """For how long the oldest has been due."""
        return 0.0 if self.oldest_us is None else max(0, now_us - self.oldest_us) / SECOND_US


async def backlogs(conn: AsyncConnection) -> tuple[Backlog, ...]:
    """The incoming and the outgoing queue, whose letters are put off while the way out is shut."""
    letters = await _backlog(conn, outbox, OutboxState.QUEUED, OutboxState.DEAD)
    shut_us = await open_since(conn, MAIL) if letters.pending else None
    if shut_us is not None:
        letters = replace(letters, oldest_us=min(shut_us, letters.oldest_us or shut_us))
    return await _backlog(conn, inbox, InboxState.NEW, InboxState.SHUNTED), letters


async def _backlog(conn: AsyncConnection, table: Table, waiting: str, dead: str) -> Backlog:
    state: Column[str] = table.c.state
    # A row put back by hand is due at 0, which says nothing about its age.
    is_due = and_(state == str(waiting), table.c.due_us > 0)
    oldest = func.min(case((is_due, table.c.due_us)))
    query = select(state, func.count(), oldest).where(state.in_([str(waiting), str(dead)]))
    rows = {row[0]: row for row in await conn.execute(query.group_by(state))}
    pending = rows.get(str(waiting), (None, 0, None))
    return Backlog(table.name, int(pending[1]), pending[2], int(rows.get(str(dead), (0, 0))[1]))


# Whether any job has something to do, whoever made it: one statement, answered by indexes.


def find_due_jobs(conn: Connection, now_us: int) -> tuple[bool, ...]:
    """What is due now: mail that came, letters to send or to gather, what falls due in games."""
    letters = (
        exists().where(outbox.c.state == one.value, outbox.c.due_us <= now_us)
        for one in (OutboxState.QUEUED, OutboxState.HELD)
    )
    due_work = (exists().where(one.c.wake_us <= now_us) for one in (games, delayed_moves))
    mail = exists().where(inbox.c.state == InboxState.NEW.value, inbox.c.due_us <= now_us)
    return tuple(map(bool, conn.execute(select(mail, or_(*letters), or_(*due_work))).one()))
