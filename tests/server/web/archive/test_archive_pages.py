"""The archive's public pages: found by player, year and tournament, stepped through, paged."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kskak.archive.past_game import PastPlayer, past_pgn
from kskak.archive.pgn_reading import read_game
from server.usecases.archive import archive_views
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from tests.fakes.history import numbered, packed_sans, past_game
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

TABLES = """Turnering;Klasse;Afsluttet;Navn;Point;Partier;Plads
EMT 2001 K-7;K;2002-05-01;Anna Andersen;5;6;1
EMT 2001 K-7;K;2002-05-01;Viggo Vang;1½;6;7
"""
VIGGO = PastPlayer("Viggo <b>Vang</b>", "4711", "Nordre", 1850)
GAMES = (
    past_game(white=PastPlayer("Anna Andersen"), day="2001-05-31"),
    past_game(white=VIGGO, black=PastPlayer("Åse Ås"), day="1987-05-00", event="Pokal 1987"),
    past_game(black=PastPlayer("Åse Ås"), day="1987-00-00", event="", moves=b""),
)
LEDGER = {
    "format": "kskak-ledger/1", "game": "E-2001-07/3", "regulation": "email",
    "start": "2003-05-31", "white": "Anna Andersen", "black": "Bo Berg", "fen": None,
    "entries": [
        {"kind": "move", "by": "white", "move": "5254", "sent": "2003-06-01"},
        {"kind": "resign", "by": "black", "on": "2003-06-04"},
    ],
}  # fmt: skip


async def _import(site: Site, folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    report = await import_past(site.core, sources([path]), Watch(), dry_run=False)
    assert not report.refused, report.notes


@pytest.fixture
async def past(site: Site, tmp_path: Path) -> Site:
    """Three old games, a final table and a ledger."""
    text = "\n".join(past_pgn(game, with_numbers=True) for game in GAMES)
    await _import(site, tmp_path, "old.pgn", text)
    await _import(site, tmp_path, "tables.csv", TABLES)
    await _import(site, tmp_path, "3.json", json.dumps(LEDGER))
    return site


def _numbers(text: str) -> list[int]:
    """The games that a page lists."""
    return [int(found) for found in re.findall(r'href="/archive/(\d+)"', text)]


async def test_games_are_found_by_player_year_and_tournament(past: Site, stranger: Browser):
    for query, expected in (
        ("", [4, 1, 2, 3]),
        ("player=vang", [2]),
        ("player=%C3%A5s", [2, 3]),
        ("player=aas+aase", [2, 3]),
        ("year=1987", [2, 3]),
        ("year=1987&player=viggo", [2]),
        ("event=pokal", [2]),
        ("event=emt", [1]),
        ("year=x&after=y&person=z", [4, 1, 2, 3]),
        ("player=nobody", []),
        ("player=%25", [4, 1, 2, 3]),
    ):
        status, text = await stranger.get(f"/archive?{query}")
        assert (status, _numbers(text)) == (422 if "year=x" in query else 200, expected), query


async def test_tournaments_are_found_by_who_stood_in_their_tables_and_when(
    past: Site, browsers: Browsers, tmp_path: Path
):
    later = TABLES.replace("EMT 2001", "EMT 2003").replace("2002-", "2004-").splitlines()[:2]
    await _import(past, tmp_path, "later.csv", "\n".join(later) + "\n")
    stranger = await browsers.stranger()
    for query, expected in (
        ("", ["EMT 2003 K-7", "EMT 2001 K-7"]),
        ("year=2002", ["EMT 2001 K-7"]),
        ("player=vang", ["EMT 2001 K-7"]),
        ("player=andersen&year=2004", ["EMT 2003 K-7"]),
        ("event=k-7", ["EMT 2003 K-7", "EMT 2001 K-7"]),
        ("event=pokal", ["Pokal 1987"]),
        ("event=pokal&year=1987", []),
        ("year=1950", []),
    ):
        _, text = await stranger.get(f"/archive?{query}")
        assert re.findall(r'<li><a href="/archive/tournaments/\d+">([^<]+)', text) == expected, (
            query
        )


async def test_names_are_text_and_pgn_has_its_type(past, browsers):
    # Names are text and numbers stay inside.
    http = (await browsers.stranger()).http
    for path in ("/archive", "/archive/2", "/archive/tournaments/2", "/archive/2.pgn"):
        answer = await http.get(path)
        raw = await answer.text()
        assert answer.status == 200
        assert "4711" not in raw, path
        if not path.endswith(".pgn"):
            assert "Viggo &lt;b&gt;" in raw and "Viggo <b>" not in raw, path
    # Pgn has its registered type wherever it is.
    anna, game = await browsers.of("anna"), await past.game()
    for path in ("/archive/1.pgn", f"/games/{game.id}.pgn", "/pgn/K-26-01.pgn"):
        answer = await anna.http.get(path)
        assert (answer.status, answer.content_type) == (200, "application/vnd.chess-pgn"), path


async def test_a_game_is_stepped_through_by_links_and_taken_as_pgn(past: Site, stranger: Browser):
    status, text = await stranger.get("/archive/1")
    assert status == 200
    assert "FEN: r2q1rk1/1bpnbppp" in text and 'href="?ply=21#board"' in text
    assert 'href="?ply=23' not in text, "there is nothing after the last move"
    assert ">Sf3<" in text and ">Lb5<" in text
    _, text = await stranger.get("/archive/1?ply=1")
    assert "FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in text
    for odd in ("0", "999", "-1", "x", "9" * 30):
        assert (await stranger.get(f"/archive/1?ply={odd}"))[0] == 200
    _, pgn = await stranger.get("/archive/1.pgn")
    assert read_game(pgn.encode(), "2026-09-01") == replace(GAMES[0], eco="C95")
    assert '[Opening "Ruy Lopez: Closed, Breyer Defence, Zaitsev Hybrid"]' in pgn
    assert (await stranger.get("/archive/3"))[0] == 200, "a game without moves has a page too"


async def test_a_tournament_a_player_and_a_ledger_are_there(past, stranger):
    # A ledger is there as it came.
    assert "/archive/4/ledger.json" in (await stranger.get("/archive/4"))[1]
    assert json.loads((await stranger.get("/archive/4/ledger.json"))[1]) == LEDGER
    missing = ("99", "99.pgn", "99/ledger.json", "1/ledger.json", "tournaments/99", str(10**17))
    for path in (f"/archive/{one}" for one in missing):
        assert (await stranger.get(path))[0] == 404, path
    # A tournament has its tables and games.
    _, text = await stranger.get("/archive?event=emt+2001")
    (number,) = re.findall(r'<li><a href="/archive/tournaments/(\d+)"', text)
    _, text = await stranger.get(f"/archive/tournaments/{number}")
    assert "Klasse K" in text and "Afsluttet 1. maj 2002" in text and _numbers(text) == [1]
    assert re.search(r"Anna Andersen</a></th><td[^>]*>5</td>", text)
    assert re.search(r"Viggo Vang</th><td[^>]*>1½</td>", text)
    # A player page shows the past of who is known.
    anna = await past.person("anna@example.org")
    bent = await past.person("bent@example.org")
    _, text = await stranger.get(f"/players/{anna.id}")
    assert "Fra arkivet" in text and _numbers(text) == [4, 1]
    assert "EMT 2001 K-7</a>, Klasse K: 5 af 6, plads 1" in text
    assert "Tryk på resultatet for at spille partiet igennem." in text
    assert "Fra arkivet" not in (await stranger.get(f"/players/{bent.id}"))[1]
    _, text = await stranger.get(f"/archive?person={anna.id}")
    assert _numbers(text) == [4, 1] and "Søgt efter: partier af Anna" in text


async def test_6_3_6_4_a_ledger_with_leave_does_not_tell_of_which_type_it_was(
    past: Site, browsers: Browsers, tmp_path: Path
):
    days = {"by": "black", "from": "2003-06-08", "to": "2003-06-09", "notified": "2003-06-08"}
    entries = [LEDGER["entries"][0], {"kind": "leave", **days, "type": "special"}]
    entries += [{"kind": "resign", "by": "black", "on": "2003-06-14"}]
    document = LEDGER | {"game": "E-2001-07/4", "start": "2003-06-01", "entries": entries}
    await _import(past, tmp_path, "4.json", json.dumps(document))
    told = json.loads((await (await browsers.stranger()).get("/archive/5/ledger.json"))[1])
    leave = {"kind": "leave", "by": "black", "from": "2003-06-08", "to": "2003-06-09"}
    assert told["entries"] == [entries[0], leave | {"type": "untold"}, entries[2]]


async def test_pages_go_on_where_the_one_before_ended(site, browsers, tmp_path, monkeypatch):
    monkeypatch.setattr(archive_views, "PAGE", 10)
    await _import(site, tmp_path, "many.pgn", numbered(25))
    stranger, path, seen = await browsers.stranger(), "/archive?player=ager", []
    while path:
        _, text = await stranger.get(path)
        assert len(_numbers(text)) <= 10
        seen += _numbers(text)
        found = re.search(r'href="([^"]+)" rel="next"', text)
        path = found[1] if found else ""
    assert seen == list(range(25, 0, -1))
    _, text = await stranger.get("/archive/tournaments/1")
    found = re.search(r'href="(\?after=[^"]+)" rel="next"', text)
    assert found
    assert _numbers((await stranger.get(f"/archive/tournaments/1{found[1]}"))[1])[0] == 15


async def test_the_questions_do_not_grow_with_the_games(site, browsers, tmp_path):
    anna = await site.person("anna@example.org")
    mine = past_game(white=PastPlayer(anna.name), moves=packed_sans("e4"))
    await _import(site, tmp_path, "one.pgn", past_pgn(mine))
    stranger = await browsers.stranger()
    paths = ("/archive", "/archive?player=anna", "/archive?event=emt", "/archive/tournaments/1",
             "/archive/1", f"/players/{anna.id}")  # fmt: skip

    before = [await stranger.asked(path) for path in paths]
    await _import(site, tmp_path, "many.pgn", numbered(60).replace("Anna Ager", anna.name))
    assert [await stranger.asked(path) for path in paths] == before
    assert max(before) < 10
