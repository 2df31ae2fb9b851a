"""From a started group to the list, the curve and the calculation, by the server's own HTTP.

§ 4.5.2, § 4.5.4.1, § 4.5.5.1; ratings are public (CONTRACTS).
"""

import csv
import io
from datetime import date
from html.parser import HTMLParser

import aiohttp
import pytest

from tests.fakes.machinery.browser import browser
from tests.fakes.ratings import begin, id_of, k_rating, next_day, seven_done, tell, white_wins
from tests.fakes.seven import SEVEN
from tests.fakes.told_once import nothing, scene
from tests.fakes.world import KC, World

START = date(2026, 1, 5)


world = scene(nothing, START)
"""A server before any group."""


class Page(HTMLParser):
    """A page as somebody without rights sees it: rows of tables, words, what a picture shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._cell = False
        self.feed(text)
        self.rows = [[" ".join(cell.split()) for cell in row] for row in self.rows]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = False

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._cell:
            self.rows[-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


async def get(world: World, path: str) -> tuple[int, str]:
    """A page for who is not signed in."""
    url = f"http://127.0.0.1:{world.server.web_port}{path}"
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        return answer.status, await answer.text()


@pytest.mark.both_engines
async def test_a_group_from_its_start_to_list_curve_and_calculation(world: World) -> None:
    """Everything that anybody may look at, after a group of seven and one more."""
    await seven_done(world)
    games = await begin(world, "K-2", "AB")
    await tell(world, "A", 1500, START)
    world.clock.go(date(2026, 4, 10))
    await white_wins(world, games.values())
    await next_day(world)
    status, text = await get(world, "/ratings")
    assert status == 200
    rows = Page(text).rows
    assert [row[:3] for row in rows[1:3]] == [
        ["1.", "Anna Ager Nordre", "1990"], ["2.", "Gry Holm Nordre", "1930"],
    ]  # fmt: skip
    assert rows[1][3:] == ["0", "6"], "unchanged since the list of 1 April"
    assert {row[1]: row[3] for row in rows if row[1] in ("A", "B")} == {"A": "+41", "B": "ny"}
    old = Page((await get(world, "/ratings?on=2026-01-05"))[1]).rows
    assert [row[1:4] for row in old[1:]] == [["A", "1500", "ny"]]
    assert (await get(world, "/ratings?on=2026-13-01"))[0] == 422
    assert (await get(world, "/ratings?on=2027-01-01"))[0] == 422, "a day to come"

    _, text = await get(world, "/ratings.csv")
    lines = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    assert lines[1] == ["1", "Anna Ager", "Nordre", "1990", "endelig", "0", "6"]
    assert len(lines) == 1 + len(SEVEN) + 2

    person = await id_of(world, "A")
    page = Page((await get(world, f"/players/{person}"))[1])
    assert [attrs["role"] for attrs in page.all("svg")] == ["img"]
    assert len(page.all("circle")) == 2
    assert "Fra 1500 den 5. januar 2026 til 1541 den 11. april 2026" in page.words
    assert [row[:2] for row in page.rows if row[0].endswith("2026")] == [
        ["11. april 2026", "1541"], ["5. januar 2026", "1500"],
    ]  # fmt: skip

    page = Page((await get(world, "/ratings/K-26-07"))[1])
    anna = next(row for row in page.rows if row[0] == "Anna Ager")
    assert anna[1:] == ["1900", "6", "5½", "3,00", "0,5", "30", "1990"]
    words = " ".join(page.words.split())
    for step in ("gennemsnit er 1900", "7 × 0,50", "§ 4.5.2.1", "§ 4.5.2.2", "= +90 (§ 4.5.2"):
        assert step in words.replace("§\u00a0", "§ "), step
    assert (await get(world, "/ratings/K-unknown"))[0] == 404
    _, text = await get(world, "/groups/K-26-07")
    assert "/ratings/K-26-07" in text


async def test_the_controller_sees_what_waits_and_calculates_it_with_one_click(world):
    """A number told later unsettles the group; the desk says so, and the click settles it."""
    games = await begin(world, "K-1", "AB")
    await white_wins(world, games.values())
    await next_day(world)
    await world.pump()
    world.clock.wait(minutes=1)
    await tell(world, "A", 1500, START)
    async with browser(world) as kc:
        await kc.sign_in(KC)
        page = await kc.get("/desk/ratings")
        assert "er ændret fra 5. januar 2026" in page.text
        page = await kc.submit(page, "/desk/ratings")
        assert "1 gruppe er beregnet" in page.text
        assert "Alt er beregnet" in page.text
    assert await k_rating(world, "A") == 1541
