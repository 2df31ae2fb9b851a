"""The mails and letters of a game, for judging what arrived when (§ 6.8.5).

Lists without the raw text, which is fetched one by one (inbox.py, outbox.py). Not for queues.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import and_, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.tables.base import inbox, outbox


@dataclass(frozen=True, slots=True)
class MailIn:
    """An incoming mail about a game: when, from where, and how it was handled."""

    id: int
    received_us: int
    first_us: int
    peer: str
    mail_from: str
    digest: bytes
    state: str
    outcome: str | None
    person_id: int | None
    game_id: int | None
    note: str | None
    rcpt_to: str


@dataclass(frozen=True, slots=True)
class LetterOut:
    """A letter about a game: to whom, and when the recipient's mail server accepted it."""

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


_MAILS = select(*columns_of(MailIn, inbox))
_LETTERS = select(*columns_of(LetterOut, outbox))


async def mails_of(
    conn: AsyncConnection, game_ids: Collection[int], limit: int = 500
) -> tuple[MailIn, ...]:
    """The mails of some games, oldest first."""
    query = _MAILS.where(inbox.c.game_id.in_(list(game_ids)))
    rows = await conn.execute(query.order_by(inbox.c.id).limit(limit))
    return tuple(MailIn(*row) for row in rows)


async def letters_of(
    conn: AsyncConnection, game_ids: Collection[int], limit: int = 500
) -> tuple[LetterOut, ...]:
    """The letters of some games, oldest first."""
    query = _LETTERS.where(outbox.c.game_id.in_(list(game_ids)))
    rows = await conn.execute(query.order_by(outbox.c.id).limit(limit))
    return tuple(LetterOut(*row) for row in rows)


async def mails_among(
    conn: AsyncConnection, mail_ids: Collection[int], game_id: int, outcomes: Collection[str]
) -> tuple[MailIn, ...]:
    """These mails, and those about a game that had one of the outcomes; oldest first."""
    about = and_(inbox.c.game_id == game_id, inbox.c.outcome.in_(list(outcomes)))
    wanted = or_(inbox.c.id.in_(list(mail_ids)), about)
    rows = await conn.execute(_MAILS.where(wanted).order_by(inbox.c.id))
    return tuple(MailIn(*row) for row in rows)


async def letters_on(
    conn: AsyncConnection, game_id: int, seqs: Collection[int], kinds: Collection[str]
) -> tuple[LetterOut, ...]:
    """The letters of some kinds about some events of a game, oldest first."""
    query = _LETTERS.where(outbox.c.game_id == game_id, outbox.c.seq.in_(list(seqs)))
    rows = await conn.execute(query.where(outbox.c.kind.in_(list(kinds))).order_by(outbox.c.id))
    return tuple(LetterOut(*row) for row in rows)
