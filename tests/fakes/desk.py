"""The desks through the real server: people with tokens on its API, and old games entered."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kskak.game.game_events import Event
from server.store.play.games import GameRow
from server.store.play.people import Office
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from tests.fakes.cases import officer, ready_for_votes, union_fee
from tests.fakes.told_once import Telling, told_once
from tests.fakes.world import ANNA, BO, NAMES, TL, World

BOARD = "naevn@example.org"
MEMBERS = (BOARD, "to@naevn.example.org", "tre@naevn.example.org")
CARLA, DAN = "carla@example.dk", "dan@example.dk"
ALL_NAMES = NAMES | {CARLA: "Carla Dahl", DAN: "Dan Ege"}
GROUP = """
tournament = "Pokal"
class = "K"
group = "P-1"
regulation = "{regulation}"
laws = 2009
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
double = {double}
"""
PLAYER = '[[players]]\nname = "{name}"\nemail = "{email}"\n'


@dataclass
class Desk:
    """The API as several people use it."""

    world: World
    http: aiohttp.ClientSession
    tokens: dict[str, str] = field(default_factory=dict)

    async def call(self, who: str, method: str, path: str, body: object = None) -> dict:
        """A call that must succeed; its answer. The letters that it causes are sent."""
        status, value = await self.ask(who, method, path, body)
        assert status == 200, value
        await self.world.pump()
        return value

    async def ask(self, who: str, method: str, path: str, body: object = None) -> tuple[int, dict]:
        """A call; status and answer."""
        if who not in self.tokens:
            self.tokens[who] = await self.world.token(who)
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        url = f"http://127.0.0.1:{self.world.server.web_port}/api/v1{path}"
        async with self.http.request(method, url, json=body, headers=headers) as answer:
            return answer.status, await answer.json()

    async def see(self, who: str, case: int) -> dict:
        return await self.call(who, "GET", f"/cases/{case}")

    async def hear(self, who: str, case: int) -> None:
        """The hearing closed by whom it is before."""
        body = {"action": "close", "reason": "Parterne er hørt."}
        await self.call(who, "POST", f"/cases/{case}/hearing", body)

    async def decide(self, who: str, case: int, **order: object) -> dict:
        """A decision; the case after it. The Board's members vote first, all as it decides."""
        seen = await self.see(who, case)
        if seen["stage"] == "appealed" and "close_hearing" in seen["can"]:
            await self.hear(who, case)
        if who == BOARD:
            await ready_for_votes(self.world.core, await self.world.person(BOARD), case)
        for member in MEMBERS if who == BOARD else ():
            vote = {"upholds": order.get("grants", [])}
            await self.call(member, "POST", f"/cases/{case}/vote", vote)
        await self.call(who, "POST", f"/cases/{case}/decisions", order)
        return await self.see(who, case)

    async def appeal(self, who: str, case: int, *, paid: bool = False) -> dict:
        today = self.world.clock.today.isoformat()
        deposit = {"amount": 30000, "on": today, "reference": "Girokort 7"}
        body = {"text": "Jeg anker afgørelsen."} | ({"deposit": deposit} if paid else {})
        return await self.call(who, "POST", f"/cases/{case}/appeal", body)

    async def id_of(self, who: str) -> int:
        return (await self.world.person(who)).id


@asynccontextmanager
async def desk_of(world: World) -> AsyncIterator[Desk]:
    """The API of a world, the Board in office."""
    for member in MEMBERS:
        await officer(world, member, Office.BOARD)
    await union_fee(world.core, 300)
    async with aiohttp.ClientSession() as http:
        yield Desk(world, http)


async def begin_group(
    world: World, regulation: str, emails: Iterable[str] = (ANNA, BO)
) -> tuple[GameRow, ...]:
    """A group that starts today; its games, two with each of several opponents.

    The first one becomes the world's.
    """
    cast = tuple(emails)
    double = "true" if len(cast) > 2 else "false"
    start = world.clock.today.isoformat()
    text = GROUP.format(regulation=regulation, start=start, double=double)
    text += "".join(PLAYER.format(name=ALL_NAMES[email], email=email) for email in cast)
    rows = await world.begin_group(text)
    world.game = rows[0].id
    await world.pump()
    return rows


@cache
def begun(regulation: str = "email", emails: tuple[str, ...] = (ANNA, BO)) -> Telling:
    """Such a group has started."""

    async def tell(world: World) -> None:
        await begin_group(world, regulation, emails)

    return tell


def desk_scene(*emails: str, regulation: str = "email", start: date = date(2026, 1, 5)) -> Any:
    """A fixture on the databases of ``database_url``: the desks of a group of these people."""

    @pytest.fixture
    async def desk(database_url: str, tmp_path: Path) -> AsyncIterator[Desk]:
        telling = begun(regulation, emails)
        async with (
            told_once(database_url, tmp_path, telling, start) as world,
            desk_of(world) as made,
        ):
            yield made

    return desk


async def enter(world: World, events: Iterable[Event], day: date, game: int = 0) -> None:
    """Events of an old game entered by the leader in one go, on a day."""
    world.clock.go(day)
    leader = await world.person(TL)
    origin = Origin(world.core.clock.now(), leader.id, "post")
    unit = EventsUnit(game or world.game, tuple(events), origin, poster_of(world.core))
    await world.core.writer.submit(unit)
    await world.pump()
