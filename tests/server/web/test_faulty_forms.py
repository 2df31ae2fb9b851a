"""Issue 5: a faulty form comes again with what was typed and the fault beside its field."""

import pytest
from sqlalchemy import update

from server.store import people as person_rows
from server.store.people import NewPerson
from server.store.tables import people
from tests.fakes.faulty import Faulty, On, complaints, everything
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

LONG = ("Ærø " * 6000).strip()
"""24,000 characters: more than any field takes but those that are refused before."""


async def spoken(site: Site, lang: str) -> None:
    """Everybody reads this language."""
    async with site.core.store.write() as conn:
        await conn.execute(update(people).values(lang=lang))


async def refused(site: Site, browsers: Browsers, asked: list[Faulty]) -> None:
    """Send all of them; each is answered politely, and nothing is kept of any."""
    opened: dict[str, Browser] = {}
    wrong: list[str] = []
    for one in asked:
        if one.who not in opened:
            is_known = one.who != "stranger"
            opened[one.who] = await (browsers.of(one.who) if is_known else browsers.stranger())
        status, page = await opened[one.who].get(one.page)
        assert status == 200 and f'name="{one.at}"' in page, (one.who, one.page, status)
        before = await everything(site)
        answer = await opened[one.who].post(one.action, one.fields)
        text = await answer.text()
        wrong += complaints(one, answer.status, text)
        after = await everything(site)
        wrong += [f"{one.action}: {name} changed" for name in before if before[name] != after[name]]
    assert not wrong, "\n".join(wrong)


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
