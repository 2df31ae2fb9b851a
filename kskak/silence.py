"""More than 14 days on one move: the days it costs (§ 6.3.4), and when to remind (§ 6.8.3).

Not for sending the reminder or telling the leader: the server's duties do that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.editions import RuleSet


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
