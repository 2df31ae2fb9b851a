"""Stepping through a game, its pictures and its PGN, by links alone."""

import io
import json
import re

import chess.pgn
import pytest

from kskak.game.game_commands import Resign
from mail.text.catalogue import LANGUAGES, Words
from server.web.board.board_view import list_script_texts
from server.web.frame import assets
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

PNG = b"\x89PNG\r\n"


async def _play(site: Site, *moves: str) -> str:
    """The moves, a day each; the path of the game."""
    game = await site.game()
    for text in moves:
        await site.play(game, text)
    return f"/games/{game.id}"


def _fen(text: str) -> str:
    found = re.search(r"FEN: ([^<]+)<", text)
    assert found
    return found[1]


async def test_a_player_steps_back_and_is_told_that_it_is_not_the_position_now(site, browsers):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    status, text = await anna.get(f"{here}?ply=1")
    assert status == 200
    assert _fen(text) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert re.search(r'id="shown" role="status">1\. e4 · Anna Andersen · 2/9 · 1 dag · 5254<', text)
    assert re.search(r'id="not-now">Det er ikke stillingen nu\. <a href="/games/\d+#board"', text)
    assert re.search(r'data-ply="1"[^>]* aria-current="true">e4<', text)
    for link in (f"{here}?ply=0#board", f"{here}#board"):
        assert f'href="{link}"' in text
    assert 'name="ply" value="2"' in text, "a move is still for the position now"
    _, now = await anna.get(here)
    assert 'id="not-now" class="unseen"' in now and 'class="last" aria-current="true">e5<' in now
    for odd in ("2", "999", "-1", "x", "²", "9" * 30):
        assert _fen((await anna.get(here, params={"ply": odd}))[1]) == _fen(now)


async def test_the_side_below_and_an_accepted_series_are_kept_in_the_steps(site, browsers):
    here, bent = await _play(site, "e4 0e5 2. Sf3"), await browsers.of("bent")
    _, text = await bent.get(f"{here}?accept=2&flip=1")
    assert _fen(text).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/")
    assert f'href="{here}?ply=0&accept=2&flip=1#board"' in text
    assert f'href="{here}?accept=2#board" id="flip"' in text
    assert f'href="{here}/board.png?ply=1&moves=e7e5+g1f3&flip=1"' in text
    assert 'data-line="e2e4 e7e5 g1f3"' in text and 'data-prefix="1. 5254 5755 2. 7163 "' in text
    _, back = await bent.get(f"{here}?ply=0&accept=2")
    assert _fen(back) == chess.STARTING_FEN
    assert 'value="1. 5254 5755 2. 7163 "' in back


