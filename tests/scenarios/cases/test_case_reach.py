"""A case takes further games in, and a decision annuls that of an earlier case (§ 6.4.1-6.4.3)."""

import pytest

from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from tests.fakes.desk import CARLA, Desk, desk_scene
from tests.fakes.world import ANNA, BO, TL

REASONED = {"paragraphs": ["6.4.1"], "reasons": "Fordi."}


desk = desk_scene(ANNA, BO, CARLA)
"""A group of three: Anna, Bo and Carla play two games with each other."""


async def games_of(desk: Desk, who: str, other: str) -> list[int]:
    """The games of two players."""
    mine, theirs = [
        {game["id"] for game in (await desk.call(p, "GET", "/games"))["games"] if game["mine"]}
        for p in (who, other)
    ]
    return sorted(mine & theirs)


async def opened(desk: Desk, game: int, who: str = ANNA) -> int:
    body = {"game": game, "kind": "days", "text": "Talt forkert."}
    return (await desk.call(who, "POST", "/cases", body))["id"]


def lost(game: int) -> dict:
    return {"game": game, "effect": {"kind": "result", "result": "1-0", "on": "2026-01-05"}}


async def test_a_further_game_is_taken_in_told_of_and_ruled_on(desk: Desk) -> None:
    """§ 6.4.1: its players are parties, its account is evidence, its page shows the case."""
    (first, *_), (with_carla, *_) = [await games_of(desk, ANNA, o) for o in (BO, CARLA)]
    case = await opened(desk, first)
    assert (await desk.ask(CARLA, "GET", f"/cases/{case}"))[0] == 404
    await desk.call(TL, "POST", f"/cases/{case}/widen", {"games": [with_carla]})
    seen = await desk.see(CARLA, case)
    assert [game["id"] for game in seen["games"]] == [first, with_carla]
    assert await desk.id_of(CARLA) in seen["parties"]
    assert sum(paper["title"].startswith("@account") for paper in seen["papers"]) == 2
    assert "omfatter nu flere partier" in " ".join(desk.world.letters(CARLA)[-1].said.split())
    again = await desk.call(TL, "POST", f"/cases/{case}/widen", {"games": [with_carla]})
    assert (await desk.see(TL, case))["history"][-1] == seen["history"][-1], again
    await desk.hear(TL, case)
    await desk.decide(TL, case, **REASONED, games=[lost(first), lost(with_carla)])
    for game in (first, with_carla):
        assert (await desk.world.row(game)).result == Result.WHITE_WINS
    await desk.world.assert_whole(also=(CARLA,))


async def test_what_is_not_of_the_group_is_not_taken_in(desk: Desk) -> None:
    first, _ = await games_of(desk, ANNA, BO)
    case = await opened(desk, first)
    kc = await desk.id_of("kc@example.org")
    for body in ({"games": [999_999]}, {"parties": [kc]}, {}):
        status, _ = await desk.ask(TL, "POST", f"/cases/{case}/widen", body)
        assert status == 422, body


@pytest.mark.both_engines
async def test_a_decision_annuls_that_of_an_earlier_case_in_both_cases_and_the_game(desk):
    """§ 6.4.3: as if it had never been; both histories say so, all concerned are told."""
    game, _ = await games_of(desk, ANNA, BO)
    before = (await desk.see(TL, await opened(desk, game)))["games"][0]["clock"]
    earlier = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"][0]["id"]
    await desk.hear(TL, earlier)
    bo = await desk.id_of(BO)
    warned = [{"person": bo, "kind": "warning"}]
    await desk.decide(TL, earlier, **REASONED, games=[lost(game)], sanctions=warned)
    assert (await desk.world.row(game)).result == Result.WHITE_WINS
    later = await opened(desk, game, BO)
    await desk.hear(TL, later)
    decided = await desk.decide(TL, later, **REASONED, annuls=["2026/1/1"])
    assert (await desk.world.row(game)).result is None
    assert decided["games"][0]["clock"] == before
    seen = await desk.see(TL, earlier)
    assert [row["is_annulled"] for row in seen["decisions"]] == [True]
    assert seen["history"][-1]["event"]["of"] == {
        "by": "2026/2/1", "on": desk.world.clock.today.isoformat(), "ref": "2026/1/1",
    }  # fmt: skip
    assert "Afgørelsen 2026/1/1" in " ".join(desk.world.letters(ANNA)[-1].said.split())
    async with desk.world.core.store.read() as conn:
        (warning,) = await publication_rows.list_person_sanctions(conn, bo)
        known = await case_rows.by_number(conn, "2026/1")
    assert known is not None and known.id == earlier
    assert warning.annulled_us is not None
    status, _ = await desk.ask(
        TL, "POST", f"/cases/{later}/decisions", REASONED | {"annuls": ["2026/1/1", "2026/2/1"]}
    )
    assert status == 200, "named once more, as a later instance may"
    await desk.world.pump()
    assert (await desk.world.row(game)).result is None
    await desk.world.assert_whole(also=(CARLA,))


async def test_an_appeal_lets_the_earlier_cases_decision_stand_again(desk: Desk) -> None:
    """§ 6.4.3: the controller restores what the leader annulled."""
    game, _ = await games_of(desk, ANNA, BO)
    earlier = await opened(desk, game)
    await desk.hear(TL, earlier)
    await desk.decide(TL, earlier, **REASONED, games=[lost(game)])
    later = await opened(desk, game, BO)
    await desk.hear(TL, later)
    await desk.decide(TL, later, **REASONED, annuls=["2026/1/1"])
    await desk.appeal(ANNA, later)
    order = REASONED | {"annuls": ["2026/2/1"], "restores": ["2026/1/1"]}
    await desk.decide("kc@example.org", later, **order)
    assert (await desk.world.row(game)).result == Result.WHITE_WINS
    await desk.world.assert_whole(also=(CARLA,))


@pytest.mark.parametrize("ref", ["2026/9/1", "2026/1/9", "x", "2026/1", "2026/2/1"])
async def test_what_is_no_standing_decision_of_the_group_is_not_annulled(desk, ref):
    """Nor that of a case about other games."""
    (first, _), (other, _) = [await games_of(desk, ANNA, one) for one in (BO, CARLA)]
    for game in (first, other):
        case = await opened(desk, game)
        await desk.hear(TL, case)
        await desk.decide(TL, case, **REASONED, games=[lost(game)])
    later = await opened(desk, first, BO)
    await desk.hear(TL, later)
    body = REASONED | {"annuls": [ref]}
    status, problem = await desk.ask(TL, "POST", f"/cases/{later}/decisions", body)
    wanted = "/problems/case-other-game" if ref == "2026/2/1" else "/problems/case-unknown-decision"
    assert (status, problem["type"]) == (422, wanted)
    assert (await desk.see(TL, later))["stage"] == "heard"
