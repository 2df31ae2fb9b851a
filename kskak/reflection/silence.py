"""More than 14 days on one move: the days it costs (§ 6.3.4), and when to remind (§ 6.8.3).

Not for sending the reminder or telling the leader: the server's duties do that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import Calendar
from kskak.regulation.editions import RuleSet


@dataclass(frozen=True, slots=True)
class Silence:
    """What was said between two dispatches, by dates."""

    notices: tuple[date, ...] = ()
    reminders: tuple[date, ...] = ()
    leader_told: tuple[date, ...] = ()


QUIET = Silence()


def _within(dates: Iterable[date], received: date, sent: date) -> bool:
    return any(received <= day <= sent for day in dates)


def silence_charges(
    said: Silence, received: date, sent: date, days: int, rules: RuleSet
) -> tuple[tuple[int, str], ...]:
    """(days, reason) charged to a dispatch that took ``days`` days (§ 6.3.4).

    Nothing up to and including 14 days, after notice, or without a reminder; the second
    charge comes only on top of the first.
    """
    if not rules.charges_silence or days <= rules.silence_days:
        return ()
    if _within(said.notices, received, sent) or not _within(said.reminders, received, sent):
        return ()
    charges = [(rules.silence_reminded_days, "over_14_days_reminded")]
    if _within(said.leader_told, received, sent):
        charges.append((rules.silence_leader_days, "over_14_days_tl"))
    return tuple(charges)


def reminder_due(calendar: Calendar, sent: date, rules: RuleSet, post_days: int = 0) -> date | None:
    """The first day to repeat an unanswered move (§ 6.3.4, § 6.8.3); None when time stands still.

    ``post_days``: the tournament's post one way; both ways are added. Reading: the days
    that count are those that could be charged.
    """
    return calendar.first_over(sent, rules.silence_days + 2 * post_days - 1)


def leader_due(calendar: Calendar, reminded: date, rules: RuleSet) -> date | None:
    """The first day to tell the leader after a reminder (§ 6.3.4, § 6.8.3)."""
    return calendar.first_over(reminded, rules.silence_answer_days - 1)
