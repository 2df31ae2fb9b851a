"""A move made in one process is heard at once on a page that another process serves.

Real servers, real HTTP, on PostgreSQL, and the same within the one server of a SQLite file: by
API, by mail, by a program without any server; through a killed stream and a stopped process; and a
stranger hears nothing.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import aiohttp
import aiosmtplib
import pytest

from server.clock import SystemClock
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.usecases.account import signin
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.machinery.streams import Heard, listening
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World, settings_of, world_on

pytestmark = pytest.mark.both_engines


@dataclass
class Two:
    """Two processes on one database: moves are made at ``a``, pages are open at ``b``.

    On SQLite, whose file has one server, both are the same.
    """

    a: Child
    b: Child
    game: int
    tokens: dict[str, str]
    cookies: dict[str, str]
    mail: bytes
    key: str

    def stream(self, game: int | None = None) -> str:
        wish = "" if game is None else f"?game={game}"
        return f"http://127.0.0.1:{self.b.web_port}/events{wish}"

    def browser(self, who: str = "") -> aiohttp.ClientSession:
        cookies = {"kskak": self.cookies[who]} if who else {}
        return aiohttp.ClientSession(cookies=cookies)

    async def move(self, who: str, text: str) -> None:
        """By the API of the first process."""
        head = {"Authorization": f"Bearer {self.tokens[who]}"}
        url = f"http://127.0.0.1:{self.a.web_port}/api/v1/games/{self.game}/moves"
        async with (
            aiohttp.ClientSession(headers=head) as http,
            http.post(url, json={"text": text}) as answer,
        ):
            assert answer.status < 300, await answer.text()

    async def follow(self, live: bool) -> None:
        """The leader lets everybody follow, or nobody more, by the API of the first process."""
        head = {"Authorization": f"Bearer {self.tokens[TL]}"}
        origin = f"http://127.0.0.1:{self.a.web_port}/api/v1/groups"
        async with aiohttp.ClientSession(headers=head) as http:
            async with http.get(origin) as answer:
                (group,) = (await answer.json())["groups"]
            async with http.post(f"{origin}/{group['id']}/live", json={"live": live}) as answer:
                assert answer.status == 200, await answer.text()

    async def send_mail(self) -> None:
        """Anna's first move, by mail to the first process."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self.a.smtp_port, timeout=20)
        await client.connect()
        await client.sendmail(ANNA, [self.key], self.mail)
        client.close()


async def _cookie(world: World, email: str) -> str:
    link = await signin.make_link(world.core, (await world.person(email)).id)
    made = await signin.use_link(world.core, link.rpartition("/")[2])
    assert made is not None
    return made.secret


