"""The archive's search page: what was understood, what was wrong, the tree, links; by GET alone."""

import re
from html import unescape
from pathlib import Path

import chess
import pytest

from kskak.archive.past_game import past_pgn
from kskak.game.game_commands import Resign
from kskak.regulation.editions import Result, Side
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.archive_views import keep_up
from server.usecases.archive.table_import import Watch
from tests.fakes.history import numbered, packed_sans, past_game
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

GAMES = (
    past_game(day="1987-05-31", moves=packed_sans("e4", "c6", "d4", "d5", "e5", "Bf5")),
    past_game(day="1991-02-01", result=Result.DRAW, round="2",
              moves=packed_sans("d4", "d5", "e4", "c6", "e5", "c5", "Nf3")),
    past_game(day="2001-02-01", result=Result.BLACK_WINS, round="3",
              moves=packed_sans("e4", "e5", "Nf3")),
)  # fmt: skip
ADVANCE = "rnbqkbnr/pp2pppp/2p5/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3"


@pytest.fixture
async def past(site: Site, tmp_path: Path) -> Site:
    """Three old games: two Caro-Kanns by other orders of moves, one of 1. e4 e5."""
    await _import(site, tmp_path, "old.pgn", "\n".join(past_pgn(game) for game in GAMES))
    return site


