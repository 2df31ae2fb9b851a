"""PostgreSQL is away for a while: everything is put off politely, and goes on when it is back."""

import asyncio
import tempfile
from pathlib import Path

import aiohttp

from tests.fakes.machinery.away import passage
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, world_of

BACK_S = 20.0


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
