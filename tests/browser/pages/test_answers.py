"""Answers to forms as a browser holds them: «back» and «reload» send nothing again, and a phone
opens a refusal where it is said."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.playing import open_game, picture

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SEE = "Se og send"


async def _back(page: Page) -> None:
    """One step back. Chromium's own «Confirm Form Resubmission» is an error (ERR_CACHE_MISS)."""
    answer = await page.go_back()
    assert answer is None or answer.request.method == "GET"


async def test_back_and_reload_never_ask_to_send_a_form_again(stage: Stage) -> None:
    asked: list[str] = []
    anna = await stage.signed_in("anna@example.org")
    anna.on("request", lambda one: asked.append(one.method) if one.method == "POST" else None)
    await open_game(anna, "Bent Bæk")
    game = anna.url
    await anna.locator("#text").fill("Zz9")
    await anna.get_by_role("button", name=SEE).click()
    await expect(anna.locator("#move-error")).to_contain_text("Zz9")
    await anna.goto("/help")
    await _back(anna)
    await expect(anna.locator("#move-error")).to_contain_text("Zz9")
    await expect(anna.locator("#text")).to_have_value("Zz9")
    await anna.reload()
    await expect(anna.locator("#move-error")).to_contain_text("Zz9")
    await anna.locator("#text").fill("e4")
    await anna.locator("#move-form").evaluate("form => form.submit()")  # as without script
    await expect(anna.locator(".sending")).to_have_text("1. e4")
    await anna.reload()
    await anna.get_by_role("button", name="Send trækket").click()
    await expect(anna.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    await anna.goto("/help")
    await _back(anna)
    await expect(anna).to_have_url(game)
    await expect(anna.get_by_text("Dit træk er sendt")).to_have_count(0)  # a receipt is told once
    await _back(anna)
    await expect(anna.get_by_role("heading", name="Det bliver sendt")).to_be_visible()
    # What was sent already is not sent twice from there: the page is too old, and says so.
    await anna.get_by_role("button", name="Send trækket").click()
    await expect(anna.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    assert len(asked) == 4, asked


@pytest.mark.parametrize("has_script", [True, False])
async def test_a_phone_opens_a_refused_move_where_the_refusal_stands(stage, has_script):
    anna = await stage.signed_in("anna@example.org", java_script_enabled=has_script, **PHONE)
    await anna.goto("/")
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await anna.locator("#text").fill("Zz9")
    await anna.get_by_role("button", name=SEE).click()
    error = anna.locator("#move-error")
    await expect(error).to_contain_text("Zz9")
    await expect(error).to_be_focused()
    await expect(error).to_be_in_viewport(ratio=1)
    await expect(anna.locator("#text")).to_be_in_viewport()
    await picture(anna, "refused-on-a-phone")
    await anna.keyboard.press("Tab")
    await expect(anna.locator("#text")).to_be_focused()


async def test_a_phone_opens_a_page_that_is_too_old_with_the_word(stage: Stage) -> None:
    anna = await stage.signed_in("anna@example.org", **PHONE)
    await anna.goto("/")
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await anna.locator("#move-form input[name=ply]").evaluate("one => one.value = '7'")
    await anna.locator("#text").fill("e4")
    await anna.get_by_role("button", name=SEE).click()
    word = anna.get_by_role("alert").first
    await expect(word).to_be_focused()
    await expect(word).to_be_in_viewport(ratio=1)
