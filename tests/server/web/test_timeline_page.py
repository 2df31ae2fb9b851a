"""The timeline on the statement and the price of waiting on the game's page: the account's days."""

import re

from kskak.commands import ReportFaulty
from kskak.quantities import Fault, Side
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


def _pieces(text: str) -> list[tuple[str, int, int, str]]:
    """Look, first day of the month, days and words of each piece that is shown."""
    found = re.findall(
        r'<li class="piece (\w+) from(\d+) for(\d+)".*?<span class="tip">(.*?)</span>', text
    )
    return [(look, int(first), int(days), words) for look, first, days, words in found]


async def test_the_statement_shows_each_day_with_its_paragraph(
    site: Site, browsers: Browsers
) -> None:
    game = await site.game()
    await site.play(game, "e4", days=0)
    await site.play(game, "e5", days=4)
    site.clock.turn(3)
    _, page = await (await browsers.of("anna")).get(f"/games/{game.id}/statement")
    assert _pieces(page) == [
        ("way", 1, 1, "1/9: trækket var undervejs, 1 dag (§ 6.8.6)."),
        ("black", 2, 3, "2/9–4/9: Sort brugte 3 dage til 1... e5 (§ 6.3.1)."),
        ("way", 5, 1, "5/9: trækket var undervejs, 1 dag (§ 6.8.6)."),
        ("white", 6, 2, "6/9–7/9: Hvid har brugt 2 dage på dette træk indtil nu (§ 6.3.1)."),
    ]


async def test_a_stretch_over_the_new_month_is_drawn_in_both_and_named_whole(
    site: Site, browsers: Browsers
) -> None:
    game = await site.game()
    await site.play(game, "e4", days=0)
    site.clock.turn(31)
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    words = "2/9–1/10: Sort har brugt 30 dage på dette træk indtil nu (§ 6.3.1)."
    assert _pieces(page)[1:] == [("black", 2, 29, words), ("black", 1, 1, words)]
    assert page.index("september 2026</h3>") < page.index("oktober 2026</h3>")


async def test_days_that_are_charged_stand_on_their_day(site: Site, browsers: Browsers) -> None:
    """§ 6.8.6: three days for an illegal move by mail, on the day it was sent."""
    game = await site.game()
    await site.play(game, "e4", days=0)
    site.clock.turn(3)
    await site.ask(game, Side.BLACK, lambda _, by: ReportFaulty(by, Fault.ILLEGAL))
    _, page = await (await browsers.of("bent")).get(f"/games/{game.id}/statement")
    added = re.findall(
        r'<li class="added from(\d+)".*?>(\S+?)</span><span class="tip">(.*?)<', page
    )
    words = "4/9: 3 dage er lagt til Sorts tid: ulovligt træk (§ 6.8.6)."
    assert added == [("4", "+3", words)]


async def test_the_price_of_waiting_is_for_the_one_to_move_only(
    site: Site, browsers: Browsers
) -> None:
    game = await site.game()
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
