"""A second account of a finished game, written from the text alone (§ 6.3, § 6.8.6, § 6.8.8).

It shares no code with the rules: days are counted night by night, holidays and leave are sets of
days. Games that a ruling has changed are left out, as are shortened leaves. Not for the state of
a running game (checks/games.py).
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import TypeGuard

from kskak.game import game_events as ev
from kskak.game.game_events import Event
from kskak.play.game_state import AccountLine, Terms
from kskak.statement.account import Account
from tests.federation.trouble import expect

_DAY = timedelta(1)
_NOTICE, _QUOTA, _SPECIAL_BY_MAIL = 6, 35, 30
_RESERVE = 14
_RULED = (ev.RulingApplied, ev.RulingAnnulled, ev.EntryAnnulled, ev.LeaveShortened)


def easter(year: int) -> date:
    """Easter Sunday by Gauss's rule, with both of its exceptions."""
    a, b, c = year % 19, year % 4, year % 7
    k = year // 100
    p, q = (13 + 8 * k) // 25, k // 4
    m, n = (15 - p + k - q) % 30, (4 + k - q) % 7
    d = (19 * a + m) % 30
    e = (2 * b + 4 * c + 6 * d + n) % 7
    if (d, e) == (29, 6) or ((d, e) == (28, 6) and (11 * m + 11) % 30 < 19):
        e -= 7
    return date(year, 3, 22) + timedelta(d + e)


def is_obligatory(day: date) -> bool:
    """20 to 31 December, and Tuesday before to Tuesday after Easter (§ 6.3.6.2)."""
    if day.month == 12 and day.day >= 20:
        return True
    return -5 <= (day - easter(day.year)).days <= 2


def _span(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += _DAY


def _year_of(start: date, day: date) -> int:
    """Which tournament year a day is in; 29 February becomes 1 March."""
    year = day.year - start.year
    try:
        begins = start.replace(year=day.year)
    except ValueError:
        begins = date(day.year, 3, 1)
    return year - (day < begins)


def leave_days(terms: Terms, events: Sequence[Event]) -> set[date]:
    """The days on which somebody is on leave that counts (§ 6.3.6, § 6.3.6.1, § 6.8.8)."""
    booked = [one for one in events if isinstance(one, ev.LeaveBooked)]
    spent: dict[tuple[object, str, int], set[date]] = {}
    found = set()
    for one in sorted(booked, key=lambda leave: leave.first):
        is_special = one.leave_type.value == "special"
        first = one.first
        if one.notified is not None and not is_special:
            first = max(first, one.notified + _NOTICE * _DAY)
        by_mail = terms.regulation.value == "email"
        most = (_SPECIAL_BY_MAIL if by_mail else None) if is_special else _QUOTA
        for day in _span(first, one.last):
            own = spent.setdefault(
                (one.by, one.leave_type.value, _year_of(terms.start, day)), set()
            )
            if is_obligatory(day) or day in own:
                found.add(day)
            elif most is None or len(own) < most:
                own.add(day)
                found.add(day)
    return found


def pause_days(events: Sequence[Event], until: date) -> set[date]:
    """The days on which time stands still for both (§ 6.4.1, § 6.7.4.3)."""
    found: set[date] = set()
    for at, one in enumerate(events):
        if isinstance(one, ev.GamePaused):
            ends = (two.last for two in events[at:] if _ends(two, one))
            last = one.last or next(ends, until)
            if one.reason.value == "reserve":
                last = min(last, one.first + (_RESERVE - 1) * _DAY)
            found |= set(_span(one.first, last))
    return found


def _ends(event: Event, pause: ev.GamePaused) -> TypeGuard[ev.PauseEnded]:
    return isinstance(event, ev.PauseEnded) and event.reason is pause.reason


def _sent(event: ev.MoveSent) -> date:
    """The postmark's day, or an earlier receipt's; an illegible one leaves the stated (§ 6.3.2)."""
    if isinstance(event.sent, date):
        return event.sent
    known = [day for day in (event.sent.postmark, event.sent.receipt) if day is not None]
    day = min(known, default=event.sent.stated)
    assert day is not None
    return day


def _bound(plies: Sequence[object], series: Sequence[object]) -> bool:
    """Whether a dispatch plays the series' moves and stops, so that its next answers (§ 6.2.5)."""
    return len(series) > len(plies) and list(series[: len(plies)]) == list(plies)


def check_own_account(name: str, told: Account, day: date) -> bool:
    """Each dispatch of a game cost the days counted here; whether it was looked at."""
    terms, events = told.terms, told.events
    if any(isinstance(one, _RULED) for one in events):
        return False
    moves = [one for one in events if isinstance(one, ev.MoveSent)]
    away = leave_days(terms, events) | pause_days(events, day)
    ply, before = 0, terms.start
    fixed: date | None = terms.start
    series: tuple[object, ...] = ()
    used = dict.fromkeys(("white", "black"), 0)
    for one in moves:
        sent, side = _sent(one), one.by.value
        if fixed is not None:
            received = fixed if sent >= fixed else sent
        else:
            received = one.received or min(before + _DAY, sent)
        until = sent
        is_card = terms.regulation.value == "postal" and one.channel.value == "post"
        if is_card and sent.isoweekday() == 7:
            until = sent - _DAY  # Saturday and Sunday are one day (§ 6.3.2)
        nights = list(_span(received, until - _DAY))
        days = sum(not (is_obligatory(night) or night in away) for night in nights)
        ply += len(one.plies)
        row = told.rows[ply - 1]
        expect(row.dates.days == days, day, name, f"ply {ply}: {row.dates.days} days, not {days}")
        used[side] += days
        fixed, before = None, sent
        if _bound(one.plies, series):
            series, fixed = series[len(one.plies) + 1 :], sent
            ply += 1
        else:
            series = one.proposes
    _check_end(name, told, day)
    return True


def _check_end(name: str, told: Account, day: date) -> None:
    """Who plays on after the other's overstep has lost with him: 0–0 (§ 6.3.3.4, § 6.8.1)."""
    a_move = {"postal": 3, "email": 4}[told.terms.regulation.value]
    late = next((row for row in told.rows if _is_late(row, a_move)), None)
    if late is None:
        return
    other = late.by.other
    asked = (one for one in told.events if isinstance(one, ev.OverstepClaimed))
    goes_on = any(row.by is other and row.dates.sent for row in told.rows if row.ply > late.ply)
    if goes_on and all(one.by is not other for one in asked):
        result = None if told.state.result is None else told.state.result.value
        expect(result == "0-0", day, name, f"played on after an overstep, and it is {result}")


def _is_late(row: AccountLine, a_move: int) -> bool:
    """More days used than the next tenth move allows; a series only moves that further."""
    control = -(-((row.ply + 1) // 2) // 10) * 10
    return row.dates.sent is not None and row.total > a_move * control
