"""Files of a case by the API: put in once, fetched as they came, wrong ones named by field."""

import base64

import pytest

from kskak.cases.case import CaseRefusal, SettleCase, WithdrawCase
from kskak.cases.case_events import CaseKind, PaperKind
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases.cases import case_actions
from server.usecases.cases.case_actions import enclose
from server.usecases.rights import NotAllowed
from tests.fakes.machinery.each import each
from tests.fakes.postal import PNG
from tests.server.api.cases.test_permissions import Desk, desk
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


@each(
    "change pointer",
    ({"file": "###"}, "/file"),
    ({"file": base64.b64encode(b"<svg/>").decode()}, "/file"),
    ({"kind": "note"}, "/kind"),
    ({"title": "x" * 201}, "/title"),
    ({"file": None}, "/file"),
)
async def test_a_wrong_field_is_named_and_nothing_is_put_in(world, case, change, pointer):
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


# Every call that changes or drafts something in a case, at every stage: none answers 500 (§ 6.4).
# A case that is over takes nothing more but papers' words, deposits and deliveries.


__all__ = ["desk"]
EXPELS = {"sanctions": [{"person": "{other}", "kind": "expulsion"}]}
UNHEARD = {"unheard": "Det haster."}
RULED = {"has_reason": True, "reasons": "Fordi."}
ORDER = {"paragraphs": ["6.4.1"], "reasons": "Fordi."}
DEEDS = {
    "draft": [ORDER, ORDER | UNHEARD, ORDER | EXPELS, ORDER | EXPELS | UNHEARD,
              ORDER | {"annuls": ["2026/1/1"]}, ORDER | {"restores": ["2026/9/1"]}],
    "decisions": [ORDER, ORDER | UNHEARD, ORDER | EXPELS | UNHEARD,
                  ORDER | {"annuls": ["2026/1/1"]}, ORDER | {"appeal": "sent_back"}],
    "withdrawal/draft": [RULED, RULED | UNHEARD, RULED | {"quarantine_months": 6}],
    "withdrawal": [RULED | UNHEARD, RULED | {"has_reason": False, "quarantine_months": 6}],
    "widen": [{"games": ["{game}"], "parties": ["{other}"]}],
    "hearing": [{"action": "ask", "until": "2026-09-20"}, {"action": "close", "reason": "Ja."}],
    "suspension": [{"action": "suspend", "games": ["{game}"]}, {"action": "lift"}],
    "close": [{"action": "settle", "note": "Forlig."}, {"action": "withdraw"}],
    "vote": [{"upholds": ["{white}"]}],
    "appeal": [{"text": "Nej."}, {"action": "take_back"}],
    "deposit": [{"action": "received", "person": "{white}", "on": "2026-09-01", "amount": 100},
                {"action": "paid_back", "person": "{white}", "on": "2026-09-01"}],
    "statements": [{"text": "Hm."}],
}  # fmt: skip
ALWAYS = {"statements", "deposit", "appeal"}
"""What has rules of its own when a case is over: words, deposits, appeals against a decision."""
STAGES = ("opened", "heard", "settled", "withdrawn", "decided", "kc", "at_board", "final",
          "leaving", "leaving settled", "leaving withdrawn", "leaving ruled")  # fmt: skip


async def _bring(desk: Desk, stage: str) -> tuple[int, bool]:
    """The case at a stage, and whether it is over."""
    core, people = desk.world.core, desk.world.people
    kind, _, end = stage.rpartition(" ")
    if "leaving" in stage:
        await desk.to("leaving")
    known = desk.ids["leaving"] if "leaving" in stage else desk.ids["case"]
    by = people["other"] if kind else people["white"]
    if end == "settled":
        done = await case_actions.act(core, people["tl"], known, SettleCase("Forlig."))
    elif end == "withdrawn":
        done = await case_actions.act(core, by, known, WithdrawCase())
    elif end == "ruled":
        status = await desk.world.post("tl", f"/api/v1/cases/{known}/withdrawal", RULED)
        assert status.status == 200, await status.text()
        return known, False
    elif end == "final":
        await desk.to("board")
        status = await desk.world.post("board", f"/api/v1/cases/{known}/decisions", ORDER)
        assert status.status == 200, await status.text()
        return known, True
    else:
        await desk.to(stage)
        return known, False
    assert not isinstance(done, CaseRefusal), done
    return known, True


@pytest.mark.parametrize("stage", STAGES)
async def test_no_deed_in_any_stage_is_a_fault_of_ours(desk: Desk, stage: str) -> None:
    known, is_over = await _bring(desk, stage)
    seq = await _seq(desk, known)
    for deed, bodies in DEEDS.items():
        for body in bodies if is_over else bodies[:1] if "draft" not in deed else bodies:
            for role in ("tl", "kc", "board", "white", "other"):
                path = f"/api/v1/cases/{known}/{deed}"
                answer = await desk.world.post(role, path, desk._filled(body))
                said = (stage, deed, role, body, await answer.text())
                assert answer.status < 500, said
                before, seq = seq, await _seq(desk, known)
                if is_over and deed not in ALWAYS:
                    assert answer.status in (403, 404, 409, 422), said
                    assert seq == before, said


async def _seq(desk: Desk, known: int) -> int:
    async with desk.world.core.store.read() as conn:
        found = await case_rows.load(conn, known)
    assert found is not None
    return found.seq
