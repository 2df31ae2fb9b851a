"""The libraries doing nothing, in a process of their own: what ours is held against.

It imports nothing of ours that takes long. Not for our server (children.py).
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.connection import Connection

from aiohttp import web
from aiosmtpd.smtp import SMTP, Envelope, Session

from tools.bench.cores import one_core
from tools.bench.spawned import DOMAIN, HOST, Ports, process, until_told


@contextmanager
def ceiling_process() -> Iterator[Ports]:
    """aiohttp echoing JSON and aiosmtpd accepting and forgetting, in a process of their own."""
    with process(_serve_ceiling, "") as ports:
        yield ports


def _serve_ceiling(pipe: Connection, _: str) -> None:
    async def main() -> None:
        async with _echo() as http, _null_smtp() as smtp:
            gc.freeze()
            gc.set_threshold(20_000, 20, 50)  # as ours (server.app.spare_collector)
            await until_told(pipe, Ports(http, smtp))

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
