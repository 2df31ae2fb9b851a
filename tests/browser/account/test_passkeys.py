"""A passkey in a real browser, by Chromium's own virtual authenticator; axe on pages of access."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from server.app import run_server
from server.settings import Settings
from server.store.play import people as person_rows
from server.usecases.account import notifications, signin
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import Contexts, Stage
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.push_service import PushService
from tests.fakes.site import TurnedClock, group_text

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest_asyncio.fixture(loop_scope="session")
async def named(tmp_path: Path, contexts: Contexts) -> AsyncIterator[Stage]:
    """A server that has a name: browsers give no passkey to a number."""
    port = free_port()
    settings = Settings.model_validate(
        {
            "database": {"url": f"sqlite+aiosqlite:///{tmp_path / 'kskak.db'}"},
            "web": {"port": port, "public_url": f"http://localhost:{port}"},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    clock = TurnedClock()
    async with run_server(settings, clock) as server:
        await start_group(server.core, read_group_file(group_text("K-26-01")))
        yield Stage(server, clock, contexts)


async def _with_authenticator(page: Page) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


async def _axe(page: Page) -> list[str]:
    faults = []
    for scheme, width in (("light", 1100), ("dark", 390)):
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        await page.set_viewport_size({"width": width, "height": 800})
        found = await Axe().run(page, options={"runOnly": TAGS})
        faults += [f"{scheme}: {one['id']} {one['nodes']}" for one in found.response["violations"]]
        if await page.evaluate("document.documentElement.scrollWidth - window.innerWidth") > 0:
            faults.append(f"too wide at {width} px")
    return faults


async def test_a_passkey_is_made_on_the_page_and_signs_in_again(named: Stage) -> None:
    page = await named.page()
    origin = named.server.core.settings.web.site
    await _with_authenticator(page)
    async with named.server.core.store.read() as conn:
        anna = await person_rows.by_email(conn, "anna@example.org")
    assert anna is not None
    link = await signin.make_link(named.server.core, anna.id, "/settings/access")
    await page.goto(link)
    main = page.get_by_role("main")
    await main.get_by_role("button").click()
    await page.get_by_label("Hvad skal nøglen hedde?").fill("Min telefon")
    await page.get_by_role("button", name="Lav en adgangsnøgle").click()
    await page.get_by_text("Adgangsnøglen er lavet.").wait_for()
    assert await main.get_by_text("Min telefon").first.is_visible()
    assert await _axe(page) == []
    await page.get_by_label("Hvad skal nøglen hedde?").fill("Den samme igen")
    await page.get_by_role("button", name="Lav en adgangsnøgle").click()
    await page.get_by_text("Browseren gav ingen adgangsnøgle").wait_for()
    for path in ("/settings/data", "/xfcc/XfccBasic.asmx"):
        await page.goto(origin + path)
        assert await _axe(page) == [], path
    await page.get_by_role("button", name="Menu").click()
    await page.locator(".nav summary").click()
    await page.get_by_role("button", name="Log ud", exact=True).click()
    await page.goto(f"{origin}/signin?next=/leave")
    assert await _axe(page) == []
    await page.get_by_role("button", name="Log ind med adgangsnøgle").click()
    await page.wait_for_url(f"{origin}/leave")
    await page.get_by_role("button", name="Menu").click()
    assert await page.locator(".nav summary").text_content() == "Anna Andersen"
    assert named.faults == []


# Turning notifications on in a real browser, and what its worker does with one that comes. The
# browser's own service is not there without a network: its answer to ``subscribe`` is stood in
# for, and the notification is put into the worker by hand. All else is real.


STAND_IN = """
const given = %s
Notification.requestPermission = () => Promise.resolve("granted")
Object.defineProperty(Notification, "permission", {get: () => "default"})
PushManager.prototype.getSubscription = () => Promise.resolve(null)
PushManager.prototype.subscribe = (options) => Promise.resolve({
    toJSON: () => ({
        endpoint: given.endpoint + options.applicationServerKey.length,
        keys: {p256dh: given.key, auth: given.auth},
    }),
})
"""


async def test_notifications_are_turned_on_and_off_by_a_button(stage: Stage, tmp_path: Path):
    service = PushService(tmp_path)
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await anna.context.add_init_script(STAND_IN % json.dumps(service.fields()))
    await anna.goto("/settings")
    await anna.get_by_role("link", name="Beskeder i browseren").click()
    await anna.get_by_role("button", name="Slå beskeder til i denne browser").click()
    await expect(anna.get_by_text("Beskeder er slået til i denne browser")).to_be_visible()
    async with stage.server.core.store.read() as conn:
        (row,) = await notifications.rows.list_person_browsers(
            conn, 1
        ) or await notifications.rows.list_person_browsers(conn, 2)
    assert row.endpoint == "https://push.example/anna87"  # the length of the server's own key
    assert (row.auth, row.browser) == (service.auth, "Chrome;Linux")
    await anna.get_by_role("button", name="Slå beskeder fra: Chrome på Linux").click()
    await expect(anna.get_by_text("Du får ikke besked i nogen browser")).to_be_visible()
    assert stage.faults == []


async def test_the_button_is_dead_and_says_why_without_script(stage: Stage):
    anna = await stage.signed_in("anna@example.org", java_script_enabled=False)
    await anna.goto("/settings/notifications")
    await expect(anna.get_by_role("button", name="Slå beskeder til")).to_be_disabled()
    await expect(anna.get_by_text("Beskeder kræver, at JavaScript er slået til")).to_be_visible()
