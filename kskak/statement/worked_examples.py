"""Worked examples of the rules, counted by the functions that count the games (§ 6.2.5, § 6.3).

The help pages show them, so that an explanation can't differ from what the server does. Not for
the words around them (server/web/help.py).
"""

from datetime import date, timedelta

import chess

from kskak.board.notation import parse_numeric
from kskak.game import game_events as ev
from kskak.play.game_state import Dates, Terms
from kskak.reflection import (
    Stopwatch,
    allowed_days,
    counts_weekend,
    default_receipt,
    earliest_leave,
    leader_due,
    reminder_due,
)
from kskak.regulation.days import Calendar, Cause, Span
from kskak.regulation.editions import (
    DEFAULT_LAWS,
    EMAIL,
    POSTAL,
    Channel,
    MoveFault,
    Regulation,
    RuleSet,
    Side,
)
from kskak.statement.account import Account, account

_NAMES = ("Anna", "Bent")
_MIDDLE = "r2q1rk1/1bpp1ppp/p1n1pn2/8/1PB5/2N2N2/3P1PPP/R1BQ1RK1 w - - 0 12"
"""White to move in a position in which the series of § 6.2.5 is lawful."""


def _count_days(received: date, sent: date, watch: Stopwatch) -> Dates:
    return Dates(received, sent, watch.days(received, sent), watch.explain(received, sent))


def by_email() -> tuple[Dates, ...]:
    """Sent on a day, received by § 6.8.6 on the next one, answered on four different days."""
    watch = Stopwatch(Calendar(), counts_weekend(Channel.EMAIL, EMAIL))
    opponent = date(2026, 9, 1)
    days = (opponent + timedelta(days=n) for n in (0, 1, 4, 8))
    return tuple(_count_days(default_receipt(opponent, day, EMAIL), day, watch) for day in days)


def by_post() -> tuple[Dates, ...]:
    """The examples of § 6.3.1 and § 6.3.2: 0, 3, 0 and 2 days."""
    watch = Stopwatch(Calendar(), counts_weekend(Channel.POST, POSTAL))
    saturday = date(2026, 8, 8)
    return (
        _count_days(date(2026, 8, 3), date(2026, 8, 3), watch),
        _count_days(date(2026, 8, 3), date(2026, 8, 6), watch),
        _count_days(saturday, saturday + timedelta(days=1), watch),
        _count_days(saturday, saturday + timedelta(days=2), watch),
    )


def over_leave() -> tuple[Dates, ...]:
    """The examples of § 6.3.6.3: leave from 8/6 to 22/6; 1, 0 and 5 days."""
    leave = Span(date(2026, 6, 8), date(2026, 6, 22), Cause.LEAVE)
    watch = Stopwatch(Calendar.of((leave,)), counts_weekend(Channel.EMAIL, EMAIL))
    days = ((7, 10), (9, 23), (5, 25))
    return tuple(_count_days(date(2026, 6, a), date(2026, 6, z), watch) for a, z in days)


def notice() -> tuple[date, date]:
    """The example of § 6.3.6.1: notified on 5/6, from 11/6 at the earliest."""
    notified = date(2026, 6, 5)
    return notified, earliest_leave(notified, EMAIL)


def silence() -> tuple[date, date, date]:
    """A move of an e-mail game that nobody answers, outside holidays (§ 6.3.4, § 6.8.3).

    The days on which it was sent, reminded of, and reported to the leader.
    """
    sent = date(2026, 9, 1)
    reminded = reminder_due(Calendar(), sent, EMAIL)
    assert reminded is not None
    reported = leader_due(Calendar(), reminded, EMAIL)
    assert reported is not None
    return sent, reminded, reported


def series_limits(rules: RuleSet) -> tuple[int, int]:
    """Days allowed when a series of moves 10, 11 and 12 is accepted whole, and up to 11.

    The example of § 6.3.3.2 for post: 36 and 33.
    """
    return allowed_days(9, 10, 4, rules), allowed_days(9, 10, 3, rules)


def _moves(text: str) -> tuple[chess.Move, ...]:
    return tuple(map(parse_numeric, text.split()))


def _terms(regulation: Regulation, start: date, fen: str | None) -> Terms:
    return Terms("H-1", regulation, start, *_NAMES, fen, DEFAULT_LAWS)


def before_series() -> Account:
    """The game of § 6.2.5 before White's 12th move."""
    return account(_terms(Regulation.EMAIL, date(2026, 9, 1), _MIDDLE), ())


def with_series() -> Account:
    """The same after White has sent 12. 2425 and proposed 01625 13. 1118, 2718 14. 4244."""
    start = date(2026, 9, 1)
    sent = ev.MoveSent(
        Side.WHITE, _moves("2425"), start, start, proposes=_moves("1625 1118 2718 4244")
    )
    return account(_terms(Regulation.EMAIL, start, _MIDDLE), (sent,))


def one_game() -> Account:
    """The beginning of an e-mail game over Easter, with leave and an illegal move.

    Every kind of day that most games see (§ 6.3.6, § 6.8.6).
    """
    day = date(2027, 3, 1)

    def sent(by: Side, move: str, on: date) -> ev.MoveSent:
        return ev.MoveSent(by, _moves(move), on)

    record = (
        sent(Side.WHITE, "5254", day),
        sent(Side.BLACK, "5755", date(2027, 3, 5)),
        sent(Side.WHITE, "7163", date(2027, 3, 16)),
        ev.LeaveBooked(Side.BLACK, date(2027, 4, 5), date(2027, 4, 11), date(2027, 3, 20)),
        sent(Side.BLACK, "2836", date(2027, 4, 2)),
        sent(Side.WHITE, "6125", date(2027, 4, 14)),
        ev.FaultySent(Side.BLACK, date(2027, 4, 16), MoveFault.ILLEGAL),
        sent(Side.BLACK, "1716", date(2027, 4, 19)),
    )
    return account(_terms(Regulation.EMAIL, day, None), record, date(2027, 4, 20))
