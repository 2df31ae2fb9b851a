"""A player's request to a game: one transaction from the command to its letters.

The entry point for the web, the API and, through its own unit, mail. The command is built inside
the transaction from the locked state, decided, and its events, letters and due work are
written together. Not for reading text (reading.py) nor for pages (game_views.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from kskak.game.commands import Command
from kskak.game.events import Event, Paused
from kskak.game.refusals import Reason, Refusal
from kskak.play.decide import decide_and_reach
from kskak.play.evolve import NeedsHistory, advance
from kskak.play.state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.quantities import PauseReason, Side
from server.store.engine.types import from_us, to_us
from server.store.mail.due_work import Due
from server.store.mail.inbox import InboxMark
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.store.play.idempotency import IdempotencyKey, StoredResponse
from server.store.play.questions import NewConfirmation
from server.usecases.core.case_causes import Causes
from server.usecases.core.context import Core, poster_of
from server.usecases.core.due_work import due_of, due_work, near_of
from server.usecases.core.game_work import (
    AlreadyDone,
    Later,
    LockedGame,
    NewEvent,
    NewMessage,
    Replayed,
    UsedConfirmation,
    Writes,
)
from server.usecases.core.outbox_letters import Poster, letters_of
from server.usecases.play.reading import TextProblem

Build = Callable[[GameState, Side], Command | Refusal | TextProblem]


class NotYours(Exception):
    """The person plays neither side in the game, and so may not ask."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A person's request. ``at`` is the instant that counts; None: when it is submitted.

    ``respond`` makes the response that is stored under ``idempotency``, in the same transaction;
    ``used`` is the question that it answers.
    """

    game_id: int
    person_id: int
    channel: str
    build: Build
    message: str = ""
    at: datetime | None = None
    idempotency: IdempotencyKey | None = None
    respond: "Callable[[Answer], tuple[int, str]] | None" = None
    used: UsedConfirmation | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome: events and the state after them, or why not. ``seq`` counts all events."""

    game: GameRow
    before: GameState
    state: GameState
    events: tuple[Event, ...]
    seq: int
    refusal: Refusal | None = None
    problem: TextProblem | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Who caused events, when and by what channel: for the ledger's rows."""

    at: datetime
    actor_id: int | None
    channel: str
    inbox_id: int | None = None


def not_before(locked: LockedGame, at: datetime, *, is_now: bool) -> datetime:
    """When a request counts as made: in a game, dates never run backwards (§ 6.8.6).

    The machine's clock may have been set back; a request made now then counts as made with the
    newest event. ``is_now`` False: the instant may well be earlier, as for a mail that we had
    deferred; but no answer is dated before the move that it answers.
    """
    sent, last = locked.state.turn.opponent_sent, locked.row.last_us
    if last is None:
        return at
    if is_now or (sent is not None and local_day(at, locked.row.zone) < sent):
        return max(at, from_us(last))
    return at


def carry_out(
    locked: LockedGame, command: Command, origin: Origin
) -> Refusal | tuple[tuple[Event, ...], GameState]:
    """Decide a command and apply its events. Raises NeedsHistory when the ledger must be loaded.

    An overstep by days of an outage that nobody has settled is not found: the pause that it asks
    for then stands in this game, ahead of what was asked (reading of § 6.8.5). A claim is refused,
    and nothing is kept of it: what still stands once it is settled the server finds itself.
    """
    done = _decided(locked, command, origin, ())
    if isinstance(done, Refusal) or locked.state.overstep or not done[1].overstep:
        return done
    days = locked.unsettled(to_us(origin.at))
    pauses = tuple(Paused(*both, PauseReason.OUTAGE) for both in days)
    booked = [one.booked for one in locked.state.bookings]
    fresh = tuple(pause for pause in pauses if pause not in booked)
    if not fresh:
        return done
    again = _decided(locked, command, origin, fresh)
    if isinstance(again, Refusal) and again.reason is Reason.NO_OVERSTEP:
        return Refusal(Reason.OUTAGE_UNSETTLED)
    return again


def _decided(
    locked: LockedGame, command: Command, origin: Origin, pauses: tuple[Event, ...]
) -> Refusal | tuple[tuple[Event, ...], GameState]:
    """The same in the game as it is after ``pauses``, which stand only with what follows."""
    state, seq = locked.state, locked.row.seq
    if pauses:
        state = advance(state, pauses, seq, lambda: _history(locked))
    today = local_day(origin.at, locked.row.zone)
    reached = decide_and_reach(state, command, today, state.terms.rules)
    if isinstance(reached, Refusal):
        return reached
    events, after = reached.events, reached.state
    if not events:
        return (), locked.state
    if after is None:
        before = (*pauses, *events)
        after = advance(locked.state, before, seq, lambda: _history(locked))
    return (*pauses, *events), after


