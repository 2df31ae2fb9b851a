"""Scid's own Xfcc code, in Tcl, against the service: its list is filed, its move is made.

Not for Scid where it, or Tcl's tdom, is not installed (test_service.py has its octets).
"""

import io
import subprocess
from pathlib import Path

import chess.pgn
import pytest

from server.xfcc.service import PATH
from tests.fakes.machinery.scid import PROGRAM, TCLSH, xfcc
from tests.server.xfcc.conftest import Programs


def _has_tdom() -> bool:
    asked = [TCLSH or "false"]
    said = subprocess.run(asked, input=b"puts [package require tdom]", capture_output=True)
    return bool(said.stdout)


pytestmark = pytest.mark.skipif(
    PROGRAM is None or not _has_tdom(), reason="Scid or tdom is not installed"
)


async def test_scid_files_its_list_and_sends_a_move(programs: Programs, tmp_path: Path) -> None:
    row, uri = await programs.site.game(), str(programs.http.make_url(PATH))
    white = "anna" if row.white.startswith("Anna") else "bent"
    folder = tmp_path / "scid"
    folder.mkdir()

    async def filed() -> chess.pgn.Game:
        said = await xfcc(folder, uri, programs.keys[white])
        assert "<GetMyGamesResult>" in said
        texts = [path.read_text("utf-8") for path in folder.glob("*.pgn")]
        (text,) = [one for one in texts if f'"{row.white}"' in one and f'"{row.black}"' in one]
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None and not game.errors
        return game

    game = await filed()
    assert (game.headers["Result"], game.headers["Mode"]) == ("*", "XFCC")
    wish = (game.headers["GameId"], 1, "e4", "Hilsen & tak")
    assert "<MakeAMoveResult>Success<" in await xfcc(folder, uri, programs.keys[white], *wish)
    assert [move.uci() for move in (await filed()).mainline_moves()] == ["e2e4"]
    assert ">Success<" in await xfcc(folder, uri, programs.keys[white], *wish), "sent again"
    assert (await programs.site.game()).ply == 1
    name = programs.keys[white][0]
    assert ">AuthenticationFailed<" in await xfcc(folder, uri, (name, "x"), *wish)
