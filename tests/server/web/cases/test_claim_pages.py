"""The pages that ask before a claim or an answer show the reckoning, and ask nothing in vain."""

import re
from types import SimpleNamespace

import pytest

from kskak.cases import what_if as what_if_rules
from kskak.statement.account import account
from server.web.cases.case_texts import read_suppositions
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site
from tests.regulation.record import POSTAL, Record
from tests.server.web.conftest import Browsers


@pytest.fixture
async def path(site: Site) -> str:
    """The game of Anna against Bent."""
    return f"/games/{(await site.game()).id}"


def _rows(page: str) -> list[str]:
    """The lines of the reckoning, as plain text."""
    table = page.partition('id="reckoning"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.sub(r"<[^>]+>", " ", row) for row in table.split("</tr>") if "<td" in row]
    return [" ".join(row.split()) for row in rows]


async def test_both_players_days_stand_beside_a_claim_of_time_before_it_and_after(
    browsers: Browsers, site: Site, path: str
):
    """§ 6.8.7"""
    await site.play(await site.game(), "e4", days=7)
    site.clock.turn(4)
    anna = await browsers.of("anna")
    _, asked = await anna.get(f"{path}/end/time")
    assert "Der er ingen tidsoverskridelse at gøre gældende (§ 6.8.7)" in asked
    answer = await anna.post(f"{path}/end/time", {"key": "k", "ply": "1"})
    assert answer.status == 422
    for page in (asked, await answer.text()):
        bent, own = _rows(page)
        assert bent.startswith("Bent Bæk 3 dage 40 dage til træk 10 er i trækket. Sidste dag")
        assert own == "Anna Andersen 7 dage 40 dage til træk 10 venter på modstanderen"
    assert (await site.game()).seq == 1


async def test_an_overstep_is_told_with_its_figures(browsers: Browsers, site: Site, path: str):
    """§ 6.3.3.3"""
    await site.play(await site.game(), "e4", days=45)
    bent = await browsers.of("bent")
    _, page = await bent.get(f"{path}/end/time")
    assert "ingen tidsoverskridelse" not in page
    assert "45 dage" in _rows(page)[0]
    assert "40 dage" in page.partition("reckoning-title")[2].partition("<table")[0]


NO_OFFER, NOT_YOURS = "Der er ikke noget remistilbud at svare på", "Det er ikke din tur"


@rows(
    "who kind said",
    *(("anna", kind, NO_OFFER) for kind in ("accept", "decline")),
    *(("bent", kind, NOT_YOURS) for kind in ("draw", "think")),
    *(("over", kind, "Partiet er slut") for kind in ("resign", "accept", "draw", "time", "think")),
)
async def test_what_cannot_be_done_is_said_and_not_asked_about(browsers, path, who, kind, said):
    """No offer to answer, the other's turn, a game that is over."""
    browser = await browsers.of("anna" if who == "over" else who)
    if who == "over":
        await browser.post(f"{path}/end/resign", {"key": "k", "ply": "0"})
    status, page = await browser.get(f"{path}/end/{kind}")
    main = page.partition("<main")[2].partition("</main>")[0]
    assert status == 200 and said in main
    assert "<form" not in main
    assert who != "anna" or "Tilbage til partiet" in main


# What the what-if form supposes about a dispatch that is a series (§ 6.2.5, § 6.4.1).


@rows("name kind", ("sent1", what_if_rules.SentOn), ("received1", what_if_rules.ReceivedOn))
def test_the_row_that_shows_a_series_dates_stands_for_its_dispatch(name, kind):
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
