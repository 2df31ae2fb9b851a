"""Lists of mails and letters for those who look after them, newest first.

Of a mail only the beginning is read, which has its header: thousands may wait, and some are large.
Not for taking, marking or claiming them (inbox.py, outbox.py).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, union_all

from server.store.engine.connection import AsyncConnection
from server.store.engine.packed import Packed
from server.store.engine.rows import columns_of
from server.store.mail.inbox import InboxRow, InboxState
from server.store.mail.outbox import OutboxRow, OutboxState
from server.store.tables.base import confirmations, events, games, inbox, outbox
from server.store.tables.cases import case_papers

HEAD = 16 * 1024
"""Bytes of a mail that are read for a list."""
NO_STATE: tuple[InboxState, ...] = ()


@dataclass(frozen=True, slots=True)
class MailHead:
    """A mail in a list. ``head``: its first bytes."""

    id: int
    received_us: int
    mail_from: str
    rcpt_to: str
    state: str
    outcome: str | None
    note: str | None
    person_id: int | None
    game_id: int | None
    head: bytes


@dataclass(frozen=True, slots=True)
class Which:
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


_PLAIN = [name for name in MailHead.__slots__ if name != "head"]
_START = func.substr(inbox.c.raw, 1, HEAD, type_=Packed(HEAD)).label("head")
_HEADS: Select[Any] = select(*(inbox.c[name] for name in _PLAIN), _START)


async def heads(
    conn: AsyncConnection, which: Which, most: int, *, before: int | None = None, skip: int = 0
) -> tuple[MailHead, ...]:
    """Mails newest first; ``before``: those with a smaller id only."""
    query = _HEADS.where(*which.conditions())
    if before is not None:
        query = query.where(inbox.c.id < before)
    rows = await conn.execute(query.order_by(inbox.c.id.desc()).limit(most).offset(skip))
    return tuple(MailHead(*row) for row in rows)


async def count(conn: AsyncConnection, which: Which) -> int:
    """How many there are."""
    query = select(func.count()).select_from(inbox).where(*which.conditions())
    return int((await conn.execute(query)).scalar_one())


async def whole(conn: AsyncConnection, ids: Collection[int]) -> dict[int, InboxRow]:
    """The mails with these ids, whole."""
    query = select(*columns_of(InboxRow, inbox)).where(inbox.c.id.in_(sorted(ids)))
    return {row.id: row for row in (InboxRow(*found) for found in await conn.execute(query))}


async def games_named(conn: AsyncConnection, names: Collection[str]) -> dict[str, int]:
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


async def dead(conn: AsyncConnection, since_us: int, most: int) -> tuple[OutboxRow, ...]:
    """Letters that were given up since an instant, newest first; ``due_us`` says when."""
    query = select(*columns_of(OutboxRow, outbox)).where(
        outbox.c.state == OutboxState.DEAD.value, outbox.c.due_us >= since_us
    )
    rows = await conn.execute(query.order_by(outbox.c.id.desc()).limit(most))
    return tuple(OutboxRow(*row) for row in rows)


async def letters(conn: AsyncConnection, ids: Sequence[int]) -> dict[int, OutboxRow]:
    """The letters with these ids."""
    query = select(*columns_of(OutboxRow, outbox)).where(outbox.c.id.in_(ids))
    return {row.id: row for row in (OutboxRow(*found) for found in await conn.execute(query))}


async def with_outcome(
    conn: AsyncConnection, person_id: int, outcomes: Collection[str], since_us: int
) -> tuple[InboxRow, ...]:
    """A person's handled mails of some outcomes, oldest first, received since an instant."""
    done = inbox.c.state == InboxState.DONE.value
    recent = (inbox.c.due_us >= since_us, inbox.c.received_us >= since_us)  # the first is indexed
    query = select(*columns_of(InboxRow, inbox)).where(inbox.c.person_id == person_id)
    query = query.where(done, *recent, inbox.c.outcome.in_(sorted(outcomes))).order_by(inbox.c.id)
    return tuple(InboxRow(*row) for row in await conn.execute(query))


async def kept_keys(conn: AsyncConnection, keys: Collection[bytes]) -> set[bytes]:
    """Which of some message keys are those of mails that we have."""
    query = select(inbox.c.message_key).where(inbox.c.message_key.in_(keys))
    return {bytes(key) for key in (await conn.execute(query)).scalars()}


async def undecided(conn: AsyncConnection, most: int) -> tuple[tuple[int, str, str], ...]:
    """Number, sender and state of the mails that wait for a decision, the newest first."""
    query = select(inbox.c.id, inbox.c.mail_from, inbox.c.state).where(
        inbox.c.state.in_([InboxState.HELD.value, InboxState.SHUNTED.value])
    )
    rows = await conn.execute(query.order_by(inbox.c.id.desc()).limit(most))
    return tuple((row[0], row[1], row[2]) for row in rows)
