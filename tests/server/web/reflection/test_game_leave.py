"""Both players' year of leave on the game's page (§ 6.3.6, § 6.8.8)."""

import re
from datetime import date

from kskak.game.game_commands import BookLeave, ShortenLeave
from kskak.regulation.editions import Side
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


async def _booked(site: Site, side: Side, first: date, last: date) -> None:
    await site.ask(await site.game(), side, lambda _, by: BookLeave(by, first, last))


async def test_both_see_both_with_days_used_of_the_allowance(browsers: Browsers, site: Site):
    """35 days a tournament year; the ten days at Christmas in it use none (§ 6.3.6.2)."""
    game = await site.game()
    await _booked(site, Side.WHITE, date(2026, 9, 10), date(2026, 9, 20))
    await _booked(site, Side.BLACK, date(2026, 12, 19), date(2027, 1, 3))
    for name in ("anna", "bent"):
        text = (await (await browsers.of(name)).get(f"/games/{game.id}"))[1]
        assert "Ferie: Anna Andersen har meldt 11, Bent Bæk" in text
        black = re.search(r"Bent Bæk (\d+) af 35 dage", text)
        assert black and 0 < int(black[1]) < 16, "the holidays are not counted"
        assert "Turneringsåret 1. september 2026 – 31. august 2027" in text
        assert "§\N{NO-BREAK SPACE}6.8.8" in text
        table = text[text.index("<caption", text.index("leave-year")) :]
        assert "10/9" in table and "20/9" in table
        assert "3/1" in table
    # The picture: the ninth day of the year on, eleven days long.
    assert '<rect class="personal" x="9" y="30" width="11"' in text


async def test_days_given_back_are_not_used_and_told_apart(browsers: Browsers, site: Site):
    game = await site.game()
    first, until, last = date(2026, 9, 10), date(2026, 9, 13), date(2026, 9, 20)
    await _booked(site, Side.WHITE, first, last)
    site.clock.turn(10)
    await site.ask(game, Side.WHITE, lambda _, by: ShortenLeave(by, first, last, until))
    text = (await (await browsers.of("bent")).get(f"/games/{game.id}"))[1]
    assert "Anna Andersen har meldt 4," in text
    assert "givet tilbage; dagene tæller ikke som brugt" in text
    assert '<rect class="back" x="13" y="30" width="7"' in text


async def test_a_finished_game_shows_no_leave_to_everybody(browsers: Browsers, site: Site):
    """What a stranger may see of leave is in the statement of the finished game, and only that."""
    game = await site.game()
    await _booked(site, Side.WHITE, date(2026, 9, 10), date(2026, 9, 20))
    for move in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game(), move, days=0)
    status, text = await (await browsers.stranger()).get(f"/games/{game.id}")
    assert status == 200 and "leave-year" not in text
