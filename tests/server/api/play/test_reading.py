"""The GETs: what they show, to whom, and that nothing new is not sent again."""

import json

import pytest

from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.statement.account import account
from server.store.members import RatingRow
from server.store.register import put_ratings
from server.usecases.play import private_side
from server.usecases.play.game_views import game_view
from tests.fakes.machinery.each import each

RESTS = ["", "/ledger", "/clock", "/pgn"]


@each("rest", RESTS)
async def test_a_running_game_is_not_there_for_a_stranger(world, rest):
    answer = await world.get("stranger", world.path(rest))
    missing = await world.get("stranger", f"/api/v1/games/1{rest}")
    assert answer.status == missing.status == 404
    assert await answer.read() == await missing.read(), "no telling one from the other"


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


@each("on", ["", "x", "2026-13-01", "20260912", "2026-W37-1"])
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


async def test_pgn_holds_the_ratings_of_the_day_the_game_began(world):
    """A K-rating before one over the board; what is entered or made later changes nothing."""
    row = await world.row()
    told = [
        (row.white_id, "k", "2026-08-01", 1900), (row.white_id, "k", "2026-09-02", 2000),
        (row.white_id, "otb", "2026-08-31", 1700), (row.black_id, "otb", "2026-09-01", 1650),
    ]  # fmt: skip
    async with world.core.store.write() as conn:
        await put_ratings(conn, [RatingRow(*one, False, "x") for one in told], 0, None)
    path = world.path("/pgn")
    answer = await world.get("tl", path)
    text = await answer.text()
    assert '[WhiteElo "1900"]\n[BlackElo "1650"]\n' in text
    for at in (path, f"/game/export/{row.id}", f"/api/v1/groups/{row.group_id}/pgn"):
        assert "Elo" in await (await world.get("tl", at)).text(), at


async def test_pgn_holds_the_moves_and_players(world):
    await world.play("e4", "c5")
    answer = await world.get("tl", world.path("/pgn"))
    text = await answer.text()
    assert answer.content_type == "application/vnd.chess-pgn"
    assert "1. e4 {[%ccsnt 2026.09.01]} 1... c5 {[%ccsnt 2026.09.01]} *" in text
    assert '[Event "K-skak-EMT 2026, K-26-01"]' in text


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


async def test_messages_notes_and_leave_are_read_by_their_player_alone(world):
    core, (white, black) = world.core, (world.people["white"], world.people["black"])
    await world.move("white", "5254", message="Goddag")
    row = await world.row()
    assert await private_side.write(core, row, black.id, "Tak, og i lige måde", "k1") is None
    assert await private_side.save_note(core, world.game, white.id, "Husk c4", 0) is None
    view = await game_view(core, world.game)
    tree = ("1. e4 (1. d4 d5) *", 0)
    await private_side.save_tree(core, (world.game, view.account), white.id, tree, "da")
    await world.post("white", "/api/v1/leave", {"from": "2026-10-01", "to": "2026-10-07"})

    async def read(who: str, path: str) -> dict:
        answer = await world.get(who, path)
        return await answer.json() if answer.status == 200 else answer.status

    for who, is_new in (("white", [False, True]), ("black", [False, False])):
        said = (await read(who, world.path("/messages")))["messages"]
        assert [one["text"] for one in said] == ["Goddag", "Tak, og i lige måde"]
        assert [one["ply"] for one in said] == [1, 0]
        assert [one["new"] for one in said] == is_new
    own, other = [await read(who, world.path("/notes")) for who in ("white", "black")]
    assert own["note"] == "Husk c4" and "d4 d5" in own["analysis"].replace("1...", "")
    assert "Husk" not in json.dumps(other) and "d5" not in other["analysis"]
    for who in ("tl", "kc", "stranger"):
        assert await read(who, world.path("/messages")) == 404
        assert await read(who, world.path("/notes")) == 404
    left, empty = await read("white", "/api/v1/leave"), await read("stranger", "/api/v1/leave")
    assert (left["booked"][0]["first"], left["booked"][0]["last"]) == ("2026-10-01", "2026-10-07")
    [quota] = left["left"]
    assert (quota["tournament"], quota["personal"]) == ("K-skak-EMT 2026", 28)
    assert {one["whose"] for one in left["stands"]} == {"own", "all"}
    assert empty["left"] == empty["booked"] == []


async def test_the_openings_are_read_by_everybody(world):
    table = (await (await world.get(None, "/api/v1/openings")).json())["openings"]
    kings = next(one for one in table if one["english"] == "King's Pawn Game")
    assert kings["code"].startswith("B0") or kings["code"].startswith("C2")
    assert len(table) > 300 and all(one["danish"] and one["position"] for one in table)
