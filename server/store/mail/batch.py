"""Reading and writing one batch of commands: as many statements for 256 commands as for 1.

Synchronous functions for ``Store.transact``. Not for decisions (usecases/games/writer.py).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, or_, select, tuple_, update
from sqlalchemy.sql.dml import Update

from kskak.game.game_events import Event
from kskak.ledger.stored_events import load_events
from server.store.engine.connection import StoreConflict
from server.store.engine.rows import Bulk, ByIds, columns_of, in_array, quiet_insert, rows_of
from server.store.mail.due_work import FRESH, Due, due_values, wakes
from server.store.mail.inbox import InboxMark, InboxState
from server.store.mail.outbox import NewOutbox, record_letters
from server.store.play.games import SELECT_EVENT, SELECT_GAME, EventRow, GameRow, SetBack, set_backs
from server.store.play.notes_and_messages import MessageRow
from server.store.play.people import Pairs, PersonRow, normal, preferences_of
from server.store.play.requests import ConfirmationRow, StoredResponse
from server.store.tables.base import (
    confirmations,
    events,
    games,
    idempotency,
    inbox,
    messages,
    outbox,
    people,
)

Row = dict[str, object]
Key = tuple[int, str]
"""A person's id and idempotency key."""


@dataclass(frozen=True, slots=True)
class BatchInput:
    """What a batch needs to know before it runs."""

    games: dict[int, GameRow]
    responses: dict[Key, StoredResponse]
    inbox: dict[int, str]


@dataclass(slots=True)
class BatchOutput:
    """What a batch writes. Filled by the batch, written once.

    Setting an indexed column of a game rewrites its index whether or not the value changed, so the
    columns of a game's end and ``wake_us`` are set only if they must.
    """

    events: list[Row] = field(default_factory=list)
    games: dict[int, Row] = field(default_factory=dict)
    """What changes of a game's row, with its id and the ``seq`` it had."""
    outbox: list[NewOutbox] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)
    confirmations: list[Row] = field(default_factory=list)
    confirmations_used: list[Row] = field(default_factory=list)
    inbox_marks: list[Row] = field(default_factory=list)
    responses: list[Row] = field(default_factory=list)

    def set_game(self, kept: GameRow, columns: Row) -> None:
        """Update a game's row from its ledger; ``kept`` is the row as the batch found it."""
        changed = self._of(kept)
        changed |= columns
        if (columns["result"], columns["ended_us"]) == (kept.result, kept.ended_us):
            del changed["result"], changed["ended_us"]

    def set_due(self, kept: GameRow, seq: int, new: Due) -> None:
        """Replace a game's due work; the last one set in a batch counts.

        What is looked at early enough stays so; the look moves it on (due_work.py).
        """
        changed = self._of(kept)
        changed.pop("told_us", None)
        changed |= due_values(seq, new)
        wake: Any = changed.get("wake_us", kept.wake_us)
        wanted = wakes(new)
        if wake != wanted and (wake is None or wanted is None or wanted < wake):
            changed["wake_us"] = wanted

    def _of(self, kept: GameRow) -> Row:
        known = self.games.get(kept.id)
        if known is None:
            known = self.games[kept.id] = {"of_id": kept.id, "old_seq": kept.seq}
        return known

    def mark_inbox(self, mark: InboxMark) -> None:
        """Record how a mail was handled."""
        self.inbox_marks.append(mark.values() | {"of_id": mark.id})


