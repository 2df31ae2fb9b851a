"""The GETs: what they show, to whom, and that nothing new is not sent again."""

import json
from random import Random

import pytest
from sqlalchemy import update

from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.statement.account import account
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.play import games as game_rows
from server.store.tables.base import games
from server.usecases.groups.group_file import read_group_file
from server.usecases.play.game_views import may_see, sight_of
from server.usecases.rights import Rights
from server.usecases.starts.start_group import start_group
from tests.fakes.many import statements
from tests.server.api.conftest import GROUP, World

RESTS = ["", "/ledger", "/clock", "/pgn"]


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("who", ["white", "black", "tl", "kc"])
async def test_a_running_game_is_seen_by_its_players_and_officials(world, who, rest):
    assert (await world.get(who, world.path(rest))).status == 200


@pytest.mark.parametrize("rest", RESTS)
async def test_a_running_game_is_not_there_for_a_stranger(world, rest):
    answer = await world.get("stranger", world.path(rest))
    missing = await world.get("stranger", f"/api/v1/games/1{rest}")
    assert answer.status == missing.status == 404
    assert await answer.read() == await missing.read(), "no telling one from the other"


@pytest.mark.parametrize("rest", RESTS)
async def test_a_finished_game_is_seen_by_all_who_are_signed_in(world, rest):
    await world.post("white", world.path("/resign"))
    assert (await world.get("stranger", world.path(rest))).status == 200


async def test_another_groups_leader_is_a_stranger(world):
    await world.admit("other", "tl")
    assert (await world.get("other", world.path())).status == 404


async def test_my_games_are_mine_alone_and_all_is_what_i_may_see(world):
    async def listed(who: str, query: str = "") -> list[int]:
        answer = await (await world.get(who, f"/api/v1/games{query}")).json()
        return [game["id"] for game in answer["games"]]

    assert await listed("white") == await listed("black") == [world.game]
    assert await listed("tl") == []
    assert await listed("tl", "?all=1") == [world.game]
    assert await listed("stranger", "?all=1") == []
    await world.post("white", world.path("/resign"))
    assert await listed("stranger", "?all=1") == [world.game]


async def test_the_list_tells_what_is_urgent(world):
    await world.play("e4")
    world.clock.pass_days(11)
    (game,) = (await (await world.get("black", "/api/v1/games")).json())["games"]
    assert (game["mine"], game["to_move"], game["ply"]) == ("black", "black", 1)
    assert game["days_left"] == 30
    assert game["flag_on"] == "2026-10-13"


async def test_the_ledger_reads_back_to_the_account_that_the_clock_shows(world):
    await world.play("e4")
    world.clock.pass_days(5)
    await world.play("e5", "Nf3")
    text = await (await world.get("tl", world.path("/ledger"))).text()
    read = read_ledger(json.loads(text))
    shown = await (await world.get("tl", world.path("/clock"))).json()
    assert shown == json.loads(json.dumps(clock_json(account(read.terms, read.events))))
    assert shown["totals"] == {"white": 0, "black": 4}


async def test_the_clock_shows_the_running_days_of_a_day_asked_for(world):
    await world.play("e4")
    without = await (await world.get("white", world.path("/clock"))).json()
    on = await (await world.get("white", world.path("/clock?on=2026-09-12"))).json()
    late = await (await world.get("white", world.path("/clock?on=2026-12-12"))).json()
    assert "days" not in without["running"]
    assert (on["running"]["days"], on["overstep"]) == (10, None)
    assert late["overstep"]["finding"] == "open"


@pytest.mark.parametrize("on", ["", "x", "2026-13-01", "20260912", "2026-W37-1"])
async def test_a_day_that_is_no_day_is_refused(world, on):
    answer = await world.get("white", world.path(f"/clock?on={on}"))
    body = await answer.json()
    assert (answer.status, body["errors"][0]["pointer"]) == (422, "on")


async def test_a_game_shows_its_moves_and_todays_running_account(world):
    await world.play("e4")
    world.clock.pass_days(3)
    body = await (await world.get("black", world.path())).json()
    assert [move["san"] for move in body["moves"]] == ["e4"]
    assert (body["mine"], body["running"]["days"], body["group"]) == ("black", 2, "K-26-01")


async def test_pgn_holds_the_moves_and_players(world):
    await world.play("e4", "c5")
    answer = await world.get("tl", world.path("/pgn"))
    text = await answer.text()
    assert answer.content_type == "application/vnd.chess-pgn"
    assert "1. e4 c5 *" in text
    assert '[Event "K-skak-EMT 2026"]' in text


@pytest.mark.parametrize("rest", RESTS[1:])
async def test_what_has_not_changed_is_not_sent_again(world, rest):
    await world.play("e4")
    first = await world.get("white", world.path(rest))
    tag = first.headers["ETag"]
    again = await world.get("white", world.path(rest), **{"If-None-Match": f'"x", W/{tag}'})
    assert (again.status, await again.read()) == (304, b"")
    await world.play("e5")
    fresh = await world.get("white", world.path(rest), **{"If-None-Match": tag})
    assert fresh.status == 200
    assert fresh.headers["ETag"] != tag


async def test_nothing_of_contact_data_is_told(world):
    for rest in RESTS:
        assert "@" not in await (await world.get("white", world.path(rest))).text()
    assert "@" not in await (await world.get("tl", "/api/v1/games?all=1")).text()


# Special leave is told to players and officials; strangers see leave (§ 6.3.6.4, § 6.8.8).


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


