"""The archive's openings beside a game: for its readers, with the two players' own games."""

from urllib.parse import quote

import chess

from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import index_some_games


async def test_the_players_own_games_with_the_position_stand_below_the_moves(site, browsers):
    finished = await site.game("K-26-01/1")
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game("K-26-01/1"), text)
    while await archive_views.follow(site.core):
        pass
    await index_some_games(site.core)
    other = await site.game("K-26-01/2")
    anna = await browsers.of("anna")
    board = chess.Board()
    board.push_san("f3")
    path = f"/games/{other.id}/openings?position="
    status, panel = await anna.get(path + quote(board.fen()))
    assert status == 200 and "<html" not in panel
    assert 'data-uci="e7e5">1… e5</button>' in panel
    his = panel.index("Partier af Bent Bæk med stillingen")
    assert f'href="/games/{finished.id}?ply=1#board"' in panel[his:]
    for wrong in ("", "vrøvl", "8/8/8/8/8/8/8/8 w - - 0 1"):
        assert (await anna.get(path + quote(wrong)))[0] == 404
