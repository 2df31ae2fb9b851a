"""GET /groups: public tables, and PGN by the rule of who sees what (CONTRACTS)."""

import re

import pytest
from sqlalchemy import select

from server.api.groups import GroupList, GroupTable
from server.store.tables.base import outbox
from server.store.tables.tournaments import live_groups
from tests.server.api.conftest import World

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


async def test_an_unknown_group_is_not_found(world):
    for path in ("/api/v1/groups/99", "/api/v1/groups/99/pgn", "/api/v1/groups/99999999999999999"):
        assert (await world.get(None, path)).status == 404, path


# Who sees what of a game by API: every role, with and without the tournament's setting, while it
# runs and when it is over; and who may change the setting.


INSIDE = ("white", "black", "tl", "kc")
ALL = "/api/v1/games?all=1"
LOOKS = ("", "/ledger", "/clock", "/clock?on=2026-09-03", "/pgn")


async def group_id(world: World) -> int:
    return (await world.row()).group_id


async def follow(world: World, live: bool, who: str = "tl") -> int:
    path = f"/api/v1/groups/{await group_id(world)}/live"
    return (await world.post(who, path, {"live": live})).status


async def listed(world: World, who: str) -> bool:
    body = await (await world.get(who, ALL)).json()
    return world.game in [game["id"] for game in body["games"]]


async def in_pgn(world: World, who: str | None) -> bool:
    answer = await world.get(who, f"/api/v1/groups/{await group_id(world)}/pgn")
    assert answer.status == 200
    return "1. e4" in await answer.text()


async def begun(world: World, *, ended: bool) -> None:
    """White has moved with a series and a draw offer; ``ended``: and then resigned."""
    body = {"text": "1. 5254 05755 2. 7163 2836 3. 6125", "draw_offer": True}
    answer = await world.post("white", world.path("/moves"), body)
    assert answer.status == 200, await answer.text()
    if ended:
        assert (await world.post("white", world.path("/resign"))).status == 200


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("ended", [False, True])
async def test_the_table_of_sight(world: World, live: bool, ended: bool) -> None:
    await begun(world, ended=ended)
    if live:
        assert await follow(world, True) == 200
    everybody = live or ended
    for who in (*INSIDE, "stranger"):
        sees = everybody or who in INSIDE
        for look in LOOKS:
            status = (await world.get(who, world.path(look))).status
            assert status == (200 if sees else 404), (who, look)
        assert await listed(world, who) == sees, who
        assert await in_pgn(world, who) == sees, who
    assert await in_pgn(world, None) == everybody
    for look in LOOKS:
        assert (await world.get(None, world.path(look))).status == 401, "the API knows its callers"


SECRETS = ("proposes", "5755", "7163", "2836", "6125")
"""The name of a series in a ledger, and this one's moves."""


def _has(text: str, secret: str) -> bool:
    """Whether a text has it as a word: four digits may stand in a digest too."""
    return re.search(rf"\b{secret}\b", text) is not None


async def test_an_onlooker_is_told_no_series_and_no_draw_offer_and_the_players_are(world):
    await begun(world, ended=False)
    await follow(world, True)
    for who in INSIDE:
        game = await (await world.get(who, world.path())).json()
        assert len(game["proposal"]) == 4 and game["draw_offer"] == "white", who
        ledger = await (await world.get(who, world.path("/ledger"))).text()
        assert [secret for secret in SECRETS if not _has(ledger, secret)] == [], who
    for look in LOOKS:
        text = await (await world.get("stranger", world.path(look))).text()
        assert [secret for secret in SECRETS if _has(text, secret)] == [], look
    game = await (await world.get("stranger", world.path())).json()
    assert (game["proposal"], game["draw_offer"], game["mine"]) == ([], None, None)
    assert [ply["san"] for ply in game["moves"]] == ["e4"]
    clock = await (await world.get("stranger", world.path("/clock"))).json()
    assert (clock["proposal"], clock["to_move"]) == ([], "black")
    # When it is over he is told what everybody may know of a finished game.
    await world.post("white", world.path("/resign"))
    assert "proposes" in await (await world.get("stranger", world.path("/ledger"))).text()


async def test_the_number_of_what_happened_tells_an_onlooker_of_no_draw_offer(world: World) -> None:
    await begun(world, ended=False)
    await follow(world, True)

    async def seen(who: str) -> tuple[int, str]:
        game = await (await world.get(who, world.path())).json()
        return game["seq"], (await world.get(who, world.path("/ledger"))).headers["ETag"]

    before = await seen("stranger"), await seen("tl")
    declined = await world.post("black", world.path("/draw"), {"action": "decline"})
    assert declined.status == 200, await declined.text()
    assert await seen("stranger") == before[0]
    assert (await seen("tl"))[0] == before[1][0] + 1


async def test_leave_that_has_not_begun_and_days_to_come_are_told_to_the_players_alone(world):
    await world.play("e4")
    leave = {"first": "2026-09-20", "last": "2026-09-27"}
    answer = await world.post(
        "black", "/api/v1/leave", {"from": leave["first"], "to": leave["last"]}
    )
    assert answer.status == 200, await answer.text()
    await follow(world, True)
    at = world.path("/clock?on=2026-09-25")
    assert "2026-09-20" in await (await world.get("tl", world.path("/ledger"))).text()
    assert "2026-09-20" in await (await world.get("tl", at)).text()
    assert "2026-09-20" not in await (await world.get("stranger", world.path("/ledger"))).text()
    assert "2026-09-20" not in await (await world.get("stranger", at)).text()
    world.clock.pass_days(20)
    assert "2026-09-20" in await (await world.get("stranger", world.path("/ledger"))).text()


