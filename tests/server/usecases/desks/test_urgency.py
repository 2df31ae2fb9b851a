"""The order of the cases on a desk."""

import pytest

from server.store.cases.cases import CaseRow
from server.usecases.desks.desk_overview import by_urgency

NOW = 1_000


def case(number: int, *, due: int | None = None, opened: int = 0, at_rest: bool = False) -> CaseRow:
    """An open case."""
    return CaseRow(
        id=number, number=f"2026/{number}", kind="overstep", group_id=1, game_id=1, person_id=1,
        state="opened", instance="leader", seq=1, head=b"", snapshot="{}", is_suspended=at_rest,
        due_us=due, opened_us=opened, closed_us=None, group="K", tl_id=1, zone="UTC", game="K/1",
        person="Þóra Ødegård",
    )  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
def test_what_waits_for_the_official_stands_before_what_waits_for_the_parties(turned: bool) -> None:
    cases = [
        case(1, due=NOW + 9),
        case(2, due=NOW + 1, at_rest=True),
        case(3, opened=5),
        case(4, opened=3),
        case(5, due=NOW, opened=7, at_rest=True),
        case(6, due=NOW - 1, opened=4),
    ]
    found = by_urgency(cases[::-1] if turned else cases, NOW)
    assert [one.id for one in found] == [5, 4, 6, 3, 2, 1]
