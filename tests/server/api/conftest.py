"""The API over a real SQLite file: a group of two, their leader, a stranger, tokens, a clock."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer

from server.api.frame.endpoints import Api, Endpoint, Meters
from server.api.site import ENDPOINTS, add_api
from server.settings import settings_from
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.play.people import Office, PersonRow
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.federation import Scene
from tests.fakes.machinery.built import sqlite_file

T = TypeVar("T")
COOKIE = "kskak"
GROUP = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "K-26-01"
regulation = "email"
start = 2026-09-01
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
[[players]]
name = "H. Vid"
email = "white@example.org"
[[players]]
name = "S. Ort"
email = "black@example.org"
lang = "en"
"""


@dataclass
class FakeClock:
    """A clock that stands until it is moved."""

    at: datetime = datetime(2026, 9, 1, 10, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_days(self, days: int) -> None:
        self.at += timedelta(days=days)


def address_of(one: Endpoint, number: object) -> str:
    """A call's path, with this number and whatever else it names."""
    values = {"id": number, "uci": "e2e4", "answer": "yes", "username": "k1"}
    return one.path.format_map(values)


async def names_own_fields(method: str, path: str, answer: ClientResponse) -> ClientResponse:
    """Whatever a call refuses, in whichever test: a field that it names is its own (issue 33)."""
    if answer.content_type != "application/problem+json":
        return answer
    place = re.sub(r"/\d+(?=/|$)", "/{id}", path.partition("?")[0])
    for fault in (await answer.json(content_type=None)).get("errors", ()):
        of = next(one for one in ENDPOINTS if (one.method, one.path) == (method, place))
        fields = {} if of.body is None else of.body.model_fields
        names = {f"/{field.alias or name}" for name, field in fields.items()}
        names |= {one.name for one in of.query}
        first = re.match(r"/?[^/]*", fault["pointer"])
        assert fault["code"] == "extra_forbidden" or (first and first[0] in names), (path, fault)
    return answer


@dataclass
class World(Scene):
    """Everything a test of the API touches."""

    core: Core
    api: Api
    client: TestClient
    clock: FakeClock
    game: int = 0
    tokens: dict[str, str] = field(default_factory=dict)
    people: dict[str, PersonRow] = field(default_factory=dict)

    async def get(self, who: str | None, path: str, **headers: str):
        answer = await self.client.get(path, headers=self.headers(who) | headers)
        return await names_own_fields("GET", path, answer)

    async def post(self, who: str | None, path: str, body: object = None, **headers: str):
        given = self.headers(who) | {k.replace("_", "-"): v for k, v in headers.items()}
        sent = {} if body is None else {"json": body}
        answer = await self.client.post(path, headers=given, **sent)
        return await names_own_fields("POST", path, answer)

    def headers(self, who: str | None) -> dict[str, str]:
        return {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}

    def path(self, rest: str = "") -> str:
        return f"/api/v1/games/{self.game}{rest}"

    async def move(self, who: str, text: str, **more: object):
        return await self.post(who, self.path("/moves"), {"text": text, **more})

    async def play(self, *texts: str) -> None:
        """Moves by turns, White first; each must be accepted."""
        row = await self.row()
        for number, text in enumerate(texts, row.ply):
            answer = await self.move("black" if number % 2 else "white", text)
            assert answer.status == 200, await answer.text()

    async def admit(
        self, who: str, role: str = "player", office: Office | None = None, group: int | None = None
    ) -> None:
        """A person with a token; made if there is none with this address."""
        self.people[who] = await super().admit(who, office, group, name=who, role=role)
        self.tokens[who] = await self.token_of(self.people[who].id)

    async def row(self) -> game_rows.GameRow:
        return await self.game_of(self.game)


@dataclass(frozen=True)
class _Told:
    """A database in which something has happened, and what a world knows of it."""

    content: bytes
    at: datetime
    game: int
    tokens: dict[str, str]
    people: dict[str, PersonRow]
    left: Any


_told: dict[Hashable, _Told] = {}


@asynccontextmanager
async def told_once(
    folder: Path, key: Hashable, telling: Callable[["World"], Awaitable[T]]
) -> AsyncIterator[tuple["World", T]]:
    """A world of a test's own in which ``telling`` has happened, once in this process under this
    key, and what it returned: numbers and names, nothing that holds that world."""
    if key not in _told:
        async with _opened(sqlite_file(folder, "told.db")) as world:
            left = await telling(world)
        known = (world.clock.at, world.game, world.tokens, world.people)
        _told[key] = _Told((folder / "told.db").read_bytes(), *known, left)
    one = _told[key]
    async with _opened(sqlite_file(folder, content=one.content)) as world:
        world.clock.at, world.game = one.at, one.game
        world.tokens, world.people = dict(one.tokens), dict(one.people)
        yield world, one.left


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A started group of two players with one game, nobody having moved."""
    async with told_once(tmp_path, "begun", begin) as (made, _):
        yield made


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[World]:
    """The API on a database, closed whatever happens."""
    store = await Store.open(url)
    meters, clock = Meters(), FakeClock()
    writer = Writer(store, entered=meters.accepted)
    core = Core(store, writer, clock, settings_from({}), b"s" * 32)
    app = web.Application()
    api = add_api(app, core, meters, cookie=COOKIE, address=lambda r: r.remote or "")
    try:
        async with TestClient(TestServer(app)) as client:
            yield World(core, api, client, clock)
        await writer.close()
    finally:
        await store.close()


async def begin(world: World) -> None:
    await start_group(world.core, read_group_file(GROUP))
    for who in ("white", "black", "tl", "stranger"):
        await world.admit(who)
    await world.admit("kc", "kc")
    async with world.core.store.read() as conn:
        (row,) = await game_rows.list_person_games(conn, world.people["white"].id)
    world.game = row.id
    if row.white_id != world.people["white"].id:
        tokens = world.tokens
        tokens["white"], tokens["black"] = tokens["black"], tokens["white"]
