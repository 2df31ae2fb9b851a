"""Killed for real between "mail accepted" and "relay sent": nothing is lost, nothing doubled.

``python -m server serve`` gets SIGKILL at each named point, is started again, and the sender's
relay does what RFC 5321 asks of it: it comes again until it has heard 250. What the dead process
had in hand is taken up by the next at once, long before a claim runs out.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import aiohttp
import aiosmtplib
import pytest
from sqlalchemy import select

from kskak.regulation.editions import Result
from server.machine import CRASH_POINTS
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.tables.base import events, inbox, outbox
from server.usecases.desks import database_care
from tests.fakes.machinery.child import PATIENCE_S, Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter, Smarthost, smarthost
from tests.fakes.world import ANNA, BO, TL, settings_of, world_on

BEFORE_250 = {"inbox-before-commit", "inbox-after-commit"}


@dataclass
class Site:
    """A started game whose first letters went out, and nothing running."""

    child: Child
    host: Smarthost
    url: str
    game: int
    key: str
    token: str
    mail: bytes
    leave: bytes
    link: str
    started: dict[str, int]

    async def deliver(self, raw: bytes) -> bool:
        """One attempt of the sender's relay: whether it heard 250."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self.child.smtp_port, timeout=20)
        try:
            await client.connect()
            await client.sendmail(ANNA, [self.key], raw)
        except (aiosmtplib.SMTPException, OSError):
            return False
        finally:
            client.close()
        return True

    def new(self, to: str) -> list[Letter]:
        """Letters about this game that came after the start."""
        return self.host.to(to)[self.started[to] :]

    async def until_quiet(self) -> None:
        """Until nothing waits any more, in or out; PATIENCE_S is less than a claim's lease."""
        store = await Store.open(self.url)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    async with store.read() as conn:
                        mails = await conn.execute(select(inbox.c.state))
                        letters = await conn.execute(select(outbox.c.state))
                        states = {*mails.scalars(), *letters.scalars()}
                    if not states & {"new", "queued"}:
                        return
                    await asyncio.sleep(0.05)
        finally:
            await store.close()

    async def ledger(self) -> list[str]:
        """The kinds of the game's events; everything must be sound."""
        store = await Store.open(self.url)
        assert (await database_care.verify(store)).is_sound
        async with store.read() as conn:
            found = await game_rows.history(conn, self.game)
            assert len((await conn.execute(select(events.c.seq))).all()) == len(found)
        await store.close()
        return [type(row.event).__name__ for row in found]

    async def outcomes(self) -> list[str | None]:
        store = await Store.open(self.url)
        async with store.read() as conn:
            found = (await conn.execute(select(inbox.c.outcome).order_by(inbox.c.id))).scalars()
        await store.close()
        return list(found)


@asynccontextmanager
async def _site(url: str, folder: Path) -> AsyncIterator[Site]:
    url = url.replace(":@", "@")
    async with smarthost() as host:
        settings = settings_of(url, host, str(folder), zone=midday_zone())
        today = real_day(settings.clock.zone)
        async with world_on(settings, host, today) as world:
            await world.begin()
            anna = Player(world)
            key = anna.newest.reply_to
            assert key is not None
            first = today + timedelta(days=10)
            mail, leave = anna.write("e4"), anna.write(f"ferie {first} {first}")
            assert await anna.reply("opgiver") == "asked_back"
            link = anna.letters[-1].link("/c/")
            started = {who: len(host.to(who)) for who in (ANNA, BO, TL)}
            site = Site(
                Child(settings, folder), host, url, world.game, key, await world.token(ANNA),
                mail, leave, link, started,
            )  # fmt: skip
        try:
            yield site
        finally:
            if site.child.process is not None:
                await site.child.stop()


def _once(letters: list[Letter]) -> None:
    """One letter, however often it was handed over."""
    assert len({letter.message_id for letter in letters}) == 1, [one.subject for one in letters]


