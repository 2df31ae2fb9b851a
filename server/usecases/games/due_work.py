"""A game's due work: silence, warnings, offline, time running out; the first of it as a row.

§ 6.3.3.1, § 6.3.4, § 6.8.1, § 6.8.3, § 6.8.6. The row's instant is the deadline's own, not the
poller's. Not for what is then done (reflection/silence.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from operator import attrgetter
from zoneinfo import ZoneInfo

from kskak.ledger.stored_events import load_events
from kskak.play.due_days import (
    CONTROL_NEAR,
    control_warnings_on,
    leader_on,
    not_before,
    offline_on,
    reminder_on,
    warning_on,
)
from kskak.play.game_state import GameState, Terms
from kskak.regulation.days import local_day
from kskak.statement.account import Account, account
from server.machine import cached_by_size
from server.store.engine.rows import from_us, to_us
from server.store.mail.due_work import DeadlineRow, Due, NewDeadline
from server.store.play.games import GameRow
from server.store.tables.people import REMINDERS
from server.usecases.preferences import read

# A game's account for views, computed once for the same ledger and day.

ACCOUNT_CACHE_BYTES = 2 << 20
"""Octets of accounts that are cached, the most recently used: fifty games of 30 moves."""


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
"""The kinds that reflection/silence.py handles."""
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
    told = leader_on(state) if state.turn.said.reminders else None
    told_us = None if told is None else to_us(start_of_day(told, zone))
    return (NewDeadline(kind, to_us(start_of_day(day, zone)), told_us),)
