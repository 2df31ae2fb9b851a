"""What a command hands to the writer, and what it gets back; a game's account and its due work.

A unit is pure: it sees one locked game and says what is to be written. Due work is silence,
warnings, offline, time running out, the first of it as a row (§ 6.3.3.1, § 6.3.4, § 6.8.1, § 6.8.3,
§ 6.8.6); its instant is the deadline's own, not the poller's. Not for how either happens
(writer.py, reflection/silence_and_outages.py).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from hashlib import sha256
from itertools import product
from operator import attrgetter
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kskak.cases.case_events import CaseKind
from kskak.game.game_events import Event, GameSetBack, RulingAnnulled, RulingApplied
from kskak.ledger.stored_events import RULING_ANNULLED, SWAPS, load_events
from kskak.play.due_days import (
    CONTROL_NEAR,
    control_warnings_on,
    leader_on,
    not_before,
    offline_on,
    reminder_on,
    warning_on,
)
from kskak.play.events_in_force import is_swapped
from kskak.play.game_state import GameState, Terms
from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from kskak.statement.account import Account, account
from mail.game_letters.no_move_letters import HeldConfirm, NotMade
from server.machine import cached_by_size
from server.store.divisions import HandRow
from server.store.engine.chain import ChainLink, StartFacts, about
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us, to_us
from server.store.mail import due_work as due_rows
from server.store.mail.due_work import DeadlineRow, Due, NewDeadline
from server.store.mail.inbox import InboxMark
from server.store.mail.outbox import NewOutbox, letters_since
from server.store.play.games import EventRow, GameRow, SetBack, select_turning_events
from server.store.play.notes_and_messages import MessageRow
from server.store.play.requests import ConfirmationRow, IdempotencyKey, StoredResponse
from server.store.tables.people import REMINDERS
from server.usecases.games.outbox_letters import Poster
from server.usecases.preferences import read

# A game's account for views, computed once for the same ledger and day.

ACCOUNT_CACHE_BYTES = 1 << 20
"""Octets of accounts that are cached, the most recently used: 25 games of 30 moves."""


def read_account(terms: Terms, bodies: Iterable[str], on: date) -> Account:
    """A ledger's account on a day; the board in it is the caller's own.

    Raises EntryFault for events that can't have happened.
    """
    return _own(_read_account(terms, tuple(bodies), on))


def weight(terms: Terms, bodies: tuple[str, ...], on: date) -> int:
    """About how many octets an account takes: 4 kB, and ten for each of its ledger's text."""
    return 4000 + 10 * sum(map(len, bodies))


@cached_by_size(ACCOUNT_CACHE_BYTES, weight)
def _read_account(terms: Terms, bodies: tuple[str, ...], on: date) -> Account:
    return account(terms, load_events(bodies), on, is_decided=True)


def _own(kept: Account) -> Account:
    """A copy with its own board: python-chess makes and unmakes moves in place."""
    position = kept.state.position
    board = position.board.copy(stack=False)
    return replace(kept, state=replace(kept.state, position=replace(position, board=board)))


# A game's due work: silence, warnings, offline, time running out; the first of it as a row.

OVERSTEP = "overstep"
REMINDER = "reminder"
LEADER_REPORTED = "leader_told"
THINK_WARNING = "think_warning"
CONTROL_WARNING = "control_warning"
OFFLINE = "offline"
SILENCE = frozenset({REMINDER, LEADER_REPORTED, THINK_WARNING, CONTROL_WARNING, OFFLINE})
"""The kinds that reflection/silence_and_outages.py handles."""
_KINDS = (OVERSTEP, THINK_WARNING, OFFLINE, LEADER_REPORTED, REMINDER, CONTROL_WARNING)
"""In an order that usually finds the first early."""
_BOUNDED = (REMINDER, CONTROL_WARNING)
"""Those for which ``not_before`` knows a day."""


def start_of_day(day: date, zone: str) -> datetime:
    """The first instant of a day in a zone, aware, in UTC."""
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


DEFAULT_NEAR = (CONTROL_NEAR,)


