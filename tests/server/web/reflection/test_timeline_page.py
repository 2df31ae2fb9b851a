"""The timeline on the statement and the price of waiting on the game's page: the account's days."""

import random
import re
from datetime import date, timedelta

import chess

from kskak.game.game_commands import BookLeave, GrantLeave, ReportFaulty, Resign
from kskak.regulation.editions import MoveFault, Side
from server.store.play.games import GameRow
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

_CELL = re.compile(r'<td class="([^"]+)">(\d+)(?:<b>(.*?)</b>)?<i>(.*?)</i>')


def _cells(text: str) -> list[tuple[str, int, str, str]]:
    """Look, day of the month, mark and words of each day that is shown."""
    return [(look, int(day), mark, words) for look, day, mark, words in _CELL.findall(text)]


async def test_every_day_of_the_statement_has_its_own_cell_and_words(site, browsers, game):
    await site.play(game, "e4", days=0)
    await site.play(game, "e5", days=4)
    site.clock.turn(3)
    _, page = await (await browsers.of("anna")).get(f"/games/{game.id}/statement")
    assert _cells(page.replace("\xa0", " ")) == [
        ("way", 1, "", "tirsdag 1/9: 1. e4 var undervejs til Sort (§ 6.8.6)."),
        ("black", 2, "", "onsdag 2/9: Sort brugte sin 1. dag på 1... e5 (§ 6.8.6)."),
        ("black", 3, "", "torsdag 3/9: Sort brugte sin 2. dag på 1... e5 (§ 6.8.6)."),
        ("black", 4, "", "fredag 4/9: Sort brugte sin 3. dag på 1... e5 (§ 6.8.6)."),
        ("way", 5, "", "lørdag 5/9: 1... e5 var undervejs til Hvid (§ 6.8.6)."),
        ("white", 6, "", "søndag 6/9: Hvid brugte sin 1. dag på det træk, der ventes (§ 6.8.6)."),
        ("white", 7, "", "mandag 7/9: Hvid brugte sin 2. dag på det træk, der ventes (§ 6.8.6)."),
    ]


async def test_the_days_go_on_over_the_new_month_each_month_with_its_name(site, browsers, game):
    await site.play(game, "e4", days=0)
    site.clock.turn(31)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    assert [day for _, day, _, _ in _cells(page)] == [*range(1, 31), 1]
    assert page.index("september 2026</th>") < page.index(">30<") < page.index("oktober 2026</th>")
    assert 'class="at2"' in page, "a Tuesday stands in the second column"
    words = "torsdag 1/10: Sort brugte sin 30. dag på det træk, der ventes (§ 6.8.6)."
    assert _cells(page.replace("\xa0", " "))[-1] == ("black", 1, "", words)


async def test_days_that_are_charged_stand_on_their_day(site: Site, browsers: Browsers) -> None:
    """§ 6.8.6: three days for an illegal move by mail, on the day it was sent."""
    game = await site.game()
    await site.play(game, "e4", days=0)
    site.clock.turn(3)
    await site.ask(game, Side.BLACK, lambda _, by: ReportFaulty(by, MoveFault.ILLEGAL))
    site.clock.turn(1)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    words = (
        "fredag 4/9: Sort brugte sin 3. dag på det træk, der ventes (§ 6.8.6)."
        " 4/9: 3 dage er lagt til Sorts tid: ugyldigt træk (§ 6.8.6)."
    )
    assert _cells(page.replace("\xa0", " "))[-1] == ("black added", 4, "+3", words)
    assert '<span class="day added" aria-hidden="true">+3</span> dage lagt til' in page


async def test_days_that_do_not_count_bear_a_letter_that_the_legend_names(site, browsers, game):
    """§ 6.3.6: Black's leave, and the obligatory holiday at the end of the year (§ 6.3.6.2)."""
    await site.play(game, "e4", days=100)
    today = site.clock.now().date()
    first, last = today + timedelta(days=6), today + timedelta(days=7)
    await site.ask(game, Side.BLACK, lambda _, by: BookLeave(by, first, last))
    site.clock.turn(16)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    cells = {day: (look, mark, words) for look, day, mark, words in _cells(page)}
    assert cells[11][0] == "black"
    assert cells[16] == ("still", "F", "onsdag 16/12: Sorts tid stod stille, ferie (§\xa06.3.6).")
    assert cells[25][:2] == ("still", "H")
    assert cells[25][2].endswith("Sorts tid stod stille, obligatorisk ferie (§\xa06.3.6.2).")
    keys = re.findall(r'<span class="day still" aria-hidden="true">(.)</span> (\w+)', page)
    assert keys == [("H", "obligatorisk"), ("F", "ferie")]


async def test_without_script_the_days_words_can_be_shown_as_a_list(site, browsers, game):
    """No cell is a stop for the Tab key but by script; the box before them shows all words."""
    await site.play(game, "e4", days=0)
    site.clock.turn(3)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    timeline = page[page.index('class="dayline"') : page.index("</table>")]
    assert "tabindex" not in timeline
    assert '<input type="checkbox" id="days-as-list"' in timeline
    assert '<label for="days-as-list"' in timeline


async def test_the_statement_of_a_game_of_more_than_300_days_stays_small(site, browsers, game):
    board, drawn = chess.Board(), random.Random(8)
    for ply in range(90):
        move = drawn.choice([one for one in board.legal_moves if not board.is_capture(one)])
        await site.play(game, move.uci(), days=0 if ply == 0 else 4)
        board.push(move)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    assert len(_cells(page)) > 300
    assert len(page.encode()) < 61_000


async def test_6_3_6_4_strangers_see_leave_and_parties_and_officials_special_leave(
    site: Site, browsers: Browsers, game: GameRow
) -> None:
    await site.play(game, "e4", days=0)
    first, last = date(2026, 9, 3), date(2026, 9, 5)
    await site.ask(game, Side.BLACK, lambda _, by: GrantLeave(by, first, last))
    await site.play(game, "e5", days=6)
    await site.ask(game, Side.WHITE, lambda _, by: Resign(by))
    visitors = [await browsers.of(name) for name in ("anna", "bent", "tove", "soren")]
    for visitor, is_told in zip(
        (*visitors, await browsers.stranger()), (True, True, True, False, False), strict=True
    ):
        for rest in ("", "/statement", "/statement.json", "/statement.txt"):
            status, page = await visitor.get(f"/games/{game.id}{rest}")
            assert status == 200
            told = re.findall("særlov|special|6.3.6.4", page)
            assert bool(told) == (is_told and rest in ("/statement", "/statement.json")), rest
    assert ("still", "F") in [
        (look, mark)
        for look, _, mark, _ in _cells((await visitor.get(f"/games/{game.id}/statement"))[1])
    ]


async def test_the_price_of_waiting_is_for_the_one_to_move_only(site, browsers, game):
    await site.play(game, "e4", days=0)
    site.clock.turn(31)
    _, his = await (await browsers.of("bent")).get(f"/games/{game.id}")
    rows = re.findall(r'<th scope="row">([^<]*)</th><td [^>]*>([^<]*)</td>(.*?)</tr>', his)
    told = [(when, cost, re.sub("<[^>]+>", "", total)) for when, cost, total in rows]
    assert told == [
        ("i dag, 2/10", "30 dage", "30 af 40"),
        ("om 5 dage, 7/10", "35 dage", "35 af 40"),
        ("om 14 dage, 16/10", "44 dage", "44 af 40 tiden er overskredet (§ 6.3.3.1)"),
    ]
    _, hers = await (await browsers.of("anna")).get(f"/games/{game.id}")
    assert "Hvad koster det at vente?" not in hers
