"""Neither a page nor a day's duty reads a whole table that grows for a part of it.

Asked of the plans of all their statements.
"""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from server.jobs.daily_duties import DUTIES, DailyJob, DeadlineJob
from server.jobs.mail_jobs import InboxJob, OutboxJob
from server.jobs.notify import PushJob
from server.store.engine.sqlite_library import sqlite3
from server.store.mail import inbox as inbox_rows
from tests.fakes.site import officials
from tests.server.web.desk_cast import claimed

GROWING = {
    "answered_pages", "cases", "case_events", "confirmations", "events", "games",
    "groups", "idempotency", "inbox", "login_links", "messages", "outbox", "past_games",
    "people", "publications", "ratings", "seats", "sessions",
}  # fmt: skip
SHOWS_ALL = {
    "/players": {"people", "ratings", "seats"},
    "/ratings": {"people", "ratings"},
    "/clubs": {"people"},
    "/desk/mail": {"inbox"},
    "/archive": {"past_games"},
    "/desk/cases/2026/1": {"case_events"},
}
"""What pages may read whole: lists that count or print everybody, a thousand players at the most;
at the desk only to the first mail that is too old, in the archive a page of the newest games; in a
case the decisions that the Board has published, of the few thousand events that cases have."""
LOOKS_THROUGH = {
    "team-entries": {"groups"},  # while a season's teams wait: who leads, and who plays where
    "ratings": {"groups"},
    "year": {"groups", "people"},
    "retention": {
        "case_papers",
        "cases",
        "confirmations",
        "games",
        "groups",
        "inbox",
        "outbox",
        "publications",
        "seats",
    },
    "mail-report": {"inbox"},
    "rights": {"seats"},
}
"""What the day's duties may look through once a day, while nobody waits for them."""
PLAYERS = ("/", "/friends", "/leave", "/settings", "/players", "/ratings", "/clubs", "/league",
           "/cup", "/titles", "/bulletins", "/archive", "/groups/K-26-01", "/players/1",
           "/games/{game}", "/games/{game}/statement", "/desk/cases/{case}")  # fmt: skip
OFFICIALS = ("/desk", "/desk/mail", "/desk/leave", "/desk/groups/K-26-01", "/desk/members/1",
             "/desk/cases/{case}")  # fmt: skip
T = TypeVar("T")
_SCAN = re.compile(r"SCAN (\w+)")
_BY_STATE = re.compile(r"SEARCH (\w+) USING (?:COVERING )?INDEX \w+ \((?:state|own_id)=\?\)$")
_OF_MOST = re.compile(r"state = '(?:sent|done)'|own_id IS NULL")
"""Nearly every letter was sent and nearly every mail is done, and nearly no past game is a copy of
one of ours: by that, all are read."""


@dataclass
class Asked:
    """What a piece of work asks of the database; ``holding``: while all others wait to write."""

    reading: list[str] = field(default_factory=list)
    holding: list[str] = field(default_factory=list)

    async def by(self, work: Awaitable[T]) -> T:
        """A piece of work's answer; what was asked before it is forgotten."""
        self.reading.clear()
        self.holding.clear()
        return await work


@pytest.fixture(autouse=True)
def asked() -> Iterator[Asked]:
    """What is asked of every connection to SQLite that is opened in the test."""
    heard = Asked()

    def listen(opened: object, _: object) -> None:
        driver = getattr(getattr(opened, "driver_connection", None), "_conn", opened)
        driver.set_trace_callback(_Told(heard))  # type: ignore[attr-defined]

    event.listen(Pool, "connect", listen)
    yield heard
    event.remove(Pool, "connect", listen)


class _Told:
    """Sorts the statements of one connection."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._holds = asked, False

    def __call__(self, statement: str) -> None:
        said = statement.lstrip().upper()
        if said.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
            self._holds = said.startswith("BEGIN IMMEDIATE")
        elif said.startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
            (self._asked.holding if self._holds else self._asked.reading).append(statement)


def _scanned(database: str, statement: str) -> set[str]:
    """The growing tables that a statement reads from end to end."""
    with sqlite3.connect(database) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    whole = [_SCAN, _BY_STATE] if _OF_MOST.search(statement) else [_SCAN]
    return {found[1] for line in plan for one in whole if (found := one.match(line))} & GROWING


@pytest.mark.parametrize(("name", "paths"), [("anna", PLAYERS), ("tove", OFFICIALS)])
async def test_no_page_reads_a_growing_table_whole(asked, site, browsers, name, paths):
    await officials(site)
    case = (await claimed(site, browsers)).removeprefix("/desk/cases/")
    browser, game = await browsers.of(name), await site.game()
    found = []
    for pattern in paths:
        path = pattern.format(game=game.id, case=case)
        status, _ = await asked.by(browser.get(path))
        statements = [*asked.reading, *asked.holding]
        assert status == 200 and statements, path
        whole = {
            table for one in statements for table in _scanned(site.core.store.url.database, one)
        }
        found += [f"{path}: {table}" for table in sorted(whole - SHOWS_ALL.get(path, set()))]
    assert found == []


async def test_no_duty_of_the_day_reads_a_growing_table_whole(asked, site, browsers):
    """The day's duties and each sweep, on the second day: nothing is due and little has changed."""
    await officials(site)
    await claimed(site, browsers)
    core, database = site.core, site.core.store.url.database
    await DailyJob(core).work()
    site.clock.turn(1)
    works: dict[str, Callable[[], Awaitable[object]]] = {
        **{duty.name: partial(duty.is_due or duty.do, core) for duty in DUTIES},
        "deadlines": DeadlineJob(core).work,
        "inbox": InboxJob(core).work,
        "outbox": OutboxJob(core).work,
        "push": PushJob(core).work,
        "watch": partial(core.store.look, lambda conn: inbox_rows.find_due_jobs(conn, core.now_us)),
    }
    found = []
    for name, work in works.items():
        await asked.by(work())
        held = {table for one in asked.holding for table in _scanned(database, one)}
        read = {table for one in asked.reading for table in _scanned(database, one)}
        found += [f"{name} while others wait: {table}" for table in sorted(held)]
        found += [f"{name}: {table}" for table in sorted(read - LOOKS_THROUGH.get(name, set()))]
    assert found == []
