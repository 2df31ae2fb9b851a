"""PostgreSQL is away for a while: everything is put off politely, and goes on when it is back."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from tests.fakes.machinery.away import Passage, passage
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, BO, settings_of, world_of, world_on

BACK_S = 20.0
LINE = "5254 5755 7163 2836 6125 1716 2514 7866 5171 6857 6151 2725 1423 4746".split()  # noqa: SIM905
WRITES_AGAIN_S = 10.0
ANSWERS_S = 5.0
"""How long those who watch `/readyz` wait for it."""


async def test_while_the_database_is_away_every_channel_says_so_and_then_goes_on(
    postgres_url: str, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory(prefix="kskak-away-") as folder:
        async with (
            passage(postgres_url, Path(folder)) as (url, line),
            world_of(url, str(tmp_path)) as world,
            aiohttp.ClientSession() as http,
        ):
            await world.begin()
            anna, base = Player(world), f"http://127.0.0.1:{world.server.web_port}"
            key = anna.newest.reply_to
            assert key is not None
            head = {"Authorization": f"Bearer {await world.token(ANNA)}"}
            moves = f"{base}/api/v1/games/{world.game}/moves"

            async def asked(method: str, path: str, **more: object) -> tuple[int, str | None]:
                async with http.request(method, path, **more) as answer:  # type: ignore[arg-type]
                    return answer.status, answer.headers.get("Retry-After")

            assert (await asked("GET", f"{base}/readyz"))[0] == 200
            await line.close()
            for _ in range(3):  # what the pools hold, and then none to be had
                move = await asked("POST", moves, json={"text": "e4"}, headers=head)
                assert move == (503, "5")
                assert await asked("POST", f"{base}/signin", data={"email": BO}) == (503, "5")
                assert await asked("GET", f"{base}/players") == (503, "5")
                assert (await asked("GET", f"{base}/readyz"))[0] == 503
            assert (await world.smtp(anna.write("e4"), key))[0] == 451
            await line.open()
            async with asyncio.timeout(BACK_S):
                while True:
                    if (await asked("GET", f"{base}/readyz"))[0] == 200:
                        break
                    await asyncio.sleep(0.2)
                assert (await asked("POST", moves, json={"text": "e4"}, headers=head))[0] == 200
                assert (await world.smtp(anna.write("d4"), key))[0] == 250
            assert await world.kinds() == ["MoveSent"]


@dataclass
class Site:
    """A server process beyond a passage, and a game in it."""

    child: Child
    way: Passage
    http: aiohttp.ClientSession
    game: int
    tokens: tuple[str, str]
    made: int = 0

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.child.web_port}"

    async def move(self) -> int:
        """The next move of the line, or again the one whose answer was not heard."""
        url = f"{self.base}/api/v1/games/{self.game}/moves"
        head = {
            "Authorization": f"Bearer {self.tokens[self.made % 2]}",
            "Idempotency-Key": f"move-{self.made}",
        }
        async with self.http.post(url, json={"text": LINE[self.made]}, headers=head) as answer:
            self.made += answer.status == 200
            return answer.status

    async def get(self, path: str) -> int:
        """A page's status; TimeoutError when there is none."""
        async with (
            asyncio.timeout(ANSWERS_S if path == "/readyz" else BACK_S),
            self.http.get(f"{self.base}{path}") as answer,
        ):
            return answer.status

    async def until(self, ask: Callable[[], Awaitable[int]]) -> None:
        """Ask again until it is answered with 200."""
        while True:
            if await ask() == 200:
                return
            await asyncio.sleep(0.2)

    async def traffic(self) -> None:
        """Moves and pages as fast as they are answered, so that silence falls in the midst."""

        async def pages() -> None:
            while True:
                await self.get("/players")

        async with asyncio.TaskGroup() as group:
            for _ in range(6):
                group.create_task(pages())
            while self.made < len(LINE) - 4:
                await self.move()
            await asyncio.Event().wait()


@asynccontextmanager
async def _beyond(url: str, folder: Path, to: Path) -> AsyncIterator[Site]:
    url = url.replace(":@", "@")
    async with smarthost() as host, passage(url, folder) as (through, way):
        settings = settings_of(url, host, str(to), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            await world.begin()
            tokens, game = (await world.token(ANNA), await world.token(BO)), world.game
        child = Child(settings_of(through, host, str(to), zone=midday_zone()), to)
        await child.start()
        try:
            async with aiohttp.ClientSession() as http:
                yield Site(child, way, http, game, tokens)
        finally:
            await child.stop()


@rows(
    "silence_s is_busy",
    (1.5, True),
    pytest.param(9.0, False, marks=pytest.mark.nightly),
    pytest.param(20.0, True, marks=pytest.mark.nightly),
)
async def test_a_database_that_swallows_everything_and_closes_nothing_is_given_up_and_found_again(
    postgres_url: str, tmp_path: Path, silence_s: float, is_busy: bool
) -> None:
    with tempfile.TemporaryDirectory(prefix="kskak-away-") as folder:
        async with _beyond(postgres_url, Path(folder), tmp_path) as site:
            assert (await site.move(), await site.get("/readyz")) == (200, 200)
            busy = asyncio.create_task(site.traffic()) if is_busy else None
            await asyncio.sleep(1.0)
            site.way.fall_silent()
            until, found = time.monotonic() + silence_s, []
            while time.monotonic() < until:
                found.append(await site.get("/readyz"))
                await asyncio.sleep(0.5)
            assert set(found) <= {503} or silence_s < ANSWERS_S, found
            if busy is not None:
                busy.cancel()
                with suppress(asyncio.CancelledError):
                    await busy
            site.way.speak()
            begun = time.monotonic()
            async with asyncio.timeout(WRITES_AGAIN_S):
                await site.until(site.move)
                await site.until(lambda: site.get("/readyz"))
                assert await site.get("/players") == 200
            print(
                f"after {silence_s} s of silence, busy {is_busy}: {time.monotonic() - begun:.1f} s"
            )


# At night, as it takes 18 s: each of what is under way waits for its own statement.
@pytest.mark.nightly
async def test_a_server_can_be_stopped_while_its_database_is_silent(postgres_url, tmp_path):
    with tempfile.TemporaryDirectory(prefix="kskak-away-") as folder:
        async with _beyond(postgres_url, Path(folder), tmp_path) as site:
            assert await site.move() == 200
            site.way.fall_silent()
            assert await site.move() == 503
            async with asyncio.timeout(BACK_S + 20):
                await site.child.stop()