_LOCKED_GAMES = ByIds(SELECT_GAME.order_by(games.c.id).with_for_update(of=games), games.c.id)
_KEYS = select(
    idempotency.c.person_id, idempotency.c.key, *columns_of(StoredResponse, idempotency)
).where(tuple_(idempotency.c.person_id, idempotency.c.key).in_(bindparam("keys", expanding=True)))
_INBOX = (
    select(inbox.c.id, inbox.c.state)
    .where(inbox.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(inbox.c.id)
    .with_for_update()
)
_HISTORY = SELECT_EVENT.where(events.c.game_id.in_(bindparam("ids", expanding=True)))
_MARK_INBOX = (
    update(inbox)
    .where(inbox.c.id == bindparam("of_id"), inbox.c.state == InboxState.NEW.value)
    .values(
        state=bindparam("state"),
        outcome=bindparam("outcome"),
        note=bindparam("note"),
        person_id=bindparam("person_id"),
        game_id=bindparam("game_id"),
    )
)
_USE_CONFIRMATION = (
    update(confirmations)
    .where(confirmations.c.digest == bindparam("of_digest"), confirmations.c.used_us.is_(None))
    .values(used_us=bindparam("at_us"))
)

_INSERT_EVENTS = insert(events)
_EVENTS = Bulk(("game_id", "seq", "at_us", "actor_id", "channel", "inbox_id", "body", "hash"))
_OUTBOX = Bulk((field.name for field in fields(NewOutbox)), attrgetter)
_WRITTEN = select(func.count()).where(in_array(games.c.id, "ids"), in_array(games.c.head, "heads"))
_MARKS = Bulk()


@cache
def _update_of(columns: tuple[str, ...]) -> tuple[Bulk, Update]:
    """What sets these columns of a game; due work that is set anew was never tried."""
    named: dict[str, Any] = {n: bindparam(n) for n in columns if n not in ("of_id", "old_seq")}
    this = (games.c.id == bindparam("of_id"), games.c.seq == bindparam("old_seq"))
    return Bulk(), update(games).where(*this).values(FRESH | named if "due_us" in named else named)


def find(
    conn: Connection,
    game_ids: Collection[int],
    keys: Collection[Key],
    inbox_ids: Collection[int],
) -> BatchInput:
    """Lock the games and mails in id order and read what a batch needs."""
    rows = _LOCKED_GAMES.find(conn, game_ids)
    found = BatchInput({row[0]: GameRow(*row) for row in rows}, {}, {})
    if keys:
        for row in conn.execute(_KEYS, {"keys": sorted(keys)}):
            found.responses[(row[0], row[1])] = StoredResponse(*row[2:])
    if inbox_ids:
        for inbox_id, state in conn.execute(_INBOX, {"ids": sorted(inbox_ids)}):
            found.inbox[inbox_id] = state
    return found


def lock_games(conn: Connection, game_ids: Collection[int]) -> None:
    """Lock games in id order, for a caller that then locks something else."""
    if game_ids:
        _LOCKED_GAMES.find(conn, game_ids)


def write_outbox(conn: Connection, letters: Sequence[NewOutbox]) -> None:
    """Store letters; one whose Message-ID is known is left alone."""
    if letters:
        _OUTBOX.run(conn, quiet_insert(conn.dialect.name, outbox), record_letters(letters))


def histories(conn: Connection, game_ids: Collection[int]) -> dict[int, tuple[Event, ...]]:
    """All events of some games, in order. Raises UnreadEntry for a ledger that can't be read."""
    return {
        game_id: load_events(texts) for game_id, texts in read_event_texts(conn, game_ids).items()
    }


def event_rows(conn: Connection, *game_ids: int) -> tuple[EventRow, ...]:
    """Games' events as they are kept, game by game, in order."""
    return rows_of(EventRow, conn.execute(_HISTORY, {"ids": game_ids}))


def messages_of(conn: Connection, *game_ids: int) -> tuple[MessageRow, ...]:
    """What the players wrote to each other in games."""
    query = select(*columns_of(MessageRow, messages)).where(messages.c.game_id.in_(game_ids))
    return rows_of(MessageRow, conn.execute(query.order_by(messages.c.game_id, messages.c.seq)))


def read_event_texts(conn: Connection, game_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The texts of all events of some games, in order, as they are kept."""
    out: dict[int, list[str]] = {game_id: [] for game_id in game_ids}
    for row in conn.execute(_HISTORY, {"ids": sorted(game_ids)}):
        out[row[0]].append(EventRow(*row).body)
    return {game_id: tuple(found) for game_id, found in out.items()}


def write(conn: Connection, rows: BatchOutput) -> None:
    """Write a batch: a fixed number of statements, whatever its size.

    StoreConflict when a game was changed by someone who did not take its lock.
    """
    if rows.events:
        _EVENTS.run(conn, _INSERT_EVENTS, rows.events)
    _write_games(conn, rows.games.values())
    for table, new in (
        (messages, rows.messages),
        (confirmations, rows.confirmations),
        (idempotency, rows.responses),
    ):
        if new:
            conn.execute(insert(table), new)
    write_outbox(conn, rows.outbox)
    if rows.confirmations_used:
        conn.execute(_USE_CONFIRMATION, rows.confirmations_used)
    if rows.inbox_marks:
        _MARKS.run(conn, _MARK_INBOX, rows.inbox_marks)


def _write_games(conn: Connection, changed: Iterable[Row]) -> None:
    """Update the games' rows. StoreConflict as for ``write``."""
    alike = dict[tuple[str, ...], list[Row]]()
    for row in changed:
        alike.setdefault(tuple(row), []).append(row)
    for columns, some in alike.items():
        bulk, statement = _update_of(columns)
        found = bulk.run(conn, statement, some)
        if found is None:
            found = _as_written(conn, some)
        if found != len(some):
            raise StoreConflict("a game was changed beside its lock")


def _as_written(conn: Connection, rows: Sequence[Row]) -> int:
    """How many games have the head just written: asyncpg does not count what many updates did."""
    if "head" not in rows[0]:
        return len(rows)  # due work alone
    asked = {"ids": [row["of_id"] for row in rows], "heads": [row["head"] for row in rows]}
    return int(conn.execute(_WRITTEN, asked).scalar_one())


# What handling mails needs to know: five statements for any number of mails.

_GAMES = SELECT_GAME.where(games.c.id.in_(bindparam("ids", expanding=True)))
_PEOPLE = select(*columns_of(PersonRow, people)).where(
    or_(
        people.c.email.in_(bindparam("emails", expanding=True)),
        people.c.id.in_(bindparam("ids", expanding=True)),
    )
)
_QUESTIONS = (
    select(*columns_of(ConfirmationRow, confirmations))
    .where(confirmations.c.game_id.in_(bindparam("ids", expanding=True)))
    .order_by(confirmations.c.sent_us)
)


@dataclass(frozen=True, slots=True)
class MailFacts:
    """The games that mails are about, with players and questions, and when they were set back;
    the senders; and all these people's preferences."""

    games: dict[int, GameRow] = field(default_factory=dict)
    people: dict[int, PersonRow] = field(default_factory=dict)
    senders: dict[str, PersonRow] = field(default_factory=dict)
    questions: dict[int, list[ConfirmationRow]] = field(default_factory=dict)
    set_backs: dict[int, tuple[SetBack, ...]] = field(default_factory=dict)
    chosen: dict[int, Pairs] = field(default_factory=dict)

    def sender(self, email: str | None) -> PersonRow | None:
        """The person registered with an address."""
        return None if email is None else self.senders.get(normal(email))


def mail_facts(conn: Connection, game_ids: Collection[int], emails: Collection[str]) -> MailFacts:
    """The facts for mails about these games, from these addresses."""
    facts = MailFacts()
    ids = sorted(game_ids)
    if ids:
        for row in conn.execute(_GAMES, {"ids": ids}):
            facts.games[row[0]] = GameRow(*row)
        for row in conn.execute(_QUESTIONS, {"ids": ids}):
            question = ConfirmationRow(*row)
            facts.questions.setdefault(question.game_id, []).append(question)
        facts.set_backs.update(set_backs(conn, ids))
    players = sorted({p for game in facts.games.values() for p in (game.white_id, game.black_id)})
    wanted = {"ids": players, "emails": sorted({normal(email) for email in emails})}
    for row in conn.execute(_PEOPLE, wanted):
        person = PersonRow(*row)
        facts.people[person.id] = facts.senders[person.email] = person
    facts.chosen.update(preferences_of(conn, facts.people))
    return facts
