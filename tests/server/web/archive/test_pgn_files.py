"""The PGN of a game is the same wherever it is given out: its end's day, its opening, its name."""

import io
import zipfile
from datetime import UTC, datetime

from aiohttp import ClientResponse

from kskak.game.game_commands import Resign
from server.store.archive.reading import ArchiveCriteria
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import search
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


async def _ended_after_midnight(site: Site) -> str:
    """1. e4 e5 2. Nf3, and Black resigns on 21 November, 00.55 in Denmark; the game's path."""
    game = await site.game()
    for text in ("e4", "e5", "Sf3"):
        await site.play(game, text)
    site.clock.at = datetime(2026, 11, 20, 23, 55, tzinfo=UTC)
    await site.ask(game, (await site.game()).state().mover, lambda _, by: Resign(by))
    return f"/games/{game.id}"


async def _parts(answer: ClientResponse) -> dict[str, str]:
    assert answer.status == 200, answer.url
    with zipfile.ZipFile(io.BytesIO(await answer.read())) as file:
        return {name: file.read(name).decode() for name in file.namelist() if ".pgn" in name}


async def test_a_game_that_ends_after_midnight_has_that_day_in_every_file_as_on_its_page(
    site: Site, browsers: Browsers
) -> None:
    here, anna = await _ended_after_midnight(site), await browsers.of("anna")
    answer = await anna.http.get(f"{here}.pgn")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="K-26-01-2.pgn"'
    texts = {"game": await answer.text(), "group": (await anna.get("/pgn/K-26-01.pgn"))[1]}
    texts |= await _parts(await anna.http.get(f"{here}/case.zip"))
    texts |= await _parts(await anna.post("/settings/data/copy"))
    assert {"game.pgn", "games.pgn", "games/K-26-01-2/game.pgn"} < texts.keys()
    del texts["games/K-26-01-3/game.pgn"]
    for name, text in texts.items():
        assert '[EndDate "2026.11.21"]' in text, name
        assert '[ECO "C40"]' in text and "[Opening " in text, name
        assert '[KskakGame "K-26-01/2"]' in text, name


async def test_the_archives_copy_ended_on_the_same_day(site: Site) -> None:
    await _ended_after_midnight(site)
    while await archive_views.follow(site.core):
        pass
    (row,) = (await search(site.core, ArchiveCriteria(), None)).games
    assert row.game.end == "2026-11-21"
