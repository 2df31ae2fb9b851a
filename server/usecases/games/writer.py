"""The one writer of games: takes what is waiting, commits once, then answers all.

Several processes may each have one; the database's locks keep them apart. Not for what a
command does (its unit) nor for incoming mail (mail/parsed_mail.py).
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import Connection

from kskak.game.game_events import Event, MoveSent
from kskak.ledger.stored_events import UnreadEntry, load_events, proven_text
from kskak.play.evolve_game import NeedsHistory
from server import machine
from server.store.divisions import exchange_teams
from server.store.engine.chain import about, link
from server.store.engine.connection import (
    AsyncConnection,
    StoreUnavailable,
    UnknownGame,
    hold,
    insist,
    iterate_with_pauses,
)
from server.store.engine.rows import to_us, values_of
from server.store.engine.store import Store
from server.store.mail import batch as batch_rows
from server.store.mail.inbox import InboxState
from server.store.mail.outages import list_undecided_days
from server.store.play.games import GameRow, SetBack, list_state_columns, set_backs
from server.store.play.requests import StoredResponse
from server.usecases.games.case_closing import close_answered_cases, close_ended_claim
from server.usecases.games.case_opening import raise_case, take_claim
from server.usecases.games.game_units import (
    AlreadyDone,
    KeyReused,
    Later,
    LockedGame,
    Origin,
    Unit,
    Writes,
    limit_repeated_answers,
)

# Group commit: what is waiting is taken together, processed once, and answered one by one.

T = TypeVar("T")
R = TypeVar("R")


class BatcherClosedError(RuntimeError):
    """The server is stopping: nothing new is accepted."""


class Batcher(Generic[T, R]):
    """Runs ``work`` on waiting items, at most ``limit`` at a time, one batch after the other.

    An item's answer may be an exception: its own, the rest of its batch is done. If a whole batch
    fails, each item is tried alone, so that a bad one affects no others; not if the database is
    unavailable. A cancelled submitter's item is still carried out.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], Awaitable[Sequence[R | Exception]]],
        limit: int,
    ) -> None:
        self._work = work
        self._limit = limit
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    async def submit(self, item: T) -> R:
        """The item's answer, once its batch is durable. Raises Closed if the server is stopping."""
        if self._is_closed:
            raise BatcherClosedError("the server is stopping")
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, answer))
        if self._task is None:
            # Starts after this turn of the event loop: what arrived together is taken together.
            self._task = asyncio.create_task(self._drain())
        return await answer

    async def close(self) -> None:
        """Finish what was submitted and accept nothing new."""
        self._is_closed = True
        if self._task is not None:
            await self._task

    async def _drain(self) -> None:
        try:
            while self._waiting:
                count = min(self._limit, len(self._waiting))
                await self._finish([self._waiting.popleft() for _ in range(count)])
                # Those just answered may submit again in this turn: one more batch, not two.
                await asyncio.sleep(0)
        finally:
            self._task = None

    async def _finish(self, batch: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            answers = await self._tried([item for item, _ in batch])
        except BaseException:
            for _, future in batch:
                future.cancel()
            raise
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    async def _tried(self, items: Sequence[T]) -> Sequence[R | Exception]:
        try:
            return await self._work(items)
        except StoreUnavailable as error:
            return [error for _ in items]
        except Exception as error:
            if len(items) == 1:
                return [error]
        alone: list[R | Exception] = []
        for item in items:
            alone.extend(await self._tried([item]))
        return alone


# One batch of units: each runs on its game as earlier ones left it; the rows are collected.

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

    def begin(self, batch: "WriteBatch") -> None:
        """Find the unit's game, unless it has its answer already."""
        if self.unit.game_id in batch.wanted:
            self.answer = AGAIN
            return
        known = batch.known(self.unit)
        if known is None:
            self.game = batch.game(self.unit.game_id)
        else:
            self.answer = known

    def decide(self, _: "WriteBatch") -> None:
        """What the unit does, as it says."""
        assert self.game is not None
        self.writes, self.value = self.unit.run(self.game)

    def follow(self, _: "WriteBatch") -> None:
        """What follows from that."""
        if callable(self.writes):
            self.writes = self.writes()

    def end(self, batch: "WriteBatch") -> None:
        """Keep it."""
        assert self.game is not None and isinstance(self.writes, Writes)
        batch.keep(self.unit, self.game, self.writes)
        self.answer = self.value


class WriteBatch:
    """The units of one transaction and what they have written so far."""

    def __init__(self, conn: Connection, found: batch_rows.BatchInput) -> None:
        self._conn = conn
        self._found = found
        self._games: dict[int, LockedGame] = {}
        self._changed: dict[int, tuple[batch_rows.Row, LockedGame]] = {}
        """What ``_games`` becomes when a batch uses the same game again, which is rare."""
        self._new: dict[int, list[Event]] = {}
        self.rows = batch_rows.BatchOutput()
        self.kept: list[Writes] = []
        self.entered: Counter[str] = Counter()
        """Dispatches entered, by the channel they came through."""
        self.unread: dict[int, UnreadEntry] = {}
        """Games whose events can't be read; that is theirs alone."""
        self.wanted: set[int] = set()
        """Games whose events a unit asked for."""

    def run(self, units: Sequence[Unit[object]]) -> list[object]:
        """Run the units: for each its value, StoredResponse, AlreadyDone, its error or AGAIN.

        AGAIN: it must be run again once its game's events have been read.
        """
        runs = [_Run(unit) for unit in units]
        waiting = runs
        while waiting:
            now, waiting = _apart(waiting)
            for stage in (_Run.begin, _Run.decide, _Run.follow, _Run.end):
                for run in iterate_with_pauses(self._conn, now):
                    if run.answer is _NONE_YET:
                        self._try(stage, run)
        return [run.answer for run in runs]

    def _try(self, stage: Callable[[_Run, "WriteBatch"], None], run: _Run) -> None:
        try:
            stage(run, self)
        except NeedsHistory as error:
            game_id = run.unit.game_id
            is_known = self._games[game_id].events is not None or game_id in self.unread
            run.answer = self.unread.get(game_id, error) if is_known else AGAIN
            if not is_known:
                self.wanted.add(game_id)
        except Exception as error:  # whatever it is, it concerns this unit alone
            run.answer = error

    def known(self, unit: Unit[object]) -> StoredResponse | AlreadyDone | None:
        """The answer to a request that came before, or to a mail that already has its outcome."""
        key = unit.idempotency
        if key is not None:
            known = self._found.responses.get((key.person_id, key.key))
            if known is not None and known.request != key.request:
                raise KeyReused(key.key)
            if known is not None:
                return known
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
                row,
                row.state(),
                None,
                partial(list_undecided_days, self._conn, row.group_id),
                lambda: self._set_backs.get(game_id, ()),
            )
        return game

    @cached_property
    def _set_backs(self) -> dict[int, tuple[SetBack, ...]]:
        """Of all games of the batch, as one unit has asked."""
        return set_backs(self._conn, self._found.games)

    def add_histories(self) -> None:
        """Read the events that were asked for, and add those of this batch."""
        ids, self.wanted = self.wanted, set()
        for game_id, texts in batch_rows.read_event_texts(self._conn, ids).items():
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
        rows = self.rows
        rows.messages += map(values_of, writes.messages)
        rows.outbox += writes.outbox
        rows.confirmations += map(values_of, writes.confirmations)
        rows.confirmations_used += [
            {"of_digest": used.digest, "at_us": used.at_us} for used in writes.confirmations_used
        ]
        if writes.deadlines is not None:
            rows.set_due(self._found.games[game.row.id], seq, writes.deadlines)
        if writes.inbox_mark is not None:
            rows.mark_inbox(writes.inbox_mark)
            self._found.inbox[writes.inbox_mark.id] = writes.inbox_mark.state.value
        if writes.idempotent is not None and unit.idempotency is not None:
            person_id, key = unit.idempotency.person_id, unit.idempotency.key
            self._found.responses[(person_id, key)] = writes.idempotent
            rows.responses.append(
                values_of(writes.idempotent) | {"person_id": person_id, "key": key}
            )
        self.kept.append(writes)

    def _append(self, game: LockedGame, writes: Writes) -> int:
        """Add the rows of the new events; returns the number of the game's last event."""
        state = writes.state
        if state is None:
            return game.row.seq
        row = game.row.with_colours_changed() if writes.colours_changed else game.row
        said = {message.seq: (message.author_id, message.text) for message in writes.messages}
        assert writes.origin is not None
        at_us, new = to_us(writes.origin.at), _event_rows(row, writes.events, writes.origin, said)
        columns = list_state_columns(state, row.white_id, row.black_id)
        is_fresh = columns["result"] is not None and row.result is None
        ended_us = at_us if is_fresh else row.ended_us
        columns["ended_us"] = ended_us if columns["result"] is not None else None
        seq = row.seq + len(new)
        columns |= {"seq": seq, "head": new[-1]["hash"], "last_us": max(row.last_us or 0, at_us)}
        if writes.colours_changed:
            columns |= {"white_id": row.white_id, "black_id": row.black_id}
        self.rows.events += new
        self.rows.set_game(self._found.games[row.id], columns)
        dispatches = sum(isinstance(event, MoveSent) for event in writes.events)
        self.entered.update({writes.origin.channel: dispatches} if dispatches else {})
        self._new.setdefault(row.id, []).extend(writes.events)
        events = None if game.events is None else (*game.events, *writes.events)
        changed = LockedGame(row, state, events, game.unsettled, game.set_backs)
        self._changed[row.id] = (columns, changed)
        return seq


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
    game: GameRow, events: Sequence[Event], origin: Origin, said: Mapping[int, tuple[int, str]]
) -> list[batch_rows.Row]:
    """The chained rows of new events; ``said``: the message with an event, and its author."""
    rows: list[batch_rows.Row] = []
    head, at_us = game.head, to_us(origin.at)
    caused = {"actor_id": origin.actor_id, "channel": origin.channel, "inbox_id": origin.inbox_id}
    for seq, event in enumerate(events, game.seq + 1):
        body = proven_text(event)
        context = about(origin.actor_id, origin.channel, origin.inbox_id, said.get(seq))
        head = link(head, game.id, seq, at_us, body, context)
        rows.append(
            {"game_id": game.id, "seq": seq, "at_us": at_us, "body": body, "hash": head, **caused}
        )
    return rows


