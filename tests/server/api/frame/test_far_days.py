"""Issue 33: days of another century in every date that openapi.json names: refused, never kept."""

import json
from typing import Any

import pytest

from server.api.frame.endpoints import SAMPLES, Endpoint, describe
from server.api.site import ENDPOINTS
from server.usecases.desks import database_care
from tests.fakes.faulty import everything
from tests.server.api.conftest import World, address_of
from tests.server.api.frame.test_every_body import BODIES, Step, example, own, put

FAR = ("0026-11-02", "1799-01-01", "5066-12-11")
FORMATS = ("date", "date-time")
DAY = "2026-09-01"


FIELDS = [
    (one, at, value == SAMPLES["date-time"])
    for one in BODIES
    for at, value in own(one)
    if value in SAMPLES.values()
]
DOCUMENT: Any = describe(ENDPOINTS)
QUERIES = [
    (path, one["name"])
    for path, methods in DOCUMENT["paths"].items()
    for operation in methods.values()
    for one in operation.get("parameters", ())
    if one["schema"].get("format") in FORMATS
]


def fitting(world: World) -> dict[str, dict[str, object]]:
    """Bodies in which nothing but a far day is wrong, by the call's name; the rest by example."""
    white = world.people["white"].id
    leave = {"from": "2026-09-20", "to": "2026-09-22"}
    return {
        "leave": leave,
        "leave_shorten": leave | {"until": "2026-09-21"},
        "leave_special": leave | {"player": white, "tournament": "K-skak-EMT 2026"},
        "year_change": {"form": "league", "season": 2027, "step": "deadline", "action": "moved",
                        "day": "2026-12-10", "reason": "Påske"},
        "entry": {"tournament": "EMT", "kind": "other", "on": DAY, "amount": 5, "person": "A",
                      "text": "x"},
        "outage": {"began": f"{DAY}T01:00:00+00:00", "ended": f"{DAY}T02:00:00+00:00"},
        "result_add": {"event": "emt", "wish": "Å", "name": "Å-1", "finished": "2022-01-02",
                       "halves": 3, "games": 6, "source": "bladet"},
    }  # fmt: skip


def test_all_dates_of_the_api_are_tried():
    assert (len(FIELDS), len(QUERIES)) == (37, 2), "a new one is tried too: say so here"


@pytest.mark.parametrize("day", FAR)
async def test_no_far_day_is_a_fault_of_ours_or_kept(world: World, day: str):
    """By a player, the leader and the controller, of a game, of a person, of anything first."""
    bodies = fitting(world)
    ids = {world.game, world.people["white"].id, 1}
    for endpoint, at, is_instant in FIELDS:
        body = bodies.get(endpoint.name, example(endpoint))
        text = json.dumps(f"{day}T10:00:00+00:00" if is_instant else day)
        raw = (put(body, at, text) if _has(body, at) else json.dumps(body)).encode()
        for who in ("white", "tl", "kc"):
            for number in ids if "{id}" in endpoint.path else (0,):
                await _sent(world, endpoint, (who, number), raw)
    for path, name in QUERIES:
        for who in ("white", "kc"):
            got = await world.get(who, f"{path.replace('{id}', str(world.game))}?{name}={day}")
            assert got.status < 500, (path, await got.text())
    kept = [row for rows in everything(world).values() for row in rows if day in row]
    assert kept == []
    report = await database_care.verify(world.core.store)
    assert report.is_sound, report.findings


def _has(body: Any, at: tuple[Step, ...]) -> bool:
    for step in at[:-1]:
        body = body[step]
    return at[-1] in body if isinstance(body, dict) else True


async def _sent(world: World, endpoint: Endpoint, by: tuple[str, int], raw: bytes) -> None:
    headers = world.headers(by[0]) | {"Content-Type": "application/json"}
    path = address_of(endpoint, by[1])
    answer = await world.client.request(endpoint.method, path, data=raw, headers=headers)
    assert answer.status < 500, (endpoint.path, raw, await answer.text())


@pytest.mark.parametrize("name", ["leave", "leave_special", "year_change", "outage", "entry"])
async def test_the_same_bodies_with_their_own_day_are_taken_or_named(world: World, name: str):
    """So the far day was what was refused."""
    (endpoint,) = [one for one in BODIES if one.name == name]
    who = "white" if name == "leave" else "kc" if name in ("year_change", "entry") else "tl"
    answer = await world.post(who, endpoint.path, fitting(world)[name])
    assert answer.status in (200, 201), await answer.text()


@pytest.mark.parametrize("day", FAR)
async def test_a_seasons_deadline_is_within_a_year(world: World, day: str):
    body = {"deadline": day, "entered": True}
    answer = await world.post("kc", "/api/v1/league-plans", body)
    said = await answer.json()
    assert (answer.status, said["errors"][0]["code"]) == (422, "day_outside"), said
    assert said["errors"][0]["pointer"] == "/deadline"
