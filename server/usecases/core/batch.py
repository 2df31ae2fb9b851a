"""One batch of units: each runs on its game as earlier ones left it; the rows are collected.

Synchronous and without a clock; runs inside one transaction. Not for queues (batching.py).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from kskak.game.events import Event, MoveSent
from kskak.ledger.stored_events import dump_event
from kskak.play.evolve import NeedsHistory
from server import crash
from server.store.engine.chain import link
from server.store.engine.errors import UnknownGame
from server.store.mail import batch as ledger
from server.store.mail.inbox import InboxState
from server.store.mail.outbox import NewOutbox, outbox_values
from server.store.play.games import GameRow, standing
from server.store.play.idempotency import IdempotencyKey, Known, StoredResponse
from server.store.play.questions import confirmation_values
from server.usecases.core.batching import Failed
from server.usecases.core.case_closing import settle_admitted, settle_silence
from server.usecases.core.case_opening import take_claim
from server.usecases.core.game_work import (
    AlreadyDone,
    CaseRaised,
    ClaimAdmitted,
    KeyReused,
    LockedGame,
    NewClaim,
    NewEvent,
    Replayed,
    SilenceBroken,
    Unit,
    Writes,
)
from server.usecases.core.reply_limits import not_hushed
from server.usecases.core.unproved_overstep import raise_case

AGAIN = object()
"""A unit's answer while its game's events are missing."""


class Batch:
    """The units of one transaction and what they have written so far."""

    def __init__(self, found: ledger.Found) -> None:
        self._found = found
        self._games: dict[int, LockedGame] = {}
        self._changed: dict[int, tuple[ledger.Row, LockedGame]] = {}
        """What ``_games`` becomes when a batch uses the same game again, which is rare."""
        self._new: dict[int, list[Event]] = {}
        self.rows = ledger.Rows()
        self.answers: list[NewOutbox] = []
        self.claims: list[NewClaim] = []
        self.broken: list[SilenceBroken] = []
        self.admitted: list[ClaimAdmitted] = []
        self.raised: list[CaseRaised] = []
        self.entered: Counter[str] = Counter()
        """Dispatches entered, by the channel they came through."""
        self.wanted: set[int] = set()
        """Games whose events a unit asked for."""

    def run(self, unit: Unit[object]) -> object:
        """Run one unit: its value, Replayed, AlreadyDone, or Failed.

        AGAIN: it must be run again once its game's events have been read.
        """
        if unit.game_id in self.wanted:
            return AGAIN
        try:
            known = self._known(unit)
            if known is not None:
                return known
            game = self._game(unit.game_id)
            writes, value = unit.run(game)
            self._keep(unit, game, writes)
        except NeedsHistory as error:
            if self._games[unit.game_id].events is not None:
                return Failed(error)
            self.wanted.add(unit.game_id)
            return AGAIN
        except Exception as error:  # whatever it is, it concerns this unit alone
            return Failed(error)
        return value

    def _known(self, unit: Unit[object]) -> Replayed | AlreadyDone | None:
        """The answer to a request that came before, or to a mail that already has its outcome."""
        key = unit.idempotency
        if key is not None:
            known = self._found.responses.get((key.person_id, key.key))
            if known is not None and known.request != key.request:
                raise KeyReused(key.key)
            if known is not None:
                return Replayed(known.response.status, known.response.body)
        if unit.inbox_id is not None and self._found.inbox.get(unit.inbox_id) != InboxState.NEW:
            return AlreadyDone()
        return None

    def _game(self, game_id: int) -> LockedGame:
        if game_id in self._changed:
            columns, changed = self._changed.pop(game_id)
            now = replace(changed.row, **columns)  # type: ignore[arg-type]
            self._games[game_id] = replace(changed, row=now)
        game = self._games.get(game_id)
        if game is None:
            row = self._found.games.get(game_id)
            if row is None:
                raise UnknownGame(game_id)
            game = self._games[game_id] = LockedGame(row, row.state(), None)
        return game

    def add_histories(self, conn: Connection) -> None:
        """Read the events that were asked for, and add those of this batch."""
        ids, self.wanted = self.wanted, set()
        for game_id, events in ledger.histories(conn, ids).items():
            everything = (*events, *self._new.get(game_id, ()))
            self._games[game_id] = replace(self._games[game_id], events=everything)

    def _keep(self, unit: Unit[object], game: LockedGame, writes: Writes) -> None:
        """Add a unit's writes: all of them or, on an exception, none."""
        if (writes.state is None) != (not writes.events):
            raise ValueError("events and the state after them: both or neither")
        seq = self._append(game, writes)
        letters = outbox_values(writes.outbox)
        questions = confirmation_values(writes.confirmations)
        rows = self.rows
        rows.messages += [
            {"game_id": game.row.id, "seq": m.seq, "author_id": m.author_id, "text": m.text}
            for m in writes.messages
        ]
        rows.outbox += letters
        rows.confirmations += questions
        rows.confirmations_used += [
            {"of_digest": used.digest, "at_us": used.at_us} for used in writes.confirmations_used
        ]
        if writes.deadlines is not None:
            rows.set_deadline(game.row.id, seq, writes.deadlines)
        if writes.inbox_mark is not None:
            rows.mark_inbox(writes.inbox_mark)
            self._found.inbox[writes.inbox_mark.id] = writes.inbox_mark.state.value
        if writes.idempotent is not None and unit.idempotency is not None:
            self._keep_response(unit.idempotency, writes.idempotent)
        self.answers += writes.answers
        self.claims += writes.claims
        self.broken += writes.broken
        self.admitted += writes.admitted
        self.raised += writes.raised

    def _append(self, game: LockedGame, writes: Writes) -> int:
        """Add the rows of the new events; returns the number of the game's last event."""
        state = writes.state
        if state is None:
            return game.row.seq
        row = game.row
        new = _event_rows(row, writes.events)
        columns = standing(state, row.white_id, row.black_id)
        is_fresh = columns["result"] is not None and row.result is None
        ended_us = writes.events[-1].at_us if is_fresh else row.ended_us
        columns["ended_us"] = ended_us if columns["result"] is not None else None
        seq = row.seq + len(new)
        newest = max(row.last_us or 0, *(event.at_us for event in writes.events))
        columns |= {"seq": seq, "head": new[-1]["hash"], "last_us": newest}
        self.rows.events += new
        self.rows.set_game(self._found.games[row.id], columns)
        self.entered.update(e.channel for e in writes.events if isinstance(e.event, MoveSent))
        happened = [new_event.event for new_event in writes.events]
        self._new.setdefault(row.id, []).extend(happened)
        events = None if game.events is None else (*game.events, *happened)
        self._changed[row.id] = (columns, LockedGame(row, state, events))
        return seq

    def _keep_response(self, key: IdempotencyKey, response: StoredResponse) -> None:
        self._found.responses[(key.person_id, key.key)] = Known(key.request, response)
        self.rows.responses.append(
            {
                "person_id": key.person_id,
                "key": key.key,
                "request": key.request,
                "status": response.status,
                "body": response.body,
                "created_us": response.created_us,
            }
        )


