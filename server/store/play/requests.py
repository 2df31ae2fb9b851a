"""Moves that wait a few minutes before being sent, so that their player may take them back.

Sending one and taking one back both start by locking its row, so that the later of the two finds
it gone. Not for sending (usecases/play/private_side.py).
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from server.store.engine.connection import AsyncConnection, hold
from server.store.engine.rows import MINUTE_US, columns_of, one_of, quiet_insert, rows_of, values_of
from server.store.tables.base import confirmations, idempotency
from server.store.tables.people import delayed_moves, xfcc_numbers

BACK_OFF_US = MINUTE_US
"""How long to wait after sending a move failed on our side."""


@dataclass(frozen=True, slots=True)
class DelayedMove:
    """A waiting move. ``fen`` and ``moves`` (UCI) are what its player was shown.

    ``dropped``: why it was never sent; ``due_us``: when it counts as sent.
    """

    game_id: int
    person_id: int
    ply: int
    fen: str
    moves: str
    text: str
    message: str
    offers_draw: bool
    lang: str
    key: str
    entered_us: int
    due_us: int
    dropped: str | None = None


@dataclass(frozen=True, slots=True)
class DueMove:
    """Identifies a due move."""

    game_id: int
    person_id: int


_SELECT = select(*columns_of(DelayedMove, delayed_moves))


def _mine(game_id: int, person_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return delayed_moves.c.game_id == game_id, delayed_moves.c.person_id == person_id


async def put_delayed_move(conn: AsyncConnection, new: DelayedMove) -> None:
    """Store a move, replacing any other by this player in the game.

    The same form again (``key``) changes nothing: a second click does not prolong the wait.
    """
    mine = _mine(new.game_id, new.person_id)
    found = await conn.execute(select(delayed_moves.c.key).where(*mine).with_for_update())
    if found.scalar_one_or_none() == new.key:
        return
    await conn.execute(delete(delayed_moves).where(*mine))
    values = values_of(new) | {"wake_us": new.due_us}
    await conn.execute(insert(delayed_moves).values(values))


def find_delayed_move(conn: Connection, game_id: int, person_id: int) -> DelayedMove | None:
    """A player's waiting or dropped move in a game."""
    return one_of(DelayedMove, conn.execute(_SELECT.where(*_mine(game_id, person_id))))


async def take(conn: AsyncConnection, game_id: int, person_id: int) -> DelayedMove | None:
    """A player's waiting move, locked until the transaction ends; None when there is none."""
    query = _SELECT.where(*_mine(game_id, person_id), delayed_moves.c.dropped.is_(None))
    return one_of(DelayedMove, await conn.execute(query.with_for_update()))


def list_person_delayed_moves(conn: Connection, person_id: int) -> tuple[DelayedMove, ...]:
    """A person's waiting and dropped moves by due time, in one query."""
    query = _SELECT.where(delayed_moves.c.person_id == person_id).order_by(
        delayed_moves.c.due_us, delayed_moves.c.game_id
    )
    return rows_of(DelayedMove, conn.execute(query))


async def due(conn: AsyncConnection, now_us: int, limit: int) -> tuple[DueMove, ...]:
    """The due moves, earliest first."""
    query = (
        select(*columns_of(DueMove, delayed_moves))
        .where(delayed_moves.c.wake_us <= now_us)
        .order_by(delayed_moves.c.wake_us, delayed_moves.c.game_id)
        .limit(limit)
    )
    return rows_of(DueMove, await conn.execute(query))


async def remove(
    conn: AsyncConnection, game_id: int, person_id: int, key: str | None = None
) -> bool:
    """Remove a move, with ``key`` only if it has that key; whether there was one."""
    gone = delete(delayed_moves).where(*_mine(game_id, person_id))
    if key is not None:
        gone = gone.where(delayed_moves.c.key == key)
    return (await conn.execute(gone)).rowcount == 1


async def drop(conn: AsyncConnection, game_id: int, person_id: int, why: str) -> None:
    """Record why a move is not sent; it is kept until its player has seen that."""
    mine = update(delayed_moves).where(*_mine(game_id, person_id))
    await conn.execute(mine.values(dropped=why, wake_us=None))


async def push(conn: AsyncConnection, which: DueMove, error: str, now_us: int) -> None:
    """Postpone a move that could not be sent; the error is stored for an operator."""
    mine = update(delayed_moves).where(*_mine(which.game_id, which.person_id))
    mine = mine.where(delayed_moves.c.dropped.is_(None))
    await conn.execute(mine.values(wake_us=now_us + BACK_OFF_US, last_error=error))


# Questions asked once and awaiting a yes: resigning, accepting a draw, a held mail.


