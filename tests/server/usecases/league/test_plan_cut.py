"""§ 6.7.5.1: a plan says why this team and not the next: score, then mean rating."""

import json
from fractions import Fraction

from server.store.divisions import PlanRow
from server.usecases.season.composing import _read, composed_document
from tests.fakes.machinery.each import rows


def _team(club: str, last: int | None, score: float, rating: int = 1800) -> dict[str, object]:
    found: dict[str, object] = {"club": club, "last": last, "ratings": [rating] * 4}
    return found | ({} if last is None else {"score": score, "group": str(last)})


FIRST = [_team(f"A{n}", 1, 90 - n) for n in range(6)]
SECOND = [_team("B1", 2, 80), _team("B2", 2, 76)]
THIRD = [_team(f"C{n}", 2, 50, 1800 + n) for n in range(7)] + [_team("D", 3, 70)]


@rows(
    "teams division cut",
    (FIRST + SECOND, 1, ("B2", "A5")),
    (FIRST + SECOND[:1], 1, None),
    (FIRST + SECOND + THIRD, 2, ("C1", "C0")),
    ([*FIRST, SECOND[0], *THIRD], 2, None),
)
def test_6_7_5_1_the_last_inside_and_the_first_outside_are_named(teams, division, cut):
    """At most 5 stay: A5, with 85 %, gives way to B2; C0 has the lowest mean. D has 70 only."""
    composed = composed_document({"format": "kskak-compose/1", "teams": teams})
    row = PlanRow(
        id=1, season=2027, deadline="2027-11-01", entered=json.dumps({"teams": teams}),
        composed=json.dumps(composed), by_id=1, at_us=0, from_plan=None, refused=None,
        team_entries=None,
    )  # fmt: skip
    found = _read(row, ()).cut(division)
    assert (found and tuple(line.club for line in found)) == cut
    if division == 2 and found:
        assert [line.mean - Fraction(1800) for line in found] == [1, 0]
