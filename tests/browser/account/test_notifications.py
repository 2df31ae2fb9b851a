"""Turning notifications on in a real browser, and what its worker does with one that comes.

The browser's own service is not there without a network: its answer to ``subscribe`` is stood in
for, and the notification is put into the worker by hand. All else is real.
"""

import json
from pathlib import Path

from playwright.async_api import expect

from server.usecases.account import notifications
from tests.browser.conftest import Stage
from tests.fakes.machinery.push_service import PushService

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
