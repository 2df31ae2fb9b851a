"""Letters to send: stored with the change that caused them, sent at least once, then marked.

A repeat carries the same Message-ID, which makes it harmless. Not for what a letter says nor
for SMTP.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from server import machine
from server.store.engine.connection import AsyncConnection, insist
from server.store.engine.rows import (
    DAY_US,
    HOUR_US,
    MINUTE_US,
    AnyRow,
    columns_of,
    one_of,
    quiet_insert,
    rows_of,
    values_of,
)
from server.store.engine.store import Store
from server.store.tables.base import events, games, outbox
from server.store.tables.cases import cases

BACK_OFF_US = (MINUTE_US, 5 * MINUTE_US, 15 * MINUTE_US, HOUR_US, 4 * HOUR_US, 12 * HOUR_US)
"""Waits after the first, second … failed attempt; the last one repeats."""

GIVE_UP_US = 5 * DAY_US
"""How long after it was written a letter is still tried."""

LEASE_US = 30 * MINUTE_US
"""How long a claimed letter is reserved for its claimer, who takes less than two thirds of it to
send one (``mail.outgoing.smtp_out``) and begins with none in those: it could go out twice."""
BEGIN_US = LEASE_US // 3
"""How long after claiming a letter sending it may begin."""


MOST_DEATHS = 10
"""Work that this many processes in a row died with waits out its lease: it may be the cause."""
MOST_FROM_STRANGERS = 8
"""How many letters that strangers can cause are taken at a time: one of a game waits for so many at
the most."""


class OutboxState(StrEnum):
    """The state of a letter.

    ``HELD`` waits for its recipient's daily letter; ``KEPT`` was reported there, or is of a kind
    the recipient does not want (below).
    """

    QUEUED = "queued"
    SENT = "sent"
    DEAD = "dead"
    HELD = "held"
    KEPT = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutbox:
    """A letter to send, not before ``due_us``. ``params`` is JSON text."""

    message_id: str
    kind: str
    to_addr: str
    created_us: int
    due_us: int
    person_id: int | None = None
    game_id: int | None = None
    seq: int | None = None
    params: str = "{}"
    state: str = OutboxState.QUEUED.value


@dataclass(frozen=True, slots=True)
class GameLetterRow:
    """A stored letter without what it says: to whom, and when the next mail server took it."""

    id: int
    message_id: str
    kind: str
    person_id: int | None
    to_addr: str
    game_id: int | None
    seq: int | None
    created_us: int
    attempts: int
    state: str
    last_error: str | None
    sent_us: int | None


@dataclass(frozen=True, slots=True)
class OutboxRow(GameLetterRow):
    """A stored letter. ``raw`` is what was sent, until it is removed."""

    params: str
    due_us: int
    raw: bytes | None


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter that the next mail server has accepted. ``is_secret``: its facts are not kept."""

    id: int
    raw: bytes | None
    is_secret: bool = False


_SELECT = select(*columns_of(OutboxRow, outbox))
_MARK_SENT = (
    update(outbox)
    .where(outbox.c.id == bindparam("row_id"), outbox.c.state == OutboxState.QUEUED.value)
    .values(
        state=OutboxState.SENT.value,
        sent_us=bindparam("at_us"),
        raw=bindparam("sent_raw"),
        last_error=None,
    )
)


_watched: ContextVar[list[NewOutbox] | None] = ContextVar("watched", default=None)


@contextmanager
def collect_stored_letters() -> Iterator[list[NewOutbox]]:
    """The letters that this task stores until the block ends."""
    found: list[NewOutbox] = []
    token = _watched.set(found)
    try:
        yield found
    finally:
        _watched.reset(token)


def record_letters(new: Sequence[NewOutbox]) -> Sequence[NewOutbox]:
    """The letters, which are about to be stored."""
    if (seen := _watched.get()) is not None:
        seen += new
    if (mail := machine.handled_mail.get()) is not None:
        for letter in new:
            machine.note_cause(letter.message_id, mail)
    return new


async def enqueue(conn: AsyncConnection, new: Sequence[NewOutbox]) -> None:
    """Store letters to send; one whose Message-ID is known is left alone."""
    if new:
        await conn.execute(
            quiet_insert(conn.dialect.name, outbox),
            [values_of(letter) for letter in record_letters(new)],
        )


async def feign(conn: AsyncConnection, letter: NewOutbox) -> None:
    """Store a letter and take it back in the same transaction.

    To commit this takes as long as to commit a letter, and leaves nothing.
    """
    values = values_of(replace(letter, person_id=None))
    await conn.execute(insert(outbox).values(values))
    await conn.execute(delete(outbox).where(outbox.c.message_id == letter.message_id))


