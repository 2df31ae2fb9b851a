"""The site as a program without a connection: what was seen can be read, a move waits to be sent.

And on a computer that several use: what is kept for one is gone when another comes.
"""

import re
from contextlib import suppress

from playwright.async_api import Page, TimeoutError, expect

from tests.browser.conftest import Stage
from tests.browser.playing import picture, play, until
from tests.fakes.site import Site

KEPT = (
    "caches.open('kskak-pages').then(c => c.keys())"
    ".then(keys => keys.map(key => new URL(key.url).pathname))"
)


async def _until_kept(page: Page, *paths: str) -> None:
    await until(page, f"{KEPT}.then(k => {list(paths)}.every(p => k.includes(p)))")


async def test_games_are_readable_without_a_connection_and_gone_when_another_signs_in(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    context = anna.context
    await anna.goto("/")
    await until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game.id}")
    await anna.goto("/")
    await _until_kept(anna, "/", f"/games/{game.id}")

    await context.set_offline(True)
    await anna.goto("/")
    seen = anna.locator("#seen")
    await expect(seen).to_contain_text(
        re.compile(r"som den så ud kl\. \d\d\.\d\d\. Intet kan sendes")
    )
    await expect(anna.get_by_text("senest 11/10")).to_be_visible()
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await expect(seen).to_be_visible()
    await expect(anna.locator("#board svg")).to_be_visible()
    await expect(anna.get_by_role("button", name="Se og send")).to_be_disabled()
    # What is not kept leads to the page that lists what is.
    await anna.goto("/leave")
    await expect(anna.get_by_role("heading", name="Ingen forbindelse")).to_be_visible()
    await expect(anna.locator("#kept li a")).to_have_text(
        ["Mine partier", "Anna Andersen – Bent Bæk"]
    )

    await context.set_offline(False)
    await anna.goto("/")
    await expect(seen).to_have_count(0)
    await anna.locator(".nav summary").click()
    await anna.get_by_role("button", name="Log ud").click()
    await expect(anna.get_by_role("link", name="Log ind").first).to_be_visible()
    assert await anna.evaluate(KEPT) == []

    # The same browser, another person: the session ends without a word, as when it is too old.
    await stage.signed_in("anna@example.org", page=anna)
    await anna.goto(f"/games/{game.id}")
    await _until_kept(anna, f"/games/{game.id}")
    await context.clear_cookies()
    await stage.signed_in("bent@example.org", page=anna)
    await anna.goto("/")
    await _until_kept(anna, "/")
    assert sorted(await anna.evaluate(KEPT)) == ["/", "/kept-for"]


async def test_moves_are_tried_without_a_connection_on_a_game_that_was_seen(stage: Stage):
    game = (await Site(stage.server.core, stage.clock, None).game("K-26-01/1")).id
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await anna.goto("/")
    await until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game}")
    await _until_kept(anna, f"/games/{game}")
    await until(
        anna,
        "caches.open('kskak-files').then(c => c.keys())"
        ".then(k => k.some(one => one.url.includes('/board/later.js')))",
    )
    await anna.context.set_offline(True)
    await anna.reload()
    await anna.wait_for_selector("#board svg.cm-chessboard")
    await anna.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(anna.locator("#trying-says")).to_contain_text("Flyt en brik")
    await play(anna, "e2e4", "e7e5")
    await expect(anna.locator("#trying-lines li")).to_have_text("1. e4 e5")


async def _offline_game(stage: Stage) -> tuple[Page, str]:
    """Anna on her game's page, as kept: there is no line."""
    game = (await Site(stage.server.core, stage.clock, None).game("K-26-01/1")).id  # type: ignore[arg-type]
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await anna.goto("/")
    await until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game}")
    await _until_kept(anna, f"/games/{game}")
    for _ in range(4):  # the worker keeps the page first and its scripts a little later
        await anna.context.set_offline(True)
        await anna.reload()
        with suppress(TimeoutError):
            await anna.get_by_role("button", name=KEEP).wait_for(timeout=4_000)
            break
        await anna.context.set_offline(False)
        await anna.reload()
    return anna, f"/games/{game}"


KEEP = "Gem trækket, og send det, når der er forbindelse"


async def test_a_move_without_a_connection_waits_on_the_device_and_is_sent_once(stage: Stage):
    anna, game = await _offline_game(stage)
    site = Site(stage.server.core, stage.clock, None)  # type: ignore[arg-type]
    told = anna.locator("#on-device")
    await anna.locator("#text").fill("kvidevit")
    await anna.get_by_role("button", name=KEEP).click()
    await expect(anna.get_by_text("Uden forbindelse kan kun ét muligt træk")).to_be_visible()
    await anna.locator("#text").fill("e4")
    await anna.get_by_role("button", name=KEEP).click()
    await expect(told).to_contain_text(
        "Trækket e4 i Anna Andersen – Bent Bæk ligger på denne enhed"
    )
    await expect(told).to_be_in_viewport()
    await picture(anna, "move-on-device")
    await expect(anna.get_by_role("button", name=KEEP)).to_be_disabled()
    # It waits there though every page is closed and opened again.
    await anna.goto("about:blank")
    await anna.goto(game)
    await expect(told).to_contain_text("er ikke sendt endnu")
    assert (await site.game("K-26-01/1")).ply == 0

    await anna.context.set_offline(False)
    await expect(anna.get_by_text("Dit træk er sendt").first).to_be_visible(timeout=20_000)
    await expect(anna).to_have_url(f"{stage.address}{game}")
    assert (await site.game("K-26-01/1")).ply == 1
    await anna.goto("/")
    await expect(told.locator("p")).to_have_count(0)
    assert (await site.game("K-26-01/1")).ply == 1


