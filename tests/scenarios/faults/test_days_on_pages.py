"""Days typed into the pages' own date fields that no game can have: refused, named, kept."""

from itertools import product

import pytest

from tests.fakes.machinery.browser import Page, browser
from tests.fakes.postal import begin_postal, enter
from tests.fakes.world import ANNA, BO, World

FAR = ("0026-11-02", "1799-01-01", "9999-12-31")
NO_DAY = "2027-02-29"


def holds(page: Page, name: str, day: str) -> None:
    """The answer is polite, marks the field, and keeps what was typed in it."""
    assert page.status == 422, page.text
    (field,) = [part for part in page.html.split("<input ")[1:] if f'name="{name}"' in part][:1]
    assert f'value="{day}"' in field.partition(">")[0], field[:300]


async def test_a_card_on_the_page(world: World) -> None:
    await begin_postal(world)
    async with browser(world) as anna:
        await anna.sign_in(ANNA)
        form = await anna.get(f"/games/{world.game}/card")
        typed = {"by": "white", "kind": "move", "text": "e4"}
        typed |= {"postmark": world.clock.today.isoformat()}
        names = ("postmark", "receipt", "stated", "received", "arrived")
        for name, day in product(names, (*FAR, NO_DAY)):
            said = await anna.submit(form, "/card", **typed | {name: day})
            holds(said, name, day)
            assert await world.events() == ()
            assert (await anna.get(f"/games/{world.game}")).status == 200
    await enter(world, "white", "e4", postmark=world.clock.today)
    await world.assert_whole()


@pytest.mark.parametrize("name", ["first", "last"])
async def test_leave_on_the_page(world: World, name: str) -> None:
    kept = await world.events()
    async with browser(world) as bo:
        await bo.sign_in(BO)
        form = await bo.get("/leave")
        for act, day in product(("look", ""), (*FAR, NO_DAY)):
            days = {"first": "2026-12-10", "last": "2026-12-12"} | {name: day}
            said = await bo.submit(form, "/leave", **days, act=act)
            holds(said, name, day)
            assert await world.events() == kept
            assert (await bo.get(f"/games/{world.game}")).status == 200
    await world.assert_whole()
