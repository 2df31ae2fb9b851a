"""A game as a screen reader has it: the tree that Chromium gives it, in Danish, and what is
announced. Not for what axe knows by itself (pages/test_every_page.py).
"""

from playwright.async_api import Page, expect

from tests.browser.conftest import Federation
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
  - paragraph: Svendborg Skakklub · rating 1820 · 1 point af 1
  - paragraph: 22 dage tilbage
  - paragraph: 18 af 40 dage brugt
  - application "Skakbræt"
  - text: "Hvid:"
  - link "Anna Ager"
  - text: i trækket
  - paragraph: Vejle Skakklub · rating 1985 · 1 point af 1
  - paragraph: 1 dag tilbage
  - paragraph: 39 af 40 dage brugt
  - text: Dit træk senest 2/9
  - group: Besked, remis, serie
  - textbox "Dit træk senest 2/9"
  - button "Se, hvad der bliver sendt"
  - paragraph: /Skriv trækket/
  - status: Flyt din brik på brættet, eller skriv trækket i feltet.
  - navigation "Gå gennem partiet":
    - link "Første"
    - link "Tilbage"
    - link "Frem" [disabled]
    - link "Sidste" [disabled]
  - status: 9… Te8 · Erik Friis · 20/8 · 2 dage · 6858
  - link "Vend brættet"
  - button "Prøv træk på brættet"
  - button "Foreslå en serie"
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
      - paragraph: /Klik på et træk/
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
        - 'gridcell "torsdag 18/6: Hvid brugte sin 1. dag på 1. e4 (§ 6.3.1)."'
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


async def _heard(page: Page, *keys: str) -> list[str]:
    """What is announced when keys are pressed; one text set piece by piece is one."""
    for key in keys:
        await page.keyboard.press(key)
        await page.wait_for_timeout(150)  # the board says a square when it has waited 50 ms
    said: list[str] = await page.evaluate("window.heard.splice(0)")
    return [one for at, one in enumerate(said) if at == 0 or said[at - 1] != one]


async def test_board_moves_and_days_are_said_once_and_in_words(federation: Federation) -> None:
    page = await federation.page("player", reduced_motion="reduce")
    game = await game_to_move(page)
    await page.wait_for_selector("#board svg.cm-chessboard")
    await expect(page.locator("main")).to_match_aria_snapshot(GAME)
    board = page.locator("#board svg.cm-chessboard")
    await expect(board).to_have_accessible_description(
        "På brættet går pilene fra felt til felt, Enter flytter brikken, "
        "og Page Up og Page Down går et træk tilbage og frem."
    )
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.evaluate(_LISTEN)
    await board.focus()
    said = await _heard(page, "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowUp")
    assert said == [
        "a1 hvidt tårn",
        "b1 hvid springer",
        "a1 hvidt tårn",
        "a2 hvid bonde",
        "a3 tomt",
    ]
    said = await _heard(page, "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "Enter")
    assert said == [
        "a2 hvid bonde",
        "Træk fra a2",
        "a3 tomt (Træk fra a2)",
        "a4 tomt (Træk fra a2)",
        "Trækket a4 står i feltet. Det er ikke sendt endnu.",
    ]
    assert await _heard(page, "PageUp", "PageDown") == [
        "9. h3 · Anna Ager · 17/8 · 1 dag · 8283",
        "9… Te8 · Erik Friis · 20/8 · 2 dage · 6858",
    ]
    # Trying moves: each is said, and nothing with it that was said before; nor that all is well.
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    assert await _heard(page) == [
        "Flyt en brik på brættet. Varianten begynder her: "
        "9… Te8 · Erik Friis · 20/8 · 2 dage · 6858"
    ]
    await board.focus()
    said = await _heard(page, "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter")
    assert said[-2:] == ["a3 tomt (Træk fra a2)", "Dit eget forsøg: 10. a3. Det er ikke sendt."]
    await expect(page.locator("#tree-state")).to_have_text("Gemt.")
    assert await _heard(page) == []
    lines = page.get_by_role("list", name="Dine varianter")
    await expect(lines.get_by_role("button", name="10. a3", exact=True)).to_have_count(1)
    await page.goto(f"{game}/statement")
    await expect(page.get_by_role("region", name="Dag for dag")).to_match_aria_snapshot(DAYS)
