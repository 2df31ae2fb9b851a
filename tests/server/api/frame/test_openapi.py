"""openapi.json against what the server has and answers, by a JSON Schema validator of others."""

import asyncio
import json
import re
import time
from types import SimpleNamespace

import jsonschema
import pytest

from server.api import site
from server.api.frame.game_models import MOST_BYTES
from server.api.frame.problems import ApiProblemKind, type_of
from server.api.site import ENDPOINTS
from server.usecases.context import Rate
from tests.server.api.conftest import address_of

DOCUMENT = "/api/v1/openapi.json"
CHECKER = jsonschema.Draft202012Validator.FORMAT_CHECKER


_kept: list[dict] = []
"""The document as the first test of this process was given it; it is read only."""


@pytest.fixture
async def document(world) -> dict:
    if not _kept:
        answer = await world.client.get(DOCUMENT)
        assert answer.content_type == "application/json"
        _kept.append(await answer.json())
    return _kept[0]


def _routes(world) -> set[tuple[str, str]]:
    """What the application answers under a template of its own, the API's net left out."""
    found = set()
    for route in world.client.app.router.routes():
        info = route.get_info()
        template = info.get("path") or info["formatter"]
        if route.method != "*":
            found.add((route.method, template))
    return found


def _operations(document: dict) -> set[tuple[str, str]]:
    return {(m.upper(), path) for path, at in document["paths"].items() for m in at}


def _check(document: dict, schema: dict, value: object) -> None:
    whole = schema | {"components": document["components"]}
    jsonschema.Draft202012Validator.check_schema(whole)
    checker = jsonschema.Draft202012Validator(whole, format_checker=CHECKER)
    # Short: an error's own text would show the whole document.
    assert [(list(e.path), e.message[:200]) for e in checker.iter_errors(value)] == []


async def _validated(world, document: dict, answer) -> object:
    """Hold an answer against what the document says of its path, method, status and type."""
    path = re.sub(r"/\d+", "/{id}", answer.url.path)
    for name, value in (("uci", "move/e2e4"), ("answer", "draw/yes"), ("username", "user/k1")):
        path = path.replace(value, f"{value.partition('/')[0]}/{{{name}}}")
    operation = document["paths"][path][answer.method.lower()]
    said = operation["responses"][str(answer.status)]
    if answer.status == 304:
        return None
    schema = said["content"][answer.content_type]["schema"]
    text = await answer.text()
    value = json.loads(text) if "json" in answer.content_type else text
    _check(document, schema, value)
    if answer.content_type == "application/problem+json":
        assert value["type"] in said["description"].split(", "), "a kind that is not documented"
        assert value["status"] == answer.status
    return value


async def test_every_route_is_documented_and_every_documented_route_exists(world, document):
    assert _operations(document) == _routes(world) | {("GET", "/events")}, "the web's own"
    assert len(_routes(world)) == len(ENDPOINTS) + 1


async def test_every_schema_is_a_schema_and_every_reference_leads_somewhere(document):
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    pointed = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert pointed <= schemas.keys()
    assert document["openapi"].startswith("3.1.")


async def test_each_call_has_a_tag_and_the_examples_are_of_their_schemas(document):
    tags = {tag["name"] for tag in document["tags"]}
    operations = [op for at in document["paths"].values() for op in at.values()]
    assert {tag for op in operations for tag in op["tags"]} == tags
    for operation in operations:
        answer = operation["responses"]["200"]["content"]
        [content] = operation.get("requestBody", {}).get("content", answer).values()
        is_text = "$ref" not in content["schema"]
        is_shown = not is_text or operation["operationId"].startswith("lichess")
        assert is_shown == ("example" in content), operation["operationId"]
        if is_shown:
            _check(document, content["schema"], content["example"])


async def test_operation_ids_differ_and_guarded_calls_say_so(document):
    operations = [op for at in document["paths"].values() for op in at.values()]
    ids = [op["operationId"] for op in operations]
    assert len(set(ids)) == len(ids)
    open_to_all = {op["operationId"] for op in operations if "security" not in op}
    public = {"groups", "group_table", "group_pgn", "cups", "cup", "titles"}
    public |= {"openings", "rating_list", "rating_history", "rating_calculation", "archive"}
    assert open_to_all == {"healthz", "readyz", "metrics", "openapi"} | public
    for path, at in document["paths"].items():
        names = {p["name"] for op in at.values() for p in op["parameters"] if p["in"] == "path"}
        assert names == set(re.findall(r"{(\w+)}", path))


async def test_each_call_answers_as_documented(world, document):
    async def get(who: str | None, path: str, **headers: str) -> None:
        await _validated(world, document, await world.get(who, path, **headers))

    async def post(who: str, path: str, body: object = None, status: int = 200) -> None:
        answer = await world.post(who, path, body)
        assert answer.status == status, await answer.text()
        await _validated(world, document, answer)

    for path in ("/healthz", "/readyz", "/metrics", DOCUMENT):
        await get(None, path)
    await post("white", world.path("/moves"), {"text": "1. 5254 05755 2. 7163"})
    world.clock.pass_days(6)
    await post("white", "/api/v1/leave", {"from": "2026-10-01", "to": "2026-10-07"})
    await post("black", world.path("/moves"), {"text": "1. 5254 5755 2. 7163 2836", "ply": 1})
    await post("white", world.path("/draw"), {"action": "claim"})
    for rest in ("", "/ledger", "/clock", "/clock?on=2026-12-24", "/pgn"):
        await get("white", world.path(rest))
        await get("stranger", world.path(rest))
    await get("white", "/api/v1/games")
    await get("tl", "/api/v1/games?all=1")
    await get("tl", "/api/v1/games?all=2")
    world.clock.pass_days(90)
    await post("black", world.path("/claim"))
    await post("black", world.path("/resign"), status=409)
    await get("black", world.path("/clock"))
    await post("black", world.path("/claim"), {"action": "admit"}, status=409)
    await post("white", world.path("/claim"), {"action": "admit"})
    await post("black", world.path("/claim"), status=409)
    for rest in ("", "/ledger", "/clock"):
        await get("stranger", world.path(rest))


