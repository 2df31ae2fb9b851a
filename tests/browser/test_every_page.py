"""Every page that a visitor can reach, in both themes and on a phone: WCAG, width, weight.

The demonstration's federation, walked by link as each of its roles. Not for what pages do.
"""

import gzip
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, Response, async_playwright

from kskak.past_pgn import past_pgn
from server.app import Running, running
from server.settings import Settings
from server.store import people
from server.usecases import signin
from server.usecases.demo import Demo, fill
from server.usecases.history.files import sources
from server.usecases.history.importing import import_past
from server.usecases.history.report import Watch
from tests.browser.conftest import CHROMIUM, SWITCHES
from tests.browser.crawling import walk
from tests.fakes.history import HEADER, past_game

pytestmark = pytest.mark.timeout(600)
MOST_BYTES = 100_000
"""Script and style of one page together, compressed."""
STANDARD = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
PAST = (past_game(), past_game(day="1987-05-00", event="", moves=b""))
_AXE = Axe()


@dataclass
class Weighed:
    """What a page brought with it: the compressed size of each script and style, by address."""

    origin: str
    sizes: dict[str, int] = field(default_factory=dict)
    foreign: list[str] = field(default_factory=list)

    async def take(self, response: Response) -> None:
        """Weigh an answer, and note one from elsewhere."""
        if response.url.startswith(("data:", "blob:")):
            return
        if not response.url.startswith(self.origin):
            self.foreign.append(response.url)
        elif response.request.resource_type in ("script", "stylesheet"):
            self.sizes[response.url] = len(gzip.compress(await response.body(), 6))


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[tuple[Running, Demo]]:
    """The demonstration's federation on a server of its own."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must install Debian's package chromium")
        pytest.skip("BROWSER NOT TESTED: no chromium on this machine (apt install chromium)")
    settings = Settings.model_validate(
        {
            "database": {"url": f"sqlite+aiosqlite:///{tmp_path / 'demo.db'}"},
            "web": {"port": 0},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    async with running(settings) as server:
        made = await fill(server.core)
        await _archive(server, tmp_path)
        yield server, made


async def _archive(server: Running, folder: Path) -> None:
    """Past games and a final table, so that the archive has a page of each kind."""
    (folder / "old.pgn").write_text("\n".join(map(past_pgn, PAST)), encoding="utf-8")
    line = f"{PAST[0].event};K;2002-05-01;;{PAST[0].white.name};5;6;1\n"
    (folder / "k.csv").write_text(HEADER + line, encoding="utf-8")
    await import_past(server.core, sources([folder]), Watch(), dry_run=False)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium, headless."""
    async with async_playwright() as play:
        opened = await play.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        yield opened
        await opened.close()


async def _signed_in(server: Running, browser: Browser, email: str, origin: str) -> Page:
    # Files from the site's worker have no octets to be weighed: it is not asked.
    context = await browser.new_context(locale="da-DK", base_url=origin, service_workers="block")
    page = await context.new_page()
    if email:
        async with server.core.store.read() as conn:
            person = await people.by_email(conn, email)
        assert person is not None
        link = await signin.make_link(server.core, person.id)
        await page.goto("/login/" + link.rpartition("/")[2])
        await page.get_by_role("main").get_by_role("button").click()
        # Nothing of this page may still be coming when the first one is weighed.
        await page.wait_for_url(f"{origin}/", wait_until="load")
    return page


async def _faults(page: Page, name: str) -> list[str]:
    """What axe finds on the page as it is shown now."""
    found = await _AXE.run(page, options={"resultTypes": ["violations"], **STANDARD})
    return [
        f"{name}: {violation['id']} at {node['target']}: {node['html'][:160]}"
        for violation in found.response["violations"]
        for node in violation["nodes"]
    ]


async def _looked_at(page: Page, name: str, role: str) -> list[str]:
    """Faults in both themes, and on a phone what is wider than the screen."""
    faults = []
    for scheme, width in (("light", 1100), ("dark", 390)):
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        await page.set_viewport_size({"width": width, "height": 800})
        faults += await _faults(page, f"{name} ({scheme}, {width} px)")
        await page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true })")
        wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            faults.append(f"{name}: {wide} px too wide at {width} px")
        if PICTURES:
            plain = name.strip("/").replace("/", "_") or "front"
            path = Path(PICTURES) / f"{role}_{plain}_{width}.png"
            await page.screenshot(path=str(path), full_page=True)
    return faults


async def _weight(page: Page, weighed: Weighed) -> int:
    used = await page.eval_on_selector_all(
        "script[src], link[rel=stylesheet]", "all => all.map(e => e.src || e.href)"
    )
    loaded = await page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    return sum(weighed.sizes.get(url, 0) for url in {*used, *loaded})


@pytest.mark.parametrize(
    ("role", "least"),
    [
        ("", 11),
        ("player", 14),
        ("team captain", 14),
        ("tournament leader", 20),
        ("K-skak controller", 22),
    ],
)
async def test_every_page_of_a_role_is_accessible_fits_a_phone_and_is_light(
    demo: tuple[Running, Demo], browser: Browser, role: str, least: int
) -> None:
    server, federation = demo
    origin = f"http://127.0.0.1:{server.web_port}"
    page = await _signed_in(server, browser, dict(federation.roles).get(role, ""), origin)
    weighed, faults, names = Weighed(origin), list[str](), list[str]()
    page.on("response", weighed.take)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    async for name in walk(page, origin):
        names.append(name)
        faults += await _looked_at(page, name, role or "stranger")
        weight = await _weight(page, weighed)
        if weight > MOST_BYTES:
            faults.append(f"{name}: {weight} bytes of script and style")
    assert not faults, "\n".join(faults)
    assert not weighed.foreign
    assert len(names) >= least, names
