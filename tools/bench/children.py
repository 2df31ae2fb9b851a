"""Our server for a benchmark: in a process of its own, and the settings it has there.

The load comes from the process that started it. Not for load or for figures.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from sqlalchemy.engine import make_url

from server.app import run_server, spare_collector
from server.machine import ROLES
from server.settings import Settings, settings_from
from tools.bench.cores import one_core
from tools.bench.layers import looks_of, sampled
from tools.bench.spawned import DOMAIN, HOST, Ports, process, until_told


def settings_for(url: str, smarthost: int | None = None) -> Settings:
    """The server's settings for a benchmark database: any free ports.

    ``smarthost``: the port that takes mail out, over one connection; None: nothing leaves.
    """
    out = {} if smarthost is None else {"host": HOST, "port": smarthost, "connections": 1}
    return settings_from(
        {
            "database": {"url": url},
            "web": {"host": HOST, "port": 0},
            "mail": {"domain": DOMAIN, "in": {"smtp_host": HOST, "smtp_port": 0}, "out": out},
        }
    )


@contextmanager
def kskak_process(url: str, nth: int = 0) -> Iterator[Ports]:
    """Our server in a process of its own, the ``nth`` beside others, on the database of ``url``."""
    with process(partial(_serve_kskak, nth), url) as ports:
        yield ports


def _serve_kskak(nth: int, pipe: Connection, url: str) -> None:
    async def main() -> None:
        async with run_server(settings_for(url), roles=set(ROLES) - {"mail-out"}) as server:
            spare_collector()
            await until_told(pipe, Ports(server.web_port, server.smtp_port))

    looks = looks_of(Path(str(make_url(url).database)))  # none are laid for PostgreSQL
    with one_core(nth), sampled(looks):
        asyncio.run(main())
