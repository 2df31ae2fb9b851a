"""A newcomer on a phone, from the front page to his first move: taps, letters, scrolls, pages.

He asks to join, is admitted, enters a class, and while its group fills takes an open invitation.
Seconds are printed, not judged: a busy machine is slow for its own reasons.
"""

import asyncio
import re
import time
from dataclasses import dataclass

from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Federation
from tests.browser.playing import centre

EMAIL = "nikoline@example.org"
FIELDS = (("Navn", "Nikoline Nymand"), ("Mailadresse", EMAIL), ("Født", "1990-05-05"))


@dataclass
class Finger:
    """Taps what it is shown, and counts; what is not in view costs a scroll."""

    page: Page
    taps: int = 0
    scrolls: int = 0

    async def tap(self, what: Locator) -> None:
        await what.wait_for()
        y = "e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom, innerHeight]"
        top, bottom, height = await what.evaluate(y)
        self.scrolls += top < 0 or bottom > height
        self.taps += 1
        await what.tap()


async def _link(page: Page, kind: str) -> str:
    """The link in the newest mail to him; mails are written while one waits."""
    for _ in range(300):
        box = await (await page.request.get("/mailbox")).text()
        for path in re.findall(r'href="(/mailbox/\d+)"', box)[:5]:
            mail = await (await page.request.get(path)).text()
            if EMAIL in mail and (found := re.search(rf'href="(/{kind}/[^"]+)"', mail)):
                return found[1]
        await asyncio.sleep(0.1)
    raise AssertionError(f"no mail with a link to /{kind}")


async def test_from_the_front_page_to_the_first_move(federation: Federation) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page, began = await federation.page(**phone), time.monotonic()
    finger, main = Finger(page), page.get_by_role("main")
    await page.goto("/")
    await finger.tap(page.get_by_role("link", name="Bliv spiller"))
    for label, text in FIELDS:
        await finger.tap(page.get_by_label(label, exact=True))
        await page.get_by_label(label, exact=True).fill(text)
    await page.get_by_label("Medlem af Dansk Skak Union").select_option("individual")
    finger.taps += 2  # the list is opened, and one of it chosen
    await finger.tap(page.get_by_role("button", name="Send mig et link"))
    await expect(page).to_have_url(re.compile("/join/sent"))
    await page.goto(await _link(page, "join"))
    await finger.tap(main.get_by_role("button"))
    await expect(page.get_by_role("status")).to_be_visible()
    desk = await federation.page("K-skak controller")
    await desk.goto("/desk/join")
    await desk.get_by_role("button", name="Optag som ny").click()
    await desk.get_by_role("status").first.wait_for()
    friend = await federation.page("opponent")
    await friend.goto("/friends")
    await friend.get_by_label("Din farve").select_option("black")
    await friend.get_by_role("button", name="Slå invitationen op").click()
    await friend.get_by_role("status").wait_for()
    await page.goto(await _link(page, "login"))
    await finger.tap(main.get_by_role("button"))
    await finger.tap(page.get_by_role("button", name="Tilmeld Åben klasse"))
    await expect(page.get_by_text("Tilmeldingen er modtaget")).to_be_attached()
    await finger.tap(page.get_by_role("button", name="Menu"))
    await finger.tap(page.get_by_role("link", name="Mine partier"))
    await finger.tap(main.get_by_role("link", name="Venskabspartier"))
    await finger.tap(main.get_by_role("button", name="Spil").first)
    await page.wait_for_selector("#board svg.cm-chessboard")
    for square in ("e2", "e4"):
        await page.touchscreen.tap(*await centre(page, square))
        finger.taps += 1
    await finger.tap(page.get_by_role("button", name="Se og send"))
    await finger.tap(page.get_by_role("button", name="Send trækket"))
    await expect(page.get_by_text("Dit træk er sendt")).to_be_in_viewport(ratio=1)
    print(f"{finger.taps} taps, {finger.scrolls} scrolls, {time.monotonic() - began:.0f} s in all")
    finger.taps += 2  # the links in two mails
    assert finger.taps <= 20 and finger.scrolls <= 2
