"""One batch of units: each runs on its game as earlier ones left it; the rows are collected.

Each stage for all units: the processor keeps its code at hand, and a move takes three quarters of
the time. Synchronous and without a clock, in one transaction. Not for queues (batching.py).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection

from kskak.game.events import Event, MoveSent
from kskak.ledger.stored_events import UnreadEntry, load_events, proven_text
from kskak.play.evolve import NeedsHistory
from server import crash
from server.store.engine.breathing import breathing
from server.store.engine.chain import about, link
from server.store.engine.errors import UnknownGame
from server.store.engine.rows import values_of
from server.store.league.boards_taken_over import exchange_teams
from server.store.mail import batch as ledger
from server.store.mail.inbox import InboxState
from server.store.mail.outages import undecided
from server.store.play.games import GameRow, standing
from server.store.play.idempotency import IdempotencyKey, Known, StoredResponse
from server.store.play.questions import confirmation_values
from server.usecases.core.batching import Failed
from server.usecases.core.case_closing import settle_admitted, settle_silence
from server.usecases.core.case_opening import take_claim
from server.usecases.core.game_work import (
    AlreadyDone,
    KeyReused,
    Later,
    LockedGame,
    NewEvent,
    Replayed,
    Unit,
    Writes,
)
from server.usecases.core.reply_limits import not_hushed
from server.usecases.core.unproved_overstep import raise_case

AGAIN = object()
"""A unit's answer while its game's events are missing."""
_NONE_YET = object()


@dataclass(slots=True)
class _Run:
    """A unit on its way through the stages, until it has its answer."""

    unit: Unit[object]
    game: LockedGame | None = None
    writes: Writes | Later | None = None
    value: object = None
    answer: object = _NONE_YET

    def begin(self, batch: "Batch") -> None:
        """Find the unit's game, unless it has its answer already."""
        if self.unit.game_id in batch.wanted:
            self.answer = AGAIN
            return
        known = batch.known(self.unit)
        if known is None:
            self.game = batch.game(self.unit.game_id)
        else:
            self.answer = known

    def decide(self, _: "Batch") -> None:
        """What the unit does, as it says."""
        assert self.game is not None
        self.writes, self.value = self.unit.run(self.game)

    def follow(self, _: "Batch") -> None:
        """What follows from that."""
        if callable(self.writes):
            self.writes = self.writes()

    def end(self, batch: "Batch") -> None:
        """Keep it."""
        assert self.game is not None and isinstance(self.writes, Writes)
        batch.keep(self.unit, self.game, self.writes)
        self.answer = self.value