_NOW = bindparam("now_us", type_=BigInteger)
_OLDER = outbox.alias("older")
_WAITS = exists().where(
    _OLDER.c.game_id == outbox.c.game_id,
    _OLDER.c.person_id == outbox.c.person_id,
    _OLDER.c.id < outbox.c.id,
    _OLDER.c.state == OutboxState.QUEUED.value,
    or_(_OLDER.c.due_us <= _NOW, _OLDER.c.holder.is_not(None)),
    _OLDER.c.deaths < 2 * MOST_DEATHS,
)
"""Whether an older letter to the same person about the same game is on its way, or due.

One that failed and is tried again later holds up none, nor one that very many died with.
"""


def _due(*among: ColumnElement[bool]) -> Select[int]:
    queued = outbox.c.state == OutboxState.QUEUED.value
    found = select(outbox.c.id).where(queued, outbox.c.due_us <= _NOW, *among, ~_WAITS)
    return (
        found.order_by(outbox.c.due_us, outbox.c.id)
        .limit(bindparam("room", type_=Integer))
        .with_for_update(skip_locked=True)
    )


_FROM_STRANGERS = outbox.c.kind.in_(bindparam("last", expanding=True))
_DEADLY = outbox.c.deaths >= MOST_DEATHS
# Made once: each look for letters made them anew, which took longer than the look.
_DUE, _DUE_FROM_STRANGERS = _due(~_FROM_STRANGERS, ~_DEADLY), _due(_FROM_STRANGERS, ~_DEADLY)
_DUE_DEADLY = _due(_DEADLY)


def _in_turn(conn: Connection, now_us: int, limit: int, last: Collection[str]) -> list[int]:
    """The letters that leave next, in order; the kinds that leave ``last`` after all others."""

    def ids(due: Select[int], room: int) -> list[int]:
        given = {"now_us": now_us, "room": room, "last": list(last)}
        return list(conn.execute(due, given).scalars())

    found = ids(_DUE, limit)
    room = min(limit, MOST_FROM_STRANGERS) - len(found)
    if room > 0:
        found += ids(_DUE_FROM_STRANGERS, room)
    return found or ids(_DUE_DEADLY, 1)


async def claim(
    store: Store, now_us: int, limit: int = 32, last: Collection[str] = ()
) -> tuple[OutboxRow, ...]:
    """Claim due letters in the order they leave; they are ours for ``LEASE_US``, durably.

    Letters to one person about one game leave one after the other, in the order they were written.
    The kinds in ``last``, which strangers can cause, come after all the rest, and only a few at a
    time, so that what is written meanwhile does not wait for them; what many processes died with
    comes last, alone.
    """

    def take(conn: Connection) -> tuple[OutboxRow, ...]:
        ids = _in_turn(conn, now_us, limit, last)
        if not ids:
            return ()
        mine = update(outbox).where(outbox.c.id.in_(ids))
        taken = mine.values(
            due_us=now_us + LEASE_US, attempts=outbox.c.attempts + 1, holder=store.holder
        )
        rows = conn.execute(taken.returning(*columns_of(OutboxRow, outbox)))
        claimed = {row[0]: OutboxRow(*row) for row in rows}
        return tuple(claimed[one] for one in ids)

    async with store.write() as conn:
        found = await conn.run_sync(take)
    if found:
        machine.reach_crash_point("outbox-claimed")
    return found


async def mark_sent(store: Store, sent: Sequence[SentLetter], now_us: int) -> None:
    """Record in one transaction that letters were sent: insisting, or they leave again."""

    async def mark(conn: AsyncConnection) -> None:
        await conn.execute(_MARK_SENT, rows)
        if secret := [one.id for one in sent if one.is_secret]:
            await conn.execute(update(outbox).where(outbox.c.id.in_(secret)).values(params="{}"))

    rows = [{"row_id": s.id, "at_us": now_us, "sent_raw": s.raw} for s in sent]
    if rows:
        machine.reach_crash_point("outbox-before-mark-sent")
        await insist(partial(store.change, mark))


_SINCE = select(*columns_of(GameLetterRow, outbox)).where(
    outbox.c.game_id.in_(bindparam("games", expanding=True)),
    outbox.c.kind.in_(bindparam("kinds", expanding=True)),
    outbox.c.created_us > bindparam("since_us"),
)


