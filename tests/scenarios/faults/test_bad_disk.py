"""A disk that can't be written for a while, under a real server process.

While it lasts everything is put off politely (503 with Retry-After, 451) and nothing is half
done; when it is over the next move is made, without a restart; what was acknowledged is kept.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import aiosmtplib
import pytest

from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.usecases.desks import database_care
from tests.fakes.machinery.bad_disk import Fault, Limit, Shim
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, BO, settings_of, world_on

LINE = ("e4", "e5", "Sf3", "Sc6", "Lb5", "a6", "La4", "Sf6", "0-0", "Le7", "Te1", "b5")
AT_ONCE_S = 45.0
"""How soon the server must write again when the disk does, on a busy machine."""


@dataclass
class Site:
    """A started game, its players' tokens, and a server that runs."""

    child: Child
    url: str
    game: int
    key: str
    tokens: dict[str, str]
    mails: list[bytes]
    http: aiohttp.ClientSession
    acknowledged: list[str] = field(default_factory=list)

    @property
    def _base(self) -> str:
        return f"http://127.0.0.1:{self.child.web_port}"

    async def move(self) -> tuple[int, str | None]:
        """Who is to move makes the next move of the line; the status, and when to come again."""
        ply = len(self.acknowledged)
        head = {"Authorization": f"Bearer {self.tokens[(ANNA, BO)[ply % 2]]}"}
        url = f"{self._base}/api/v1/games/{self.game}/moves"
        async with self.http.post(url, json={"text": LINE[ply]}, headers=head) as answer:
            if answer.status == 200:
                self.acknowledged.append(LINE[ply])
            return answer.status, answer.headers.get("Retry-After")

    async def page(self) -> tuple[int, str | None, str]:
        """Somebody asks for a sign-in link, which must be kept: a page that writes."""
        form = {"email": ANNA}
        async with self.http.post(f"{self._base}/signin", data=form) as answer:
            return answer.status, answer.headers.get("Retry-After"), await answer.text()

    async def until_ready(self, wanted: int) -> None:
        """Until the server says so of itself; what it says is a few seconds old at most."""
        async with asyncio.timeout(AT_ONCE_S):
            while True:
                async with self.http.get(f"{self._base}/readyz") as answer:
                    if answer.status == wanted:
                        return
                await asyncio.sleep(0.2)

    async def deliver(self) -> int:
        """What a mailed move is answered by SMTP."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self.child.smtp_port, timeout=20)
        try:
            await client.connect()
            await client.sendmail(ANNA, [self.key], self.mails.pop())
        except aiosmtplib.SMTPResponseException as error:
            return error.code
        finally:
            client.close()
        return 250

    async def ledger(self) -> int:
        """How many events the game has; everything must be sound."""
        store = await Store.open(self.url)
        try:
            assert (await database_care.verify(store)).is_sound
            async with store.read() as conn:
                return len(await game_rows.history(conn, self.game))
        finally:
            await store.close()


@asynccontextmanager
async def _site(url: str, folder: Path, environment: dict[str, str]) -> AsyncIterator[Site]:
    async with smarthost() as host:
        settings = settings_of(url, host, str(folder), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            await world.begin()
            anna = Player(world)
            key = anna.newest.reply_to
            assert key is not None
            tokens = {who: await world.token(who) for who in (ANNA, BO)}
            game, mails = world.game, [anna.write("d4") for _ in range(9)]
        child = Child(settings, folder, also=environment)
        await child.start()
        try:
            async with aiohttp.ClientSession() as http:
                yield Site(child, url, game, key, tokens, mails, http)
        finally:
            await child.stop()


async def _all_is_put_off(site: Site) -> None:
    """What each channel says while nothing can be written."""
    for _ in range(3):
        status, again = await site.move()
        assert (status, again) == (503, "5")
    status, again, text = await site.page()
    assert (status, again) == (503, "5"), text
    assert "Serveren kan ikke læse eller gemme noget lige nu" in text
    assert await site.deliver() == 451


async def _all_is_well(site: Site) -> None:
    """Move after move is made."""
    async with asyncio.timeout(AT_ONCE_S):
        assert (await site.move())[0] == 200
        assert (await site.move())[0] == 200
        assert await site.deliver() == 250


async def _through(site: Site, fail: Callable[[], None], mend: Callable[[], None]) -> None:
    """Twice a bad disk, the first till the server says of itself that it is, and the ledger."""
    await _all_is_well(site)
    for may_say in (True, False):
        fail()
        await _all_is_put_off(site)
        if may_say:
            await site.until_ready(503)
        mend()
        await _all_is_well(site)
    await site.until_ready(200)
    assert await site.child.stop() == 0
    assert await site.ledger() == len(site.acknowledged) == 6


@pytest.mark.parametrize("how", ["write", "sync", "full"])
async def test_after_a_bad_disk_the_server_writes_again_and_nothing_is_lost(
    sqlite_url: str, tmp_path: Path, how: Fault
) -> None:
    disk = Shim(tmp_path)
    async with _site(sqlite_url, tmp_path, disk.environment()) as site:
        await _through(site, lambda: disk.fail(how), disk.mend)


async def test_after_files_that_could_not_grow_the_server_writes_again(sqlite_url, tmp_path):
    """The same without a compiler: the kernel refuses what is written."""
    async with _site(sqlite_url, tmp_path, {}) as site:
        assert site.child.process is not None
        limit = Limit(site.child.process.pid)
        await _through(site, limit.fail, limit.mend)