def _history(locked: LockedGame) -> Sequence[Event]:
    if locked.events is None:
        raise NeedsHistory
    return locked.events


@dataclass(frozen=True, slots=True)
class Extra:
    """What else a unit writes with its events."""

    message: str = ""
    unread: tuple[str, ...] = ()
    outbox: tuple[NewOutbox, ...] = ()
    confirmations: tuple[NewConfirmation, ...] = ()
    confirmations_used: tuple[UsedConfirmation, ...] = ()
    inbox_mark: InboxMark | None = None
    idempotent: StoredResponse | None = None


def writes_of(
    locked: LockedGame,
    events: tuple[Event, ...],
    after: GameState,
    origin: Origin,
    poster: Poster,
    extra: Extra,
) -> Writes:
    """Events, letters, due work and the rest of one unit, to be written together."""
    first_seq = locked.row.seq + 1
    at_us = to_us(origin.at)
    new = tuple(
        NewEvent(event, at_us, origin.actor_id, origin.channel, origin.inbox_id) for event in events
    )
    states = (locked.state, after)
    told = locked.state.turn.warned is not None
    letters = letters_of(
        poster.about(at_us), locked.row, events, first_seq, states, extra.unread, told
    )
    cause = Causes(locked.row, origin.actor_id, origin.at, poster)
    messages: tuple[NewMessage, ...] = ()
    if extra.message and events and origin.actor_id is not None:
        messages = (NewMessage(first_seq, origin.actor_id, extra.message),)
    return Writes(
        events=new,
        state=after if events else None,
        outbox=(*letters, *extra.outbox),
        deadlines=_changed_due(states, locked.row),
        messages=messages,
        confirmations=extra.confirmations,
        confirmations_used=extra.confirmations_used,
        inbox_mark=extra.inbox_mark,
        idempotent=extra.idempotent,
        claims=cause.claims(events, states),
        admitted=cause.admitted(events),
        broken=cause.broken(events, states),
    )


def _changed_due(states: tuple[GameState, GameState], row: GameRow) -> Due | None:
    """The due work after a change; None when unchanged: work already done is not set again."""
    before, after = states
    if before.position.ply == after.position.ply:
        near = near_of(row, before)
        was, now = (due_work(state, row.post_days, near) for state in states)
        if was == now:
            return None
    return due_of(row, after)


@dataclass(frozen=True, slots=True)
class AskUnit:
    """One person's request as the writer runs it."""

    asked: Asked
    poster: Poster
    now: datetime

    @property
    def game_id(self) -> int:
        """The game it is about."""
        return self.asked.game_id

    @property
    def inbox_id(self) -> int | None:
        """None: it did not come by mail."""
        return None

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """The key that makes a repeat harmless."""
        return self.asked.idempotency

    def run(self, locked: LockedGame) -> tuple[Writes | Later, Answer]:
        """Build, decide, apply. Raises NotYours; NeedsHistory for an event about the past."""
        asked, state, row = self.asked, locked.state, locked.row
        side = row.side_of(asked.person_id)
        if side is None:
            raise NotYours
        command = asked.build(state, side)
        at = not_before(locked, asked.at or self.now, is_now=asked.at is None)
        origin = Origin(at, asked.person_id, asked.channel)
        if isinstance(command, TextProblem):
            answer = Answer(row, state, state, (), row.seq, problem=command)
            return self._nothing(answer)
        done = command if isinstance(command, Refusal) else carry_out(locked, command, origin)
        if isinstance(done, Refusal):
            return self._nothing(Answer(row, state, state, (), row.seq, refusal=done))
        events, after = done
        answer = Answer(row, state, after, events, row.seq + len(events))
        extra = Extra(
            message=asked.message, idempotent=self._kept(answer), confirmations_used=self._used
        )
        return partial(writes_of, locked, events, after, origin, self.poster, extra), answer

    def _kept(self, answer: Answer) -> StoredResponse | None:
        """The response to be repeated for the same key."""
        if self.asked.idempotency is None or self.asked.respond is None:
            return None
        status, body = self.asked.respond(answer)
        return StoredResponse(status, body, to_us(self.now))

    def _nothing(self, answer: Answer) -> tuple[Writes, Answer]:
        return Writes(idempotent=self._kept(answer), confirmations_used=self._used), answer

    @property
    def _used(self) -> tuple[UsedConfirmation, ...]:
        return () if self.asked.used is None else (self.asked.used,)


async def ask(core: Core, asked: Asked) -> Answer | Replayed:
    """Put a request to a game; ``Replayed`` when the idempotency key was seen before.

    Raises NotYours, UnknownGame, KeyReused; everything is written or nothing.
    """
    answer = await core.writer.submit(AskUnit(asked, poster_of(core), core.clock.now()))
    if isinstance(answer, AlreadyDone):
        raise TypeError("no mail stands behind this")
    return answer