async def test_each_call_is_refused_as_documented(world, document):
    """On one server: what is refused changes nothing."""
    doors = world.api.doors
    doors._strangers.rate = doors._callers.rate = Rate(burst=10_000, per_second=1)
    for endpoint in ENDPOINTS:
        for headers, body in _refused(world, endpoint.method):
            path = address_of(endpoint, world.game)
            answer = await world.client.request(endpoint.method, path, data=body, headers=headers)
            try:
                assert answer.status != 429, "refused for another reason"
                await _validated(world, document, answer)
                said = document["paths"][endpoint.path][endpoint.method.lower()]
                assert answer.status >= 400 or "security" not in said
            except Exception as fault:
                fault.add_note(f"{endpoint.name}, {headers}, {body and body[:20]}")
                raise


def _refused(world, method: str) -> list[tuple[dict[str, str], bytes | None]]:
    """Heads and bodies that no call takes; those of a reading, that none with a token takes."""
    without = [({}, None), ({"Authorization": "Bearer x"}, None)]
    if method not in ("POST", "PUT"):
        return without
    json_type = world.headers("white") | {"Content-Type": "application/json"}
    return [
        *without,
        (json_type, b"{"),
        (json_type, b'{"x": 1}'),
        (json_type, b" " * (MOST_BYTES + 1)),
        (json_type | {"Content-Type": "text/plain"}, b"x"),
        (json_type | {"Idempotency-Key": "a b"}, b'{"from": "", "action": 1}'),
    ]


async def test_bodies_that_the_schema_allows_are_read_and_others_are_not(document, world):
    body = document["paths"]["/api/v1/games/{id}/moves"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    _check(document, schema, {"text": "e4", "ply": 0, "draw_offer": False})
    for wrong in ({}, {"text": "e4", "more": 1}, {"text": 1}, {"text": "e4", "ply": -1}):
        with pytest.raises(AssertionError):
            _check(document, schema, wrong)


def test_every_kind_of_problem_has_its_own_type():
    assert len({type_of(kind) for kind in ApiProblemKind}) == len(ApiProblemKind)


async def test_the_calls_about_entries_answer_as_documented(world, document):
    async def post(who: str, path: str, body: object, status: int = 200) -> dict:
        answer = await world.post(who, "/api/v1" + path, body)
        assert answer.status == status, await answer.text()
        return await _validated(world, document, answer)

    opening = {
        "name": "Åben", "event": "emt", "wish": "Å", "tournament": "EMT", "regulation": "email",
        "prefix": "A", "leader": "tl@example.org", "fee": 10_000,
        "how_to_pay": "MobilePay 12345",
    }  # fmt: skip
    number = (await post("kc", "/entry-lists", opening))["id"]
    await post("kc", "/entry-lists", opening, 422)
    await post("kc", f"/entry-lists/{number}", {"open": True})
    person = world.people["stranger"].id
    result = {"event": "emt", "wish": "Å", "name": "Å-1", "finished": "2022-01-02", "halves": 3,
              "games": 6, "source": "bladet"}  # fmt: skip
    kept = await post("tl", f"/people/{person}/results", result)
    own = {"list": number, "born": "1950-02-28", "member": "1"}
    entry = await post("stranger", "/tournament-entries", own)
    await post("stranger", "/tournament-entries", own, 409)
    await post("tl", f"/tournament-entries/{entry['id']}/fee", {"on": "2026-09-01"})
    await post("tl", f"/tournament-entries/{entry['id']}/number", {"member": "4711"})
    await post("tl", f"/entry-lists/{number}/start", {}, 409)
    for path in (
        "/classes",
        "/entry-lists",
        "/tournament-entries",
        "/tournament-entries?desk=1",
        "/tournament-entries?desk=2",
    ):
        await _validated(world, document, await world.get("stranger", "/api/v1" + path))
    classes = await world.get("tl", f"/api/v1/people/{person}/classes")
    found = await _validated(world, document, classes)
    assert found["classes"]["Å"]["allowed"] and len(found["record"]) == 1
    await post("tl", f"/people/{person}/results/removal", {"result": kept["id"]})
    await post(
        "tl", f"/tournament-entries/{entry['id']}/refusal", {"paragraph": "6.1", "reason": "Nej."}
    )


async def test_the_description_is_made_once_however_many_ask_at_first(monkeypatch):
    """Each of them began a process of five seconds of CPU, and after a minute all got 500."""
    begun = []

    def run(command: list[str], **how: object) -> SimpleNamespace:
        begun.append(command)
        time.sleep(0.05)
        return SimpleNamespace(stdout=b"{}")

    monkeypatch.setattr(site.subprocess, "run", run)
    handler = site._description.__wrapped__().handler
    answers = await asyncio.gather(*(handler(None) for _ in range(4)))
    assert [one.body for one in answers] == [b"{}"] * 4 and len(begun) == 1
