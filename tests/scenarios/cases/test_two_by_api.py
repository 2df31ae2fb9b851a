"""Leader and deputy by the API, the same deed at once: the second changes nothing (§ 6.1.1)."""

import asyncio

import pytest

from server.store.cases import cases as case_rows
from server.store.mail import outbox as outbox_rows
from server.store.play.people import Office
from tests.fakes.cases import officer
from tests.fakes.desk import Desk, desk_scene
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL

DEPUTY = "dorte@example.dk"
RULED = {"paragraphs": ["6.3.1"], "reasons": "Dagene er talt rigtigt."}


desk = desk_scene(ANNA, BO)


async def _size(desk: Desk, case: int) -> tuple[int, int]:
    async with desk.world.core.store.read() as conn:
        events = await case_rows.list_events(conn, case)
        return len(events), len(await outbox_rows.newest(conn, 1000))


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("path", "body", "again"),
    [
        ("hearing", {"action": "ask", "until": "2026-01-20"}, 200),
        ("hearing", {"action": "close", "reason": "Begge er hørt."}, 200),
        ("suspension", {"action": "suspend"}, 200),
        ("close", {"action": "settle", "note": "Enige."}, 409),
        ("decisions", RULED, 409),
    ],
)
async def test_the_same_deed_twice_is_done_once(desk, path, body, again):
    """Both ask at one instant: one event, one letter each; of a decision the second is refused."""
    world = desk.world
    await officer(world, DEPUTY, Office.DEPUTY)
    await Player(world, ANNA).reply("e4")
    asked = {"game": world.game, "kind": "days", "text": "Talt forkert."}
    case = (await desk.call(BO, "POST", "/cases", asked))["id"]
    if path == "decisions":
        await desk.hear(TL, case)
    if path == "suspension":
        body = body | {"games": [world.game]}
    before = await _size(desk, case)
    at = f"/cases/{case}/{path}"
    await desk.call(TL, "GET", f"/cases/{case}")
    await desk.call(DEPUTY, "GET", f"/cases/{case}")
    done = await asyncio.gather(*(desk.ask(who, "POST", at, body) for who in (TL, DEPUTY)))
    assert sorted(status for status, _ in done) == [200, again], done
    once = await _size(desk, case)
    assert once > before
    status, said = await desk.ask(DEPUTY, "POST", at, body)
    assert status == again and await _size(desk, case) == once, said
    filed = [one["event"]["event"] for one in (await desk.see(TL, case))["history"]]
    for kind in ("asked", "heard", "suspended", "settled", "decided"):
        assert filed.count(kind) <= 1, filed
    await world.pump()
