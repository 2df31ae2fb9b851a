"""A player's own question opens a case; the front page says so to those it concerns."""

from html import unescape

import pytest

from server.store.cases import cases as case_rows
from server.store.play.games import GameRow
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of


async def _count(site: Site) -> int:
    async with site.core.store.read() as conn:
        return len(await case_rows.everything(conn))


async def test_a_player_opens_a_case_and_both_find_it_on_their_front_page(
    site: Site, browsers: Browsers, game: GameRow, anna: Browser, bent: Browser
):
    """§ 6.4.1: with his statement and the account in evidence."""
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
async def test_who_is_not_in_the_game_asks_nothing_about_it(site, browsers, name):
    await officials(site)
    game = await site.game()
    browser = await browsers.of(name)
    fields = {"kind": "days", "text": "Jeg synes …"}
    assert (await browser.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0


async def test_a_stranger_signs_in_first(site: Site, game: GameRow, stranger: Browser):
    fields = {"kind": "days", "text": "Jeg synes …"}
    answer = await stranger.post(f"/games/{game.id}/object", fields)
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert await _count(site) == 0


async def test_nothing_said_is_asked_for_again(site: Site, game: GameRow, anna: Browser):
    answer = await anna.post(f"/games/{game.id}/object", {"kind": "leave", "text": " "})
    text = unescape(await answer.text())
    assert answer.status == 422 and 'value="leave" selected' in text
    assert (await anna.post(f"/games/{game.id}/object", {"kind": "?"})).status == 400
    assert await _count(site) == 0


async def test_a_game_that_is_over_may_still_be_asked_about_but_not_by_its_watchers(
    site: Site, game: GameRow, anna: Browser, soren: Browser
):
    """§ 6.4.1: anybody may see a finished game; only those in it open a case."""
    await anna.post(f"/games/{game.id}/end/resign", {"key": "k", "ply": "0"})
    fields = {"kind": "result", "text": "Resultatet er forkert."}
    assert (await soren.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0
    assert (await anna.post(f"/games/{game.id}/object", fields)).status == 303
    assert await _count(site) == 1


async def test_a_player_withdraws_from_his_group_and_a_second_press_finds_the_case(
    site: Site, browsers: Browsers, game: GameRow
):
    """§ 6.2.8: told what would follow before; the leader rules, and the games go on till then."""
    path = f"/games/{game.id}/leave-group"
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    assert path in (await anna.get(f"/games/{game.id}"))[1]
    asked = unescape((await anna.get(path))[1])
    assert "0 af 2 partier er færdige" in asked and "du taber alle dine partier" in asked
    assert (await anna.post(path, {"text": " "})).status == 422
    told = {"text": "Jeg skal opereres og kan ikke spille i år."}
    case = (await anna.post(path, told)).headers["Location"]
    for press in (await anna.post(path, told), await anna.http.get(path, allow_redirects=False)):
        assert (press.status, press.headers["Location"]) == (303, case)
    assert await _count(site) == 1
    assert told["text"] in (await tove.get(case))[1] and case in (await tove.get("/desk"))[1]
    assert (await case_of(site)).kind == "withdrawal"
    for who in ("soren", "tove"):
        assert (await (await browsers.of(who)).post(path, told)).status == 403
    await anna.post(f"/games/{game.id}/end/resign", {"key": "k", "ply": "0"})
    assert (await anna.get(path))[0] == 404
