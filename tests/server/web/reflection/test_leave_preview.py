"""What a leave would do is shown before anything is booked, and then it does just that."""

import re
from datetime import date
from html import unescape

from kskak.game.game_commands import BookLeave, ShortenLeave
from kskak.regulation.editions import Side
from mail.text.catalogue import Words
from mail.text.explanations import last_day_in_time
from server.usecases.groups.group_file import read_group_file
from server.usecases.reflection.leave_year import leave_year
from server.usecases.starts.start_group import start_group
from tests.fakes.faulty import everything
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.politeness import spoken

DAYS = {"first": "2026-09-10", "last": "2026-09-20"}
LOOK = {"act": "look"}


async def _told(browser: Browser, **days: str) -> str:
    """The text of the preview, without its marks."""
    answer = await browser.post("/leave", DAYS | days | LOOK)
    assert answer.status == 200
    main = unescape(await answer.text()).partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub("<[^>]+>", " ", main).split())


async def test_nothing_is_kept_by_looking_and_the_days_can_be_changed(site: Site, anna: Browser):
    await anna.get("/leave")
    before = everything(site)
    assert "Der er ikke bestilt noget endnu." in await _told(anna)
    assert everything(site) == before
    answer = await anna.post("/leave", DAYS | {"act": "change"})
    text = await answer.text()
    assert answer.status == 200
    assert 'name="first" value="2026-09-10"' in text and 'name="last" value="2026-09-20"' in text
    assert everything(site) == before


async def test_the_last_day_of_each_game_is_the_one_that_booking_makes(site: Site, anna: Browser):
    """§ 6.3.6: 40 days from 1 September and eleven days of leave: 22 October for 11 October."""
    white, black = await site.game("K-26-01/2"), await site.game("K-26-01/3")
    assert white.white == "Anna Andersen" and "Anna Andersen" in (black.white, black.black)
    said = Words.load("da")
    told = await _told(anna)
    assert "Tiden står stille i 2 partier:" in told
    assert f"{white.name} din 11. oktober 2026 22. oktober 2026" in told
    (await anna.post("/leave", DAYS)).raise_for_status()
    for name in (white.name, black.name):
        running = (await site.game(name)).state().running()
        assert running is not None
        day = last_day_in_time(running)
        assert day is not None and said.day(day) in told


async def test_the_days_it_uses_are_those_that_the_year_loses(browsers: Browsers, site: Site):
    """§ 6.3.6: 35 days a tournament year; days that are booked before use no more of them."""
    anna, person = await browsers.of("anna"), await site.person("anna@example.org")
    for name in ("K-26-01/2", "K-26-01/3"):
        side = Side((await site.game(name)).side_of(person.id))
        booked = BookLeave(side, date(2026, 9, 8), date(2026, 9, 12))
        await site.ask(await site.game(name), side, lambda _, __, asked=booked: asked)
    told = await _told(anna)
    assert "10/9–12/9 er allerede bestilt og bruger ikke flere feriedage." in told
    assert (
        "Ferien bruger 8 dage i det turneringsår, der begynder 1. september 2026. "
        "Derefter er der 22 dage tilbage." in told
    )
    await anna.post("/leave", DAYS)
    assert [one[1] for one in (await leave_year(site.core, person.id, 2026)).quotas] == [22]
    assert "Her er den samme ferie allerede bestilt." in await _told(anna)


async def test_holidays_use_no_days_and_a_leave_over_the_new_tournament_year_uses_of_both(
    site: Site, anna: Browser
):
    """§ 6.3.6.2, § 6.3.6."""
    told = await _told(anna, first="2026-12-15", last="2027-01-02")
    assert "20/12–31/12 er ferie for alle og bruger ingen feriedage (§ 6.3.6.2;" in told.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "Ferien bruger 7 dage" in told and "28 dage tilbage" in told
    site.clock.turn(days=30)  # no leave is booked more than a year ahead
    told = await _told(anna, first="2027-08-30", last="2027-09-03")
    assert "Ferien bruger 2 dage i det turneringsår, der begynder 1. september 2026." in told
    assert "Ferien bruger 3 dage i det turneringsår, der begynder 1. september 2027." in told
    assert "Ferien bruger ingen feriedage." in await _told(
        anna, first="2026-12-22", last="2026-12-26"
    )


async def test_a_tournament_that_would_refuse_says_why_beside_one_that_would_not(browsers, site):
    """§ 6.3.6: each tournament has its own 35 days."""
    other = group_text("P-26-01").replace("K-skak-EMT 2026", "Pokal 2026")
    await start_group(site.core, read_group_file(other))
    anna = await browsers.of("anna")
    spent = {"first": "2026-10-01", "last": "2026-11-04", "tournament": "Pokal 2026"}
    assert (await anna.post("/leave", spent)).status == 303
    told = await _told(anna)
    emt, cup = told.split("Pokal 2026")
    assert "Tiden står stille i 2 partier:" in emt
    assert "Her kan ferien ikke bestilles." in cup and "§ 6.3.6" in cup
    assert "Tiden står stille" not in cup.partition("Modstanderne")[0]
    assert (await anna.post("/leave", DAYS)).headers["Location"] == "/leave?booked=2"


@rows(
    "lang first told",
    ("da", "2026-09-20", "Ferien bruger 1 dag i det turneringsår"),
    ("en", "2026-09-20", "The leave uses 1 day in the tournament year"),
    ("en", "2026-09-19", "which leaves 33 days."),
)
async def test_days_are_counted_in_the_languages_plurals(browsers, site, lang, first, told):
    await spoken(site, lang)
    assert told in await _told(await browsers.of("anna"), first=first)


async def test_what_would_be_refused_and_what_was_given_back(browsers, site):
    # What would be refused is refused before the preview.
    anna = await browsers.of("anna")
    for fields in (
        DAYS | {"first": "2026-09-03"}, DAYS | {"first": ""}, DAYS | {"last": "9999-12-31"}
    ):  # fmt: skip
        answer = await anna.post("/leave", fields | LOOK)
        assert answer.status == 422
        assert 'aria-invalid="true"' in await answer.text()
    answer = await (await browsers.of("tove")).post("/leave", DAYS | LOOK)
    assert answer.status == 422
    # Days given back are not used and told apart.
    game = await site.game()
    first, until, last = date(2026, 9, 10), date(2026, 9, 13), date(2026, 9, 20)
    await _booked(site, Side.WHITE, first, last)
    site.clock.turn(10)
    await site.ask(game, Side.WHITE, lambda _, by: ShortenLeave(by, first, last, until))
    text = (await (await browsers.of("bent")).get(f"/games/{game.id}"))[1]
    assert "Anna Andersen har meldt 4," in text
    assert "givet tilbage; dagene tæller ikke som brugt" in text
    assert '<rect class="back" x="13" y="30" width="7"' in text


# Both players' year of leave on the game's page (§ 6.3.6, § 6.8.8).


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


async def test_a_finished_game_shows_no_leave_to_everybody(browsers: Browsers, site: Site):
    """What a stranger may see of leave is in the statement of the finished game, and only that."""
    game = await site.game()
    await _booked(site, Side.WHITE, date(2026, 9, 10), date(2026, 9, 20))
    for move in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game(), move, days=0)
    status, text = await (await browsers.stranger()).get(f"/games/{game.id}")
    assert status == 200 and "leave-year" not in text
