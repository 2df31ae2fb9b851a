"""Lines that are tried: stepped through by the page's own steps, read from other programs.

Not for keeping them (test_tree.py).
"""

from playwright.async_api import Page, expect

from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.usecases.cases.expulsion import adjudicate
from tests.browser.conftest import Stage
from tests.browser.looking import faults, too_wide
from tests.browser.playing import open_game, picture, play
from tests.fakes.site import Site

SPANISH = """[Event "Klubmesterskab"]
[White "A \\"Bo\\" Berg"]

1. e4 {Spansk?} e5 2. Sf3 Sc6 (2... d6 3. d4! (3. Lc4 $1 Lg4 ; en kommentar
4. h3) 3... exd4) 3. Lb5 a6 4. 0-0?! Sf6 (4... f7-f5) 1/2-1/2"""


async def _tries(page: Page, *moves: str) -> None:
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(page.locator("#trying-says")).to_contain_text("Varianten begynder her")
    await play(page, *moves)


async def test_the_steps_of_the_page_go_through_the_line_before_the_game(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    await site.play(game, "e4")
    await site.play(game, "e5")
    anna = await stage.signed_in("anna@example.org")
    await anna.goto(f"/games/{game.id}")
    await anna.wait_for_selector("#board svg.cm-chessboard")
    await _tries(anna, "f2f4", "e5f4")
    shown, steps = anna.locator("#shown"), anna.locator("nav.steps")
    tried = "Dit eget forsøg: {}. Det er ikke sendt."
    forward = steps.get_by_text("Frem")
    await expect(shown).to_have_text(tried.format("2… exf4"))
    await expect(steps.locator("a[data-step=forward]")).to_have_attribute("aria-disabled", "true")
    await steps.get_by_text("Tilbage").click()
    await expect(shown).to_have_text(tried.format("2. f4"))
    await anna.locator("body").press("ArrowRight")
    await expect(shown).to_have_text(tried.format("2… exf4"))
    await anna.locator("body").press("ArrowRight")
    await expect(shown).to_have_text(tried.format("2… exf4"))
    # At the line's beginning they go back into the game.
    await steps.get_by_text("Første").click()
    await expect(shown).to_contain_text("1… e5 · Bent Bæk")
    await steps.get_by_text("Sidste").click()
    await expect(shown).to_have_text(tried.format("2… exf4"))
    for said in (tried.format("2. f4"), "1… e5 · Bent Bæk", "1. e4 · Anna Andersen"):
        await anna.locator("body").press("ArrowLeft")
        await expect(shown).to_contain_text(said)
    await forward.click()
    await expect(shown).to_contain_text("1… e5 · Bent Bæk")
    await expect(anna.locator("#trying-lines li")).to_have_text(["2. f4 exf4"])
    assert stage.faults == []


async def test_a_game_of_another_program_brings_its_variations_in_any_letters(stage: Stage):
    anna = await stage.signed_in("anna@example.org")
    await open_game(anna, "Bent Bæk")
    await _tries(anna)
    says, lines = anna.locator("#trying-read-says"), anna.locator("#trying-lines li")
    await anna.get_by_text("Hent fra et andet skakprogram").click()
    await anna.get_by_label("Stilling (FEN) eller parti (PGN)").fill(SPANISH)
    await anna.get_by_role("button", name="Læs det").click()
    await expect(says).to_have_text(
        "Partiet er læst. Varianten begynder her: Begyndelsesstillingen"
    )
    await expect(lines.nth(0)).to_contain_text("1. e4 Spansk? 1… e5 2. Sf3 Sc6 2… d6 3. d4!")
    await expect(lines.nth(1)).to_contain_text("3. Lc4! godt træk Lg4 en kommentar 4. h3 3… exd4")
    await expect(lines.nth(2)).to_have_text("3. Lc4! godt træk Lg4 en kommentar 4. h3")
    await expect(lines.nth(3)).to_have_text("4… f5")
    await picture(anna, "read")
    for text, said in (
        ("1. e4 c6 2. 4244 7775 *", "Partiet er læst. Varianten"),
        ("1. Zf3", "kan ikke"),
    ):
        await anna.get_by_label("Stilling (FEN) eller parti (PGN)").fill(text)
        await anna.get_by_role("button", name="Læs det").click()
        await expect(says).to_contain_text(said)
    await expect(lines.filter(has_text="1… c6 2. d4 g5").last).to_have_text("1… c6 2. d4 g5")
    assert stage.faults == []


# The board of an adjudication: its leader tries moves on the position (§ 6.2.7).


async def test_the_leader_tries_moves_on_the_position_he_is_to_judge(stage: Stage) -> None:
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    await site.play(game, "e4")
    async with site.core.store.read() as conn:
        leader = await person_rows.by_email(conn, "tove@example.org")
    assert leader is not None
    case = await adjudicate(site.core, leader, await site.game("K-26-01/1"))
    assert isinstance(case, CaseRow)
    tove = await stage.signed_in("tove@example.org")
    await tove.goto(f"/desk/cases/{case.number}")
    await tove.wait_for_selector("#board svg.cm-chessboard")
    assert await faults(tove, "adjudication") + await too_wide(tove, "adjudication") == []
    await tove.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(tove.locator("#trying-says")).to_contain_text("Varianten begynder her")
    await play(tove, "c7c5", "g1f3")
    await expect(tove.locator("#trying-lines li")).to_have_text(["1… c5 2. Sf3"])
    await tove.locator("nav.steps").get_by_text("Første").click()
    await tove.locator("article", has_text="Remis").get_by_role("button").click()
    drafted = "Slutstillingen efter 1. e4 er bedømt. Den er remis."
    await expect(tove.locator("#reasons")).to_have_value(drafted)
    assert stage.faults == []
