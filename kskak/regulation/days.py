"""The calendar: steps between days, obligatory holidays, local days in a zone; births, periods.

A *step* is the night from day D to D+1; it belongs to day D. Time used is the number of
steps from receipt to sending that nothing exempts (§ 6.3.1, § 6.3.6.3, § 6.8.6).
Not for leave's notice and quota (kskak/reflection.py) nor for which dates count
(kskak/reflection.py).
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from kskak.regulation.editions import HOLIDAYS

FOREVER = date.max.toordinal()
_WITHIN_TWO_YEARS = 300
"""This many steps, not counting holidays, end in the year they begin or in the next."""
ONE_DAY = timedelta(days=1)


class Cause(StrEnum):
    """Why a step is exempt; the paragraph of each is in ``CAUSE_PARAGRAPH``."""

    HOLIDAY = "holiday"
    LEAVE = "leave"
    SPECIAL_LEAVE = "special_leave"
    RESERVE = "reserve"
    DISPUTE = "dispute"
    OUTAGE = "outage"
    BOUNCE = "bounce"
    WEEKEND = "weekend"


CAUSE_PARAGRAPH = {
    Cause.HOLIDAY: "6.3.6.2",
    Cause.LEAVE: "6.3.6",
    Cause.SPECIAL_LEAVE: "6.3.6.4",
    Cause.RESERVE: "6.7.4.3",
    Cause.DISPUTE: "6.4.1",
    Cause.OUTAGE: "6.8.5",
    Cause.BOUNCE: "6.8.2",
    Cause.WEEKEND: "6.3.2",
}


@dataclass(frozen=True, slots=True)
class Span:
    """Days on which a step is exempt, both ends included; ``last`` may be ``date.max``."""

    first: date
    last: date
    cause: Cause


def local_day(moment: datetime, zone: str) -> date:
    """The date that an aware moment has in ``zone`` (the day of sending, § 6.8.6)."""
    if moment.tzinfo is None:
        raise ValueError("a moment must be aware")
    return moment.astimezone(ZoneInfo(zone)).date()


def days_lost(first: datetime, last: datetime, zone: str) -> tuple[date, date] | None:
    """The days that ended in ``zone`` while the server was away, first and last; None: none did.

    Reading of § 6.8.5: a day is lost to whoever meant to send later in it. An outage that is over
    before midnight costs nobody a day, one of an hour over midnight costs the day before.
    """
    lost = (local_day(first, zone), local_day(last, zone) - ONE_DAY)
    return lost if lost[0] <= lost[1] else None


def easter(year: int) -> date:
    """Easter Sunday of a year in the Gregorian calendar (the anonymous computus)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leap, skipped = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    quarter, left = divmod(rest, 4)
    weekday = (32 + 2 * skipped + 2 * quarter - epact - left) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


@lru_cache(maxsize=512)
def holidays(year: int) -> tuple[Span, Span]:
    """The obligatory holidays of a year, Easter's first (§ 6.3.6.2)."""
    sunday = easter(year)
    return (
        Span(
            sunday - timedelta(days=HOLIDAYS.easter_before),
            sunday + timedelta(days=HOLIDAYS.easter_after),
            Cause.HOLIDAY,
        ),
        Span(
            date(year, 12, HOLIDAYS.december_first),
            date(year, 12, HOLIDAYS.december_last),
            Cause.HOLIDAY,
        ),
    )


def _holiday_ordinals(year: int) -> tuple[tuple[int, int], ...]:
    return tuple((s.first.toordinal(), s.last.toordinal() + 1) for s in holidays(year))


@lru_cache(maxsize=512)
def _two_years(year: int) -> tuple[tuple[int, int], ...]:
    return _holiday_ordinals(year) + _holiday_ordinals(year + 1)


def is_holiday(day: date) -> bool:
    """Whether a day lies in an obligatory holiday (§ 6.3.6.2)."""
    return any(span.first <= day <= span.last for span in holidays(day.year))


