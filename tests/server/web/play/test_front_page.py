"""The first page for a stranger: a game, results and tournaments, where there are any.

How it looks is kept in tests/browser/pictures.
"""

import chess

from kskak.game.commands import Resign
from kskak.regulation.quantities import Side
from server.usecases.archive import indexing
from server.usecases.groups.group_file import GroupClass, read_group_file
from server.usecases.starts.start_group import start_group
from server.web.board.picture import small_board
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browsers

OPENING = ("e4", "c6", "d4", "d5", "Sc3", "dxe4", "Sxe4", "Lf5", "Sg3", "Lg6")


async def _finish(site: Site, name: str, moves: tuple[str, ...] = OPENING) -> int:
    """A game of some moves that White resigns; the archive has it."""
    game = await site.game(name)
    for move in moves:
        await site.play(game, move, days=0)
    await site.ask(game, Side.WHITE, lambda _state, by: Resign(by))
    await indexing.everything(site.core, lambda _, __: None)
    return game.id


async def test_before_a_game_is_over_there_are_words_and_the_tournaments_that_run(
    browsers: Browsers, site: Site
):
    await site.play(await site.game(), "e4")
    status, text = await (await browsers.stranger()).get("/")
    assert status == 200
    assert "Skak i breve" in text and "Log ind" in text
    assert "Senest sluttet" not in text and "Nye resultater" not in text
    assert "small-board" not in text and "cm-chessboard-sprite" not in text
    assert (
        'href="/groups/K-26-01">K-26-01</a> <span class="why">Kvalifikationsklassen, mail.' in text
    )


async def test_the_newest_game_is_shown_with_its_end_opening_result_and_replay(
    browsers: Browsers, site: Site
):
    older = await _finish(site, "K-26-01/2")
    site.clock.turn(1)
    newest = await _finish(site, "K-26-01/3")
    site.clock.turn(1)
    short = await _finish(site, "K-26-01/1", ("e4", "e5"))
    _, text = await (await browsers.stranger()).get("/")
    shown, _, listed = text.partition('class="cover-results"')
    assert "B18 Caro-Kann" in shown and "0–1" in shown
    assert f'href="/games/{newest}">Spil partiet igennem (5 træk)' in shown
    board = chess.Board()
    for move in ("e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Bf5", "Ng3", "Bg6"):
        board.push_san(move)
    assert str(small_board(board, Side.WHITE, chess.Move.from_uci("f5g6"))) in shown
    assert listed.index(f"/games/{short}") < listed.index(f"/games/{older}")
    assert f"/games/{newest}" not in listed, "it is not told twice"
    assert "Turneringer i gang" not in text, "no game of the group runs any more"
    stranger = await browsers.stranger()
    assert (await stranger.get(f"/games/{newest}"))[0] == 200


async def test_every_kind_of_group_has_its_name_in_both_languages(browsers: Browsers, site: Site):
    found = set()
    for number, kind in enumerate(GroupClass, 10):
        if kind in (GroupClass.LEAGUE, GroupClass.PLAYOFF):
            continue
        text = group_text(f"K-26-{number}").replace('class = "K"', f'class = "{kind.value}"')
        await start_group(site.core, read_group_file(text))
        found.add(kind)
    stranger = await browsers.stranger()
    for lang, names in (
        ("da", ("DM-klassen", "Mesterklassen", "Kvalifikationsklassen", "Pokalturneringen")),
        ("en", ("DM class", "Master class", "Qualification class", "The cup")),
    ):
        _, text = await stranger.get("/", headers={"Accept-Language": lang})
        assert all(f'<span class="why">{name}, ' in text for name in names)
    assert len(found) == 6
