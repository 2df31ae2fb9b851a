"""Every form is answered with a redirect; a page that refuses or previews can be loaded again."""

import re

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from sqlalchemy import func, select

from server.store.account import sign_in as access
from server.store.engine.connection import StoreUnavailable
from server.store.tables.base import metadata
from server.store.tables.people import answered_pages
from server.web.site import setup
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site
from tests.server.web.conftest import ANSWERED, OWN, PLAIN, SHOWING_SECRETS, Browser
from tests.server.web.faulty.test_faulty_every_form import posts

PLACES = {"name": "K-26-01", "token": "none", "key": "abc", "year": "2026", "kind": "resign"}


async def _sent(browser: Browser, path: str, fields: dict[str, str]) -> tuple[int, str, str]:
    """How a form is answered at once: status, where to, and what kind of thing it is."""
    fields = fields | await browser.secret()
    answer = await browser.http.post(path, data=fields, headers=OWN, allow_redirects=False)
    return answer.status, answer.headers.get("Location", ""), answer.content_type


async def _refused(browser: Browser, site: Site, text: str = "Zz9") -> str:
    """Where a move that is none leads to."""
    path = f"/games/{(await site.game()).id}/preview"
    status, place, _ = await _sent(browser, path, {"text": text, "ply": "0", "message": "Hilsen"})
    assert status == 303
    return place


@pytest.mark.parametrize("who", ["anna", "tove", ""])
async def test_no_form_of_the_pages_is_answered_with_a_page(site, browsers, who):
    game = str((await site.game()).id)
    numbers = {"game": game} | dict.fromkeys(("deed",), "note")
    led, browser = 0, await (browsers.of(who) if who else browsers.stranger())
    for shape in sorted(posts().keys() - {"/signout"} - SHOWING_SECRETS):
        path = re.sub(
            r"\{(\w+)\}", lambda one: PLACES.get(one[1]) or numbers.get(one[1], "1"), shape
        )
        for fields in ({}, {"act": "none", "text": "x" * 5000, "email": "nobody", "ply": "0"}):
            status, place, kind = await _sent(browser, path, fields)
            assert status == 303 or status in PLAIN or kind != "text/html", (path, status)
            assert status != 500, path
            if ANSWERED not in place:
                continue
            led += 1
            home = await browser.http.get(place.partition("?")[0], allow_redirects=False)
            assert home.status not in (404, 405), f"{path}: {place} stands on no page"
            assert (await browser.get(place))[0] not in (303, 404, 405, 500), place
    assert led >= (20 if who else 3)


async def test_a_refused_form_is_shown_filled_as_often_as_it_is_loaded(site, anna):
    place = await _refused(anna, site)
    assert place.startswith(f"/games/{(await site.game()).id}{ANSWERED}")
    assert "Zz9" not in place and "Hilsen" not in place
    for _ in range(2):
        answer = await anna.http.get(place, allow_redirects=False)
        text = await answer.text()
        assert answer.status == 422
        assert 'value="Zz9"' in text and "Hilsen" in text
        assert "»Zz9«" in text
        assert "Kskak-Keep" not in answer.headers, "no worker keeps what was not sent"
    token = re.search(r'name="csrf" value="([^"]+)"', text)
    assert token is not None, "and the form can be sent from there"
    sent = {"csrf": token[1], "text": "e4", "ply": "0"}
    again = await anna.http.post(f"{place.partition('?')[0]}/preview", data=sent, headers=OWN)
    assert (again.status, "1. e4" in await again.text()) == (200, True)


async def test_a_kept_page_is_its_readers_alone_and_for_two_hours(site, browsers, anna, bent):
    place, home = await _refused(anna, site), f"/games/{(await site.game()).id}"
    for other in (bent, await browsers.of("anna"), await browsers.stranger()):
        answer = await other.http.get(place, allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (303, home)
    site.clock.at = site.clock.at.replace(hour=site.clock.at.hour + 2)
    answer = await anna.http.get(place + "&flip=1", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"{home}?flip=1")


async def test_what_is_kept_goes_with_the_session(site: Site, anna: Browser) -> None:
    await _refused(anna, site)
    await anna.post("/signout")
    async with site.core.store.read() as conn:
        assert (await conn.execute(select(func.count()).select_from(answered_pages))).scalar() == 0


async def test_another_process_shows_it_too(site: Site, anna: Browser) -> None:
    place = await _refused(anna, site)
    other = web.Application()
    setup(other, site.core)
    client = TestClient(TestServer(other), cookie_jar=anna.http.session.cookie_jar)
    await client.start_server()
    assert (await client.get(place, allow_redirects=False)).status == 422
    await client.close()


@rows(
    "path fields shown",
    ("/settings/access/tokens", {"name": "Program"}, r"<code>([\w-]{30,})<"),
    ("/settings/access/xfcc", {}, r"<code>([\w-]{8,})</code></dd></dl>"),
    ("/leave/feed", {}, r"/calendar/([\w-]{30,})\.ics"),
)
async def test_a_page_that_shows_a_secret_is_given_at_once_and_kept_nowhere(
    site: Site, anna: Browser, path: str, fields: dict[str, str], shown: str
) -> None:
    fields = fields | await anna.secret()
    answer = await anna.http.post(path, data=fields, headers=OWN, allow_redirects=False)
    assert answer.status == 200, await answer.text()
    secret = re.search(shown, await answer.text())
    assert secret is not None
    async with site.core.store.read() as conn:
        for table in metadata.sorted_tables:
            for row in await conn.execute(select(table)):
                assert all(secret[1] not in str(value) for value in row), table.name
        assert (await conn.execute(select(func.count()).select_from(answered_pages))).scalar() == 0


async def test_a_page_that_cannot_be_kept_is_given_at_once(site, monkeypatch, anna):
    def broken(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(access, "keep", broken)
    path = f"/games/{(await site.game()).id}/preview"
    assert (await _sent(anna, path, {"text": "Zz9", "ply": "0"}))[0] == 422


async def test_nobody_fills_the_database_with_pages(site, browsers, monkeypatch):
    monkeypatch.setattr(access, "MOST_OF_SESSION", 2)
    anna = await browsers.of("anna")
    places = []
    for _ in range(3):
        site.clock.at = site.clock.at.replace(second=site.clock.at.second + 1)
        places.append(await _refused(anna, site))
    shown = [(await anna.http.get(one, allow_redirects=False)).status for one in places]
    assert shown == [303, 422, 422]
    stranger = await browsers.stranger()
    found = [(await _sent(stranger, "/signin", {"email": "x"}))[0] for _ in range(61)]
    assert found == [303] * 60 + [422]


async def test_a_method_that_a_page_does_not_have_is_told_those_that_it_has(stranger):
    for method, path, has in (("DELETE", "/ratings", "GET"), ("TRACE", "/signout", "POST")):
        refused = await stranger.http.request(method, path)
        assert refused.status == 405 and has in refused.headers["Allow"]
