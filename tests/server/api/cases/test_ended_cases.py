"""Every call that changes or drafts something in a case, at every stage: none answers 500 (§ 6.4).

A case that is over takes nothing more but papers' words, deposits and deliveries. Not for who may
(test_permissions.py).
"""

import pytest

from kskak.cases.case import CaseRefusal, SettleCase, WithdrawCase
from server.store.cases import cases as case_rows
from server.usecases.cases import case_actions
from tests.server.api.cases.test_permissions import Desk, desk

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
    for deed, bodies in DEEDS.items():
        for body in bodies if is_over else bodies[:1] if "draft" not in deed else bodies:
            for role in ("tl", "kc", "board", "white", "other"):
                seq = await _seq(desk, known)
                path = f"/api/v1/cases/{known}/{deed}"
                answer = await desk.world.post(role, path, desk._filled(body))
                said = (stage, deed, role, body, await answer.text())
                assert answer.status < 500, said
                if is_over and deed not in ALWAYS:
                    assert answer.status in (403, 404, 409, 422), said
                    assert await _seq(desk, known) == seq, said


async def _seq(desk: Desk, known: int) -> int:
    async with desk.world.core.store.read() as conn:
        found = await case_rows.load(conn, known)
    assert found is not None
    return found.seq