async def test_a_move_made_for_another_position_is_not_sent_and_its_player_is_told(stage: Stage):
    anna, game = await _offline_game(stage)
    site = Site(stage.server.core, stage.clock, None)  # type: ignore[arg-type]
    await anna.locator("#text").fill("e4")
    await anna.get_by_role("button", name=KEEP).click()
    await expect(anna.locator("#on-device")).to_contain_text("er ikke sendt endnu")
    await site.play(await site.game("K-26-01/1"), "d4")
    await site.play(await site.game("K-26-01/1"), "d5")
    await anna.context.set_offline(False)
    told = anna.locator("#on-device")
    await expect(told).to_contain_text("stillingen er en anden", timeout=20_000)
    assert (await site.game("K-26-01/1")).ply == 2
    async with anna.expect_navigation():
        await told.get_by_role("link", name="Åbn partiet").click()
    await expect(anna.get_by_role("alert").first).to_be_visible()
    await expect(anna.locator("#text")).to_have_value("e4")
    await anna.goto(game)
    await expect(anna.locator("#on-device p")).to_have_count(0)


async def test_a_line_that_breaks_at_the_preview_or_at_sending_loses_nothing(stage: Stage):
    game = (await Site(stage.server.core, stage.clock, None).game("K-26-01/1")).id  # type: ignore[arg-type]
    site = Site(stage.server.core, stage.clock, None)  # type: ignore[arg-type]
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await anna.goto("/")
    await until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game}")
    await _until_kept(anna, f"/games/{game}")
    await anna.locator("#text").fill("e4")
    await anna.context.set_offline(True)
    await anna.get_by_role("button", name="Se og send").click()
    # Back at the game, with what was typed.
    await expect(anna.locator("#seen")).to_be_visible()
    await expect(anna.locator("#text")).to_have_value("e4")
    await anna.context.set_offline(False)
    await anna.reload()
    await anna.get_by_role("button", name="Se og send").click()
    await expect(anna.locator(".sending")).to_have_text("1. e4")
    await anna.context.set_offline(True)
    await anna.get_by_role("button", name="Send trækket").click()
    await expect(anna.locator("#on-device")).to_contain_text("ligger på denne enhed")
    await anna.context.set_offline(False)
    await expect(anna.get_by_text("Dit træk er sendt").first).to_be_visible(timeout=20_000)
    assert (await site.game("K-26-01/1")).ply == 1


async def test_another_form_without_a_connection_ends_at_our_own_page(stage: Stage):
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await anna.goto("/")
    await until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto("/settings/moves")
    await anna.context.set_offline(True)
    await anna.locator("main form button").last.click()
    await expect(anna.locator("#unsent")).to_contain_text("er ikke sendt")
    await expect(anna.get_by_role("heading", name="Ingen forbindelse")).to_be_visible()


async def test_a_move_on_the_device_is_removed_by_its_player_and_by_signing_out(stage: Stage):
    anna, _ = await _offline_game(stage)
    kept = "caches.open('kskak-moves').then(c => c.keys()).then(keys => keys.length)"
    for deed in ("Fjern trækket", "Log ud"):
        await anna.locator("#text").fill("e4")
        await anna.get_by_role("button", name=KEEP).click()
        await expect(anna.locator("#on-device")).to_contain_text("er ikke sendt endnu")
        assert await anna.evaluate(kept) == 1
        if deed == "Log ud":
            await anna.locator(".nav summary").click()
        await anna.get_by_role("button", name=deed).click()
        await until(anna, f"{kept}.then(n => n === 0)")


async def test_on_any_other_page_it_is_said_once_that_the_move_was_sent(stage: Stage):
    anna, _ = await _offline_game(stage)
    await anna.locator("#text").fill("5254")
    await anna.get_by_role("button", name=KEEP).click()
    told = anna.locator("#on-device")
    await expect(told).to_contain_text("er ikke sendt endnu")
    await anna.goto("about:blank")
    await anna.context.set_offline(False)
    await anna.goto("/help")
    await expect(told).to_contain_text(
        "Trækket e4 i Anna Andersen – Bent Bæk lå på denne enhed og er nu sendt.", timeout=20_000
    )
    await picture(anna, "move-sent-from-device")
    await anna.reload()
    await expect(anna.get_by_role("heading").first).to_be_visible()
    await expect(told.locator("p")).to_have_count(0)