@dataclass(frozen=True, slots=True)
class ConfirmationRow:
    """A question. ``sent_us`` is the instant that counts; ``params`` is JSON text.

    ``used_us``: when it was answered.
    """

    digest: bytes
    person_id: int
    game_id: int
    ply: int
    kind: str
    sent_us: int
    expires_us: int
    inbox_id: int | None = None
    params: str = "{}"
    used_us: int | None = None


_SELECT_QUESTIONS = select(*columns_of(ConfirmationRow, confirmations))


async def add(conn: AsyncConnection, new: ConfirmationRow) -> None:
    """Store a question."""
    await conn.execute(insert(confirmations).values(values_of(new)))


async def find_question(conn: AsyncConnection, digest: bytes) -> ConfirmationRow | None:
    """A question by its key's digest, answered or not."""
    query = _SELECT_QUESTIONS.where(confirmations.c.digest == digest)
    return one_of(ConfirmationRow, await conn.execute(query))


async def list_waiting(
    conn: AsyncConnection, game_id: int, person_id: int, at_us: int
) -> tuple[ConfirmationRow, ...]:
    """A player's questions about a game that are unanswered and were open at an instant."""
    query = _SELECT_QUESTIONS.where(
        confirmations.c.game_id == game_id,
        confirmations.c.person_id == person_id,
        confirmations.c.used_us.is_(None),
        confirmations.c.expires_us > at_us,
    )
    found = await conn.execute(query.order_by(confirmations.c.sent_us))
    return rows_of(ConfirmationRow, found)


async def use(conn: AsyncConnection, digest: bytes, now_us: int) -> ConfirmationRow | None:
    """Answer a question once; None when unknown, answered or expired."""
    result = await conn.execute(
        update(confirmations)
        .where(
            confirmations.c.digest == digest,
            confirmations.c.used_us.is_(None),
            confirmations.c.expires_us > now_us,
        )
        .values(used_us=now_us)
        .returning(*columns_of(ConfirmationRow, confirmations))
    )
    return one_of(ConfirmationRow, result)


# Stored responses to requests with an ``Idempotency-Key``, so that a repeat changes nothing.


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A person's key and the digest of the request it came with."""

    person_id: int
    key: str
    request: bytes

    @staticmethod
    def of(person_id: int, key: str, method: str, path: str, body: bytes) -> "IdempotencyKey":
        """The key of a request."""
        request = hashlib.sha256(f"{method} {path}\n".encode() + body).digest()
        return IdempotencyKey(person_id, key, request)


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response as given: when, and to which request, by its digest."""

    status: int
    body: str
    created_us: int
    request: bytes


async def find_stored_answer(conn: AsyncConnection, key: IdempotencyKey) -> StoredResponse | None:
    """What is stored under a key, whatever request it came with."""
    query = select(*columns_of(StoredResponse, idempotency)).where(
        idempotency.c.person_id == key.person_id, idempotency.c.key == key.key
    )
    return one_of(StoredResponse, await conn.execute(query))


async def lock(conn: AsyncConnection, key: IdempotencyKey) -> None:
    """Lock this key until the transaction ends."""
    await conn.run_sync(hold, f"answer {key.person_id} {key.key}")


async def keep(conn: AsyncConnection, key: IdempotencyKey, response: StoredResponse) -> None:
    """Store a response outside a batch; the first one stored for a key stays."""
    values = values_of(response) | {"person_id": key.person_id, "key": key.key}
    await conn.execute(quiet_insert(conn.dialect.name, idempotency).values(values))


# The small number chess programs know a game by: Xfcc's field holds 31 bits, our ids more.

LARGEST = 2**31 - 1


async def read_game_numbers(conn: AsyncConnection, game_ids: Collection[int]) -> dict[int, int]:
    """The assigned numbers, by game."""
    kept = xfcc_numbers.c
    query = select(kept.game_id, kept.number).where(kept.game_id.in_(sorted(game_ids)))
    return {row.game_id: row.number for row in await conn.execute(query)}


async def assign_game_numbers(conn: AsyncConnection, game_ids: Collection[int]) -> None:
    """Assign numbers to games that have none."""
    rows = [{"game_id": game_id} for game_id in sorted(game_ids)]
    await conn.execute(quiet_insert(conn.dialect.name, xfcc_numbers), rows)


async def game_of(conn: AsyncConnection, number: int) -> int | None:
    """The game a number was assigned to; one above ``LARGEST`` is a game's id, as used before."""
    if number > LARGEST:
        return number
    query = select(xfcc_numbers.c.game_id).where(xfcc_numbers.c.number == number)
    found = (await conn.execute(query)).scalar_one_or_none()
    return None if found is None else int(found)
