"""Ratings by API: public looks for everybody, the desk's calls for who keeps the register."""

from dataclasses import dataclass

import jsonschema
import pytest

from kskak.game.game_events import PlayerResigned
from kskak.regulation.editions import Side
from server.api import rating as rating_calls
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from server.usecases.results.publishing import daily
from tests.fakes.machinery.each import each
from tests.server.api.conftest import World
from tests.server.api.rights import SHUT

OFFICIALS = {"kc", "admin"}
ROLES = ("white", "black", "tl", "kc", "board", "admin", "stranger", None)
OLD = {"reason": "fejl", "k_rating": "1500", "k_date": "2026-01-01"}
GONE = {"kind": "k", "on": "2026-01-01", "reason": "tastet forkert"}


@dataclass(frozen=True)
class Right:
    """A call, and who may; None: everybody."""

    path: str
    allowed: frozenset[str] | None = None
    body: dict | None = None


RIGHTS = (
    Right("/ratings"),
    Right("/ratings?on=2026-01-01"),
    Right("/players/{white}/ratings"),
    Right("/groups/{group}/rating"),
    Right("/ratings/waiting", frozenset(OFFICIALS)),
    Right("/ratings/compute", frozenset(OFFICIALS), {}),
    Right("/ratings/compute", frozenset(OFFICIALS), {"everything": True}),
    Right("/members/{white}/ratings/remove", frozenset(OFFICIALS), GONE),
)


@pytest.fixture
async def desk(world: World) -> World:
    """White has won and it is published; a Board member and an administrator are in office."""
    for role, office in (("board", Office.BOARD), ("admin", Office.ADMIN)):
        await world.admit(role)
        async with world.core.store.write() as conn:
            new = NewOffice(world.people[role].id, office.value, None, 0, 1)
            await person_rows.add_office(conn, new)
    leader = world.people["tl"]
    origin = Origin(world.core.clock.now(), leader.id, "web")
    end = PlayerResigned(Side.BLACK, world.clock.now().date())
    await world.core.writer.submit(EventsUnit(world.game, (end,), origin, poster_of(world.core)))
    world.clock.pass_days(1)
    await daily(world.core)
    return world


async def _ask(world: World, role: str | None, right: Right):
    row = await world.row()
    path = "/api/v1" + right.path.format(white=world.people["white"].id, group=row.group_id)
    if right.body is None:
        return await world.get(role, path)
    return await world.post(role, path, right.body)


@pytest.mark.parametrize("right", RIGHTS, ids=lambda right: f"{right.path} {right.body}")
async def test_who_has_the_right_gets_in_and_nobody_else(desk: World, right: Right):
    white = desk.people["white"].id
    for role in ROLES:
        if right.body is GONE:
            await desk.post("kc", f"/api/v1/members/{white}", OLD)
        answer = await _ask(desk, role, right)
        if right.allowed is None or role in right.allowed:
            assert answer.status == 200, (role, await answer.text())
        else:
            assert answer.status in SHUT, (role, answer.status)


async def test_what_waits_is_told_calculated_once_and_then_seen(desk: World):
    waiting = await (await desk.get("kc", "/api/v1/ratings/waiting")).json()
    assert waiting == {
        "waiting": [{"group": "K-26-01", "state": "new", "published": "2026-09-02"}],
        "unsettled": None,
    }
    done = await (await desk.post("kc", "/api/v1/ratings/compute", {})).json()
    assert done == {"groups": ["K-26-01"]}
    assert (await (await desk.post("kc", "/api/v1/ratings/compute")).json()) == {"groups": []}
    listed = await (await desk.get(None, "/api/v1/ratings")).json()
    assert [(one["name"], one["rating"], one["change"]) for one in listed["players"]] == [
        ("H. Vid", 1915, None), ("S. Ort", 1885, None),
    ]  # fmt: skip
    assert (listed["on"], listed["since"]) == ("2026-09-02", "2026-07-01")


async def test_answers_have_the_documented_shape(desk: World):
    await desk.post("kc", "/api/v1/ratings/compute", {})
    row = await desk.row()
    white = desk.people["white"].id
    for path, model in (
        ("/ratings", rating_calls.RatingList),
        ("/ratings/waiting", rating_calls.RatingDesk),
        (f"/players/{white}/ratings", rating_calls.RatingHistory),
        (f"/groups/{row.group_id}/rating", rating_calls.RatingCalculation),
    ):
        value = await (await desk.get("kc", f"/api/v1{path}")).json()
        jsonschema.validate(value, model.model_json_schema(mode="serialization"))


async def test_a_group_without_a_calculation_says_so(world: World):
    row = await world.row()
    value = await (await world.get(None, f"/api/v1/groups/{row.group_id}/rating")).json()
    assert (value["number"], value["players"], value["earlier"]) == (None, [], [])
    assert (await world.get(None, "/api/v1/groups/999/rating")).status == 404


async def test_a_wrong_rating_is_removed_with_a_recorded_reason_and_what_rested_on_it_changes(desk):
    """Today's list follows; a number that is not there, and one without a reason, are refused."""
    white = desk.people["white"].id
    path = f"/api/v1/members/{white}"
    await desk.post("kc", path, OLD)
    await desk.post("kc", "/api/v1/ratings/compute", {})
    before = await (await desk.get("kc", path)).json()
    assert before["k_rating"] == 1541, "1500 and 45 times 0.9 of a point"
    remove = f"{path}/ratings/remove"
    assert (await desk.post("kc", remove, GONE | {"reason": ""})).status == 422
    said = await (await desk.post("kc", remove, GONE | {"reason": "a\nb"})).json()
    assert not said["done"] and said["refused"]
    for wrong in ({"on": "2026-01-02"}, {"kind": "otb"}, {"on": "2026-09-02"}):
        assert (await desk.post("kc", remove, GONE | wrong)).status == 422, wrong
    assert (await (await desk.get("kc", path)).json())["ratings"] == before["ratings"]
    asked = await (await desk.post("kc", remove, GONE)).json()
    assert asked == {"done": False, "refused": None, "moves": ["K-26-01"]}, "seen first"
    assert (await (await desk.get("kc", path)).json())["ratings"] == before["ratings"]
    done = await (await desk.post("kc", remove, GONE | {"seen": True})).json()
    assert done == {"done": True, "refused": None, "moves": []}
    after = await (await desk.get("kc", path)).json()
    assert [(one["on"], one["value"]) for one in after["ratings"]] == [("2026-09-02", 1915)]
    assert after["k_rating"] == 1915
    assert (after["changes"][0]["by"], after["changes"][0]["reason"]) == ("kc", "tastet forkert")
    assert ["k_rating", "1500", None] in after["changes"][0]["fields"]


async def test_the_last_number_of_a_kind_leaves_nothing_behind(world: World):
    path = f"/api/v1/members/{world.people['white'].id}"
    await world.post("kc", path, {"reason": "x", "rating": "1500", "rating_date": "2026-01-01"})
    assert (await (await world.get("kc", path)).json())["rating"] == 1500
    body = {"kind": "otb", "on": "2026-01-01", "reason": "en andens"}
    await world.post("kc", f"{path}/ratings/remove", body)
    detail = await (await world.get("kc", path)).json()
    assert (detail["rating"], detail["ratings"]) == (None, [])


@each("on", ["", "x", "2026-02-30", "20260101", "2026-09-02", "0001-01-01"])
async def test_a_day_that_has_no_list_is_refused(world: World, on: str):
    """No day, one in another form, one to come."""
    assert (await world.get(None, f"/api/v1/ratings?on={on}")).status == 422
