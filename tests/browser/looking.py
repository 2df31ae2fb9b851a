"""What is asked of a page as it is shown: WCAG by axe, its width, its weight, and that it is still.

Not for which pages there are (crawling.py).
"""

import fcntl
import gzip
import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import CDPSession, Page, Response

from tests.fakes.machinery.draws import AT_NIGHT

MOST_BYTES = 100_000
"""Script and style of one page together, compressed."""
MOST_LETTER_BYTES = 70_000
"""Fonts that one page asks for together; they come compressed, and the page waits for none."""
UNSEEN = 0.005
"""What may move at once, as the browser scores it (0.1 is still good): on a busy machine it draws a
table's first rows before it knows the widths of the last ones. A line that comes late scores more.
"""
_STANDARD = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
LETTER = 16
"""The height of letters that the browser begins with, in pixels."""
THEMES = (("dark", 390), ("light", 1100))
"""Colours and widths in pixels. A page is loaded anew in each: it is to be still from the start."""
_WEIGHED = frozenset({"script", "stylesheet"})
PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
"""A folder for pictures of the pages, to be looked at; "": none are taken."""
_AXE = Axe()
_KNOWN = Path(tempfile.gettempdir()) / (
    f"kskak-looked-at-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
)
"""What axe has looked at in this run, in whichever of its processes: each element in its parent,
each order of headings, each page that was walked to; a digest a line."""
if "PYTEST_XDIST_TESTRUNUID" not in os.environ:
    _KNOWN.unlink(missing_ok=True)  # a process's number comes again
_SHIFTS = """
window.__shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const names = entry.sources.map((s) => s.node && (s.node.id || s.node.className
      || s.node.nodeName));
    if (!entry.hadRecentInput) window.__shifts.push({
      value: entry.value, what: entry.value.toFixed(4) + " " + names });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
_ONE = """const one = (e) => e.tagName + "." + [...e.classList].sort().join(".") + "["
    + [...e.attributes].map((a) => ["role", "type", "scope"].includes(a.name)
      ? a.name + "=" + a.value : a.name).sort().join() + "]" + (e.textContent.trim() ? "+" : "-");
  const inParent = (e) => (e.parentElement ? one(e.parentElement) : "") + one(e);"""
_SHAPE = f"""() => {{
  {_ONE}
  const all = [...document.querySelectorAll("*")];
  const heads = all.filter((e) => /^H[1-6]$/.test(e.tagName)).map((e) => e.tagName);
  return [...new Set(all.map(inParent)), heads.filter((h, i) => h !== heads[i - 1]).join()];
}}"""
_POINTS_OUT = """() => [...document.querySelectorAll("table.cross, table.account")]
  .filter((table) => [...table.querySelectorAll("td.points, .account td.number")].some((e) =>
    e.getBoundingClientRect().right > document.documentElement.clientWidth))
  .map((table) => table.parentElement.ariaLabel || table.className)"""
_CUT = """() => [...document.querySelectorAll(".scroll, .iccf")].filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && innerWidth < 700
    && !getComputedStyle(e).backgroundAttachment.includes("local"))
  .map((e) => e.ariaLabel || e.textContent.trim().slice(0, 40))"""
_ROLLED = """(name) => {
  const kept = [...document.querySelectorAll(".scroll table:not(.cross, .year, #score) tbody th")]
    .map((th) => document.createTreeWalker(th, NodeFilter.SHOW_TEXT).nextNode())
    .filter((text) => text?.data.trim()).map((text) => [text, text.data]);
  kept.forEach(([text]) => { text.data = name; });
  const found = [...document.querySelectorAll(".scroll:not(:has(table.cross, #score))")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && innerWidth < 700)
    .map((e) => e.ariaLabel || e.textContent.trim().slice(0, 40));
  kept.forEach(([text, data]) => { text.data = data; });
  return found;
}"""
_COMPARED = "main, nav, header, footer, aside, section, form, h1, h2, h3, h4, h5, h6, [role]"
"""What a page's rules hold against each other: an old one beside a new one may be wrong."""
LONG_NAME = "Christian-Emil Vestergaard Sørensen-Wojciechowski"
"""What each row of a table is called when its width on a phone is measured."""
_BESIDE = """() => {
  const screen = document.documentElement.clientWidth;
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true; });
  const found = new Set();
  const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX)
    || getComputedStyle(e).clipPath !== "none" || scrolls(e.parentElement));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement, range = document.createRange();
    if (!text.data.trim() || !holder.checkVisibility({ visibilityProperty: true })) continue;
    if (holder.closest(".skip") || scrolls(holder)) continue;
    range.selectNodeContents(text);
    const right = Math.max(...[...range.getClientRects()].map((one) => one.right));
    const box = holder.closest("a, button, .button");
    const drawn = box && getComputedStyle(box).borderRightStyle !== "none";
    const edge = drawn ? Math.min(screen, box.getBoundingClientRect().right) : screen;
    if (right > edge + 1) found.add(`${text.data.trim().slice(0, 40)} (${right - edge} px)`);
  }
  closed.forEach((one) => { one.open = false; });
  return [...found];
}"""
_RUN = "(options) => axe.run(document, options).then((found) => found.violations)"
_RUN_FRESH = f"""([options, names]) => {{
  {_ONE}
  const fresh = new Set(names), alike = new Map(), exclude = [];
  const gather = (e, within) => {{
    const inside = within || (fresh.has(inParent(e)) ? inParent(e) : "");
    const place = inside && `${{within}} > ${{one(e)}}`;
    if (inside) alike.set(place, [...(alike.get(place) || []), e]);
    [...e.children].forEach((child) => gather(child, place));
  }};
  gather(document.documentElement, "");
  const few = (all) => [...all.slice(0, 2), ...all.slice(-1)];
  const chosen = new Set([...alike.values()].flatMap(few));
  const isAsked = (e) => {{
    const children = [...e.children], asked = children.map(isAsked);
    const own = chosen.has(e);
    if (own || asked.includes(true)) exclude.push(...children.filter((_, i) => !asked[i]));
    return own || asked.includes(true) || e.matches("{_COMPARED}");
  }};
  isAsked(document.documentElement);
  return axe.run({{ exclude }}, options).then((found) => found.violations);
}}"""
_LETTERS = """() => document.fonts.ready.then(() => performance.getEntriesByType("resource")
  .filter((e) => e.name.endsWith(".woff2")).reduce((sum, e) => sum + e.encodedBodySize, 0))"""
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


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
        elif response.url not in self.sizes and response.request.resource_type in _WEIGHED:
            self.sizes[response.url] = len(gzip.compress(await response.body(), 6))

    async def of(self, page: Page) -> int:
        """Octets of script and style that the page as shown has asked for."""
        used = await page.eval_on_selector_all(
            "script[src], link[rel=stylesheet]", "all => all.map(e => e.src || e.href)"
        )
        loaded = await page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
        return sum(self.sizes.get(url, 0) for url in {*used, *loaded})


