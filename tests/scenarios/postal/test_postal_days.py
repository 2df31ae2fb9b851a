"""A postal game's calendar: weekends and obligatory holidays as the pages show them."""

import re
from datetime import date

from kskak.regulation.editions import Side
from tests.fakes.machinery.browser import browser
from tests.fakes.postal import begin_postal, enter
from tests.fakes.world import ANNA, BO, World

WHITE, BLACK = Side
_CELL = re.compile(r'<td class="([^"]+)">(\d+)(?:<b>(.*?)</b>)?<i>(.*?)</i>')
_WEEKEND = "Hvids tid stod stille, søndag regnes som lørdag (§ 6.3.2)."
_HOLIDAY = "{by}s tid stod stille, obligatorisk ferie (§ 6.3.6.2)."


async def test_6_3_2_and_6_3_6_2_weekends_and_holidays_stand_on_their_days_with_their_paragraph(
    world: World,
) -> None:
    """§ 6.3.2: a card of Sunday counts as Saturday's; § 6.3.6.2: Christmas and Easter."""
    await begin_postal(world)
    world.clock.go(date(2026, 11, 11))
    await enter(world, "white", "e4", postmark=date(2026, 11, 8), who=ANNA)
    world.clock.go(date(2027, 1, 8))
    cards = {"received": date(2026, 12, 16), "postmark": date(2027, 1, 4)}
    await enter(world, "black", "e5", who=BO, **cards)
    world.clock.go(date(2027, 4, 5))
    cards = {"received": date(2027, 3, 20), "postmark": date(2027, 4, 1)}
    await enter(world, "white", "Sf3", who=ANNA, **cards)
    async with browser(world) as anna:
        await anna.sign_in(ANNA)
        shown = (await anna.get(f"/games/{world.game}/statement")).html.replace("\xa0", " ")
    cells = {
        words.split(":")[0]: (look, mark, words) for look, _, mark, words in _CELL.findall(shown)
    }
    told = {day: (look, mark) for day, (look, mark, _) in cells.items()}
    assert told["fredag 6/11"] == told["torsdag 5/11"] == ("white", "")
    assert cells["lørdag 7/11"] == ("still", "W", f"lørdag 7/11: {_WEEKEND}")
    assert told["søndag 8/11"] == ("way", ""), "the card is on its way from Sunday"
    christmas = [day for day, (look, mark) in told.items() if day.endswith("/12") and mark == "H"]
    assert (christmas[0], christmas[-1], len(christmas)) == ("søndag 20/12", "torsdag 31/12", 12)
    easter = [day for day in cells if day.endswith("/3") and told[day] == ("still", "H")]
    assert (easter[0], easter[-1], len(easter)) == ("tirsdag 23/3", "tirsdag 30/3", 8)
    for days, by in ((christmas, "Sort"), (easter, "Hvid")):
        assert {cells[day][2] for day in days} == {
            f"{day}: {_HOLIDAY.format(by=by)}" for day in days
        }
    assert told["lørdag 19/12"] == told["fredag 1/1"] == ("black", "")
    kinds = re.findall(r'<span class="day still" aria-hidden="true">(.)</span> ([^<]+)<', shown)
    assert kinds == [("H", "obligatorisk ferie"), ("W", "weekend")]
    charged = [look.split()[0] for look, _, _, _ in _CELL.findall(shown)]
    for side, name in ((WHITE, "white"), (BLACK, "black")):
        assert charged.count(name) == await world.total(side)
    await world.assert_whole()
