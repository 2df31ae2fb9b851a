"""Wrong calls: one clear problem document naming place and remedy, nothing changed."""

import json
from typing import Any

import pytest

from kskak.play.game_state import Misfit
from mail.text.catalogue import LANGUAGES, Words
from server.api.frame.endpoints import SAMPLES, Endpoint, describe
from server.api.site import ENDPOINTS
from server.usecases.desks import database_care
from tests.fakes.faulty import everything
from tests.server.api.conftest import World
from tests.server.api.frame.test_every_body import BODIES, Step, example, own, put

PROBLEM = "application/problem+json"


async def _send(world, raw: bytes, kind: str = "application/json", rest: str = "/moves"):
    headers = world.headers("white") | {"Content-Type": kind}
    return await world.client.post(world.path(rest), data=raw, headers=headers)


@pytest.mark.parametrize(
    ("raw", "status", "kind"),
    [
        (b"", 400, "bad-json"),
        (b"{", 400, "bad-json"),
        (b'{"text": "5254"', 400, "bad-json"),
        (b'{"text": "\xff"}', 400, "bad-json"),
        (b'{"text": "\\ud800"}', 400, "bad-json"),
        (b"[]", 422, "bad-fields"),
        (b'"5254"', 422, "bad-fields"),
        (b"{}", 422, "bad-fields"),
        (b'{"text": ""}', 422, "bad-fields"),
        (b'{"text": 5254}', 422, "bad-fields"),
        (b'{"text": "5254", "ply": "0"}', 422, "bad-fields"),
        (b'{"text": "5254", "ply": 0.5}', 422, "bad-fields"),
        (b'{"text": "5254", "ply": -1}', 422, "bad-fields"),
        (b'{"text": "5254", "ply": true}', 422, "bad-fields"),
        (b'{"text": "5254", "draw_offer": 1}', 422, "bad-fields"),
        (b'{"text": "5254", "extra": 1}', 422, "bad-fields"),
        (b'{"text": "' + b"x" * 5000 + b'"}', 422, "bad-fields"),
        (b"[" * 10_000, 400, "bad-json"),
        (b'{"text": "' + b"x" * 70_000 + b'"}', 413, "too-large"),
        (b"{}" + b" " * 900_000, 413, "too-large"),
    ],
)
async def test_a_bad_body_is_refused_and_changes_nothing(world, raw, status, kind):
    answer = await _send(world, raw)
    body = await answer.json(content_type=None)
    assert (answer.status, answer.content_type) == (status, PROBLEM)
    assert (body["type"], body["status"]) == (f"/problems/{kind}", status)
    assert body["title"]
    assert body["detail"]
    assert (await world.row()).seq == 0


async def test_a_large_body_of_unknown_length_is_refused(world):
    async def chunks():
        for _ in range(40):
            yield b" " * 4096

    headers = world.headers("white") | {"Content-Type": "application/json"}
    answer = await world.client.post(world.path("/moves"), data=chunks(), headers=headers)
    assert answer.status == 413


async def test_every_field_at_fault_is_named_with_its_place(world):
    answer = await _send(world, b'{"ply": "x", "a/b": 1}')
    found = {fault["pointer"]: fault for fault in (await answer.json())["errors"]}
    assert found.keys() == {"/text", "/ply", "/a~1b"}
    assert found["/text"]["code"] == "missing"
    assert found["/ply"]["detail"] == "Her skal stå et helt tal."


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
async def test_a_forms_content_type_is_refused(world, kind):
    answer = await _send(world, b'{"text": "5254"}', kind)
    assert (answer.status, (await answer.json())["type"]) == (415, "/problems/bad-media-type")
    assert (await world.row()).seq == 0


