"""A player is swapped in a group that is drawn and not begun: by the page and by the API."""

from collections.abc import AsyncIterator

import pytest

from server.store import groups as group_rows
from server.store.groups import SeatRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from tests.fakes.desk import CARLA, Desk, desk_scene
from tests.fakes.machinery.browser import Browser, browser
from tests.fakes.world import ANNA, BO, KC, TL

desk = desk_scene(ANNA, BO, CARLA)
"""A group of three, which begins today; the controller can come in."""


@pytest.fixture
async def web(desk: Desk) -> AsyncIterator[Browser]:
    """The leader, on the web."""
    async with browser(desk.world) as made:
        await made.sign_in(TL)
        yield made


async def _names(desk: Desk) -> list[str]:
    group = (await desk.world.row()).group_id
    return [row["name"] for row in (await desk.call(TL, "GET", f"/groups/{group}"))["rows"]]


@pytest.mark.both_engines
async def test_one_is_swapped_and_everybody_is_told(desk: Desk, web: Browser) -> None:
    """He who goes out has no game left, he who comes in plays at once, the others know why."""
    world = desk.world
    page = await web.get("/desk/groups/P-1")
    number = "3"
    before = await _names(desk)
    wrong = await web.submit(page, "/swap", number=number, email="ingen@example.org", reason="Syg.")
    assert wrong.status == 422 and "Ingen her har den mailadresse" in wrong.text
    assert await _names(desk) == before
    out = next(seat for seat in await _seats(desk) if seat.number == 3)
    done = await web.submit(page, "/swap", number=number, email=KC, reason="Han er blevet syg.")
    assert done.status == 200, done.text
    assert out.name not in await _names(desk)
    await world.pump()
    for reader in (ANNA, BO, CARLA, KC):
        said = [" ".join(one.said.split()) for one in world.letters(reader)]
        told = [one for one in said if f"i stedet for {out.name}" in one]
        assert told and "blevet syg" in told[0], reader
    new = (await desk.call(KC, "GET", "/games"))["games"]
    mine = [one for one in new if one["mine"]]
    assert len(mine) == 4, "two opponents, twice"
    kc = await desk.id_of(KC)
    white = next(row for row in await _rows(desk) if row.white_id == kc)
    await desk.call(KC, "POST", f"/games/{white.id}/moves", {"text": "e4"})
    assert "/swap" not in (await web.get("/desk/groups/P-1")).text
    again = await desk.ask(TL, "POST", f"/groups/{white.group_id}/swap",
                           {"number": 1, "email": CARLA, "reason": "X"})  # fmt: skip
    assert again[0] == 409, "it has begun"


async def test_the_api_swaps_and_says_why_not(desk: Desk) -> None:
    group = (await desk.world.row()).group_id
    path = f"/groups/{group}/swap"
    asked = {"number": 3, "email": KC, "reason": "Han er syg."}
    assert (await desk.ask(ANNA, "POST", path, asked))[0] == 403
    assert (await desk.ask(TL, "POST", path, asked | {"email": TL}))[0] == 422
    assert (await desk.ask(TL, "POST", path, asked | {"reason": ""}))[0] == 422
    assert (await desk.call(TL, "POST", path, asked))["player"] in await _names(desk)


async def _seats(desk: Desk) -> tuple[SeatRow, ...]:
    async with desk.world.core.store.read() as conn:
        return await group_rows.seats_of(conn, (await desk.world.row()).group_id)


async def _rows(desk: Desk) -> tuple[GameRow, ...]:
    group = (await desk.world.row()).group_id
    async with desk.world.core.store.read() as conn:
        return await game_rows.list_group_games(conn, group)
