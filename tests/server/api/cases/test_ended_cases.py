"""Every deed of a case at every stage it may have reached: done or refused, never a fault."""

import pytest
from sqlalchemy import update

from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from kskak.regulation.quantities import Side
from server.store.cases import cases_and_events as case_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.base import outbox
from server.usecases.cases import deeds as cases
from server.usecases.cases.appealing import appeal, keep_terms
from server.usecases.cases.withdrawals import WithdrawalRuling, rule
from server.usecases.core.case_opening import take_claim
from server.usecases.core.case_record import games_of
from server.usecases.core.context import poster_of
from server.usecases.core.game_work import NewClaim
from tests.server.api.cases.test_permissions import FILE, ORDER, TEXT, Desk
from tests.server.api.conftest import World

STAGES = ("opened", "heard", "settled", "withdrawn", "decided", "appealed", "final")
ENDED = ("settled", "withdrawn", "final")
ROLES = ("white", "other", "tl", "kc", "board")
REASON = {"has_reason": True, "reasons": "Syg."}
SHUT_OUT = {"sanctions": [{"person": "{other}", "kind": "expulsion"}]}
DEEDS: tuple[tuple[str, dict], ...] = (
    ("statements", TEXT),
    ("papers", FILE),
    ("widen", {"parties": ["{white}"]}),
    ("widen", {"games": ["{game}"]}),
    ("hearing", {"action": "ask", "until": "2026-09-20"}),
    ("hearing", {"action": "close", "reason": "Hørt."}),
    ("suspension", {"action": "suspend", "games": ["{game}"]}),
    ("suspension", {"action": "lift"}),
    ("close", {"action": "settle", "note": "Enige."}),
    ("close", {"action": "withdraw"}),
    ("appeal", TEXT),
    ("appeal", {"action": "take_back"}),
    ("vote", {}),
    ("deposit", {"action": "received", "person": "{white}", "on": "2026-01-01", "amount": 1}),
    ("deposit", {"action": "paid_back", "person": "{white}", "on": "2026-01-01"}),
    ("draft", ORDER),
    ("draft", ORDER | SHUT_OUT),
    ("draft", ORDER | {"annuls": ["2026/1/1"]}),
    ("decisions", ORDER | SHUT_OUT),
    ("decisions", ORDER | {"annuls": ["2026/1/1"]}),
    ("withdrawal/draft", REASON),
    ("withdrawal", REASON),
)


@pytest.fixture
async def desk(world: World) -> Desk:
    made = Desk(world)
    await made.set_up()
    await made.to("decided")
    return made


async def left_at(desk: Desk, stage: str) -> int:
    """The case of the third player's leaving, brought to a stage."""
    world, people = desk.world, desk.world.people
    asked = {"player": desk.ids["other"], "text": "Stopper."}
    answer = await world.post("other", f"/api/v1/groups/{desk.ids['group']}/withdrawals", asked)
    case, done = int((await answer.json())["id"]), None
    if stage == "settled":
        done = await cases.settle(world.core, people["tl"], case, "Han bliver.")
    elif stage == "withdrawn":
        done = await cases.withdraw(world.core, people["other"], case)
    elif stage != "opened":
        done = await cases.close_hearing(world.core, people["tl"], case, "hørt")
    if stage in ("decided", "appealed", "final"):
        done = await rule(world.core, people["tl"], case, WithdrawalRuling(True, "Syg."))
    if stage == "appealed":
        done = await appeal(world.core, people["other"], case, "Nej.")
    assert not isinstance(done, CaseRefusal), done
    if stage == "final":
        async with world.core.store.write() as conn:
            await conn.execute(update(outbox).values(sent_us=outbox.c.created_us))
        world.clock.pass_days(60)
        await keep_terms(world.core)
    return case


@pytest.mark.parametrize("stage", STAGES)
async def test_no_deed_of_a_case_is_answered_with_a_fault_at_any_stage(
    desk: Desk, stage: str
) -> None:
    case = await left_at(desk, stage)
    seen = (await (await desk.world.get("tl", f"/api/v1/cases/{case}")).json())["stage"]
    assert seen == stage
    faults = []
    for role in ROLES:
        for name, body in DEEDS:
            path = f"/api/v1/cases/{case}/{name}"
            answer = await desk.world.post(role, path, desk._filled(body))
            if answer.status >= 500:
                faults.append((role, name, body, answer.status))
            elif stage in ENDED and role == "tl" and name.startswith(("withdrawal", "d")):
                assert answer.status in (403, 409, 422), (name, body, answer.status)
    assert faults == []


@pytest.mark.parametrize("name", ["withdrawal", "withdrawal/draft"])
async def test_a_silence_that_is_settled_is_not_ruled_on_though_it_would_take_in_other_games(
    desk: Desk, name: str
) -> None:
    """§ 6.3.4, § 6.2.8: the case is of one game, the ruling would be of all that he plays."""
    core = desk.world.core
    row = next(
        one for one in await _games(desk) if desk.ids["other"] in (one.white_id, one.black_id)
    )
    late = Side.WHITE if row.white_id == desk.ids["other"] else Side.BLACK
    silent = NewClaim(row, None, late, core.clock.now(), poster_of(core), CaseKind.SILENCE)
    await core.writer.transact(lambda conn: take_claim(conn, silent))
    async with core.store.read() as conn:
        (case,) = [one for one in await case_rows.listed(conn) if one.kind == CaseKind.SILENCE]
    assert games_of(case) == (row.id,), "he plays two more"
    done = await cases.settle(core, desk.world.people["tl"], case.id, "Han har svaret.")
    assert not isinstance(done, CaseRefusal)
    answer = await desk.world.post("tl", f"/api/v1/cases/{case.id}/{name}", REASON)
    assert answer.status == 409, await answer.text()
    assert (await answer.json())["type"] == "/problems/case-not-open"


async def _games(desk: Desk) -> tuple[GameRow, ...]:
    async with desk.world.core.store.read() as conn:
        return await game_rows.of_group(conn, desk.ids["group"])
