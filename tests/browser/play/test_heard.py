"""A game as a screen reader has it: the tree that Chromium gives it, in Danish, and what is
announced. Not for what axe knows by itself (pages/test_every_page.py).

Come to by keyboard, the board's arrows move over squares; clicked, left and right step through the
game, as they do elsewhere. No letter is a key (WCAG 2.1.4).
"""

import json
import re

from playwright.async_api import Page, expect

from tests.browser.conftest import Federation
from tests.browser.playing import until
from tests.browser.visiting import game_to_move

GAME = """
- main:
  - heading "Anna Ager – Erik Friis" [level=1]
  - paragraph:
    - link "K-skak 2026, Pokal-demo-A"
    - text: · runde 4
  - navigation "Til det næste parti"
  - text: "Sort:"
  - link "Erik Friis"
  - paragraph: Svendborg Skakklub · ratingtal 1820 · 1 point af 1
  - paragraph: 22 dage tilbage
  - paragraph: 18 af 40 dage brugt
  - application "Skakbræt"
  - text: "Hvid:"
  - link "Anna Ager"
  - text: i trækket
  - paragraph: Vejle Skakklub · ratingtal 1985 · 1 point af 1
  - paragraph: 1 dag tilbage
  - paragraph: 39 af 40 dage brugt
  - text: /Dit træk senest 2\\/9/
  - group: Besked, remis, trækserie
  - textbox /Dit træk senest 2\\/9/
  - button "Se og send"
  - paragraph: /Skriv trækket/
  - status: Flyt din brik på brættet, eller skriv trækket i feltet.
  - navigation "Gå gennem partiet":
    - link "Første"
    - link "Tilbage"
    - link "Frem" [disabled]
    - link "Sidste" [disabled]
  - link "Vend brættet"
  - button "Prøv træk på brættet"
  - button "Foreslå en trækserie"
  - status: 9… Te8 · Erik Friis · 20/8 · 2 dage · 6858
  - tablist "Partiets dele":
    - tab "Træk" [selected]
    - tab "Tid"
    - tab "Åbning"
    - tab "Beskeder"
    - tab "Noter"
    - tab "Mere"
  - tabpanel "Træk":
    - region "Partiet":
      - heading "Partiet" [level=2]
      - table "Partiet":
        - rowgroup:
          - row:
            - columnheader "Nr."
            - columnheader "Hvid"
            - columnheader "Sort"
        - rowgroup:
          - row:
            - rowheader "1."
            - cell "e4 22/6 · 4 dage"
            - cell "e5 27/6 · 4 dage"
      - group: Taster
"""
DAYS = """
- region "Dag for dag":
  - heading "Dag for dag" [level=2]
  - list:
    - listitem: Hvids tid gik
    - listitem: Sorts tid gik
    - listitem: trækket var undervejs
  - checkbox "Vis dagene som en liste med ord"
  - text: Vis dagene som en liste med ord
  - grid "Dag for dag":
    - rowgroup:
      - row "juni 2026":
        - rowheader "juni 2026"
      - row:
        - 'gridcell "torsdag 18/6: Hvid brugte sin 1. dag på 1. e4 (§ 6.8.6)."'
        - gridcell /^fredag 19/
        - gridcell /^lørdag 20/
        - gridcell /^søndag 21/
"""
_LISTEN = """() => {
    window.heard = []
    new MutationObserver((all) => {
        for (const {target} of all) {
            const place = (target.closest ? target : target.parentElement)
                ?.closest("[aria-live], [role=status], [role=alert]")
            const text = place?.textContent.trim()
            if (text && place.ariaLive !== "off") {
                window.heard.push(text)
            }
        }
    }).observe(document.body, {subtree: true, childList: true, characterData: true})
}"""


async def _hears(page: Page, key: str, *said: str) -> None:
    """That a key brings these words and no others; what comes too late is found with the next."""
    if key:
        await page.keyboard.press(key)
    await until(page, f"window.heard.at(-1) === {json.dumps(said[-1])}")
    heard = await page.evaluate("window.heard.splice(0)")
    # One text that is set piece by piece is one.
    assert [one for at, one in enumerate(heard) if at == 0 or heard[at - 1] != one] == list(said)


async def test_board_moves_and_days_are_said_once_and_in_words(federation: Federation) -> None:
    page = await federation.page("player", reduced_motion="reduce")
    game = await game_to_move(page)
    await page.wait_for_selector("#board svg.cm-chessboard")
    await expect(page.locator("main")).to_match_aria_snapshot(GAME)
    board = page.locator("#board svg.cm-chessboard")
    await expect(board).to_have_accessible_description(
        re.compile(
            "^Hvid konge g1, .* På brættet går pilene fra felt til felt, Enter flytter brikken, "
            "og Page Up og Page Down går et træk tilbage og frem.$"
        )
    )
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.evaluate(_LISTEN)
    await board.focus()
    await _hears(page, "", "g1 hvid konge")
    for key, said in (
        ("ArrowLeft", "f1 tomt"),
        ("ArrowLeft", "e1 hvidt tårn"),
        ("ArrowLeft", "d1 hvid dronning"),
        ("ArrowLeft", "c1 hvid løber"),
        ("ArrowLeft", "b1 hvid springer"),
        ("ArrowLeft", "a1 hvidt tårn"),
        ("ArrowUp", "a2 hvid bonde"),
        ("Enter", "Træk fra a2"),
        ("ArrowUp", "a3 tomt (Træk fra a2)"),
        ("ArrowUp", "a4 tomt (Træk fra a2)"),
        ("Enter", "Trækket a4 står i feltet. Det er ikke sendt endnu."),
        ("PageUp", "9. h3 · Anna Ager · 17/8 · 1 dag · 8283"),
        ("PageDown", "9… Te8 · Erik Friis · 20/8 · 2 dage · 6858"),
    ):
        await _hears(page, key, said)
    # Trying moves: each is said, and nothing with it that was said before; nor that all is well.
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    begun = "Varianten begynder her: 9… Te8 · Erik Friis · 20/8 · 2 dage · 6858"
    await _hears(page, "", f"Flyt en brik på brættet. {begun}")
    await board.focus()
    await _hears(page, "", "a4 tomt")
    for key, said in (
        ("ArrowDown", "a3 tomt"),
        ("ArrowDown", "a2 hvid bonde"),
        ("Enter", "Træk fra a2"),
        ("ArrowUp", "a3 tomt (Træk fra a2)"),
        ("Enter", "Dit eget forsøg: 10. a3. Det er ikke sendt."),
    ):
        await _hears(page, key, said)
    lines = page.get_by_role("list", name="Dine varianter")
    await expect(lines.get_by_role("button", name="10. a3", exact=True)).to_have_count(1)
    await expect(page.locator("#tree-state")).to_have_text("Gemt.")
    await _hears(page, "ArrowUp", "a4 tomt")
    await page.goto(f"{game}/statement")
    await expect(page.get_by_role("region", name="Dag for dag")).to_match_aria_snapshot(DAYS)