async def letters(page: Page) -> int:
    """Octets of fonts that the page as shown has asked for, or found with the browser."""
    return int(await page.evaluate(_LETTERS))


async def watch(page: Page) -> None:
    """Note what moves on the pages that are opened from now on."""
    await page.add_init_script(_SHIFTS)


async def shifts(page: Page, most: float = UNSEEN) -> list[str]:
    """What moved by itself by more than ``most`` since the page began to load: how far, what."""
    await page.evaluate(_PAINTED)
    moved = await page.evaluate("window.__shifts")
    return [one["what"] for one in moved if one["value"] > most]


async def looked_at(page: Page, name: str) -> list[str]:
    """Faults of the page that was opened in the first theme: what moved by itself, what axe finds,
    what is too wide. Then it is opened anew in the second; afterwards the first is set again.

    axe and the second theme look where there is something new: the same elements with the same
    classes and attributes in the same parents, on another page or shown to another role, are not;
    and of a new table's rows that are made alike, down to every cell, the first two and the last.
    By day the second theme has one page of three.
    """
    fresh = await _fresh(page)
    found = await _seen(page, name, THEMES[0], fresh)
    if fresh and _is_its_turn(name):
        await set_theme(page, THEMES[1])
        await page.reload()
        found += await _seen(page, name, THEMES[1], fresh)
        await set_theme(page, THEMES[0])
    return found


def _is_its_turn(name: str) -> bool:
    """Whether a page is also looked at in the other theme and in large letters: all at night."""
    return AT_NIGHT or int(_digest(name), 16) % 3 == 0


async def is_new(page: Page, name: str) -> bool:
    """Whether no walk of this run has come to a page of that name, or not with all its parts."""
    parts = await page.evaluate(_SHAPE)
    return bool(claim([f"page {name}"]) or _unknown(parts))


async def _fresh(page: Page) -> list[str]:
    """What no page has had before; from now on it is known."""
    return claim(await page.evaluate(_SHAPE))


def _digest(part: str) -> str:
    return hashlib.blake2b(part.encode(), digest_size=12).hexdigest()


