"""Requests that are begun and not sent whole, over real connections."""

import asyncio
import logging
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
from tests.fakes.machinery.each import rows

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


@rows(
    "begun",
    HEAD,
    POST,
    b"GET /a",
    HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\nff\r\nab",
)
@pytest.mark.parametrize("drips", [False, True])
async def test_a_request_that_is_not_sent_whole_is_ended_with_one_line(port, caplog, begun, drips):
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


async def test_a_connection_without_a_request_is_ended_and_one_between_two_is_kept(port, caplog):
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


async def test_a_stream_lives_longer_and_a_body_in_parts_is_taken(server, port):
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
