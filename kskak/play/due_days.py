"""The days on which something is due in a game while nobody moves (§ 6.3.4, § 6.8.1, § 6.8.3).

Each function returns the day, None for never; a day that is past is due at once. Nothing is
due on a day on which time stands still: it moves to the first day that could be charged.
Not for doing it (the server's duties) nor for what silence costs (kskak/reflection.py).
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TypeVar

from kskak.game.game_events import GamePaused
from kskak.play.game_state import GameState
from kskak.reflection import leader_due, open_pause, reminder_due
from kskak.regulation.days import OFFLINE_DAYS, ONE_DAY, months_later
from kskak.regulation.editions import DISPUTES, PauseReason, Regulation

WARNED_BEFORE = 2
"""Days before the silence that needs notice at which the player is warned (reading of § 6.3.4)."""
CONTROL_NEAR = 3
"""Days left to the control at which a player is warned by default (reading of § 6.3.3.1)."""


def find_awaiting_day(state: GameState) -> date:
    """The day from which an answer is awaited: the opponent's sending (§ 6.3.4).

    Reading: before the first move the start counts, after a resumption its day.
    """
    sent, fixed = state.turn.opponent_sent, state.turn.fixed
    if sent is None:
        return state.terms.start if fixed is None else fixed
    return sent if fixed is None or fixed < sent else fixed


def used_since(state: GameState) -> date:
    """The day from which the side to move uses time, if known, else as by e-mail."""
    if state.receipt is not None:
        return state.receipt
    return find_awaiting_day(state) + state.terms.rules.transit_days * ONE_DAY


def _limit_to_watched(state: GameState, day: date) -> date:
    """The day to count from; in a game taken over, no earlier than that (game/game_events.py)."""
    watched = state.turn.watched
    return day if watched is None or watched < day else watched


def has_notice(state: GameState) -> bool:
    """Whether notice of a long think on this move stands (§ 6.3.4)."""
    notices = state.turn.said.notices
    return bool(notices) and max(notices) >= find_awaiting_day(state)


def _is_waiting(state: GameState) -> bool:
    """Whether a move is owed and no overstep has brought the game before an official."""
    return state.to_move is not None and state.overstep is None


def _find_next_charged_day(state: GameState, day: date | None) -> date | None:
    """The first day, from this one on, whose step could be charged."""
    return None if day is None else state.calendar_of_mover.next_charged(day)


def last_reminder(state: GameState) -> date | None:
    """The day of the last reminder of this move (§ 6.3.4)."""
    reminders = state.turn.said.reminders
    return max(reminders) if reminders and max(reminders) >= find_awaiting_day(state) else None


def reminder_on(state: GameState, post_days: int) -> date | None:
    """The day to repeat the last move (§ 6.3.4, § 6.8.3): once per move, not after notice.

    ``post_days``: the post one way; it counts only in a postal game.
    """
    if not _is_waiting(state) or has_notice(state) or last_reminder(state) is not None:
        return None
    calendar = state.calendar_of_mover
    post = post_days if state.terms.regulation is Regulation.POSTAL else 0
    asked = _limit_to_watched(state, find_awaiting_day(state))
    due = reminder_due(calendar, asked, state.terms.rules, post)
    return _find_next_charged_day(state, due)


def not_before(state: GameState, kind: str, near: int = CONTROL_NEAR) -> date | None:
    """A cheap lower bound for the day of the reminder or of the control's warning; else None.

    Holidays and leave only postpone them; a search for the first of many asks this first.
    ``near``: the most days left at which the player is warned.
    """
    if kind == "reminder":
        return find_awaiting_day(state) + state.terms.rules.silence_days * ONE_DAY
    running = state.running() if kind == "control_warning" else None
    if running is None:
        return None
    left = running.limit - state.clock(running.by).total
    return running.since + max(left - near, 0) * ONE_DAY


def leader_on(state: GameState) -> date | None:
    """The day to tell the leader of the silence (§ 6.3.4, § 6.8.3): once, after a reminder."""
    reminded = last_reminder(state)
    if not _is_waiting(state) or has_notice(state) or reminded is None:
        return None
    if any(day >= reminded for day in state.turn.said.leader_told):
        return None
    reminded = _limit_to_watched(state, reminded)
    due = leader_due(state.calendar_of_mover, reminded, state.terms.rules)
    return _find_next_charged_day(state, due)


def warning_on(state: GameState) -> date | None:
    """The day to warn the player that notice of a long think will be needed (§ 6.3.4)."""
    if not _is_waiting(state) or has_notice(state) or last_reminder(state) is not None:
        return None
    free = state.terms.rules.silence_days - WARNED_BEFORE
    calendar = state.calendar_of_mover
    since = _limit_to_watched(state, used_since(state))
    return _find_next_charged_day(state, calendar.first_over(since, free - 1))


def last_free_day(state: GameState) -> date | None:
    """The last day on which an answer needs no notice (§ 6.3.4); None when time stands still."""
    calendar = state.calendar_of_mover
    since = _limit_to_watched(state, used_since(state))
    over = calendar.first_over(since, state.terms.rules.silence_days)
    return None if over is None else over - ONE_DAY


def control_warnings_on(state: GameState, near: Iterable[int]) -> tuple[date, ...]:
    """The days of the warnings at several numbers of days left, each day once, in order.

    Those already passed when the move begins give one warning, on the first day.
    """
    days = (control_warning_on(state, left) for left in near)
    return tuple(sorted({day for day in days if day is not None}))


def control_warning_on(state: GameState, near: int = CONTROL_NEAR) -> date | None:
    """The day on which only ``near`` days are left to the control: a warning (§ 6.3.3.1).

    None when it would come with the overstep itself, and when it would have come before the
    server ran the game. Reading: where the receipt of a card is not yet reported, it may have
    come the day after it was sent; the warning says that this is assumed.
    """
    if not _is_waiting(state):
        return None
    since, left = used_since(state), days_left(state)
    flag_on = state.live_watch.first_over(since, left)
    reached = state.live_watch.first_over(since, left - near - 1)
    day = _find_next_charged_day(state, reached)
    if day is None or flag_on is None or day >= flag_on:
        return None
    watched = state.turn.watched
    return None if watched is not None and day <= watched else day


def days_left(state: GameState) -> int:
    """Days to the control that the side to move had when it got the move (§ 6.3.3.1-6.3.3.2)."""
    return state.limit_of(state.mover) - state.clock(state.mover).total


def offline_on(state: GameState) -> date | None:
    """The day on which a player has been out of reach for more than 30 days (§ 6.8.1)."""
    pause = open_pause(state.bookings, PauseReason.BOUNCE)
    if state.to_move is None or pause is None or not isinstance(pause.booked, GamePaused):
        return None
    return _limit_to_watched(state, pause.booked.first) + timedelta(days=OFFLINE_DAYS + 1)


def silent_since(state: GameState) -> date | None:
    """The day from which nothing has been heard of the side to move (§ 6.3.4, § 6.8.3).

    The last move's own day of sending; the start, or the day from which a ruling resumed the game,
    where that is later than any move. Not a reminder's day, nor a ruling's. None when it is unknown
    or the game is over.
    """
    if state.to_move is None:
        return None
    return state.turn.fixed or state.turn.opponent_sent


# Games that have lasted too long: when the leader may call them in (§ 6.2.7).


_G = TypeVar("_G")


def call_in_from(start: date) -> date:
    """The first day on which an unfinished game may be called in (§ 6.2.7).

    Reading: 18 whole months from the group's start, so from 1 March 2025 on 1 September 2026.
    """
    return months_later(start, DISPUTES.long_game_months)


def may_call_in(start: date, is_over: bool, on: date) -> bool:
    """Whether the leader may call the game in on this day (§ 6.2.7)."""
    return not is_over and on >= call_in_from(start)


def long_games(running: Iterable[tuple[date, _G]], on: date) -> list[_G]:
    """Of games with their groups' starts those to be called in, the longest first (§ 6.2.7)."""
    found = [(start, game) for start, game in running if may_call_in(start, False, on)]
    return [game for _, game in sorted(found, key=lambda pair: pair[0])]