ON_POSTGRES = ("inbox-after-commit", "writer-before-commit", "outbox-before-mark-sent")
"""One of each queue; SQLite has them all."""


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database of the kind that is asked for."""
    return str(request.getfixturevalue(request.param))


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("url", "point"),
    [("sqlite_url", point) for point in CRASH_POINTS]
    + [("postgres_url", point) for point in ON_POSTGRES],
    indirect=["url"],
)
async def test_killed_there_a_mailed_move_is_made_once_and_relayed_once(url, tmp_path, point):
    async with _site(url, tmp_path) as site:
        await site.child.start(crash_at=point)
        heard = await site.deliver(site.mail)
        assert await site.child.died() == -signal.SIGKILL, f"{point} was not reached"
        assert heard is (point not in BEFORE_250)
        await site.child.start()
        if not heard:
            assert await site.deliver(site.mail)
        await site.until_quiet()
        assert await site.child.stop() == 0
        assert await site.ledger() == ["MoveSent"]
        outcomes = (await site.outcomes())[1:]
        assert outcomes.count("moved") == 1
        assert set(outcomes) <= {"moved", "duplicate"}
        _once(site.new(BO))
        _once(site.new(ANNA))
        twice = point == "outbox-before-mark-sent"
        assert len(site.new(BO)) + len(site.new(ANNA)) <= (4 if twice else 2)


@pytest.mark.parametrize("point", ["writer-before-commit", "writer-after-commit"])
async def test_killed_there_a_move_by_the_api_is_made_once_under_its_key(
    sqlite_url: str, tmp_path: Path, point: str
) -> None:
    """The caller heard nothing and asks again with the same Idempotency-Key."""
    head = {"Idempotency-Key": "k1"}
    async with _site(sqlite_url, tmp_path) as site:
        head["Authorization"] = f"Bearer {site.token}"
        async with aiohttp.ClientSession(headers=head) as http:

            async def move() -> int:
                base = f"http://127.0.0.1:{site.child.web_port}/api/v1/games/{site.game}/moves"
                async with http.post(base, json={"text": "e4"}) as answer:
                    return answer.status

            await site.child.start(crash_at=point)
            with pytest.raises(aiohttp.ClientError):
                await move()
            assert await site.child.died() == -signal.SIGKILL
            await site.child.start()
            assert await move() == 200
            assert await move() == 200
        await site.until_quiet()
        assert await site.child.stop() == 0
        assert await site.ledger() == ["MoveSent"]
        _once(site.new(BO))
        _once(site.new(ANNA))


@pytest.mark.parametrize("point", ["writer-before-commit", "writer-after-commit"])
async def test_killed_there_leave_by_mail_is_booked_once_and_told_once(sqlite_url, tmp_path, point):
    async with _site(sqlite_url, tmp_path) as site:
        await site.child.start(crash_at=point)
        assert await site.deliver(site.leave)
        assert await site.child.died() == -signal.SIGKILL
        await site.child.start()
        await site.until_quiet()
        assert await site.child.stop() == 0
        assert await site.ledger() == ["LeaveBooked"]
        for who in (BO, TL, ANNA):
            _once(site.new(who))


@pytest.mark.parametrize("point", ["writer-before-commit", "writer-after-commit"])
async def test_killed_there_a_button_that_was_pressed_is_not_lost(sqlite_url, tmp_path, point):
    """«Do you resign?»: answered, and nothing heard; pressed again it is done, once."""
    async with _site(sqlite_url, tmp_path) as site, aiohttp.ClientSession() as http:

        async def press() -> int:
            url = f"http://127.0.0.1:{site.child.web_port}{site.link}"
            async with http.post(url, data={"answer": "yes"}) as answer:
                return answer.status

        await site.child.start(crash_at=point)
        with pytest.raises(aiohttp.ClientError):
            await press()
        assert await site.child.died() == -signal.SIGKILL
        await site.child.start()
        assert await press() == (200 if point == "writer-before-commit" else 410)
        await site.until_quiet()
        assert await site.child.stop() == 0
        assert await site.ledger() == ["PlayerResigned"]
        for who in (ANNA, BO, TL):
            _once(site.new(who))


async def test_two_letters_in_one_batch_are_both_sent_when_killed_after_the_first_mark(
    sqlite_url: str, tmp_path: Path
) -> None:
    """A resignation by the API, killed the second time that letters are marked.

    The first letters after a start are marked one by one, however they were claimed."""
    async with _site(sqlite_url, tmp_path) as site:

        async def post(path: str, body: dict[str, str]) -> int:
            base = f"http://127.0.0.1:{site.child.web_port}/api/v1/games/{site.game}"
            head = {"Authorization": f"Bearer {site.token}"}
            async with (
                aiohttp.ClientSession(headers=head) as http,
                http.post(f"{base}/{path}", json=body) as answer,
            ):
                return answer.status

        await site.child.start()
        assert await post("moves", {"text": "e4"}) == 200
        await site.until_quiet()
        assert await site.child.stop() == 0
        await site.child.start(crash_at="outbox-before-mark-sent:2")
        assert await post("resign", {}) == 200
        assert await site.child.died() == -signal.SIGKILL
        await site.child.start()
        await site.until_quiet()
        assert await site.child.stop() == 0
        assert await site.ledger() == ["MoveSent", "PlayerResigned"]
        for who, count in ((BO, 2), (ANNA, 2), (TL, 1)):
            assert len({one.message_id for one in site.new(who)}) == count
        assert Result.BLACK_WINS in site.new(TL)[-1].said
