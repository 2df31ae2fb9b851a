"""One run of everything, in a folder that is removed afterwards. Not for what is measured."""

import asyncio
import gc
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.engine import URL

from kskak.regulation.days import local_day
from server.app import spare_collector
from server.clock import SystemClock
from server.core import open_core
from server.store.engine.rows import to_us
from server.store.engine.sqlite_library import sqlite3
from tools.bench import postgres
from tools.bench.accounts import measure_accounts
from tools.bench.ceilings import ceiling_process
from tools.bench.children import settings_for
from tools.bench.cores import chosen, one_core
from tools.bench.disk import flush_us
from tools.bench.duties import measure_duties
from tools.bench.figures import Report
from tools.bench.fixture import ZONE, Ground, pragmas
from tools.bench.growth import measure_growth
from tools.bench.idle import measure_idle
from tools.bench.layers import looks_of, sampled
from tools.bench.lone import measure_lone
from tools.bench.pages import measure_pages
from tools.bench.past_games import measure_import
from tools.bench.relay import measure_relay
from tools.bench.sizes import measure_sizes
from tools.bench.spawned import Ports
from tools.bench.start import measure_start
from tools.bench.stored import measure_stored
from tools.bench.throughput import CONNECTIONS, Effort, measure_throughput

_LIBRARIES = ("aiohttp", "aiosmtpd", "aiosmtplib", "SQLAlchemy", "chess")


@contextmanager
def _as_served() -> Iterator[None]:
    """The garbage collector set as in a serving process, restored afterwards."""
    before = gc.get_threshold()
    spare_collector()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured. ``seconds`` is per throughput measurement; the rest are counts.

    ``idle``: how often, and for how many seconds. ``ended``: games that ended long ago, in
    databases of so many, for what should not notice them. ``profile``: CPU by layer too.
    ``postgres``: a server that lets us create databases.
    """

    rounds: int = 5
    seconds: float = 2.0
    lone_moves: int = 100
    repeats: int = 5
    batches: int = 6
    games: int = 100_000
    looks: int = 20
    letters: int = 32
    past: int = 600
    idle: tuple[int, float] = (3, 60.0)
    ended: tuple[int, ...] = (1_000, 10_000, 100_000)
    profile: bool = False
    postgres: URL | None = None


QUICK = Plan(
    rounds=1,
    seconds=0.1,
    lone_moves=5,
    repeats=1,
    batches=1,
    games=2_000,
    looks=1,
    letters=4,
    past=5,
    idle=(1, 0.2),
    ended=(500, 1_000),
)
"""Enough to see that everything runs; its figures say nothing."""


def measure(folder: Path, plan: Plan) -> Report:
    """Measure everything on the disk of ``folder``. OSError when it can't be written to.

    StoreError when the PostgreSQL server that was named can't be used.
    """
    report = Report()
    with TemporaryDirectory(prefix="kskak-bench-", dir=folder) as name, _as_served():
        place = Path(name)
        report.conditions |= _conditions() | postgres.conditions(plan.postgres)
        report.conditions["page flush before (µs)"] = _flush(place)
        if plan.profile:
            report.conditions["profile"] = "moves and relayed letters are carried out in one thread"
            for database in ("server", "relay"):
                looks_of(_ground(place, database).path).touch()
        start = _ground(place, "start")
        asyncio.run(_empty(start))
        measure_start(start.path, plan.rounds, report)
        with ceiling_process() as ceiling:
            _beside_libraries(place, ceiling, plan, report)
        with one_core():
            asyncio.run(measure_pages(_ground(place, "pages"), plan.rounds, plan.looks, report))
            past = measure_import(_ground(place, "past"), plan.rounds, plan.past, report)
            asyncio.run(past)
        measure_accounts(_ground(place, "accounts").today, plan.rounds, plan.repeats, report)
        sizes = (plan.rounds, plan.batches, plan.games)
        few, many = _ground(place, "few"), _ground(place, "many")
        asyncio.run(measure_growth(few, many, sizes, report))
        full = (f"{plan.games:,} games", many.path)
        measure_idle((("no game", start.path), full), plan.idle, report)
        grounds = [(_ground(place, f"ended-{count}"), count) for count in plan.ended]
        asyncio.run(measure_duties(grounds, plan.rounds, report))
        with one_core():
            asyncio.run(measure_sizes(grounds, (plan.rounds, plan.looks), report))
        report.conditions["page flush after (µs)"] = _flush(place)
    return report


def _beside_libraries(place: Path, ceiling: Ports, plan: Plan, report: Report) -> None:
    """What is held against libraries that do nothing, and what sends its letters to one."""
    ground, effort = _ground(place, "server"), Effort(plan.rounds, plan.seconds)
    measure_throughput(ground, ceiling, effort, report)
    report.conditions["pragmas"] = pragmas(ground.path)
    if plan.postgres is not None:
        copied = _ground(place, "copied")
        postgres.measure_postgres(plan.postgres, copied, ceiling, effort, report)
    with one_core():
        lone = measure_lone(_ground(place, "lone"), plan.rounds, plan.lone_moves, report)
        asyncio.run(lone)
        letters, relay = (plan.rounds, plan.letters), _ground(place, "relay")
        with sampled(looks_of(relay.path)):
            asyncio.run(measure_relay(relay, ceiling.smtp, letters, report))
        stored = measure_stored(_ground(place, "stored"), ceiling.smtp, plan.letters, report)
        asyncio.run(stored)


async def _empty(ground: Ground) -> None:
    async with open_core(settings_for(ground.url)):
        pass


def _ground(place: Path, name: str) -> Ground:
    now = SystemClock().now()
    return Ground(place / f"{name}.db", local_day(now, ZONE), to_us(now))


def _flush(place: Path) -> str:
    found = flush_us(place)
    return f"{found.low:.0f} / {found.mid:.0f} / {found.high:.0f}"


def _core() -> str:
    core = chosen()
    held = f"servers, ours and the bare ones, held on core {core}; the load on any"
    return "the system's choice" if core is None else held


def _conditions() -> dict[str, str]:
    versions = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "libraries": versions,
        "core": _core(),
        "connections": f"{CONNECTIONS}, each on games of its own",
        "letters": "kept in the outbox by every move, not sent while moves are measured",
    }
