"""Pages go packed to who understands it, and what they repeat tells nothing of a token."""

import gzip
import re

from hypothesis import given
from hypothesis import strategies as st

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
            "/help/rules", headers={"Accept-Encoding": accepted}, auto_decompress=False
        )
        body = await answer.read()
        assert answer.headers.get("Content-Encoding") == coding
        assert answer.headers["Vary"] == "Accept-Encoding"
        text = (gzip.decompress(body) if coding else body).decode()
        assert "Hvordan dagene tælles" in text
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
