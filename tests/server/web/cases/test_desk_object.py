"""A player's own question opens a case; the front page says so to those it concerns."""

from html import unescape

import pytest

from server.store.cases import cases_and_events as case_rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, officials


async def _count(site: Site) -> int:
    async with site.core.store.read() as conn:
        return len(await case_rows.everything(conn))


async def test_a_player_opens_a_case_and_both_find_it_on_their_front_page(
    site: Site, browsers: Browsers
):
    """§ 6.4.1: with his statement and the account in evidence."""
    game = await site.game()
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert f"/games/{game.id}/object" in (await anna.get(f"/games/{game.id}"))[1]
    assert (await anna.get(f"/games/{game.id}/object"))[0] == 200
    answer = await anna.post(
        f"/games/{game.id}/object", {"kind": "days", "text": "Dagene er talt forkert."}
    )
    assert answer.status == 303
    path = answer.headers["Location"]
    assert "Dagene er talt forkert." in (await bent.get(path))[1]
    assert path in (await bent.get("/"))[1] and path in (await anna.get("/"))[1]
    assert path not in (await (await browsers.of("soren")).get("/"))[1]
    assert path in (await (await browsers.of("tove")).get("/desk"))[1]
    assert (await case_of(site)).kind == "days"


@pytest.mark.parametrize("name", ["soren", "ole", "nina"])
async def test_who_is_not_in_the_game_asks_nothing_about_it(
    site: Site, browsers: Browsers, name: str
):
    await officials(site)
    game = await site.game()
    browser = await browsers.of(name)
    fields = {"kind": "days", "text": "Jeg synes …"}
    assert (await browser.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0


async def test_a_stranger_signs_in_first(site: Site, browsers: Browsers):
    game = await site.game()
    stranger = await browsers.stranger()
    fields = {"kind": "days", "text": "Jeg synes …"}
    answer = await stranger.post(f"/games/{game.id}/object", fields)
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert await _count(site) == 0


async def test_nothing_said_is_asked_for_again(site: Site, browsers: Browsers):
    game = await site.game()
    anna = await browsers.of("anna")
    answer = await anna.post(f"/games/{game.id}/object", {"kind": "leave", "text": " "})
    text = unescape(await answer.text())
    assert answer.status == 422 and 'value="leave" selected' in text
    assert (await anna.post(f"/games/{game.id}/object", {"kind": "?"})).status == 400
    assert await _count(site) == 0


async def test_a_game_that_is_over_may_still_be_asked_about_but_not_by_its_watchers(
    site: Site, browsers: Browsers
):
    """§ 6.4.1: anybody may see a finished game; only those in it open a case."""
    game = await site.game()
    anna, soren = await browsers.of("anna"), await browsers.of("soren")
    await anna.post(f"/games/{game.id}/end/resign", {"key": "k", "ply": "0"})
    fields = {"kind": "result", "text": "Resultatet er forkert."}
    assert (await soren.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0
    assert (await anna.post(f"/games/{game.id}/object", fields)).status == 303
    assert await _count(site) == 1
