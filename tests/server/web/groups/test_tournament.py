"""A tournament's home: all its groups on one page, open to anybody.

A tournament is the groups and lists that bear exactly its name; no table says it a second time.
"""

import re
from urllib.parse import quote

from kskak.game.game_commands import Resign
from server.store.play.people import Office
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.site import THIRD, Site, group_text
from tests.server.web.conftest import Browsers

HOME = f"/tournaments/{quote('K-skak-EMT 2026')}"


async def _said(browser, path: str) -> str:
    status, text = await browser.get(path, allow_redirects=False)
    assert status == 200, (path, status)
    return " ".join(re.sub("<[^>]+>", " ", text).split())


async def test_a_years_classes_have_one_page(site: Site, browsers: Browsers):
    stranger, game = await browsers.stranger(), await site.game()
    later = group_text("K-26-02").replace("2026-09-01", "2026-10-01")
    await start_group(site.core, read_group_file(later + THIRD))
    await site.play(game, "e4")
    game = await site.game()
    await site.ask(game, game.state().mover, lambda _, by: Resign(by))
    tove, tournament = await site.admit("tove", Office.KC), {"tournament": "K-skak-EMT 2026"}
    await site.open_list(tove, "K-klassen forår", "emt K", "K-27", "tove", fee=None, **tournament)

    assert f'href="{HOME}"' in (await stranger.get("/groups/K-26-01"))[1]
    said = await _said(stranger, HOME)
    first, second = said.index("K-26-01"), said.index("K-26-02")
    for part in ("1. september 2026", "Anna Andersen 1", "Bent Bæk 0", "1 af 3 partier er slut"):
        assert part in said[first:second], (part, said)
    assert "1 af 6 partier er slut" in said[:first]
    assert "0 af 3" in said[second:] and "Anna Andersen" not in said[second:], "nobody leads yet"
    assert "K-klassen forår 0 gyldige, 0 venter" in said
    assert 'href="/groups/K-26-01/atom.xml"' in (await stranger.get(HOME))[1]
    assert (await stranger.get("/tournaments/K-skak-EMT%202027"))[0] == 404