def letters_since(
    conn: Connection, games: Collection[int], kinds: Collection[str], since_us: int
) -> tuple[GameLetterRow, ...]:
    """Letters of some kinds about some games, written after an instant."""
    values = {"games": sorted(games), "kinds": sorted(kinds), "since_us": since_us}
    return rows_of(GameLetterRow, conn.execute(_SINCE, values))


def next_attempt(attempts: int, created_us: int, now_us: int) -> int | None:
    """When to retry after ``attempts`` failures; None: give up."""
    pause = BACK_OFF_US[min(max(attempts, 1), len(BACK_OFF_US)) - 1]
    return now_us + pause if now_us + pause <= created_us + GIVE_UP_US else None


async def mark_letter_failed(
    store: Store, row: OutboxRow, error: str, now_us: int, *, is_final: bool = False
) -> OutboxState:
    """Record that sending failed; the letter is requeued, or dead if ``is_final`` or too old."""
    again = None if is_final else next_attempt(row.attempts, row.created_us, now_us)
    state = OutboxState.DEAD if again is None else OutboxState.QUEUED
    async with store.write() as conn:
        await conn.execute(
            update(outbox)
            .where(outbox.c.id == row.id, outbox.c.state == OutboxState.QUEUED.value)
            .values(
                state=state.value, due_us=again or now_us, last_error=error, holder=None, deaths=0
            )
        )
    return state


async def put_off(store: Store, row: OutboxRow, error: str, now_us: int) -> None:
    """Record that a claimed letter could not be composed; it is retried however old it is."""
    pause = BACK_OFF_US[min(max(row.attempts, 1), len(BACK_OFF_US)) - 1]
    async with store.write() as conn:
        await conn.execute(
            update(outbox)
            .where(outbox.c.id == row.id, outbox.c.state == OutboxState.QUEUED.value)
            .values(due_us=now_us + pause, last_error=error, holder=None)
        )


async def find(conn: AsyncConnection, outbox_id: int) -> OutboxRow | None:
    """One letter by id."""
    return one_of(OutboxRow, await conn.execute(_SELECT.where(outbox.c.id == outbox_id)))


async def by_message_id(conn: AsyncConnection, message_id: str) -> OutboxRow | None:
    """The letter a bounce or a reply refers to."""
    return one_of(OutboxRow, await conn.execute(_SELECT.where(outbox.c.message_id == message_id)))


def find_answered_letters(
    conn: Connection, message_ids: Collection[str], game_id: int | None, person_id: int | None
) -> tuple[bytes, ...]:
    """The sent letters of these Message-IDs; else the newest to that person about that game."""
    sent = select(outbox.c.raw).where(outbox.c.raw.is_not(None))
    found = conn.execute(sent.where(outbox.c.message_id.in_(message_ids))).scalars().all()
    if not found and game_id is not None:
        theirs = sent.where(outbox.c.game_id == game_id, outbox.c.person_id == person_id)
        found = conn.execute(theirs.order_by(outbox.c.id.desc()).limit(1)).scalars().all()
    return tuple(found)


async def first_sent(conn: AsyncConnection, letter: OutboxRow) -> str | None:
    """The Message-ID of the first letter before it to the same person about the same game."""
    # By its state alone SQLite would read all that were sent. One that failed and is tried again
    # counts, though a later one may overtake it.
    is_out = or_(outbox.c.sent_us.is_not(None), outbox.c.state == OutboxState.QUEUED.value)
    query = select(outbox.c.message_id).where(
        outbox.c.game_id == letter.game_id,
        outbox.c.person_id == letter.person_id,
        is_out,
        outbox.c.id < letter.id,
    )
    return (await conn.execute(query.order_by(outbox.c.id).limit(1))).scalar_one_or_none()


async def by_ids(conn: AsyncConnection, ids: Collection[int]) -> dict[int, OutboxRow]:
    """The letters with these ids."""
    rows = rows_of(OutboxRow, await conn.execute(_SELECT.where(outbox.c.id.in_(ids))))
    return {row.id: row for row in rows}


async def newest(
    conn: AsyncConnection, limit: int = 100, state: OutboxState | None = None, since_us: int = 0
) -> tuple[OutboxRow, ...]:
    """The latest letters, newest first, in one state or all, due or given up since an instant."""
    query = _SELECT if state is None else _SELECT.where(outbox.c.state == state.value)
    query = query.where(outbox.c.due_us >= since_us) if since_us else query
    return rows_of(OutboxRow, await conn.execute(query.order_by(outbox.c.id.desc()).limit(limit)))


