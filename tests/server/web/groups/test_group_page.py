"""The group's page: a real table, by place and by number, running games for who may see them."""

import re

from sqlalchemy import update

from server.store.tables.base import groups
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

PATH = "/groups/K-26-01"


def names(text: str) -> list[str]:
    """The row heads in order."""
    return re.findall(r'<th scope="row" class="who"><a [^>]*>([^<]+)</a>', text)


async def _mate(site: Site, name: str) -> None:
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game(name), text)


async def test_the_table_goes_by_number_until_something_is_finished(site: Site, stranger: Browser):
    """§ 6.4.5.1: Bent, number 2, has won; the reader may still have it by number."""
    numbered = ["Anna Andersen", "Bent Bæk", "Søren Sø"]
    assert names((await stranger.get(PATH))[1]) == numbered
    await _mate(site, "K-26-01/2")
    assert names((await stranger.get(PATH))[1])[0] == "Bent Bæk"
    assert names((await stranger.get(f"{PATH}?by=number"))[1]) == numbered
    assert names((await stranger.get(f"{PATH}?by=<script>"))[1])[0] == "Bent Bæk"


async def test_a_screen_reader_gets_caption_heads_and_whole_cells(browsers: Browsers, site: Site):
    """Each cell says score, colour and opponent; heads are heads, the scroller can be reached."""
    await _mate(site, "K-26-01/2")
    _, text = await (await browsers.stranger()).get(PATH)
    assert "<caption" in text and "Turneringstabel for K-26-01" in text
    assert text.count('<th scope="col"') == 3 + 5 and text.count('<th scope="row"') == 3
    assert 'tabindex="0" role="region"' in text
    cells = [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in text.split('"cell"')[1:]]
    assert "1 sort mod Anna Andersen" in " ".join(cells)
    assert "· hvid mod Søren Sø, i gang" in " ".join(cells) or (
        "· sort mod Søren Sø, i gang" in " ".join(cells)
    )


async def test_a_running_game_is_a_link_for_who_may_see_it_alone(browsers: Browsers, site: Site):
    """CONTRACTS, who sees what: nobody is led to a page that is shut to him."""
    game = await site.game("K-26-01/2")
    link = f'href="/games/{game.id}"'
    assert link in (await (await browsers.of("anna")).get(PATH))[1]
    assert link in (await (await browsers.of("tove")).get(PATH))[1]
    assert link not in (await (await browsers.of("soren")).get(PATH))[1]
    assert link not in (await (await browsers.stranger()).get(PATH))[1]
    await _mate(site, "K-26-01/2")
    text = (await (await browsers.stranger()).get(PATH))[1]
    assert link in text and "Tryk på et understreget felt" in text


async def test_a_finished_group_shows_rights_and_who_shares(browsers: Browsers, site: Site):
    """§ 6.5.4.1, § 6.5.3.2: everybody has won one of two, so all share and all may go up."""
    for name in ("K-26-01/1", "K-26-01/2", "K-26-01/3"):
        await _mate(site, name)
    _, text = await (await browsers.stranger()).get(PATH)
    assert "Titler, rettigheder og præmier" in text
    assert "§\N{NO-BREAK SPACE}6.5.3" in text
    english = await browsers.stranger()
    await english.http.post("/language", data={"lang": "en", "next": PATH})
    assert "Crosstable" in (await english.get(PATH))[1]


async def test_a_group_that_begins_next_week_has_not_begun(browsers: Browsers, site: Site):
    """A list starts its group some days ahead (§ 6.5.2.1); the page says when it begins."""
    _, text = await (await browsers.stranger()).get(PATH)
    assert "Begyndt " in text and "Begynder" not in text
    async with site.core.store.write() as conn:
        await conn.execute(
            update(groups).where(groups.c.name == "K-26-01").values(start="2027-01-04")
        )
    _, text = await (await browsers.stranger()).get(PATH)
    assert "Begynder 4. januar 2027." in text and "Begyndt" not in text
