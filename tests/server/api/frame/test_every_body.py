"""Issue 33: every call that takes a body, and every field of each, with what no body may hold."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from mail.text.catalogue import LANGUAGES, Words
from server.api import cup as cup_calls
from server.api import entries as entry_calls
from server.api.cup import CupBody, TitleBody
from server.api.entries import ListBody, ResultBody
from server.api.frame.endpoints import LICHESS, Endpoint, describe
from server.api.site import ENDPOINTS
from server.usecases.cup.cup_rounds import CupFault
from server.usecases.entries.player_entering import ListFault, ResultFault
from server.usecases.results.titles import TitleFault
from tests.fakes.faulty import everything
from tests.fakes.machinery.each import rows
from tests.server.api.conftest import World, address_of

BODIES = tuple(one for one in ENDPOINTS if one.body is not None)
DOCUMENT: Any = describe(BODIES)
PROBLEM = "application/problem+json"
DEEP, LONG = 10_000, "9" * 5000
Step = str | int


def example(endpoint: Endpoint) -> Any:
    """The example of a call's body in openapi.json: every field, each of its kind."""
    operation = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    return operation["requestBody"]["content"]["application/json"]["example"]


def leaves(value: Any, at: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The places of all single values in a body."""
    if isinstance(value, dict) and value:
        for name, one in value.items():
            yield from leaves(one, (*at, name))
    elif isinstance(value, list) and value:
        yield from leaves(value[0], (*at, 0))
    elif at:
        yield at


def put(body: Any, at: tuple[Step, ...], text: str) -> str:
    """The body as JSON, with this JSON in one place."""
    body, mark = deepcopy(body), "\N{REPLACEMENT CHARACTER}"
    held = body
    for step in at[:-1]:
        held = held[step]
    held[at[-1]] = mark
    return json.dumps(body, ensure_ascii=False).replace(f'"{mark}"', text)


def own(endpoint: Endpoint) -> list[tuple[tuple[Step, ...], Any]]:
    """Each field of a call's body with its value in the example."""
    body = example(endpoint)
    found = []
    for at in leaves(body):
        value = body
        for step in at:
            value = value[step]
        found.append((at, value))
    return found


async def sent(world: World, endpoint: Endpoint, raw: bytes, kind: str = "application/json") -> Any:
    """What is answered to the controller: a problem document, and never a fault of ours."""
    headers = world.headers("kc") | {"Content-Type": kind}
    path = address_of(endpoint, world.game)
    answer = await world.client.request(endpoint.method, path, data=raw, headers=headers)
    document = await answer.json(content_type=None)
    assert 400 <= answer.status < 500, (endpoint.path, raw[:200], document)
    assert answer.content_type == PROBLEM and document["status"] == answer.status
    return document


SHAPES = {
    "nested arrays": (b"[" * DEEP + b"]" * DEEP, 400),
    "nested objects": (b'{"a":' * DEEP + b"1" + b"}" * DEEP, 400),
    "an array": (b"[]", 422),
    "an array of objects": (b"[{}]", 422),
    "a number": (b"1", 422),
    "a long number": (LONG.encode(), 400),
    "a text": (b'"x"', 422),
    "nothing": (b"null", 422),
    "no JSON": (b"{,}", 400),
    "half": (b'{"a":', 400),
    "two bodies": (b"{}{}", 400),
    "Latin-1": ('{"text":"Søren"}'.encode("latin-1"), 400),
    "UTF-16": ('{"text":"e4"}'.encode("utf-16"), 400),
    "half a letter": (b'{"text":"S\xc3"}', 400),
    "half a pair": (b'{"text":"\\ud800"}', 400),
    "a control character": (b'{"text":"\x00"}', 400),
    "an unknown field with all of it": (b'{"\\u0000":{"a":[' + LONG.encode() + b"]}}", 400),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
async def test_no_call_takes_a_body_of_another_shape(world: World, shape: tuple[bytes, int]):
    raw, status = shape
    before = everything(world)
    for endpoint in BODIES:
        document = await sent(world, endpoint, raw)
        assert document["status"] == status, (endpoint.path, document)
    assert everything(world) == before


@rows("kind", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json")
async def test_no_call_takes_another_content_type(world: World, kind: str):
    for endpoint in BODIES:
        if kind.endswith("urlencoded") and endpoint.path.startswith(LICHESS):
            continue  # its programs send forms
        document = await sent(world, endpoint, json.dumps(example(endpoint)).encode(), kind)
        assert document["type"] == "/problems/bad-media-type", endpoint.path


def hostile(value: Any) -> Iterator[str]:
    """JSON that no field of this kind takes, whatever the others hold."""
    yield from ("[" * 100 + "]" * 100, '{"a":1}', LONG, "1e400", str(2**63), str(-(10**30)))
    if isinstance(value, str):
        yield from ("1", "true", "[]", '"\\u0000"', '"a\\u0000b"')
    elif isinstance(value, bool):
        yield from ("1", '"true"', "[]")
    elif isinstance(value, int):
        yield from ('"1"', "true", "1.5", str(2**53 + 1))
    else:
        yield from ('"x"', "true")


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda one: one.name)
async def test_no_field_takes_what_is_of_another_kind_and_each_is_named(world, endpoint):
    before, body = everything(world), example(endpoint)
    for at, value in own(endpoint):
        pointer = "".join(f"/{step}" for step in at)
        for text in hostile(value):
            if value == {} and text == '{"a":1}':
                continue  # a table of facts: its own rules are tried where it is read
            document = await sent(world, endpoint, put(body, at, text).encode())
            if text is LONG:
                assert document["type"] == "/problems/bad-json", (pointer, document)
                continue
            assert document["type"] == "/problems/bad-fields", (pointer, text[:40], document)
            named = [fault["pointer"] for fault in document["errors"]]
            assert any(one.startswith(pointer) for one in named), (pointer, text[:40], named)
    assert everything(world) == before


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda one: one.name)
async def test_a_field_that_comes_twice_is_no_field(world: World, endpoint: Endpoint):
    """Programs differ on which of the two they read."""
    before, body = everything(world), example(endpoint)
    for name in body:
        pair = f"{json.dumps(name)}:{json.dumps(body[name])}"
        raw = f"{{{pair},{json.dumps(body)[1:]}".encode()
        document = await sent(world, endpoint, raw)
        assert document["type"] == "/problems/bad-fields", (name, document)
        assert any(one["pointer"] == f"/{name}" for one in document["errors"]), (name, document)
    assert everything(world) == before


def test_every_call_that_takes_a_body_is_here():
    taking = {
        (method, path)
        for path, methods in describe(ENDPOINTS)["paths"].items()  # type: ignore[union-attr]
        for method, operation in methods.items()
        if "requestBody" in operation
    }
    assert {(one.method.lower(), one.path) for one in BODIES} == taking
    assert len(BODIES) > 80


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_code_of_a_faulty_field_has_words(lang: str):
    words = Words.load(lang)
    for code in ("twice", "not_allowed", "missing", "extra_forbidden", "no_date", "day_outside"):
        assert words(f"api.field.{code}")


@rows(
    "fields faults body",
    (entry_calls._FIELDS, ListFault, ListBody),
    (entry_calls._FIELDS, ResultFault, ResultBody),
    (cup_calls._FIELDS, CupFault, CupBody),
    (cup_calls._FIELDS, TitleFault, TitleBody),
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_fault_names_a_field_of_its_body(fields: Any, faults: Any, body: Any):
    """A fault that is about no field of the call would send its reader looking for it."""
    for fault in faults:
        name = fields.get(fault, fault.value)
        assert name in body.model_fields, (fault, name)
