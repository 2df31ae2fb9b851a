"""What a command hands to the writer, and what it gets back.

A unit is pure: it sees one locked game and says what is to be written. Not for how that
happens (batch.py, writer.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, TypeVar

from kskak.cases.events import CaseKind
from kskak.game.events import Event
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.store.mail.due_work import Due
from server.store.mail.inbox import InboxMark
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.store.play.idempotency import IdempotencyKey, StoredResponse
from server.store.play.questions import NewConfirmation
from server.usecases.core.outbox_letters import Poster

V_co = TypeVar("V_co", covariant=True)


class KeyReused(ValueError):
    """An ``Idempotency-Key`` came again with another request."""


@dataclass(frozen=True, slots=True)
class LockedGame:
    """A game nobody else can change now; ``events`` only when a unit asked for them.

    ``unsettled``: the days of outages in its group whose pause is not decided on, first and last,
    and those that an outage still open has cost until an instant (µs).
    """

    row: GameRow
    state: GameState
    events: tuple[Event, ...] | None
    unsettled: Callable[[int], Sequence[tuple[date, date]]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append. ``actor_id`` None: the server itself; ``at_us`` the instant."""

    event: Event
    at_us: int
    actor_id: int | None
    channel: str
    inbox_id: int | None = None


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What a player writes to the opponent with the event ``seq``."""

    seq: int
    author_id: int
    text: str


@dataclass(frozen=True, slots=True)
class UsedConfirmation:
    """A question that this command answers."""

    digest: bytes
    at_us: int


@dataclass(frozen=True, slots=True)
class NewClaim:
    """What opens a case: an overstep claimed by a person, or what the server found (``by`` None).

    ``late`` is the side whose time ran out, or that is silent or unreachable (§ 6.3.3.5, § 6.3.4).
    ``is_claimed``: the overstep is claimed, not only found; ``rests``: that stops the game.
    """

    game: GameRow
    by: int | None
    late: Side
    at: datetime
    poster: Poster
    kind: CaseKind = CaseKind.OVERSTEP
    is_claimed: bool = False
    rests: bool = False


@dataclass(frozen=True, slots=True)
class ClaimAdmitted:
    """The late player admitted the claim: its case is closed (§ 6.3.3.5)."""

    game: GameRow
    at: datetime
    poster: Poster


@dataclass(frozen=True, slots=True)
class CaseRaised:
    """A player disputes the account, saying that ``late`` has overstepped the time (§ 6.4.1)."""

    game: GameRow
    by: int
    late: Side
    at: datetime
    poster: Poster
    text: str


@dataclass(frozen=True, slots=True)
class SilenceBroken:
    """The silent player has answered: a case about the silence or absence is closed.

    § 6.3.4, § 6.8.1, § 6.8.3. ``poster`` writes to those told of the absence. ``is_leave``: no
    answer, but special leave was granted for the time (§ 6.3.6.4). ``is_end``: the game is over,
    which may be the other's doing.
    """

    game: GameRow
    at: datetime
    poster: Poster
    is_leave: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """All that a unit wants written in its own game, or nothing at all.

    ``state`` is the state after ``events``: both or neither. ``deadlines`` None leaves what is
    there; () clears it. The first event's sequence is ``game.row.seq + 1``. ``answers`` are letters
    dropped when their reader has been sent enough today (reply_limits.py). ``colours_changed``: the
    game, if its players exchange their sides with the events; ``state`` and letters are of after.
    """

    events: tuple[NewEvent, ...] = ()
    state: GameState | None = None
    outbox: tuple[NewOutbox, ...] = ()
    answers: tuple[NewOutbox, ...] = ()
    deadlines: Due | None = None
    messages: tuple[NewMessage, ...] = ()
    confirmations: tuple[NewConfirmation, ...] = ()
    confirmations_used: tuple[UsedConfirmation, ...] = ()
    inbox_mark: InboxMark | None = None
    idempotent: StoredResponse | None = None
    claims: tuple[NewClaim, ...] = ()
    broken: tuple[SilenceBroken, ...] = ()
    admitted: tuple[ClaimAdmitted, ...] = ()
    raised: tuple[CaseRaised, ...] = ()
    colours_changed: tuple[int, ...] = ()


Later = Callable[[], Writes]
"""What follows from a decision, worked out once all of a batch's units have decided."""


class Unit(Protocol[V_co]):
    """A command on one game, whose answer is a ``V_co``."""

    @property
    def game_id(self) -> int:
        """The game."""
        ...

    @property
    def inbox_id(self) -> int | None:
        """The mail that asks; one that already has its outcome is not handled again."""
        ...

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """The request's key, if it has one."""
        ...

    def run(self, game: LockedGame) -> tuple[Writes | Later, V_co]:
        """What to write, and what to answer when that is durable. No clock, no I/O.

        It may be run more than once. ``kskak.play.evolve.NeedsHistory``: run again with events.
        Any other exception reaches the submitter alone and nothing of the unit is written.
        """
        ...


class PlainUnit:
    """What most units share: no mail behind them, and no key; they can be repeated.

    A unit that has one of these overrides it. Not for what a unit does.
    """

    __slots__ = ()

    @property
    def inbox_id(self) -> int | None:
        """The mail that asks: none."""
        return None

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """The request's key: none; the game's state tells whether it was done."""
        return None


@dataclass(frozen=True, slots=True)
class Replayed:
    """The request was answered before; this is that answer."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class AlreadyDone:
    """The mail already has its outcome."""