@pytest.mark.parametrize(
    ("rest", "body"),
    [
        ("/draw", {}),
        ("/draw", {"action": "offer"}),
        ("/draw", {"action": "accept", "intended": "e4"}),
        ("/resign", {"sure": True}),
        ("/claim", {"action": "no"}),
    ],
)
async def test_bad_fields_of_the_other_calls(world, rest, body):
    answer = await _send(world, json.dumps(body).encode(), rest=rest)
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/bad-fields")
    assert (await world.row()).seq == 0


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"from": "2026-10-01"}, "bad-fields"),
        ({"from": "1/10", "to": "7/10"}, "bad-fields"),
        ({"from": 1790000000, "to": "2026-10-07"}, "bad-fields"),
        ({"from": "2026-10-01T00:00:00", "to": "2026-10-07"}, "bad-fields"),
        ({"from": "2026-10-07", "to": "2026-10-01"}, "leave-order"),
        ({"from": "2026-09-02", "to": "2026-09-08"}, "leave-too-soon"),
        ({"from": "2026-10-01", "to": "2026-12-31"}, "leave-quota"),
        ({"from": "2026-10-01", "to": "2030-12-31"}, "leave-too-long"),
    ],
)
async def test_leave_that_can_not_be_booked(world, body, kind):
    answer = await world.post("white", "/api/v1/leave", body)
    said = await answer.json()
    assert (answer.status, said["type"]) == (422, f"/problems/{kind}")
    assert (await world.row()).seq == 0
    if kind == "leave-too-soon":
        assert said["earliest"] > "2026-09-02"
        assert said["paragraph"] == "6.3.6.1"
        assert said["game"] == "K-26-01/1"


async def test_leave_without_a_running_game_is_told(world):
    body = {"from": "2026-10-01", "to": "2026-10-07"}
    answer = await world.post("stranger", "/api/v1/leave", body)
    assert (answer.status, (await answer.json())["type"]) == (409, "/problems/no-games")


@pytest.mark.parametrize(
    "path",
    ["/api/v1/", "/api/v1/nothing", "/api/v1/games/x", "/api/v1/games/1/x", "/api/v1/games/"],
)
async def test_what_is_not_there_is_a_problem_document_too(world, path):
    answer = await world.get("white", path)
    assert (answer.status, answer.content_type) == (404, PROBLEM)


async def test_a_wrong_method_is_told_the_right_ones(world):
    answer = await world.get("white", world.path("/moves"))
    assert (answer.status, answer.headers["Allow"]) == (405, "POST")
    answer = await world.client.delete(world.path(), headers=world.headers("white"))
    assert (answer.status, answer.headers["Allow"]) == (405, "GET")


async def test_an_id_beyond_all_ids_is_not_found(world):
    for number in ("0", "9" * 18, "9" * 19, "9" * 40):
        assert (await world.get("white", f"/api/v1/games/{number}")).status == 404
        assert (await world.post("white", f"/api/v1/games/{number}/resign")).status == 404


async def test_the_unexpected_is_told_without_its_inner_workings(world, monkeypatch):
    async def broken(*_: object) -> None:
        raise RuntimeError("secret inner thing")

    monkeypatch.setattr("server.api.play.game_view", broken)
    answer = await world.get("white", world.path())
    assert (answer.status, (await answer.json())["type"]) == (500, "/problems/internal")
    assert "secret" not in await answer.text()


# Issue 33: days of another century in every date that openapi.json names: refused, never kept.


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
    assert (len(FIELDS), len(QUERIES)) == (35, 2), "a new one is tried too: say so here"


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
    path = endpoint.path.replace("{id}", str(by[1]))
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


# Facts that can't all be true are told in the caller's own language, by the API too.


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("da", "Et af de træk, der er prøvet, begynder ingen forsendelse i partiet."),
        ("en", "One of the moves tried begins no dispatch in the game."),
    ],
)
async def test_what_does_not_fit_is_said(world: World, lang: str, said: str):
    supposed = [{"kind": "sent_on", "ply": 9, "day": "2026-09-01"}]
    answer = await world.post(
        "kc", world.path("/what-if"), {"supposed": supposed}, Accept_Language=lang
    )
    problem = await answer.json()
    assert (answer.status, problem["type"]) == (422, "/problems/impossible-facts")
    assert said in problem["detail"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_misfit_has_its_words(lang: str):
    words = Words.load(lang)
    assert len({words(f"misfits.{misfit.value}") for misfit in Misfit}) == len(Misfit)
