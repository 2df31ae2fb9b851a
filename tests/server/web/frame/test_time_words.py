"""Days used and left, in words: labelled, in both languages' plurals, and the last day is today."""

import re

import pytest

from kskak.game.game_commands import BookLeave
from kskak.regulation.editions import Side
from mail.text.catalogue import Words
from mail.text.explanations import running_lines
from server.store.play.games import GameRow
from server.usecases.play.game_views import game_view
from server.web.frame.page_texts import TimeWords
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.politeness import spoken

DA, EN = TimeWords(Words.load("da")), TimeWords(Words.load("en"))


@rows(
    "used limit da en",
    (28, 80, "28 af 80 dage brugt, 52 tilbage", "28 of 80 days used, 52 left"),
    (1, 40, "1 af 40 dage brugt, 39 tilbage", "1 of 40 days used, 39 left"),
    (40, 40, "40 af 40 dage brugt, ingen tilbage", "40 of 40 days used, none left"),
    (41, 40, "41 af 40 dage brugt, 1 dag for meget", "41 of 40 days used, 1 day too many"),
    (42, 40, "42 af 40 dage brugt, 2 dage for meget", "42 of 40 days used, 2 days too many"),
)
def test_what_is_used_and_what_is_left_are_both_named(used, limit, da, en):
    assert (DA.spent(used, limit), EN.spent(used, limit)) == (da, en)


def test_of_a_game_that_is_over_nothing_is_left():
    assert DA.spent(28, 80, is_over=True) == "28 af 80 dage brugt"
    assert EN.spent(28, 80, is_over=True) == "28 of 80 days used"


def _left(text: str, game: int) -> str:
    """What a game's line says of the days left."""
    line = text[text.index(f'href="/games/{game}"') :]
    found = re.search(r'<div class="left[^"]*">(.*?)</div>', line, re.DOTALL)
    assert found is not None
    return re.sub("<[^>]+>", "", found[1]).strip()


@pytest.mark.parametrize(
    ("turned", "listed", "page"),
    [
        (38, ("2 dage tilbage", "2 days left"),
         ("<b>2</b> dage tilbage", "<b>2</b> days left")),
        (39, ("1 dag tilbage", "1 day left"),
         ("<b>1</b> dag tilbage", "<b>1</b> day left")),
        (40, ("I dag er sidste dag", "Today is the last day"),
         ("senest i dag", "by today")),
        (41, ("overskredet", "overstepped"), ("<b>1</b> dag for meget", "<b>1</b> day too many")),
    ],
)  # fmt: skip
async def test_the_days_left_and_the_last_day_are_told_on_both_pages_in_both_languages(
    browsers: Browsers, site: Site, turned, listed, page, game: GameRow
):
    """§ 6.3.3.1: received 1 September, 40 days, exactly the limit is within: 11 October."""
    site.clock.turn(turned)
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert _left((await bent.get("/"))[1], game.id) == listed[0]
    for in_list, on_page, lang in zip(listed, page, ("da", "en"), strict=True):
        await spoken(site, lang)
        assert _left((await anna.get("/"))[1], game.id) == in_list
        text = (await anna.get(f"/games/{game.id}"))[1]
        assert on_page in text
        told = re.search(r">(senest|by) [^<]+</span>", text)
        assert bool(told) == (turned < 41)
        assert not re.search(r"\b0 (dage tilbage|days left)", text)


async def test_with_no_day_left_before_a_leave_the_day_after_it_is_named(browsers, site, game):
    """§ 6.3.6: 40 days are used on 11 October, and the 12th to the 20th do not count."""
    first = site.clock.now().date().replace(month=10, day=11)
    await site.ask(game, Side.WHITE, lambda _, by: BookLeave(by, first, first.replace(day=20)))
    site.clock.turn(40)
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert _left((await anna.get("/"))[1], game.id) == "Sidste dag er 21/10"
    assert _left((await bent.get("/"))[1], game.id) == "Sidste dag er 21/10"
    text = (await anna.get(f"/games/{game.id}"))[1]
    assert "senest 21/10, dagene til da tæller ikke med" in text
    assert "ingen dage tilbage" in text


async def test_the_account_in_letters_says_that_today_is_the_last_day(site: Site, game: GameRow):
    site.clock.turn(40)
    view = await game_view(site.core, game.id)
    assert view is not None
    told = view.account
    assert "I dag, søndag den 11. oktober 2026, er sidste dag at svare inden for tiden." in (
        tuple(running_lines(told, Words.load("da")))
    )
    assert "Today, Sunday 11 October 2026, is the last day to answer in time." in (
        tuple(running_lines(told, Words.load("en")))
    )


async def test_the_preview_and_the_statement_say_what_is_left(browsers: Browsers, site: Site):
    game, anna = await site.game(), await browsers.of("anna")
    site.clock.turn(28)
    answer = await anna.post(f"/games/{game.id}/preview", {"text": "e4", "ply": "0"})
    assert "28 af 40 dage brugt, 12 tilbage" in await answer.text()
    _, text = await anna.get(f"/games/{game.id}/statement")
    assert "28 af 40 dage brugt, 12 tilbage til kontrollen ved træk 10" in text
