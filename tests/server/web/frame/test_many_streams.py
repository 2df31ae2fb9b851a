"""A player who turns many pages: streams are opened and left, and the last one hears the game."""

from server.usecases.play.open_pages import PER_VISITOR
from server.web.frame.event_stream import HUB, REPLACED_MS
from tests.fakes.machinery.streams import Ear
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

LEFT = 5 * PER_VISITOR


async def _stream(browser: Browser, path: str) -> Ear:
    answer = await browser.http.get(path)
    assert answer.status == 200, await answer.text()
    return Ear(answer)


async def test_streams_that_were_left_cost_neither_the_next_page_nor_one_that_stays_open(
    browsers: Browsers, site: Site
):
    game, bent = await site.game(), await browsers.of("bent")
    hub, path = site.app[HUB], f"/events?game={game.id}"
    kept = await _stream(bent, path)
    await kept.named("known")
    for _ in range(LEFT):
        left = await _stream(bent, path)
        await left.named("known")
        left.answer.close()
        assert hub.count <= PER_VISITOR
    ear = await _stream(bent, path)
    await ear.named("known")
    await site.play(game, "e4")
    hub.miss()
    for one in (ear, kept):
        await one.named("missed")
        one.answer.close()


async def test_of_many_open_streams_the_oldest_ends_and_is_told_to_come_back_later(browsers, site):
    game, bent = await site.game(), await browsers.of("bent")
    hub, path = site.app[HUB], f"/events?game={game.id}"
    open_ones = [await _stream(bent, path) for _ in range(PER_VISITOR)]
    for one in open_ones:
        await one.named("known")
    newest = await _stream(bent, path)
    await newest.named("known")
    said = (await open_ones[0].answer.content.read()).decode()
    assert said.endswith(f"retry: {REPLACED_MS}\n\n")
    assert hub.count == PER_VISITOR
    hub.miss()
    for one in [*open_ones[1:], newest]:
        await one.named("missed")
        one.answer.close()