async def requeue(
    conn: AsyncConnection,
    outbox_id: int,
    now_us: int,
    states: Sequence[OutboxState] = (OutboxState.DEAD,),
) -> bool:
    """Send a dead letter again, with five more days; False when it is in none of the states."""
    among = [state.value for state in states]
    result = await conn.execute(
        update(outbox)
        .where(outbox.c.id == outbox_id, outbox.c.state.in_(among))
        .values(
            state=OutboxState.QUEUED.value, due_us=now_us, created_us=now_us, attempts=0, deaths=0
        )
    )
    return result.rowcount == 1


# Letters held for their recipient's daily letter, and those the recipient does not want.


async def put_off_held_letter(conn: AsyncConnection, ids: Collection[int], until_us: int) -> None:
    """Hold claimed letters for the daily letter; one that is not queued stays as it is."""
    await _set_state(conn, ids, OutboxState.HELD, until_us)


async def leave_out(conn: AsyncConnection, ids: Collection[int], now_us: int) -> None:
    """Leave claimed letters unsent for good."""
    await _set_state(conn, ids, OutboxState.KEPT, now_us)


async def _set_state(
    conn: AsyncConnection, ids: Collection[int], state: OutboxState, due_us: int
) -> None:
    mine = update(outbox).where(
        outbox.c.id.in_(list(ids)), outbox.c.state == OutboxState.QUEUED.value
    )
    await conn.execute(mine.values(state=state.value, due_us=due_us, attempts=0, holder=None))


def readers_due(conn: Connection, now_us: int) -> tuple[int, ...]:
    """The recipients whose daily letter is due now."""
    query = (
        select(outbox.c.person_id)
        .where(outbox.c.state == OutboxState.HELD.value, outbox.c.due_us <= now_us)
        .distinct()
        .order_by(outbox.c.person_id)
    )
    return tuple(conn.execute(query).scalars())


async def take(conn: AsyncConnection, person_id: int, now_us: int) -> tuple[AnyRow, ...]:
    """Take a recipient's due held letters, oldest first; no two callers get the same ones.

    Each by its ``id``, with the event (``game_id``, ``seq``) that it is about.
    """
    mine = update(outbox).where(
        outbox.c.person_id == person_id,
        outbox.c.state == OutboxState.HELD.value,
        outbox.c.due_us <= now_us,
    )
    kept = mine.values(state=OutboxState.KEPT.value)
    rows = await conn.execute(kept.returning(outbox.c.id, outbox.c.game_id, outbox.c.seq))
    return tuple(sorted(rows, key=lambda held: held.id))


def channels_of(
    conn: Connection, moments: Collection[tuple[int, int]]
) -> dict[tuple[int, int], str]:
    """The channel each event came through, by game and number."""
    if not moments:
        return {}
    named = tuple_(events.c.game_id, events.c.seq).in_(sorted(moments))
    rows = conn.execute(select(events.c.game_id, events.c.seq, events.c.channel).where(named))
    return {(row[0], row[1]): row[2] for row in rows}


# Rows of letters about games that are long over: they end, but for what still points to them.

_ENDED_LETTERS = (OutboxState.SENT.value, OutboxState.KEPT.value)


PASSING = ("sign_in", "games", "digest", "alarm", "join", "account", "not_sent", "leave_refused")
"""Kinds of letters that nothing asks about later, whether they were sent or not."""


def may_end() -> ColumnElement[bool]:
    """Whether nothing points to a letter, once it or its game is long over."""
    newest = outbox.alias("newest")
    is_newest = outbox.c.id == select(func.max(newest.c.id)).scalar_subquery()
    is_passing = and_(outbox.c.game_id.is_(None), outbox.c.kind.in_(PASSING))
    is_passing &= outbox.c.state != OutboxState.QUEUED.value
    return and_(or_(is_passing, _of_game()), ~is_newest)


def _of_game() -> ColumnElement[bool]:
    first = outbox.alias("first")
    follows = exists().where(
        first.c.game_id == outbox.c.game_id,
        first.c.person_id == outbox.c.person_id,
        first.c.sent_us.is_not(None),
        first.c.id < outbox.c.id,
    )
    number = cast(outbox.c.game_id, Text)
    is_in = or_(
        cases.c.game_id.is_(None),
        cases.c.game_id == outbox.c.game_id,
        cases.c.snapshot.like("%" + number + "%"),  # those added later; too many are no harm
    )
    in_case = exists().where(
        games.c.id == outbox.c.game_id, cases.c.group_id == games.c.group_id, is_in
    )
    return and_(outbox.c.state.in_(_ENDED_LETTERS), follows, ~in_case)


async def end(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove those of some letters to which nothing points; their games are long over."""
    await conn.execute(delete(outbox).where(outbox.c.id.in_(ids), may_end()))
