"""How long a player with a slow telephone waits for his game: `python -m tests.browser.slow_phone`.

A first visit, nothing kept, at 1.6 Mbit/s, 150 ms and a quarter of this machine's CPU, in the
window of a small telephone: the largest paint, when the board takes a move, octets and requests.
With the word `pages`: the largest paint of each page that links lead a player to (goal 1500).
It prints; it is no test, for a busy machine is slow for its own reasons. `chrt -r 1` before it
keeps others' work out of what is measured (seen under a load of 12: 2,100 ms without, 800 with).
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.async_api import BrowserContext, CDPSession, Page, Request, async_playwright

from server.app import run_server
from server.usecases.account import signin
from server.usecases.demo import fill
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import CHROMIUM, SWITCHES, server_settings
from tests.browser.crawling import walk
from tests.browser.federation import signed_in
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import Site, TurnedClock, group_text

ROUNDS, NAME = 7, "K-26-01/1"
WINDOW = {"width": 390, "height": 664}
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOWER = 4
MOVES = "e4 e5 Sf3 Sc6 Lb5 a6 La4 Sf6 0-0 Le7 Te1 b5 Lb3 d6 c3 0-0 h3 Sa5 Lc2 c5 d4 Dc7"
WATCH = """
window.__seen = {paint: 0, first: 0, ready: 0, moved: 0}
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) { window.__seen.paint = one.startTime }
}).observe({type: "largest-contentful-paint", buffered: true})
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) { window.__seen.moved += one.value }
}).observe({type: "layout-shift", buffered: true})
const look = () => {
    if (document.querySelector("#board .cm-chessboard [data-piece]")) {
        window.__seen.ready = performance.now()
    } else {
        requestAnimationFrame(look)
    }
}
look()
"""


async def _visit(context: BrowserContext, path: str, awaits: str = "ready") -> dict[str, float]:
    page = await context.new_page()
    line = await context.new_cdp_session(page)
    await _slow(line)
    await page.add_init_script(WATCH)
    asked: list[Request] = []
    page.on("requestfinished", lambda request: asked.append(request))
    await page.goto(path, wait_until="networkidle")
    await page.wait_for_function(f"window.__seen.{awaits} > 0")
    seen: dict[str, float] = await page.evaluate("window.__seen")
    sizes = [await one.sizes() for one in asked]
    seen["octets"] = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
    seen["requests"] = len(asked)
    seen["letters"] = await _letters(page)
    await page.close()
    return seen


async def _slow(line: CDPSession) -> None:
    await line.send("Network.enable")
    await line.send("Network.clearBrowserCache")
    await line.send("Network.emulateNetworkConditions", LINE)
    await line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


LETTERS = """() => {
    const wide = (family) => {
        const line = document.body.appendChild(document.createElement("span"))
        line.textContent = "Et parti i korrespondanceskak"
        line.style.cssText = `position: absolute; font: 40px ${family}`
        const {width} = line.getBoundingClientRect()
        line.remove()
        return width
    }
    return wide('"Source Serif 4", monospace') === wide("monospace") ? 0 : 1
}"""


async def _letters(page: Page) -> float:
    """1 when the pages' own letters are what is shown; late ones are loaded and not shown."""
    return float(await page.evaluate(LETTERS))


async def _measured(folder: Path) -> list[dict[str, float]]:
    clock = TurnedClock()
    async with run_server(server_settings(sqlite_file(folder)), clock) as server:
        await start_group(server.core, read_group_file(group_text("K-26-01")))
        site = Site(server.core, clock, None)  # type: ignore[arg-type]  # it has its own pages
        for move in MOVES.split():
            await site.play(await site.game(NAME), move)
        game, anna = await site.game(NAME), await site.person("anna@example.org")
        async with async_playwright() as play:
            browser = await play.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
            address = f"http://127.0.0.1:{server.web_port}"
            context = await browser.new_context(
                base_url=address, viewport=WINDOW, service_workers="block"
            )
            page = await context.new_page()
            link = await signin.make_link(server.core, anna.id)
            await page.goto(link.removeprefix(server.core.settings.web.site))
            await page.get_by_role("main").get_by_role("button").click()
            await page.wait_for_url("**/")
            await page.close()
            seen = [await _visit(context, f"/games/{game.id}") for _ in range(ROUNDS)]
            await browser.close()
    return seen


async def _measured_pages(folder: Path) -> None:
    async with run_server(server_settings(sqlite_file(folder)), TurnedClock()) as server:
        (_, email), *_ = (await fill(server.core)).roles
        origin = f"http://127.0.0.1:{server.web_port}"
        async with async_playwright() as play:
            browser = await play.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
            context = await browser.new_context(viewport=WINDOW, service_workers="block")
            cookie = await signed_in(server, email)
            await context.add_cookies([{"url": origin, **cookie}])  # type: ignore[typeddict-item]
            walker = await context.new_page()
            urls = [walker.url async for _, is_opened in walk(walker, origin) if is_opened]
            for url in urls:
                seen = [await _visit(context, url, "paint") for _ in range(3)]
                paints = sorted(round(one["paint"]) for one in seen)
                print(
                    f"{url.removeprefix(origin):40}", *(f"{one:>8}" for one in paints), flush=True
                )
            await browser.close()


def main() -> None:
    """Measure, and print least, median and most."""
    if CHROMIUM is None:
        sys.exit("no Chromium here (apt install chromium-headless-shell)")
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1:] == ["pages"]:
            asyncio.run(_measured_pages(Path(folder)))
            return
        seen = asyncio.run(_measured(Path(folder)))
    for name, what in (
        ("paint", "largest paint, ms (goal 1200)"),
        ("ready", "the board takes a move, ms (goal 2000)"),
        ("moved", "layout shift"),
        ("octets", "octets with heads and letters"),
        ("requests", "requests"),
        ("letters", "our own letters shown (1) or not (0)"),
    ):
        values = [one[name] for one in seen]
        print(f"{what:40}", *(f"{round(f(values), 3):>8}" for f in (min, median, max)))


if __name__ == "__main__":
    main()
