"""Draws, resigning and claims: asked once more, done once, refused kindly."""

import re

from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.play.test_outcomes import offer


async def test_resigning_asks_first_is_done_once_and_ends_all(site, path, anna):
    # Resigning asks first and is then done.
    status, text = await anna.get(f"{path}/end/resign")
    assert status == 200
    assert "Bent Bæk vinder partiet" in text
    assert (await site.game()).result is None
    answer = await anna.post(f"{path}/end/resign", {"key": "k", "ply": "0"})
    assert (answer.status, answer.headers["Location"]) == (303, f"{path}?done=resigned")
    page = (await anna.get(answer.headers["Location"]))[1]
    assert "Du har opgivet, og Bent Bæk har vundet" in page
    assert (await site.game()).result == "0-1"
    assert "opgivet" in (await anna.get(path))[1]
    # Pressed twice it is done once.
    for _ in range(2):
        answer = await anna.post(f"{path}/end/resign", {"key": "k", "ply": "0"})
        assert answer.status == 303
    assert (await site.game()).seq == 1
    # A finished game takes no more.
    await anna.post(f"{path}/end/resign", {"key": "k", "ply": "0"})
    for fields in ({"key": "l"}, {"key": "m"}):
        answer = await anna.post(f"{path}/end/resign", fields)
        assert answer.status == 422
        assert "Partiet er slut" in await answer.text()
    assert (await site.game()).seq == 1


async def test_a_draw_offer_is_shown_and_accepted_on_a_page_of_its_own(browsers, site, path):
    for text in ("e4", "e5", "Sf3"):  # no draw before both have moved (FIDE 5.2)
        await offer(site, text)
    bent = await browsers.of("bent")
    assert "Anna Andersen tilbyder remis" in (await bent.get(path))[1]
    assert "Tager du imod remis?" in (await bent.get(f"{path}/end/accept"))[1]
    assert (await site.game()).result is None
    answer = await bent.post(f"{path}/end/accept", {"key": "k", "ply": "3"})
    assert "Partiet er endt remis" in (await bent.get(answer.headers["Location"]))[1]
    assert (await site.game()).result == "1/2-1/2"
    assert "½–½" in (await bent.get(path))[1]


async def test_a_claim_or_question_that_cannot_be_is_refused_and_writes_nothing(site, path, anna):
    # A claim of time without an overstep is refused with its paragraph.
    answer = await anna.post(f"{path}/end/time", {"key": "k", "ply": "0"})
    assert answer.status == 422
    assert "§ 6.8.7" in await answer.text()
    assert (await site.game()).seq == 0
    # The intended move must be a move.
    answer = await anna.post(f"{path}/end/draw", {"key": "k", "ply": "0", "text": "Sf9"})
    text = await answer.text()
    assert answer.status == 422
    assert re.search(r'name="text" value="Sf9"', text)
    # No other question can be asked.
    assert (await anna.get(f"{path}/end/annul"))[0] == 404
    assert (await anna.post(f"{path}/end/annul")).status == 404


async def test_a_claim_of_time_rests_the_game_until_it_is_admitted(browsers, site, path):
    site.clock.turn(41)
    bent = await browsers.of("bent")
    assert "Tidsoverskridelse" in (await bent.get(path))[1]
    await bent.post(f"{path}/end/time", {"key": "k", "ply": "0"})
    assert (await site.game()).result is None, "nobody has decided it (§ 6.4.1)"
    assert "Partiet er i bero" in (await bent.get(path))[1]
    anna = await browsers.of("anna")
    await anna.post(f"{path}/end/admit", {"key": "k", "ply": "0"})
    assert (await site.game()).result == "0-1"


async def test_threefold_is_claimed_with_the_move_that_gives_it(browsers, site, path):
    """FIDE 9.2 a: the move is written and the claim made before it is played."""
    for text in ("Sf3", "Sf6", "Sg1", "Sg8", "Sf3", "Sf6", "Sg1"):
        await site.play(await site.game(), text)
    bent = await browsers.of("bent")
    answer = await bent.post(f"{path}/end/draw", {"key": "k", "ply": "7", "text": "Sg8"})
    page = (await bent.get(answer.headers["Location"]))[1]
    assert "Partiet er endt remis" in page and "står ved magt" not in page
    game = await site.game()
    assert (game.ply, game.result) == (8, "1/2-1/2")


async def test_a_claim_from_an_old_page_is_refused(browsers: Browsers, site: Site, path: str):
    for text in ("e4", "e5"):
        await site.play(await site.game(), text)
    anna = await browsers.of("anna")
    answer = await anna.post(f"{path}/end/draw", {"key": "k", "ply": "0"})
    assert answer.status == 422
    assert (await site.game()).seq == 2
