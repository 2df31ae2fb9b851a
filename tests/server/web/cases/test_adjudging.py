"""An adjudication's page: the position on a board, a card a result, a letter to write in."""

import re
from html import unescape

from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import carried_fields, case_of, letter_in


async def _called_in(site: Site, browsers: Browsers) -> str:
    """A long game before its leader (§ 6.2.7): the case's address."""
    await officials(site)
    game = await site.game()
    await site.play(game, "e4")
    await site.play(game, "e5")
    site.clock.turn(560)
    tove = await browsers.of("tove")
    listed = (await tove.get("/desk/long"))[1]
    tick = re.search(rf'name="row-{game.id}" value="([^"]+)"', listed)[1]
    await tove.post("/desk/long/call", {f"row-{game.id}": tick, "step": "do"})
    return f"/desk/cases/{(await case_of(site)).number}"


def _card(page: str, title: str) -> dict[str, str]:
    """The fields of the card with a title."""
    (card,) = [one for one in page.split("<article")[1:] if title in one.split("</h3>")[0]]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', card))
    reasons = re.search(r'<textarea name="reasons" hidden>([^<]*)', card)
    assert reasons is not None
    return {**fields, "reasons": reasons[1], "step": "draft"}


async def test_its_page_begins_with_the_position_and_steps_to_the_ones_before(site, browsers):
    """Also for the players, who see the board and no card."""
    path = await _called_in(site, browsers)
    for name in ("tove", "anna"):
        page = unescape((await (browser := await browsers.of(name)).get(path))[1])
        assert 'data-line="e2e4 e7e5"' in page and 'id="try"' in page
        assert page.index('id="board"') < page.index('id="said"')
        back = re.search(r'data-step="back" href="([^"]+)"', page)
        assert back is not None and back[1].startswith(f"{path}?ply=1&game=")
        assert 'data-ply="1"' in (await browser.get(back[1].partition("#")[0]))[1]
        assert ('name="step" value="draft"' in page) is (name == "tove")


@rows(
    "title result says",
    ("Anna Andersen har vundet", "1-0", "Den er vundet for Anna Andersen."),
    ("Remis", "1/2-1/2", "Den er remis."),
    ("Bent Bæk har vundet", "0-1", "Den er vundet for Bent Bæk."),
)
async def test_a_card_is_the_result_and_its_letter_has_room_for_the_assessment(
    site: Site, browsers: Browsers, title: str, result: str, says: str
) -> None:
    path = await _called_in(site, browsers)
    tove = await browsers.of("tove")
    fields = _card(unescape((await tove.get(path))[1]), title)
    assert "Slutstillingen efter 1… e5 er bedømt" in fields["reasons"] and says in fields["reasons"]
    typed = fields | {"reasons": f"{fields['reasons']} Hvid har to bønder mere."}
    shown = unescape(await (await tove.post(f"{path}/decide", typed)).text())
    assert "Hvid har to bønder mere." in letter_in(shown) and "§ 6.2.7" in letter_in(shown)
    sent = carried_fields(shown) | {"step": "send", "letter": letter_in(shown), "confirm": "1"}
    assert (await tove.post(f"{path}/decide", sent)).status == 303
    assert (await site.game()).result == result
    assert 'id="readings"' not in (await tove.get(path))[1], "it is decided"
