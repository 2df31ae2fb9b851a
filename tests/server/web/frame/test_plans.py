"""No page reads a whole table that grows to show a part of it: the plans of all its statements."""

import re
import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed, officials

GROWING = {
    "cases", "case_events", "deadlines", "events", "games", "groups", "inbox", "messages", "outbox",
    "people", "ratings", "seats", "sessions",
}  # fmt: skip
SHOWS_ALL = {
    "/players": {"people", "ratings", "seats"},
    "/ratings": {"people", "ratings"},
    "/clubs": {"people"},
    "/desk/mail": {"inbox"},
}
"""What pages may read whole: lists that count or print everybody; at the desk only to the first
mail that is too old, from the newest on."""
PLAYERS = ("/", "/leave", "/settings", "/players", "/ratings", "/clubs", "/league", "/cup",
           "/titles", "/bulletins", "/archive", "/groups/K-26-01", "/players/1", "/games/{game}",
           "/games/{game}/statement", "/desk/cases/{case}")  # fmt: skip
OFFICIALS = ("/desk", "/desk/mail", "/desk/leave", "/desk/groups/K-26-01", "/desk/members/1",
             "/desk/cases/{case}")  # fmt: skip
_SCAN = re.compile(r"SCAN (\w+)")


@pytest.fixture(autouse=True)
def asked() -> Iterator[list[str]]:
    """What is asked of every connection to SQLite that is opened in the test."""
    heard: list[str] = []

    def listen(opened: object, _: object) -> None:
        driver = getattr(getattr(opened, "driver_connection", None), "_conn", opened)
        driver.set_trace_callback(heard.append)  # type: ignore[attr-defined]

    event.listen(Pool, "connect", listen)
    yield heard
    event.remove(Pool, "connect", listen)


def _scanned(database: str, statement: str) -> set[str]:
    """The growing tables that a statement reads from end to end."""
    with sqlite3.connect(database) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    return {found[1] for line in plan if (found := _SCAN.match(line))} & GROWING


@pytest.mark.parametrize(("name", "paths"), [("anna", PLAYERS), ("tove", OFFICIALS)])
async def test_no_page_reads_a_growing_table_whole(
    asked: list[str], site: Site, browsers: Browsers, name: str, paths: tuple[str, ...]
) -> None:
    await officials(site)
    case = (await claimed(site, browsers)).removeprefix("/desk/cases/")
    browser, game = await browsers.of(name), await site.game()
    found = []
    for pattern in paths:
        path = pattern.format(game=game.id, case=case)
        asked.clear()
        status, _ = await browser.get(path)
        statements = [one for one in asked if one.lstrip().upper().startswith(("SELECT", "WITH"))]
        assert status == 200 and statements, path
        whole = {
            table for one in statements for table in _scanned(site.core.store.url.database, one)
        }
        found += [f"{path}: {table}" for table in sorted(whole - SHOWS_ALL.get(path, set()))]
    assert found == []
