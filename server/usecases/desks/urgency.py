"""Which case to take up first: what is lost while nothing is done, not what came last (§ 6.4.1).

Not for which cases stand on a desk (overview.py).
"""

from collections.abc import Iterable

from server.store.cases.cases_and_events import CaseRow


def by_urgency(cases: Iterable[CaseRow], now_us: int) -> tuple[CaseRow, ...]:
    """First the cases that wait for an official: those with games at rest, then the oldest.

    Last those in which parties still have time to speak, the soonest to end first.
    """

    def rank(case: CaseRow) -> tuple[bool, int, bool, int, int]:
        still_heard = case.due_us is not None and case.due_us > now_us
        ends = case.due_us or 0 if still_heard else 0
        return still_heard, ends, not case.is_suspended, case.opened_us, case.id

    return tuple(sorted(cases, key=rank))
