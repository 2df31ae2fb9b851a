"""The desks while an outage waits to be settled, in both themes and on a phone (§ 6.8.5)."""

from datetime import timedelta
from pathlib import Path

from server.store.engine.rows import to_us
from server.usecases.reflection import silence_and_outages
from tests.browser.conftest import Federation
from tests.browser.looking import PICTURES, THEMES, looked_at, set_theme, watch
from tests.browser.visiting import game_to_move

_IN_SIGHT = """() => document.querySelector(".notice.outage").getBoundingClientRect().top
    >= document.querySelector(".side").getBoundingClientRect().top"""


async def test_proposed_pauses_fit_a_phone_and_are_accessible(federation: Federation) -> None:
    core = federation.server.core
    now = core.clock.now()
    async with core.store.write() as conn:
        stretch = (to_us(now - timedelta(days=4)), to_us(now))
        assert await silence_and_outages.record(core, conn, stretch, silence_and_outages.SERVER) > 1
    found = list[str]()
    for role, path in (
        ("tournament leader", "/desk"),
        ("K-skak controller", "/desk/kc"),
        ("K-skak controller", "/desk/outages"),
    ):
        page = await federation.page(role)
        await watch(page)
        await set_theme(page, THEMES[0])
        await page.goto(path)
        assert await page.locator("#outages").count() == 1
        found += await looked_at(page, path)
        for theme in THEMES if PICTURES else ():
            await set_theme(page, theme)
            name = f"outage{path.replace('/', '_')}_{theme[1]}.png"
            await page.screenshot(path=Path(PICTURES) / name, full_page=True)
    player = await federation.page("player")
    await watch(player)
    game = await game_to_move(player)
    for path in (game, f"{game}/statement", f"{game}/end/time"):
        await set_theme(player, THEMES[0])
        await player.goto(path)
        found += await looked_at(player, path)
    await set_theme(player, THEMES[1])
    await player.goto(game)
    assert await player.locator(".notice.outage").count() == 1
    assert await player.evaluate(_IN_SIGHT), "beside the board it is not scrolled away"
    await page.locator("#outages button").last.click()
    assert "Skriv, hvorfor pausen afslås" in await page.locator("main").inner_text()
    await page.locator("#outages button").first.click()
    assert "givet af" in await page.locator("#decided").inner_text()
    assert not found, "\n".join(found)
