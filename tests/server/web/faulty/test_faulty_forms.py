"""Issue 5: a faulty form comes again with what was typed and the fault beside its field."""

import pytest

from tests.fakes.faulty import Faulty, On, fault_of, field_in
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browsers
from tests.server.web.politeness import LONG, refused, spoken


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_players_faulty_form_is_said_beside_its_field_and_changes_nothing(
    site: Site, browsers: Browsers, lang: str
):
    await site.admit("frida")
    await spoken(site, lang)
    await refused(site, browsers, of_players(f"/games/{(await site.game()).id}"))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_an_entry_that_cannot_be_read_is_said_beside_its_field(site, browsers, lang):
    """§ 6.4.4.1: the player's own entry, the controller's for another, a new list."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    await site.open_list(kaj, "EMT K", "emt K", "K", "tove", tournament="EMT", fee=20_000)
    await spoken(site, lang)
    await site.admit("frida", lang=lang)
    await refused(site, browsers, of_entries())


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_search_too_long_is_said_beside_its_field_and_not_cut(site, browsers, lang):
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


# Faulty posts of the forms that players have, of entries and of cards.


def of_players(game: str) -> list[Faulty]:
    """The forms of a player: move, draw, objection, own lines and notes, leave, settings."""
    own = f"{game}/private"
    move = On("anna", game, f"{game}/preview", {"ply": "0", "text": "e4", "message": "Hej"})
    draw = On("anna", f"{game}/end/draw", f"{game}/end/draw", {"ply": "0", "key": "k"})
    objects = On("anna", f"{game}/object", f"{game}/object", {"kind": "leave"})
    leaves = On("anna", f"{game}/leave-group", f"{game}/leave-group")
    line = On("anna", own, f"{game}/tree", {"tree": "1. e4 {Se her}", "stamp": "0"})
    note = On("anna", own, f"{game}/note", {"stamp": "0"})
    thread = On("anna", own, f"{game}/thread", {"key": "k", "deed": "write"})
    friendly = On("anna", "/friends", "/friends", {"rules": "email", "colour": "any"})
    leave = On("anna", "/leave", "/leave", {"first": "2026-10-05", "last": "2026-10-06"})
    address = On("anna", "/settings", "/settings")
    letters = On("anna", "/settings/letters", "/settings/letters", {"letters": "each"})
    token = On("anna", "/settings/access", "/settings/access/tokens", {"deed": "make"})
    gone = On("frida", "/settings/data", "/settings/data/remove")
    sign_in = On("stranger", "/signin", "/signin", {"next": "/leave"})
    joins = On("stranger", "/join", "/join", {"name": "Åse Ærø", "email": "ny@example.org"})
    joins.fields.update(born="1950-02-28", kind="club", club="Ærø Skakklub")
    return [
        *(move("text", text, "message") for text in ("Zq9", "", "e4 e5 e5", LONG)),
        move("message", LONG, "text"),
        *(draw("text", text) for text in ("Zq9", "x" * 81)),
        *(objects("text", text, "kind") for text in (" ", LONG)),
        *(leaves("text", text) for text in (" ", LONG)),
        *(line("tree", text, "stamp") for text in ("e4 Zq9", "1. e4 (", "e4 " * 20_001)),
        *(note("note", text) for text in (LONG, "x" * 41_000)),
        *(thread("message", text) for text in (" ", LONG, "x" * 41_000)),
        *(friendly("fen", text, "rules") for text in ("Zq9", "8/8/8/8/8/8/8/8 w - - 0 1")),
        *(friendly("word", text, "rules") for text in ("x" * 201, "A\nB")),
        *(leave("first", text, "last") for text in ("", "soon", "0026-10-05", "5066-12-11")),
        *(leave("first", text, "last", act="look") for text in ("1799-01-01", "2026-01-01")),
        *(leave("last", text, "first") for text in ("", "2026-10-01", "9999-12-31")),
        *(address("address", text) for text in ("x" * 301, "a\n" * 8 + "a", LONG)),
        *(letters("reminders", text) for text in ("0, -1", "7, " * 60 + "1")),
        *(token("name", text) for text in ("", "x" * 400)),
        *(gone("word", text) for text in ("nix", "x" * 40)),
        *(joins("name", text, "email") for text in ("", "x" * 81, "?", "A\nB")),
        *(joins("email", text, "name") for text in ("", "ny", "ny@", "parti@localhost")),
        *(joins("born", text, "name") for text in ("", "1850-05-01", "2026-09-02")),
        *(joins("kind", text, "name") for text in ("", "konge")),
        *(joins("club", text, "name") for text in ("", "x" * 121)),
        joins("member", "x" * 17, "name"),
        *(joins("address", text, "name") for text in ("x" * 301, "a\n" * 8 + "a")),
        *(sign_in("email", text, "next") for text in ("anna", "", "a" * 300 + "@example.org")),
    ]


def of_entries() -> list[Faulty]:
    """A player's own entry, the controller's for another, a new list (§ 6.4.4.1)."""
    own = On("frida", "/enter?list=1", "/enter", {"list": "1", "key": "k", "proof": "Født i Ærø"})
    desk = On("kaj", "/desk/entries", "/desk/entries", {"list": "1", "email": "frida@example.org"})
    lists = On("kaj", "/desk/entries", "/desk/entries/lists", {"name": "Å", "wish": "emt Å"})
    lists.fields.update(tournament="EMT", prefix="Å", regulation="email")
    return [
        *(own("born", text, "proof") for text in ("1950", "2026-13-01", "x" * 300)),
        *(own("born", text, "proof") for text in ("1850-05-01", "2026-09-02", "0001-01-01")),
        *(own("k_rating", text, "proof") for text in ("stærk", "9999", "-1", "9" * 300)),
        *(own("otb_rating", text, "proof") for text in ("1e9", "٣")),
        *(own("member", text, "proof") for text in ("x" * 41, "4711\x07")),
        *(own("club", text, "proof") for text in ("x" * 121,)),
        own("proof", LONG),
        *(desk("email", text, "list") for text in ("ingen@example.org", "", "x" * 6000)),
        *(desk("fee", text, "email") for text in ("i går", "9" * 400)),
        lists("fee_kr", "gratis", "name", "tournament", leader="tove@example.org"),
        lists("how_to_pay", " ", "name", leader="tove@example.org", fee_kr="200"),
        lists("leader", "ingen@example.org", "name"),
        lists("name", "x" * 201, "prefix", leader="tove@example.org"),
        lists("prefix", "", "name", leader="tove@example.org"),
    ]


def of_cards(game: int) -> list[Faulty]:
    """The entry of a card, and the day when one came (§ 6.2.1)."""
    path = f"/games/{game}/card"
    card = On("tove", path, path, {"by": "white", "kind": "move", "ply": "0", "text": "5254"})
    card.fields.update(postmark="2026-09-02", note="Blåt kort")
    return [
        *(card("text", text, "note", "postmark") for text in ("9999", "x" * 401)),
        *(card("received", text, "text", "note") for text in ("i går", "2026-02-30")),
        card("note", LONG, "text"),
    ]


def of_receipt(game: int) -> list[Faulty]:
    """Since when the player to move has the opponent's card (§ 6.3.1)."""
    receipt = On("bent", f"/games/{game}/card", f"/games/{game}/receipt")
    return [receipt("on", text) for text in ("", "i går", "2026-02-30")]
