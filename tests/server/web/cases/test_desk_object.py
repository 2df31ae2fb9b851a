"""A player's own question opens a case; the front page says so to those it concerns."""

from datetime import date, timedelta
from html import unescape

import pytest

from kskak.cases.case_events import CaseKind
from kskak.game.game_events import Event, GameResumed, OpponentReminded, RulingApplied, TotalsSet
from kskak.regulation.editions import Side
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.play.games import GameRow
from server.usecases.cases.case_actions import complain
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.play.game_requests import Origin
from tests.fakes.site import Site, officials
from tests.server.web.cases.test_desk_lists import desk, section
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of, decided, letter_in


async def _count(site: Site) -> int:
    async with site.core.store.read() as conn:
        return len(await case_rows.everything(conn))


async def test_a_player_opens_a_case_and_both_find_it_on_their_front_page(
    site: Site, browsers: Browsers, game: GameRow, anna: Browser, bent: Browser
):
    """§ 6.4.1: with his statement and the account in evidence."""
    assert f"/games/{game.id}/object" in (await anna.get(f"/games/{game.id}"))[1]
    assert (await anna.get(f"/games/{game.id}/object"))[0] == 200
    answer = await anna.post(
        f"/games/{game.id}/object", {"kind": "days", "text": "Dagene er talt forkert."}
    )
    assert answer.status == 303
    path = answer.headers["Location"]
    assert "Dagene er talt forkert." in (await bent.get(path))[1]
    assert path in (await bent.get("/"))[1] and path in (await anna.get("/"))[1]
    assert path not in (await (await browsers.of("soren")).get("/"))[1]
    assert path in (await (await browsers.of("tove")).get("/desk"))[1]
    assert (await case_of(site)).kind == "days"


