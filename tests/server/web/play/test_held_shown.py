"""A move that waits is shown whole, and is never replaced or counted in silence (§ 6.2.4)."""

import re

from tests.server.web.conftest import Browser


async def _hold(browser: Browser, path: str, text: str, **fields: str) -> str:
    """Its key."""
    ply = str((await browser.site.game()).ply)
    form = {"text": text, "ply": ply, "minutes": "10", "key": f"k-{text}"} | fields
    assert (await browser.post(f"{path}/hold", form)).status == 303
    return form["key"]


async def _preview(browser: Browser, path: str, text: str) -> str:
    answer = await browser.post(f"{path}/preview", {"text": text, "ply": "0", "key": "other"})
    assert answer.status == 200
    return await answer.text()


def _lede(page: str) -> str:
    found = re.search(r'<p class="lede">([^<]*)</p>', page)
    assert found is not None
    return found[1].strip()


async def test_what_waits_is_shown_with_all_that_goes_with_it(path, anna):
    # Series draw offer and message are shown with it.
    await _hold(anna, path, "e4 0e5 2. Sf3", message="Hej Bent\nGod jul", draw="1")
    _, page = await anna.get(path)
    box = page.partition('id="delayed"')[2].partition("</form>")[0]
    assert "1. e4 sendes kl. 11.10" in box
    assert "1… e5 2. Sf3" in box
    assert "Et remistilbud går med trækket" in box
    assert "Hej Bent\nGod jul" in box
    _, mine = await anna.get("/")
    line = mine.partition('id="delayed"')[2].partition("</div>")[0]
    for part in ("med trækserien 1… e5 2. Sf3", "med remistilbud", "med besked"):
        assert part in line, part
    # A plain move has nothing beside it.
    await _hold(anna, path, "e4")
    for page in ((await anna.get(path))[1], (await anna.get("/"))[1]):
        box = page.partition('id="delayed"')[2].partition("</form>")[0]
        assert "remistilbud" not in box and "serie" not in box and "esked" not in box


async def test_the_preview_of_another_says_what_it_replaces(browsers, site, path, anna):
    assert 'id="held"' not in await _preview(anna, path, "d4")
    await _hold(anna, path, "e4")
    page = await _preview(anna, path, "d4")
    assert "1. e4 sendes kl. 11.10" in page
    assert "bliver det tidligere ikke sendt" in page
    bent = await browsers.of("bent")
    await site.play(await site.game(), "e4", days=0)
    answer = await bent.post(f"{path}/preview", {"text": "e5", "ply": "1"})
    assert 'id="held"' not in await answer.text(), "it is nobody else's"


async def test_a_waiting_move_is_counted_and_has_no_empty_form(path, anna):
    # No empty form stands below a waiting move.
    key = await _hold(anna, path, "e4")
    _, page = await anna.get(path)
    assert 'id="move-form"' not in page
    assert 'data-plays=""' in page, "the board takes no move either"
    assert page.count("1. e4 sendes kl.") == 1, "said once"
    answer = await anna.post(f"{path}/preview", {"text": "Zz4", "ply": "0"})
    assert 'value="Zz4"' in await answer.text(), "what is typed elsewhere is not lost"
    await anna.post(f"{path}/delayed", {"key": key, "deed": "undo"})
    assert 'id="move-form"' in (await anna.get(path))[1]
    # My games counts no game whose move waits.
    before = int(re.findall(r"\d+", _lede((await anna.get("/"))[1]))[0])
    await _hold(anna, path, "e4")
    _, page = await anna.get("/")
    assert "I 1 parti venter dit træk på at blive sendt." in _lede(page)
    assert f'data-count="{before - 1}"' in page
    if before == 1:
        assert _lede(page).startswith("Ingen andre partier venter på dig.")


async def test_one_that_was_not_sent_does_not_count_as_waiting(site, path, anna):
    await _hold(anna, path, "Sf3")
    for text in ("e4", "e5"):
        await site.play(await site.game(), text, days=0)
    _, page = await anna.get("/")
    assert "blev ikke sendt" in page
    assert "venter på at blive sendt" not in _lede(page)
    row = page.partition('class="game-row"')[2].partition("</li>\n</ol>")[0]
    assert "et træk venter på at blive sendt" not in row
    assert 'id="move-form"' in (await anna.get(path))[1]
