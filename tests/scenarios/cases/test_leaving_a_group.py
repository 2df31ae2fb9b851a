"""A player leaves, games last too long, a start is taken back: what becomes of the games."""

from datetime import date

import pytest

from kskak.cases.case import CaseReason, CaseRefusal
from kskak.regulation.editions import Result
from server.usecases.cases import case_actions
from tests.fakes.desk import CARLA, DAN, Desk, begin_group, desk_scene
from tests.fakes.world import ANNA, BO, TL

START = date(2026, 1, 5)


desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four: each has six games."""


async def _resign(desk: Desk, who: str, *numbers: int) -> list[int]:
    """Somebody loses some of his games; the ids of all of his."""
    listed = await desk.call(who, "GET", "/games")
    mine = sorted(game["id"] for game in listed["games"] if game["mine"])
    for number in numbers:
        await desk.call(who, "POST", f"/games/{mine[number]}/resign")
    return mine


async def _email(desk: Desk, person_id: int) -> str:
    ids = {await desk.id_of(email): email for email in (ANNA, BO, CARLA, DAN)}
    return ids[person_id]


async def _leave(desk: Desk, who: str, *, has_reason: bool) -> dict:
    row = await desk.world.row()
    path = f"/groups/{row.group_id}/withdrawals"
    case = (await desk.call(who, "POST", path, {"text": "Jeg stopper."}))["id"]
    await desk.hear(TL, case)
    body = {"has_reason": has_reason, "reasons": "Udtrådt.", "quarantine_months": 3}
    return await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)


async def test_who_has_finished_half_of_his_games_loses_them_all(desk: Desk) -> None:
    """§ 6.2.8: three of six; also the won ones; a quarantine, the prize lost, all told."""
    mine = await _resign(desk, CARLA, 0, 1)
    games = {game: await desk.world.row(game) for game in mine}
    carla = await desk.id_of(CARLA)
    won = next(row for game, row in games.items() if game in mine[2:])
    other = won.black_id if won.white_id == carla else won.white_id
    email = await _email(desk, other)
    await desk.call(email, "POST", f"/games/{won.id}/resign")
    done = await _leave(desk, CARLA, has_reason=False)
    assert (done["finished"], done["games"], done["loses_all"]) == (3, 6, True)
    for reader in (CARLA, email, TL):
        (told,) = [one.said for one in desk.world.letters(reader) if "Afgørelse" in one.said]
        assert "Højst halvdelen af de partier, Carla Dahl spiller i gruppen" in told
        assert "(3 af 6)" in told and ".." not in told.replace("...", "")
    assert (done["loses_prize"], done["adjudications"]) == (True, [])
    for game in mine:
        row = await desk.world.row(game)
        lost = Result.BLACK_WINS if row.white_id == carla else Result.WHITE_WINS
        assert row.result == lost
    for reader in (ANNA, BO, DAN, CARLA):
        said = " ".join(one.said for one in desk.world.letters(reader)[-3:])
        assert "karantæne i 3 måneder" in " ".join(said.split()), reader
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_who_has_finished_more_than_half_keeps_his_results(desk: Desk) -> None:
    """§ 6.2.8: four of six; the two others stand still before the leader, both are asked."""
    mine = await _resign(desk, CARLA, 0, 1, 2, 3)
    done = await _leave(desk, CARLA, has_reason=True)
    assert (done["finished"], done["loses_all"], done["loses_prize"]) == (4, False, False)
    assert len(done["adjudications"]) == 2
    for case in done["adjudications"]:
        seen = await desk.see(TL, case["id"])
        assert (seen["kind"], seen["is_suspended"]) == ("adjudication", True)
        assert seen["hearing"]["until"] == "2026-01-26"
        assert seen["games"][0]["id"] in mine[4:]
        told = [" ".join(one.said.split()) for one in desk.world.letters(CARLA)]
        (told,) = [one for one in told if f"Sag: {seen['number']}" in one]
        assert "er stillet i bero. Tiden står stille" in told and "26. januar 2026" in told
    case = done["adjudications"][0]["id"]
    game = (await desk.see(TL, case))["games"][0]["id"]
    await desk.hear(TL, case)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    order = {"paragraphs": ["6.2.7"], "reasons": "Stillingen er lige."}
    await desk.decide(TL, case, **order, games=[{"game": game, "effect": drawn}])
    assert (await desk.world.row(game)).result == Result.DRAW
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_the_unfinished_games_are_put_before_the_leader_with_the_ruling_or_not_at_all(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """§ 6.2.8: one transaction; when a case can't be opened, nothing is decided."""
    await _resign(desk, CARLA, 0, 1, 2, 3)
    row = await desk.world.row()
    path = f"/groups/{row.group_id}/withdrawals"
    case = (await desk.call(CARLA, "POST", path, {"text": "Jeg stopper."}))["id"]
    await desk.hear(TL, case)
    known, asked = case_actions.open_in, []

    def second_fails(*args: object, **more: object) -> object:
        asked.append(args)
        return CaseRefusal(CaseReason.IMPOSSIBLE) if len(asked) == 2 else known(*args, **more)

    body = {"has_reason": True, "reasons": "Udtrådt.", "text": "Brevet, som det blev rettet."}
    with monkeypatch.context() as patched:
        patched.setattr(case_actions, "open_in", second_fails)
        status, problem = await desk.ask(TL, "POST", f"/cases/{case}/withdrawal", body)
    assert (status, problem["type"]) == (409, "/problems/case-impossible")
    seen = await desk.see(TL, case)
    assert (seen["stage"], len(asked)) == ("heard", 2)
    listed = await desk.call(TL, "GET", "/cases?desk=1")
    assert [one["id"] for one in listed["cases"]] == [case], "no case of a single game"
    done = await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)
    assert len(done["adjudications"]) == 2
    letters = " ".join(one.said for one in desk.world.letters(CARLA)[-8:])
    assert "Brevet, som det blev rettet." in " ".join(letters.split())
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_games_of_18_months_are_listed_and_called_in_once(desk: Desk) -> None:
    """§ 6.2.7: not a day before; each call-in is a case; a repeat opens none."""
    world = desk.world
    world.clock.go(date(2027, 7, 4))
    assert (await desk.call(TL, "GET", "/long-games"))["games"] == []
    world.clock.go(date(2027, 7, 5))
    listed = (await desk.call(TL, "GET", "/long-games"))["games"]
    assert {(row["since"], row["case"]) for row in listed} == {("2027-07-05", None)}
    assert len(listed) == 12
    wanted = {"games": [row["game"] for row in listed[:3]]}
    assert len((await desk.call(TL, "POST", "/long-games", wanted))["cases"]) == 3
    assert (await desk.call(TL, "POST", "/long-games", wanted))["cases"] == []
    again = (await desk.call(TL, "GET", "/long-games"))["games"]
    assert sum(row["case"] is not None for row in again) == 3


async def test_a_start_can_be_taken_back_before_the_first_move_only(desk: Desk) -> None:
    """The players are told; the same group may start again; after a move the start stands."""
    world = desk.world
    group = (await world.row()).group_id
    done = await desk.call(TL, "POST", f"/groups/{group}/annul", {"reason": "En for lidt."})
    assert done == {"group": "P-1"}
    assert (await desk.ask(ANNA, "GET", f"/games/{world.game}"))[0] == 404
    for reader in (ANNA, BO, CARLA, DAN):
        assert "taget tilbage" in " ".join(world.letters(reader)[-1].said.split())
    world.clock.wait(days=1)
    rows = await begin_group(world, "email", (ANNA, BO, CARLA, DAN))
    assert any("Velkommen" in one.said for one in world.letters(DAN)[-6:]), "a new start letter"
    white = await _email(desk, rows[0].white_id)
    await desk.call(white, "POST", f"/games/{rows[0].id}/moves", {"text": "e4"})
    path = f"/groups/{rows[0].group_id}/annul"
    assert (await desk.ask(TL, "POST", path, {"reason": "Fejl."}))[0] == 409
    await world.assert_whole(also=(CARLA, DAN))
