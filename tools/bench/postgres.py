"""Durable moves over HTTP on PostgreSQL: one process beside the echo, two beside one.

On a database of its own, made on the server that was named and dropped afterwards; nothing else
there is touched. The load, the rounds and the counts are those on SQLite (throughput.py). Not for
other figures.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from sqlalchemy import func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.engine.connection import AsyncConnection, translate_errors
from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from server.store.tables.base import api_tokens, events, games, groups, people
from tools.bench.children import kskak_process
from tools.bench.cores import cores
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, create
from tools.bench.lines import lines
from tools.bench.spawned import Ports
from tools.bench.start import HAS_PROC
from tools.bench.throughput import (
    CONNECTIONS,
    CPU_UNIT,
    ECHO,
    HTTP_PLIES,
    Effort,
    Round,
    drive_http,
    figures_of,
)

NAME = "accepted durable moves over HTTP, PostgreSQL"
TWO = "moves over HTTP, PostgreSQL, two processes"
HTTP_GOAL = Goal(0.12, is_floor=True)
TWO_GOAL, TWO_CPU_GOAL = Goal(1.6, is_floor=True), Goal(0.8, is_floor=True)
"""Of one process: by the clock, and each of the two by its processor time."""
ONE = "one process"
CORES = 4
"""That two processes can be told by: one each, one for the load, one for PostgreSQL."""
_FILLED = (people, api_tokens, groups, games, events)


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server, by the URL of a database there whose user may create others."""

    url: URL

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[AsyncConnection]:
        """A connection without transactions. StoreError when the server can't be used."""
        engine = create_async_engine(self.url, isolation_level="AUTOCOMMIT")
        try:
            with translate_errors():
                async with engine.connect() as connection:
                    yield connection
        finally:
            await engine.dispose()

    async def tell(self, statement: str) -> None:
        """Run a statement of ours."""
        async with self.connected() as connection:
            await connection.execute(text(statement))

    async def shown(self, *names: str) -> str:
        """Some settings of the server, for the report."""
        async with self.connected() as connection:
            found = [(await connection.execute(text(f"SHOW {n}"))).scalar_one() for n in names]
        return ", ".join(f"{name}: {value}" for name, value in zip(names, found, strict=True))

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database, dropped afterwards."""
        name = f"kskak_bench_{secrets.token_hex(6)}"
        asyncio.run(self.tell(f"CREATE DATABASE {name}"))
        try:
            yield self.url.set(database=name).render_as_string(hide_password=False)
        finally:
            asyncio.run(self.tell(f"DROP DATABASE {name} WITH (FORCE)"))


def conditions(server: URL | None) -> dict[str, str]:
    """What the report says of the server, or that there is none. StoreError: it can't be used."""
    if server is None:
        return {NAME: "not measured: --postgres names no server"}
    names = ("server_version", "synchronous_commit", "fsync")
    found, allowed = {"PostgreSQL": asyncio.run(Server(server).shown(*names))}, len(cores())
    if allowed < CORES:
        few = f"{allowed} cores for them, the load and PostgreSQL: no measure of what they can"
        found[TWO] = few
    return found


def measure_postgres(
    server: URL, ground: Ground, ceiling: Ports, effort: Effort, report: Report
) -> None:
    """Add the figures and their count. Raises StoreError.

    ``ground``: where the games are made, to be copied.
    """
    with Server(server).database() as url:
        made = asyncio.run(_prepare(ground, url, effort))
        with kskak_process(url) as one, kskak_process(url, 1) as other:
            driven = drive_http([[one], [one, other]], ceiling, made, effort)
            found, acknowledged = asyncio.run(driven)
        held = asyncio.run(_in_ledger(url))
    report.figures += _figures(found)
    report.counts.append(Count("http, PostgreSQL", acknowledged, held))


def _figures(found: Sequence[Round]) -> list[Figure]:
    """By the clock, and by the processor time of our processes, PostgreSQL's own left out."""
    pairs = [(two.rate, one.rate) for _, (one, two) in found]
    figures = figures_of(NAME, ECHO, HTTP_GOAL, [(one, echo) for echo, (one, _) in found])
    figures.append(ratio_figure(TWO, "moves/s", ONE, TWO_GOAL, pairs))
    if HAS_PROC:
        pairs = [(two.cpu_rate, one.cpu_rate) for _, (one, two) in found]
        figures.append(ratio_figure(f"{TWO}, by CPU", CPU_UNIT, ONE, TWO_CPU_GOAL, pairs))
    return figures


async def _prepare(ground: Ground, url: str, effort: Effort) -> list[Game]:
    """Games made in SQLite as for any benchmark, and their rows copied to a new database."""
    count = 2 * CONNECTIONS * effort.games_each * (effort.rounds + 1)
    await create(ground, 2 * count)
    made = add_games(ground, FIRST_GAME, count, 0, lines(16, HTTP_PLIES), 2 * count)
    source, target = await Store.open(ground.url), await Store.open(url)
    try:
        await migrate(target, None)
        async with source.read() as old, target.write() as new:
            for table in _FILLED:
                rows = (await old.execute(select(table))).mappings().all()
                if rows:
                    await new.execute(insert(table), [dict(row) for row in rows])
            await new.execute(text("ANALYZE"))
    finally:
        await source.close()
        await target.close()
    return made


async def _in_ledger(url: str) -> int:
    store = await Store.open(url)
    try:
        async with store.read() as conn:
            query = select(func.count()).where(events.c.channel == "api")
            return int((await conn.execute(query)).scalar_one())
    finally:
        await store.close()
