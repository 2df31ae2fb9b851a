"""The rating pages: who finds the desk, removing a number, odd questions, pictures, queries."""

import re
from datetime import date

import pytest
from sqlalchemy import update

from kskak.game.game_events import PlayerResigned
from kskak.regulation.editions import Side
from server.store import members as member_rows
from server.store.members import RatingRow
from server.store.play import games as game_rows
from server.store.register import put_ratings
from server.store.tables.base import people
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from server.usecases.groups.group_file import read_group_file
from server.usecases.rating import computing
from server.usecases.rating.rating_views import RatingPoint
from server.usecases.register.csv_table import read_text
from server.usecases.results.publishing import daily
from server.usecases.starts.start_group import start_group
from server.web.board.board_view import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, curve_of
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browser, Browsers

DESK = "/desk/ratings"


@pytest.fixture
async def rated(site: Site) -> Site:
    """Kaj is controller; K-26-01 is over and rated, and K-26-02 waits."""
    await officials(site)
    await _over(site, "K-26-01")
    await computing.compute(site.core)
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    await _over(site, "K-26-02")
    return site


async def _over(site: Site, name: str) -> None:
    """White wins every game of a group, and it is published the next day."""
    tove = await site.person("tove@example.org")
    async with site.core.store.read() as conn:
        found = [row async for row in game_rows.all_rows(conn) if row.name.startswith(name)]
    for row in found:
        origin = Origin(site.clock.now(), tove.id, "web")
        end = PlayerResigned(Side.BLACK, site.clock.now().date())
        await site.core.writer.submit(EventsUnit(row.id, (end,), origin, poster_of(site.core)))
    site.clock.turn(1)
    await daily(site.core)


async def test_waiting_groups_and_files_of_lists(rated, browsers):
    # One click calculates what waits.
    kaj = await browsers.of("kaj")
    _, text = await kaj.get(DESK)
    assert "K-26-02" in text and "ny, offentliggjort 3. september 2026" in text
    answer = await kaj.post(DESK, {"act": "now"})
    assert answer.headers["Location"] == f"{DESK}?done=1"
    _, text = await kaj.get(f"{DESK}?done=1")
    assert "1 gruppe er beregnet" in text and "Alt er beregnet" in text
    assert (await kaj.post(DESK, {"act": "all"})).headers["Location"] == f"{DESK}?done=0"
    # A lists file holds no formula.
    async with rated.core.store.write() as conn:
        of = people.c.email == "anna@example.org"
        await conn.execute(update(people).where(of).values(name='=HYPERLINK("x")', club="@SUM"))
    _, text = await (await browsers.stranger()).get("/ratings.csv")
    assert "'=HYPERLINK" in text and "'@SUM" in text and ";=HYPER" not in text
    answer = await (await browsers.stranger()).http.get("/ratings.xlsx")
    assert answer.content_type.endswith("spreadsheetml.sheet")
    assert "rating-" in answer.headers["Content-Disposition"]
    assert "=HYPERLINK" in read_text(await answer.read()), "as a cell of text"


async def test_a_number_is_removed_on_the_members_page_with_its_reason(rated, browsers):
    anna = (await rated.person("anna@example.org")).id
    path = f"/desk/members/{anna}"
    kaj = await browsers.of("kaj")
    _, text = await kaj.get(path)
    assert "beregnet: K-26-01" in text
    assert re.findall(r'<option value="(\w+ [\d-]+)">', text) == ["otb 2026-09-01"]
    answer = await kaj.post(f"{path}/ratings/remove", {"which": "otb 2026-09-01", "reason": ""})
    assert answer.status == 422 and "Skriv, hvorfor" in await answer.text()
    for which, status in (("k 2026-09-02", 404), ("x 2026-09-01", 400), ("", 400)):
        fields = {"which": which, "reason": "x"}
        assert (await kaj.post(f"{path}/ratings/remove", fields)).status == status, which
    fields = {"which": "otb 2026-09-01", "reason": "en andens tal"}
    for name in ("tove", "anna", "soren"):
        browser = await browsers.of(name)
        assert (await browser.post(f"{path}/ratings/remove", fields)).status in (403, 404)
    answer = await kaj.post(f"{path}/ratings/remove", fields)
    assert answer.status == 422 and 'name="seen"' in await answer.text(), "K-26-01 rests on it"
    assert (await kaj.post(f"{path}/ratings/remove", fields | {"seen": "1"})).status == 303
    _, text = await kaj.get(path)
    assert "en andens tal" in text and "Fjern et ratingtal" not in text
    assert (await rated.person("anna@example.org")).rating is None


@each("on", ["x", "2026-02-30", "9999-12-31", "2026-W01-1", "%00", "&page=x"])
async def test_odd_questions_are_answered_politely(rated: Site, on: str, stranger: Browser):
    status, _ = await stranger.get(f"/ratings?on={on}")
    assert status == (200 if on == "&page=x" else 422)
    assert (await stranger.get("/ratings?page=99999"))[0] == 200
    assert (await stranger.get("/ratings.csv?on=x"))[0] == 404


async def test_a_list_asks_no_more_the_longer_it_is(rated: Site, stranger: Browser):
    anna, counts = (await rated.person("anna@example.org")).id, []
    for more in (0, 40):
        async with rated.core.store.write() as conn:
            found = await member_rows.everybody(conn)
            put = [
                RatingRow(one.id, "k", f"2026-08-{day:02}", 1500, False, "x")
                for one in found
                for day in range(1, 1 + more // 2)
            ]
            await put_ratings(conn, put, 0, None)
        counts.append([await stranger.asked(path) for path in ("/ratings", f"/players/{anna}")])
    assert counts[0] == counts[1] > [0, 0]


def _points(*steps: tuple[str, int]) -> list[RatingPoint]:
    return [RatingPoint(date.fromisoformat(d), 0, r, False, None, 0, None, None) for d, r in steps]


def test_a_curve_lies_within_its_picture_and_ends_today():
    today = date(2026, 6, 1)
    for steps in (
        [("2026-06-01", 1500)],
        [("2026-05-01", 1000), ("2026-05-02", 2600)],
        [("1990-01-01", 1500), ("2026-01-01", 1501)],
    ):
        curve = curve_of(_points(*steps), today)
        assert curve is not None
        for x, y, _ in curve.dots:
            assert LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM
        assert 2 <= len(curve.levels) <= 8 and len(curve.years) <= 6
        assert curve.path.endswith(f"H{float(WIDTH - RIGHT)}") or len(steps) == 1
        assert (curve.low, curve.high) == (min(r for _, r in steps), max(r for _, r in steps))
    assert curve_of([], today) is None


def test_a_higher_rating_stands_higher_and_a_later_one_further_right():
    steps = [("2026-01-01", 1500), ("2026-03-01", 1600), ("2026-05-01", 1400)]
    curve = curve_of(_points(*steps), date(2026, 6, 1))
    assert curve is not None
    (x1, y1, _), (x2, y2, _), (x3, y3, _) = curve.dots
    assert y2 < y1 < y3
    assert x1 < x2 < x3 < WIDTH - RIGHT


async def test_one_number_is_no_curve_and_says_since_when(rated: Site, browsers: Browsers):
    kaj = (await rated.person("kaj@example.org")).id
    async with rated.core.store.write() as conn:
        await put_ratings(conn, [RatingRow(kaj, "k", "2026-08-01", 1500, False, "x")], 0, None)
    _, text = await (await browsers.stranger()).get(f"/players/{kaj}")
    assert '<figure class="curve">' not in text
    assert "1. august 2026" in text and "<b>1500</b>" in text
