"""Postal addresses by API: one's own is kept, others' are shown to whom the page shows them."""

import pytest
from sqlalchemy import select

from server.store.tables.base import outbox
from tests.fakes.machinery.each import each
from tests.server.api.cases import test_permissions as cast
from tests.server.api.cases.test_permissions import Desk
from tests.server.api.conftest import World

WHITE, BLACK = ["Nygade 1", "8000 Aarhus C"], ["Vestergade 2", "5000 Odense C"]
NOT_THERE = 404
SEEN: dict[str, object] = {
    "white": [("sort", BLACK)],
    "black": [("hvid", WHITE)],
    "tl": [("hvid", WHITE), ("sort", BLACK)],
    "deputy": [("hvid", WHITE), ("sort", BLACK)],
    "kc": [("hvid", WHITE), ("sort", BLACK)],
    "admin": [],
} | dict.fromkeys(
    ("other", "tl_elsewhere", "playing_tl", "board", "captain", "captain_other", "stranger"),
    NOT_THERE,
)


@pytest.fixture
async def desk(world: World, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The cast of the desks' rights in a postal group; both players' addresses are known."""
    monkeypatch.setattr(cast, "GROUP", cast.GROUP.replace('"email"', '"postal"'))
    made = Desk(world)
    await made.set_up()
    for role, lines in (("hvid", WHITE), ("sort", BLACK)):
        assert (await keep(world, role, lines))[0] == 200
    return made


async def keep(world: World, role: str, lines: object) -> tuple[int, object]:
    answer = await world.client.put(
        "/api/v1/address", json={"lines": lines}, headers=world.headers(role)
    )
    return answer.status, await answer.json()


async def seen(desk: Desk, role: str) -> object:
    """Names and lines as a role sees them, or the status that keeps him out."""
    answer = await desk.world.get(role, f"/api/v1/games/{desk.ids['game']}/addresses")
    if answer.status != 200:
        return answer.status
    listed = [(one["name"], one["lines"]) for one in (await answer.json())["addresses"]]
    return sorted(listed)


async def test_each_role_sees_what_the_games_page_shows_him(desk: Desk) -> None:
    assert set(SEEN) == set(cast.ROLES)
    assert {role: await seen(desk, role) for role in cast.ROLES} == SEEN


async def test_after_the_end_the_opponents_address_is_his_own_affair_again(desk: Desk) -> None:
    answer = await desk.world.post("white", f"/api/v1/games/{desk.ids['game']}/resign")
    assert answer.status == 200
    after = {role: await seen(desk, role) for role in ("white", "black", "stranger", "tl")}
    assert after == {"white": [], "black": [], "stranger": [], "tl": SEEN["tl"]}


async def test_an_address_is_kept_tidied_told_and_removed_by_its_owner(desk: Desk) -> None:
    world = desk.world
    assert await keep(world, "hvid", [" Havnen  3 ", "", "9990 Skagen"]) == (
        200,
        {"lines": ["Havnen 3", "9990 Skagen"]},
    )
    answer = await world.get("white", "/api/v1/address")
    assert (await answer.json())["lines"] == ["Havnen 3", "9990 Skagen"]
    async with world.core.store.read() as conn:
        query = select(outbox.c.person_id).where(outbox.c.kind == "address")
        told = set((await conn.execute(query)).scalars())
    assert {world.people["black"].id, world.people["tl"].id} <= told
    assert await keep(world, "hvid", []) == (200, {"lines": []})
    assert await seen(desk, "black") == [("hvid", [])]
    assert await seen(desk, "white") == [("sort", BLACK)], "only his own"


@each("lines", [["x" * 200, "y" * 200], ["1"] * 7, ["x" * 301], "Nygade 1", [1]])
async def test_what_fits_on_no_card_is_refused_by_name(world: World, lines: object) -> None:
    status, body = await keep(world, "white", lines)
    assert status == 422
    assert isinstance(body, dict) and body["errors"][0]["pointer"].startswith("/lines")


async def test_an_email_game_has_no_addresses_to_show(world: World) -> None:
    await keep(world, "white", WHITE)
    for role in ("black", "tl"):
        answer = await world.get(role, world.path("/addresses"))
        assert (answer.status, (await answer.json())["addresses"]) == (200, [])
