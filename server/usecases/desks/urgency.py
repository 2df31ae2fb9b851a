"""What to take up first: by what is lost while nothing is done, not by what came last (§ 6.4.1).

Not for what stands on a desk (overview.py).
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date

from server.store.cases.cases_and_events import CaseRow


def by_urgency(
    cases: Iterable[CaseRow], now_us: int, up: Collection[str] = ()
) -> tuple[CaseRow, ...]:
    """First the cases that wait for an official: with time up that nobody has claimed, with games
    at rest, then the oldest; ``up``: the numbers of the first.

    Last those in which parties still have time to speak, the soonest to end first.
    """

    def rank(case: CaseRow) -> tuple[bool, int, bool, bool, int, int]:
        still_heard = case.due_us is not None and case.due_us > now_us
        ends = case.due_us or 0 if still_heard else 0
        is_up = case.number in up
        return still_heard, ends, not is_up, not case.is_suspended, case.opened_us, case.id

    return tuple(sorted(cases, key=rank))


BY_HARM = ("found", "cases", "silent", "near", "duties", "long")
"""The parts of a leader's desk: a game that both lose if they play on (§ 6.3.3.4), parties who wait
for a decision, an opponent who waits for a move, time that runs out, days, games without end."""
LATE_DUTIES = "cases"
"""After which part the duties stand when the day of one has passed."""


def in_order(counts: Mapping[str, int], duty_days: Iterable[date], today: date) -> tuple[str, ...]:
    """The parts of a leader's desk in which something waits, what hurts most first."""
    parts = list(BY_HARM)
    if any(day < today for day in duty_days):
        parts.remove("duties")
        parts.insert(parts.index(LATE_DUTIES) + 1, "duties")
    return tuple(part for part in parts if counts[part])
