"""§ 4.5.4.1: what a rating of a past day moves is shown before it is written, then it is so."""

import pytest

from server.store.members import RatingKind
from server.usecases.rating.computing import RecalculatedGroup
from server.usecases.register.member_import import (
    MemberEditOutcome,
    MemberEditRequest,
    Removal,
    edit_member,
    remove_rating,
)
from tests.fakes.machinery.browser import browser
from tests.fakes.ratings import begin, id_of, k_rating, kept, next_day, white_wins
from tests.fakes.world import KC, START, World

OLD = {"k_rating": "1700", "k_date": START.isoformat()}


async def _played(world: World) -> None:
    """A has won against B, and it is calculated: 1900 + 15 from the class."""
    games = await begin(world, "K-1", "AB")
    await white_wins(world, games.values())
    await next_day(world)
    assert await k_rating(world, "A") == 1915


async def _told(world: World, cells: dict[str, str], *, is_seen: bool = False) -> MemberEditOutcome:
    edit = MemberEditRequest(await id_of(world, "A"), cells, "liste", "web", is_seen=is_seen)
    return await edit_member(world.core, await world.person(KC), edit)


@pytest.mark.both_engines
async def test_a_number_under_a_calculated_group_is_written_when_its_effect_was_seen(world):
    await _played(world)
    before = await kept(world)
    asked = await _told(world, OLD)
    assert asked.person_id is None and asked.line.problems == ()
    assert asked.moves == (RecalculatedGroup("K-1", (("A", 1915, 1724), ("B", 1885, 1876))),)
    assert await kept(world) == before, "nothing is written"
    done = await _told(world, OLD, is_seen=True)
    assert done.person_id is not None
    assert [await k_rating(world, name) for name in "AB"] == [1724, 1876], "as it was shown"
    gone = Removal(done.person_id, RatingKind.K, START.isoformat(), "fejl", "web")
    moved = await remove_rating(world.core, await world.person(KC), gone)
    assert moved == (RecalculatedGroup("K-1", (("A", 1724, 1915), ("B", 1876, 1885))),)
    assert await k_rating(world, "A") == 1724


async def test_a_number_that_moves_no_group_is_written_at_once(world: World) -> None:
    await _played(world)
    world.clock.wait(days=1)
    today = world.clock.today.isoformat()
    for cells in ({"k_rating": "1650", "k_date": today}, {"club": "", "kind": "individual"}):
        done = await _told(world, cells)
        assert done.person_id is not None and done.moves == ()


async def test_the_members_page_shows_the_groups_and_waits_for_the_tick(lite: World) -> None:
    await _played(lite)
    number = await id_of(lite, "A")
    async with browser(lite) as kaj:
        await kaj.sign_in(KC)
        page, path = await kaj.get(f"/desk/members/{number}"), f"/desk/members/{number}"
        fields = page.form(path).fields | OLD | {"reason": "gammel liste"}
        assert "seen" not in page.html
        shown = await kaj.post(path, fields)
        assert shown.status == 422 and "A 1915 → 1724" in shown.text and 'name="seen"' in shown.html
        assert await k_rating(lite, "A") == 1915
        done = await kaj.post(path, fields | {"seen": "1"})
        assert done.status == 200
    assert await k_rating(lite, "A") == 1724