@pytest.mark.parametrize("name", ["soren", "ole", "nina"])
async def test_who_is_not_in_the_game_asks_nothing_about_it(
    site: Site, browsers: Browsers, name: str
):
    await officials(site)
    game = await site.game()
    browser = await browsers.of(name)
    fields = {"kind": "days", "text": "Jeg synes …"}
    assert (await browser.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0


async def test_a_stranger_signs_in_first(site: Site, game: GameRow, stranger: Browser):
    fields = {"kind": "days", "text": "Jeg synes …"}
    answer = await stranger.post(f"/games/{game.id}/object", fields)
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert await _count(site) == 0


async def test_nothing_said_is_asked_for_again(site: Site, game: GameRow, anna: Browser):
    answer = await anna.post(f"/games/{game.id}/object", {"kind": "leave", "text": " "})
    text = unescape(await answer.text())
    assert answer.status == 422 and 'value="leave" selected' in text
    assert (await anna.post(f"/games/{game.id}/object", {"kind": "?"})).status == 400
    assert await _count(site) == 0


async def test_a_game_that_is_over_may_still_be_asked_about_but_not_by_its_watchers(
    site: Site, game: GameRow, anna: Browser, soren: Browser
):
    """§ 6.4.1: anybody may see a finished game; only those in it open a case."""
    await anna.post(f"/games/{game.id}/end/resign", {"key": "k", "ply": "0"})
    fields = {"kind": "result", "text": "Resultatet er forkert."}
    assert (await soren.post(f"/games/{game.id}/object", fields)).status == 403
    assert await _count(site) == 0
    assert (await anna.post(f"/games/{game.id}/object", fields)).status == 303
    assert await _count(site) == 1


async def test_a_player_withdraws_from_his_group_and_a_second_press_finds_the_case(
    site: Site, browsers: Browsers, game: GameRow
):
    """§ 6.2.8: told what would follow before; the leader rules, and the games go on till then."""
    path = f"/games/{game.id}/leave-group"
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    assert path in (await anna.get(f"/games/{game.id}"))[1]
    asked = unescape((await anna.get(path))[1])
    assert "0 af 2 partier er færdige" in asked and "du taber alle dine partier" in asked
    assert (await anna.post(path, {"text": " "})).status == 422
    told = {"text": "Jeg skal opereres og kan ikke spille i år."}
    case = (await anna.post(path, told)).headers["Location"]
    for press in (await anna.post(path, told), await anna.http.get(path, allow_redirects=False)):
        assert (press.status, press.headers["Location"]) == (303, case)
    assert await _count(site) == 1
    assert told["text"] in (await tove.get(case))[1] and case in (await tove.get("/desk"))[1]
    assert (await case_of(site)).kind == "withdrawal"
    for who in ("soren", "tove"):
        assert (await (await browsers.of(who)).post(path, told)).status == 403
    await anna.post(f"/games/{game.id}/end/resign", {"key": "k", "ply": "0"})
    assert (await anna.get(path))[0] == 404


# Since when a player is silent: the last move's day, not a reminder's or a ruling's (§ 6.3.4).


async def _enter(site: Site, *events: Event) -> None:
    game = await site.game()
    origin = Origin(site.core.clock.now(), None, "case")
    await site.core.writer.submit(EventsUnit(game.id, events, origin, poster_of(site.core)))


def _today(site: Site) -> date:
    return site.clock.now().date()


async def test_neither_a_reminder_nor_a_ruling_is_a_sign_of_life(site: Site, tove: Browser):
    """§ 6.3.4: the day stands still while others write to him."""
    await site.play(await site.game(), "e4")
    moved = _today(site)
    site.clock.turn(16)
    await _enter(site, OpponentReminded(Side.WHITE, _today(site)))
    site.clock.turn(2)
    await _enter(site, RulingApplied("2026/9/1", TotalsSet(3, 3)))
    text = section(await desk(tove), "silent")
    assert "K-26-01/2" in text and f"{moved.day}/{moved.month}" in text
    for later in (16, 18):
        day = moved + timedelta(days=later)
        assert f'data-l="Stille siden">{day.day}/{day.month}' not in text


async def test_a_game_resumed_from_a_day_to_come_is_not_silent_before(site: Site, tove: Browser):
    """§ 6.4.1: counted from the day on which the ruling lets it go on."""
    await site.play(await site.game(), "e4")
    site.clock.turn(20)
    assert "K-26-01/2" in section(await desk(tove), "silent")
    resumed = _today(site) + timedelta(days=6)
    await _enter(site, RulingApplied("2026/9/1", GameResumed(resumed)))
    assert "K-26-01/2" not in section(await desk(tove), "silent")
    site.clock.turn(5)
    assert "K-26-01/2" not in section(await desk(tove), "silent")


# A second warning is a quarantine: said before it is sent, in the letter, and after (§ 4.1.19).


async def _conduct(site: Site, tove: Browser, about: int) -> str:
    """A case of conduct that has been heard: its address."""
    leader, game = await site.person("tove@example.org"), await site.game()
    complaint = (game.group_id, about, CaseKind.CONDUCT, "Usportsligt.")
    opened = await complain(site.core, leader, *complaint)
    assert isinstance(opened, CaseRow)
    path = f"/desk/cases/{opened.number}"
    await tove.post(f"{path}/close", {"text": "Hørt."})
    return path


async def test_a_second_warning_is_a_quarantine_before_and_after(site: Site, browsers: Browsers):
    """§ 4.1.19: the earlier warning, the letter, the page of who is warned: with the days."""
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    warned = (await site.person("anna@example.org")).id
    fields = {f"sanction-{warned}": "warning", "paragraphs": "§ 6.4.2", "reasons": "Uhøflig."}
    first = await _conduct(site, tove, warned)
    assert "Advarsel af" not in unescape((await tove.get(first))[1])
    text = await decided(tove, first, fields)
    assert "får en advarsel (§ 6.4.2)" in letter_in(text)
    own = unescape((await anna.get(f"/players/{warned}"))[1])
    assert "En advarsel mere i den tid bliver automatisk til karantæne i 3 måneder" in own
    assert "Advarsel af" not in unescape((await tove.get(f"/players/{warned}"))[1]), "hers alone"
    site.clock.turn(10)
    second = await _conduct(site, tove, warned)
    assert "Advarsel af" in unescape((await tove.get(second))[1]), "shown to who decides"
    text = await decided(tove, second, fields)
    told = "karantæne i 3 måneder, fra og med den"
    assert told in letter_in(text)
    assert text.count(told) == 2, "what will happen says so beside the letter"
    assert told in unescape((await anna.get(second))[1]), "the decision on the case's page"
    for page in (f"/players/{warned}", "/settings"):
        own = unescape((await anna.get(page))[1])
        assert "Karantæne fra og med den" in own and "Den kom af en advarsel" in own, page


async def test_an_expulsion_shows_what_becomes_of_the_games_before_it_is_sent(
    site: Site, tove: Browser
):
    """§ 6.4.2, § 6.2.8: the half rule and each game's result stand on the letter's page."""
    expelled = (await site.person("anna@example.org")).id
    path = await _conduct(site, tove, expelled)
    fields = {f"sanction-{expelled}": "expulsion", f"months-{expelled}": "6", "reasons": "Snyd."}
    text = await decided(tove, path, fields | {"paragraphs": "§ 6.4.2"})
    assert text.count("til ende, højst halvdelen, og regnes derfor for taber af dem alle") == 2
    assert "bortvises fra turneringen" in text and "karantæne i 6 måneder" in text
    game = await site.game()
    assert game.result == ("0-1" if game.white_id == expelled else "1-0")
