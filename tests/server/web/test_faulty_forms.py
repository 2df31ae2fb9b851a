"""Issue 5: a faulty form comes again with what was typed and the fault beside its field."""

import pytest

from kskak.quantities import Regulation
from server.store import games as game_rows
from server.store import groups as group_rows
from server.store import people as person_rows
from server.store.people import NewPerson
from server.usecases.entry_lists import Opening, open_list
from server.usecases.group_file import read_group_file
from server.usecases.start_group import start_group
from tests.fakes.faulty import Faulty, On, fault_of, field_in
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import officials
from tests.server.web.politeness import LONG, refused, spoken


def of_players(game: str) -> list[Faulty]:
    """The forms of a player: move, draw, objection, own lines and notes, leave, settings."""
    own = f"{game}/private"
    move = On("anna", game, f"{game}/preview", {"ply": "0", "text": "e4", "message": "Hej"})
    draw = On("anna", f"{game}/end/draw", f"{game}/end/draw", {"ply": "0", "key": "k"})
    objects = On("anna", f"{game}/object", f"{game}/object", {"kind": "leave"})
    line = On("anna", own, f"{game}/lines", {"ply": "0", "moves": "e4", "comment": "Se her"})
    note = On("anna", own, f"{game}/note", {"stamp": "0"})
    thread = On("anna", own, f"{game}/thread", {"key": "k", "deed": "write"})
    leave = On("anna", "/leave", "/leave", {"first": "2026-10-05", "last": "2026-10-06"})
    address = On("anna", "/settings", "/settings")
    letters = On("anna", "/settings/letters", "/settings/letters", {"letters": "each"})
    token = On("anna", "/settings/access", "/settings/access/tokens", {"deed": "make"})
    gone = On("frida", "/settings/data", "/settings/data/remove")
    sign_in = On("stranger", "/signin", "/signin", {"next": "/leave"})
    return [
        *(move("text", text, "message") for text in ("Zq9", "", "e4 e5 e5", LONG)),
        move("message", LONG, "text"),
        *(draw("text", text) for text in ("Zq9", "x" * 81)),
        *(objects("text", text, "kind") for text in (" ", LONG)),
        *(line("moves", text, "comment", "ply") for text in ("e4 Zq9", "", "e4 " * 20_000)),
        *(line("comment", text, "moves") for text in ("x" * 1001, "x" * 41_000)),
        *(note("note", text) for text in (LONG, "x" * 41_000)),
        *(thread("message", text) for text in (" ", LONG, "x" * 41_000)),
        *(leave("first", text, "last") for text in ("", "soon")),
        *(leave("last", text, "first") for text in ("", "2026-10-01", "9999-12-31")),
        *(address("address", text) for text in ("x" * 301, "a\n" * 8 + "a", LONG)),
        *(letters("reminders", text) for text in ("0, -1", "7, " * 60 + "1")),
        *(token("name", text) for text in ("", "x" * 400)),
        *(gone("word", text) for text in ("nix", "x" * 40)),
        *(sign_in("email", text, "next") for text in ("anna", "", "a" * 300 + "@example.org")),
    ]


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_players_faulty_form_is_said_beside_its_field_and_changes_nothing(
    site: Site, browsers: Browsers, lang: str
):
    async with site.core.store.write() as conn:
        new = NewPerson(name="Frida", email="frida@example.org", created_us=0)
        await person_rows.add(conn, new)
    await spoken(site, lang)
    await refused(site, browsers, of_players(f"/games/{(await site.game()).id}"))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_an_entry_that_cannot_be_read_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4.4.1: the player's own entry, the controller's for another, a new list."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    asked = ("EMT K", "emt", "K", "EMT", Regulation.EMAIL, "K", "tove@example.org", 20_000)
    await open_list(site.core, kaj, Opening(*asked))
    await spoken(site, lang)
    own = On("frida", "/enter", "/enter", {"list": "1", "key": "k", "proof": "Født i Ærø"})
    desk = On("kaj", "/desk/entries", "/desk/entries", {"list": "1", "email": "frida@example.org"})
    lists = On("kaj", "/desk/entries", "/desk/entries/lists", {"name": "Å", "wish": "emt Å"})
    lists.fields.update(tournament="EMT", prefix="Å", regulation="email")
    async with site.core.store.write() as conn:
        new = NewPerson(name="Frida", email="frida@example.org", created_us=0, lang=lang)
        await person_rows.add(conn, new)
    await refused(
        site,
        browsers,
        [
            *(own("born", text, "proof") for text in ("1950", "2026-13-01", "x" * 300)),
            *(own("k_rating", text, "proof") for text in ("stærk", "9999", "-1", "9" * 300)),
            *(own("otb_rating", text, "proof") for text in ("1e9", "٣")),
            *(own("member", text, "proof") for text in ("x" * 41, "4711\x00")),
            *(own("club", text, "proof") for text in ("x" * 121,)),
            own("proof", LONG),
            *(desk("email", text, "list") for text in ("ingen@example.org", "", "x" * 6000)),
            *(desk("fee", text, "email") for text in ("i går", "9" * 400)),
            lists("fee_kr", "gratis", "name", "tournament", leader="tove@example.org"),
            lists("leader", "ingen@example.org", "name"),
            lists("name", "x" * 201, "prefix", leader="tove@example.org"),
            lists("prefix", "", "name", leader="tove@example.org"),
        ],
    )


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
    await start_group(site.core, read_group_file(group_text("P-26", "postal")))
    async with site.core.store.read() as conn:
        group = await group_rows.by_name(conn, "P-26")
        assert group is not None
        game = next(iter(await game_rows.of_group(conn, group.id)))
    await spoken(site, lang)
    path = f"/games/{game.id}/card"
    card = On("tove", path, path, {"by": "white", "kind": "move", "ply": "0", "text": "5254"})
    card.fields.update(postmark="2026-09-02", note="Blåt kort")
    asked = [
        *(card("text", text, "note", "postmark") for text in ("9999", "x" * 401)),
        *(card("received", text, "text", "note") for text in ("i går", "2026-02-30")),
        card("note", LONG, "text"),
    ]
    await refused(site, browsers, asked)