def _unknown(parts: Iterable[str]) -> list[str]:
    known = set(_KNOWN.read_text().split()) if _KNOWN.exists() else set()
    return sorted(part for part in set(parts) if _digest(part) not in known)


def claim(parts: Iterable[str]) -> list[str]:
    """Those that nobody has looked at; from now on they are this process's to look at."""
    with _KNOWN.open("a") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)  # given up as the file is closed
        fresh = _unknown(parts)
        kept.writelines(f"{_digest(part)}\n" for part in fresh)
    return fresh


async def _seen(page: Page, name: str, theme: tuple[str, int], fresh: list[str]) -> list[str]:
    found = await _moved(page, name, theme)
    if fresh:
        asked = [_STANDARD, fresh]
        found += await _run(page, f"{name} ({theme[0]}, {theme[1]} px)", _RUN_FRESH, asked)
    rolled = await page.evaluate(_ROLLED, LONG_NAME)
    found += [
        f"{name}: a table is rolled that is no crosstable or score: {what}" for what in rolled
    ]
    return found + await too_wide(page, name)


async def posted(page: Page, name: str) -> list[str]:
    """The same of what a deed brought, a form's answer or a dialog: it is not asked for again."""
    found: list[str] = []
    await page.wait_for_function("document.readyState === 'complete'")  # its styles are there
    fresh = await _fresh(page)
    for theme in reversed(THEMES) if AT_NIGHT else THEMES[:1]:
        await set_theme(page, theme)
        if fresh:
            asked = [_STANDARD, fresh]
            found += await _run(page, f"{name} ({theme[0]}, {theme[1]} px)", _RUN_FRESH, asked)
        found += await too_wide(page, name)
    await set_theme(page, THEMES[0])
    return found


async def _moved(page: Page, name: str, theme: tuple[str, int]) -> list[str]:
    return [f"{name} ({theme[1]} px): moved by itself: {what}" for what in await shifts(page)]


async def too_wide(page: Page, name: str) -> list[str]:
    """Whether the page, with all that can be unfolded, is wider than the screen.

    And whether a table of results has its points beside it, an account its days: nobody looks
    for them there; and whether what is cut at a phone's edge shows that there is more.
    """
    opened = await page.evaluate(
        "() => [...document.querySelectorAll('details:not([open])')].map(d => d.open = true)"
    )
    wide = await _beyond(page)
    hidden = await page.evaluate(_POINTS_OUT)
    cut = await page.evaluate(_CUT)
    if opened:
        await page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = false })")
    found = [f"{name}: {wide} px too wide"] if wide > 0 else []
    found += [f"{name}: cut without a sign of more: {what}" for what in cut]
    return found + [f"{name}: points of {table} out of sight" for table in hidden]


async def looked_at_large(page: Page, letters: CDPSession, name: str) -> list[str]:
    """What lies beside the page or its box where the reader has set letters of 200 %."""
    if not _is_its_turn(name):
        return []
    await letters.send("Page.setFontSizes", {"fontSizes": {"standard": 2 * LETTER}})
    found = await too_wide(page, f"{name} (letters of 200 %)")
    found += [f"{name}: beside its box: {text}" for text in await page.evaluate(_BESIDE)]
    await letters.send("Page.setFontSizes", {"fontSizes": {"standard": LETTER}})
    return found


async def _beyond(page: Page) -> int:
    """Pixels that the page is wider than the screen, when the board has followed a new width."""
    for _ in range(20):
        wide = int(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
        if wide <= 0:
            break
        await page.wait_for_timeout(100)
    return wide


async def faults(page: Page, name: str, *rules: str) -> list[str]:
    """What axe finds on the page as it is shown now; by these rules alone, where they are named."""
    asked = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else _STANDARD
    return await _run(page, name, _RUN, asked)


async def new_faults(page: Page, name: str) -> list[str]:
    """What axe finds in those parts of the page that no page has had before.

    Landmarks and headings are looked at with what is new: they are compared.
    """
    fresh = await _fresh(page)
    return await _run(page, name, _RUN_FRESH, [_STANDARD, fresh]) if fresh else []


async def _run(page: Page, name: str, script: str, asked: object) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_AXE.axe_script)
    return [
        f"{name}: {violation['id']} at {node['target']}: {node['html'][:160]}"
        for violation in await page.evaluate(script, asked)
        for node in violation["nodes"]
    ]


async def set_theme(page: Page, theme: tuple[str, int]) -> None:
    """Colours and width of what is shown."""
    scheme, width = theme
    await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    await page.set_viewport_size({"width": width, "height": 800})
