"""A move in two steps: shown, then sent; old pages, double clicks and slips do no harm."""

import re

import pytest

from tests.fakes.machinery.each import each, rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def _preview(browser: Browser, path: str, **fields: str) -> tuple[int, str]:
    answer = await browser.post(f"{path}/preview", fields)
    return answer.status, await answer.text()


def _hidden(text: str) -> dict[str, str]:
    form = text[text.index("/move") :]
    pairs = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: value for name, value in pairs if name != "csrf"}


async def test_the_preview_shows_everything_and_sends_nothing(site: Site, path: str, anna: Browser):
    site.clock.turn(3)
    fields = {"text": "7163 07866 2. 6355", "ply": "0", "draw": "1", "message": "Godt spil!"}
    status, text = await _preview(anna, path, **fields)
    assert status == 200
    for shown in ("1. Sf3", "1. 7163", "1… Sf6 2. Se5", "remistilbud", "3 dage", "Godt spil!"):
        assert shown in text, shown
    assert (await site.game()).ply == 0


async def test_what_was_shown_is_sent_once_however_often_it_is_pressed(site, path, anna):
    _, text = await _preview(anna, path, text="e4", ply="0", message="Hej")
    fields = _hidden(text)
    for _ in range(3):
        answer = await anna.post(f"{path}/move", fields)
        assert (answer.status, answer.headers["Location"]) == (303, f"{path}?sent=1")
    game = await site.game()
    assert (game.ply, game.seq) == (1, 1)
    thread = (await anna.get(path))[1].partition('id="thread"')[2]
    assert thread.count("Hej") == 1


async def test_going_back_keeps_everything(path: str, anna: Browser):
    fields = {"text": "Sf3", "ply": "0", "draw": "1", "message": "linje 1\nlinje 2"}
    answer = await anna.post(f"{path}/change", fields)
    text = await answer.text()
    assert 'value="Sf3"' in text
    assert "linje 1\nlinje 2" in text
    assert re.search(r'name="draw" value="1" checked', text)


async def test_an_old_page_is_refused_with_the_new_position_and_the_text_kept(site, path, anna):
    _, old = await _preview(anna, path, text="d4", ply="0", message="min besked")
    await site.play(await site.game(), "e4")
    await site.play(await site.game(), "c5")
    for target, fields in (
        ("move", _hidden(old)),
        ("preview", {"text": "d4", "ply": "0", "message": "min besked"}),
    ):
        answer = await anna.post(f"{path}/{target}", fields)
        text = await answer.text()
        assert answer.status == 409
        assert "Stillingen er en anden nu" in text
        assert 'value="d4"' in text
        assert "min besked" in text
        assert "1… c5" in text
    assert (await site.game()).ply == 2


async def test_an_old_page_after_ones_own_move_in_another_tab_is_refused_as_kindly(
    site: Site, path: str, anna: Browser
):
    _, first = await _preview(anna, path, text="e4", ply="0")
    _, second = await _preview(anna, path, text="d4", ply="0")
    await anna.post(f"{path}/move", _hidden(first))
    answer = await anna.post(f"{path}/move", _hidden(second))
    assert answer.status == 409
    assert 'value="d4"' in await answer.text()
    assert (await site.game()).ply == 1


@each(
    "text said",
    ("e5", "kan ikke spilles"),
    ("5255", "kan ikke spilles"),
    ("abrakadabra", "er ikke forstået"),
    ("", "Skriv dit træk"),
    ("7. Sf3", "partiet er nået til træk 1. Mener du Sf3 (7163)?"),
    ("Sf3 0Sf6", "trækserie"),
)
async def test_a_slip_is_said_beside_the_field_and_costs_nothing(site, path, text, said, anna):
    status, page = await _preview(anna, path, text=text, ply="0", message="bliver her")
    assert status == 422
    assert said in page
    assert f'value="{text}"' in page
    assert "bliver her" in page
    game = await site.game()
    assert (game.seq, game.state().white.total) == (0, 0)


async def test_an_ambiguous_move_is_asked_about_with_its_candidates(browsers, site, path):
    for text in ("d4", "d5", "Sc3", "Sf6", "e3", "e6"):
        await site.play(await site.game(), text)
    anna = await browsers.of("anna")
    status, page = await _preview(anna, path, text="Se2", ply="6")
    assert status == 422
    assert "flere træk" in page
    assert "7152" in page
    assert "3352" in page


async def test_not_his_turn_and_his_own_overstep_are_told(site, path, bent, browsers):
    # Not your turn is told and what was typed is shown.
    status, page = await _preview(bent, path, text="e5", ply="0")
    assert status == 422
    assert (await site.game()).ply == 0
    assert "e5" in page
    # Ones own overstep is warned of before sending.
    site.clock.turn(45)
    anna = await browsers.of("anna")
    _, shown = await _preview(anna, path, text="e4", ply="0")
    assert "Du har overskredet tiden" in shown


