"""Pages and API answers that six visitors see, in four states of the demonstration's federation.

Not for what a page must say (tests/server/web): only for whether it says the same.
"""

import json
import re
import tempfile
from collections.abc import Iterable
from datetime import timedelta
from html import unescape
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from aiohttp import ClientSession
from sqlalchemy import update

from server.app import RunningServer, run_server
from server.jobs.daily_duties import DailyJob, DeadlineJob
from server.store.tables.base import outbox
from server.usecases.context import Limiter
from server.usecases.demo import fill
from server.usecases.groups import group_file
from tests.browser.conftest import server_settings
from tests.browser.crawling import Map
from tests.browser.federation import furnish, signed_in
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import TurnedClock

STATES = {"empty": None, "begun": 0, "month": 30, "year": 320}
"""Days that the clock goes on after the demonstration was filled, with all that falls due."""
ONCE_A_PATTERN = 3
_LINK = re.compile(r'(?:href|src|action)="(/[^"#]*)')
_FRESH = re.compile(r'(?<=value=")[\w=-]{20,}(?=")')
_VERSION = re.compile(r"/static/[0-9a-f]{12}/")
_TOKEN = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}")
_HELD = re.compile(r"\{(\w+)\}")
_TOLD_APART = {"name": "K-demo-01", "group": "K-demo-01", "from": "200", "to": "300"}


async def answers() -> dict[str, str]:
    """Each answer by state, visitor and address."""
    made: dict[str, str] = {}
    numbers = count(1)
    drawn = SimpleNamespace(randbits=lambda _: next(numbers), token_hex=lambda n: "5eed" * n)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_file, "secrets", drawn)
        patch.setattr(Limiter, "wait", lambda *_: 0)
        url, clock = sqlite_file(Path(folder)), TurnedClock()
        async with run_server(server_settings(url), clock, polls=False) as server:
            made |= await _seen(server, "empty", [""])
            demo = await fill(server.core)
            await furnish(server.core, Path(folder))
            for state, days in STATES.items():
                if days is None:
                    continue
                await _go_on(server, clock, days)
                made |= await _seen(server, state, ["", *(email for _, email in demo.roles)])
    return made


async def _go_on(server: RunningServer, clock: TurnedClock, days: int) -> None:
    """Day by day, with each day's duties; letters are as good as sent."""
    target = max(clock.at, TurnedClock().at + timedelta(days))
    while True:
        for _ in range(2):
            while await DeadlineJob(server.core).work():
                pass
            await DailyJob(server.core).work()
        async with server.core.store.write() as conn:
            await conn.execute(update(outbox).values(state="sent"))
        if clock.at >= target:
            return
        clock.turn(1)


async def _seen(server: RunningServer, state: str, visitors: Iterable[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    origin = f"http://127.0.0.1:{server.web_port}"
    for email in visitors:
        cookie = await signed_in(server, email) if email else None
        head = {"Cookie": f"{cookie['name']}={cookie['value']}"} if cookie else {}
        async with ClientSession(headers=head) as http:
            place = f"{state}/{email.partition('@')[0] or 'stranger'}"
            for path, text in [*await _pages(http, origin), *await _calls(http, origin)]:
                made[f"{place}{_file_of(path)}"] = _masked(text, server.web_port)
    return made


def _file_of(path: str) -> str:
    return re.sub(r"[^\w./=&-]", "_", "/front" if path == "/" else path)[:150] + ".txt"


def _masked(text: str, port: int) -> str:
    return _TOKEN.sub(
        "*", _FRESH.sub("*", _VERSION.sub("/static/*/", text).replace(f":{port}", ":PORT"))
    )


async def _pages(http: ClientSession, origin: str) -> list[tuple[str, str]]:
    """Up to three pages of each address that links lead to, from the front page."""
    known, waiting, asked = Map(), ["/"], {"/"}
    seen: dict[str, int] = {}
    made = []
    for path in waiting:  # grows meanwhile
        name = await known.name(path.partition("?")[0])
        if name is None or seen.get(name, 0) >= ONCE_A_PATTERN:
            continue
        seen[name] = seen.get(name, 0) + 1
        async with http.get(origin + path, allow_redirects=False) as answer:
            text = await answer.text()
            made.append((path, f"{answer.status}\n{answer.headers.get('Location', '')}\n{text}"))
        fresh = [p for p in map(unescape, _LINK.findall(text)) if p not in asked]
        waiting += dict.fromkeys(fresh)
        asked.update(fresh)
    return made


async def _calls(http: ClientSession, origin: str) -> list[tuple[str, str]]:
    """Every call that only reads, with ids 1 and 2 where one is asked for."""
    async with http.get(origin + "/api/v1/openapi.json") as answer:
        document = await answer.json()
    made = [("/api/v1/openapi.json", json.dumps(document, indent=1, sort_keys=True))]
    for pattern, methods in sorted(document["paths"].items()):
        if "get" not in methods:
            continue
        for number in ("1", "2") if "{" in pattern else ("1",):
            path = _HELD.sub(lambda m, n=number: _TOLD_APART.get(m[1], n), pattern)
            path = path if path.startswith("/api/") else "/api/v1" + path
            async with http.get(origin + path) as answer:
                is_stream = answer.content_type == "application/x-ndjson"  # it has no end
                made.append((path, f"{answer.status}\n{'' if is_stream else await answer.text()}"))
    return made
