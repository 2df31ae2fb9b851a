"""Special leave is told to players and officials; strangers see leave (§ 6.3.6.4, § 6.8.8)."""

import json

import pytest

from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.statement.account import account
from tests.fakes.machinery.each import each
from tests.server.api.conftest import World

DAYS = {"from": "2026-09-04", "to": "2026-09-06"}
ORDINARY = {"from": "2026-09-08", "to": "2026-09-09"}
PLACES = ("", "/ledger", "/clock", "/clock?on=2026-09-12")


@pytest.fixture
async def ended(world: World) -> World:
    """Black was ill for three days, had leave for two, moved, and White resigned."""
    assert (await world.post("black", "/api/v1/leave", ORDINARY)).status == 200
    body = DAYS | {"tournament": "K-skak-EMT 2026", "player": world.people["black"].id}
    assert (await world.post("tl", "/api/v1/leave/special", body)).status == 200
    await world.play("e4")
    world.clock.pass_days(10)
    await world.play("e5")
    assert (await world.post("white", world.path("/resign"))).status in (200, 201)
    return world


async def _asked(world: World, who: str, rest: str) -> str:
    answer = await world.get(who, world.path(rest))
    assert answer.status == 200
    return await answer.text()


@each("rest", PLACES)
async def test_strangers_read_of_leave_and_not_of_which_type(ended: World, rest: str) -> None:
    told = await _asked(ended, "stranger", rest)
    assert "special" not in told and "6.3.6.4" not in told
    spans = [span for one in json.loads(told).get("moves", ()) for span in one["exempt"]]
    days = [(span["from"], span["reason"], span["paragraph"]) for span in spans]
    leave = [(one["from"], "leave", "6.3.6") for one in (DAYS, ORDINARY)]
    assert days == ([] if rest == "/ledger" else leave)


@each("who", ["white", "black", "tl", "kc"])
async def test_players_and_officials_read_all(ended: World, who: str) -> None:
    assert '"type": "special"' in json.dumps(json.loads(await _asked(ended, who, "/ledger")))
    assert "special_leave" in await _asked(ended, who, "/clock")


async def test_a_strangers_ledger_replays_to_the_clock_that_strangers_see(ended: World) -> None:
    told = json.loads(await _asked(ended, "stranger", "/ledger"))
    read = read_ledger(told)
    shown = json.loads(await _asked(ended, "stranger", "/clock"))
    whole = json.loads(await _asked(ended, "black", "/clock"))
    assert json.loads(json.dumps(clock_json(account(read.terms, read.events)))) == shown
    assert shown["totals"] == whole["totals"]
    leaves = [one for one in told["entries"] if one["kind"] == "leave"]
    assert {(one["type"], "notified" in one) for one in leaves} == {("untold", False)}
    assert {one["from"] for one in leaves} == {DAYS["from"], ORDINARY["from"]}


async def test_a_copy_kept_as_a_stranger_is_not_kept_by_who_gets_an_office(ended: World) -> None:
    answer = await ended.get("stranger", ended.path("/ledger"))
    tag = answer.headers["ETag"]
    again = await ended.get("stranger", ended.path("/ledger"), **{"If-None-Match": tag})
    official = await ended.get("tl", ended.path("/ledger"), **{"If-None-Match": tag})
    assert (again.status, official.status) == (304, 200)


async def test_another_groups_leader_is_a_stranger_here_too(ended: World) -> None:
    await ended.admit("other", "tl")
    assert "special" not in await _asked(ended, "other", "/ledger")


async def test_who_follows_a_running_game_reads_of_leave_and_not_of_which_type(world):
    await world.play("e4")
    body = DAYS | {"tournament": "K-skak-EMT 2026", "player": world.people["black"].id}
    assert (await world.post("tl", "/api/v1/leave/special", body)).status == 200
    path = f"/api/v1/groups/{(await world.row()).group_id}/live"
    assert (await world.post("tl", path, {"live": True})).status == 200
    world.clock.pass_days(8)
    for rest in PLACES[:3]:
        told = await _asked(world, "stranger", rest)
        assert "special" not in told and "6.3.6.4" not in told, rest
    assert "untold" in await _asked(world, "stranger", "/ledger")
    assert "special" in await _asked(world, "black", "/ledger")