def near_of(row: GameRow, state: GameState) -> tuple[int, ...]:
    """The numbers of days left to the control at which the side to move wants to be warned."""
    side = state.to_move
    chosen = None if side is None else row.reminders_of(side)
    return DEFAULT_NEAR if chosen is None else read([(REMINDERS, chosen)]).reminders


def due_days(
    state: GameState, kind: str, post_days: int, near: Sequence[int] = DEFAULT_NEAR
) -> tuple[date, ...]:
    """The days on which work of this kind is due as the game stands, in order."""
    if kind == CONTROL_WARNING:
        return control_warnings_on(state, near)
    day = reminder_on(state, post_days) if kind == REMINDER else _DUE_ON[kind](state)
    return () if day is None else (day,)


_DUE_ON: dict[str, Callable[[GameState], date | None]] = {
    OVERSTEP: attrgetter("flag_to_find"),
    THINK_WARNING: warning_on,
    OFFLINE: offline_on,
    LEADER_REPORTED: leader_on,
}


def first_due(
    state: GameState, zone: str, post_days: int, near: Sequence[int] = DEFAULT_NEAR
) -> Due:
    """What falls due first if nothing happens; empty for a game that is over.

    ``post_days``: days in the post one way, by tournament (§ 6.3.4). ``near``: days left to the
    control at which the side to move is warned.
    """
    first: tuple[date, str] | None = None
    for kind in _KINDS if state.to_move is not None else ():
        if first is not None and kind in _BOUNDED:
            earliest = not_before(state, kind, near[0])
            if earliest is not None and earliest > first[0]:
                continue
        days = due_days(state, kind, post_days, near)
        if days and (first is None or (days[0], kind) < first):
            first = (days[0], kind)
    return _row([] if first is None else [first], state, zone)


def due_of(row: GameRow, state: GameState) -> Due:
    """What falls due first in a game, by its tournament's terms and its player's preference."""
    return first_due(state, row.zone, row.post_days, near_of(row, state))


def due_after(
    state: GameState,
    zone: str,
    post_days: int,
    done: DeadlineRow,
    near: Sequence[int] = DEFAULT_NEAR,
) -> Due:
    """What falls due after work that was done and left the game unchanged.

    Work due on the same day is done in the order of the kinds' names.
    """
    before = (local_day(from_us(done.due_us), zone), done.kind)
    work = [one for one in due_work(state, post_days, near) if one > before]
    return _row(work, state, zone)


def due_work(
    state: GameState, post_days: int, near: Sequence[int] = DEFAULT_NEAR
) -> list[tuple[date, str]]:
    """All that falls due if nothing happens: days and kinds, in no order."""
    if state.to_move is None:
        return []
    return [(day, kind) for kind in _KINDS for day in due_days(state, kind, post_days, near)]


def _row(work: Sequence[tuple[date, str]], state: GameState, zone: str) -> Due:
    if not work:
        return ()
    day, kind = min(work)
    report_on = leader_on(state) if state.turn.said.reminders else None
    report_us = None if report_on is None else to_us(start_of_day(report_on, zone))
    return (NewDeadline(kind, to_us(start_of_day(day, zone)), report_us),)


# What the hash chain covers of a stored game: each event with who, how and what was said with it.

_RULING = re.compile(r'"ruling":"([^"]+)"')


def links_of(rows: Iterable[EventRow], messages: Iterable[MessageRow]) -> tuple[ChainLink, ...]:
    """A game's events as links, each with the message that went with it."""
    said = {message.seq: (message.author_id, message.text) for message in messages}
    return tuple(
        ChainLink(
            row.seq,
            row.at_us,
            row.body,
            bytes(row.hash),
            about(row.actor_id, row.channel, row.inbox_id, said.get(row.seq)),
        )
        for row in rows
    )


def turns_of(rows: Iterable[EventRow]) -> tuple[Event, ...]:
    """The events that set the game back or annul a ruling, but for entries that are annulled."""
    return tuple(event for row in select_turning_events(rows) if (event := _turn(row)) is not None)


def _turn(row: EventRow) -> Event | None:
    """The event; of one that can't be read what it did to the players' sides, as its text says."""
    with suppress(ValueError, RecursionError):
        return row.event
    named = _RULING.search(row.body)
    ruling = "" if named is None else named[1]
    if SWAPS in row.body:
        return RulingApplied(ruling, GameSetBack(0, swaps_colours=True))
    return RulingAnnulled(ruling) if ruling and RULING_ANNULLED in row.body else None


