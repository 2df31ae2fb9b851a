"""The processes a benchmark loads: our server, and beside it the libraries doing nothing.

The load comes from the process that started them. Not for load or for figures.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from aiohttp import web
from aiosmtpd.smtp import SMTP, Envelope, Session

from kskak.records import dataclass
from server.app import running, spare_collector
from server.bench.cores import one_core
from server.settings import Settings, settings_from

HOST = "127.0.0.1"
DOMAIN = "kskak.localhost"
_START_S = 60.0
_STOP_S = 30.0


@dataclass(frozen=True, slots=True)
class Ports:
    """Where a child listens."""

    http: int
    smtp: int


def settings_for(path: Path, smarthost: int | None = None) -> Settings:
    """The server's settings for a benchmark database: any free ports.

    ``smarthost``: the port that takes mail out, over one connection; None: nothing leaves.
    """
    out = {} if smarthost is None else {"host": HOST, "port": smarthost, "connections": 1}
    return settings_from(
        {
            "database": {"url": f"sqlite+aiosqlite:///{path}", "backups": str(path.parent)},
            "web": {"host": HOST, "port": 0},
            "mail": {"domain": DOMAIN, "in": {"smtp_host": HOST, "smtp_port": 0}, "out": out},
        }
    )


@contextmanager
def kskak_process(path: Path) -> Iterator[Ports]:
    """Our server in a process of its own."""
    with _process(_serve_kskak, str(path)) as ports:
        yield ports


@contextmanager
def ceiling_process() -> Iterator[Ports]:
    """aiohttp echoing JSON and aiosmtpd accepting and forgetting, in a process of their own."""
    with _process(_serve_ceiling, "") as ports:
        yield ports


@contextmanager
def _process(target: Callable[[Connection, str], None], argument: str) -> Iterator[Ports]:
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    child = context.Process(target=target, args=(theirs, argument), daemon=True)
    child.start()
    theirs.close()
    try:
        if not mine.poll(_START_S):
            raise RuntimeError("a server of the benchmark did not start")
        yield mine.recv()
        mine.send(None)
    finally:
        mine.close()
        child.join(_STOP_S)
        if child.is_alive():
            child.kill()
            child.join()


async def _until_told(pipe: Connection, ports: Ports) -> None:
    """Report where we listen, then wait until the parent process says to stop, or ends."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(pipe.fileno(), told.set)
    pipe.send(ports)
    await told.wait()
    loop.remove_reader(pipe.fileno())


def _serve_kskak(pipe: Connection, path: str) -> None:
    async def main() -> None:
        async with running(settings_for(Path(path)), sends=False) as server:
            spare_collector()
            await _until_told(pipe, Ports(server.web_port, server.smtp_port))

    with one_core():
        asyncio.run(main())


def _serve_ceiling(pipe: Connection, _: str) -> None:
    async def main() -> None:
        async with _echo() as http, _null_smtp() as smtp:
            spare_collector()
            await _until_told(pipe, Ports(http, smtp))

    with one_core():
        asyncio.run(main())


@asynccontextmanager
async def _echo() -> AsyncIterator[int]:
    """aiohttp's POST echo, served the way our site is."""

    async def echo(request: web.Request) -> web.Response:
        return web.json_response(await request.json())

    app = web.Application()
    app.router.add_post("/{tail:.*}", echo)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, 0).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


class _Null:
    """Takes every mail and forgets it."""

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        return "250 2.0.0 OK"


@asynccontextmanager
async def _null_smtp() -> AsyncIterator[int]:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(_Null(), enable_SMTPUTF8=True, hostname=DOMAIN, ident="ESMTP", loop=loop),
        HOST,
        0,
    )
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
