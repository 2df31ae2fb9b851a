"""The questions that a page asks the database are as many with few games as with 1,000.

Every page that each role of the demonstration is led to by a link; the few are the
demonstration's own. Not for how long they take (`make bench`).
"""

import re
from html import unescape
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar

from server.app import RunningServer, run_server
from server.settings import Settings
from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.demo import fill
from server.web.frame.context import cookie_name
from tests.browser.crawling import Map
from tests.fakes.machinery.multiplied import multiply
from tests.fakes.many import statements

MANY = 1_000
LINK = re.compile(r'<a [^>]*?href="(/[^"#]*)')
pytestmark = pytest.mark.timeout(300)


async def _visitor(server: RunningServer, email: str) -> ClientSession:
    headers = {}
    if email:
        async with server.core.store.read() as conn:
            person = await person_rows.by_email(conn, email)
        assert person is not None
        link = await signin.make_link(server.core, person.id)
        signed = await signin.use_link(server.core, link.rpartition("/")[2])
        assert signed is not None
        headers["Cookie"] = f"{cookie_name(server.core.settings)}={signed.secret}"
    origin = f"http://127.0.0.1:{server.web_port}"
    return ClientSession(origin, headers=headers, cookie_jar=DummyCookieJar())


async def _open(client: ClientSession, path: str) -> tuple[str, list[str]]:
    with statements() as asked:
        async with client.get(path) as answer:
            text = await answer.text()
            assert answer.status == 200, f"{path}: {answer.status}"
    return text, [one for one in asked if not one.startswith(("BEGIN", "PRAGMA"))]


async def _walk(client: ClientSession) -> dict[str, list[str]]:
    """One page of each address by the links that are shown, and its questions the second time:
    the first look at a page may be noted.
    """
    known, waiting, seen, asked = Map(), ["/"], set[str](), set[str]()
    found: dict[str, list[str]] = {}
    while waiting:
        if (path := waiting.pop(0)) in asked:
            continue
        asked.add(path)
        name = await known.name(path.partition("?")[0])
        if name is None or name in seen:
            continue
        seen.add(name)
        text, _ = await _open(client, path)
        found[path] = (await _open(client, path))[1]
        waiting += [unescape(link) for link in LINK.findall(text)]
    return found


async def test_a_page_asks_as_much_with_1000_games_as_with_few(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    settings = Settings.model_validate(
        {
            "database": {"url": f"sqlite+aiosqlite:///{path}"},
            "web": {"port": 0},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    async with run_server(settings, polls=False) as server:
        made = await fill(server.core)
        visitors = [("stranger", ""), *made.roles]
        clients = {role: await _visitor(server, email) for role, email in visitors}
        few = {role: await _walk(client) for role, client in clients.items()}
        assert multiply(path, MANY) >= MANY
        more = []
        for role, pages in few.items():
            for page, asked in pages.items():
                _, now = await _open(clients[role], page)
                if len(now) != len(asked):
                    extra = next((one for one in now if now.count(one) > asked.count(one)), "")
                    more.append(f"{role} {page}: {len(asked)} -> {len(now)}, such as {extra}")
        for client in clients.values():
            await client.close()
    assert sum(map(len, few.values())) > 60
    assert not more, "\n".join(more)
