"""What the what-if form supposes about a dispatch that is a series (§ 6.2.5, § 6.4.1)."""

from types import SimpleNamespace

import pytest

from kskak.cases import what_if as what_if_rules
from kskak.statement.account import account
from server.web.cases.case_texts import read_suppositions
from tests.regulation.record import POSTAL, Record


@pytest.mark.parametrize(
    ("name", "kind"), [("sent1", what_if_rules.SentOn), ("received1", what_if_rules.ReceivedOn)]
)
def test_the_row_that_shows_a_series_dates_stands_for_its_dispatch(
    name: str, kind: type[what_if_rules.SentOn | what_if_rules.ReceivedOn]
) -> None:
    record = Record(POSTAL).think(0, proposes=2).think(1, plies=3)
    view = SimpleNamespace(events=tuple(record.events), today=record.day)
    rows = account(record.terms, record.events, record.day).rows
    row = next(one for one in rows[1:] if one.dates.sent is not None)
    assert row.ply == 4 and set(what_if_rules.dispatches(record.events)) >= {1, 2}
    day = row.dates.sent
    assert day is not None
    found = read_suppositions({"move1": str(row.ply), name: day.isoformat()}, view)  # type: ignore[arg-type]
    assert found.supposed == (kind(2, day),)
    what = what_if_rules.what_if(record.terms, record.events, found.supposed, record.day)
    assert not isinstance(what, what_if_rules.Impossible)
    assert found.lines[0][0] == row.ply, "the form keeps the row that was chosen"
