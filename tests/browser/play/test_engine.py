"""A chess engine in the browser: nothing of it until it is turned on, then lines and words.

The engine is one of ours that knows no chess, served as the real one is where it is installed. Not
for what a line means (tests/script/engine.test.js).
"""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from server.web.frame import assets
from tests.browser.conftest import Stage
from tests.browser.looking import faults, too_wide
from tests.browser.playing import open_game, picture, play, stands

FAKE = Path(__file__).parents[2] / "fakes" / "engine.js"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after ``make engine``."""
    script = assets.Asset(FAKE.read_bytes(), False, "text/javascript")
    licence = assets.Asset(b"GPL", False, "text/plain")
    monkeypatch.setitem(assets.assets(), assets.ENGINE, script)
    monkeypatch.setitem(assets.assets(), "engine/Copying.txt", licence)


async def _tries(page: Page) -> None:
    await open_game(page, "Bent Bæk")
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(page.locator("#trying")).to_be_visible()


@pytest.mark.usefixtures("installed")
async def test_an_engine_is_fetched_when_turned_on_and_its_lines_are_read_and_played(stage: Stage):
    anna = await stage.page(viewport={"width": 1280, "height": 900})
    await stage.signed_in("anna@example.org", anna)
    asked: list[str] = []
    anna.on("request", lambda request: asked.append(request.url))
    await _tries(anna)
    switch = anna.get_by_label("Lad Stockfish regne på stillingen")
    await expect(switch).not_to_be_checked()
    await expect(anna.locator("#engine-rule")).to_contain_text("Kendelse 120 (1989)")
    assert not [url for url in asked if "engine" in url], "off, it costs nothing"
    await switch.check()
    lines, says = anna.locator("#engine-lines > li"), anna.locator("#engine-says")
    await expect(lines).to_have_text(
        [
            "+0,31 lidt bedre for hvid: 1. e4 e5",
            "+0,20 lige stilling: 1. d4",
            "#3 hvid sætter mat i 3: 1. Sf3 Sf6",
        ]
    )
    await expect(says).to_have_text("Skakprogrammet regner …")
    await lines.get_by_role("button", name="1. e4").click()
    await stands(anna, "e4:wp")
    await expect(says).to_have_text("Skakprogrammets bedste: 1… e5, hvid vinder. Dybde 20.")
    await expect(says).to_have_attribute("aria-live", "polite")
    await expect(lines.first).to_have_text("+2,10 hvid vinder: 1… e5 2. Sf3 Sc6")
    await expect(lines.last).to_have_text("#2 hvid sætter mat i 2: 1… f6")
    await picture(anna, "engine")
    await anna.set_viewport_size({"width": 390, "height": 844})
    assert await faults(anna, "engine") + await too_wide(anna, "engine") == []
    # The device remembers it; it thinks only while moves are tried.
    await anna.get_by_role("button", name="Slut med at prøve træk").click()
    await expect(says).to_be_empty()
    await anna.reload()
    await anna.get_by_role("button", name="Dine varianter på brættet").click()
    await expect(switch).to_be_checked()
    await expect(lines).to_have_count(3)
    await play(anna, "d2d4")
    await switch.uncheck()
    await expect(anna.locator("#engine-lines")).to_be_hidden()
    assert await anna.evaluate("Object.keys(localStorage).filter(n => n.includes('engine'))") == []
    assert stage.faults == []
