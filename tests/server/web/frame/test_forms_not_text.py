"""A form that is not UTF-8 is refused with 400 and words, on every page that takes one."""

import re

import pytest

from server.web.site import ROUTES
from tests.fakes.machinery.each import each
from tests.server.web.conftest import OWN, Browser, Browsers

URLENCODED = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="email"\r\n'
FORMS = {
    "latin-1": (URLENCODED, "email=Søren".encode("latin-1")),
    "a percent-encoded octet": (URLENCODED, b"email=S%F8ren"),
    "half a letter": (URLENCODED, b"email=S%C3"),
    "another charset": (f"{URLENCODED}; charset=iso-8859-1", b"email=S%F8ren"),
    "no charset at all": (f"{URLENCODED}; charset=nonsense", b"email=x"),
    "a charset of octets": (f"{URLENCODED}; charset=hex", b"email=x"),
    "a part in latin-1": ("multipart/form-data; boundary=x", PART + b"\r\nS\xf8ren\r\n--x--\r\n"),
    "a part in no charset": (
        "multipart/form-data; boundary=x",
        PART + b"Content-Type: text/plain; charset=nonsense\r\n\r\nx\r\n--x--\r\n",
    ),
    "a NUL character": (URLENCODED, b"email=a%00@example.org"),
    "a NUL in a name": (URLENCODED, b"em%00ail=x"),
    "a NUL in a part": ("multipart/form-data; boundary=x", PART + b"\r\nS\0\r\n--x--\r\n"),
    "a part without a name": ("multipart/form-data; boundary=x", b"--x\r\n\r\nx\r\n--x--\r\n"),
    "parts without a boundary": ("multipart/form-data", PART + b"\r\nx\r\n--x--\r\n"),
}
FILLED = {"token": "a" * 30, "year": "2026", "n": "1", "deed": "x"}
PATHS = sorted(
    {
        re.sub(r"\{(\w+)[^/]*\}", lambda got: FILLED.get(got[1], "1"), route.path)
        for route in ROUTES
        if route.method == "POST"
    }
)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
async def test_a_form_that_is_no_text_is_refused_in_words(browsers, form):
    kind, body = form
    stranger, kaj = await browsers.stranger(), await browsers.of("anna")
    headers = OWN | {"Content-Type": kind}
    for who in (stranger, kaj):
        for path in PATHS if form is FORMS["latin-1"] else ("/signin", "/join", "/enter"):
            answer = await who.http.post(path, data=body, headers=headers, allow_redirects=False)
            assert answer.status in (400, 404), (path, answer.status)
            assert answer.status == 404 or "Det kunne ikke forstås" in await answer.text(), path


NAMED = ("/groups/{}", "/games?q={}", "/results/{}", "/archive?player={}", "/ratings/{}", "/{}",
         "/clubs/{}", "/c/{}", "/login/{}", "/signin?next=/{}", "/calendar/{}.ics", "/pgn/{}",
         "/unsubscribe/{}/x")  # fmt: skip


@each("path", NAMED)
async def test_an_address_with_a_nul_character_is_none_of_ours(browsers: Browsers, path: str):
    """PostgreSQL takes no such text; it would be a fault of ours, for anybody to make."""
    for who in (await browsers.stranger(), await browsers.of("anna")):
        for nul in ("%00", "a%00b"):
            answer = await who.http.get(path.format(nul), allow_redirects=False)
            assert answer.status == (422 if "?" in path else 404), (path, answer.status)
        answer = await who.http.get(path.format("%2500"), allow_redirects=False)
        assert answer.status < 500, "a percent sign and two digits"


@each("name", ["Søren %F8 100 %", "\N{REPLACEMENT CHARACTER}", "سارة", "+%2B"])
async def test_what_is_text_is_read_as_it_was_written(name: str, stranger: Browser):
    answer = await stranger.post("/join", {"name": name, "email": "x"})
    assert answer.status == 422
    assert 'value="' in await answer.text()
