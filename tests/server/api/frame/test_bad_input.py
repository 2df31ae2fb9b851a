"""Wrong calls: one clear problem document naming place and remedy, nothing changed."""

import json

import pytest

from tests.fakes.machinery.each import each

PROBLEM = "application/problem+json"


async def _send(world, raw: bytes, kind: str = "application/json", rest: str = "/moves"):
    headers = world.headers("white") | {"Content-Type": kind}
    return await world.client.post(world.path(rest), data=raw, headers=headers)


@each(
    "raw status kind",
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


@each(
    "rest body",
    ("/draw", {}),
    ("/draw", {"action": "offer"}),
    ("/draw", {"action": "accept", "intended": "e4"}),
    ("/resign", {"sure": True}),
    ("/claim", {"action": "no"}),
)
async def test_bad_fields_of_the_other_calls(world, rest, body):
    answer = await _send(world, json.dumps(body).encode(), rest=rest)
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/bad-fields")
    assert (await world.row()).seq == 0


@each(
    "body kind",
    ({"from": "2026-10-01"}, "bad-fields"),
    ({"from": "1/10", "to": "7/10"}, "bad-fields"),
    ({"from": 1790000000, "to": "2026-10-07"}, "bad-fields"),
    ({"from": "2026-10-01T00:00:00", "to": "2026-10-07"}, "bad-fields"),
    ({"from": "2026-10-07", "to": "2026-10-01"}, "leave-order"),
    ({"from": "2026-09-02", "to": "2026-09-08"}, "leave-too-soon"),
    ({"from": "2026-10-01", "to": "2026-12-31"}, "leave-quota"),
    ({"from": "2026-10-01", "to": "2030-12-31"}, "leave-year"),
    ({"from": "2026-10-01", "to": "2030-09-01"}, "leave-too-long"),
)
async def test_leave_that_can_not_be_booked(world, body, kind):
    answer = await world.post("white", "/api/v1/leave", body)
    said = await answer.json()
    assert (answer.status, said["type"]) == (422, f"/problems/{kind}")
    assert (await world.row()).seq == 0
    if kind == "leave-too-soon":
        assert said["earliest"] > "2026-09-02"
        assert said["paragraph"] == "6.3.6.1"
        assert said["law"] == "/regulation/6.3.6.1"
        assert said["game"] == "K-26-01/1"


async def test_leave_without_a_running_game_is_told(world):
    body = {"from": "2026-10-01", "to": "2026-10-07"}
    answer = await world.post("stranger", "/api/v1/leave", body)
    assert (answer.status, (await answer.json())["type"]) == (409, "/problems/no-games")


@each(
    "path",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v1/games/x",
    "/api/v1/games/1/x",
    "/api/v1/games/",
    "/game/export/-1",
    "/game/export/abcdEFGH",
    f"/game/export/{10**18}",
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


@pytest.mark.parametrize(
    ("path", "status"),
    [("/games?a%00=1", 422), ("/archive?a%00b=1&player=x", 422), ("/games?after=%00", 422),
     ("/groups/%0A/league", 404), ("/cases/a%0D%0Ab/decisions", 404), ("/games/%00", 404)],
)  # fmt: skip
async def test_a_control_character_in_an_address_is_answered_as_documented(world, path, status):
    """Found by schemathesis: the last two had no problem document, the first another status."""
    answer = await world.get("white", "/api/v1" + path)
    assert (answer.status, answer.content_type) == (status, "application/problem+json"), path
