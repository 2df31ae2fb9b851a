"""The service on a real server with a started group, and programs that call it."""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from server.usecases.account import signin
from server.web import help as help_pages
from server.web.frame.context import client_address
from server.xfcc.service import PATH, add_xfcc
from tests.fakes.machinery.chess_programs import SCID_HEADERS, scid
from tests.fakes.site import Site, close_site, open_site


@dataclass
class Programs:
    """Scid at Anna's, at Bent's and at Søren's."""

    site: Site
    http: TestClient
    keys: dict[str, tuple[str, str]]

    async def send(self, body: bytes, headers: Mapping[str, str] = SCID_HEADERS) -> tuple[int, str]:
        """Status and text of an answer; no redirect is followed."""
        answer = await self.http.post(PATH, data=body, headers=headers, allow_redirects=False)
        assert answer.headers["Content-Type"] == "text/xml; charset=utf-8"
        return answer.status, await answer.text()

    async def games(self, who: str = "anna") -> list[dict[str, str]]:
        """The list as Scid reads it: by the literal text of the answer."""
        status, text = await self.send(scid("GetMyGames", *self.keys[who]))
        assert status == 200, text
        (inner,) = re.findall("<GetMyGamesResult>(.*)</GetMyGamesResult>", text)
        return [
            dict(re.findall(r"<(\w+)>([^<]*)</\1>", game))
            for game in re.findall("<XfccGame>(.*?)</XfccGame>", inner)
        ]

    async def move(self, who: str, **fields: object) -> str:
        """What became of a MakeAMove in the first game."""
        given = {"gameId": (await self.site.game()).id} | fields
        status, text = await self.send(scid("MakeAMove", *self.keys[who], **given))
        assert status == 200, text
        assert '<MakeAMoveResponse xmlns="http://www.bennedik.com' in text
        (made,) = re.findall("<MakeAMoveResult>(.*)</MakeAMoveResult>", text)
        return str(made)


def by_game(listed: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """What was listed, by the game's id in its link."""
    return {game["gameLink"].rpartition("/")[2]: game for game in listed}


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[Programs]:
    """The cast with a key each; nobody has moved."""
    site = await open_site(tmp_path)
    add_xfcc(site.app, site.core, address=client_address, help_page=help_pages.show)
    client = TestClient(TestServer(site.app))
    await client.start_server()
    keys = {}
    for name in ("anna", "bent", "soren"):
        person = await site.person(f"{name}@example.org")
        key = await signin.make_xfcc_key(site.core, person)
        keys[name] = (signin.xfcc_user(person.id), key)
    yield Programs(site, client, keys)
    await client.close()
    await close_site(site)
