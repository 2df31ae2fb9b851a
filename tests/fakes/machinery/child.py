"""The server as a process of its own, to be killed for real: ``kskak serve``."""

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from server.machine import VARIABLE
from server.settings import Settings
from tests.fakes.machinery.forks import Forked, fork
from tests.fakes.machinery.ports import free_port
from tests.fakes.world import DOMAIN

ROOT = Path(__file__).parents[3]
PATIENCE_S = 50.0


async def _executed(
    folder: Path, environment: dict[str, str], log: Path
) -> asyncio.subprocess.Process:
    with log.open("ab") as errors:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", "serve",
            cwd=folder, env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=errors,
        )  # fmt: skip


@dataclass
class Child:
    """A server process on the database and smarthost of ``settings``."""

    settings: Settings
    folder: Path
    web_port: int = 0
    smtp_port: int = 0
    process: asyncio.subprocess.Process | Forked | None = None
    over: asyncio.Task[int] | None = None
    """Its end, with how it ended."""
    also: dict[str, str] = field(default_factory=dict)
    """What else stands in its environment."""
    words: tuple[str, ...] = ()
    """What follows `kskak serve`, as ("--only", "web,mail-in"): it must listen on both ports."""

    def _environment(self, crash_at: str | None) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KSKAK_")}
        out = self.settings.mail.out
        named = {
            "CLOCK__ZONE": self.settings.clock.zone,
            "DATABASE__URL": self.settings.database.url,
            "DATABASE__BACKUPS": str(self.folder / "backups"),
            "WEB__PORT": str(self.web_port),
            "WEB__PUBLIC_URL": f"http://{DOMAIN}",
            "MAIL__DOMAIN": DOMAIN,
            "MAIL__IN__SMTP_PORT": str(self.smtp_port),
            "MAIL__OUT__HOST": out.host,
            "MAIL__OUT__PORT": str(out.port),
        }
        kept |= {f"KSKAK_{name}": value for name, value in named.items()}
        if crash_at is not None:
            kept[VARIABLE] = crash_at
        return kept | self.also | {"PYTHONPATH": str(ROOT)}

    async def start(self, crash_at: str | None = None) -> None:
        """Start it and wait until it listens; or has died where it was to, which may be sooner."""
        self.web_port, self.smtp_port = free_port(), free_port()
        environment, log = self._environment(crash_at), self.folder / "log"
        if "LD_PRELOAD" in environment:
            self.process = await _executed(self.folder, environment, log)
        else:
            self.process = await fork(
                ["serve", *self.words], cwd=self.folder, env=environment, out=os.devnull, err=log
            )
        self.over = asyncio.create_task(self.process.wait())
        async with asyncio.timeout(PATIENCE_S):
            while not await self._listens():
                if self.over.done():
                    assert crash_at is not None, (self.folder / "log").read_text()
                    break
                await asyncio.sleep(0.05)

    async def _listens(self) -> bool:
        url = f"http://127.0.0.1:{self.web_port}/healthz"
        try:
            async with aiohttp.ClientSession() as http, http.get(url) as answer:
                ok = answer.status == 200
            _, writer = await asyncio.open_connection("127.0.0.1", self.smtp_port)
        except (aiohttp.ClientError, OSError):
            return False
        writer.close()
        await writer.wait_closed()
        return ok

    async def died(self) -> int:
        """How it ended, when it has."""
        assert self.over is not None
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.shield(self.over)

    async def stop(self) -> int:
        """SIGTERM: it finishes what it accepted."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await self.died()
