"""This server's finished games in the archive's search, on both kinds of database."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from sqlalchemy import select, update

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from server.store import group_results as result_rows
from server.store.archive.reading import ArchiveCriteria
from server.store.engine.store import Store
from server.store.tables.base import games, people
from server.store.tables.tournaments import past_positions
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import (
    ArchiveSearchForm,
    ExportCounts,
    ExportSelection,
    by_number,
    export,
    keep_up,
    understood,
)
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.history import Archive, counts, open_archive
from tests.fakes.site import THIRD, Site, TurnedClock, group_text


@pytest.fixture
async def site(store: Store, tmp_path: Path) -> AsyncIterator[Site]:
    """K-26-01/2 is over after 1. e4 e5 2. Nf3, K-26-01/1 runs."""
    clock = TurnedClock()
    core = replace(open_archive(store, tmp_path).core, clock=clock)
    await start_group(core, read_group_file(group_text("K-26-01") + THIRD))
    opened = Site(core, clock, web.Application())
    game = await opened.game()
    for move in ("e4", "e5", "Sf3"):
        await opened.play(game, move)
    await opened.ask(game, Side.BLACK, lambda *_: Resign(Side.BLACK))
    await opened.play(await opened.game("K-26-01/1"), "e4")
    while await keep_up(core):
        pass
    yield opened
    await core.writer.close()


async def _found(site: Site, **asked: str) -> list[int | None]:
    wanted = understood(ArchiveSearchForm(**asked)).wanted
    return [row.own_id for row in (await archive_views.search(site.core, wanted, None)).games]


@pytest.mark.both_engines
async def test_a_finished_game_is_found_by_all_that_is_asked_and_a_running_one_by_nothing(site):
    over = await site.game()
    for asked in (
        {}, {"player": over.white}, {"player": over.black}, {"event": "K-skak-EMT 2026"},
        {"year": "2026"}, {"opening": "C40"}, {"opening": "kongespringerspil"},
        {"position": "1. e4 e5"}, {"position": "1. e4", "player": over.white},
        {"person": str(over.white_id)},
    ):  # fmt: skip
        assert await _found(site, **asked) == [over.id], asked
    assert await _found(site, year="1987") == await _found(site, position="1. d4") == []
    found = await archive_views.search(
        site.core, understood(ArchiveSearchForm(position="1. e4")).wanted, None
    )
    assert found.branches is not None
    assert [(one.games, one.white) for one in found.branches.moves] == [(1, 1)]
    (row,) = found.games
    assert (row.white_person, row.black_person) == (over.white_id, over.black_id)
    assert row.game.white.number == row.game.black.number == ""


async def test_a_game_that_goes_on_again_is_gone_at_once_and_its_copy_soon(site: Site):
    over = await site.game()
    async with site.core.store.write() as conn:
        await conn.execute(update(games).where(games.c.id == over.id).values(result=None))
    assert await _found(site) == await _found(site, position="1. e4") == []
    while await keep_up(site.core):
        pass
    async with site.core.store.read() as conn:
        assert (await conn.execute(select(past_positions))).all() == []
    front = (await archive_views.search(site.core, ArchiveCriteria(), None)).front
    assert front is not None and front.codes == front.decades == ()


async def test_what_is_done_is_not_done_again_and_a_change_is_followed(site: Site):
    assert not await archive_views.follow(site.core)
    over = await site.game()
    async with site.core.store.write() as conn:
        changed = update(games).where(games.c.id == over.id)
        await conn.execute(changed.values(result="0-1", seq=over.seq + 1))
        renamed = update(people).where(people.c.id == over.white_id)
        await conn.execute(renamed.values(name="Ænna Ørsted"))
    await archive_views.rename(site.core)
    assert await _found(site, player="aenna oersted") == [over.id]
    while await keep_up(site.core):
        pass
    (row,) = (await archive_views.search(site.core, ArchiveCriteria(), None)).games
    assert (row.game.result.value, row.game.white.name) == ("0-1", "Ænna Ørsted")
    found = await archive_views.search(
        site.core, understood(ArchiveSearchForm(position="1. e4")).wanted, None
    )
    assert found.branches is not None
    assert [(one.games, one.black) for one in found.branches.moves] == [(1, 1)]


async def test_a_copy_is_not_exported_twice_nor_shown_as_a_past_of_the_player(site, tmp_path):
    over = await site.game()
    texts = [text async for text in export(site.core, ExportSelection(is_all=True), ExportCounts())]
    assert len(texts) == 1 and '[ECO "C40"]' in texts[0]
    assert '[Opening "King\'s Knight Opening"]' in texts[0]
    assert (await archive_views.read_person_past(site.core, over.white_id)).games == ()
    bare = "\n".join(line for line in texts[0].splitlines() if "KskakGame" not in line)
    report = await Archive(site.core, tmp_path).take_text("back.pgn", bare)
    assert counts(report) == {"known": 1}, "without its name it is known by its moves"


async def test_the_first_page_is_told_of_finished_games_and_of_groups_that_run(site: Site):
    over = await site.game()
    async with site.core.store.read() as conn:
        (told,) = await result_rows.list_finished_games(conn, 6)
        assert (told.id, told.white, told.black) == (over.id, over.white, over.black)
        assert (told.result, told.plies, told.group) == ("1-0", 3, "K-26-01")
        assert by_number()[told.opening or 0].code == "C40"
        assert [group.name for group in await result_rows.list_running_groups(conn, 6)] == [
            "K-26-01"
        ]
    async with site.core.store.write() as conn:
        goes_on = update(games).where(games.c.id == over.id).values(result=None, ended_us=None)
        await conn.execute(goes_on)
        await conn.execute(update(games).values(to_move_id=None))
    async with site.core.store.read() as conn:
        assert await result_rows.list_finished_games(conn, 6) == (), (
            "a game that goes on is nobody's news"
        )
        assert await result_rows.list_running_groups(conn, 6) == ()