def row_at(game: GameRow, rows: Sequence[EventRow], seq: int) -> GameRow:
    """The game with its players on the sides they had after an entry (FIDE 7.3); ``rows``: all."""
    now = is_swapped(turns_of(rows))
    then = is_swapped(turns_of(row for row in rows if row.seq <= seq))
    return game if now is then else game.with_colours_changed()


def starts_of(
    game: GameRow, board_players: Sequence[HandRow], rows: Iterable[EventRow]
) -> tuple[StartFacts, ...]:
    """What the game's start may have been: who plays, or who had its boards first (§ 6.7.4.3).

    ``rows`` are the game's events: by them the players may have changed colours (FIDE 7.3).
    """
    whites, blacks = (
        [*(player.person_id for player in board_players if player.is_white is is_white), plays]
        for is_white, plays in ((True, game.white_id), (False, game.black_id))
    )
    fixed = (game.group_id, game.round, game.zone, game.post_days, game.claims, game.edition)
    if is_swapped(turns_of(rows)):
        whites, blacks = blacks, whites
    pairs = dict.fromkeys(product(whites, blacks))
    return tuple(StartFacts(white, black, *fixed) for white, black in pairs)


# When to stop answering: two robots that answer each other must fall silent.

MOST_ANSWERS = 10
"""Answers «no move was made» a day, about one position, to one player."""
MOST_QUESTIONS = 5
"""Questions «was this you?» a day, about one position."""
_LIMITS = {NotMade.kind: MOST_ANSWERS, HeldConfirm.kind: MOST_QUESTIONS}
MOST_LISTS = 5
"""Lists of games a day to a player who did not ask for one."""
MOST_REQUESTED_LISTS = 20
"""Lists of games a day to a player who did."""


def hash_mail_text(words: str, day: str) -> str:
    """What mails of the same words and day have in common."""
    return f"{day}.{sha256(' '.join(words.split()).encode()).hexdigest()[:20]}"


def limit_repeated_answers(conn: Connection, answers: Sequence[NewOutbox]) -> list[NewOutbox]:
    """The answers about positions that may still be sent, in order.

    Called in the transaction that writes them, which holds their games' locks.
    """
    recent = _read_recent_answers(conn, answers)
    may_go: list[NewOutbox] = []
    for letter in answers:
        position = letter.game_id, letter.seq, letter.person_id, letter.kind
        before = recent.setdefault(position, set())
        if letter.message_id in before or len(before) < _LIMITS[letter.kind]:
            before.add(letter.message_id)
            may_go.append(letter)
    return may_go


_Position = tuple[int | None, int | None, int | None, str]


def _read_recent_answers(
    conn: Connection, answers: Sequence[NewOutbox]
) -> dict[_Position, set[str]]:
    """The Message-IDs of the last 24 hours' letters about the same positions."""
    games = {letter.game_id for letter in answers if letter.game_id is not None}
    since = max(letter.created_us for letter in answers) - DAY_US
    kinds = {letter.kind for letter in answers}
    found: dict[_Position, set[str]] = {}
    for row in letters_since(conn, games, kinds, since):
        found.setdefault((row.game_id, row.seq, row.person_id, row.kind), set()).add(row.message_id)
    return found


async def may_list(
    conn: AsyncConnection, person_id: int, today: str, now_us: int, *, asked: bool
) -> bool:
    """True if a player may still get a list of games today (ISO); counts it if so."""
    for number in range(MOST_REQUESTED_LISTS if asked else MOST_LISTS):
        name = f"list.{person_id}.{number}" if asked else f"unclear.{person_id}.{number}"
        if await due_rows.take(conn, name, today, now_us):
            return True
    return False


# What a command hands to the writer, and what it gets back.

V_co = TypeVar("V_co", covariant=True)


class KeyReused(ValueError):
    """An ``Idempotency-Key`` came again with another request."""


