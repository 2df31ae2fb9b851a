"""Files of a case by the API: put in once, fetched as they came, wrong ones named by field."""

import base64

import pytest

from kskak.cases.case import SettleCase
from kskak.cases.case_events import CaseKind, PaperKind
from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases.cases import case_actions
from server.usecases.cases.case_actions import enclose
from server.usecases.rights import NotAllowed
from tests.fakes.postal import PNG
from tests.server.api.conftest import World

NOTE = (PaperKind.NOTE, b"%PDF-1.7 Hemmelig", "Til os selv", "application/pdf")
FILE = {"kind": "scan", "title": "Kortet", "file": base64.b64encode(PNG).decode()}


@pytest.fixture
async def case(world: World) -> CaseRow:
    """White objects to the days."""
    asked = (world.game, CaseKind.DAYS, "Talt forkert.")
    found = await case_actions.object_to(world.core, world.people["white"], *asked)
    assert isinstance(found, CaseRow)
    return found


async def _files(world: World, case: CaseRow) -> list[dict]:
    whole = await (await world.get("black", f"/api/v1/cases/{case.id}")).json()
    return [paper for paper in whole["papers"] if paper["kind"] == "scan"]


async def test_a_file_is_put_in_once_and_fetched_as_it_came(world: World, case: CaseRow):
    path = f"/api/v1/cases/{case.id}/papers"
    for _ in range(2):
        answer = await world.post("white", path, FILE, Idempotency_Key="k1")
        assert answer.status == 200, await answer.text()
    (paper,) = await _files(world, case)
    assert (paper["title"], paper["media_type"], paper["size"]) == ("Kortet", "image/png", len(PNG))
    answer = await world.get("black", f"/api/v1/papers/{paper['id']}")
    assert await answer.read() == PNG
    assert answer.headers["Content-Disposition"] == "attachment"
    assert (await world.get("stranger", f"/api/v1/papers/{paper['id']}")).status == 404


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"file": "###"}, "/file"),
        ({"file": base64.b64encode(b"<svg/>").decode()}, "/file"),
        ({"kind": "note"}, "/kind"),
        ({"title": "x" * 201}, "/title"),
        ({"file": None}, "/file"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_is_put_in(
    world: World, case: CaseRow, change: dict, pointer: str
):
    answer = await world.post("white", f"/api/v1/cases/{case.id}/papers", FILE | change)
    assert answer.status == 422
    assert [one["pointer"] for one in (await answer.json())["errors"]] == [pointer]
    assert await _files(world, case) == []


async def test_a_closed_case_refuses_a_file_with_its_paragraph(world: World, case: CaseRow):
    await case_actions.act(world.core, world.people["tl"], case.id, SettleCase("Enige."))
    answer = await world.post("white", f"/api/v1/cases/{case.id}/papers", FILE)
    problem = await answer.json()
    assert answer.status == 409 and problem["paragraph"] == "6.4.1"
    assert problem["type"] == "/problems/case-not-open"


async def test_a_note_of_the_officials_is_no_partys_to_fetch(world: World, case: CaseRow):
    """Its number is the next of a row: who has one paper's address can guess it."""
    for who in ("white", "black"):
        with pytest.raises(NotAllowed):
            await enclose(world.core, world.people[who], case.id, *NOTE)
    await world.admit("deputy")
    async with world.core.store.write() as conn:
        group = (await world.row()).group_id
        new = NewOffice(world.people["deputy"].id, Office.DEPUTY.value, group, 0, 1)
        await person_rows.add_office(conn, new)
    await enclose(world.core, world.people["tl"], case.id, *NOTE)
    whole = await (await world.get("tl", f"/api/v1/cases/{case.id}")).json()
    (note,) = (paper for paper in whole["papers"] if paper["kind"] == "note")
    statuses = {
        who: (await world.get(who, f"/api/v1/papers/{note['id']}")).status
        for who in ("tl", "deputy", "white", "black", "stranger")
    }
    assert statuses == {"tl": 200, "deputy": 200, "white": 404, "black": 404, "stranger": 404}
    for who in ("white", "black"):
        shown = await (await world.get(who, f"/api/v1/cases/{case.id}")).json()
        assert "note" not in {paper["kind"] for paper in shown["papers"]}


async def test_a_paper_that_is_not_there_is_not_found(world: World, case: CaseRow):
    for who in ("white", "tl", "kc", "stranger"):
        assert (await world.get(who, f"/api/v1/papers/{case.id + 9_999}")).status == 404
