"""A group's table from real cases: who left, what was adjudicated, what time decided (§ 6.2.8)."""

from collections import Counter
from datetime import date
from pathlib import Path

from kskak.groups.crosstables import GameTermination
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.usecases.groups.group_tables import TableView, read_final_standing, table_in
from tests.fakes.cases import late, only_case
from tests.fakes.desk import CARLA, DAN, Desk, desk_of, desk_scene
from tests.fakes.world import ANNA, BO, TL, World, world_of

START = date(2026, 1, 5)


desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four: each has six games."""


async def table(world: World, name: str = "P-1") -> TableView:
    async with world.core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        assert group is not None
        return await table_in(conn, group)


def marks(view: TableView, name: str) -> Counter[GameTermination | None]:
    """How the finished games of a player came about."""
    line = next(one for one in view.table.lines if one.player.name == name)
    met = [one for cell in line.cells.values() for one in cell]
    return Counter(one.how for one in met if one.points is not None)


async def resign(desk: Desk, who: str, games: list[int]) -> None:
    for game in games:
        await desk.call(who, "POST", f"/games/{game}/resign")


async def games_of(desk: Desk, who: str) -> list[int]:
    listed = await desk.call(who, "GET", "/games")
    return sorted(game["id"] for game in listed["games"])


async def leave(desk: Desk, who: str, *, has_reason: bool) -> dict:
    row = await desk.world.row()
    path = f"/groups/{row.group_id}/withdrawals"
    case = (await desk.call(who, "POST", path, {"text": "Jeg stopper."}))["id"]
    await desk.hear(TL, case)
    body = {"has_reason": has_reason, "reasons": "Udtrådt."}
    return await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)


async def test_who_left_with_half_of_his_games_has_lost_them_all_and_is_marked(desk: Desk) -> None:
    """§ 6.2.8: three of six; also in the rows of those who won so, and the prize is lost."""
    mine = await games_of(desk, CARLA)
    await resign(desk, CARLA, mine[:3])
    await leave(desk, CARLA, has_reason=False)
    view = await table(desk.world)
    left = [line.player.name for line in view.table.lines if line.player.has_left]
    assert left == ["Carla Dahl"]
    assert marks(view, "Carla Dahl") == Counter({None: 3, GameTermination.WITHDRAWN: 3})
    others = sum((marks(view, name) for name in ("Anna Ager", "Bo Berg", "Dan Ege")), Counter())
    assert others[GameTermination.WITHDRAWN] == 3
    line = next(one for one in view.table.lines if one.player.has_left)
    assert (line.points, line.games, line.unfinished) == (0, 6, 0)


async def test_what_the_leader_adjudicates_is_marked_and_counts(desk: Desk) -> None:
    """§ 6.2.7, § 6.2.8: four of six finished; one of the others is drawn by the leader."""
    mine = await games_of(desk, CARLA)
    await resign(desk, CARLA, mine[:4])
    done = await leave(desk, CARLA, has_reason=True)
    assert marks(await table(desk.world), "Carla Dahl") == Counter({None: 4})
    case = done["adjudications"][0]["id"]
    game = (await desk.see(TL, case))["games"][0]["id"]
    await desk.hear(TL, case)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    order = {"paragraphs": ["6.2.7"], "reasons": "Stillingen er lige."}
    await desk.decide(TL, case, **order, games=[{"game": game, "effect": drawn}])
    view = await table(desk.world)
    assert marks(view, "Carla Dahl") == Counter({None: 4, GameTermination.ADJUDICATED: 1})
    line = next(one for one in view.table.lines if one.player.name == "Carla Dahl")
    assert (line.points * 2, line.games, line.unfinished) == (1, 5, 1)


async def test_who_left_without_reason_gets_no_prize_and_the_others_share_theirs(desk):
    """§ 6.2.8, § 6.5.4.1: nothing of a finished group's money goes to him."""
    mine = await games_of(desk, CARLA)
    await resign(desk, CARLA, mine[:1])
    await leave(desk, CARLA, has_reason=False)
    for who in (ANNA, BO, DAN):
        listed = await desk.call(who, "GET", "/games")
        running = [game["id"] for game in listed["games"] if game["result"] == "*"]
        await resign(desk, who, running)
    async with desk.world.core.store.write() as conn:
        group = await group_rows.by_name(conn, "P-1")
        assert group is not None
        await result_rows.set_prizes(conn, group.id, (40000, 30000, 20000, 10000))
    async with desk.world.core.store.read() as conn:
        standing = await read_final_standing(conn, group, await table_in(conn, group))
    assert standing is not None
    carla = next(
        line.player.number for line in standing.table.lines if line.player.name == "Carla Dahl"
    )
    assert standing.lost_prize == (carla,)
    assert carla not in dict(standing.prizes)
    assert sum(money for _, money in standing.prizes) == 90000


async def test_a_claimed_overstep_is_marked_in_both_rows(database_url: str, tmp_path: Path) -> None:
    """§ 6.3.3.3; until the claim is upheld the game is open (§ 6.4.1)."""
    async with world_of(database_url, str(tmp_path)) as world:
        await world.begin()
        async with desk_of(world) as desk:
            await desk.call(ANNA, "POST", f"/games/{world.game}/moves", {"text": "e4"})
            await late(world)
            assert marks(await table(world, "K-26-01"), "Bo Berg") == Counter()
            await desk.call(ANNA, "POST", f"/games/{world.game}/claim")
            assert marks(await table(world, "K-26-01"), "Bo Berg") == Counter()
            case = await only_case(world)
            await desk.hear(TL, case)
            await desk.decide(TL, case, paragraphs=["6.3.3.3"], reasons="Tiden er overskredet.")
            view = await table(world, "K-26-01")
            assert (
                marks(view, "Bo Berg")
                == marks(view, "Anna Ager")
                == Counter({GameTermination.TIME: 1})
            )
