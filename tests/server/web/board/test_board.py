"""The board as drawn and in words, the score sheet, the field's text, the templates' texts."""

import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import chess
import pytest

from kskak.game.game_commands import SendMoves
from kskak.play.decide_command import decide
from kskak.play.evolve_game import evolve, open_game
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Regulation, Side
from mail.text.catalogue import LANGUAGES, Words
from server.usecases.preferences import Pieces, choose_language
from server.web.board.board_view import picture, sprite
from server.web.frame import assets
from server.web.play.game_page import acceptances, prefix, valid_count
from tests.fakes.machinery.each import each

WEB = Path(__file__).parents[4] / "server" / "web"
START = date(2026, 9, 1)


def _state(*moves: str, fen: str | None = None) -> GameState:
    return open_game(Terms("g", Regulation.EMAIL, START, "A", "B", fen, 2018))


def _after(state: GameState, plies: list[str], proposes: list[str]) -> GameState:
    command = SendMoves(
        state.mover,
        state.position.ply,
        tuple(map(chess.Move.from_uci, plies)),
        tuple(map(chess.Move.from_uci, proposes)),
    )
    events = decide(state, command, START)
    assert isinstance(events, tuple)
    return evolve(state, events[0], 0)


@pytest.mark.parametrize("side", list(Side))
def test_each_player_sees_his_own_first_rank_below(side: Side):
    drawn = picture(chess.Board(), side, chess.Move.from_uci("e2e4"))
    where = {square.name: square for square in drawn.squares}
    own = "1" if side is Side.WHITE else "8"
    assert {where[f"{file}{own}"].y for file in "abcdefgh"} == {280}
    assert where["a1"].is_dark
    assert not where["h1"].is_dark
    assert {name for name, square in where.items() if square.is_marked} == {"e2", "e4"}
    assert len({(square.x, square.y) for square in drawn.squares}) == 64


def test_the_position_in_words_begins_with_the_kings():
    drawn = picture(chess.Board("8/8/8/3k4/8/4P3/4K3/8 w - - 0 1"), Side.WHITE)
    assert list(drawn.white) == [("k", "e2"), ("p", "e3")]
    assert list(drawn.black) == [("k", "d5")]


@pytest.mark.parametrize("pieces", list(Pieces))
def test_the_pieces_are_all_there_and_bring_no_style_with_them(pieces: Pieces):
    drawn = sprite(pieces)
    names = re.findall(r'\bid="(\w\w)"', drawn)
    assert sorted(names) == sorted(c + p for c in "wb" for p in "kqrbnp")
    assert "style=" not in drawn
    etree = ElementTree.fromstring(drawn)
    assert len(etree.findall(".//defs/g")) == 12


def test_the_accepted_part_is_written_as_a_mail_would_have_it():
    state = _after(_state(), ["e2e4"], ["e7e5", "g1f3", "b8c6", "f1b5"])
    from mail.text.letter_facts import move_texts

    last = move_texts(chess.Board(), (chess.Move.from_uci("e2e4"),))[0]
    assert [len(one) for one in acceptances(state)] == [2, 4]
    assert prefix(state, 0, last) == ""
    assert prefix(state, 2, last) == "1. 5254 5755 2. 7163 "
    assert prefix(state, 4, last) == "1. 5254 5755 2. 7163 2836 3. 6125 "
    answered = _after(state, ["d7d5"], ["e4d5", "d8d5"])
    assert prefix(answered, 2, None) == "2. 5445 4845 3. "


@each("wished", ["1", "3", "6", "-2", "²", "x", "", "99999"])
def test_only_a_part_that_ends_with_the_proposers_move_can_be_accepted(wished: str):
    state = _after(_state(), ["e2e4"], ["e7e5", "g1f3", "b8c6", "f1b5"])
    assert valid_count(state, wished) == 0
    assert valid_count(state, "4") == 4


def test_the_languages_of_a_browser_are_weighed():
    assert choose_language("") == "da"
    assert choose_language("fr, en;q=0.5, da;q=0.4") == "en"
    assert choose_language("en;q=oops, da") == "da"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_that_a_template_names_is_in_the_catalogue(lang: str):
    words = Words.load(lang)
    text = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("templates/*/*.html"))
    keys = [key for key in re.findall(r'\bt\(\s*"([^"]+)"', text) if "{" not in key]
    assert len(keys) > 100
    assert [key for key in keys if f"web.{key}" not in words] == []


def _sent(name: str) -> int:
    """The octets that are sent of a file."""
    asset = assets.assets()[name]
    return len(asset.octets)


def test_the_game_page_stays_within_its_budget():
    """Script and style as sent: 46 kB to look and move, under 74 kB with the rules and the tree."""
    head = (WEB / "templates" / "board" / "parts.html").read_text(encoding="utf-8")
    linked = re.findall(r'(?:href|src)="{{ asset\("([^"]+\.(?:css|js))"\) }}"', head)
    assert {"board.css", "board.js"} <= set(linked)
    plain = sum(map(_sent, {"site.css", "app.js", "live.js", *linked}))
    assert plain < 46_000
    assert plain + _sent("board/later.js") < 74_000
    rules = b"class Chess "
    assert rules not in assets.assets()["board.js"].body
    assert rules in assets.assets()["board/later.js"].body


def test_nothing_that_may_not_go_with_us_is_served():
    names = assets.assets()
    assert not [name for name in names if "staunty" in name or "standard.svg" in name]
    assert {"vendor/cm-chessboard/LICENSE", "vendor/chess.js/LICENSE"} <= names.keys()
