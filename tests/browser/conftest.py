"""A whole server and a real browser: Debian's Chromium, its part without windows where it is.

Required in CI, which installs it; elsewhere skipped with a loud word when there is none. What a
browser did in a test that fails is kept as a Playwright trace, and where is printed; what its pages
looked like is in it only where ``KSKAK_TEST_TRACES`` names a folder: to note that is a tenth of the
browser's work.
"""

import inspect
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Generator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from sqlalchemy import update

from server.app import RunningServer, run_server
from server.core import open_core
from server.jobs.daily_duties import DailyJob, DeadlineJob
from server.settings import Settings
from server.store.play import people as person_rows
from server.store.tables.base import outbox
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.demo import Demo, fill
from server.usecases.groups import group_file
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.federation import furnish, signed_in
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import TurnedClock, group_text

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Each page is new to the browser's compiler: what it compiles to run faster is never run again.
    "--js-flags=--no-opt,--no-maglev",
    "--font-render-hinting=none",  # letters as wide as the whole Chromium makes them
)
TRACES = Path(os.environ.get("KSKAK_TEST_TRACES", "test-artifacts/traces"))
"""Where traces of failed tests are put; look at one with ``playwright show-trace``."""
_failed = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser lives in one event loop, so all tests here run in one."""
    for item in items:
        is_ours = item.path.is_relative_to(Path(__file__).parent)
        if is_ours and inspect.iscoroutinefunction(getattr(item, "function", None)):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember on the test that it failed, for who tidies up after it."""
    report = yield
    item.stash[_failed] = item.stash.get(_failed, False) or report.failed
    return report


@dataclass
class Contexts:
    """The browser's windows of one test; traced where a test is about what is done in them."""

    browser: Browser
    opened: list[BrowserContext] = field(default_factory=list)
    traced: list[BrowserContext] = field(default_factory=list)

    async def new(self, *, is_traced: bool = True, **options: object) -> BrowserContext:
        """A visitor of his own; the site's worker is not asked unless it is wanted."""
        options = {"locale": "da-DK", "service_workers": "block"} | options
        context = await self.browser.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        self.opened.append(context)
        if is_traced:
            await context.tracing.start(snapshots="KSKAK_TEST_TRACES" in os.environ)
            self.traced.append(context)
        return context

    async def close(self, kept: str) -> None:
        """Close all; ``kept`` names the test whose traces are wanted, "": they are thrown away."""
        for number, context in enumerate(self.traced if kept else (), 1):
            path = TRACES / f"{re.sub(r'[^A-Za-z0-9]+', '-', kept).strip('-')}-{number}.zip"
            await context.tracing.stop(path=path)
            print(f"trace kept: {path.resolve()}")
        for context in self.opened:
            await context.close()


