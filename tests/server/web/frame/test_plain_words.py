"""Small things that a reader stumbles on: two ratings alike, an hour «0», a move said twice."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import update

from kskak.board.shapes import MoveNotation
from mail.game_letters.letter_parts import name_official, operator_foot
from mail.text.catalogue import Words
from server.settings import UNNAMED
from server.store.tables.base import people
from server.usecases import letter_facts
from server.web.account.sign_in import AccountWords
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def test_a_players_two_ratings_say_of_what_they_are(site: Site, browsers: Browsers):
    anna = await site.person("anna@example.org")
    async with site.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == anna.id).values(k_rating=1950))
    stranger = await browsers.stranger()
    _, text = await stranger.get(f"/players/{anna.id}")
    assert "Ratingtal i nærskak 1900. K-ratingtal 1950." in text
    _, text = await stranger.get(f"/players/{anna.id}", headers={"Accept-Language": "en"})
    assert "Over-the-board rating 1900. K-rating 1950." in text


def test_an_hour_is_told_as_a_time_of_day():
    """Half past midnight in Denmark is not «kl. 0»."""
    us = int(datetime(2026, 11, 20, 23, 30, tzinfo=UTC).timestamp()) * 1_000_000
    said = {lang: AccountWords(Words.load(lang), "Europe/Copenhagen") for lang in ("da", "en")}
    assert said["da"].hour(us) == "21. november 2026 kl. 00.00"
    assert said["en"].hour(us) == "21 November 2026, 00:00"


async def test_who_runs_the_server_is_told_in_the_readers_language_until_he_is_named(
    site: Site, stranger: Browser
):
    english = {"Accept-Language": "en"}
    assert "Skriv til Serverens drift:" in (await stranger.get("/"))[1]
    text = (await stranger.get("/", headers=english))[1]
    assert "Write to Server operations:" in text and UNNAMED not in text
    who = letter_facts.official(site.core)
    (foot,) = operator_foot(who, Words.load("en"))
    assert foot.startswith("Responsible for the server: Server operations, postmaster@")
    assert operator_foot(who, Words.load("da"))[0].startswith(
        f"Ansvarlig for serveren: {UNNAMED}, "
    )
    assert name_official(replace(who, name="Otto Krag"), Words.load("en")) == "Otto Krag"


async def test_moves_in_numbers_are_said_once(site: Site, browsers: Browsers):
    """§ 6.2.2: beside letters the numbers stand too, beside numbers nothing."""
    await site.play(await site.game(), "Nc3")
    path = f"/games/{(await site.game()).id}"
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    for browser in (anna, bent):
        await browser.post("/settings/notation", {"writing": "english"})
    assert " · 2133<" in (await anna.get(path))[1]
    assert re.search(r"Nc3 <small>2133<", (await anna.get(f"{path}/statement"))[1])
    await anna.post("/settings/notation", {"writing": MoveNotation.NUMERIC.value})
    text = (await anna.get(path))[1]
    assert "1. 2133" in text and "· 2133<" not in text
    rows = (await anna.get(f"{path}/statement"))[1].partition("<tbody>")[2].partition("</table>")[0]
    assert rows.count("2133") == 1
    await bent.post("/settings/notation", {"writing": MoveNotation.NUMERIC.value})
    page = await (await bent.post(f"{path}/preview", {"text": "5755", "ply": "1"})).text()
    assert page.partition('class="sending"')[2].partition("</dl>")[0].count("5755") == 1
