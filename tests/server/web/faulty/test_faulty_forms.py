"""Issue 5: a faulty form comes again with what was typed and the fault beside its field."""

import pytest

from kskak.regulation.editions import Regulation
from server.usecases.entries.player_entering import EntryListRequest, open_list
from tests.fakes.faulty import fault_of, field_in
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browsers
from tests.server.web.faulty.faulty_players import of_cards, of_entries, of_players, of_receipt
from tests.server.web.politeness import refused, spoken


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_players_faulty_form_is_said_beside_its_field_and_changes_nothing(
    site: Site, browsers: Browsers, lang: str
):
    await site.admit("frida")
    await spoken(site, lang)
    await refused(site, browsers, of_players(f"/games/{(await site.game()).id}"))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_an_entry_that_cannot_be_read_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4.4.1: the player's own entry, the controller's for another, a new list."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    asked = ("EMT K", "emt", "K", "EMT", Regulation.EMAIL, "K", "tove@example.org", 20_000, "K")
    await open_list(site.core, kaj, EntryListRequest(*asked))
    await spoken(site, lang)
    await site.admit("frida", lang=lang)
    await refused(site, browsers, of_entries())


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_search_too_long_is_said_beside_its_field_and_not_cut(
    site: Site, browsers: Browsers, lang: str
):
    await spoken(site, lang)
    anna = await browsers.of("anna")
    text = "Ærø " * 30
    for path, name in (("/games", "q"), ("/archive", "player")):
        answer = await anna.http.get(path, params={name: text})
        page = await answer.text()
        tag, held = field_in(page, name) or ("", "")
        assert answer.status == 422 and fault_of(tag, page)
        assert held.split() == text.split(), path
    opening = await (await anna.http.get("/archive", params={"opening": "x" * 81})).text()
    assert fault_of((field_in(opening, "opening") or ("", ""))[0], opening)


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_cards_faulty_field_is_said_beside_it(site: Site, browsers: Browsers, lang: str):
    """§ 6.2.1: the entry of a card, and the day when one came."""
    game = (await site.begin_group(group_text("P-26", "postal")))[0]
    await spoken(site, lang)
    await refused(site, browsers, of_cards(game.id))
    tove = await browsers.of("tove")
    fields = {"by": "white", "kind": "move", "ply": "0", "text": "5254", "postmark": "2026-09-01"}
    assert (await tove.post(f"/games/{game.id}/card/record", fields)).status == 303
    await refused(site, browsers, of_receipt(game.id))
