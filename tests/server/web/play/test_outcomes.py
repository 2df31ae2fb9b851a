"""After an offer, a claim, a notice or a resignation the game's page says what came of it."""

import pytest

from kskak.game.game_commands import OfferDraw, SendMoves
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from server.usecases.play.game_requests import FieldReader, TextProblem
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def _asked(browser: Browser, path: str, kind: str, **fields: str) -> str:
    """The page that the deed leads to."""
    ply = str((await browser.site.game()).ply)
    answer = await browser.post(f"{path}/end/{kind}", {"key": kind, "ply": ply} | fields)
    assert answer.status == 303
    return (await browser.get(answer.headers["Location"]))[1]


async def offer(site: Site, text: str) -> None:
    def build(state: GameState, by: Side) -> SendMoves | TextProblem:
        today = site.clock.now().date()
        return FieldReader(text, state.position.ply, True, today, "da")(state, by)

    game = await site.game()
    await site.ask(game, game.state().mover, build)


async def test_a_claim_that_does_not_fit_is_told_and_stands_as_ones_ownoffer(browsers, path, anna):
    page = await _asked(anna, path, "draw")
    assert "Kravet passer ikke på stillingen, så partiet går videre" in page
    state = (await anna.site.game()).state()
    assert (state.result, state.draw_offer, state.white.total) == (None, Side.WHITE, 0)
    _, later = await anna.get(path)
    assert "Kravet passer ikke på stillingen" not in later
    assert "Dit remistilbud til Bent Bæk står ved magt" in later
    assert "Tilbyd remis sammen med trækket" not in later, "it is offered already"
    bent = await browsers.of("bent")
    assert "Dit remistilbud" not in (await bent.get(path))[1]


async def test_a_claim_with_a_move_that_does_not_fit_says_that_the_move_is_sent(path, anna):
    page = await _asked(anna, path, "draw", text="e4")
    assert "Trækket er sendt, og kravet står som et remistilbud til Bent Bæk" in page
    assert 'id="own-offer"' not in page, "once is enough"
    _, later = await anna.get(path)
    assert "står ved magt, til Bent Bæk svarer på det eller spiller videre" in later


async def test_a_move_that_mates_says_that_the_game_is_over(browsers, site, path):
    for text in ("f3", "e5", "g4"):
        await site.play(await site.game(), text)
    bent = await browsers.of("bent")
    assert "Partiet er slut" not in (await bent.get(f"{path}?sent=1"))[1]
    await site.play(await site.game(), "Dh4")
    assert "Partiet er slut. Dit træk er sendt" in (await bent.get(f"{path}?sent=1"))[1]


async def test_declining_is_told_to_both(browsers: Browsers, site: Site, path: str):
    await offer(site, "e4")
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert "Dit remistilbud til Bent Bæk står ved magt" in (await anna.get(path))[1]
    answer = await bent.post(f"{path}/end/decline")
    page = (await bent.get(answer.headers["Location"]))[1]
    assert "Du har sagt nej tak til remis" in page
    _, page = await anna.get(path)
    assert 'data-other="Bent Bæk har sagt nej tak til remis"' in page
    assert "står ved magt" not in page
    late = await bent.post(f"{path}/end/accept", {"key": "late", "ply": "1"})
    assert late.status == 422 and "ikke noget remistilbud" in await late.text()


async def test_a_notice_of_long_reflection_is_told(browsers: Browsers, path: str, anna: Browser):
    assert "Dit varsel om lang betænkningstid er givet" in await _asked(anna, path, "think")
    _, page = await (await browsers.of("bent")).get(path)
    assert 'data-other="Anna Andersen har givet varsel om lang betænkningstid"' in page


async def test_an_offer_that_was_noted_is_shown_until_the_move(browsers, site, path):
    """By mail an offer may be made before the move it goes with (FIDE 9.1)."""
    await site.ask(await site.game(), Side.WHITE, lambda _, by: OfferDraw(by))
    anna = await browsers.of("anna")
    assert "Det går til Bent Bæk sammen med dit næste træk" in (await anna.get(path))[1]


@pytest.mark.parametrize("done", ["abrakadabra", "undone", "drawn"])
async def test_nobody_else_is_told_by_an_address(path: str, done: str, tove: Browser):
    status, page = await tove.get(f"{path}?done={done}")
    assert status == 200
    assert 'id="outcome"' not in page


async def test_ones_own_series_is_shown_with_its_moves(browsers: Browsers, site: Site, path: str):
    """§ 6.2.5: it binds who proposed it, so he must be able to see it."""
    await site.play(await site.game(), "e4 0e5 2. Sf3 Sc6 3. Lb5")
    anna = await browsers.of("anna")
    said = "Du har foreslået trækserien 1… e5 2. Sf3 Sc6 3. Lb5. Den står ved magt"
    assert said in (await anna.get(path))[1]
    bent = await browsers.of("bent")
    assert said not in (await bent.get(path))[1]
    await site.play(await site.game(), "c5")
    assert "trækserien" not in (await anna.get(path))[1]