def _merge_intervals(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Half-open intervals, sorted and disjoint."""
    intervals.sort()
    out: list[tuple[int, int]] = []
    for start, end in intervals:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which steps are exempt in one game: holidays, and the spans of leave and pauses."""

    spans: tuple[Span, ...] = ()
    _starts: tuple[int, ...] = ()
    _ends: tuple[int, ...] = ()

    @staticmethod
    def of(spans: tuple[Span, ...]) -> "Calendar":
        """A calendar with these spans besides the obligatory holidays."""
        joined = _merge_intervals(
            [(s.first.toordinal(), min(s.last.toordinal() + 1, FOREVER)) for s in spans]
        )
        return Calendar(spans, tuple(a for a, _ in joined), tuple(b for _, b in joined))

    def _exempt(self, start: int, end: int) -> list[tuple[int, int]]:
        """Exempt intervals that touch [start, end), clipped, sorted and disjoint."""
        found = []
        for year in range(date.fromordinal(start).year, date.fromordinal(end).year + 1):
            for a, b in _holiday_ordinals(year):
                if a < end and b > start:
                    found.append((max(a, start), min(b, end)))
        index = max(bisect_right(self._starts, start) - 1, 0)
        while index < len(self._starts) and self._starts[index] < end:
            if self._ends[index] > start:
                found.append((max(self._starts[index], start), min(self._ends[index], end)))
            index += 1
        return _merge_intervals(found) if len(found) > 1 else found

    def charged(self, received: date, until: date) -> int:
        """Steps D, ``received`` <= D < ``until``, that nothing exempts (§ 6.3.6.3); at least 0."""
        start, end = received.toordinal(), until.toordinal()
        if end <= start:
            return 0
        return end - start - sum(b - a for a, b in self._exempt(start, end))

    def first_over(self, received: date, allowed: int) -> date | None:
        """The first day on which more than ``allowed`` steps have run since ``received``.

        ``received`` itself when ``allowed`` is negative; None when time stands still for ever.
        """
        if allowed < 0:
            return received
        if not self._starts and allowed < _WITHIN_TWO_YEARS and received.year < date.max.year - 1:
            return _over_holidays(received, allowed + 1)
        start = received.toordinal()
        stands_still = bool(self._ends) and self._ends[-1] == FOREVER
        horizon = self._starts[-1] if stands_still else FOREVER
        window = allowed + 80
        while start < horizon:
            end = min(start + window, horizon)
            day = _walk(start, end, self._exempt(start, end), allowed + 1)
            if day is not None:
                return date.fromordinal(day)
            if end == horizon:
                break
            window *= 8
        return None

    def next_charged(self, day: date) -> date | None:
        """The first day, this one or later, whose step counts; None if none ever does."""
        after = self.first_over(day, 0)
        return None if after is None else after - ONE_DAY

    def explain(self, received: date, until: date) -> tuple[Span, ...]:
        """The exempt steps from receipt to sending, each day under one cause.

        A day that several causes exempt is listed under the first of: holiday, then the
        spans in the order they were booked.
        """
        if until <= received:
            return ()
        near = [s for s in self.spans if s.first < until and s.last >= received]
        days: list[tuple[date, Cause]] = []
        for number in range(received.toordinal(), until.toordinal()):
            day = date.fromordinal(number)
            known = (*holidays(day.year), *near)
            cause = next((s.cause for s in known if s.first <= day <= s.last), None)
            if cause is not None:
                days.append((day, cause))
        return _runs(days)


@lru_cache(maxsize=1024)
def _over_holidays(start: date, steps: int) -> date:
    """The day reached after ``steps`` steps where only holidays are exempt (§ 6.3.6.2).

    Nearly every game needs this at every move, and games move on the same days; ``_walk`` is the
    general case.
    """
    at = start.toordinal()
    for a, b in _two_years(start.year):
        if b <= at:
            continue
        if a - at >= steps:
            break
        steps -= max(a - at, 0)
        at = b
    return date.fromordinal(at + steps)


def _walk(start: int, end: int, exempt: list[tuple[int, int]], steps: int) -> int | None:
    """The ordinal reached after ``steps`` steps that are not exempt; None if past ``end``."""
    at = start
    for a, b in exempt:
        if a - at >= steps:
            return at + steps
        steps -= a - at
        at = b
    return at + steps if at + steps <= end and at < end else None


def _runs(days: list[tuple[date, Cause]]) -> tuple[Span, ...]:
    if not days:
        return ()
    spans, first = [], days[0]
    for before, after in pairwise([*days, (date.max, Cause.HOLIDAY)]):
        if after[1] is not before[1] or after[0] != before[0] + ONE_DAY:
            spans.append(Span(first[0], before[0], first[1]))
            first = after
    return tuple(spans)


MOST_YEARS = 125
"""Nobody is known to have lived this long; an earlier date is a typing error."""


def is_birth(born: date, today: date) -> bool:
    """Whether someone alive on ``today`` can be born on a day: not later, nor that long ago."""
    return born <= today and today.year - born.year < MOST_YEARS


FIRST_DAY = date(1900, 1, 1)


def has_been(day: date, today: date) -> bool:
    """Whether something on file can have happened on a day; a year typed as 26 is not one."""
    return FIRST_DAY <= day <= today


MONTHS_A_YEAR = 12


def months_later(day: date, months: int) -> date:
    """The same day of the month this many months later; the 1st of the next where it is missing.

    Reading, as for a leave year: 29 February becomes 1 March.
    """
    years, month = divmod(day.month - 1 + months, MONTHS_A_YEAR)
    year = day.year + years
    try:
        return date(year, month + 1, day.day)
    except ValueError:
        return date(year, month + 2, 1)


def years_later(day: date, years: int) -> date:
    """The same date this many years later; 29 February becomes 1 March."""
    return months_later(day, MONTHS_A_YEAR * years)


# A published result: until when to object, when the prizes go, how long transcripts are kept.

OBJECTION_DAYS = 14
"""Days to object to a published result, whole or partial: § 6.4.5."""
PRIZE_DAYS = 21
"""Days in which the prizes are sent: § 6.4.5."""
DAMAGED_DAYS = 3
"""Days in which a damaged card goes to the leader: § 6.3.5."""
OFFLINE_DAYS = 30
"""More days than this out of reach count as withdrawal: § 6.8.1."""
REPORT_DAYS = 8
"""Days in which the winner reports a result: § 6.2.6."""
TRANSCRIPT_YEARS = 3
"""Years that the leader keeps the transcripts: § 6.2.9."""
TRANSCRIPT_CLASSES = frozenset({"DM", "cup", "league"})
"""Reading of § 6.2.9: every cup and league group is kept like the final and division 1, since
keeping a transcript longer than required harms nobody."""


@dataclass(frozen=True, slots=True)
class ObjectionDeadlines:
    """The days that follow from a publication."""

    objections_until: date
    prizes_until: date


def terms_of(published: date) -> ObjectionDeadlines:
    """The last days for objections and prizes (§ 6.4.5)."""
    return ObjectionDeadlines(
        published + OBJECTION_DAYS * ONE_DAY, published + PRIZE_DAYS * ONE_DAY
    )


def may_object(until: date, on: date) -> bool:
    """Whether an objection that reaches the leader on this day is heard (§ 6.4.5)."""
    return on <= until


def report_until(ended: date) -> date:
    """The last day to report a game that ended on this day (§ 6.2.6)."""
    return ended + REPORT_DAYS * ONE_DAY


def transcripts_until(class_: str, finished: date) -> date | None:
    """Until when the transcripts of a group are kept; None where nothing requires it (§ 6.2.9)."""
    return years_later(finished, TRANSCRIPT_YEARS) if class_ in TRANSCRIPT_CLASSES else None
