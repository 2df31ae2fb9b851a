"""The account on a case's page shows the rows about the disputed moves, and the rest on a press."""

from types import SimpleNamespace

from server.web.cases.case_page import list_disputed_rows
from tests.fakes.machinery.each import each


def _rows(many: int) -> list[SimpleNamespace]:
    return [SimpleNamespace(ply=ply) for ply in range(1, many + 1)]


@each(
    "many disputed shown",
    (13, {10}, [8, 9, 10, 11, 12]),
    (40, {10, 30}, [8, 9, 10, 11, 12, 28, 29, 30, 31, 32]),
    (40, {1}, [1, 2, 3]),
    (40, {40}, [38, 39, 40]),
    (12, {10}, []),
    (40, set(), []),
    (13, {4, 9}, []),
)
def test_rows_on_either_side_of_the_disputed_ones(many, disputed, shown):
    found = list_disputed_rows(_rows(many), frozenset(disputed))  # type: ignore[arg-type]
    assert [one.ply for one in found] == shown