_CASE_WORK: Sequence[tuple[Callable[[Writes], Any], Callable[[Connection, Any], None]]] = (
    (attrgetter("claims"), take_claim),
    (attrgetter("ended_claims"), close_ended_claim),
    (attrgetter("broken"), close_answered_cases),
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
    found = batch_rows.find(
        conn,
        {unit.game_id for unit in units},
        {(k.person_id, k.key) for unit in units if (k := unit.idempotency) is not None},
        {unit.inbox_id for unit in units if unit.inbox_id is not None},
    )
    batch = WriteBatch(conn, found)
    answers = batch.run(units)
    if batch.wanted:
        batch.add_histories()
        again = [place for place, answer in enumerate(answers) if answer is AGAIN]
        done = batch.run([units[place] for place in again])
        answers = [done.pop(0) if answer is AGAIN else answer for answer in answers]
    answers_to_mails = [letter for writes in batch.kept for letter in writes.answers]
    if answers_to_mails:
        batch.rows.outbox += limit_repeated_answers(conn, answers_to_mails)
    batch_rows.write(conn, batch.rows)
    for items_of, handle in _CASE_WORK:
        for writes in batch.kept:
            for item in items_of(writes):
                handle(conn, item)
    for writes in batch.kept:
        if writes.inbox_mark is not None:
            for letter in (*writes.outbox, *writes.answers):
                machine.note_cause(letter.message_id, writes.inbox_mark.id)
    if entered is not None:
        entered.update(batch.entered)
    machine.reach_crash_point("writer-before-commit")
    return answers


def write_all(
    conn: Connection, units: Sequence[Unit[object]], entered: Counter[str] | None = None
) -> list[object]:
    """The same for a caller that writes all or nothing. Raises what a unit failed with."""
    answers = process(conn, units, entered)
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


# The one writer of games: takes what is waiting, commits once, then answers all.

V = TypeVar("V")

BATCH = 256
"""How many units share a transaction at most."""


class Writer:
    """Units in, durable answers out."""

    def __init__(
        self,
        store: Store,
        *,
        limit: int = BATCH,
        committed: Callable[[], None] = lambda: None,
        entered: Callable[[str, int], None] = lambda channel, count: None,
    ) -> None:
        """``committed`` is called after each commit: letters may wait to be sent.

        ``entered`` is called with how many dispatches each channel added to the ledgers.
        """
        self._store = store
        self._committed = committed
        self._entered = entered
        self._batcher: Batcher[Unit[object], object] = Batcher(self._commit, limit)

    async def submit(self, unit: Unit[V]) -> V | StoredResponse | AlreadyDone:
        """Run a unit; returns its answer once what it wrote is durable.

        Raises what ``run`` raised, UnknownGame, KeyReused, or StoreError when the database
        can't do it; then nothing of the unit is written. Inside ``together`` it is durable at the
        end of the block.
        """
        if self._store.is_joined:
            (answer,) = await self._commit([cast("Unit[object]", unit)])
            if isinstance(answer, Exception):
                raise answer
            return cast("V | StoredResponse | AlreadyDone", answer)
        return cast("V | StoredResponse | AlreadyDone", await self._batcher.submit(unit))

    async def transact(
        self, work: Callable[[Connection], V], entered: Counter[str] | None = None
    ) -> V:
        """Run ``work`` in a transaction of its own, for what touches more than games' ledgers.

        ``entered``: the dispatches that ``work`` enters through ``process``, to be counted too.
        """
        value = await self._store.transact(work)
        self._done(entered)
        return value

    @asynccontextmanager
    async def together(self, *names: str) -> AsyncIterator[AsyncConnection]:
        """Make everything this task reads and writes in the block one transaction.

        ``names``: the turns it holds, exclusive across processes (connection.py).
        """
        async with self._store.together() as connection:
            await connection.run_sync(hold, *names)
            yield connection
        self._committed()

    def _done(self, entered: Counter[str] | None) -> None:
        """After a commit, so that nothing is counted or signalled that a crash could undo."""
        for channel, count in (entered or {}).items():
            self._entered(channel, count)
        self._committed()

    async def close(self) -> None:
        """Finish what was submitted and accept nothing new."""
        await self._batcher.close()

    async def _commit(self, units: Sequence[Unit[object]]) -> Sequence[object]:
        entered: Counter[str] = Counter()

        def work(conn: Connection) -> list[object]:
            entered.clear()
            return process(conn, units, entered)

        once = partial(self._store.transact, work)
        answers = await (once() if self._store.is_joined else insist(once))
        machine.reach_crash_point("writer-after-commit")
        self._done(entered)
        return answers
