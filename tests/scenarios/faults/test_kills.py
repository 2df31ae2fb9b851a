"""Killed again and again at drawn instants while players move: nothing lost, doubled, unreadable.

Players and their relays do as they must: what was not answered they send again. The named
instants are test_crash.py's; here one comes anywhere, from a start's first moment on.
"""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import aiohttp
import aiosmtplib
import pytest
from sqlalchemy import func, select

from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.tables.base import events, inbox, outbox
from server.usecases.desks import database_care
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter, Smarthost, smarthost
from tests.fakes.world import ANNA, BO, settings_of, world_on
from tools.bench.lines import lines

TABLES = 4
"""Games that are played at a time."""
PLIES = 24
ON_THEIR_WAY = 2 * TABLES
"""Letters that may be on their way as it dies: a move's relay and confirmation at each table."""
FEW, MANY = 3, 300
LIVES, LONG_S = 5.0, 4.0
"""The longest life, in times of a start, and in seconds at the least: many end before the server
listens, but with shorter ones nearly none sends a letter, and the games stand still."""
NEVER = "outbox-claimed:1000000000"
"""Has a start that is killed taken for one that was meant to be."""
QUIET_S = 120


@dataclass
class Table:
    """One game, its line of moves, and where White's letter of the start is answered to."""

    game: int
    name: str
    moves: tuple[str, ...]
    start: str
    sent: int = 0
    mailed: int = 0


