"""The register by API: who may what, contact data, files, changes with a reason."""

from dataclasses import dataclass

import jsonschema
import pytest

from server.api import register as register_calls
from server.store import register as register_rows
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from tests.fakes.machinery.each import each
from tests.server.api.conftest import World
from tests.server.api.rights import SHUT

CSV = {"csv": "Nr;Navn;Født\n77;Ny Medlem;1960-01-01\n", "dry_run": True}
CLUBS = {"csv": "Klub;Hovedkreds\nNordre;1. hovedkreds\n", "dry_run": True}
RATINGS = {"csv": "Nr;Type;Rating;Dato\n77;K;1500;2026-01-01\n", "dry_run": True}
CHANGE = {"reason": "nyt nummer", "number": "4711"}
OFFICIALS = {"kc", "admin"}
READERS = OFFICIALS | {"tl"}


@dataclass(frozen=True)
class Right:
    """A call, and who may."""

    path: str
    allowed: frozenset[str]
    body: dict | None = None


RIGHTS = (
    Right("/members", frozenset(READERS)),
    Right("/members/{white}", frozenset(READERS | {"white"})),
    Right("/clubs", frozenset(READERS)),
    Right("/members", frozenset(OFFICIALS), {"reason": "ny", "name": "Ib Ny", "birth": "1960-1-1"}),
    Right("/members/{white}", frozenset(OFFICIALS), CHANGE),
    Right("/members/export", frozenset(OFFICIALS)),
    Right("/clubs/export", frozenset(OFFICIALS)),
    Right("/ratings/export", frozenset(OFFICIALS)),
    Right("/members/import", frozenset(OFFICIALS), CSV),
    Right("/clubs/import", frozenset(OFFICIALS), CLUBS),
    Right("/ratings/import", frozenset(OFFICIALS), RATINGS),
)
ROLES = ("white", "black", "tl", "kc", "board", "admin", "stranger", None)


@pytest.fixture
async def desk(world: World) -> World:
    """White is a member without number; a Board member and an administrator are in office."""
    for role, office in (("board", Office.BOARD), ("admin", Office.ADMIN)):
        await world.admit(role)
        async with world.core.store.write() as conn:
            new = NewOffice(world.people[role].id, office.value, None, 0, 1)
            await person_rows.add_office(conn, new)
    async with world.core.store.write() as conn:
        for who in ("white", "stranger"):
            put = {"person_id": world.people[who].id, "kind": "individual"}
            await register_rows.put_members(conn, [put])
    return world


async def _ask(world: World, role: str | None, right: Right):
    path = "/api/v1" + right.path.format(white=world.people["white"].id)
    if right.body is None:
        return await world.get(role, path)
    return await world.post(role, path, right.body)


@pytest.mark.parametrize("right", RIGHTS, ids=lambda right: right.path + "?" * bool(right.body))
async def test_who_has_the_right_gets_in_and_nobody_else(desk: World, right: Right):
    for role in ROLES:
        answer = await _ask(desk, role, right)
        if role in right.allowed:
            assert answer.status == 200, (role, await answer.text())
        else:
            assert answer.status in SHUT, (role, answer.status)


async def test_a_leader_sees_addresses_of_his_own_players_only(desk: World):
    listed = await (await desk.get("tl", "/api/v1/members")).json()
    emails = {member["name"]: member["email"] for member in listed["members"]}
    assert emails == {"H. Vid": "white@example.org", "stranger": None}
    other = await desk.get("tl", f"/api/v1/members/{desk.people['stranger'].id}")
    detail = await other.json()
    assert (detail["email"], detail["birth"], detail["changes"]) == (None, None, [])
    assert (await (await desk.get("kc", "/api/v1/members")).json())["count"] == 2


async def test_a_change_is_kept_with_who_and_why(desk: World):
    white = desk.people["white"].id
    saved = await (await desk.post("kc", f"/api/v1/members/{white}", CHANGE)).json()
    assert saved == {
        "done": True, "id": white, "changes": [["number", None, "4711"]], "refused": [],
        "moves": [],
    }  # fmt: skip
    detail = await (await desk.get("kc", f"/api/v1/members/{white}")).json()
    (change,) = detail["changes"]
    assert (change["by"], change["reason"]) == ("kc", "nyt nummer")
    assert change["fields"] == [["number", None, "4711"]]


async def test_what_cant_be_used_is_answered_with_what_to_write(desk: World):
    path = f"/api/v1/members/{desk.people['white'].id}"
    wrong = {"reason": "ny", "birth": "i går"}
    saved = await (await desk.post("kc", path, wrong, Accept_Language="en")).json()
    assert not saved["done"] and "Write 2026-11-20" in saved["refused"][0]
    answer = await desk.post("kc", path, {"birth": "1960-01-01"})
    assert answer.status == 422, "no reason given"
    imported = {"csv": "Nr;Navn\n1;Bo;3\n"}
    report = await (await desk.post("kc", "/api/v1/members/import", imported)).json()
    assert (report["done"], report["counts"]["refused"]) == (False, 1)
    fault = await (await desk.post("kc", "/api/v1/members/import", {"csv": "x\n"})).json()
    assert fault["fault"] and not fault["done"]


async def test_an_import_writes_and_its_file_comes_out_again(desk: World):
    real = CSV | {"dry_run": False}
    report = await (await desk.post("admin", "/api/v1/members/import", real)).json()
    assert report["done"] and report["counts"]["added"] == 1
    out = await (await desk.get("kc", "/api/v1/members/export")).text()
    assert "77;Ny Medlem;;1960-01-01;enkelt" in out
    again = await (await desk.post("kc", "/api/v1/members/import", {"csv": out})).json()
    assert again["lines"] == []


async def test_answers_have_the_documented_shape(desk: World):
    white = desk.people["white"].id
    await desk.post("kc", f"/api/v1/members/{white}", {"reason": "x", "k_rating": "1500"})
    for path, model in (
        ("/members", register_calls.MemberList),
        (f"/members/{white}", register_calls.MemberDetail),
        ("/clubs", register_calls.ClubList),
    ):
        value = await (await desk.get("kc", f"/api/v1{path}")).json()
        jsonschema.validate(value, model.model_json_schema(mode="serialization"))
    report = await (await desk.post("kc", "/api/v1/members/import", CSV)).json()
    jsonschema.validate(
        report, register_calls.RegisterImported.model_json_schema(mode="serialization")
    )


@each("query", ["page=0", "page=x", "page=²", "q=" + "x" * 101, "q=a%00"])
async def test_a_bad_query_is_refused(desk: World, query: str):
    assert (await desk.get("kc", f"/api/v1/members?{query}")).status == 422


async def test_an_odd_search_finds_nobody_and_harms_nothing(desk: World):
    for text in ("%25", "_", "'", "%F0%9F%A6%89"):
        found = await desk.get("kc", f"/api/v1/members?q={text}")
        assert found.status == 200