@asynccontextmanager
async def two_servers(url: str, folder: Path) -> AsyncIterator[Two]:
    """Both have started, nobody has moved."""
    async with smarthost() as host:
        settings = settings_of(url, host, str(folder), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            world.clock.at = SystemClock().now() - timedelta(minutes=1)
            await world.begin()
            anna = Player(world)
            key = anna.newest.reply_to
            assert key is not None
            people = (ANNA, BO, CAPTAIN, TL)
            tokens = {who: await world.token(who) for who in people}
            cookies = {who: await _cookie(world, who) for who in people}
            mail, game = anna.write("e4"), world.game
        children = []
        for name in ("a",) if url.startswith("sqlite") else ("a", "b"):
            (folder / name).mkdir()
            children.append(Child(settings, folder / name))
        try:
            await asyncio.gather(*(child.start() for child in children))
            yield Two(children[0], children[-1], game, tokens, cookies, mail, key)
        finally:
            for child in children:
                if child.process is not None:
                    await child.stop()


async def test_moves_in_one_process_are_heard_on_the_pages_of_another_and_none_is_missed(
    database_url: str, tmp_path: Path
) -> None:
    async with two_servers(database_url, tmp_path) as two, two.browser(BO) as bo:
        first = {"game": two.game, "seq": 1}
        async with listening(bo, two.stream()) as mine, listening(bo, two.stream(two.game)) as one:
            assert mine.answer.headers["X-Accel-Buffering"] == "no"
            assert (await mine.named("known")).data == {}
            assert await one.next() == Heard("known", "0", {})
            await two.send_mail()
            assert (await mine.named("game")).data == first
            assert await one.next() == Heard("game", "1", first)
        # Both streams are cut; what happens meanwhile is told when they come back.
        await two.move(BO, "e5")
        async with (
            listening(bo, two.stream(), mine.last) as again,
            listening(bo, two.stream(two.game), one.last) as one,
        ):
            assert (await again.named("missed")).id != mine.last
            await again.named("known")
            assert await one.next() == Heard("game", "2", {"game": two.game, "seq": 2})
            # The server stops: the streams do not hold it up.
            begun = time.monotonic()
            assert await two.b.stop() == 0
            assert time.monotonic() - begun < 5
            assert await again.next() is None
        await two.b.start()
        async with listening(bo, two.stream(), again.last) as nothing_new:
            await nothing_new.named("known")
            await two.move(ANNA, "Nf3")
            assert (await nothing_new.named("game")).data == {"game": two.game, "seq": 3}


async def test_a_message_is_heard_by_the_two_players_and_a_move_by_who_may_see_the_game(
    database_url: str, tmp_path: Path
) -> None:
    """CONTRACTS: messages are for both players; who may see the game hears only of its moves."""
    async with (
        two_servers(database_url, tmp_path) as two,
        two.browser() as stranger,
        two.browser(CAPTAIN) as other,
        two.browser(BO) as bo,
        two.browser(TL) as leader,
        listening(bo, two.stream(two.game)) as page,
        listening(bo, two.stream()) as list_,
        listening(leader, two.stream(two.game)) as watching,
        listening(other, two.stream()) as elsewhere,
    ):
        await _refused(two, stranger, other)
        assert await page.next() == Heard("known", "0", {})
        known = (await list_.named("known")).id
        assert await watching.next() == Heard("known", "0", {})
        await elsewhere.named("known")
        store = await Store.open(database_url.replace(":@", "@"))
        async with store.write() as conn:
            game = await game_rows.load(conn, two.game)
            assert game is not None
            await note_rows.add(conn, game.id, game.white_id, "Hej Bo", 1, "key")
        await store.close()
        heard = await page.named("game")
        assert heard.data == {"game": two.game, "seq": 0}
        assert heard.id != "0"
        assert (await list_.named("game")).id != known
        assert await watching.hears_nothing()
        async with listening(bo, two.stream(two.game), "0") as came_back:
            assert (await came_back.named("game")).id == heard.id
        async with listening(bo, two.stream(two.game), heard.id) as nothing_new:
            assert (await nothing_new.next()) == Heard("known", heard.id, {})
        await two.move(ANNA, "e4")
        assert (await watching.named("game")).data == {"game": two.game, "seq": 1}
        assert (await page.named("game")).data == {"game": two.game, "seq": 1}
        assert await elsewhere.hears_nothing()


async def _refused(two: Two, stranger: aiohttp.ClientSession, other: aiohttp.ClientSession) -> None:
    """Who may not see the game is given no stream of it, nor a stranger one of his games."""
    found = []
    for http, game in ((stranger, two.game), (other, two.game), (stranger, None), (stranger, 4711)):
        async with listening(http, two.stream(game)) as ear:
            found.append(ear.answer.status)
    assert found == [403, 403, 403, 404]


async def test_who_follows_hears_moves_until_it_is_switched_off_and_the_players_hear_on(
    database_url: str, tmp_path: Path
) -> None:
    """The switch is in one process, the streams are in the other."""
    async with (
        two_servers(database_url, tmp_path) as two,
        two.browser() as stranger,
        two.browser(BO) as bo,
        listening(bo, two.stream(two.game)) as own,
    ):
        await own.named("known")
        await two.follow(live=True)
        async with listening(stranger, two.stream(two.game)) as ear:
            assert await ear.next() == Heard("known", "0", {})
            await two.move(ANNA, "e4")
            assert await ear.next() == Heard("game", "2", {"game": two.game, "seq": 2})
            await own.named("game")
            await two.follow(live=False)
            assert await ear.next(seconds=5) is None, "the stream has ended"
        async with listening(stranger, two.stream(two.game), "2") as ear:
            assert ear.answer.status == 403
        await two.move(BO, "e5")
        assert (await own.named("game")).data == {"game": two.game, "seq": 2}


async def test_after_the_listening_connection_is_lost_pages_are_told_to_look_at_everything(
    postgres_url: str, tmp_path: Path
) -> None:
    async with (
        two_servers(postgres_url, tmp_path) as two,
        two.browser(BO) as bo,
        listening(bo, two.stream(two.game)) as ear,
    ):
        assert await ear.next() == Heard("known", "0", {})
        store = await Store.open(postgres_url.replace(":@", "@"))
        async with store.write() as conn:
            await conn.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'kskak live' AND datname = current_database()"
            )
        await store.close()
        assert await ear.next() == Heard("missed", "0", {})
        await two.move(ANNA, "e4")
        assert await ear.next() == Heard("game", "1", {"game": two.game, "seq": 1})