async def test_the_script_is_given_the_moves_and_its_words_in_the_readers_language(site, browsers):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    raw = await (await anna.http.get(here)).text()
    found = re.search(r'data-words="([^"]+)"', raw)
    assert found
    words = json.loads(found[1].replace("&#34;", '"').replace("&#39;", "'"))
    assert words["n"] == "springer" and "{move}" in words["entered"]
    assert 'data-line="e2e4 e7e5"' in raw and f'data-start="{chess.STARTING_FEN}"' in raw
    assert raw.count(" w KQkq - 0 2") == 2, "one position is sent whole, not one for each move"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_scripts_words_are_all_said_and_all_there(lang: str):
    folder = assets.FOLDER / "board"
    scripts = [assets.FOLDER / "board.js", *folder.glob("*.js")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    said = set(re.findall(r"\bwords\.([a-z_]+)", text))
    said |= {"copied_picture", "copied_fen", "copied_pgn", *"kqrbnp"}
    said |= set(re.findall(r'"((?:tree|read|try|mate)_[a-z_]+)"', text))
    words = Words.load(lang)
    later = json.loads(assets.assets()[f"board/words.{lang}.json"].body)
    engine = json.loads(assets.assets()[f"board/engine.{lang}.json"].body)
    assert said == list_script_texts(words).keys() | later.keys() | engine.keys()


async def test_an_engine_is_offered_where_one_is_installed_and_opens_no_page(
    site: Site, browsers: Browsers, monkeypatch: pytest.MonkeyPatch
):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    for name in (assets.ENGINE, "engine/Copying.txt"):
        monkeypatch.delitem(assets.assets(), name, raising=False)
    async with anna.http.get(here) as answer:
        before, policy = await answer.text(), answer.headers["Content-Security-Policy"]
    assert "engine" not in before and "Stockfish" not in before
    for name in (assets.ENGINE, "engine/Copying.txt"):
        monkeypatch.setitem(assets.assets(), name, assets.Asset(b"", False, "text/javascript"))
    async with anna.http.get(here) as answer:
        text = await answer.text()
        assert answer.headers["Content-Security-Policy"] == policy and "wasm" not in policy
    assert "Kendelse 120 (1989): Bortvist for at analysere" in text
    assert len(text) - len(before) < 1_500
    worker = re.search(r'data-script="([^"]+)"', text)
    assert worker
    async with anna.http.get(worker[1]) as answer:
        assert "script-src 'wasm-unsafe-eval';" in answer.headers["Content-Security-Policy"]


async def test_a_form_that_was_refused_still_has_its_steps(site: Site, browsers: Browsers):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    answer = await anna.post(f"{here}/preview", {"text": "vrøvl", "ply": "2"})
    assert answer.status == 422
    assert f'href="{here}?ply=1#board"' in await answer.text()


async def test_who_only_watches_has_the_same_viewer_and_nothing_to_send(site, browsers):
    here, tove = await _play(site, "e4", "e5"), await browsers.of("tove")
    _, text = await tove.get(f"{here}?ply=1")
    assert 'data-step="forward" href="' in text and 'id="try"' in text
    assert 'id="trying-save"' not in text and 'id="propose"' not in text
    assert 'data-plays=""' in text


async def test_the_chosen_look_is_on_the_page(site: Site, browsers: Browsers):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    fields = {"pieces": "plain", "board": "contrast", "has_coordinates": "off"}
    assert (await anna.post("/settings/board", fields)).status == 303
    _, text = await anna.get(here)
    assert '<body class="squares-contrast no-coordinates">' in text
    assert 'data-coordinates="off"' in text
    assert 'transform="translate(-3.4 -3.2) scale(1.15)"' in text


async def _taken(browser: Browser, path: str) -> tuple[int, str, bytes]:
    answer = await browser.http.get(path, allow_redirects=False)
    return answer.status, answer.headers.get("Content-Type", ""), await answer.read()


async def test_pictures_are_of_the_position_the_line_and_the_side(site: Site, browsers: Browsers):
    here, anna = await _play(site, "e4", "e5"), await browsers.of("anna")
    seen = set()
    for query in ("", "?ply=1", "?ply=0", "?ply=2&moves=g1f3+b8c6", "?ply=2&flip=1"):
        status, kind, data = await _taken(anna, f"{here}/board.png{query}")
        assert (status, kind) == (200, "image/png") and data.startswith(PNG), query
        seen.add(data)
    assert len(seen) == 5
    assert (await _taken(anna, f"{here}/board.png?ply=2"))[2] in seen
    for wrong in ("g1g5", "e7e8", "xx", "0000", "g1f3+g1f3", "+".join(["g1f3", "g8f6"] * 200)):
        assert (await _taken(anna, f"{here}/board.png?moves={wrong}"))[0] == 404, wrong


async def test_the_pgn_opens_in_a_chess_program(site: Site, browsers: Browsers):
    here, anna = await _play(site, "e4", "e5", "Sf3"), await browsers.of("anna")
    answer = await anna.http.get(f"{here}.pgn")
    assert answer.content_type == "application/vnd.chess-pgn"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="K-26-01-2.pgn"'
    read = chess.pgn.read_game(io.StringIO(await answer.text()))
    assert read is not None and not read.errors
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]
    assert read.headers["White"] == "Anna Andersen"


@pytest.mark.parametrize("end", ["", "?ply=1", ".pgn", "/board.png"])
async def test_a_running_game_is_its_players_and_a_finished_one_everybodys(site, browsers, end):
    here = await _play(site, "e4", "e5")
    stranger, soren = await browsers.stranger(), await browsers.of("soren")
    assert (await _taken(stranger, here + end))[0] == 303
    assert (await _taken(soren, here + end))[0] == 403
    assert (await _taken(await browsers.of("tove"), here + end))[0] == 200
    game = await site.game()
    await site.ask(game, game.state().mover, lambda _, by: Resign(by))
    assert (await _taken(stranger, here + end))[0] == 200
