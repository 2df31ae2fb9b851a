"""A player is swapped in a group that is drawn and not begun: by the page and by the API."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import insert, update

from server.store import groups as group_rows
from server.store.groups import SeatRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.base import people
from server.store.tables.tournaments import entries
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
    assert wrong.status == 422 and "Ingen her har det navn eller den mailadresse" in wrong.text
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
                           {"number": 1, "who": CARLA, "reason": "X"})  # fmt: skip
    assert again[0] == 409, "it has begun"


async def test_the_api_swaps_and_says_why_not(desk: Desk) -> None:
    group = (await desk.world.row()).group_id
    path = f"/groups/{group}/swap"
    asked = {"number": 3, "who": KC, "reason": "Han er syg."}
    assert (await desk.ask(ANNA, "POST", path, asked))[0] == 403
    assert (await desk.ask(TL, "POST", path, asked | {"who": TL}))[0] == 422
    assert (await desk.ask(TL, "POST", path, asked | {"reason": ""}))[0] == 422
    assert (await desk.call(TL, "POST", path, asked))["player"] in await _names(desk)


async def test_who_waits_is_proposed_and_a_case_is_named(desk: Desk, web: Browser) -> None:
    """By name, rating and entry; who is in a case stays until it is over."""
    world = desk.world
    kc = await world.person(KC)
    row = await world.open_list(kc, "EMT K", "emt K", "K-26", TL, tournament="EMT", fee=0)
    assert "/swap" in (await web.get("/desk/groups/P-1")).html
    async with world.core.store.write() as conn:
        day = {"entered_day": "2026-01-02", "since_day": "2026-01-02", "created_us": 0}
        own = {"list_id": row.id, "person_id": kc.id, "entered_by": kc.id, "proof": ""}
        await conn.execute(insert(entries).values(**day, **own, asks=False, state="valid"))
        await conn.execute(update(people).where(people.c.id == kc.id).values(k_rating=1712))
    page = await web.get("/desk/groups/P-1")
    assert f"{kc.name} 1712, gyldig tilmelding til EMT K, nr. 1 på listen" in page.text
    group = (await world.row()).group_id
    told = {"text": "Jeg stopper."}
    case = await desk.call(CARLA, "POST", f"/groups/{group}/withdrawals", told)
    page = await web.get("/desk/groups/P-1")
    assert (
        f"/desk/cases/{case['number']}" in page.links
        and "indestår du for det i begrundelsen" in page.text
    )
    number = {seat.name: str(seat.number) for seat in await _seats(desk)}
    asked = {"number": number[(await world.person(CARLA)).name], "who": KC, "email": ""}
    no = await web.submit(page, "/swap", **asked, reason="Udtrådt.")
    assert no.status == 422 and "den, der går ud, eller et af hans partier" in no.text
    await desk.call(
        TL, "POST", f"/cases/{case['id']}/close", {"action": "settle", "note": "Hun byttes ud."}
    )
    done = await web.submit(page, "/swap", **asked, reason="Udtrådt.")
    assert done.status == 200 and kc.name in await _names(desk), done.text
    world.clock.wait(days=3)
    assert "gruppens første dag er gået" in (await web.get("/desk/groups/P-1")).text


async def _seats(desk: Desk) -> tuple[SeatRow, ...]:
    async with desk.world.core.store.read() as conn:
        return await group_rows.seats_of(conn, (await desk.world.row()).group_id)


async def _rows(desk: Desk) -> tuple[GameRow, ...]:
    group = (await desk.world.row()).group_id
    async with desk.world.core.store.read() as conn:
        return await game_rows.list_group_games(conn, group)
