"""My games: marks beside a game, the finished ones by the page, the search, the next game.

A row says one figure, the days of who is to move, and in small the reader's own last day.
"""

import re
from datetime import date
from time import perf_counter

import pytest

from kskak.game.game_commands import BookLeave, SendMoves
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from server.store.play.games import GameRow
from server.usecases.groups.group_file import read_group_file
from server.usecases.play.game_requests import FieldReader, TextProblem
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.each import rows
from tests.fakes.many import copies, statements
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browsers

RESULTS = ("1-0", "0-1", "1/2-1/2")


@pytest.fixture
async def three(site: Site) -> Site:
    """Anna is to move in two games against Bent and one against Søren."""
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    await site.play(await site.game("K-26-01/3"), "d4", days=0)
    return site


async def _many(site: Site, count: int, first: int = 1) -> None:
    numbers = range(first, first + count)
    await site.core.store.transact(lambda conn: copies(conn, "K-26-01/2", numbers, RESULTS))


def _row(text: str, game: int) -> str:
    """A game's line in the list."""
    start = text.index(f'href="/games/{game}"')
    end = text.find("</li>\n<li>\n<div", start)
    return text[start : end if end > 0 else text.index("</ol>", start)]


async def test_a_message_is_new_until_its_reader_opens_the_game_or_answers(site, game, bent, anna):
    await site.play(game, "e4", "Hej Bent")
    assert "ny besked" in _row((await bent.get("/"))[1], game.id)
    assert "ny besked" not in _row((await anna.get("/"))[1], game.id), "her own is not new to her"
    assert "ny besked" in _row((await bent.get("/"))[1], game.id), "a list is not the game"
    await bent.get(f"/games/{game.id}")
    assert "ny besked" not in _row((await bent.get("/"))[1], game.id)
    await site.play(game, "e5", "Hej Anna")
    assert "ny besked" in _row((await anna.get("/"))[1], game.id)
    await site.play(game, "Sf3")
    text = _row((await anna.get("/"))[1], game.id)
    assert "ny besked" not in text, "who answered by mail has read it"
    text = _row((await bent.get("/"))[1], game.id)
    assert "nyt, siden du sidst" in text and "besked" not in text


async def test_who_only_watches_sees_no_message_and_takes_nobodys_news(browsers, site, game):
    """CONTRACTS: messages are for both players, and for officials within a case only."""
    await site.play(game, "e4", "Hej Bent")
    status, text = await (await browsers.of("tove")).get(f"/games/{game.id}")
    assert status == 200 and "Hej Bent" not in text
    assert "ny besked" in _row((await (await browsers.of("bent")).get("/"))[1], game.id)


async def test_offers_series_leave_and_cases_are_told_beside_the_game(browsers, site, game):
    def build(state: GameState, by: Side) -> SendMoves | TextProblem:
        today = site.clock.now().date()
        return FieldReader("Sf3 0Sc6 Lb5", state.position.ply, True, today, "da")(state, by)

    for text in ("e4", "e5"):
        await site.play(game, text, days=0)
    await site.ask(game, Side.WHITE, build)
    first, last = site.clock.now().date().replace(day=10), site.clock.now().date().replace(day=20)
    await site.ask(game, Side.WHITE, lambda _, by: BookLeave(by, first, last))
    bent, anna = await browsers.of("bent"), await browsers.of("anna")
    await bent.post(f"/games/{game.id}/object", {"kind": "days", "text": "Dagene er forkerte."})
    text = _row((await bent.get("/"))[1], game.id)
    for mark in ("remis er tilbudt", "trækserie foreslået til dig", "sag 2026/1"):
        assert mark in text, mark
    assert "Anna Andersen holder ferie fra 10/9 til 20/9" in text
    text = (await anna.get("/"))[1]
    for mark in ("du har tilbudt remis", "din trækserie står"):
        assert mark in _row(text, game.id), mark
    assert text.count("Du holder ferie fra 10/9 til 20/9 i 1 parti.") == 1
    site.clock.turn(10)
    text = _row((await bent.get("/"))[1], game.id)
    assert "Anna Andersen holder ferie til og med 20/9" in text


@rows(
    "leaves told",
    ([("12-15", "12-19")], "fra 15/12 til 31/12"),
    ([("12-01", "12-05"), ("12-03", "12-08")], "fra 1/12 til 8/12"),
    ([("12-06", "12-08"), ("12-01", "12-05")], "fra 1/12 til 8/12"),
    ([("12-01", "12-05"), ("12-07", "12-08")], "fra 1/12 til 5/12"),
)
async def test_a_leave_lasts_through_what_adjoins_or_overlaps_it(
    browsers: Browsers, site: Site, leaves, told, game: GameRow
):
    """§ 6.3.6.2: nobody need play from 20 to 31 December."""
    for days in leaves:
        first, last = (date.fromisoformat(f"2026-{day}") for day in days)
        await site.ask(game, Side.WHITE, lambda _, by, a=first, b=last: BookLeave(by, a, b))
    text = (await (await browsers.of("anna")).get("/"))[1]
    assert text.count(f"Du holder ferie {told} i 1 parti.") == 1
    text = _row((await (await browsers.of("bent")).get("/"))[1], game.id)
    assert f"Anna Andersen holder ferie {told}" in text


