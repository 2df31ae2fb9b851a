"""A published result: until when to object, when the prizes go, how long transcripts are kept.

§ 6.4.5, § 6.2.6, § 6.2.9. Works on days only. Not for publishing
(server/usecases/results/publishing.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import ONE_DAY, years_later

OBJECTION_DAYS = 14
"""Days to object to a published result, whole or partial: § 6.4.5."""
PRIZE_DAYS = 21
"""Days in which the prizes are sent: § 6.4.5."""
REPORT_DAYS = 8
"""Days in which the winner reports a result: § 6.2.6."""
KEPT_YEARS = 3
"""Years that the leader keeps the transcripts: § 6.2.9."""
KEPT_CLASSES = frozenset({"DM", "cup", "league"})
"""Reading of § 6.2.9: every cup and league group is kept like the final and division 1, since
keeping a transcript longer than required harms nobody."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The days that follow from a publication."""

    objections_until: date
    prizes_until: date


def terms_of(published: date) -> Terms:
    """The last days for objections and prizes (§ 6.4.5)."""
    return Terms(published + OBJECTION_DAYS * ONE_DAY, published + PRIZE_DAYS * ONE_DAY)


def may_object(until: date, on: date) -> bool:
    """Whether an objection that reaches the leader on this day is heard (§ 6.4.5)."""
    return on <= until


def report_until(ended: date) -> date:
    """The last day to report a game that ended on this day (§ 6.2.6)."""
    return ended + REPORT_DAYS * ONE_DAY


def transcripts_until(class_: str, finished: date) -> date | None:
    """Until when the transcripts of a group are kept; None where nothing requires it (§ 6.2.9)."""
    return years_later(finished, KEPT_YEARS) if class_ in KEPT_CLASSES else None
