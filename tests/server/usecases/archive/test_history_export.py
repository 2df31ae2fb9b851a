"""The server's own games as PGN: finished ones alone, and known again when they come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import chess
import pytest

from kskak.archive.past_game import PastPlayer, past_pgn, unpack_moves
from kskak.archive.pgn_reading import read_game, split
from kskak.game.game_commands import Resign
from kskak.regulation.editions import Result, Side
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.archive_views import ExportCounts, ExportSelection, export
from server.usecases.archive.table_import import ArchiveImportOutcome, ArchiveImportReport, Watch
from tests.fakes.history import codes, counts, past_game
from tests.fakes.site import Site, close_site, open_site

MOVES = ("e4", "e5", "Sf3")


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """One game of K-26-01 is over, another has begun."""
    opened = await open_site(tmp_path)
    game = await opened.game("K-26-01/2")
    for move in MOVES:
        await opened.play(game, move)
    await opened.ask(game, Side.BLACK, lambda *_: Resign(Side.BLACK))
    await opened.play(await opened.game("K-26-01/1"), "d4")
    yield opened
    await close_site(opened)


async def _out(site: Site, **choice: object) -> list[str]:
    counted = ExportCounts()
    texts = [text async for text in export(site.core, ExportSelection(**choice), counted)]
    assert counted.games == len(texts)
    return texts


async def _in(site: Site, folder: Path, text: str) -> ArchiveImportReport:
    path = folder / "in.pgn"
    path.write_text(text, encoding="utf-8")
    return await import_past(site.core, sources([path]), Watch(), dry_run=False)


async def test_a_finished_game_is_read_again_as_it_was_played(site: Site):
    game = await site.game("K-26-01/2")
    (text,) = await _out(site, is_all=True)
    (part,) = split(text.encode().splitlines(keepends=True))
    told = read_game(part.raw, "2026-12-31")
    assert (told.white.name, told.black.name) == (game.white, game.black)
    assert (told.event, told.day, told.round) == (
        "K-skak-EMT 2026, K-26-01", "2026-09-01", str(game.round),
    )  # fmt: skip
    assert (told.result, told.end) == (Result.WHITE_WINS, "2026-09-04")
    board = chess.Board()
    assert unpack_moves(told.moves) == tuple(board.push_san(san) for san in ("e4", "e5", "Nf3"))


async def test_the_servers_own_games_are_known_when_they_come_back(site: Site, tmp_path: Path):
    report = await _in(site, tmp_path, "\n".join(await _out(site, is_all=True)))
    assert (counts(report), codes(report, ArchiveImportOutcome.KNOWN)) == (
        {"known": 1},
        [(1, 1, "own")],
    )


async def test_games_are_chosen_by_group_number_address_and_name(site: Site, tmp_path: Path):
    game = await site.game("K-26-01/2")
    past = past_game(white=PastPlayer(game.white), black=PastPlayer("Bo Berg", "4711"))
    await _in(site, tmp_path, past_pgn(past, with_numbers=True))
    person = await site.person("anna@example.org")
    assert person.name in (game.white, game.black)
    for choice, count in (
        ({"is_all": True}, 2),
        ({"group": "K-26-01"}, 1),
        ({"group": past.event}, 1),
        ({"game": "K-26-01/2"}, 1),
        ({"game": str(game.id)}, 1),
        ({"game": "K-26-01/1"}, 0),
        ({"player": "bo berg"}, 1),
        ({"player": "nobody@example.org"}, 0),
        ({"player": f"{game.white.split()[0].lower()}@example.org"}, 2),
    ):
        assert len(await _out(site, **choice)) == count, choice
    assert "4711" not in "".join(await _out(site, is_all=True))
    assert "4711" in "".join(await _out(site, is_all=True, with_numbers=True))