def _event_rows(game: GameRow, events: Sequence[NewEvent]) -> list[ledger.Row]:
    """The chained rows of new events."""
    rows: list[ledger.Row] = []
    head = game.head
    for seq, new in enumerate(events, game.seq + 1):
        body = dump_event(new.event)
        head = link(head, game.id, seq, new.at_us, body)
        rows.append(
            {
                "game_id": game.id,
                "seq": seq,
                "at_us": new.at_us,
                "actor_id": new.actor_id,
                "channel": new.channel,
                "inbox_id": new.inbox_id,
                "body": body,
                "hash": head,
            }
        )
    return rows


def process(
    conn: Connection, units: Sequence[Unit[object]], entered: Counter[str] | None = None
) -> list[object]:
    """Run the units in order in one transaction; the answers hold once it is committed.

    ``entered`` receives the dispatches by channel, which hold from then on too.
    """
    found = ledger.find(
        conn,
        {unit.game_id for unit in units},
        {(k.person_id, k.key) for unit in units if (k := unit.idempotency) is not None},
        {unit.inbox_id for unit in units if unit.inbox_id is not None},
    )
    batch = Batch(found)
    answers = [batch.run(unit) for unit in units]
    if batch.wanted:
        batch.add_histories(conn)
        answers = [
            batch.run(unit) if answer is AGAIN else answer
            for unit, answer in zip(units, answers, strict=True)
        ]
    if batch.answers:
        batch.rows.outbox += outbox_values(not_hushed(conn, batch.answers))
    ledger.write(conn, batch.rows)
    for claim in batch.claims:
        take_claim(conn, claim)
    for broken in batch.broken:
        settle_silence(conn, broken)
    for admitted in batch.admitted:
        settle_admitted(conn, admitted)
    for raised in batch.raised:
        raise_case(conn, raised)
    if entered is not None:
        entered.update(batch.entered)
    crash.reach("writer-before-commit")
    return answers