async def _import(site: Site, folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    await import_past(site.core, sources([path]), Watch(), dry_run=False)


def _links(text: str) -> list[str]:
    """The games that a page lists."""
    return re.findall(r'href="(/(?:archive/\d+|games/\d+)[^"]*)"', text)


async def _page(browsers: Browsers, path: str) -> str:
    status, text = await (await browsers.stranger()).get(path)
    assert status == 200, path
    return unescape(text)


async def test_the_front_leads_on_and_a_search_tells_what_it_understood(past, browsers):
    # Opening player and years are searched together and told.
    for query, expected, told in (
        ("opening=B12", ["/archive/2", "/archive/1"], "åbning B12 Caro-Kann"),
        ("opening=b1&year=1980&until=1989", ["/archive/1"],
         "åbninger fra B10 til B19, 1980–1989"),
        ("opening=caro-kann&player=ager&until=1990", ["/archive/1"],
         "spiller »ager«, åbning »caro-kann«, til og med 1990"),
        ("opening=fremst%C3%B8d&sort=old", ["/archive/1", "/archive/2"], "åbning »fremstød«"),
    ):  # fmt: skip
        text = await _page(browsers, f"/archive?{query}")
        assert _links(text) == expected, query
        assert f"Søgt efter: {told}." in text, query
    # The front leads on and a game tells its opening.
    text = await _page(browsers, "/archive")
    assert 'href="/archive?year=1980&until=1989">1980–1989</a> <span class="quiet">1</span>' in text
    assert 'href="/archive?opening=B12">B12 Caro-Kann</a> <span class="quiet">2</span>' in text
    text = await _page(browsers, "/archive/1?ply=5")
    assert '<a href="/archive?opening=B12">B12</a> Caro-Kann: Fremstødsvarianten' in text
    found = re.search(r'href="(/archive\?position=[^"]+)" rel="nofollow">Partier med denne', text)
    assert found is not None
    assert _links(await _page(browsers, found[1])) == [
        "/archive/2?ply=5#board", "/archive/1?ply=5#board",
    ]  # fmt: skip


async def test_a_position_lists_its_games_and_what_was_played_or_gets_advice(past, browsers):
    # A position lists its games at their ply and what was played.
    numbers = "5254+3736+4244+4745+5455"
    for asked in (
        ADVANCE.replace(" ", "+"),
        "1.+e4+c6+2.+d4+d5+3.+e5",
        "1.e4+c6+2.d4+d5+3.e5",
        numbers,
    ):
        text = await _page(browsers, f"/archive?position={asked}")
        assert _links(text) == ["/archive/2?ply=5#board", "/archive/1?ply=5#board"]
        assert "2 partier i arkivet har haft stillingen" in text
        assert "Hvid vandt 50 %, remis 50 %, sort vandt 0 %." in text.replace("\xa0", " ")
        assert '<h2 id="position-title">B12 Caro-Kann: Fremstødsvarianten</h2>' in text
    # A position that nobody had gets advice for positions.
    text = await _page(browsers, "/archive?position=1.+a4+a5+2.+h4")
    assert "Ingen partier i arkivet har stillingen. Prøv en, der kommer tidligere" in text
    assert "færre ord" not in text
    assert "Prøv med færre ord" in await _page(browsers, "/archive?player=ingen+af+dem")


async def test_the_tree_is_walked_by_links_from_the_first_board_to_the_end(
    past: Site, browsers: Browsers, tmp_path: Path
):
    never_begun = past_pgn(past_game(day="1987-05-00", event="", moves=b""))
    await _import(past, tmp_path, "never-begun.pgn", never_begun)
    path, seen, text = "/archive", [], ""
    while path:
        back = re.findall(r'<a href="([^"]+)">', text.partition("Vejen til")[2])[:1]
        assert back in ([], ["/archive"]), "the way leads back to the first board"
        text = await _page(browsers, path)
        board = text.index('class="board"')
        assert board < text.index('role="search"'), "the board stands before the search"
        found = re.findall(r'<th scope="row"><a href="([^"]+)">([^<]+)</a>', text)
        seen.append([move for _, move in found])
        path = found[0][0] if found else ""
    assert seen[:2] == [["1. e4", "1. d4"], ["1… c6", "1… e5"]]
    assert seen[2:5] == [["2. d4"], ["2… d5"], ["3. e5"]]
    assert seen[5] == ["3… c5", "3… Lf5"] and seen[-1] == []
    assert "slut her" in text and "Søgt efter: stillingen efter 1. e4 c6 2. d4 d5 3. e5 c5" in text


async def test_what_is_wrong_is_told_beside_its_field_and_kept(past: Site, browsers: Browsers):
    for field, typed, said in (
        ("year", "198", "»198« er ikke et årstal"),
        ("until", "1980", "Året er før 1991"),
        ("opening", "Zugzwang", "Ingen åbning hedder »Zugzwang«"),
        ("opening", "B19-B12", "går baglæns"),
        ("position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "8 rækker"),
        ("position", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR", "Rækken »9«"),
        ("position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x - - 0 1", "x - - 0 1"),
        ("position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - -", "ikke mulig"),
        ("position", "1. e4 e5 2. Sf9", "Trækket 2. Sf9"),
        ("position", "<script>alert(1)</script>", "Trækket 1. <script>"),
        ("position", "e4 " * 500, "Skriv højst 1200 tegn"),
    ):
        browser = await browsers.stranger()
        query = {"year": "1991"} if field == "until" else {}
        answer = await browser.http.get("/archive", params=query | {field: typed})
        raw = await answer.text()
        assert answer.status == 422 and "<script>alert" not in raw
        place = re.search(rf'<input type="text" id="{field}"[^>]*>(.*)', unescape(raw))
        assert place is not None and said in place[1], (field, typed)
        assert 'aria-invalid="true"' in place[0] and f"{field}-wrong" in place[0]
        if len(typed) < 100 and "<" not in typed:
            assert f'value="{typed}"' in place[0]
        assert len(_links(raw)) == (1 if field == "until" else 3), "the rest is searched for"


async def test_a_game_of_this_server_tells_its_opening_and_is_found_when_it_is_over(past, browsers):
    game = await past.game()
    for move, days in (("e4", 3), ("c6", 0), ("d4", 4), ("d5", 0)):
        await past.play(game, move)
        past.clock.turn(days)
    anna = await browsers.of("anna")
    _, text = await anna.get(f"/games/{game.id}")
    assert '<a href="/archive?opening=B12">B12</a> Caro-Kann' in text
    same = re.search(r'href="(/archive\?position=[^"]+)" rel="nofollow"', text)
    assert same is not None
    running = await _page(browsers, unescape(same[1]))
    assert f"/games/{game.id}" not in running, "a running game is not public"
    await past.ask(await past.game(), Side.WHITE, lambda *_: Resign(Side.WHITE))
    while await keep_up(past.core):
        pass
    found = await _page(browsers, unescape(same[1]))
    assert f"/games/{game.id}?ply=4#board" in _links(found)
    for person, colour, sums, pace in (
        (game.white_id, "Hvid", "0 af 1 (0 – 0 – 1)", "0,5 dage"),
        (game.black_id, "Sort", "1 af 1 (1 – 0 – 0)", "3,5 dage"),
    ):
        shown = await _page(browsers, f"/players/{person}")
        play = shown[shown.index('id="play"') :].partition("</section>")[0]
        assert f"{colour}: {sums}" in play and play.count("<tr>") == 2
        assert f'"/archive?person={person}&opening=B12">B12 Caro-Kann' in play
        assert f"{pace} pr. træk" in play
    browser = await browsers.stranger()
    copy = await browser.http.get("/archive/4", allow_redirects=False)
    assert (copy.status, copy.headers["Location"]) == (302, f"/games/{game.id}")


async def test_a_search_asks_no_more_of_many_games_than_of_few(past, browsers, tmp_path):
    joined = "/archive?position=1.+e4&player=ager&opening=C&until=1999"
    named = ("/archive?opening=C40", "/archive?opening=konge", "/archive?position=1.+e4")
    paths = ("/archive", *named, joined)
    stranger = await browsers.stranger()
    before = [await stranger.asked(path) for path in paths]
    await _import(past, tmp_path, "many.pgn", numbered(200))
    assert [await stranger.asked(path) for path in paths] == before
    assert max(before) < 14


def test_the_example_position_is_what_the_moves_come_to():
    board = chess.Board()
    for san in ("e4", "c6", "d4", "d5", "e5"):
        board.push_san(san)
    assert board.fen() == ADVANCE
