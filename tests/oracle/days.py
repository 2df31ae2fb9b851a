"""Which days stand still, counted one by one (§ 6.3.1, § 6.3.2, § 6.3.6).

Written from the text alone as test material; it is slow on purpose and not for production.
"""

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import Any

ONE = timedelta(days=1)
SUNDAY = 6
Exempt = Callable[[date], bool]
Warnings = set[tuple[int, str]]


@cache
def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar."""
    golden = year % 19
    century, of_century = divmod(year, 100)
    leap_centuries, rest = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - moon + 15) % 30
    leap, rest_of_century = divmod(of_century, 4)
    weekday = (32 + 2 * rest + 2 * leap - epact - rest_of_century) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def holiday(day: date) -> bool:
    """Whether the day lies in an obligatory holiday (§ 6.3.6.2)."""
    if day.month == 12 and 20 <= day.day <= 31:
        return True
    sunday = easter(day.year)
    return sunday - 5 * ONE <= day <= sunday + 2 * ONE


def anniversary(start: date, years: int) -> date:
    """First day of the tournament year number `years`; 29 February becomes 1 March (§ 6.3.6)."""
    try:
        return start.replace(year=start.year + years)
    except ValueError:
        return date(start.year + years, 3, 1)


def tournament_year(start: date, day: date) -> int:
    """The number of the tournament year in which the day lies, 0 for the first."""
    years = day.year - start.year
    return years if anniversary(start, years) <= day else years - 1


def quota(regulation: str, kind: str) -> int | None:
    """Days a year of a type of leave; None: no quota (§ 6.3.6, § 6.3.6.4, § 6.8.8)."""
    if kind == "personal":
        return 35
    return 30 if regulation == "email" else None


def leave_days(ledger: dict[str, Any], warnings: Warnings) -> set[date]:
    """All days of leave that count as leave, of both players (§ 6.3.6, § 6.3.6.1)."""
    leaves = [(e["from"], i, e) for i, e in enumerate(ledger["entries"]) if e["kind"] == "leave"]
    leaves.sort(key=lambda item: (item[0], item[1]))
    granted: dict[tuple[str, str], set[date]] = {}
    for first, index, entry in leaves:
        kind = entry.get("type", "personal")
        if kind == "personal" and entry["notified"] + 6 * ONE > first:
            first = entry["notified"] + 6 * ONE
            warnings.add((index, "late_notice"))
        mine = granted.setdefault((entry["by"], kind), set())
        allowed = quota(ledger["regulation"], kind)
        day = first
        while day <= entry["to"]:
            if not holiday(day) and day not in mine:
                year = tournament_year(ledger["start"], day)
                used = len([d for d in mine if tournament_year(ledger["start"], d) == year])
                if allowed is not None and used >= allowed:
                    warnings.add((index, "quota_exceeded"))
                else:
                    mine.add(day)
            day += ONE
    return {day for days in granted.values() for day in days}


def pauses(ledger: dict[str, Any], warnings: Warnings) -> list[tuple[date, date | None]]:
    """The pauses as (first day, last day or None while it still stands)."""
    found: list[tuple[date, date | None]] = []
    for index, entry in enumerate(ledger["entries"]):
        if entry["kind"] != "pause":
            continue
        first, last = entry["from"], entry["to"]
        if entry["reason"] == "reserve":
            longest = first + 13 * ONE
            if last is None:
                last = longest
            elif last > longest:
                last = longest
                warnings.add((index, "pause_too_long"))
        found.append((first, last))
    return found


def exempt_days(ledger: dict[str, Any], warnings: Warnings) -> Exempt:
    """The test whether a step that begins on a day is free of charge (§ 6.3.6.3)."""
    leave = leave_days(ledger, warnings)
    still = pauses(ledger, warnings)

    @cache
    def exempt(day: date) -> bool:
        if holiday(day) or day in leave:
            return True
        return any(first <= day and (last is None or day <= last) for first, last in still)

    return exempt


def horizon(ledger: dict[str, Any]) -> date | None:
    """The first day of the earliest pause without end, if there is one."""
    endless = [first for first, last in pauses(ledger, set()) if last is None]
    return min(endless) if endless else None


def charged(received: date, sent: date, exempt: Exempt, weekend: bool) -> int:
    """Days for a dispatch: steps received <= D < sent that are not exempt (§ 6.3.1, § 6.3.2)."""
    if weekend and sent.weekday() == SUNDAY:
        sent -= ONE
    days = 0
    day = received
    while day < sent:
        if not exempt(day):
            days += 1
        day += ONE
    return days
