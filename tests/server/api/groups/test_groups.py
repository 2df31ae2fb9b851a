"""GET /groups: public tables, and PGN by the rule of who sees what (CONTRACTS)."""

from server.api.groups import GroupList, GroupTable

MATE = ("f3", "e5", "g4", "Dh4")


async def _table(world) -> GroupTable:
    (group,) = GroupList.model_validate(
        await (await world.get(None, "/api/v1/groups")).json()
    ).groups
    answer = await world.get(None, f"/api/v1/groups/{group.id}")
    assert answer.status == 200
    return GroupTable.model_validate(await answer.json())


async def test_anybody_reads_the_table_as_it_stands(world):
    """§ 6.4.5.1: a running game is open; nobody's address is told."""
    found = await _table(world)
    assert (found.name, found.rules.value, found.finished) == ("K-26-01", "emt", False)
    assert [row.name for row in found.rows] == ["H. Vid", "S. Ort"]
    (one,) = found.rows[0].results
    assert (one.game, one.opponent, one.side.value, one.points) == (world.game, 2, "white", None)
    assert (found.rights, found.titles, found.prizes) == ([], [], [])
    raw = await (await world.get(None, "/api/v1/groups/1")).text()
    assert "example.org" not in raw


async def test_a_finished_group_tells_what_it_comes_to(world):
    """§ 6.5.3.2, § 6.5.3.3: the first in a K group may go up; who has no point goes down."""
    await world.play(*MATE)
    found = await _table(world)
    assert found.finished
    assert [(row.place, row.name, row.points) for row in found.rows] == [
        (1, "S. Ort", 1.0),
        (2, "H. Vid", 0.0),
    ]
    assert [(right.number, right.opens.value, right.paragraph) for right in found.rights] == [
        (2, "M", "6.5.3.2"),
        (1, "Å", "6.5.3.3"),
    ]


async def test_pgn_shows_running_games_to_who_may_see_them_alone(world):
    """CONTRACTS, who sees what: players, their leader and the KC; after the end everybody."""
    path = "/api/v1/groups/1/pgn"
    await world.play("e4")
    for who, has in {None: False, "stranger": False, "white": True, "tl": True, "kc": True}.items():
        answer = await world.get(who, path)
        assert answer.status == 200 and answer.content_type == "application/vnd.chess-pgn"
        assert ("1. e4" in await answer.text()) is has, who
    assert (await world.client.get(path, headers={"Authorization": "Bearer x"})).status == 401
    await world.post("black", world.path("/resign"))
    assert "1. e4" in await (await world.get(None, path)).text()


async def test_an_unknown_group_is_not_found(world):
    for path in ("/api/v1/groups/99", "/api/v1/groups/99/pgn", "/api/v1/groups/99999999999999999"):
        assert (await world.get(None, path)).status == 404, path
