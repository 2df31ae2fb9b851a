"""The demonstration has entries to look at: a place on a list, a fee and a decision to wait for."""

from pathlib import Path

from kskak.entries.entry import EntryWait
from server.core import open_core
from server.settings import settings_from
from server.store.play import people as person_rows
from server.usecases.demo import CLUBS, KC, address_of, fill
from server.usecases.entries.entry_judging import entry_desk
from server.usecases.rights import rights
from server.usecases.season.season_views import club_view


async def test_the_demonstration_shows_entries_of_every_kind(tmp_path: Path):
    url = f"sqlite+aiosqlite:///{tmp_path / 'demo.db'}"
    async with open_core(
        settings_from({"database": {"url": url, "backups": str(tmp_path)}})
    ) as core:
        await fill(core)
        async with core.store.read() as conn:
            kc = await person_rows.by_email(conn, KC[0])
        assert kc is not None
        desk = await entry_desk(core, await rights(core, kc))
    waits = {wait for one in desk.waiting for wait in one.waits}
    assert {EntryWait.FEE, EntryWait.DECISION} <= waits
    assert len(desk.valid) >= 3 and len(desk.lists) == 6


async def test_the_captain_of_the_demonstration_can_enter_his_team(tmp_path: Path):
    """§ 6.7.4.1: a list is open, and the club's players are members whom he can choose."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'demo.db'}"
    async with open_core(
        settings_from({"database": {"url": url, "backups": str(tmp_path)}})
    ) as core:
        await fill(core)
        async with core.store.read() as conn:
            captain = await person_rows.by_email(conn, address_of(CLUBS[0][1][0]))
        assert captain is not None
        view = await club_view(core, captain, None)
    assert len(view.lists) == 1 and view.season is not None
    assert set(CLUBS[0][1]) <= {member.name for member in view.members}