async def test_a_series_is_accepted_in_part_by_a_link_that_writes_it(browsers, site, path):
    await site.play(await site.game(), "e4 0e5 2. Sf3 Sc6 3. Lb5")
    bent = await browsers.of("bent")
    _, page = await bent.get(path)
    assert f"{path}?accept=2" in page
    assert f"{path}?accept=4" in page
    _, chosen = await bent.get(f"{path}?accept=2")
    written = re.search(r'id="text" name="text" value="([^"]*)"', chosen)
    assert written
    assert written[1] == "1. 5254 5755 2. 7163 "
    status, shown = await _preview(bent, path, text=written[1] + "Sf6", ply="1")
    assert status == 200
    assert "1… e5 2. Sf3 Sf6" in shown
    await bent.post(f"{path}/move", _hidden(shown))
    assert (await site.game()).ply == 4


@rows(
    "letters sent waits",
    ("moves", "Du får en bekræftelse med mail", "Du får en mail, når der er svar"),
    ("daily", "i din næste mail om morgenen", "i din næste mail om morgenen"),
    ("deadlines", "din modstander kan se det.</p>", "Du har valgt ikke at få mail"),
)
async def test_a_player_is_promised_the_mails_that_he_chose_and_no_others(
    path: str, letters: str, sent: str, waits: str, anna: Browser
):
    await anna.post("/settings/letters", {"letters": letters, "reminders": "3"})
    _, shown = await _preview(anna, path, text="e4", ply="0")
    assert ("bekræftelse" in shown) == (letters == "moves")
    await anna.post(f"{path}/move", _hidden(shown))
    _, page = await anna.get(f"{path}?sent=1")
    assert sent in page
    assert waits in page


async def test_the_bound_answer_is_shown_before_the_proposed_move_is_played(browsers, site, path):
    await site.play(await site.game(), "e4 0e5 2. Sf3")
    bent = await browsers.of("bent")
    _, shown = await _preview(bent, path, text="e5", ply="1")
    assert "2. Sf3" in shown
    assert "følger straks af modstanderens trækserie" in shown


@pytest.mark.parametrize(("answer", "ply", "result"), [("claim", 1, None), ("waive", 2, "0-0")])
async def test_after_the_opponents_overstep_one_is_asked_first(
    browsers: Browsers, site: Site, path: str, answer: str, ply: int, result: str | None
):
    """§ 6.3.3.4: playing on without a claim loses for both; claiming has a page of its own."""
    await site.play(await site.game(), "e4", days=45)
    bent = await browsers.of("bent")
    _, shown = await _preview(bent, path, text="e5", ply="1")
    assert "har overskredet tiden. Hvad gør du?" in shown
    fields = _hidden(shown)
    untold = await bent.post(f"{path}/move", fields)
    assert "Hvad gør du?" in await untold.text()
    assert (await site.game()).ply == 1
    fields = _hidden(await (await bent.post(f"{path}/preview", {"text": "e5", "ply": "1"})).text())
    told = await bent.post(f"{path}/move", fields | {"overstep": answer})
    where = f"{path}/end/time" if answer == "claim" else f"{path}?sent=1"
    assert told.headers["Location"] == where
    game = await site.game()
    assert (game.ply, game.result) == (ply, result)


async def test_what_people_write_is_never_taken_for_the_pages_own(browsers, site, path):
    evil = "<script>alert(1)</script>"
    await site.play(await site.game(), "e4", message=evil)
    bent = await browsers.of("bent")
    answer = await bent.http.get(path)
    text = await answer.text()
    assert evil not in text
    assert "&lt;script&gt;" in text


@rows(
    "text said has_button",
    ("3. Le2", "partiet er nået til træk 4. Mener du Le2 (6152)?", True),
    ("1. Le2", "partiet er nået til træk 4. Mener du Le2 (6152)?", True),
    ("3... Le2", "partiet er nået til træk 4. Mener du Le2 (6152)?", True),
    ("3... f6 4. Le2", "er ikke din modstanders træk", True),
    ("3... d5", "partiet er nået til træk 4", False),
)
async def test_a_number_or_a_repetition_that_does_not_fit_is_asked_about(
    browsers: Browsers, site: Site, path: str, text: str, said: str, has_button: bool
):
    """§ 6.8.6: a press plays what was meant, and nothing is charged."""
    for move in ("e4", "e5", "Sf3", "Sc6", "d3", "d6"):
        await site.play(await site.game(), move)
    anna = await browsers.of("anna")
    before = (await site.game()).state().white.total
    status, page = await _preview(anna, path, text=text, ply="6", message="Hils Åse")
    assert (status, said in page) == (422, True)
    assert ('name="meant" value="6152"' in page) is has_button
    assert "Hils Åse" in page
    assert (await site.game()).state().white.total == before
    if has_button:
        pressed = {"text": text, "ply": "6", "message": "Hils Åse", "meant": "6152"}
        status, shown = await _preview(anna, path, **pressed)
        assert status == 200
        assert "4. Le2" in shown and "Hils Åse" in shown


async def test_a_move_over_an_offered_draw_is_said_to_decline_it(site, anna, bent):
    game = f"/games/{(await site.game()).id}"
    offered = {"text": "e4", "ply": "0", "draw": "1"}
    said = "Trækket afslår remistilbuddet fra Anna Andersen."
    assert said not in await (await anna.post(f"{game}/preview", offered)).text()
    await anna.post(f"{game}/move", offered | {"key": "a" * 24})
    over = await bent.post(f"{game}/preview", {"text": "e5", "ply": "1"})
    assert said in await over.text()
