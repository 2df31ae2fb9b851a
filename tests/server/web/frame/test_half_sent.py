"""Requests that are begun and not sent whole, over real connections."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.app import RunningServer, run_server
from server.settings import settings_from
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.usecases.account import signin
from server.usecases.context import Core
from server.web.frame import middleware
from server.web.site import ROUTES
from tests.server.web.conftest import OWN, Browser, Browsers

WHOLE_S = 0.6
HEAD = b"GET /healthz HTTP/1.1\r\nHost: skak.example\r\n"
POST = b"POST /signin HTTP/1.1\r\nHost: skak.example\r\nContent-Length: 40\r\n\r\nemail="


@pytest.fixture
async def server(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RunningServer]:
    """A server that waits less than a second for the rest."""
    monkeypatch.setattr(middleware, "WHOLE_S", WHOLE_S)
    settings = settings_from(
        {
            "database": {"url": sqlite_url, "backups": str(tmp_path)},
            "web": {"port": 0},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    async with run_server(settings, polls=False) as server:
        yield server


@pytest.fixture
def port(server: RunningServer) -> int:
    """Where it listens."""
    return server.web_port


async def _ends(reader: asyncio.StreamReader) -> bytes:
    """What is answered until the server ends the connection."""
    async with asyncio.timeout(10 * WHOLE_S):
        try:
            return await reader.read()
        except ConnectionResetError:  # who goes on sending to a closed door is told so
            return b""


@pytest.mark.parametrize(
    "begun",
    [
        HEAD,
        POST,
        b"GET /a",
        HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\nff\r\nab",
    ],
)
@pytest.mark.parametrize("drips", [False, True])
async def test_a_request_that_is_not_sent_whole_is_ended_with_one_line(
    port: int, caplog: pytest.LogCaptureFixture, begun: bytes, drips: bool
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def drip() -> None:
        while True:
            await asyncio.sleep(WHOLE_S / 8)
            writer.write(b"a")

    with caplog.at_level(logging.WARNING, "server.web.frame.middleware"):
        writer.write(begun)
        dripping = asyncio.create_task(drip()) if drips else None
        answer = await _ends(reader)
        if dripping is not None:
            dripping.cancel()
    assert b" 200 " not in answer
    mine = [one for one in caplog.records if one.name == "server.web.frame.middleware"]
    assert len(mine) == 1
    assert "not sent whole" in mine[0].getMessage()
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]
    writer.close()


async def test_the_second_request_of_a_connection_is_not_waited_for_longer(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HEAD + b"\r\n")
    assert b" 200 " in await reader.readuntil(b"}")
    writer.write(HEAD)
    assert await _ends(reader) == b""
    writer.close()


async def test_a_connection_without_a_request_is_ended_and_one_between_two_is_kept(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    idle, nobody = await asyncio.open_connection("127.0.0.1", port)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for wait in (0.0, 3 * WHOLE_S):
        await asyncio.sleep(wait)
        writer.write(HEAD[:9])
        await asyncio.sleep(0.05)
        writer.write(HEAD[9:] + b"\r\n")
        assert b" 200 " in await reader.readuntil(b"}")
    assert await _ends(idle) == b""
    assert "not sent whole" not in caplog.text
    nobody.close()
    writer.close()


async def _signed_in(core: Core) -> str:
    """A cookie's value."""
    async with core.store.write() as conn:
        new = NewPerson(name="Anna", email="anna@example.dk", created_us=1, role=Role.PLAYER)
        person = await person_rows.add_person(conn, new)
    link = await signin.make_link(core, person)
    made = await signin.use_link(core, link.rpartition("/")[2])
    assert made is not None
    return made.secret


async def test_a_stream_lives_longer_and_a_body_in_parts_is_taken(
    server: RunningServer, port: int
) -> None:
    ear, stream = await asyncio.open_connection("127.0.0.1", port)
    cookie = await _signed_in(server.core)
    stream.write(HEAD.replace(b"/healthz", b"/events") + f"Cookie: kskak={cookie}\r\n\r\n".encode())
    assert b" 200 " in await ear.readuntil(b"\r\n")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(POST)
    await asyncio.sleep(WHOLE_S / 3)
    writer.write(b"a" * 34)
    assert b"HTTP/1.1 " in await reader.readuntil(b"\r\n\r\n")
    await asyncio.sleep(2 * WHOLE_S)
    writer.write(HEAD + b"\r\n")
    assert b"HTTP/1.1 " in await reader.readuntil(b"\r\n")
    assert not ear.at_eof(), "a stream is an answer that lasts"
    for one in (writer, stream):
        one.close()


# A form that is not UTF-8 is refused with 400 and words, on every page that takes one.


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
async def test_a_form_that_is_no_text_is_refused_in_words(
    browsers: Browsers, form: tuple[str, bytes]
):
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


@pytest.mark.parametrize("path", NAMED)
async def test_an_address_with_a_nul_character_is_none_of_ours(browsers: Browsers, path: str):
    """PostgreSQL takes no such text; it would be a fault of ours, for anybody to make."""
    for who in (await browsers.stranger(), await browsers.of("anna")):
        for nul in ("%00", "a%00b"):
            answer = await who.http.get(path.format(nul), allow_redirects=False)
            assert answer.status == (422 if "?" in path else 404), (path, answer.status)
        answer = await who.http.get(path.format("%2500"), allow_redirects=False)
        assert answer.status < 500, "a percent sign and two digits"


@pytest.mark.parametrize("name", ["Søren %F8 100 %", "\N{REPLACEMENT CHARACTER}", "سارة", "+%2B"])
async def test_what_is_text_is_read_as_it_was_written(name: str, stranger: Browser):
    answer = await stranger.post("/join", {"name": name, "email": "x"})
    assert answer.status == 422
    assert 'value="' in await answer.text()
