"""The small diagrams of My games: the right squares, the reader's side, and silent."""

import re

import chess
import pytest

from kskak.regulation.editions import Side
from server.store.play.games import GameRow
from server.web.board.board_view import picture, small_board
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

PIECE = re.compile(r'<use href="#(\w\w)" x="(\d+)" y="(\d+)"/>')
MARK = re.compile(r'<rect class="mark" x="(\d+)" y="(\d+)"')
POSITION = "r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N2NP1/PP2PPBP/R1BQ1RK1 b kq - 0 1"


@pytest.mark.parametrize("side", list(Side))
def test_every_piece_stands_where_the_large_board_has_it(side: Side):
    board, last = chess.Board(POSITION), chess.Move.from_uci("e1g1")
    large = picture(board, side, last)
    drawn = small_board(board, side, last)
    pieces = {(code, int(x), int(y)) for code, x, y in PIECE.findall(drawn)}
    assert pieces == {(one.piece, one.x, one.y) for one in large.squares if one.piece}
    marks = {(int(x), int(y)) for x, y in MARK.findall(drawn)}
    assert marks == {(one.x, one.y) for one in large.squares if one.is_marked}


def test_a_position_that_nobody_moved_in_is_drawn_once():
    board = chess.Board(POSITION)
    assert small_board(board, Side.WHITE, None) is small_board(board.copy(), Side.WHITE, None)
    assert small_board(board, Side.WHITE, None) != small_board(board, Side.BLACK, None)


async def test_my_games_show_each_position_from_the_readers_side_and_say_nothing_of_it(
    browsers: Browsers, site: Site, game: GameRow
):
    await site.play(game, "e4")
    board = chess.Board()
    board.push_san("e4")
    last = chess.Move.from_uci("e2e4")
    for name, side in (("anna", Side.WHITE), ("bent", Side.BLACK)):
        _, text = await (await browsers.of(name)).get("/")
        assert str(small_board(board, side, last)) in text
        assert text.count('class="small-board"') == text.count('class="game-row"')
        assert text.count('id="cm-chessboard-sprite"') == 1
    assert 'aria-hidden="true"' in small_board(board, Side.WHITE, last)


async def test_who_has_no_game_that_runs_is_sent_no_pieces(browsers: Browsers):
    _, text = await (await browsers.of("tove")).get("/")
    assert "cm-chessboard-sprite" not in text
