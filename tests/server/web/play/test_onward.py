"""From game to game: the next one that waits after a move, passing over, and the end of the row."""

import re

import pytest

from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browser, Browsers


@pytest.fixture
async def games(site: Site) -> dict[str, int]:
    """Anna is to move in three games; time runs out first in that of K-26-02, last in K-26-01/3.

    By name, the most urgent first.
    """
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    site.clock.turn(6)
    await site.play(await site.game("K-26-01/2"), "e4", days=0)
    await site.play(await site.game("K-26-01/2"), "e5", days=0)
    await site.play(await site.game("K-26-01/3"), "d4", days=1)
    names = ("K-26-02/1", "K-26-01/2", "K-26-01/3")
    return {name: (await site.game(name)).id for name in names}


async def _listed(anna: Browser) -> list[int]:
    text = (await anna.get("/"))[1]
    mine = text[text.index('id="mine"') : text.index("</ol>")]
    return [int(one) for one in re.findall(r'class="who"><a href="/games/(\d+)"', mine)]


async def _led_to(anna: Browser, path: str) -> str:
    answer = await anna.http.get(path, allow_redirects=False)
    return answer.headers.get("Location", "")


async def test_the_way_follows_the_list_and_ends(site: Site, games: dict[str, int], anna: Browser):
    first, second, third = games.values()
    assert await _listed(anna) == [first, second, third]
    assert await _led_to(anna, "/next") == f"/games/{first}"
    text = (await anna.get(f"/games/{first}"))[1]
    assert f'href="/next?after={first}">Spring over: næste parti (2)' in text
    await site.play(await site.game("K-26-02/1"), "e4", days=0)
    text = (await anna.get(f"/games/{first}?sent=1"))[1]
    assert f'href="/games/{second}">Næste parti: Bent Bæk (2 tilbage)' in text
    text = (await anna.get(f"/games/{first}"))[1]
    assert ">Næste parti (2)<" in text
    await site.play(await site.game("K-26-01/2"), "d4", days=0)
    assert await _led_to(anna, f"/next?after={second}") == f"/games/{third}"
    assert "Næste parti: Søren Sø (1 tilbage)" in (await anna.get(f"/games/{second}?sent=1"))[1]
    await site.play(await site.game("K-26-01/3"), "d5", days=0)
    text = (await anna.get(f"/games/{third}?sent=1"))[1]
    assert "Ingen flere partier venter på dig." in text and "sprang over" not in text
    status, text = await anna.get(f"/next?after={third}")
    assert status == 200 and "Du har svaret i alle dine partier." in text


async def test_a_game_passed_over_comes_up_again_when_asked_or_the_next_day(
    browsers: Browsers, site: Site, games: dict[str, int], anna: Browser
):
    first, second, third = games.values()
    assert await _led_to(anna, f"/next?after={first}") == f"/games/{second}"
    assert await _listed(anna) == [first, second, third], "the list shows all of them"
    await site.play(await site.game("K-26-01/2"), "d4", days=0)
    text = (await anna.get(f"/games/{second}?sent=1"))[1]
    assert f'href="/games/{third}">Næste parti: Søren Sø (1 tilbage)' in text
    status, text = await anna.get(f"/next?after={third}")
    assert status == 200 and "Du sprang 2 partier over" in text
    assert await _led_to(anna, "/next?again=1") == f"/games/{first}"
    await anna.get(f"/next?after={first}")
    site.clock.turn(1)
    anna = await browsers.of("anna")
    assert await _led_to(anna, "/next") == f"/games/{first}"


async def test_nobody_is_led_through_games_that_are_not_his(browsers, site, games):
    first = next(iter(games.values()))
    assert (await _led_to(await browsers.stranger(), "/next")).startswith("/signin")
    tove = await browsers.of("tove")
    for path in ("/next", f"/next?after={first}", "/next?after=x", "/next?after=" + "9" * 30):
        assert (await tove.get(path))[0] == 200, path
    assert "/next?after=" not in (await tove.get(f"/games/{first}"))[1]
    soren = await browsers.of("soren")
    await soren.get(f"/next?after={first}")
    assert await _led_to(await browsers.of("anna"), "/next") == f"/games/{first}", (
        "another passes over for himself alone"
    )
