"""Whether everybody may follow is the tournament's: divisions, rounds and play-offs share it."""

import pytest
from sqlalchemy import func, select

from kskak.cup import CupStage
from server.settings import settings_from
from server.store import groups as group_rows
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.tables.base import groups
from server.store.tables.tournaments import live_groups
from server.usecases.cases.case_decisions import annul_start
from server.usecases.context import Core
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.games.writer import Writer
from server.usecases.groups import leader_letter as group_leading
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.results.titles import start_playoff
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.starts.start_group import start_group
from tests.fakes.cups import CupScene, cup_scene, cycle
from tests.fakes.league import begin_division, division_text, players_of
from tests.fakes.machinery.clock import FakeClock
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, group_text
from tests.server.usecases.cup.conftest import START

CLUBS = ("Nord", "Syd")


@pytest.fixture
async def scene(store: Store) -> CupScene:
    """A cup's officials and lists, on both databases."""
    return await cup_scene(
        Core(store, Writer(store), FakeClock(START), settings_from({}), b"s" * 32)
    )


def opened(text: str) -> str:
    """A group file whose games everybody may follow."""
    return text.replace("draw = false", "draw = false\nlive = true")


async def followed(core: Core) -> set[str]:
    """The names of the groups that everybody may follow."""
    async with core.store.read() as conn:
        ids = await group_rows.all_of(conn)
        return {group.name for group in (await group_rows.by_ids(conn, ids)).values()}


async def number(core: Core, name: str) -> int:
    async with core.store.read() as conn:
        return int(
            (await conn.execute(select(groups.c.id).where(groups.c.name == name))).scalar_one()
        )


async def switch(core: Core, email: str, name: str, *, is_on: bool) -> tuple[str, ...]:
    async with core.store.read() as conn:
        person = await person_rows.by_email(conn, email)
    assert person is not None
    return await group_leading.switch(core, person, await number(core, name), is_on=is_on)


@rows("line expected", ("", False), ("live = false", False), ("live = true", True))
async def test_the_group_file_says_it_and_off_is_what_is_not_said(site, line, expected):
    await start_group(site.core, read_group_file(group_text("K-26-02", extra=line)))
    assert ("K-26-02" in await followed(site.core)) == expected


async def test_what_is_no_yes_or_no_is_refused_by_the_fields_name():
    with pytest.raises(GroupFileError, match="live"):
        read_group_file(group_text("K-26-02", extra='live = "ja"'))


async def test_a_division_takes_over_what_holds_in_its_season_and_another_season_does_not(site):
    """§ 6.7.1: the divisions of a year are one tournament."""
    first = division_text("DIV-1", {club: players_of(club) for club in CLUBS})
    await start_group(site.core, read_group_file(opened(first)))
    await begin_division(site.core, "DIV-2", ("Øst", "Vest"), division=2)
    await begin_division(site.core, "DIV-28", ("Øst", "Vest"), division=2, start="2028-01-10")
    assert await followed(site.core) == {"DIV-1", "DIV-2"}
    assert set(await switch(site.core, "tl@example.org", "DIV-2", is_on=False)) == {
        "DIV-1",
        "DIV-2",
    }
    assert await followed(site.core) == set()
    await begin_division(site.core, "DIV-3", ("Amager", "Brønshøj"), division=3)
    assert await followed(site.core) == set()


async def test_a_division_may_not_differ_from_its_season(site: Site):
    await begin_division(site.core, "DIV-1", CLUBS)
    text = division_text("DIV-2", {c: players_of(c) for c in ("Øst", "Vest")}, division=2)
    with pytest.raises(GroupFileError, match="live: is false in the season's other divisions"):
        await start_group(site.core, read_group_file(opened(text)))
    await begin_division(site.core, "DIV-2", ("Øst", "Vest"), division=2)
    assert await followed(site.core) == set()


async def test_who_leads_one_division_only_does_not_open_the_others(site: Site):
    """§ 6.1.1: his word goes as far as what he leads."""
    await begin_division(site.core, "DIV-1", CLUBS)
    text = division_text("DIV-2", {c: players_of(c) for c in ("Øst", "Vest")}, division=2)
    await start_group(
        site.core, read_group_file(text.replace("tl@example.org", "anden@example.org"))
    )
    for leader, name in (("tl@example.org", "DIV-1"), ("anden@example.org", "DIV-2")):
        with pytest.raises(NotAllowed):
            await switch(site.core, leader, name, is_on=True)
    assert await followed(site.core) == set()


@pytest.mark.both_engines
async def test_a_cups_later_rounds_take_over_what_holds_and_one_switch_is_for_all(scene: CupScene):
    """§ 6.6.1: one cup, one answer."""
    names = await scene.players(14)
    await scene.enter(names)
    await scene.opened()
    drawn = await scene.draw(CupRoundRequest(CupStage.PRELIMINARY, live=True))
    first = {group.name for group in drawn.groups}
    assert await followed(scene.core) == first
    for group in drawn.groups:
        await scene.play_out(group.name)
    final = await scene.draw(CupRoundRequest(CupStage.FINAL, reason="Ingen semifinale.", places=3))
    everything = first | {group.name for group in final.groups}
    assert await followed(scene.core) == everything
    name = drawn.groups[0].name
    assert set(await switch(scene.core, "tl@example.org", name, is_on=False)) == everything
    assert await followed(scene.core) == set()


async def test_a_play_off_takes_over_what_holds_in_its_dm(scene: CupScene):
    """§ 6.5.2."""
    text = group_text("DM-26", extra="live = true").replace('class = "K"', 'class = "DM"')
    text = text.replace("tove@example.org", "tl@example.org")
    text += '\n[[players]]\nname = "Søren Sø"\nemail = "soren@example.org"\n'
    await start_group(scene.core, read_group_file(text.replace("2026-09-01", "2026-11-02")))
    await scene.play_out("DM-26", cycle(("Anna Andersen", "Bent Bæk", "Søren Sø")))
    started = await start_playoff(
        scene.core, scene.people["leader"], await number(scene.core, "DM-26")
    )
    name = getattr(started, "name", started)
    assert await followed(scene.core) == {"DM-26", name}
    await switch(scene.core, "tl@example.org", str(name), is_on=False)
    assert await followed(scene.core) == set()


async def test_a_start_that_is_taken_back_leaves_nothing_of_it(site: Site):
    await start_group(site.core, read_group_file(group_text("K-26-02", extra="live = true")))
    tove = await site.person("tove@example.org")
    await annul_start(site.core, tove, await number(site.core, "K-26-02"), "Forkert start.")
    async with site.core.store.read() as conn:
        assert (await conn.execute(select(func.count()).select_from(live_groups))).scalar_one() == 0


async def test_on_twice_is_one_spell_and_on_again_is_another(site: Site):
    tove = "tove@example.org"
    for is_on in (True, True, False, False, True):
        await switch(site.core, tove, "K-26-01", is_on=is_on)
        site.clock.turn(1)
    async with site.core.store.read() as conn:
        spells = await group_rows.spells_of(conn, await number(site.core, "K-26-01"))
    assert [one.until_us is None for one in spells] == [True, False]


async def test_of_a_group_that_is_not_there_nothing_is_switched(site: Site):
    with pytest.raises(NoSuch):
        await group_leading.switch(site.core, await site.person("tove@example.org"), 99, is_on=True)