class Batch:
    """The units of one transaction and what they have written so far."""

    def __init__(self, conn: Connection, found: ledger.Found) -> None:
        self._conn = conn
        self._found = found
        self._games: dict[int, LockedGame] = {}
        self._changed: dict[int, tuple[ledger.Row, LockedGame]] = {}
        """What ``_games`` becomes when a batch uses the same game again, which is rare."""
        self._new: dict[int, list[Event]] = {}
        self.rows = ledger.Rows()
        self.kept: list[Writes] = []
        self.entered: Counter[str] = Counter()
        """Dispatches entered, by the channel they came through."""
        self.unread: dict[int, UnreadEntry] = {}
        """Games whose events can't be read; that is theirs alone."""
        self.wanted: set[int] = set()
        """Games whose events a unit asked for."""

    def run(self, units: Sequence[Unit[object]]) -> list[object]:
        """Run the units: for each its value, Replayed, AlreadyDone, Failed or AGAIN.

        AGAIN: it must be run again once its game's events have been read.
        """
        runs = [_Run(unit) for unit in units]
        waiting = runs
        while waiting:
            now, waiting = _apart(waiting)
            for stage in (_Run.begin, _Run.decide, _Run.follow, _Run.end):
                for run in breathing(self._conn, now):
                    if run.answer is _NONE_YET:
                        self._try(stage, run)
        return [run.answer for run in runs]

    def _try(self, stage: Callable[[_Run, "Batch"], None], run: _Run) -> None:
        try:
            stage(run, self)
        except NeedsHistory as error:
            game_id = run.unit.game_id
            is_known = self._games[game_id].events is not None or game_id in self.unread
            run.answer = Failed(self.unread.get(game_id, error)) if is_known else AGAIN
            if not is_known:
                self.wanted.add(game_id)
        except Exception as error:  # whatever it is, it concerns this unit alone
            run.answer = Failed(error)

    def known(self, unit: Unit[object]) -> Replayed | AlreadyDone | None:
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

    def game(self, game_id: int) -> LockedGame:
        """The game as it is after the units before. Raises UnknownGame."""
        if game_id in self._changed:
            columns, changed = self._changed.pop(game_id)
            now = replace(changed.row, **columns)  # type: ignore[arg-type]
            self._games[game_id] = replace(changed, row=now)
        game = self._games.get(game_id)
        if game is None:
            row = self._found.games.get(game_id)
            if row is None:
                raise UnknownGame(game_id)
            game = self._games[game_id] = LockedGame(
                row, row.state(), None, partial(undecided, self._conn, row.group_id)
            )
        return game

    def add_histories(self) -> None:
        """Read the events that were asked for, and add those of this batch."""
        ids, self.wanted = self.wanted, set()
        for game_id, texts in ledger.texts_of(self._conn, ids).items():
            try:
                everything = (*load_events(texts), *self._new.get(game_id, ()))
            except UnreadEntry as error:
                self.unread[game_id] = error
                continue
            self._games[game_id] = replace(self._games[game_id], events=everything)

    def keep(self, unit: Unit[object], game: LockedGame, writes: Writes) -> None:
        """Add a unit's writes: all of them or, on an exception, none."""
        if (writes.state is None) != (not writes.events):
            raise ValueError("events and the state after them: both or neither")
        seq = self._append(game, writes)
        questions = confirmation_values(writes.confirmations)
        rows = self.rows
        rows.messages += [
            {"game_id": game.row.id, "seq": m.seq, "author_id": m.author_id, "text": m.text}
            for m in writes.messages
        ]
        rows.outbox += writes.outbox
        rows.confirmations += questions
        rows.confirmations_used += [
            {"of_digest": used.digest, "at_us": used.at_us} for used in writes.confirmations_used
        ]
        if writes.deadlines is not None:
            rows.set_due(self._found.games[game.row.id], seq, writes.deadlines)
        if writes.inbox_mark is not None:
            rows.mark_inbox(writes.inbox_mark)
            self._found.inbox[writes.inbox_mark.id] = writes.inbox_mark.state.value
        if writes.idempotent is not None and unit.idempotency is not None:
            self._keep_response(unit.idempotency, writes.idempotent)
        self.kept.append(writes)

    def _append(self, game: LockedGame, writes: Writes) -> int:
        """Add the rows of the new events; returns the number of the game's last event."""
        state = writes.state
        if state is None:
            return game.row.seq
        row = game.row.with_colours_changed() if writes.colours_changed else game.row
        said = {message.seq: (message.author_id, message.text) for message in writes.messages}
        new = _event_rows(row, writes.events, said)
        columns = standing(state, row.white_id, row.black_id)
        is_fresh = columns["result"] is not None and row.result is None
        ended_us = writes.events[-1].at_us if is_fresh else row.ended_us
        columns["ended_us"] = ended_us if columns["result"] is not None else None
        seq = row.seq + len(new)
        newest = max(row.last_us or 0, *(event.at_us for event in writes.events))
        columns |= {"seq": seq, "head": new[-1]["hash"], "last_us": newest}
        if writes.colours_changed:
            columns |= {"white_id": row.white_id, "black_id": row.black_id}
        self.rows.events += new
        self.rows.set_game(self._found.games[row.id], columns)
        self.entered.update(e.channel for e in writes.events if isinstance(e.event, MoveSent))
        happened = [new_event.event for new_event in writes.events]
        self._new.setdefault(row.id, []).extend(happened)
        events = None if game.events is None else (*game.events, *happened)
        self._changed[row.id] = (columns, LockedGame(row, state, events, game.unsettled))
        return seq

    def _keep_response(self, key: IdempotencyKey, response: StoredResponse) -> None:
        self._found.responses[(key.person_id, key.key)] = Known(key.request, response)
        named = {"person_id": key.person_id, "key": key.key, "request": key.request}
        self.rows.responses.append(named | values_of(response))


def _apart(waiting: Iterable[_Run]) -> tuple[list[_Run], list[_Run]]:
    """Those that can run beside each other; those after one of the same game, key or mail."""
    now, later = list[_Run](), list[_Run]()
    taken = set[object]()
    for run in waiting:
        unit, key = run.unit, run.unit.idempotency
        marks: set[object] = {unit.game_id}
        if key is not None:
            marks.add((key.person_id, key.key))
        if unit.inbox_id is not None:
            marks.add(("mail", unit.inbox_id))
        (now if marks.isdisjoint(taken) else later).append(run)
        taken |= marks
    return now, later


def _event_rows(
    game: GameRow, events: Sequence[NewEvent], said: Mapping[int, tuple[int, str]]
) -> list[ledger.Row]:
    """The chained rows of new events; ``said``: the message with an event, and its author."""
    rows: list[ledger.Row] = []
    head = game.head
    for seq, new in enumerate(events, game.seq + 1):
        body = proven_text(new.event)
        told = about(new.actor_id, new.channel, new.inbox_id, said.get(seq))
        head = link(head, game.id, seq, new.at_us, body, told)
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


_SETTLED: Sequence[tuple[Callable[[Writes], Any], Callable[[Connection, Any], None]]] = (
    (attrgetter("claims"), take_claim),
    (attrgetter("broken"), settle_silence),
    (attrgetter("admitted"), settle_admitted),
    (attrgetter("raised"), raise_case),
    (attrgetter("colours_changed"), exchange_teams),
)
"""What units want done about cases, in this order, once the rows are written."""


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
    batch = Batch(conn, found)
    answers = batch.run(units)
    if batch.wanted:
        batch.add_histories()
        again = [place for place, answer in enumerate(answers) if answer is AGAIN]
        done = batch.run([units[place] for place in again])
        answers = [done.pop(0) if answer is AGAIN else answer for answer in answers]
    answers_to_mails = [letter for writes in batch.kept for letter in writes.answers]
    if answers_to_mails:
        batch.rows.outbox += not_hushed(conn, answers_to_mails)
    ledger.write(conn, batch.rows)
    for items_of, settle in _SETTLED:
        for writes in batch.kept:
            for item in items_of(writes):
                settle(conn, item)
    if entered is not None:
        entered.update(batch.entered)
    crash.reach("writer-before-commit")
    return answers