@dataclass
class Browsers:
    """Chromium, started once for each set of switches that a test asks for."""

    stack: AsyncExitStack
    started: dict[tuple[str, ...], Browser] = field(default_factory=dict)

    async def with_switches(self, switches: tuple[str, ...]) -> Browser:
        """A browser that runs till the last test is done."""
        if switches not in self.started:
            play = await self.stack.enter_async_context(async_playwright())
            browser = await play.chromium.launch(executable_path=CHROMIUM, args=list(switches))
            self.stack.push_async_callback(browser.close)
            self.started[switches] = browser
        return self.started[switches]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browsers() -> AsyncIterator[Browsers]:
    """The browsers of this worker."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must install chromium-headless-shell")
        pytest.skip(
            "BROWSER NOT TESTED: no chromium on this machine (apt install chromium-headless-shell)"
        )
    async with AsyncExitStack() as stack:
        yield Browsers(stack)


@pytest.fixture
def switches() -> tuple[str, ...]:
    """What Chromium is started with; a module whose reader has set more gives its own."""
    return SWITCHES


@pytest_asyncio.fixture(loop_scope="session")
async def contexts(
    request: pytest.FixtureRequest, browsers: Browsers, switches: tuple[str, ...]
) -> AsyncIterator[Contexts]:
    """The windows that the test opens in Chromium."""
    made = Contexts(await browsers.with_switches(switches))
    yield made
    await made.close(request.node.name if request.node.stash.get(_failed, False) else "")


@dataclass
class Stage:
    """A running server with one group, and the browser that looks at it."""

    server: RunningServer
    clock: TurnedClock
    contexts: Contexts
    faults: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where the pages are."""
        return f"http://127.0.0.1:{self.server.web_port}"

    async def page(self, **options: object) -> Page:
        """A new page in a context of its own, which notes what goes wrong in it.

        Without the site's worker, unless ``service_workers="allow"`` is asked for; its reader
        wants no motion, so no test waits for one.
        """
        options = {"reduced_motion": "reduce"} | options
        context = await self.contexts.new(base_url=self.address, **options)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._console)
        return page

    async def signed_in(self, email: str, page: Page | None = None, **options: object) -> Page:
        """A new page, or this one, with somebody of the cast signed in.

        A browser that has shown nothing yet is given the cookie, and opens nothing. Where somebody
        sat before, it is done as people do it: by a link and its button.
        """
        page = page or await self.page(**options)
        if all(one.url == "about:blank" for one in page.context.pages):
            cookie = await signed_in(self.server, email)
            await page.context.add_cookies([{"url": self.address, **cookie}])  # type: ignore[typeddict-item]
            return page
        async with self.server.core.store.read() as conn:
            person = await person_rows.by_email(conn, email)
        assert person is not None
        link = await signin.make_link(self.server.core, person.id)
        await page.goto(urlsplit(link).path)
        await page.get_by_role("main").get_by_role("button").click()
        await page.wait_for_url("**/")
        return page

    def _console(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.faults.append(str(getattr(message, "text", "")))


def server_settings(database: str) -> Settings:
    return Settings.model_validate(
        {
            "database": {"url": database},
            "web": {"port": 0},
            "mail": {"in": {"smtp_port": 0}},
        }
    )


@pytest_asyncio.fixture(loop_scope="session")
async def stage(tmp_path: Path, contexts: Contexts) -> AsyncIterator[Stage]:
    """The server on ports of its own, with Anna against Bent, and a browser."""
    clock = TurnedClock()
    async with run_server(server_settings(sqlite_file(tmp_path)), clock) as server:
        await start_group(server.core, read_group_file(group_text("K-26-01")))
        yield Stage(server, clock, contexts)


@dataclass
class Federation:
    """The demonstration on a server of its own, on a day that stands still."""

    server: RunningServer
    demo: Demo
    contexts: Contexts

    @property
    def origin(self) -> str:
        """Where the pages are."""
        return f"http://127.0.0.1:{self.server.web_port}"

    async def page(self, role: str = "", **options: object) -> Page:
        """A page of a role of the demonstration, signed in; "": of a stranger."""
        context = await self.contexts.new(is_traced=False, base_url=self.origin, **options)
        email = dict(self.demo.roles).get(role, "")
        if email:
            cookie = await signed_in(self.server, email)
            await context.add_cookies([{"url": self.origin, **cookie}])  # type: ignore[typeddict-item]
        return await context.new_page()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Demo]:
    """The demonstration's database with an archive, all that is due done and no letter to be sent.

    Games are numbered as they are begun.
    """
    folder, numbers = tmp_path_factory.mktemp("federation"), count(1)
    drawn = SimpleNamespace(randbits=lambda _: next(numbers), token_hex=secrets.token_hex)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_file, "secrets", drawn)
        async with open_core(server_settings(sqlite_file(folder)), TurnedClock()) as core:
            made = await fill(core)
            await furnish(core, folder)
            await _settle(core)
    (path,) = folder.glob("*.db")
    return path.read_bytes(), made


async def _settle(core: Core) -> None:
    """Do the day's work, so that the pages show the same whenever they are looked at."""
    due, daily = DeadlineJob(core), DailyJob(core)
    for _ in range(2):  # what falls due may be the day's to tell, and the other way round
        while await due.work():
            pass
        await daily.work()
    async with core.store.write() as conn:
        await conn.execute(update(outbox).values(state="sent"))


@pytest_asyncio.fixture(loop_scope="session")
async def federation(
    tmp_path: Path, contexts: Contexts, filled: tuple[bytes, Demo]
) -> AsyncIterator[Federation]:
    """The demonstration's federation, a copy of a test's own, on a day that stands still."""
    content, demo = filled
    url = sqlite_file(tmp_path, content=content)
    async with run_server(server_settings(url), TurnedClock()) as server:
        yield Federation(server, demo, contexts)
