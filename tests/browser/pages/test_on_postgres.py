"""Every page that each role can reach opens on PostgreSQL too, whose pages may only read.

And it says the same when it is asked for again, of what the process has kept. The demonstration's
federation, its rows copied. Not for what pages look like (test_every_page.py).
"""

import re
from html import unescape
from pathlib import Path

import pytest
from aiohttp import ClientSession
from sqlalchemy import delete, insert, select

from server.app import run_server
from server.store.engine.store import Store
from server.store.tables.base import metadata
from server.usecases.demo import Demo
from tests.browser.conftest import server_settings
from tests.browser.crawling import Map
from tests.browser.federation import signed_in
from tests.conftest import own_database
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import TurnedClock

_FRESH = re.compile(r'(?<=value=")[\w=-]{20,}(?=")')
_LINK = re.compile(r'<a\b[^>]*\bhref="(/[^"#]*)')


async def _copied(source: str, target: str) -> None:
    """All rows of one database, in place of those that a new one has from its migrations."""
    old_store, new_store = await Store.open(source), await Store.open(target)
    try:
        async with old_store.read() as old, new_store.write() as new:
            for table in reversed(metadata.sorted_tables):
                await new.execute(delete(table))
            for table in metadata.sorted_tables:
                rows = (await old.execute(select(table))).mappings().all()
                if rows:
                    await new.execute(insert(table), [dict(row) for row in rows])
    finally:
        await old_store.close()
        await new_store.close()


async def _said(http: ClientSession, url: str) -> str:
    """A page but for what is drawn anew each time. AssertionError when it does not open."""
    async with http.get(url) as answer:
        assert answer.status == 200, f"{answer.status}: {url}"
        return _FRESH.sub("", await answer.text())


async def _walked(http: ClientSession, origin: str, faults: set[str]) -> int:
    """One page of each address that links lead to, from the front page; how many."""
    known, waiting, seen = Map(), ["/"], set[str]()
    for path in waiting:  # grows meanwhile
        name = await known.name(path.partition("?")[0])
        if name is None or name in seen:
            continue
        seen.add(name)
        said = [await _said(http, origin + path) for _ in range(2)]
        if said[0] != said[1]:
            faults.add(f"{path}: says something else when it is asked for again")
        waiting += map(unescape, _LINK.findall(said[0]))
    return len(seen)


@pytest.mark.timeout(120)
async def test_every_page_of_each_role_opens_on_postgresql(
    filled: tuple[bytes, Demo], tmp_path: Path, postgres_server: str, postgres_template: str
) -> None:
    content, demo = filled
    faults = set[str]()
    async with own_database(postgres_server, postgres_template) as url:
        await _copied(sqlite_file(tmp_path, content=content), url)
        async with run_server(server_settings(url), TurnedClock()) as server:
            origin = f"http://127.0.0.1:{server.web_port}"
            for email in ("", *(email for _, email in demo.roles)):
                cookie = await signed_in(server, email) if email else None
                own = {"Cookie": f"{cookie['name']}={cookie['value']}"} if cookie else {}
                async with ClientSession(headers=own) as http:
                    assert await _walked(http, origin, faults) > 10
    assert not faults, "\n".join(sorted(faults))
