"""Which dates count and how many days lie between them (§ 6.3.1-6.3.2, § 6.8.2, § 6.8.6).

Dates in, days out. Not for the limits (control.py) nor for what is exempt (regulation/days.py,
leave.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.game.events import Card
from kskak.regulation.days import ONE_DAY, Calendar, Cause, Span
from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import Channel

SUNDAY = 6


class DatesContradict(ValueError):
    """Dates that can't all be true; the message says which."""


def sending_day(sent: date | Card) -> date:
    """The day a dispatch counts as sent (§ 6.3.2; Kendelse 38).

    A posting receipt counts when it is earlier than the postmark or there is none; else the
    postmark; if that is illegible, the stated date.
    """
    if isinstance(sent, date):
        return sent
    if sent.receipt is not None and (sent.postmark is None or sent.receipt < sent.postmark):
        return sent.receipt
    if sent.postmark is not None:
        return sent.postmark
    if sent.stated is None:
        raise DatesContradict("a card needs a postmark, a posting receipt or a stated date")
    return sent.stated


def default_receipt(opponent_sent: date, sent: date, rules: RuleSet) -> date:
    """Receipt when nothing is stated: the day after, or the sending day (§ 6.3.2.1, § 6.8.6)."""
    if sent < opponent_sent:
        raise DatesContradict("answered before the opponent had sent")
    return min(opponent_sent + rules.transit_days * ONE_DAY, sent)


def counts_weekend(channel: Channel, rules: RuleSet) -> bool:
    """Whether Saturday and Sunday are one day: post in a postal game (§ 6.3.2, § 6.3.2.1)."""
    return rules.weekend_rule and channel is Channel.POST


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Counts days in one game's calendar, with or without the weekend rule (§ 6.3.2)."""

    calendar: Calendar
    weekend: bool

    def _counted_until(self, sent: date) -> date:
        """A Sunday sending counts as Saturday."""
        return sent - ONE_DAY if self.weekend and sent.weekday() == SUNDAY else sent

    def days(self, received: date, sent: date) -> int:
        """Days used from receipt to sending, never below 0."""
        return self.calendar.charged(received, self._counted_until(sent))

    def first_over(self, received: date, allowed: int) -> date | None:
        """The first day on which sending costs more than ``allowed`` days; None for never."""
        day = self.calendar.first_over(received, allowed)
        if day is not None and allowed >= 0 and self.weekend and day.weekday() == SUNDAY:
            return day + ONE_DAY
        return day

    def explain(self, received: date, sent: date) -> tuple[Span, ...]:
        """The steps that were not charged, with their cause."""
        until = self._counted_until(sent)
        spans = self.calendar.explain(received, until)
        if until < sent and until >= received:
            spans = (*spans, Span(until, until, Cause.WEEKEND))
        return spans
