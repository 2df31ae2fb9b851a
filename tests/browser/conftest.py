"""A whole server and a real browser: Debian's Chromium, headless.

Required in CI, which installs it; elsewhere skipped with a loud word when there is none.
"""

import os
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from server.app import Running, running
from server.settings import Settings
from server.store import people
from server.usecases import signin
from server.usecases.group_file import read_group_file
from server.usecases.start_group import start_group
from tests.fakes.built import sqlite_file
from tests.fakes.site import TurnedClock, group_text

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Stage:
    """A running server with one group, and the browser that looks at it."""

    server: Running
    clock: TurnedClock
    browser: Browser

    @property
    def address(self) -> str:
        """Where the pages are."""
        return f"http://127.0.0.1:{self.server.web_port}"

    async def page(self, **options: object) -> Page:
        """A new page in a context of its own, which notes what goes wrong in it.

        Without the site's worker, unless ``service_workers="allow"`` is asked for.
        """
        options = {"service_workers": "block"} | options
        context: BrowserContext = await self.browser.new_context(
            base_url=self.address, locale="da-DK", **options
        )
        context.set_default_timeout(10_000)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._console)
        return page

    async def signed_in(self, email: str, page: Page | None = None, **options: object) -> Page:
        """A new page, or this one, with somebody of the cast signed in by a link and its button."""
        page = page or await self.page(**options)
        async with self.server.core.store.read() as conn:
            person = await people.by_email(conn, email)
        assert person is not None
        link = await signin.make_link(self.server.core, person.id)
        await page.goto(urlsplit(link).path)
        await page.get_by_role("main").get_by_role("button").click()
        await page.wait_for_url("**/")
        return page

    def _console(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.faults.append(str(getattr(message, "text", "")))

    def __post_init__(self) -> None:
        self.faults: list[str] = []


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """The server on ports of its own, with Anna against Bent, and a browser."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must install Debian's package chromium")
        pytest.skip("BROWSER NOT TESTED: no chromium on this machine (apt install chromium)")
    settings = Settings.model_validate(
        {
            "database": {"url": sqlite_file(tmp_path)},
            "web": {"port": 0},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    clock = TurnedClock()
    async with running(settings, clock) as server, async_playwright() as play:
        await start_group(server.core, read_group_file(group_text("K-26-01")))
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        opened = Stage(server, clock, browser)
        yield opened
        await browser.close()