async def test_a_row_is_name_last_move_with_its_number_and_days_and_one_button_is_filled(
    browsers: Browsers, site: Site, game: GameRow
):
    """§ 6.3.3.1: 40 days to the control at move 10; five used on the move."""
    for text in ("d4", "Sf6"):
        await site.play(game, text, days=0)
    site.clock.turn(6)
    for name in ("anna", "bent"):
        page = (await (await browsers.of(name)).get("/"))[1]
        text = _row(page, game.id)
        assert "sidst 1... Sf6<" in text
        assert "35 dage tilbage" in text and len(re.findall(r"\d+ dage?", text)) == 1
        filled = re.findall(r'<\w+ class="button"[^>]*>', page)
        waits = 'id="mine"' in page
        is_mine = "left theirs" not in text
        assert len(re.findall(r"senest \d+/\d+", text)) == is_mine, "a kept page is read later"
        assert filled == ['<a class="button" href="/next?again=1">'] * waits, name


async def test_finished_games_come_the_newest_first_a_page_at_a_time(browsers, site):
    await _many(site, 60)
    anna = await browsers.of("anna")
    text = (await anna.get("/"))[1]
    shown = re.findall(r"K-26-01/2-(\d+)<", text)
    assert shown == ["60", "59", "58", "57", "56"] and "Sluttede partier (60)" in text
    seen, path = [], "/games"
    while path:
        _, text = await anna.get(path)
        seen += re.findall(r"K-26-01/2-(\d+)<", text)
        found = re.search(r'href="([^"]+)" rel="next"', text)
        path = found[1] if found else ""
    assert seen == [str(n) for n in range(60, 0, -1)]
    assert "side 3 af 3" in text and 'rel="prev"' in text
    assert "Gå til den sidste" in (await anna.get("/games?page=9"))[1]
    for odd in ("0", "-1", "x", "9" * 30, "²"):
        assert (await anna.get(f"/games?page={odd}"))[0] == 200
    _, text = await (await browsers.of("tove")).get("/games")
    assert "Ingen af dine partier er slut endnu" in text and "K-26-01/2" not in text
    assert "/signin" in str((await (await browsers.stranger()).http.get("/games")).url)


BENT = {"K-26-01/2", "K-26-02/1", "K-26-01/2-1", "K-26-01/2-2"}
SEARCHES = {
    "bent": BENT,
    "BÆK": BENT,
    "bæk 26-02": {"K-26-02/1"},
    "k-26-01/2": BENT - {"K-26-02/1"},
    "emt søren": {"K-26-01/3"},
    "2": {"K-26-01/2"},
    "3": {"K-26-01/3"},
    "anna": set(),
    "%": set(),
    "_": set(),
}


async def test_a_search_finds_by_opponent_tournament_group_and_number(browsers, three):
    await _many(three, 2)
    anna = await browsers.of("anna")
    for asked, found in SEARCHES.items():
        status, text = await anna.get("/games", params={"q": asked})
        assert status == 200 and f'value="{asked}"' in text
        assert set(re.findall(r">(K-26-0\d/[\d-]+)</td>", text)) == found, asked
        is_nothing = f"Ingen af dine partier passer på »{asked}«" in text
        assert is_nothing is not bool(found)
    assert "Prøv med færre ord" in text and 'href="/archive?player=' in text


async def test_what_was_searched_is_text_and_stays_in_the_links(browsers: Browsers, site: Site):
    await _many(site, 60)
    anna = await browsers.of("anna")
    raw = await (await anna.http.get("/games", params={"q": "<b>&x=1"})).text()
    assert "&lt;b&gt;" in raw and "<b>&x" not in raw
    _, text = await anna.get("/games", params={"q": "bent bæk"})
    found = re.search(r'href="([^"]+)" rel="next"', text)
    assert found and "q=bent%20b%C3%A6k" in found[1]
    assert re.findall(r"K-26-01/2-(\d+)<", (await anna.get(found[1]))[1])


async def test_ten_thousand_games_ask_no_more_than_ten(browsers: Browsers, site: Site):
    """The same questions for my games, the finished ones, a search, a game and the next one."""
    anna, game = await browsers.of("anna"), await site.game()
    paths = ("/", "/games", "/games?q=bent", f"/games/{game.id}", f"/next?after={game.id}")
    paths += (f"/players/{game.white_id}",)

    async def asked() -> list[int]:
        counts = []
        for path in paths:
            with statements() as said:
                assert (await anna.get(path))[0] == 200, path
            assert not [one for one in said if "snapshot" in one and "result IS NOT NULL" in one]
            counts.append(len([one for one in said if one.startswith("SELECT")]))
        return counts

    await _many(site, 10)
    await asked()  # the first time something is opened, too
    before = await asked()
    await _many(site, 9_990, first=11)
    assert await asked() == before
    assert max(before) < 25
    began = perf_counter()
    await anna.get("/")
    assert perf_counter() - began < 2, "no position of a finished game is read"


async def test_a_message_without_a_move_and_a_move_that_waits_have_their_marks(game, anna, bent):
    await bent.post(f"/games/{game.id}/thread", {"message": "God jul!", "key": "k1"})
    assert "ny besked" in _row((await anna.get("/"))[1], game.id)
    await anna.get(f"/games/{game.id}")
    text = (await anna.get("/"))[1]
    assert "ny besked" not in _row(text, game.id)
    assert "venter på at blive sendt" not in _row(text, game.id)
    form = {"text": "e4", "ply": "0", "key": "k2", "minutes": "10"}
    answer = await anna.post(f"/games/{game.id}/hold", form)
    assert answer.status == 303
    text = (await anna.get("/"))[1]
    assert "Fortryd" in text and f'href="/games/{game.id}#delayed"' in text
    assert "venter på at blive sendt" in _row(text, game.id)


async def test_who_has_no_game_is_shown_the_way_to_one(browsers: Browsers):
    _, text = await (await browsers.of("tove")).get("/")
    main = text.partition("<main")[2]
    assert 'href="/enter"' in main and 'href="/help/first"' in main
