"""The list of players: found by name and club, by the page, and nobody who is in no public list."""

import re

import pytest
from sqlalchemy import insert

from server.store.tables.base import people
from server.store.tables.people import clubs
from server.usecases import people as people_views
from server.usecases.people import PLAYERS_PAGE
from tests.fakes.many import statements
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def _people(site: Site, *rows: dict[str, object]) -> None:
    async with site.core.store.write() as conn:
        for number, row in enumerate(rows):
            email = f"nr{number}.{len(rows)}@hemmelig.example"
            await conn.execute(insert(people).values(email=email, created_us=0, **row))


@pytest.fixture
async def listed(site: Site) -> Site:
    """The three who play; Øjvind and Åse are rated, Grete is in the register only."""
    async with site.core.store.write() as conn:
        await conn.execute(insert(clubs).values(name="Nordre Skakklub"))
    await _people(
        site,
        {"name": "Øjvind Ås", "k_rating": 1700, "club": "Vejle 50%"},
        {"name": "Åse Æbelø", "k_rating": 1600, "birth": "1950-02-03", "member": "4711"},
        {"name": "Grete Gran", "club": "Nordre Skakklub", "rating": 1500},
    )
    return site


def _names(text: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/players/\d+">([^<]+)</a>', text)


async def _found(browser: Browser, query: str = "") -> list[str]:
    status, text = await browser.get(f"/players{query}")
    assert status == 200
    return _names(text)


async def test_who_plays_is_listed_and_found_and_nobody_else(listed, stranger, browsers):
    # Who plays is listed with club and ratings and each has a public page.
    text = (await stranger.get("/players"))[1]
    assert _names(text) == ["Anna Andersen", "Bent Bæk", "Søren Sø", "Åse Æbelø", "Øjvind Ås"]
    assert "5 spillere" in text and re.search(r'<a href="/clubs/\d+">Nordre Skakklub</a>', text)
    for number in re.findall(r'"row"><a href="(/players/\d+)"', text):
        assert (await stranger.get(number))[0] == 200
    for page in ("/", "/clubs", "/ratings"):
        assert 'href="/players"' in (await stranger.get(page))[1], page
    # A player is found by any part of name or club in either case.
    for words, names in (
        ("anna", ["Anna Andersen"]), ("ANDERSEN anna", ["Anna Andersen"]),
        ("nordre", ["Anna Andersen"]), ("øjvind", ["Øjvind Ås"]),
        ("ås", ["Åse Æbelø", "Øjvind Ås"]),
        ("50%25", ["Øjvind Ås"]), ("%25", ["Øjvind Ås"]), ("_", []), ("anna bent", []),
    ):  # fmt: skip
        assert await _found(stranger, f"?q={words}") == names, words
    text = (await stranger.get("/players?q=<b>ukendt"))[1]
    assert "Ingen spiller passer." in text and 'href="/archive?player=%3Cb%3Eukendt"' in text
    # Nobody is found who is in the register only or only leads nor any contact.
    for browser in (await browsers.stranger(), await browsers.of("anna")):
        for words in ("Grete", "Gran", "Tove", "nr1", "hemmelig", "example.org", "4711", "1950"):
            assert await _found(browser, f"?q={words}") == [], words
        text = (await browser.get("/players"))[1].partition("<main")[2].partition("</main>")[0]
        assert "@" not in text and "4711" not in text and "1950" not in text


@pytest.mark.both_engines
async def test_more_than_a_thousand_are_not_counted_and_each_is_on_a_page(
    listed: Site, browsers: Browsers, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(people_views, "COUNTED", PLAYERS_PAGE + 10)
    await _people(
        listed, *[{"name": f"Erik {n:03}", "k_rating": 1500} for n in range(2 * PLAYERS_PAGE)]
    )
    stranger = await browsers.stranger()
    text = (await stranger.get("/players?page=2"))[1]
    assert "Over 60 spillere" in text and "side 2<" in text.casefold() and "side 2 af" not in text
    assert 'rel="next"' in text and len(_names(text)) == PLAYERS_PAGE
    text = (await stranger.get("/players?page=3"))[1]
    assert 'rel="next"' not in text and len(_names(text)) == 5
    assert 'href="/players?page=3"' in (await stranger.get("/players?page=99"))[1], "the last one"


async def test_the_list_is_read_by_the_page_and_asks_no_more_of_the_database_when_it_is_long(
    listed: Site, stranger: Browser
):
    with statements() as few:
        await stranger.get("/players?q=e")
    rows = [{"name": f"Erik {n:03}", "k_rating": 1500} for n in range(2 * PLAYERS_PAGE)]
    await _people(listed, *rows)
    with statements() as many:
        text = (await stranger.get("/players?q=e"))[1]
    assert len(many) == len(few)
    assert len(_names(text)) == PLAYERS_PAGE and "side 1 af" in text.casefold()
    first, second = await _found(stranger), await _found(stranger, "?page=2")
    third = await _found(stranger, "?page=3")
    assert (len(first), len(second), len(third)) == (PLAYERS_PAGE, PLAYERS_PAGE, 5)
    assert not {*first} & {*second}
    assert '/players?q=e&page=2"' in text
    for odd in ("page=99", "page=-1", "page=x", f"page={'9' * 30}"):
        assert (await stranger.get(f"/players?{odd}"))[0] == 200, odd
    status, text = await stranger.get(f"/players?q={'a' * 81}")
    assert status == 422 and "a" * 81 in text