@pytest.mark.parametrize("rest", PLACES)
async def test_strangers_read_of_leave_and_not_of_which_type(ended: World, rest: str) -> None:
    told = await _asked(ended, "stranger", rest)
    assert "special" not in told and "6.3.6.4" not in told
    spans = [span for one in json.loads(told).get("moves", ()) for span in one["exempt"]]
    days = [(span["from"], span["reason"], span["paragraph"]) for span in spans]
    leave = [(one["from"], "leave", "6.3.6") for one in (DAYS, ORDINARY)]
    assert days == ([] if rest == "/ledger" else leave)


@pytest.mark.parametrize("who", ["white", "black", "tl", "kc"])
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


async def test_who_follows_a_running_game_reads_of_leave_and_not_of_which_type(
    world: World,
) -> None:
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


# GET /games?all=1 by pages: everything that one may see, once, at a price that does not grow.


ALL = "/api/v1/games?all=1"


async def more_groups(world: World, count: int, first: int = 2) -> None:
    for number in range(first, first + count):
        text = GROUP.replace("K-26-01", f"K-26-{number:02}")
        await start_group(world.core, read_group_file(text))


async def pages(world: World, who: str, path: str) -> list[list[int]]:
    """The ids of each page, as the next links lead."""
    found = []
    while path:
        answer = await world.get(who, path)
        assert answer.status == 200, await answer.text()
        body = await answer.json()
        found.append([game["id"] for game in body["games"]])
        link = answer.headers.get("Link")
        assert link == (None if body["next"] is None else f'<{body["next"]}>; rel="next"')
        path = body["next"]
    return found


async def test_the_next_links_lead_through_every_game_once(world: World) -> None:
    await more_groups(world, 6)
    found = await pages(world, "tl", f"{ALL}&limit=3")
    assert [len(page) for page in found] == [3, 3, 1]
    everything = [game for page in found for game in page]
    assert everything == sorted(set(everything))
    assert world.game in everything
    assert await pages(world, "tl", ALL) == [everything], "a page holds a hundred if not told"
    assert await pages(world, "tl", f"{ALL}&limit=7") == [everything], "no empty page behind"
    assert await pages(world, "stranger", f"{ALL}&limit=3") == [[]]


async def test_pages_are_full_whatever_lies_between_that_one_may_not_see(world: World) -> None:
    await more_groups(world, 6)
    everything = (await pages(world, "tl", ALL))[0]
    async with world.core.store.write() as conn:
        ended = [everything[0], everything[3], everything[5]]
        await conn.execute(update(games).where(games.c.id.in_(ended)).values(result="1-0"))
    assert await pages(world, "stranger", f"{ALL}&limit=2") == [ended[:2], ended[2:]]


async def test_a_page_asks_no_more_of_the_database_when_there_are_more_games(world: World) -> None:
    async def asked() -> int:
        with statements() as seen:
            assert (await world.get("kc", ALL)).status == 200
        return len(seen)

    await asked()  # the first time something is opened, too
    before = await asked()
    await more_groups(world, 5)
    assert await asked() == before > 0


def some_rights(random: Random, person: int, group_ids: list[int], game_ids: list[int]) -> Rights:
    """Any mixture of offices and seats, sensible or not."""

    def some(ids: list[int]) -> frozenset[int]:
        return frozenset(one for one in ids if random.random() < 0.3)

    flags = ("is_kc", "is_board", "is_admin", "leads_all")
    held = {flag: random.random() < 0.15 for flag in flags}
    return Rights(
        person, **held, led=some(group_ids), captain=some(group_ids), plays=some(group_ids),
        judges=some(game_ids), team_games=some(game_ids),
    )  # fmt: skip


async def test_the_page_shows_exactly_what_each_game_would(world: World) -> None:
    """One rule in two languages: any rights, any game, the same answer."""
    await more_groups(world, 8)
    async with world.core.store.read() as conn:
        everything = [row async for row in game_rows.all_rows(conn)]
    group_ids, game_ids = [g.group_id for g in everything], [g.id for g in everything]
    async with world.core.store.write() as conn:
        await conn.execute(update(games).where(games.c.id.in_(game_ids[::4])).values(result="1-0"))
        await conn.run_sync(group_rows.begin, group_ids[::5], 0, None)
        await conn.run_sync(group_rows.begin, group_ids[1:2], 0, None)
        await conn.run_sync(group_rows.end, group_ids[1:2], 1, world.people["tl"].id)
    random = Random(57)
    people = [world.people["white"].id, world.people["stranger"].id]
    async with world.core.store.read() as conn:
        everything = [row async for row in game_rows.all_rows(conn)]
        live = await group_rows.find_public_groups(conn, group_ids)
        assert live == set(group_ids[::5])
        for _ in range(200):
            held = some_rights(random, random.choice(people), group_ids, game_ids)
            shown = await result_rows.page(conn, sight_of(held), 0, 500)
            assert [g.id for g in shown] == [g.id for g in everything if may_see(held, g, live)], (
                held
            )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("all=1&limit=0", "limit"),
        ("all=1&limit=501", "limit"),
        ("all=1&limit=x", "limit"),
        ("all=1&after=-1", "after"),
        ("all=1&after=99999999999999999999", "after"),
        ("limit=5", "limit"),
        ("after=5", "after"),
    ],
)
async def test_what_is_no_page_is_refused_by_name(world: World, query: str, field: str) -> None:
    answer = await world.get("white", f"/api/v1/games?{query}")
    body = await answer.json()
    assert (answer.status, body["errors"][0]["pointer"]) == (422, field)