@dataclass
class Storm:
    """A server that is killed, and those who play on it all the while."""

    child: Child
    host: Smarthost
    http: aiohttp.ClientSession
    tokens: tuple[str, str]
    draw: random.Random
    waiting: list[Table]
    store: Store
    tables: list[Table] = field(default_factory=list)
    in_start: int = 0
    is_over: bool = False

    async def lives(self, kills: int) -> None:
        """Start it and kill it so many times; then it runs."""
        longest_s = 0.0
        for _ in range(2):  # the first makes what the others are forked from
            begun = perf_counter()
            await self.child.start()
            longest_s = max(LIVES * (perf_counter() - begun), LONG_S)
            assert await self.child.stop() == 0
        for _ in range(kills):
            self.child.process = None
            starting = asyncio.create_task(self.child.start(NEVER))
            process = await _until(lambda: self.child.process)
            await asyncio.sleep(self.draw.uniform(0.0, longest_s))
            self.in_start += not starting.done()
            process.send_signal(signal.SIGKILL)
            await starting
            assert await self.child.died() == -signal.SIGKILL
        await self.child.start()
        self.is_over = True

    async def play(self) -> None:
        """One game after another, each move as soon as the one before it stands."""
        while self.waiting:
            table = self.waiting.pop()
            self.tables.append(table)
            for ply, move in enumerate(table.moves):
                if self.is_over:
                    return
                by_mail = self.draw.random() < 0.5
                key = await self.key(table, ply) if by_mail else ""
                table.mailed += by_mail
                table.sent = ply + 1
                if by_mail:
                    await _until(partial(self.mails, _mail(table, ply, move, key)))
                else:
                    await _until(partial(self.posts, table, ply, move))
                await _until(partial(self.stands, table, ply))

    async def key(self, table: Table, ply: int) -> str:
        """What the letter with the move before this one is answered to, when it has come.

        Its name is looked up: a letter that a process died with may come after newer ones.
        """
        if ply == 0:
            return table.start
        columns, side = outbox.c, ply % 2
        wanted = select(columns.message_id).where(
            columns.game_id == table.game, columns.seq == ply, columns.kind == "relay"
        )
        async with self.store.read() as conn:
            name = (await conn.execute(wanted)).scalar_one()
        had = await _until(
            lambda: [one for one in self.letters(table, side) if one.message_id == name]
        )
        return str(had[0].reply_to)

    def letters(self, table: Table, side: int) -> list[Letter]:
        """What a player has got about a game, each once, in the order it came."""
        mine = [one for one in self.host.to((ANNA, BO)[side]) if table.name in one.subject]
        return list({one.message_id: one for one in mine}.values())

    async def mails(self, said: EmailMessage) -> bool:
        """One attempt of the sender's relay: whether it heard 250."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self.child.smtp_port, timeout=20)
        try:
            await client.connect()
            await client.send_message(said)
        except (aiosmtplib.SMTPException, OSError):
            return False
        finally:
            client.close()
        return True

    async def posts(self, table: Table, ply: int, move: str) -> bool:
        """One press of the same button: whether it heard that the move is made."""
        head = {"Idempotency-Key": f"{table.name}-{ply}"}
        path = f"games/{table.game}/moves"
        status, _ = await self.asked("POST", path, ply % 2, json={"text": move}, headers=head)
        assert status in (0, 200, 503), f"{table.name}, ply {ply}: {status}"
        return status == 200

    async def stands(self, table: Table, ply: int) -> bool:
        """Whether the move is in the game."""
        status, answer = await self.asked("GET", f"games/{table.game}", ply % 2)
        assert status in (0, 200, 503), f"{table.name} can't be read: {status}"
        return status == 200 and int(str(answer["ply"])) > ply

    async def asked(
        self, method: str, path: str, side: int, **more: object
    ) -> tuple[int, dict[str, object]]:
        """Status and answer; 0 from nobody."""
        url = f"http://127.0.0.1:{self.child.web_port}/api/v1/{path}"
        more["headers"] = {"Authorization": f"Bearer {self.tokens[side]}"} | dict(
            more.get("headers", {})  # type: ignore[call-overload]
        )
        try:
            async with self.http.request(method, url, **more) as answer:  # type: ignore[arg-type]
                return answer.status, await answer.json()
        except (aiohttp.ClientError, OSError):
            return 0, {}


async def _until(ask: Callable[[], object]) -> Any:
    """Ask again until there is an answer."""
    while True:
        found = ask()
        if isinstance(found, Awaitable):
            found = await found
        if found:
            return found
        await asyncio.sleep(0.02)


def _mail(table: Table, ply: int, move: str, key: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = (ANNA, BO)[ply % 2], key
    mail["Subject"] = f"Re: {table.name}"
    mail["Message-ID"] = f"<{ply}.{table.game}@example.dk>"
    mail.set_content(move)
    return mail


@asynccontextmanager
async def _storm(url: str, folder: Path, games: int, draw: random.Random) -> AsyncIterator[Storm]:
    url = url.replace(":@", "@")
    async with smarthost() as host, aiohttp.ClientSession() as http:
        settings = settings_of(url, host, str(folder), zone=midday_zone())
        waiting = []
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            for number, line in enumerate(lines(games, PLIES)):
                name = f"K-26-{number:03}"
                game = await world.begin(name)
                moves = tuple(move.uci() for move in line.moves)
                waiting.append(Table(game, name, moves, str(Player(world).newest.reply_to)))
            tokens = (await world.token(ANNA), await world.token(BO))
        host.letters.clear()
        child = Child(settings, folder)
        store = await Store.open(settings.database.url)
        try:
            yield Storm(child, host, http, tokens, draw, waiting, store)
        finally:
            await store.close()
            if child.process is not None:
                await child.stop()


async def _is_quiet(store: Store) -> bool:
    async with store.read() as conn:
        mails = await conn.execute(select(inbox.c.state))
        letters = await conn.execute(select(outbox.c.state))
        return not {*mails.scalars(), *letters.scalars()} & {"new", "queued"}


async def _seqs(store: Store, letters: list[Letter]) -> list[int]:
    """Which events these letters tell of, in the order they came."""
    names = [one.message_id for one in letters]
    wanted = select(outbox.c.message_id, outbox.c.seq).where(outbox.c.message_id.in_(names))
    async with store.read() as conn:
        seqs = {row.message_id: row.seq for row in await conn.execute(wanted)}
    return [seqs[name] for name in names]


async def _assert_once(store: Store, storm: Storm, kills: int) -> None:
    """Each move stands once in its game, each mail did one, each letter went in its turn."""
    report = await database_care.verify(store)
    assert report.is_sound, report.findings
    async with store.read() as conn:
        outcomes = Counter((await conn.execute(select(inbox.c.outcome))).scalars())
        for table in storm.tables:
            rows = await game_rows.history(conn, table.game)
            made = [row.event.plies[0].uci() for row in rows]  # type: ignore[union-attr]
            assert made == list(table.moves[: table.sent]), table.name
        total = (await conn.execute(select(func.count()).select_from(events))).scalar_one()
    assert total == sum(table.sent for table in storm.tables)
    assert outcomes["moved"] == sum(table.mailed for table in storm.tables)
    assert outcomes.keys() <= {"moved", "duplicate"}, outcomes
    told = [len(storm.letters(table, side)) for table in storm.tables for side in (0, 1)]
    assert told == [table.sent for table in storm.tables for _ in (0, 1)]
    for table in storm.tables:
        for side in (0, 1):
            assert await _seqs(store, storm.letters(table, side)) == list(range(1, table.sent + 1))
    again = len(storm.host.letters) - sum(told)
    assert again <= kills * ON_THEIR_WAY, "only what was on its way goes twice, under its own name"
    print(
        f"{kills} kills, {storm.in_start} in a start; {len(storm.tables)} games, {total} moves,"
        f" {outcomes['moved']} by mail"
        f" ({outcomes['duplicate']} came again); {sum(told)} letters, {again} of them twice"
    )


async def _killed(url: str, folder: Path, kills: int, seed: int) -> None:
    print(f"seed {seed}")
    async with _storm(url, folder, TABLES + kills // 4, random.Random(seed)) as storm:
        playing = [asyncio.create_task(storm.play()) for _ in range(TABLES)]
        await storm.lives(kills)
        async with asyncio.timeout(QUIET_S):
            await asyncio.gather(*playing)
        async with asyncio.timeout(QUIET_S):
            await _until(partial(_is_quiet, storm.store))
        assert await storm.child.stop() == 0
        await _assert_once(storm.store, storm, kills)


async def test_killed_anywhere_no_move_and_no_letter_is_lost_or_doubled(sqlite_url, tmp_path):
    await _killed(sqlite_url, tmp_path, FEW, 1)


@pytest.mark.nightly
@pytest.mark.both_engines
@pytest.mark.timeout(3600)
async def test_nor_is_one_in_three_hundred_kills(database_url: str, tmp_path: Path) -> None:
    await _killed(database_url, tmp_path, MANY, random.SystemRandom().randrange(10**6))