async def test_who_follows_can_do_nothing_in_the_game(world: World) -> None:
    await begun(world, ended=False)
    before = (await world.row()).seq
    shut = {}
    for live in (False, True):
        await follow(world, live)
        for path, body in (
            ("/moves", {"text": "e5"}),
            ("/resign", None),
            ("/claim", None),
            ("/draw", {"action": "accept"}),
        ):
            status = (await world.post("stranger", world.path(path), body)).status
            assert status in (403, 404), (path, status)
            assert shut.setdefault(path, status) == status, "the setting opens no deed"
        objection = {"kind": "other", "game": world.game, "text": "?"}
        made = await world.post("stranger", "/api/v1/cases", objection)
        assert made.status in (403, 404, 422)
        assert (await world.get("stranger", world.path("/addresses"))).status == 404
    assert (await world.row()).seq == before


async def test_closed_again_it_is_closed_at_once_for_who_has_a_copy_too(world: World) -> None:
    await world.play("e4", "e5")
    await follow(world, True)
    tag = (await world.get("stranger", world.path("/pgn"))).headers["ETag"]
    again = {"If-None-Match": tag}
    assert (await world.get("stranger", world.path("/pgn"), **again)).status == 304
    assert (await world.get("white", world.path("/pgn"), **again)).status == 200, "another's copy"
    assert await follow(world, False) == 200
    assert (await world.get("stranger", world.path("/pgn"), **again)).status == 404
    assert not await in_pgn(world, None)


async def test_the_setting_is_the_leaders_and_the_controllers_and_leaves_a_trail(world):
    for who in ("white", "black", "stranger"):
        assert await follow(world, True, who) == 403, who
    answer = await world.post("tl", f"/api/v1/groups/{await group_id(world)}/live", {"live": True})
    assert await answer.json() == {"groups": ["K-26-01"], "live": True}
    assert await follow(world, True, "kc") == 200, "the same again changes nothing"
    world.clock.pass_days(1)
    assert await follow(world, False, "kc") == 200
    assert (await world.post("tl", "/api/v1/groups/99/live", {"live": True})).status == 422
    async with world.core.store.read() as conn:
        (row,) = (await conn.execute(select(live_groups))).all()
    ids = {who: world.people[who].id for who in ("tl", "kc")}
    assert (row.from_by, row.until_by) == (ids["tl"], ids["kc"])
    assert row.until_us - row.from_us == 24 * 60 * 60 * 1_000_000


async def test_the_lists_of_groups_say_it(world: World) -> None:
    async def said() -> list[bool]:
        number = await group_id(world)
        group = await (await world.get(None, f"/api/v1/groups/{number}")).json()
        found = await (await world.get(None, "/api/v1/groups")).json()
        return [group["live"], *(one["live"] for one in found["groups"] if one["id"] == number)]

    assert await said() == [False, False]
    await follow(world, True)
    assert await said() == [True, True]


async def test_nobody_is_written_to_about_it(world: World) -> None:
    async def letters() -> int:
        async with world.core.store.read() as conn:
            return len((await conn.execute(select(outbox.c.id))).all())

    before = await letters()
    await follow(world, True)
    assert await letters() == before


async def test_a_friendly_game_is_challenged_to_accepted_and_played_by_the_api(world):
    """The page's deeds (tests/server/web/play/test_friends.py) by the API."""
    path = "/api/v1/challenges"
    assert (await world.get(None, path)).status == 401
    black = (await world.person("black@example.org")).id
    asked = {"to": black, "colour": "white", "word": "Revanche?"}
    made = await (await world.post("white", path, asked)).json()
    assert (made["to"], made["colour"], made["rules"]) == (black, "white", "email")
    listed = await (await world.get("black", path)).json()
    assert [one["id"] for one in listed["to_me"]] == [made["id"]] and listed["mine"] == []
    for who, status in (("white", 403), ("stranger", 403)):
        assert (await world.post(who, f"{path}/{made['id']}/accept", {})).status == status
    assert (await world.post("black", f"{path}/99/accept", {})).status == 404
    begun = await world.post("black", f"{path}/{made['id']}/accept", {})
    game = (await begun.json())["game"]
    sent = await world.post("white", f"/api/v1/games/{game}/moves", {"text": "e4", "ply": 0})
    assert sent.status in (200, 201), await sent.text()
    gone = await world.post("black", f"{path}/{made['id']}/refusal", {})
    assert gone.status == 409 and (await gone.json())["code"] == "gone"
    wrong = await world.post("white", path, {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"})
    assert wrong.status == 409 and (await wrong.json())["code"] == "position"
    own = await (await world.post("white", path, {})).json()
    assert (await world.post("white", f"{path}/{own['id']}/refusal", {})).status == 200
    assert (await (await world.get("white", path)).json())["mine"] == []