@dataclass(frozen=True, slots=True)
class LockedGame:
    """A game nobody else can change now; ``events`` only when a unit asked for them.

    ``unsettled``: the days of outages in its group whose pause is not decided on, first and last,
    and those that an outage still open has cost until an instant (µs). ``set_backs``: when it was
    set back. Both are read when they are asked for.
    """

    row: GameRow
    state: GameState
    events: tuple[Event, ...] | None
    unsettled: Callable[[int], Sequence[tuple[date, date]]] = lambda _: ()
    set_backs: Callable[[], Sequence[SetBack]] = tuple


@dataclass(frozen=True, slots=True)
class Origin:
    """Who caused events (None: the server itself), when and by what channel: for their rows."""

    at: datetime
    actor_id: int | None
    channel: str
    inbox_id: int | None = None


@dataclass(frozen=True, slots=True)
class UsedConfirmation:
    """A question that this command answers."""

    digest: bytes
    at_us: int


@dataclass(frozen=True, slots=True)
class CaseCause:
    """What opens a case or closes one: in which game, by whom (None: the server), and when.

    By itself: the late player admits that the claim is right (§ 6.3.3.5).
    """

    game: GameRow
    by: int | None
    at: datetime
    poster: Poster


@dataclass(frozen=True, slots=True)
class NewClaim(CaseCause):
    """What opens a case: an overstep claimed by a person, or what the server found.

    ``late`` is the side whose time ran out, or that is silent or unreachable (§ 6.3.3.5, § 6.3.4).
    ``is_claimed``: the overstep is claimed, not only found; ``rests``: that stops the game.
    """

    late: Side
    kind: CaseKind = CaseKind.OVERSTEP
    is_claimed: bool = False
    rests: bool = False


@dataclass(frozen=True, slots=True)
class CaseRaised(CaseCause):
    """A player disputes the account, saying that ``late`` has overstepped the time (§ 6.4.1)."""

    late: Side
    text: str


@dataclass(frozen=True, slots=True)
class SilenceBroken(CaseCause):
    """What stood open in a game is answered, or it is over: cases about it may be closed.

    § 6.3.4, § 6.8.1, § 6.8.3. ``is_leave``: no answer, but special leave was granted for the time
    (§ 6.3.6.4). ``is_answer``: the player has moved or written himself; ``ruling``: whose doing it
    is, if a ruling's; ``is_end``: the game is over; ``is_plain``: nothing stood open in it, so
    that only a report that it is over is answered.
    """

    is_leave: bool = False
    is_end: bool = False
    is_answer: bool = False
    ruling: str | None = None
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class ClaimEnded(CaseCause):
    """An overstep needs no decision any more: the late player has admitted it (§ 6.3.3.5).

    ``is_leave``: special leave for the time has removed it (§ 6.3.6.4).
    """

    is_leave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """All that a unit wants written in its own game, or nothing at all.

    ``state`` is the state after ``events``, which have an ``origin``: all or none. ``deadlines``
    None leaves what is there; () clears it. The first event's sequence is ``game.row.seq + 1``.
    ``answers`` are letters dropped when their reader has been sent enough today (below).
    ``colours_changed``: the game, if its players exchange their sides with the events; ``state``
    and letters are of after.
    """

    events: tuple[Event, ...] = ()
    origin: Origin | None = None
    state: GameState | None = None
    outbox: tuple[NewOutbox, ...] = ()
    answers: tuple[NewOutbox, ...] = ()
    deadlines: Due | None = None
    messages: tuple[MessageRow, ...] = ()
    confirmations: tuple[ConfirmationRow, ...] = ()
    confirmations_used: tuple[UsedConfirmation, ...] = ()
    inbox_mark: InboxMark | None = None
    idempotent: StoredResponse | None = None
    claims: tuple[NewClaim, ...] = ()
    broken: tuple[SilenceBroken, ...] = ()
    ended_claims: tuple[ClaimEnded, ...] = ()
    raised: tuple[CaseRaised, ...] = ()
    colours_changed: tuple[int, ...] = ()


NOTHING_WRITTEN = Writes()
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

        It may be run more than once. ``kskak.play.evolve_game.NeedsHistory``: run again with
        events. Any other exception reaches the submitter alone and nothing of the unit is written.
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
class AlreadyDone:
    """The mail already has its outcome."""
