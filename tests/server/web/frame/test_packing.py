"""Pages go packed to who understands it, and what they repeat tells nothing of a token."""

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from server.web.frame.context import mask_token, unmask_token
from tests.server.web.conftest import Browser


@given(st.text(st.characters(max_codepoint=127, min_codepoint=33), min_size=1, max_size=64))
def test_a_masked_token_is_the_token_and_looks_like_another_each_time(token: str):
    one, other = mask_token(token), mask_token(token)
    assert unmask_token(one) == unmask_token(other) == token.encode()
    assert one != other or len(token) < 4


@given(st.text(max_size=40))
def test_what_is_no_masked_token_is_no_token_and_no_error(text: str):
    assert isinstance(unmask_token(text), bytes)


async def test_a_page_is_packed_for_a_browser_and_plain_for_who_takes_no_gzip(anna: Browser):
    tokens = set()
    for accepted, coding in (("gzip, br", "gzip"), ("gzip, br", "gzip"), ("identity", None)):
        answer = await anna.http.get(
            "/regulation/6.3.3", headers={"Accept-Encoding": accepted}, auto_decompress=False
        )
        body = await answer.read()
        assert answer.headers.get("Content-Encoding") == coding
        assert answer.headers["Vary"] == "Accept-Encoding"
        text = (gzip.decompress(body) if coding else body).decode()
        assert "Tidskontrol" in text
        assert coding is None or len(body) * 3 < len(text)
        found = re.search(r'name="csrf" value="([^"]+)"', text)
        assert found is not None
        tokens.add(found[1])
    assert len(tokens) == 3


async def test_the_bare_token_of_a_session_sends_no_form(anna: Browser):
    """Only what a page carries does: who reads the database can't send forms with it."""
    answer = await anna.http.get("/")
    token = re.search(r'name="csrf" value="([^"]+)"', await answer.text())
    assert token is not None
    bare = unmask_token(token[1]).decode()
    for given_token, status in ((bare, 403), (token[1], 303)):
        answer = await anna.http.post(
            "/settings/moves",
            data={"csrf": given_token, "undo": "5"},
            headers={"Sec-Fetch-Site": "same-origin"},
            allow_redirects=False,
        )
        assert answer.status == status


# A stranger's page that has not changed is not sent again; a person's is stored by nobody.


async def test_an_unchanged_page_is_not_sent_again_and_a_changed_one_is(site, browsers):
    stranger, path = await browsers.stranger(), "/groups/K-26-01"
    first = await stranger.http.get(path)
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in first.headers["Vary"]
    again = await stranger.http.get(path, headers={"If-None-Match": tag})
    assert (again.status, await again.read(), again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Kskak-Reader"] == ""
    other = {"If-None-Match": tag, "Accept-Language": "en"}
    assert (await stranger.http.get(path, headers=other)).status == 200
    await site.play(await site.game(), "e4")
    await site.ask(await site.game(), Side.WHITE, lambda _, by: Resign(by))
    assert (await stranger.http.get(path, headers={"If-None-Match": tag})).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/groups/K-26-01/atom.xml", "/pgn/K-26-01.pgn", "/regulation/6.8.4", "/regulation.pdf",
        "/ratings.csv", "/robots.txt", "/sitemap.xml", "/sw.js", "/manifest.webmanifest",
        "/favicon.ico", "/help",
    ],
)  # fmt: skip
async def test_every_file_and_page_for_all_has_an_etag(browsers, path):
    stranger = await browsers.stranger()
    first = await stranger.http.get(path)
    tag, kept = first.headers["ETag"], first.headers["Cache-Control"]
    assert first.status == 200 and "no-store" not in kept
    again = await stranger.http.get(path, headers={"If-None-Match": tag})
    assert (again.status, await again.read(), again.headers["Cache-Control"]) == (304, b"", kept)
    policy = "Content-Security-Policy"
    assert again.headers[policy] == first.headers[policy], "a browser takes it from the 304"


@pytest.mark.parametrize(
    ("name", "path"),
    [("anna", "/groups/K-26-01"), ("", "/login/x"), ("", "/players/999"), ("anna", "/help")],
)
async def test_a_persons_page_a_link_and_an_error_are_stored_by_nobody(browsers, name, path):
    reader = await (browsers.of(name) if name else browsers.stranger())
    answer = await reader.http.get(path)
    assert "ETag" not in answer.headers and answer.headers["Cache-Control"] == "no-store"
