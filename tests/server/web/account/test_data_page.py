"""/settings/data: the copy of one's own data, and the removal of the account."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from sqlalchemy import select

from kskak.game import game_commands as cmd
from kskak.regulation.editions import Side
from mail.office_letters.entry_letters import AccountNews
from server.jobs.mail_jobs import OutboxJob
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.tables.base import metadata
from server.usecases.account import signin
from server.usecases.account.signin import FRESH_US, build_access_letter
from server.usecases.postal import scans
from server.usecases.results import bulletins
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

DATA = "/settings/data"
ANNA, BENT = "anna@example.org", "bent@example.org"


async def _finish(site: Site) -> None:
    """All of Anna's games end, and the days to object are over."""
    person = await site.person(ANNA)
    async with site.core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, person.id, running=True)
    for row in rows:
        side = row.side_of(person.id) or Side.WHITE
        await site.ask(row, side, lambda _, by: cmd.Resign(by))
    site.clock.turn(60)


async def _everything(site: Site) -> dict[str, str]:
    """The whole database as text, by table."""
    found = {}
    async with site.core.store.read() as conn:
        for table in metadata.tables.values():
            rows = (await conn.execute(select(table))).all()
            found[table.name] = "\n".join(str(tuple(row)) for row in rows)
    return found


async def _copy(browser: Browser) -> dict[str, bytes]:
    answer = await browser.post(f"{DATA}/copy")
    assert answer.status == 200, await answer.text()
    assert "attachment" in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(await answer.read())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


async def test_the_copy_has_all_that_is_ones_own_and_nobody_elses_address(browsers, site):
    person, game = await site.person(ANNA), await site.game()
    await scans.keep(site.core, person, "Skakvej 1\n8000 Aarhus C")
    await scans.keep(site.core, await site.person(BENT), "Hemmelig Vej 2")
    await site.play(game, "e4", "Hej fra hvid")
    await site.play(game, "e5", "Hej fra sort")
    key = await signin.make_xfcc_key(site.core, person)
    token = await signin.make_own_token(site.core, person, "Robot")
    await OutboxJob(site.core).work()
    parts = await _copy(await browsers.of("anna"))
    rows = {name: json.loads(text) for name, text in parts.items() if name.startswith("data/")}
    assert rows["data/people.json"][0]["email"] == ANNA
    assert rows["data/addresses.json"][0]["text"] == "Skakvej 1\n8000 Aarhus C"
    assert rows["data/api_tokens.json"][0]["name"] == "Robot"
    assert rows["data/sessions.json"][0]["created"].startswith("2026-09-0")
    folder = "games/" + game.name.replace("/", "-")
    assert b"1. e4" in parts[f"{folder}/game.pgn"] and b"1. e4" in parts["games.pgn"]
    assert json.loads(parts[f"{folder}/ledger.json"])["format"] == "kskak-ledger/1"
    said = [one["text"] for one in json.loads(parts[f"{folder}/messages.json"])]
    assert said == ["Hej fra hvid", "Hej fra sort"]
    assert "Anna Andersen" in parts["README.txt"].decode()
    data = b"".join(text for name, text in parts.items() if not name.startswith("letters/"))
    for secret in (key, token, "Hemmelig Vej", BENT):
        assert secret.encode() not in data


async def test_the_copy_needs_a_fresh_sign_in(site: Site, anna: Browser):
    site.clock.at += timedelta(microseconds=FRESH_US + 1)
    for path in ("copy", "remove"):
        answer = await anna.post(f"{DATA}/{path}", {"word": "slet"})
        assert answer.status == 403 and "Log ind igen" in await answer.text()
    assert (await site.person(ANNA)).email == ANNA


@pytest.mark.parametrize("path", ["", "/copy", "/remove"])
async def test_a_stranger_is_led_to_sign_in(path: str, stranger: Browser):
    ask = stranger.post if path else stranger.http.get
    answer = await ask(DATA + path, allow_redirects=False)
    assert answer.headers["Location"].startswith("/signin?next=")


async def test_while_somebody_waits_the_page_says_what_to_do_and_removes_nothing(
    browsers: Browsers, site: Site, anna: Browser
):
    text = (await anna.get(DATA))[1]
    assert "partier, der ikke er slut" in text and "/groups/K-26-01" in text
    assert 'name="word"' not in text
    refused = await anna.post(f"{DATA}/remove", {"word": "slet"})
    assert refused.status == 409 and "§ 6.2.8" in await refused.text()
    assert (await site.person(ANNA)).email == ANNA
    tove = await browsers.of("tove")
    assert "Du har et hverv" in (await tove.get(DATA))[1]


async def test_the_word_is_asked_for_and_then_contact_data_is_nowhere_and_the_games_stand(
    browsers: Browsers, site: Site
):
    anna, person = await browsers.of("anna"), await site.person(ANNA)
    await scans.keep(site.core, person, "Skakvej 1")
    await signin.make_xfcc_key(site.core, person)
    await signin.make_own_token(site.core, person, "Robot")
    await bulletins.wants(site.core, person, it=True)
    await site.play(await site.game(), "e4", "Hej")
    await _finish(site)
    await OutboxJob(site.core).work()
    await anna.post(await site.link(ANNA))
    kept = await _everything(site)
    wrong = await anna.post(f"{DATA}/remove", {"word": "nej"})
    assert wrong.status == 422 and 'value="nej"' in await wrong.text()
    done = await anna.post(f"{DATA}/remove", {"word": "Slet"})
    assert (done.status, done.headers["Location"]) == (303, f"{DATA}/removed")
    assert "Din konto er slettet" in (await anna.get(f"{DATA}/removed"))[1]
    assert "Mine partier" not in (await anna.get("/"))[1]
    left = await _everything(site)
    for table in ("events", "games", "seats", "groups", "messages", "ratings", "cases"):
        assert left[table] == kept[table], table
    assert "Anna Andersen" in left["people"]
    outgoing = {name: text for name, text in left.items() if name != "outbox"}
    assert [name for name, text in outgoing.items() if ANNA in text or "Skakvej" in text] == []
    for table in ("sessions", "api_tokens", "xfcc_keys", "addresses", "bulletin_readers"):
        assert kept[table] and f", {person.id}," not in left[table], table
    letters = [one for one in await site.written() if one.person_id == person.id]
    assert letters and not any(one.raw or one.to_addr for one in letters)
    assert (await site.person(BENT)).email == BENT
    letter = build_access_letter(site.core, person.id, AccountNews.TOKEN_REMOVED, "Robot")
    async with site.core.store.write() as conn:
        await outbox_rows.enqueue(conn, [letter])
    await OutboxJob(site.core).work()
    (row,) = [one for one in await site.written() if one.message_id == letter.message_id]
    assert (row.state, row.raw) == ("sent", None), "it went nowhere, and nobody is troubled"
